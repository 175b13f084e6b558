"""`maththera alerts`: safety alerts, for the adults who answer for the children."""

from typing import TYPE_CHECKING, Annotated, Final

import typer

from maththera.cli.command_errors import EXIT_CODE, exit_on_user_error
from maththera.cli.database_access import with_database

if TYPE_CHECKING:
    from collections.abc import Mapping

    from maththera.store.database import Database
    from maththera.store.review_queue import ReviewRow
    from maththera.store.safety_alerts import AlertOpening
    from maththera.words.alerts.alert_rules import AlertRules

_TERMINAL: Final = "terminal"
"""The token id that is recorded for an alert opened here."""
_URGENCIES: Final = {"now": "지금", "day": "오늘", "week": "이번 주"}
app = typer.Typer(help="Safety alerts: what children wrote that adults should know of.", no_args_is_help=True)


@app.command("list")
def show(
    *,
    decided: Annotated[bool, typer.Option("--decided", help="Those that were decided, not those that wait.")] = False,
) -> None:
    """The alerts, without the children's words: when, of whom, where, and who has opened them."""
    from maththera.cli.text_tables import print_table, unbroken_column
    from maththera.store.review_queue import ReviewFilter, Reviews
    from maththera.store.safety_alerts import Alerts

    rules, found = _rules(), list["ReviewRow"]()

    async def read(database: "Database") -> "Mapping[int, list[AlertOpening]]":
        reviews, after = Reviews(database), 0
        while page := await reviews.queue(None, ReviewFilter("decided" if decided else "open", "safety", after=after)):
            found.extend(page)
            after = page[-1].review_id
        return await Alerts(database).openings([row.review_id for row in found])

    openings = with_database(read)
    if not found:
        typer.echo("안전 알림이 없어요.")
        return
    titles = (unbroken_column("번호"), "언제", "급한 정도", "무엇", "학생", "어디", "연 사람")
    print_table(titles, (_cells(rules, row, openings[row.review_id]) for row in found))


@app.command("open")
def open_alert(review_id: Annotated[int, typer.Argument(help="The number from the list.", min=1)]) -> None:
    """Show what the child wrote. That it was opened here, and when, is kept with the alert."""
    from maththera.store.access.authorization import Principal
    from maththera.store.safety_alerts import Alerts

    try:
        words = with_database(lambda database: Alerts(database).open(review_id, Principal(_TERMINAL, "admin")))
    except LookupError:
        raise typer.BadParameter(f"번호가 {review_id}인 안전 알림이 없어요.") from None
    typer.echo(words)
    typer.echo("연 기록을 남겼어요.", err=True)


@app.command()
def deliver() -> None:
    """Send by webhook and mail what is due now. The service does so by itself."""
    from maththera.settings import PREFIX, Settings, SettingsError
    from maththera.store.alert_outbox import AlertMessage, AlertOutbox
    from maththera.store.safety_alerts import Alerts
    from maththera.words.alerts.alert_delivery import AlertDelivery, Outcome, channels
    from maththera.words.alerts.alert_rules import AlertRules

    async def run(database: "Database") -> list[tuple[AlertMessage, Outcome]]:
        settings = Settings.from_environment()
        rules = AlertRules.load(settings.home)
        if not (out := channels(settings, rules)):
            raise SettingsError(f"{PREFIX}ALERT_WEBHOOK_URL, {PREFIX}ALERT_SMTP_URL: 둘 다 정하지 않았어요.")
        return await AlertDelivery(AlertOutbox(database), Alerts(database), rules, out).deliver()

    done = with_database(run)
    for message, outcome in done:
        told = "보냈어요." if outcome == "delivered" else "보내지 못했어요. 나중에 다시 보내요."
        typer.echo(f"{message.channel}: 안전 알림 {len(message.alerts)}건을 {told}")
    if not done:
        typer.echo("지금 보낼 안전 알림이 없어요.")
    if any(outcome == "failed" for _, outcome in done):
        raise typer.Exit(EXIT_CODE)


def _rules() -> "AlertRules":
    from maththera.settings import Settings
    from maththera.words.alerts.alert_rules import AlertRules

    with exit_on_user_error():
        return AlertRules.load(Settings.from_environment().home)


def _cells(rules: "AlertRules", row: "ReviewRow", openings: "list[AlertOpening]") -> tuple[str, ...]:
    opened = "\n".join(f"{rules.in_korea(one.opened_at)} {one.token_id} ({one.role})" for one in openings)
    return (
        str(row.review_id),
        rules.in_korea(row.created_at),
        _URGENCIES[row.urgency or "now"],
        rules.categories[row.category or ""],
        row.student_id or rules.mail.nobody,
        rules.rooms[row.room],
        opened or "아직 없음",
    )
