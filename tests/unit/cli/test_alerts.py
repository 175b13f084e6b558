"""`maththera alerts`."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest
from typer.testing import CliRunner, Result

from maththera.cli import app
from maththera.cli.database_access import with_database
from maththera.store.safety_alerts import Alerts, NewAlert
from tests.support import receivers
from tests.support.receivers import Webhook

WORDS = "집에 가기 싫어. 또 맞을까 봐 무서워"
ALERT = NewAlert("lesson", "l1", "m1", "s1", "student", "violence_home", 1, WORDS)


@pytest.fixture(autouse=True)
def _own_records(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setenv("MATHTHERA_DATA_DIR", str(tmp_path / "var"))


@pytest.fixture
def webhook(monkeypatch: pytest.MonkeyPatch) -> Iterator[Webhook]:
    with receivers.webhook() as found:
        monkeypatch.setenv("MATHTHERA_ALERT_WEBHOOK_URL", found.url)
        yield found


def add(alert: NewAlert) -> None:
    with_database(lambda database: Alerts(database).add(alert))


def called(*arguments: str) -> Result:
    return CliRunner().invoke(app, ["alerts", *arguments], env={"COLUMNS": "160"})


def test_the_list_tells_everything_but_the_words() -> None:
    assert called("list").output == "안전 알림이 없어요.\n"
    add(ALERT)
    add(replace(ALERT, message_id="m2", student_id=None, category="sadness"))
    add(replace(ALERT, message_id="m3", student_id="nobody-is-told", tier=3))
    listed = called("list").output
    for told in ("가정 폭력", "s1", "강의", "지금", "이번 주", "(누구인지 알 수 없음)", "아직 없음"):
        assert told in listed
    assert "nobody-is-told" not in listed
    assert not [word for word in WORDS.split() if word in listed]


def test_an_opening_shows_the_words_and_is_kept() -> None:
    add(ALERT)
    opened = called("open", "1")
    assert (opened.exit_code, opened.stdout) == (0, f"{WORDS}\n")
    assert "terminal (admin)" in called("list").output
    assert called("open", "2").exit_code == 2


def test_what_is_due_is_delivered(webhook: Webhook) -> None:
    assert called("deliver").output == "지금 보낼 안전 알림이 없어요.\n"
    add(ALERT)
    webhook.answers = [500]
    failed = called("deliver")
    assert (failed.exit_code, len(webhook.requests)) == (2, 1)
    assert "보내지 못했어요" in failed.output


def test_nobody_is_told_before_somebody_says_whom() -> None:
    add(ALERT)
    refused = called("deliver")
    assert refused.exit_code == 2
    assert "MATHTHERA_ALERT_WEBHOOK_URL" in refused.stderr
