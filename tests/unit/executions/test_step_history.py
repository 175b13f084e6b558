"""Steps as a run's events tell of them."""

from typing import Any

import pytest

from maththera.executions.step_history import ExecutionStep, steps_of
from maththera.store.executions import Status


def told(*events: dict[str, Any], status: Status = "running") -> dict[str, ExecutionStep]:
    numbered = [(f"{1_795_306_417_000 + place}-0", event) for place, event in enumerate(events)]
    return {step["step"]: step for step in steps_of(numbered, status)}


def started(step: str) -> dict[str, Any]:
    return {"type": "step_started", "step": step, "name": step, "kind": "python"}


def finished(step: str, output: Any = None, attempts: int = 1) -> dict[str, Any]:
    return {"type": "step_finished", "step": step, "ms": 5, "to": None, "attempts": attempts, "output": output}


def failed(step: str, action: str = "fail") -> dict[str, Any]:
    return {"type": "step_failed", "step": step, "tool": None, "code": "x", "message": "m", "action": action}


def test_a_step_has_the_time_of_its_start() -> None:
    steps = told({"type": "started", "flow": "f"}, started("a"), finished("a", 7))
    assert steps["a"]["started_at"] == "2026-11-22T00:13:37.001000+00:00"
    assert (steps["a"]["status"], steps["a"]["output"], steps["a"]["ms"]) == ("done", 7, 5)


def test_a_step_that_is_run_again_shows_the_last_time() -> None:
    steps = told(started("a"), failed("a"), {"type": "repaired", "what": "retry", "step": "a"}, started("a"))
    assert (steps["a"]["status"], steps["a"]["error"]) == ("running", None)
    steps = told(started("a"), failed("a"), started("a"), finished("a", 1))
    assert (steps["a"]["status"], steps["a"]["error"], steps["a"]["output"]) == ("done", None, 1)


LOOP = {**started("loop"), "kind": "foreach"}
REPAIRED = {"type": "repaired", "what": "retry", "step": "loop[1].a"}
AGAIN = {"type": "retry", "step": "loop", "attempt": 2, "message": "m"}


@pytest.mark.parametrize("again", [[failed("loop"), REPAIRED, LOOP], [AGAIN]])
def test_an_item_that_is_run_again_is_as_its_last_time(again: list[dict[str, Any]]) -> None:
    """Of items only failures are told: what has not failed again when its foreach has ended is done."""
    begun = [LOOP, failed("loop[1].a"), failed("loop[2].a"), failed("loops"), *again]
    assert told(*begun)["loop[1].a"]["status"] == "running"
    steps = told(*begun, failed("loop[2].a"), finished("loop"))
    assert [steps[f"loop[{n}].a"]["status"] for n in (1, 2)] == ["done", "failed"]
    assert (steps["loop[1].a"]["error"], steps["loops"]["status"]) == (None, "failed")
    steps = told(*begun, failed("loop[2].a"), failed("loop"))
    assert [steps[f"loop[{n}].a"]["status"] for n in (1, 2)] == ["broken_off", "failed"]


def test_what_an_adult_decided_is_told() -> None:
    steps = told(started("a"), failed("a"), {"type": "repaired", "what": "mark_done", "step": "a"})
    assert (steps["a"]["status"], steps["a"]["reason"]) == ("done", "mark_done")
    assert told({"type": "repaired", "what": "skip", "step": "b"})["b"]["status"] == "skipped"


def test_a_step_that_the_end_of_the_run_overtook_was_broken_off() -> None:
    steps = told(started("a"), started("b"), {"type": "waiting", "step": "b"}, status="cancelled")
    assert {step["status"] for step in steps.values()} == {"broken_off"}


@pytest.mark.parametrize("closing", ["answered", "expired"])
def test_a_question_waits_until_it_is_answered_or_its_time_is_over(closing: str) -> None:
    asked = [started("a"), {"type": "waiting", "step": "a"}]
    assert told(*asked)["a"]["status"] == "waiting"
    assert told(*asked, {"type": closing, "steps": ["a"]})["a"]["status"] == "running"


def test_a_failure_with_an_answer_is_done() -> None:
    assert told(started("a"), failed("a", "fallback"))["a"]["status"] == "done"
    assert told(started("a"), failed("a", "continue"))["a"]["status"] == "failed"
