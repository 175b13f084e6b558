"""Adults are told outside the queue: by real servers, once, however often it fails or a process dies."""

import asyncio
import hashlib
import hmac
import os
import sys
from collections.abc import AsyncIterator, Iterator
from contextlib import suppress
from dataclasses import replace
from datetime import timedelta
from pathlib import Path
from typing import Any, Final

import pytest
from sqlalchemy import update

from maththera.settings import Settings
from maththera.store.access.authorization import Principal
from maththera.store.alert_outbox import LEASE, AlertOutbox, alert_deliveries
from maththera.store.database import Database
from maththera.store.personal_data.erasure import ErasureRecords
from maththera.store.review_queue import Reviews, reviews
from maththera.store.safety_alerts import Alerts, NewAlert
from maththera.words.alerts.alert_delivery import AlertDelivery, channels
from maththera.words.alerts.alert_rules import AlertRules
from tests.support import receivers
from tests.support.databases import migrated
from tests.support.receivers import MailServer, Webhook

WORDS: Final = "아저씨가 내 몸을 만졌어"
ALERT: Final = NewAlert("lesson", "l1", "m1", "s1", "student", "sexual", 1, WORDS)
ADMIN: Final = Principal("t1", "admin")


@pytest.fixture
async def database(database_url: str) -> AsyncIterator[Database]:
    await migrated(database_url)
    database = Database(database_url)
    yield database
    await database.close()


@pytest.fixture
def webhook() -> Iterator[Webhook]:
    with receivers.webhook() as found:
        yield found


@pytest.fixture
async def mail() -> AsyncIterator[MailServer]:
    async with receivers.mail_server() as found:
        yield found


def by_webhook(webhook: Webhook, **more: Any) -> Settings:
    return Settings(alert_webhook_url=webhook.url, **more)


def by_mail(mail: MailServer, user: str = "", **more: Any) -> Settings:
    return Settings(
        alert_smtp_url=f"smtp://{user}127.0.0.1:{mail.port}",
        alert_email_from="maththera@school.example",
        alert_email_to="teacher@school.example, counsel@school.example",
        **more,
    )


def delivery(database: Database, settings: Settings) -> AlertDelivery:
    rules = AlertRules.load(settings.home)
    return AlertDelivery(AlertOutbox(database), Alerts(database), rules, channels(settings, rules))


async def add(database: Database, number: int = 1, *, days_ago: float = 0, **more: Any) -> None:
    alert = replace(ALERT, message_id=f"m{number}", **more)
    await Alerts(database).add(alert)
    if days_ago:
        then = await AlertOutbox(database).now() - timedelta(days=days_ago)
        statement = update(reviews).where(reviews.c.message_id == alert.message_id).values(created_at=then)
        await database.write(lambda connection: connection.execute(statement))


async def waited(database: Database) -> None:
    """After every pause and every lease."""
    columns = (alert_deliveries.c.next_try_at, alert_deliveries.c.leased_until)
    past = await AlertOutbox(database).now() - LEASE
    statement = update(alert_deliveries).values(dict.fromkeys(columns, past))
    await database.write(lambda connection: connection.execute(statement))


async def test_an_alert_is_told_at_once_and_once(database: Database, webhook: Webhook) -> None:
    await add(database)
    telling = delivery(database, by_webhook(webhook))
    for _ in range(3):
        await telling.deliver()
        await waited(database)
    (told,) = webhook.told
    (alert,) = told["alerts"]
    assert (told["occasion"], alert["category"], alert["urgency"], alert["room"]) == ("now", "sexual", "now", "lesson")
    assert (alert["student_id"], told["message_id"]) == ("s1", webhook.keys[0])
    (review,) = await Reviews(database).queue(None)
    assert alert["review_id"] == review.review_id


async def test_no_message_holds_the_words(database: Database, webhook: Webhook, mail: MailServer) -> None:
    await add(database)
    await delivery(database, by_webhook(webhook)).deliver()
    await delivery(database, by_mail(mail)).deliver()
    told = [webhook.requests[0][2].decode(), mail.mails[0].get_content(), str(mail.mails[0]["Subject"])]
    assert "sexual" in told[0]
    assert "성적 피해" in told[1]
    assert not [text for text in told for word in WORDS.split() if word in text]


@pytest.mark.parametrize("refusal", [500, 503, 404, 302, 307])
async def test_what_fails_is_tried_again_with_the_same_key(database: Database, webhook: Webhook, refusal: int) -> None:
    webhook.answers = [refusal, refusal]
    await add(database)
    telling = delivery(database, by_webhook(webhook))
    await telling.deliver()
    await telling.deliver()
    assert len(webhook.requests) == 1, "there is a pause before the next try"
    for _ in range(3):
        await waited(database)
        await telling.deliver()
    assert len(webhook.requests) == 3, "and none after the one that was taken"
    assert len(set(webhook.keys)) == 1
    assert {path for path, *_ in webhook.requests} == {"/alerts"}, "a redirect is not followed"


def test_pauses_double_up_to_the_longest() -> None:
    rules = AlertRules.load(Settings().home)
    pauses = [rules.pause(attempts).total_seconds() for attempts in range(1, 60)]
    assert pauses[0] == rules.retry.first_seconds
    assert pauses[1] == 2 * pauses[0]
    assert pauses == sorted(pauses)
    assert pauses[-1] == rules.retry.longest_seconds


async def test_a_webhook_that_is_not_there_is_no_end(database: Database, webhook: Webhook) -> None:
    await add(database)
    nobody = Settings(alert_webhook_url="http://127.0.0.1:9/")
    ((_, outcome),) = await delivery(database, nobody).deliver()
    assert outcome == "failed"
    await waited(database)
    await delivery(database, by_webhook(webhook)).deliver()
    assert len(webhook.requests) == 1


async def test_a_webhook_that_is_slow_is_given_up(
    database: Database, webhook: Webhook, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("maththera.words.alerts.alert_delivery._WEBHOOK_SECONDS", 0.2)
    webhook.held.clear()
    await add(database)
    ((_, outcome),) = await delivery(database, by_webhook(webhook)).deliver()
    assert outcome == "failed"


async def test_no_line_of_the_log_tells_an_address_a_password_or_the_words(
    database: Database, webhook: Webhook, mail: MailServer, caplog: pytest.LogCaptureFixture
) -> None:
    """The address of a webhook is a secret as often as not."""
    caplog.set_level("INFO")
    webhook.answers = [500]
    mail.refusals = [535]
    await add(database)
    await delivery(database, by_webhook(webhook)).deliver()
    await delivery(database, by_mail(mail, user="school:hunter2@")).deliver()
    await waited(database)
    await delivery(database, by_webhook(webhook)).deliver()
    lines = "\n".join(one.getMessage() for one in caplog.records)
    assert "were not told" in lines
    assert not [secret for secret in (webhook.url, "hunter2", "school.example", *WORDS.split()) if secret in lines]


async def test_the_body_is_signed(database: Database, webhook: Webhook) -> None:
    await add(database)
    await delivery(database, by_webhook(webhook, alert_webhook_secret="hunter2")).deliver()
    ((_, headers, body),) = webhook.requests
    expected = hmac.new(b"hunter2", body, hashlib.sha256).hexdigest()
    assert headers["x-maththera-signature"] == f"sha256={expected}"


async def test_workers_that_deliver_at_the_same_time_tell_it_once(database: Database, webhook: Webhook) -> None:
    for number in range(5):
        await add(database, number)
    others = [Database(str(database.engine.url.render_as_string(hide_password=False))) for _ in range(3)]
    try:
        await asyncio.gather(*(delivery(each, by_webhook(webhook)).deliver() for each in (database, *others)))
    finally:
        for each in others:
            await each.close()
    told = [alert["review_id"] for message in webhook.told for alert in message["alerts"]]
    assert sorted(told) == sorted(set(told))
    assert len(told) == 5


async def test_a_process_that_is_killed_while_it_sends(
    database: Database, database_url: str, webhook: Webhook, tmp_path: Path
) -> None:
    """The next one waits for the lease to end, and tells it with the same key."""
    await add(database)
    webhook.held.clear()
    environment = {
        **os.environ,
        "MATHTHERA_ALERT_WEBHOOK_URL": webhook.url,
        "MATHTHERA_DATABASE_URL": database_url,
        "MATHTHERA_DATA_DIR": str(tmp_path),
    }
    command = (sys.executable, "-m", "maththera", "alerts", "deliver")
    process = await asyncio.create_subprocess_exec(*command, env=environment, cwd=Path(__file__).parents[4])
    assert await asyncio.to_thread(webhook.arrived.wait, 60)
    process.kill()
    await process.wait()
    webhook.held.set()
    telling = delivery(database, by_webhook(webhook))
    await telling.deliver()
    assert len(webhook.requests) == 1, "the claim still holds"
    await waited(database)
    await telling.deliver()
    await waited(database)
    await telling.deliver()
    assert len(webhook.requests) == 2
    assert len(set(webhook.keys)) == 1


async def test_the_rest_of_the_day_goes_into_one_message(database: Database, webhook: Webhook) -> None:
    for number in range(3):
        await add(database, number, tier=2, days_ago=0.9)
    await add(database, 3, category="sadness", days_ago=0.9)
    await add(database, 4, tier=3, days_ago=0.9)
    telling = delivery(database, by_webhook(webhook))
    await telling.deliver()
    assert [len(one["alerts"]) for one in webhook.told if one["occasion"] == "day"] == [3]
    await add(database, 5, tier=2)
    before = len(webhook.requests)
    await telling.deliver()
    assert len(webhook.requests) == before, "what came since waits for the next digest"


async def test_the_week_goes_into_one_message(database: Database, webhook: Webhook) -> None:
    for number in range(2):
        await add(database, number, category="sadness", days_ago=7.1)
    await delivery(database, by_webhook(webhook)).deliver()
    assert [len(one["alerts"]) for one in webhook.told if one["occasion"] == "week"] == [2]


async def test_what_nobody_opened_is_told_again_to_the_admin_once(database: Database, mail: MailServer) -> None:
    settings = by_mail(mail, alert_email_admin="head@school.example")
    await add(database, 1, days_ago=1)
    await add(database, 2)
    for _ in range(2):
        await delivery(database, settings).deliver()
        await waited(database)
    unseen = [to for one, to in zip(mail.mails, mail.recipients, strict=True) if "열지 않은" in str(one["Subject"])]
    assert unseen == [["head@school.example"]]
    others = [to for to in mail.recipients if to != unseen[0]]
    assert others == [["teacher@school.example", "counsel@school.example"]]


async def test_what_was_opened_is_told_no_more(database: Database, webhook: Webhook) -> None:
    webhook.answers = [500]
    await add(database, 1, days_ago=1)
    await add(database, 2, tier=2, days_ago=1)
    for row in await Reviews(database).queue(None):
        assert await Alerts(database).open(row.review_id, ADMIN) == WORDS
    await delivery(database, by_webhook(webhook)).deliver()
    assert not webhook.requests


async def test_what_is_erased_is_told_no_more(database: Database, webhook: Webhook) -> None:
    webhook.answers = [500]
    await add(database, 1)
    await add(database, 2, student_id="s2")
    telling = delivery(database, by_webhook(webhook))
    await telling.deliver()
    erased = await ErasureRecords(database).student("s1")
    assert (erased.records["reviews"], erased.records["alert_deliveries"]) == (1, 1)
    await waited(database)
    await telling.deliver()
    assert [[one["student_id"] for one in message["alerts"]] for message in webhook.told] == [["s1", "s2"], ["s2"]]


async def test_a_mail_is_refused_and_then_taken(database: Database, mail: MailServer) -> None:
    mail.refusals = [451]
    await add(database)
    telling = delivery(database, by_mail(mail, user="school:hunter%202@"))
    ((message, outcome),) = await telling.deliver()
    assert outcome == "failed"
    await waited(database)
    await telling.deliver()
    (taken,) = mail.mails
    assert taken["Message-ID"] == f"<{message.message_id}@maththera>"
    assert mail.logins == [("school", "hunter 2")] * 2
    assert "1건" in str(taken["Subject"])


async def test_the_service_tells_a_new_alert_at_once(database: Database, webhook: Webhook) -> None:
    telling = delivery(database, by_webhook(webhook))
    counts: list[int] = []
    running = asyncio.create_task(telling.upkeep(counts.append))
    try:
        async with asyncio.timeout(60):
            while not counts:
                await asyncio.sleep(0.01)
            await Alerts(database, lambda _: telling.wake()).add(ALERT)
            while counts[-1] != 1:
                await asyncio.sleep(0.01)
    finally:
        running.cancel()
        with suppress(asyncio.CancelledError):
            await running
    assert len(webhook.requests) == 1
