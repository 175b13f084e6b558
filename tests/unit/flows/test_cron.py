"""When a schedule is due, and when the next time."""

from datetime import datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from maththera.flows.cron import is_due, next_due

KOREA = ZoneInfo("Asia/Seoul")
SUNDAY = datetime(2026, 11, 22, 18, 0, tzinfo=KOREA)


@pytest.mark.parametrize(
    ("cron", "expected"),
    [
        ("* * * * *", "2026-11-22T18:01:00+09:00"),
        ("0 18 * * *", "2026-11-23T18:00:00+09:00"),
        ("0 7 * * 1", "2026-11-23T07:00:00+09:00"),
        ("*/20 9-10 * * *", "2026-11-23T09:00:00+09:00"),
        ("30 6 1 * 5", "2026-11-27T06:30:00+09:00"),
        ("0 0 29 2 *", "2028-02-29T00:00:00+09:00"),
    ],
)
def test_the_next_time(cron: str, expected: str) -> None:
    found = next_due(cron, SUNDAY)
    assert found.isoformat() == expected


@settings(max_examples=50, deadline=None)
@given(
    minute=st.sampled_from(["*", "0", "*/7", "5,50"]),
    hour=st.sampled_from(["*", "3", "8-11"]),
    day=st.sampled_from(["*", "1", "15,28"]),
    weekday=st.sampled_from(["*", "0", "2-4"]),
    after=st.integers(0, 700 * 24 * 60).map(lambda minutes: SUNDAY + timedelta(minutes=minutes)),
)
def test_it_is_the_first_minute_that_is_due(minute: str, hour: str, day: str, weekday: str, after: datetime) -> None:
    cron, start = f"{minute} {hour} {day} * {weekday}", after
    found = next_due(cron, start)
    assert found > start
    assert is_due(cron, found)
    before = found - timedelta(minutes=1)
    for _ in range(2_000):
        if before <= start:
            break
        assert not is_due(cron, before)
        before -= timedelta(minutes=1)
