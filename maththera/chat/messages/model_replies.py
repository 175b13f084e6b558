"""A model's replies: one round of the coach with its tools, and its words passed on as they come.

Tools may answer with anything a child or a document wrote, so their results are data in the conversation, as the
prompts say; a model that calls a tool it was not offered is not asked again in that turn.
"""

import json
import re
from collections.abc import Callable, Iterator, Sequence
from typing import Final

from maththera.chat.config import ChatConfig
from maththera.chat.messages import conversation_history
from maththera.chat.messages.chat_tools import ChatTool
from maththera.chat.messages.turn_context import HiddenAnswers, TurnContext, UnusableReply, emit
from maththera.chat.messages.turn_run import NobodyListening
from maththera.chat.state import ChatState, ToolCall, ToolResult
from maththera.json_types import JsonObject, JsonSchema
from maththera.llm.model_client import Models
from maththera.llm.streaming import Message, StreamedReply, stream_reply
from maththera.words.output_gate.sentence_checks import TextHeldBack, TextRequirements
from maththera.words.output_gate.text_gate import Gate, GateStream

COACH_VARIABLES: Final = frozenset({"message", "summary"})
_WORD: Final = re.compile(r"\S+\s*|\s+")
_LONGEST_RESULT: Final = 6_000
"""Characters of a tool's result that a model is given."""


async def model_round(  # noqa: PLR0913 - who is asked what, under which rules, with which tools
    models: Models,
    config: ChatConfig,
    gate: Gate,
    state: ChatState,
    context: TurnContext,
    prompt: str,
    tools: Sequence[ChatTool],
) -> ChatState:
    """One reply: the tools that it calls, or none once it is known to be the answer, which then waits in the context.
    Raises LlmError, NobodyListening, UnusableReply."""
    speech = stream_reply(
        models,
        prompt,
        {"message": state["message"], "summary": state.get("summary", "")},
        context.budget or models.budget(),
        silence=config.seconds.silence,
        before=history_messages(state),
        after=state["exchange"],
        tools=[_function_schema(tool) for tool in tools],
        spawn=context.spawn,
    )
    try:
        answers = await _is_answer(speech, gate, context, config.held_characters)
    except BaseException:
        speech.close()
        raise
    if answers:
        context.speech = speech
        return {"calls": []}
    names = {tool.name for tool in tools}
    if any(call.name not in names for call in speech.calls):
        raise UnusableReply("unknown_tool")
    calls = [ToolCall(tool=call.name, arguments=call.arguments) for call in speech.calls]
    return {"calls": calls, "exchange": [*state["exchange"], _assistant_message(speech)]}


async def _is_answer(speech: StreamedReply, gate: Gate, context: TurnContext, held_characters: int) -> bool:
    """Whether the reply is an answer. Words beside a call of tools become a thought, where a child may read them."""
    heard: list[str] = []
    while (piece := await speech.next()) is not None:
        heard.append(piece.text)
        if piece.calling:
            thought = "".join(heard).strip()
            if thought and gate.check(thought, "child", TextRequirements(gate.longest("coach"), speech=None)) is None:
                emit(context, {"type": "thinking", "message": thought})
            heard = []
        elif sum(map(len, heard)) >= held_characters:
            break
    else:
        if speech.cancelled:
            raise NobodyListening
        if speech.calls:
            return False
        if not speech.text.strip():
            raise UnusableReply("llm_rejected")
    context.heard = heard
    return True


def rules_for_child(
    gate: Gate, hidden: HiddenAnswers | None = None, unfounded: Callable[[str], bool] | None = None
) -> TextRequirements:
    """The requirements on the coach's words. `unfounded`: whether a text has figures that no tool gave."""

    def tells(text: str) -> bool:
        return (hidden is not None and hidden.reveals_answer(text)) or (unfounded is not None and unfounded(text))

    return TextRequirements(gate.longest("coach"), tells=tells)


async def finish_answer(context: TurnContext, gate: Gate, unfounded: Callable[[str], bool]) -> str:
    """Pass on the rest of the coach's answer that has begun. Raises LlmError, NobodyListening, UnusableReply."""
    speech, context.speech = context.speech, None
    if speech is not None:
        stream = GateStream(gate, "child", rules_for_child(gate, context.hidden, unfounded))
        await stream_through_gate(speech, stream, context, heard=context.heard)
    return context.text()


async def stream_through_gate(
    speech: StreamedReply, stream: GateStream, context: TurnContext, level: str = "", *, heard: Sequence[str] = ()
) -> None:
    """A model's words as they pass the gate, after those that were `heard` already. Raises LlmError,
    NobodyListening, UnusableReply."""
    try:
        for text in heard:
            _emit_passed(stream.feed(text), context, level)
        while (piece := await speech.next()) is not None:
            _emit_passed(stream.feed(piece.text), context, level)
        if speech.cancelled:
            raise NobodyListening
        _emit_passed(stream.close(), context, level)
        if not context.text(level).strip():
            raise UnusableReply("llm_rejected")
    except TextHeldBack as held_back:
        await context.reject(held_back.held)
        raise UnusableReply("tone") from held_back
    finally:
        speech.close()


def _emit_passed(passed: Iterator[str], context: TurnContext, level: str) -> None:
    for text in passed:
        emit_words(context, text, level)


def emit_words(context: TurnContext, text: str, level: str = "") -> None:
    """Send a text of our own, word by word."""
    for word in _WORD.findall(text):
        emit_token(context, word, level)


def new_paragraph(context: TurnContext, level: str = "") -> None:
    """Begin a paragraph where words were sent already."""
    if context.text(level):
        emit_words(context, "\n\n", level)


def history_messages(state: ChatState) -> list[Message]:
    """The conversation so far, as a model is given it."""
    return [{"role": said["role"], "content": said["text"]} for said in state.get("history", [])]


def last_exchange_text(state: ChatState) -> str:
    """The last question and answer, for a prompt that is not part of the conversation."""
    return conversation_history.as_lines(state.get("history", [])[-2:])


def tool_messages(call: Message, found: Sequence[ToolResult]) -> list[JsonObject]:
    """The results of the tools that a model called, as messages for it."""
    return [
        {"role": "tool", "tool_call_id": made["id"], "content": _result_text(result)}
        for made, result in zip(call["tool_calls"], found, strict=True)
    ]


def _result_text(result: ToolResult) -> str:
    value = result["result"] if result["error"] is None else {"error": result["error"]}
    return json.dumps(value, ensure_ascii=False)[:_LONGEST_RESULT]


def _assistant_message(speech: StreamedReply) -> JsonObject:
    calls = [
        {
            "id": call.id,
            "type": "function",
            "function": {"name": call.name, "arguments": json.dumps(call.arguments, ensure_ascii=False)},
        }
        for call in speech.calls
    ]
    return {"role": "assistant", "content": speech.text, "tool_calls": calls}


def _function_schema(tool: ChatTool) -> JsonSchema:
    parameters = tool.arguments.model_json_schema()
    function = {"name": tool.name, "description": tool.description, "parameters": parameters}
    return {"type": "function", "function": function}


def emit_token(context: TurnContext, text: str, level: str = "") -> None:
    """Send a piece of the answer."""
    if text:
        emit(context, {"type": "token", "token": text, **({"level": level} if level else {})})
