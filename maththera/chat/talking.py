"""Talking with a model: one round of the coach with its tools, and its words passed on as they come.

Tools may answer with anything a child or a document wrote, so their results are data in the conversation, as the
prompts say; a model that calls a tool it was not offered is not asked again in that turn.
"""

import json
import re
from collections.abc import Callable, Sequence
from typing import Any, Final, TypeAlias

from maththera.chat import history
from maththera.chat.calls import Result
from maththera.chat.config import ChatConfig
from maththera.chat.run import Abandoned
from maththera.chat.state import ChatState
from maththera.chat.tools import ChatTool
from maththera.chat.turn import BadReply, TurnContext, emit
from maththera.llm.models import Models
from maththera.llm.streaming import Message, Speech, speak

Banned: TypeAlias = Callable[[str], bool]
"""Whether a sentence has words that a child must not be told."""

COACH_VARIABLES: Final = frozenset({"message", "summary"})
_WORD: Final = re.compile(r"\S+\s*|\s+")
_SENTENCE_END: Final = re.compile(r"[.!?…\n]\s*$")
_LONGEST_RESULT: Final = 6_000
"""Characters of a tool's result that a model is given."""


def coach_prompt(intent_type: str) -> str:
    """The prompt file of an intent."""
    return f"coach_{intent_type.lower()}"


async def round_(
    models: Models, config: ChatConfig, state: ChatState, context: TurnContext, tools: Sequence[ChatTool]
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
        answers = await _listen(speech, context, config.held_characters)
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


async def _listen(speech: Speech, context: TurnContext, held_characters: int) -> bool:
    """Whether it is an answer. Words beside a call of tools are told as a thought."""
    heard: list[str] = []
    while (piece := await speech.next()) is not None:
        heard.append(piece.text)
        if piece.calling:
            if thought := "".join(heard).strip():
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


async def rest(context: TurnContext, banned: Banned) -> str:
    """Passes on the coach's answer that has begun, to its end. Raises LlmError, Abandoned, BadReply."""
    speech, context.speech = context.speech, None
    if speech is not None:
        await pass_on(speech, context, heard=context.heard, banned=banned)
    return context.text()


async def pass_on(
    speech: Speech, context: TurnContext, level: str = "", *, heard: Sequence[str] = (), banned: Banned | None = None
) -> None:
    """A model's words as they come, after those that were `heard` already. With `banned`, a sentence is only told when
    it is whole and has nothing in it that a child must not be told. Raises LlmError, Abandoned, BadReply."""
    sentence: list[str] = []

    def tell(text: str, *, last: bool = False) -> None:
        sentence.append(text)
        if banned is not None:
            if not last and not _SENTENCE_END.search(text):
                return
            if banned("".join(sentence)):
                sentence.clear()
                raise BadReply("tone")
        for each in sentence:
            token(context, each, level)
        sentence.clear()

    try:
        for text in heard:
            tell(text)
        while (piece := await speech.next()) is not None:
            tell(piece.text)
        if speech.cancelled:
            raise Abandoned
        if not speech.text.strip():
            raise BadReply("llm_rejected")
    finally:
        speech.close()
        tell("", last=True)


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
