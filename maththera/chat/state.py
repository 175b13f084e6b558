"""The state of one turn of the chat, in plain JSON types, so that a checkpoint holds it as it is."""

from collections.abc import Mapping
from operator import add
from typing import Annotated, Any, Final, Literal, NotRequired, TypeAlias

from typing_extensions import TypedDict

from maththera.chat.messages.answer_levels import LevelName
from maththera.json_types import JsonObject
from maththera.llm.streaming import Message
from maththera.store.conversations import Profile
from maththera.words.danger.message_safety import kept_of
from maththera.words.input_filter.filter_words import Kind

SCHEMA_VERSION: Final = 1
ToolName: TypeAlias = Literal["glossary", "search_paper", "web_search", "text2sql", "summarize", "save_file", "general"]
"""The assistant's tools."""
SILENT_TOOLS: Final[frozenset[ToolName]] = frozenset({"save_file"})
"""Tools that do something with an answer and give none of their own."""
FailureReason = Literal["error", "timeout", "empty", "refused"]
"""Why a tool of the assistant gave nothing."""


class ToolCall(TypedDict):
    """A tool of the coach to call."""

    tool: str
    arguments: JsonObject


class ToolResult(TypedDict):
    """A call that was made. `error`: why there is no result, for people; `result` is empty then. `cached`: the result
    of the same call was at hand. `left_out`: the number of its texts from which orders to a model were cut."""

    tool: str
    arguments: JsonObject
    result: JsonObject
    error: str | None
    cached: bool
    left_out: NotRequired[int]


class PipelineProgress(TypedDict):
    """Where a turn of the assistant stands between its tools. `place`: index of the current tool in the pipeline;
    `tool_choice`: the tool that runs for it, itself or a fallback. `failed`: the tools that failed at this place;
    `reasons`: why, also of those that refused. `tool_result`: the text so far. `records`: what is asked of learners'
    records; `advice`: the answer that is asked for; `first`, `behind`: its text where it stands before that of the
    records or after it. `written`: what was made for the message; `ahead`: what is said before the advice, `beside`:
    what the child's records tell after it; `instead`: what is said where no tool knows an answer; `again`: it is about
    the papers that were named; `earlier`: the questions before, the newest first; `of_records`: it is about learners'
    records, which are found nowhere else."""

    tool_pipeline: list[ToolName]
    place: int
    tool_choice: ToolName
    failed: list[ToolName]
    reasons: dict[ToolName, FailureReason]
    tool_result: str | None
    question: str
    before: str
    records: JsonObject | None
    advice: str
    first: str
    behind: str
    written: str
    ahead: str
    beside: str
    instead: str
    again: bool
    earlier: list[str]
    of_records: bool


class Utterance(TypedDict):
    """One message of the conversation so far."""

    role: Literal["user", "assistant"]
    text: str


class WindowMessage(TypedDict):
    """One message as chat windows read it."""

    role: Literal["user", "assistant"]
    content: str


class Verdict(TypedDict):
    """What the filter found, as `FilterVerdict`."""

    kind: Kind
    found: str | None


class IntentReport(TypedDict):
    """What a learner wants, as the event `intent_detected` carries it. `intent_type`: the letter."""

    intent_type: str
    intent_name: str
    confidence: float
    reasoning: str
    key_indicators: list[str]


class SafetyMark(TypedDict):
    """The answer to danger. `asks`: it asks the child if it is all right; `shown`: as a page shows it."""

    asks: bool
    shown: JsonObject


class ChatState(TypedDict, total=False):
    """Input: `message`, and where they are not the defaults `profile`, `student_id`, `difficulty`.

    The conversation, kept from turn to turn: `turns` (finished ones), `history`, `summary` of the turns before it, and
    `messages`, for chat windows alone. `safety`: how the answer to a message about danger is shown; `asked`: the answer
    before asked the child if it is all right; `private`: the message holds something private. Turns with `safety` or
    `private` are left out of `history`. `by_rules`: no model is asked any more in this turn.

    The coach: `intent`; `ask`, what is asked (configs/chat/coach/asks.yaml), `also` a second ask, and other people's
    `names`; `board`, what was said so far as structure, kept from turn to turn; `rounds` of results; `calls` to make
    next; `exchange`, the messages between a model and its tools, as the chat completions protocol has them; `chart`.
    The assistant: `difficulty`, `progress`, `outcome` of the last tool, `final_answers` by level; `final_answer` (also
    `tool_result`) is that of the higher level.
    """

    schema_version: int
    profile: Profile
    turns: int
    summary: str
    history: list[Utterance]
    messages: Annotated[list[WindowMessage], add]

    message: str
    student_id: str | None
    difficulty: str | None
    by_rules: bool
    errors: list[str]
    answer: str

    verdict: Verdict | None
    safety: SafetyMark | None
    asked: bool
    private: bool
    intent: IntentReport | None
    ask: str
    names: list[str]
    also: str
    board: JsonObject
    rounds: list[list[ToolResult]]
    calls: list[ToolCall]
    exchange: list[Message]
    chart: JsonObject | None

    progress: PipelineProgress | None
    outcome: JsonObject | None
    tool_pipeline: list[ToolName]
    tool_choice: ToolName | None
    tool_result: str | None
    final_answers: dict[LevelName, str]
    final_answer: str | None


def new_turn_state(state: ChatState) -> ChatState:
    """The state at the start of a turn: its input, and nothing of the turn before."""
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
        "ask": "",
        "names": [],
        "also": "",
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


def tool_results(state: ChatState) -> list[ToolResult]:
    """The results of all rounds so far."""
    return [result for round_ in state["rounds"] for result in round_]


def asked_if_all_right(safety: Mapping[str, Any] | None) -> bool:
    """Whether an answer asked the child if it is all right; `safety` as it is kept of the turn."""
    return safety is not None and bool(safety["asks"])


def detail(state: Mapping[str, Any]) -> JsonObject:
    """What is recorded with an answer."""
    found: JsonObject = {
        "intent": state.get("intent"),
        "steps": [dict(result) for round_ in state.get("rounds", []) for result in round_],
        "chart": state.get("chart"),
        "tool_pipeline": state.get("tool_pipeline"),
        "final_answers": state.get("final_answers"),
        "errors": state.get("errors"),
        "safety": (safety := state.get("safety")) and {"asks": safety["asks"], **kept_of(safety["shown"])},
        "private": state.get("private"),
        "board": state.get("board"),
    }
    return {name: value for name, value in found.items() if value}
