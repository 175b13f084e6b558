"""The coach's nodes: thin. Each reads the state, calls a pure function or a tool, tells it, and returns its keys."""

import asyncio
import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal

from langgraph.runtime import Runtime
from pydantic import BaseModel, Field, ValidationError

from maththera.chat import talking
from maththera.chat.calls import Call, Result
from maththera.chat.charts import Charts
from maththera.chat.coach_answers import Answers
from maththera.chat.config import ChatConfig
from maththera.chat.intent import Intent, Intents, IntentType
from maththera.chat.open_tasks import Hidden, OpenTasks
from maththera.chat.planning import Planner
from maththera.chat.reading import Reader
from maththera.chat.screening import screen
from maththera.chat.state import ChatState, results
from maththera.chat.tools import ChatTool, ToolFailed
from maththera.chat.topics import Heard, Topic, questions
from maththera.chat.turn import FAILURES, Failure, TurnContext, emit, give_up, of
from maththera.llm.budget import Budget
from maththera.llm.models import Models
from maththera.words.front_door import FrontDoor
from maththera.words.gate import Gate, with_texts
from maththera.words.sentence_checks import About

Update = dict[str, Any]

_NAME: Final = re.compile(r"[A-Za-z0-9_+=×÷−:-]{0,80}|[0-9T:.+-]{1,40}Z?|/[A-Za-z0-9_./-]{1,200}")
"""A name, a time or a place of ours: no words."""
INTENT_PROMPT: Final = "intent"
_EXPLAINING: Final = frozenset({"E", "F"})
"""Intents whose own answers calculate; the numbers of the others count what was done."""
INTENT_VARIABLES: Final = frozenset({"message", "before"})


class IntentReply(BaseModel):
    """What a model answers."""

    intent_type: IntentType
    confidence: float = Field(ge=0, le=1)
    reasoning: str = Field(max_length=500)
    key_indicators: list[str] = Field(default=[], max_length=10)


@dataclass(frozen=True, slots=True)
class Coaching:
    """The rules and the tools of the coach. `intent_tools`: what an intent may call; `gate`: what a model may
    tell a child."""

    door: FrontDoor
    intents: Intents
    intent_tools: Mapping[IntentType, Sequence[str]]
    tools: Mapping[str, ChatTool]
    reader: Reader
    planner: Planner
    charts: Charts
    answers: Answers
    gate: Gate
    open_tasks: OpenTasks


class Coach:
    def __init__(self, config: ChatConfig, coaching: Coaching, models: Models | None) -> None:
        self._config, self._coaching, self._models = config, coaching, models

    # --- what it is about -----------------------------------------------------------------------------------------

    async def intent(self, state: ChatState, runtime: Runtime[TurnContext]) -> Update:
        """A to G: a model's word where there is one, the rules' otherwise."""
        context = of(runtime)
        context.hidden = await self._coaching.open_tasks.hidden(context.asker, state["message"])
        if context.hidden.wanted is not None:  # no model is asked: it might say yes to a guess
            intent = self._fixed("E", self._config.open_task, ()).payload()
            emit(context, {"type": "intent_detected", **intent})
            return {"intent": intent, "by_rules": True}
        found = self._guessed(state)
        failure: Failure | None = None
        if self._models is not None:
            try:
                found = await self._asked(self._models, state, context)
            except FAILURES as error:
                failure = error
        intent = found.payload()
        emit(context, {"type": "intent_detected", **intent})
        return {"intent": intent, **(give_up(context, state, self._config, failure) if failure else {})}

    def _guessed(self, state: ChatState) -> Intent:
        """By the rules; a message that goes on with a topic wants what fits to that."""
        message, topic, intents = state["message"], self._topic(state), self._coaching.intents
        found = intents.classify(message, topic.question or None)
        if topic.kind is None:
            return found
        if not topic.question:  # there is nothing to go on with: what is it about?
            return intents.carried("F", found.key_indicators) if found.intent_type == "C" else found
        wanted = Heard(self._coaching.reader, message, topic).intent(intents.classify(topic.question).intent_type)
        return intents.carried(wanted, found.key_indicators)

    def _topic(self, state: ChatState) -> Topic:
        """What the message goes on with: the last question that said something, if it was not out of scope; where there
        was none, the last problem that was asked for."""
        follow_ups, intents = self._config.follow_ups, self._coaching.intents
        kind = follow_ups.kind(state["message"])
        before = [*questions(state["history"])]
        shown = Topic(kind)
        for question, answer in before:
            earlier = follow_ups.kind(question)
            if earlier == "problem" and not shown.question:
                shown = Topic(kind, question, answer, told=before[0][1])
            if earlier or self._coaching.door.courtesies.kind(question):
                continue
            if intents.classify(question).intent_type != "D":
                return Topic(kind, question, answer, told=before[0][1])
        return shown

    async def _asked(self, models: Models, state: ChatState, context: TurnContext) -> Intent:
        budget = Budget(self._config.seconds.intent)
        variables = {"message": state["message"], "before": talking.before_as_text(state)}
        reply = await context.asked(models.ask(INTENT_PROMPT, variables, IntentReply, budget))
        value = reply.value
        name, gate = self._coaching.intents.names()[value.intent_type], self._coaching.gate
        told = [value.reasoning, *value.key_indicators]
        reasoning, *indicators = (
            each if gate.check(each, "adult", About(gate.longest("reasoning"))) is None else "" for each in told
        )
        return Intent(value.intent_type, name, value.confidence, reasoning, tuple(filter(None, indicators)))

    async def after_intent(self, state: ChatState) -> Literal["decline", "act"]:
        return "decline" if state["intent"] and state["intent"]["intent_type"] == "D" else "act"

    async def decline(self, state: ChatState, runtime: Runtime[TurnContext]) -> Update:
        """What the guard has an answer to is answered: danger, a courtesy; what is out of scope is told what can be
        asked instead."""
        context = of(runtime)
        update: Update = {}
        if state["profile"] == "coach" and state["intent"] is None:
            update["intent"] = self._not_learning(state)
            emit(context, {"type": "intent_detected", **update["intent"]})
        if state["safety"]:
            emit(context, {"type": "safety", **state["safety"]["shown"]})
        declined = self._coaching.door.guard.message if state["profile"] == "coach" else self._config.declined
        answer = state["answer"] or declined
        talking.say(context, answer)
        return {**update, "answer": answer}

    def _not_learning(self, state: ChatState) -> dict[str, Any]:
        """What the guard has found, as an intent."""
        found, config = (state["verdict"] or {}).get("found"), self._config
        if state["safety"]:
            return self._fixed("C", config.danger, ()).payload()
        why = config.courtesy if state["answer"] else config.out_of_scope
        if state["private"]:
            why = config.private.because
        return self._fixed("D", why, (found,) if found else ()).payload()

    def _fixed(self, intent_type: IntentType, reasoning: str, found: tuple[str, ...]) -> Intent:
        return Intent(intent_type, self._coaching.intents.names()[intent_type], 1.0, reasoning, found)

    # --- act and tools --------------------------------------------------------------------------------------------

    async def act(self, state: ChatState, runtime: Runtime[TurnContext]) -> Update:
        """What to call next; nothing when it is time to answer."""
        context = of(runtime)
        number = len(state["rounds"]) + 1
        if number > self._config.most_rounds:
            return {"calls": [], "answer": self._config.too_many_rounds}
        if self._models is None or state["by_rules"]:
            return self._planned(state, context)
        thinking = self._config.thinking
        self._think(context, [thinking.first, thinking.more, thinking.last][min(number, 3) - 1])
        try:
            heard = await talking.round_(
                self._models, self._config, self._coaching.gate, state, context, self._offered(state)
            )
        except FAILURES as failure:
            given_up = give_up(context, state, self._config, failure)
            return {**given_up, **self._planned(state, context, thought=number == 1)}
        if not heard["calls"] and 1 < number < 3:
            self._think(context, thinking.last)
        return {**heard}

    async def after_act(self, state: ChatState) -> Literal["tools", "chart"]:
        return "tools" if state["calls"] else "chart"

    def _planned(self, state: ChatState, context: TurnContext, *, thought: bool = False) -> Update:
        wanted = context.hidden.wanted if context.hidden else None
        if wanted is not None:
            calls = [] if state["rounds"] else self._coaching.planner.of_open_task(wanted.problem_id)
        else:
            calls = self._coaching.planner.next_round(
                _type(state), state["message"], state["rounds"], self._topic(state)
            )
        thinking = self._config.thinking
        if not thought:
            first = not state["rounds"]
            self._think(context, thinking.first if first else thinking.more if calls else thinking.last)
        return {"calls": calls, "exchange": []}

    async def tools(self, state: ChatState, runtime: Runtime[TurnContext]) -> Update:
        """One round: what does not depend on each other runs at once."""
        context = of(runtime)
        for call in state["calls"]:
            arguments = self._shown(self._used(call), context.hidden)
            emit(context, {"type": "step_start", "tool": call["tool"], "arguments": arguments})
        known = results(state)
        working = [asyncio.create_task(self._result(call, known, context)) for call in state["calls"]]
        found: list[Result] = []
        try:
            for task in working:
                found.append(await task)
                emit(context, self._shown(_step_result(found[-1])))
        finally:
            for task in working:
                task.cancel()
        exchange = state["exchange"] and [*state["exchange"], *talking.heard_from_tools(state["exchange"][-1], found)]
        return {"rounds": [*state["rounds"], found], "calls": [], "exchange": exchange}

    def _used(self, call: Call) -> dict[str, Any]:
        """The arguments as the tool takes them; none where it refuses them."""
        try:
            taken = self._coaching.tools[call["tool"]].arguments.model_validate(call["arguments"])
        except ValidationError:
            return {}
        return taken.model_dump(mode="json", exclude_unset=True)

    async def _result(self, call: Call, known: Sequence[Result], context: TurnContext) -> Result:
        """What a call gives. It never raises: why there is no result is told as one."""
        key = _key(call)
        for result in known:
            if _key(Call(tool=result["tool"], arguments=result["arguments"])) == key and result["error"] is None:
                return {**result, "cached": True}
        tool = self._coaching.tools[call["tool"]]
        value: dict[str, Any] = {}
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
            error = "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in invalid.errors())
        cached = bool(value.pop("cached", False))
        screened = screen(value, self._coaching.door.guard, self._config.left_out)
        result = Result(
            tool=call["tool"], arguments=call["arguments"], result=screened.value, error=error, cached=cached
        )
        return {**result, "left_out": screened.left_out} if screened.left_out else result

    def _offered(self, state: ChatState) -> list[ChatTool]:
        return [self._coaching.tools[name] for name in self._coaching.intent_tools[_type(state)]]

    # --- chart and answer -----------------------------------------------------------------------------------------

    async def chart(self, state: ChatState, runtime: Runtime[TurnContext]) -> Update:
        """Before the first word of the answer."""
        context = of(runtime)
        chart = self._coaching.charts.chart(_type(state), state["message"], results(state))
        if chart is not None:
            emit(context, {"type": "chart_data", "chart": chart})
        return {"chart": chart}

    async def answer(self, state: ChatState, runtime: Runtime[TurnContext]) -> Update:
        """A model's words as they come, or the templates'."""
        context = of(runtime)
        if state["answer"]:
            talking.say(context, state["answer"])
            return {}
        update: Update = {}
        hidden = context.hidden
        if hidden is not None and hidden.wanted is not None:
            talking.say(context, self._coaching.answers.hint(state["message"], results(state), talking.told(state)))
            return {"answer": context.text()}
        if context.speech is not None:
            try:
                return {"answer": await talking.rest(context, self._coaching.gate)}
            except FAILURES as failure:
                update = give_up(context, state, self._config, failure)
                talking.new_paragraph(context)
        told = self._coaching.answers.answer(_type(state), state["message"], results(state), self._topic(state))
        if hidden is not None and _type(state) in _EXPLAINING and hidden.tells(told):
            told = self._coaching.answers.left_to_find(state["message"])
        talking.say(context, told)
        return {**update, "answer": context.text()}

    def _shown(self, value: Any, hidden: Hidden | None = None) -> Any:
        """A step as the child may watch it: a model chose its arguments, and other people's words may be in a result.
        `hidden`: what must not be told."""
        gate = self._coaching.gate
        about = replace(talking.to_child(gate, hidden), longest=gate.longest("assistant"), speech=None)

        def shown(text: str) -> str:
            fit = _NAME.fullmatch(text) or gate.check(text, "child", about) is None
            return text if fit else gate.words.unshown

        return with_texts(value, shown)

    def _think(self, context: TurnContext, message: str) -> None:
        emit(context, {"type": "thinking", "message": message})


def _type(state: ChatState) -> IntentType:
    found: IntentType = (state["intent"] or {})["intent_type"]
    return found


def _key(call: Call) -> tuple[str, str]:
    return call["tool"], json.dumps(call["arguments"], sort_keys=True)


def _step_result(result: Result) -> dict[str, Any]:
    shown = result["result"] if result["error"] is None else {"error": result["error"]}
    event = {"type": "step_result", "tool": result["tool"], "result": shown, "cached": result["cached"]}
    return {**event, "left_out": result["left_out"]} if "left_out" in result else event
