"""`maththera students`: list and show children, export, erase and expire their records, show the access log."""

import asyncio
import os
from collections import Counter
from collections.abc import Awaitable, Callable, Mapping
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Any, TypeVar

import typer

from maththera.cli.command_errors import EXIT_CODE, exit_on_user_error
from maththera.cli.database_access import with_database
from maththera.cli.id_options import known_student, student_id

if TYPE_CHECKING:
    from maththera.app.data_erasure import DataErasure
    from maththera.learner_model.goals import GoalFigures
    from maththera.learner_model.profiles import Profiles
    from maththera.settings import Settings
    from maththera.store.access.access_log import Access
    from maththera.store.database import Database

T = TypeVar("T")
_PAGE = 200
_COLUMN_OF_WORD: Mapping[str, str] = {
    "shown": "할 수 있음",
    "kept": "할 수 있음",
    "expected": "할 수 있을 것",
    "practising": "연습 중",
    "beginning": "연습 중",
    "slipping": "다시 볼 것",
    "untested": "안 물어봄",
}
_GOAL_STATUS = {"open": "가는 중", "reached": "이룸", "missed": "날이 지남"}
_UNTESTED = _COLUMN_OF_WORD["untested"]
_COLUMNS = tuple(dict.fromkeys(_COLUMN_OF_WORD.values()))
app = typer.Typer(help="What is kept of the children.", no_args_is_help=True)


@app.command(name="list")
def list_() -> None:
    """The children with records: how often they worked, and how many skills stand how."""
    from maththera.cli.text_tables import print_table, unbroken_column

    async def read(database: "Database") -> list[tuple[str, ...]]:
        from maththera.store.personal_data.student_roster import StudentRoster
        from maththera.store.students import StudentRecords

        profiles, roster, records = _profiles(database), StudentRoster(database), StudentRecords(database)
        rows: list[tuple[str, ...]] = []
        while page := await roster.page(rows[-1][0] if rows else "", _PAGE):
            called = await records.profiles([one.student_id for one in page])
            for one in page:
                skills = (await profiles.knowledge(one.student_id))["skills"]
                counted = Counter(_COLUMN_OF_WORD[skill["word"]] for skill in skills)
                last = f"{one.last_session_at.astimezone():%Y-%m-%d}" if one.last_session_at else "–"
                name = called[one.student_id].nickname or "–"
                columns = (str(counted[column]) for column in _COLUMNS)
                rows.append((one.student_id, name, str(one.sessions), last, *columns))
        return rows

    rows = with_database(read)
    if rows:
        print_table(
            (unbroken_column("학생"), unbroken_column("별명"), "세션", unbroken_column("마지막"), *_COLUMNS), rows
        )
    else:
        typer.echo("기록이 있는 학생이 없어요.")


@app.command()
def show(student: Annotated[str, typer.Argument(parser=known_student, help="Its id or nickname.")]) -> None:
    """What a child can do, why it errs with its own answers, and what comes next."""

    async def read(
        database: "Database",
    ) -> "tuple[dict[str, Any], dict[str, Any], list[GoalFigures], list[str]]":
        from maththera.learner_model.goals import Goals
        from maththera.store.goals import GoalRecords

        await _log(database, "read", student)
        profiles = _profiles(database)
        goals = Goals(GoalRecords(database), profiles.history, profiles.model, profiles.bank)
        return (
            await profiles.knowledge(student),
            await profiles.summary(student),
            await goals.of_student(student),
            await _screened(database, student),
        )

    from maththera.reports.wording import quoted

    known, summary, goals, screened = with_database(read)
    skills = {one["skill_id"]: one for one in known["skills"]}
    for column in _COLUMNS:
        own = [one for one in skills.values() if _COLUMN_OF_WORD[one["word"]] == column]
        if own:
            typer.echo(f"{column}: {len(own)}가지")
        for one in own if column != _UNTESTED else ():
            typer.echo(f"  {one['name']}" + (f": {one['tries']}번 중 {one['right']}번" if one["tries"] else ""))
    for cause in (one for one in summary["patterns"] if one["kind"] == "cause"):
        typer.echo(f"\n확인된 원인: {cause['name']} ({cause['count']}번)")
        for shown in cause["examples"]:
            given = "답 없음" if shown["given"] is None else shown["given"]
            how = f": {shown['how']}" if shown["how"] else ""
            typer.echo(f"  {shown['expression']} → {given} (바른 답 {shown['right']}){how}")
    _show_goals(goals)
    if screened:
        typer.echo("\n수 감각")
        for sentence in screened:
            typer.echo(f"  {sentence}")
    if known["next"]:
        typer.echo("\n다음에 할 것: " + quoted(skills[one]["name"] for one in known["next"]))


def _show_goals(goals: "list[GoalFigures]") -> None:
    for goal in goals:
        done = (
            f"마지막 {goal['last_tries']}번 중 {goal['last_right']}번" if goal["last_tries"] else "아직 안 물어봤어요"
        )
        typer.echo(f"\n목표 ({_GOAL_STATUS[goal['status']]}): {goal['text']}")
        typer.echo(f"  출발점 {goal['baseline']['tries']}번 중 {goal['baseline']['right']}번, 지금 {done}")


@app.command()
def export(
    student: Annotated[str, typer.Argument(parser=student_id)],
    output: Annotated[Path, typer.Option("--output", "-o", help="A file that is not there yet.")],
) -> None:
    """Write everything that is kept of a child into a JSON file."""
    from maththera.store.personal_data.data_export import DataExport

    async def write(database: "Database") -> None:
        await require_known(database, student)
        await _log(database, "export", student)
        with os.fdopen(os.open(output, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
            async for piece in DataExport(database).document(student):
                file.write(piece)

    try:
        with_database(write)
    except OSError as error:
        raise typer.BadParameter(f"{output}: {error.strerror}") from None
    typer.echo(f"{output} is written")


@app.command()
def erase(
    student: Annotated[str, typer.Argument(parser=student_id)],
    *,
    yes: Annotated[bool, typer.Option("--yes", help="Do not ask.")] = False,
) -> None:
    """Erase everything of a child: records, runs, reports, working state, tokens. Prints the receipt."""
    with_database(lambda database: require_known(database, student))
    if not yes:
        typer.confirm(f"Erase everything of {student}, for good?", abort=True)
    with_database(lambda database: _log(database, "erase", student))
    receipt = _with_erasure(lambda erasure, _: erasure.erase(student))
    for table, rows in receipt.records.items():
        typer.echo(f"{rows:>8,} {table}")
    typer.echo(f"receipt {receipt.receipt_id}, files: {receipt.files}, keys: {receipt.keys}")
    for mention in receipt.mentions:
        where = ", ".join(f"{name} {value}" for name, value in mention.row.items())
        typer.echo(f"still named: {mention.table}.{mention.column} ({where})", err=True)
    if not receipt.searched:
        typer.echo("an id or a name too short to look for may still stand in texts of others", err=True)
    if receipt.pending:
        typer.echo("Redis or the disk has not let go of everything yet; the service sees to it", err=True)
    if not receipt.complete:
        raise typer.Exit(EXIT_CODE)


@app.command()
def expire(
    days: Annotated[int | None, typer.Option(min=1, help="Erase what is older. Default: as the service does.")] = None,
) -> None:
    """Erase what is older than it may be kept. The service does so by itself."""
    from maththera.store.access.consents import PrivacyRules

    async def work(erasure: "DataErasure", settings: "Settings") -> dict[str, int]:
        if (limit := days or PrivacyRules.load(settings.home).retention_limit_days(settings.retention_days)) is None:
            raise typer.BadParameter("say --days: MATHTHERA_RETENTION_DAYS keeps everything")
        return await erasure.expire(limit)

    erased = _with_erasure(work)
    for table, rows in erased.items():
        typer.echo(f"{rows:>8,} {table}")
    if not erased:
        typer.echo("nothing is that old")


@app.command()
def log(
    student: Annotated[str | None, typer.Argument(parser=student_id, help="Of this child alone.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=10_000, help="How many entries at most, the newest first.")] = 100,
) -> None:
    """Show who read, took out, changed or erased what of which child, and when."""
    from maththera.cli.text_tables import print_table, unbroken_column
    from maththera.store.access.access_log import AccessLog

    entries = with_database(lambda database: AccessLog(database).entries(student, limit=limit))
    rows = [
        (
            one.at.isoformat(timespec="seconds"),
            one.access,
            one.what,
            one.role,
            one.token_id,
            one.student_id or "(erased)",
        )
        for one in entries
    ]
    titles = (unbroken_column("at"), "access", "what", "role", unbroken_column("token"), unbroken_column("student"))
    print_table(titles, rows)


def _profiles(database: "Database") -> "Profiles":
    from maththera.arithmetic.problem_bank import Bank
    from maththera.knowledge.model import load_knowledge_model
    from maththera.learner_model.cause_texts import load_cause_texts
    from maththera.learner_model.concept_graph import load_concepts
    from maththera.learner_model.profiles import Profiles
    from maththera.settings import home
    from maththera.store.answer_history import AnswerHistory
    from maththera.store.lessons import LessonRecords
    from maththera.store.tutoring_sessions import SessionRecords

    configs = home() / "configs"
    bank = Bank.load(configs / "arithmetic" / "problem_bank.csv")
    return Profiles(
        SessionRecords(database),
        AnswerHistory(database),
        LessonRecords(database),
        load_concepts(configs / "learner_model" / "concepts.yaml"),
        load_knowledge_model(configs, bank),
        bank,
        {tag: cause.name for tag, cause in load_cause_texts(configs).causes.items()},
    )


async def _screened(database: "Database", student_id: str) -> list[str]:
    """The sentences of the last screening of number sense; none without one."""
    from maththera.settings import home
    from maththera.store.access.consents import birth_year_of
    from maththera.store.tutoring_sessions import SessionRecords
    from maththera.tutoring.number_sense.report import load_published, screening_report, screenings_of

    found = screenings_of(await SessionRecords(database).screenings(student_id))
    if not found:
        return []
    birth_year = await birth_year_of(database, student_id)
    report = screening_report(found[0], load_published(home() / "configs"), birth_year)
    return [f"{report['at'][:10]}에 살펴봤어요.", *report["says"]]


async def require_known(database: "Database", student_id: str) -> None:
    """Ends the command for an unknown id: a typing mistake must not look like an erased child."""
    from maththera.store.personal_data.student_roster import StudentRoster

    if not await StudentRoster(database).known(student_id):
        raise typer.BadParameter(f"nothing is kept of {student_id}")


async def _log(database: "Database", access: "Access", student_id: str) -> None:
    from maththera.store.access.access_log import AccessLog
    from maththera.store.access.authorization import Principal

    await AccessLog(database).add(Principal("terminal", "admin"), access, "everything", student_id)


def _with_erasure(work: "Callable[[DataErasure, Settings], Awaitable[T]]") -> T:
    from maththera.app.data_erasure import DataErasure
    from maththera.app.execution_resources import open_stores
    from maththera.cli.store_setup import stores
    from maththera.runtime.event_log import EventLog
    from maththera.settings import Settings

    async def run(settings: Settings) -> T:
        async with open_stores(settings) as (database, redis), EventLog(redis) as log:
            return await work(DataErasure(database, redis, log, settings.data_dir), settings)

    with exit_on_user_error(), stores(Settings.from_environment(), join=True) as ready:
        return asyncio.run(run(ready))
