"""When digests are due, and what is wrong with a file of rules."""

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.config_files import ConfigError
from maththera.settings import Settings
from maththera.words.alerts.alert_rules import AlertRules

RULES = AlertRules.load(Settings().home)
MOMENTS = st.datetimes(datetime(2026, 1, 1), datetime(2027, 1, 1), timezones=st.just(UTC))  # noqa: DTZ001 - bounds


@given(MOMENTS)
def test_no_alert_waits_longer_than_its_digest(now: datetime) -> None:
    for urgency, longest in (("now", timedelta()), ("day", timedelta(days=1)), ("week", timedelta(days=7))):
        before = RULES.told_before(urgency, now)  # type: ignore[arg-type]
        assert now - longest <= before <= now


def test_digests_are_due_at_their_time_in_korea() -> None:
    friday = datetime(2026, 11, 20, 6, 30, tzinfo=UTC)  # 15:30 in Korea
    moment = timedelta(seconds=1)
    assert RULES.told_before("day", friday) == RULES.told_before("week", friday) == friday
    assert RULES.told_before("day", friday - moment) == friday - timedelta(hours=7)
    assert RULES.told_before("week", friday - moment) == friday - timedelta(days=7)
    assert RULES.told_before("day", friday + timedelta(hours=16)) == friday


@pytest.mark.parametrize(
    ("old", "new", "fault"),
    [
        ("  now: 2\n", "  now: 0\n", "unseen_hours.now: Input should be greater than 0"),
        ("  now: 2\n", "", "unseen_hours: needs now, day, week"),
        ("sadness: 슬픔", "sorrow: 슬픔", "categories: needs self_harm"),
        ("weekday: 5", "weekday: 8", "digests.week.weekday: Input should be less than"),
        ("알림 {count}건", "알림", "mail.subjects.now: needs the slots count"),
        ("opening: ", "opening: \"{words}\" #", "mail.opening: takes no slot"),
    ],
)  # fmt: skip
def test_a_fault_is_told_with_its_line(tmp_path: Path, old: str, new: str, fault: str) -> None:
    text = (Settings().home / "configs" / "words" / "alerts.yaml").read_text(encoding="utf-8")
    assert old in text
    (tmp_path / "configs" / "words").mkdir(parents=True)
    (tmp_path / "configs" / "words" / "alerts.yaml").write_text(text.replace(old, new, 1), encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        AlertRules.load(tmp_path)
    assert f": {fault}" in str(caught.value)
    assert str(caught.value).startswith(f"{tmp_path}/configs/words/alerts.yaml:")
