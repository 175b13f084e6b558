"""The expectations of a flow's test, compared with a run."""

from collections.abc import Iterable
from typing import Any, Literal

from pydantic import BaseModel, ConfigDict

from maththera.flows.flow_tests.mocks import MockedTools, step_id_of
from maththera.flows.runs.flow_runner import RunOutcome
from maththera.json_types import JsonObject
from maththera.runtime.event_log import Event


class Expected(BaseModel):
    model_config = ConfigDict(extra="forbid")

    status: Literal["completed", "failed", "waiting"] = "completed"
    outputs: JsonObject = {}
    called: list[str] = []
    not_called: list[str] = []
    skipped: list[str] = []
    calls: dict[str, JsonObject] = {}
    error: str | None = None


def compare(
    expect: Expected, outcome: RunOutcome | Exception, events: list[Event], tools: MockedTools
) -> Iterable[str]:
    """Every difference between the expectations and the run."""
    if isinstance(outcome, Exception):
        message = str(outcome)
        if expect.status != "failed" or (expect.error or "") not in message:
            yield f"expected {expect.status}, but it could not run: {message}"
        return
    told = f" at {outcome.error['step']}: {outcome.error['message']}" if outcome.error else ""
    if outcome.status != expect.status:
        yield f"expected {expect.status}, but it is {outcome.status}{told}"
    if expect.error is not None and expect.error not in told:
        yield f"expected an error with '{expect.error}', but got '{told.strip() or 'none'}'"
    for name, value in expect.outputs.items():
        yield from _differences(f"outputs.{name}", value, (outcome.result or {}).get(name))
    yield from _compare_calls(expect, outcome, events, tools)


def _compare_calls(expect: Expected, outcome: RunOutcome, events: list[Event], tools: MockedTools) -> Iterable[str]:
    called = {tool for tool, _ in tools.calls}
    ran = {step_id_of(event["step"]) for event in events if event["type"] == "step_started"}
    skipped = {step_id_of(event["step"]) for event in events if event["type"] == "step_skipped"}
    for name in expect.called:
        if name not in called | ran:
            yield f"expected '{name}' to be called; called: {', '.join(sorted(called)) or 'nothing'}"
    for name in expect.not_called:
        if name in called | ran:
            yield f"expected '{name}' not to be called"
    for name in expect.skipped:
        if name not in skipped and f"{name}_skipped" not in outcome.completed_steps:
            yield f"expected '{name}' to be skipped; skipped: {', '.join(sorted(skipped)) or 'nothing'}"
    for tool, arguments in expect.calls.items():
        given = [each for name, each in tools.calls if name == tool]
        if not any(not list(_differences("", arguments, each)) for each in given):
            yield f"expected '{tool}' to be called with {arguments}; calls: {given or 'none'}"


def _differences(where: str, expected: Any, found: Any) -> Iterable[str]:
    """Whether the expected fields of an object are there; any other value must be equal."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for name, value in expected.items():
            yield from _differences(f"{where}.{name}" if where else name, value, found.get(name))
    elif expected != found:
        yield f"{where}: expected {expected!r}, got {found!r}"
