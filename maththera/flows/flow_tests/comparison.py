"""What a test of a flow expects, and every difference from what came, in both languages."""

from collections.abc import Iterable
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from maththera.flows.flow_tests.mocks import MockedTools, step_id_of
from maththera.flows.language.messages import Message, Text
from maththera.flows.runs.flow_runner import RunOutcome
from maththera.json_types import JsonObject
from maththera.runtime.event_log import Event

_STATUSES: Final = {"completed": "완료", "failed": "실패", "waiting": "대기"}
NONE: Final = Message("nothing", "없음")
COULD_NOT_RUN: Final = Text(
    "expected {expected}, but it could not run: {reason}", "{expected} 상태여야 하는데 실행하지 못했어요: {reason}"
)
OTHER_STATUS: Final = Text(
    "expected {expected}, but it is {status}{told}", "{expected} 상태여야 하는데 {status} 상태예요{told}"
)
OTHER_ERROR: Final = Text(
    "expected an error with '{expected}', but got '{told}'",
    "오류에 {expected:'이가} 있어야 하는데 이렇게 나왔어요: '{told}'",
)
FAILED_AT: Final = Text(" at {step}: {message}", " ({step}: {message})")
WAS_NOT_CALLED: Final = Text(
    "expected '{name}' to be called; called: {called}", "{name:'을를} 불러야 해요. 부른 것: {called}"
)
WAS_CALLED: Final = Text("expected '{name}' not to be called", "{name:'을를} 부르지 않아야 해요")
WAS_NOT_SKIPPED: Final = Text(
    "expected '{name}' to be skipped; skipped: {skipped}", "{name:'을를} 건너뛰어야 해요. 건너뛴 것: {skipped}"
)
OTHER_ARGUMENTS: Final = Text(
    "expected '{tool}' to be called with {arguments}; calls: {calls}",
    "{tool:'을를} 이 값으로 불러야 해요: {arguments}. 부른 값: {calls}",
)
OTHER_VALUE: Final = Text(
    "{where}: expected {expected}, got {found}", "{where}: {expected} 대신 이 값이 나왔어요: {found}"
)


def status(name: str) -> Message:
    """The state of a run."""
    return Message(name, _STATUSES.get(name, name))


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
) -> Iterable[Message]:
    """Every difference between the expectations and the run."""
    expected = status(expect.status)
    if isinstance(outcome, Exception):
        reason = str(outcome)
        if expect.status != "failed" or (expect.error or "") not in reason:
            yield COULD_NOT_RUN(expected=expected, reason=reason)
        return
    error = outcome.error
    told = FAILED_AT(step=error["step"], message=error["message"]) if error else Message.same("")
    if outcome.status != expect.status:
        yield OTHER_STATUS(expected=expected, status=status(outcome.status), told=told)
    if expect.error is not None and expect.error not in told.english:
        yield OTHER_ERROR(expected=expect.error, told=told.english.strip() or NONE)
    for name, value in expect.outputs.items():
        yield from _differences(f"outputs.{name}", value, (outcome.result or {}).get(name))
    yield from _compare_calls(expect, outcome, events, tools)


def _compare_calls(expect: Expected, outcome: RunOutcome, events: list[Event], tools: MockedTools) -> Iterable[Message]:
    called = {tool for tool, _ in tools.calls}
    ran = {step_id_of(event["step"]) for event in events if event["type"] == "step_started"}
    skipped = {step_id_of(event["step"]) for event in events if event["type"] == "step_skipped"}
    for name in expect.called:
        if name not in called | ran:
            yield WAS_NOT_CALLED(name=name, called=", ".join(sorted(called)) or NONE)
    for name in expect.not_called:
        if name in called | ran:
            yield WAS_CALLED(name=name)
    for name in expect.skipped:
        if name not in skipped and f"{name}_skipped" not in outcome.completed_steps:
            yield WAS_NOT_SKIPPED(name=name, skipped=", ".join(sorted(skipped)) or NONE)
    for tool, arguments in expect.calls.items():
        given = [each for name, each in tools.calls if name == tool]
        if not any(not list(_differences("", arguments, each)) for each in given):
            yield OTHER_ARGUMENTS(tool=tool, arguments=arguments, calls=given or NONE)


def _differences(where: str, expected: Any, found: Any) -> Iterable[Message]:
    """Whether the expected fields of an object are there; any other value must be equal."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for name, value in expected.items():
            yield from _differences(f"{where}.{name}" if where else name, value, found.get(name))
    elif expected != found:
        yield OTHER_VALUE(where=where, expected=repr(expected), found=repr(found))
