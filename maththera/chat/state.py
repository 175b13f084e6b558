"""What a turn of the chat knows: plain JSON types, so that a checkpoint holds it as it is."""

from collections.abc import Mapping
from typing import Any, Final, Literal

from typing_extensions import TypedDict

from maththera.chat.calls import Call, Result
from maththera.chat.pipelines import Progress
from maththera.learners.conversations import Profile

SCHEMA_VERSION: Final = 1


class Said(TypedDict):
    """One message of the conversation so far."""

    role: Literal["user", "assistant"]
    text: str


class ChatState(TypedDict, total=False):
    """What comes in is `message`, and `profile`, `student_id`, `difficulty` where they are not the defaults. The
    conversation is what stays from turn to turn (`turns` finished ones, `summary` of what `history` no longer holds).

    `safety`: of a message that tells of danger, how its answer is shown; `asked`: the answer before asked whether it is
    all right; `private`: the message holds what a child should keep to itself. Such turns are left out of `history`.

    The coach's: `intent`; per round of `rounds` its results; `calls`, what is to be
    called next; `exchange`, what a model has said and heard beyond the question, as the chat completions protocol has
    it; `chart`. The assistant's: `difficulty`, `progress`, `outcome` of the last tool, `final_answers` by level, of
    which `final_answer` (also `tool_result`) is the higher. `by_rules`: no model is asked any more in this turn.
    """

    schema_version: int
    profile: Profile
    turns: int
    summary: str
    history: list[Said]

    message: str
    student_id: str | None
    difficulty: str | None
    by_rules: bool
    errors: list[str]
    answer: str

    verdict: dict[str, Any] | None
    safety: dict[str, Any] | None
    asked: bool
    private: bool
    intent: dict[str, Any] | None
    rounds: list[list[Result]]
    calls: list[Call]
    exchange: list[dict[str, Any]]
    chart: dict[str, Any] | None

    progress: Progress | None
    outcome: dict[str, Any] | None
    tool_pipeline: list[str]
    tool_choice: str | None
    tool_result: str | None
    final_answers: dict[str, str]
    final_answer: str | None


def fresh(state: ChatState) -> ChatState:
    """The turn at hand before anything has happened: what came in, and nothing of the turn before."""
    return {
        "schema_version": SCHEMA_VERSION,
        "profile": state.get("profile", "coach"),
        "message": state["message"],
        "student_id": state.get("student_id"),
        "difficulty": state.get("difficulty"),
        "by_rules": False,
        "errors": [],
        "answer": "",
        "verdict": None,
        "safety": None,
        "asked": False,
        "private": False,
        "intent": None,
        "rounds": [],
        "calls": [],
        "exchange": [],
        "chart": None,
        "progress": None,
        "outcome": None,
        "tool_pipeline": [],
        "tool_choice": None,
        "tool_result": None,
        "final_answers": {},
        "final_answer": None,
    }


def results(state: ChatState) -> list[Result]:
    """All of the turn so far."""
    return [result for round_ in state["rounds"] for result in round_]


def asks(safety: Mapping[str, Any] | None) -> bool:
    """Whether an answer asked the child if it is all right; `safety` as it is kept of the turn."""
    return safety is not None and bool(safety["asks"])


def detail(state: Mapping[str, Any]) -> dict[str, Any]:
    """What is recorded with an answer."""
    found: dict[str, Any] = {
        "intent": state.get("intent"),
        "steps": [dict(result) for round_ in state.get("rounds", []) for result in round_],
        "chart": state.get("chart"),
        "tool_pipeline": state.get("tool_pipeline"),
        "final_answers": state.get("final_answers"),
        "errors": state.get("errors"),
        "safety": state.get("safety") and {"asks": asks(state["safety"])},
        "private": state.get("private"),
    }
    return {name: value for name, value in found.items() if value}
