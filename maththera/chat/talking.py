"""Talking with a model: one round of the coach with its tools, and its words passed on as they come.

Tools may answer with anything a child or a document wrote, so their results are data in the conversation, as the
prompts say; a model that calls a tool it was not offered is not asked again in that turn.
"""

import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final

from maththera.chat import history
from maththera.chat.calls import Result
from maththera.chat.config import ChatConfig
from maththera.chat.open_tasks import Hidden
from maththera.chat.run import Abandoned
from maththera.chat.state import ChatState
from maththera.chat.tools import ChatTool
from maththera.chat.turn import BadReply, TurnContext, emit
from maththera.llm.models import Models
from maththera.llm.streaming import Message, Speech, speak
from maththera.words.gate import Gate, GateStream
from maththera.words.sentence_checks import About, HeldBack

COACH_VARIABLES: Final = frozenset({"message", "summary"})
_WORD: Final = re.compile(r"\S+\s*|\s+")
_LONGEST_RESULT: Final = 6_000
"""Characters of a tool's result that a model is given."""


def coach_prompt(intent_type: str) -> str:
    """The prompt file of an intent."""
    return f"coach_{intent_type.lower()}"


async def round_(  # noqa: PLR0913 - who is asked what, under which rules, with which tools
    models: Models, config: ChatConfig, gate: Gate, state: ChatState, context: TurnContext, tools: Sequence[ChatTool]
) -> dict[str, Any]:
    """One reply: the tools that it calls, or none once it is known to be the answer, which then waits in the context.
    Raises LlmError, Abandoned, BadReply."""
    speech = speak(
        models,
        coach_prompt((state["intent"] or {})["intent_type"]),
        {"message": state["message"], "summary": state.get("summary", "")},
        context.budget or models.budget(),
        silence=config.seconds.silence,
        before=before(state),
        after=state["exchange"],
        tools=[_described(tool) for tool in tools],
        spawn=context.spawn,
    )
    try:
        answers = await _listen(speech, gate, context, config.held_characters)
    except BaseException:
        speech.close()
        raise
    if answers:
        context.speech = speech
        return {"calls": []}
    names = {tool.name for tool in tools}
    if any(call.name not in names for call in speech.calls):
        raise BadReply("unknown_tool")
    calls = [{"tool": call.name, "arguments": call.arguments} for call in speech.calls]
    return {"calls": calls, "exchange": [*state["exchange"], _said(speech)]}


async def _listen(speech: Speech, gate: Gate, context: TurnContext, held_characters: int) -> bool:
    """Whether it is an answer. Words beside a call of tools are told as a thought, where a child may read them."""
    heard: list[str] = []
    while (piece := await speech.next()) is not None:
        heard.append(piece.text)
        if piece.calling:
            thought = "".join(heard).strip()
            if thought and gate.check(thought, "child", About(gate.longest("coach"), speech=None)) is None:
                emit(context, {"type": "thinking", "message": thought})
            heard = []
        elif sum(map(len, heard)) >= held_characters:
            break
    else:
        if speech.cancelled:
            raise Abandoned
        if speech.calls:
            return False
        if not speech.text.strip():
            raise BadReply("llm_rejected")
    context.heard = heard
    return True


def to_child(gate: Gate, hidden: Hidden | None = None) -> About:
    """What the coach's words must keep to."""
    return About(gate.longest("coach"), tells=hidden.tells if hidden is not None else None)


async def rest(context: TurnContext, gate: Gate) -> str:
    """Passes on the coach's answer that has begun, to its end. Raises LlmError, Abandoned, BadReply."""
    speech, context.speech = context.speech, None
    if speech is not None:
        stream = GateStream(gate, "child", to_child(gate, context.hidden))
        await pass_on(speech, stream, context, heard=context.heard)
    return context.text()


async def pass_on(
    speech: Speech, stream: GateStream, context: TurnContext, level: str = "", *, heard: Sequence[str] = ()
) -> None:
    """A model's words as they pass the gate, after those that were `heard` already. Raises LlmError, Abandoned,
    BadReply."""
    try:
        for text in heard:
            _tell(stream.feed(text), context, level)
        while (piece := await speech.next()) is not None:
            _tell(stream.feed(piece.text), context, level)
        if speech.cancelled:
            raise Abandoned
        _tell(stream.close(), context, level)
        if not context.text(level).strip():
            raise BadReply("llm_rejected")
    except HeldBack as held_back:
        await context.reject(held_back.held)
        raise BadReply("tone") from held_back
    finally:
        speech.close()


def _tell(passed: Iterator[str], context: TurnContext, level: str) -> None:
    for text in passed:
        say(context, text, level)


def say(context: TurnContext, text: str, level: str = "") -> None:
    """A text of our own, word by word."""
    for word in _WORD.findall(text):
        token(context, word, level)


def new_paragraph(context: TurnContext, level: str = "") -> None:
    """After words that broke off."""
    if context.text(level):
        say(context, "\n\n", level)


def before(state: ChatState) -> list[Message]:
    """The conversation so far, as a model is given it."""
    return [{"role": said["role"], "content": said["text"]} for said in state.get("history", [])]


def before_as_text(state: ChatState) -> str:
    """The last question and answer, for what is asked apart from the conversation."""
    return history.lines(state.get("history", [])[-2:])


def told(state: ChatState) -> str:
    """What was answered in the conversation so far."""
    return "\n".join(said["text"] for said in state.get("history", []) if said["role"] == "assistant")


def heard_from_tools(call: Message, found: Sequence[Result]) -> list[dict[str, Any]]:
    """The results of the tools that a model called, as it is told them."""
    return [
        {"role": "tool", "tool_call_id": made["id"], "content": _told(result)}
        for made, result in zip(call["tool_calls"], found, strict=True)
    ]


def _told(result: Result) -> str:
    value = result["result"] if result["error"] is None else {"error": result["error"]}
    return json.dumps(value, ensure_ascii=False)[:_LONGEST_RESULT]


def _said(speech: Speech) -> dict[str, Any]:
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
        }
        for call in speech.calls
    ]
    return {"role": "assistant", "content": speech.text, "tool_calls": calls}


def _described(tool: ChatTool) -> dict[str, Any]:
    parameters = tool.arguments.model_json_schema()
    function = {"name": tool.name, "description": tool.description, "parameters": parameters}
    return {"type": "function", "function": function}


def token(context: TurnContext, text: str, level: str = "") -> None:
    """A piece of the answer."""
    if text:
        emit(context, {"type": "token", "token": text, **({"level": level} if level else {})})
