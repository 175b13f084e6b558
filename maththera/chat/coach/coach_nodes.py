"""The nodes of the coach. Each reads the state, calls a function or a tool, sends events, and returns an update."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, cast

from langgraph.runtime import Runtime
from pydantic import BaseModel, Field, ValidationError, ValidationInfo, field_validator

from maththera.chat.coach.charts import Charts
from maththera.chat.coach.hidden_answers import OpenTasks
from maththera.chat.coach.intent_classification import Intent, IntentClassifier
from maththera.chat.coach.intent_registry import DECLINED, Handling, IntentEntry, IntentType
from maththera.chat.coach.message_entities import EntityReader
from maththera.chat.coach.message_topics import ResolvedMessage, Topic
from maththera.chat.coach.rule_based_answers import RuleBasedAnswers
from maththera.chat.coach.tool_planner import ToolPlanner
from maththera.chat.config import ChatConfig
from maththera.chat.messages import model_replies
from maththera.chat.messages.chat_tools import ChatTool, ToolFailed
from maththera.chat.messages.conversation_history import question_answer_pairs
from maththera.chat.messages.injection_filter import screen
from maththera.chat.messages.turn_context import (
    MODEL_FAILURES,
    Failure,
    HiddenAnswers,
    TurnContext,
    context_of,
    continue_by_rules,
    emit,
)
from maththera.chat.state import ChatState, IntentReport, ToolCall, ToolResult, tool_results
from maththera.config_files import fault_reason
from maththera.json_types import JsonObject
from maththera.llm.model_client import Models
from maththera.llm.time_budget import Budget
from maththera.words.danger.message_analysis import MessageAnalyser
from maththera.words.output_gate.sentence_checks import TextRequirements
from maththera.words.output_gate.text_gate import Gate, map_texts

_NAME: Final = re.compile(r"[A-Za-z0-9_+=×÷−:-]{0,80}|[0-9T:.+-]{1,40}Z?|/[A-Za-z0-9_./-]{1,200}")
"""A name, a time or a place of ours: no words."""
INTENT_PROMPT: Final = "intent"
_CALCULATING: Final[frozenset[Handling]] = frozenset({"worked_solution", "explanation"})
"""Answers without a model that calculate; the numbers of the others count what was done."""
INTENT_VARIABLES: Final = frozenset({"message", "before", "intents", "borderlines"})


class IntentReply(BaseModel):
    """What a model answers. The context of its validation has the `letters` that there are."""

    intent_type: IntentType
    confidence: float = Field(ge=0, le=1)
    reasoning: str = Field(max_length=500)
    key_indicators: list[str] = Field(default=[], max_length=10)

    @field_validator("intent_type")
    @classmethod
    def _known(cls, letter: str, info: ValidationInfo) -> str:
        if letter not in (info.context or {})["letters"]:
            raise ValueError("no such intent")
        return letter


@dataclass(frozen=True, slots=True)
class CoachParts:
    """The rules and the tools of the coach. `gate` checks a model's words for a child."""

    door: MessageAnalyser
    intents: IntentClassifier
    tools: Mapping[str, ChatTool]
    reader: EntityReader
    planner: ToolPlanner
    charts: Charts
    answers: RuleBasedAnswers
    gate: Gate
    open_tasks: OpenTasks


class CoachNodes:
    def __init__(self, config: ChatConfig, coaching: CoachParts, models: Models | None) -> None:
        self._config, self._coaching, self._models = config, coaching, models

    # --- what it is about -----------------------------------------------------------------------------------------

    async def intent(self, state: ChatState, runtime: Runtime[TurnContext]) -> ChatState:
        """What the learner wants: as a model says where there is one, by the rules otherwise."""
        context = context_of(runtime)
        context.hidden = await self._coaching.open_tasks.hidden_answers(context.asker, state["message"])
        if context.hidden.requested_answer is not None:  # no model is asked: it might say yes to a guess
            intent = self._fixed_intent("worked_solution", self._config.open_task, ()).payload()
            emit(context, {"type": "intent_detected", **intent})
            return {"intent": intent, "by_rules": True}
        found = self._intent_by_rules(state)
        failure: Failure | None = None
        if self._models is not None:
            try:
                found = await self._intent_by_model(self._models, state, context)
            except MODEL_FAILURES as error:
                failure = error
        intent = found.payload()
        emit(context, {"type": "intent_detected", **intent})
        return {"intent": intent, **(continue_by_rules(context, state, self._config, failure) if failure else {})}

    def _intent_by_rules(self, state: ChatState) -> Intent:
        """The intent by the rules, for a follow-up by its topic too."""
        message, topic, intents = state["message"], self._topic(state), self._coaching.intents
        found = intents.classify(message, topic.question or None)
        if topic.kind is None:
            return found
        if not topic.question:  # there is nothing to go on with: what is it about?
            unclear = found.entry.handling == "encouragement"
            explained = intents.registry.handled_as("explanation")
            return intents.carried_intent(explained, found.key_indicators) if unclear else found
        before = intents.classify(topic.question).entry
        handling = ResolvedMessage(self._coaching.reader, message, topic).handling(before.handling)
        wanted = before if handling == before.handling else intents.registry.handled_as(handling)
        return intents.carried_intent(wanted, found.key_indicators)

    def _topic(self, state: ChatState) -> Topic:
        """What the message refers to: the last question that is clear by itself and in scope; without one, the last
        request for a problem."""
        follow_ups, intents = self._config.follow_ups, self._coaching.intents
        kind = follow_ups.kind(state["message"])
        before = [*question_answer_pairs(state["history"])]
        shown = Topic(kind)
        for question, answer in before:
            earlier = follow_ups.kind(question)
            if earlier == "problem" and not shown.question:
                shown = Topic(kind, question, answer, told=before[0][1])
            if earlier or self._coaching.door.courtesies.kind(question):
                continue
            if intents.classify(question).entry.handling != DECLINED:
                return Topic(kind, question, answer, told=before[0][1])
        return shown

    async def _intent_by_model(self, models: Models, state: ChatState, context: TurnContext) -> Intent:
        budget = Budget(self._config.seconds.intent)
        registry, gate = self._coaching.intents.registry, self._coaching.gate
        variables = {
            "message": state["message"],
            "before": model_replies.last_exchange_text(state),
            "intents": [entry.line for entry in registry.intents.values()],
            "borderlines": registry.borderlines,
        }
        asking = models.ask(INTENT_PROMPT, variables, IntentReply, budget, {"letters": registry.letters})
        value = (await context.await_model(asking)).value
        told = [value.reasoning, *value.key_indicators]
        reasoning, *indicators = (
            each if gate.check(each, "adult", TextRequirements(gate.longest("reasoning"))) is None else ""
            for each in told
        )
        entry = registry.by_letter(value.intent_type)
        return Intent(entry, value.confidence, reasoning, tuple(filter(None, indicators)))

    async def after_intent(self, state: ChatState) -> Literal["decline", "act"]:
        return "decline" if self._entry(state).handling == DECLINED else "act"

    async def decline(self, state: ChatState, runtime: Runtime[TurnContext]) -> ChatState:
        """Give the guard's answer to danger or a courtesy; for anything out of scope, say what can be asked instead."""
        context = context_of(runtime)
        update: ChatState = {}
        if state["profile"] == "coach" and state["intent"] is None:
            update["intent"] = intent = self._declined_intent(state)
            emit(context, {"type": "intent_detected", **intent})
        if state["safety"]:
            emit(context, {"type": "safety", **state["safety"]["shown"]})
        declined = self._coaching.door.guard.message if state["profile"] == "coach" else self._config.declined
        answer = state["answer"] or declined
        model_replies.emit_words(context, answer)
        return {**update, "answer": answer}

    def _declined_intent(self, state: ChatState) -> IntentReport:
        """The finding of the guard, as an intent."""
        found, config = state["verdict"]["found"] if state["verdict"] else None, self._config
        if state["safety"]:
            return self._fixed_intent("encouragement", config.danger, ()).payload()
        why = config.courtesy if state["answer"] else config.out_of_scope
        if state["private"]:
            why = config.private.because
        return self._fixed_intent(DECLINED, why, (found,) if found else ()).payload()

    def _fixed_intent(self, handling: Handling, reasoning: str, found: tuple[str, ...]) -> Intent:
        return Intent(self._coaching.intents.registry.handled_as(handling), 1.0, reasoning, found)

    def _entry(self, state: ChatState) -> IntentEntry:
        """The intent of the turn."""
        return self._coaching.intents.registry.by_letter(cast("IntentReport", state["intent"])["intent_type"])

    # --- act and tools --------------------------------------------------------------------------------------------

    async def act(self, state: ChatState, runtime: Runtime[TurnContext]) -> ChatState:
        """Choose the tools to call next; none when it is time to answer."""
        context = context_of(runtime)
        number = len(state["rounds"]) + 1
        if number > self._config.most_rounds:
            return {"calls": [], "answer": self._config.too_many_rounds}
        if self._models is None or state["by_rules"]:
            return self._planned_calls(state, context)
        thinking = self._config.thinking
        self._emit_thinking(context, [thinking.first, thinking.more, thinking.last][min(number, 3) - 1])
        try:
            heard = await model_replies.model_round(
                self._models,
                self._config,
                self._coaching.gate,
                state,
                context,
                self._entry(state).prompt or "",
                self._offered_tools(state),
            )
        except MODEL_FAILURES as failure:
            given_up = continue_by_rules(context, state, self._config, failure)
            return {**given_up, **self._planned_calls(state, context, thought=number == 1)}
        if not heard["calls"] and 1 < number < 3:
            self._emit_thinking(context, thinking.last)
        return {**heard}

    async def after_act(self, state: ChatState) -> Literal["tools", "chart"]:
        return "tools" if state["calls"] else "chart"

    def _planned_calls(self, state: ChatState, context: TurnContext, *, thought: bool = False) -> ChatState:
        wanted = context.hidden.requested_answer if context.hidden else None
        if wanted is not None:
            calls = [] if state["rounds"] else self._coaching.planner.open_task_calls(wanted.problem_id)
        else:
            calls = self._coaching.planner.next_round(
                self._entry(state).handling, state["message"], state["rounds"], self._topic(state)
            )
        thinking = self._config.thinking
        if not thought:
            first = not state["rounds"]
            self._emit_thinking(context, thinking.first if first else thinking.more if calls else thinking.last)
        return {"calls": calls, "exchange": []}

    async def tools(self, state: ChatState, runtime: Runtime[TurnContext]) -> ChatState:
        """Run one round of calls, all at the same time."""
        context = context_of(runtime)
        for call in state["calls"]:
            arguments = self._shown(self._validated_arguments(call), context.hidden)
            emit(context, {"type": "step_start", "tool": call["tool"], "arguments": arguments})
        known = tool_results(state)
        working = [asyncio.create_task(self._call_tool(call, known, context)) for call in state["calls"]]
        found: list[ToolResult] = []
        try:
            for task in working:
                found.append(await task)
                emit(context, self._shown(_step_result(found[-1])))
        finally:
            for task in working:
                task.cancel()
        exchange = state["exchange"] and [
            *state["exchange"],
            *model_replies.tool_messages(state["exchange"][-1], found),
        ]
        return {"rounds": [*state["rounds"], found], "calls": [], "exchange": exchange}

    def _validated_arguments(self, call: ToolCall) -> JsonObject:
        """The arguments as the tool reads them; none where it refuses them."""
        try:
            taken = self._coaching.tools[call["tool"]].arguments.model_validate(call["arguments"])
        except ValidationError:
            return {}
        return taken.model_dump(mode="json", exclude_unset=True)

    async def _call_tool(self, call: ToolCall, known: Sequence[ToolResult], context: TurnContext) -> ToolResult:
        """The result of a call. It never raises: an error is a result with `error`."""
        key = _call_key(call)
        for result in known:
            if (
                _call_key(ToolCall(tool=result["tool"], arguments=result["arguments"])) == key
                and result["error"] is None
            ):
                return {**result, "cached": True}
        tool = self._coaching.tools[call["tool"]]
        value: JsonObject = {}
        error: str | None = None
        try:
            arguments = tool.arguments.model_validate(call["arguments"])
            async with asyncio.timeout(self._config.seconds.tool):
                value = dict(await tool.call(context.asker, arguments))
        except ToolFailed as failed:
            error = str(failed)
        except TimeoutError:
            error = f"{tool.name} took longer than {self._config.seconds.tool:g} s"
        except ValidationError as invalid:
            error = "; ".join(f"{'.'.join(map(str, one['loc']))}: {fault_reason(one)}" for one in invalid.errors())
        cached = bool(value.pop("cached", False))
        screened = screen(value, self._coaching.door.guard, self._config.left_out)
        result = ToolResult(
            tool=call["tool"], arguments=call["arguments"], result=screened.value, error=error, cached=cached
        )
        return {**result, "left_out": screened.left_out} if screened.left_out else result

    def _offered_tools(self, state: ChatState) -> list[ChatTool]:
        return [self._coaching.tools[name] for name in self._entry(state).tools]

    # --- chart and answer -----------------------------------------------------------------------------------------

    async def chart(self, state: ChatState, runtime: Runtime[TurnContext]) -> ChatState:
        """Draw the chart, if any, before the first word of the answer."""
        context = context_of(runtime)
        chart = self._coaching.charts.chart(state["message"], tool_results(state), usual=self._entry(state).chart)
        if chart is not None:
            emit(context, {"type": "chart_data", "chart": chart})
        return {"chart": chart}

    async def answer(self, state: ChatState, runtime: Runtime[TurnContext]) -> ChatState:
        """Write the answer: by a model, word by word, or from the templates."""
        context = context_of(runtime)
        if state["answer"]:
            model_replies.emit_words(context, state["answer"])
            return {}
        update: ChatState = {}
        hidden = context.hidden
        if hidden is not None and hidden.requested_answer is not None:
            model_replies.emit_words(
                context,
                self._coaching.answers.hint(
                    state["message"], tool_results(state), model_replies.earlier_answers(state)
                ),
            )
            return {"answer": context.text()}
        if context.speech is not None:
            try:
                return {"answer": await model_replies.finish_answer(context, self._coaching.gate)}
            except MODEL_FAILURES as failure:
                update = continue_by_rules(context, state, self._config, failure)
                model_replies.new_paragraph(context)
        handling = self._entry(state).handling
        told = self._coaching.answers.answer(handling, state["message"], tool_results(state), self._topic(state))
        if hidden is not None and handling in _CALCULATING and hidden.reveals_answer(told):
            told = self._coaching.answers.hidden_answer_line(state["message"])
        model_replies.emit_words(context, told)
        return {**update, "answer": context.text()}

    def _shown(self, value: Any, hidden: HiddenAnswers | None = None) -> Any:
        """A step as the child may watch it: a model chose its arguments, and other people's words may be in a result.
        `hidden`: answers that it must not contain."""
        gate = self._coaching.gate
        about = replace(model_replies.rules_for_child(gate, hidden), longest=gate.longest("assistant"), speech=None)

        def shown(text: str) -> str:
            fit = _NAME.fullmatch(text) or gate.check(text, "child", about) is None
            return text if fit else gate.words.unshown

        return map_texts(value, shown)

    def _emit_thinking(self, context: TurnContext, message: str) -> None:
        emit(context, {"type": "thinking", "message": message})


def _call_key(call: ToolCall) -> tuple[str, str]:
    return call["tool"], json.dumps(call["arguments"], sort_keys=True)


def _step_result(result: ToolResult) -> JsonObject:
    shown = result["result"] if result["error"] is None else {"error": result["error"]}
    event = {"type": "step_result", "tool": result["tool"], "result": shown, "cached": result["cached"]}
    return {**event, "left_out": result["left_out"]} if "left_out" in result else event
