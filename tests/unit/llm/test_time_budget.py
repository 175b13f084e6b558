import time

import pytest

from maththera.llm.time_budget import Budget


def test_it_runs_down_and_stops_at_zero(monkeypatch: pytest.MonkeyPatch) -> None:
    now = 100.0
    monkeypatch.setattr(time, "monotonic", lambda: now)
    left = Budget(1.5)
    assert left.remaining() == 1.5
    now = 101.25
    assert left.remaining() == 0.25
    now = 103.0
    assert left.remaining() == 0.0
