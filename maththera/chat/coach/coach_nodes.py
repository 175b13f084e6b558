"""The nodes of the coach. Each reads the state, calls a function or a tool, sends events, and returns an update."""

import asyncio
import json
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Final, Literal, cast

from langgraph.runtime import Runtime
from pydantic import ValidationError

from maththera.arithmetic.problem import Problem
from maththera.chat.adults.adult_board import board_json, older, read_board
from maththera.chat.adults.adult_request import SpokenOf
from maththera.chat.adults.adult_requests import AdultRequests
from maththera.chat.coach.adult_questions import AdultQuestions
from maththera.chat.coach.charts import CHART, Charts
from maththera.chat.coach.childrens_spelling import as_usually_spelt
from maththera.chat.coach.drafts import Board, CoachTurn
from maththera.chat.coach.hidden_answers import OpenTasks
from maththera.chat.coach.intent_registry import (
    DECLINED,
    OUT_OF_SCOPE,
    Handling,
    Intent,
    IntentEntry,
    IntentRegistry,
    IntentReply,
)
from maththera.chat.coach.learner_facts import kinds_in
from maththera.chat.coach.replies import FEELINGS, Replies
from maththera.chat.coach.set_phrases import asks_answer, written_answer
from maththera.chat.coach.tool_planner import ToolPlanner
from maththera.chat.coach.turn_reading import TurnReader, TurnReading
from maththera.chat.config import ChatConfig
from maththera.chat.messages import model_replies
from maththera.chat.messages.chat_tools import ChatTool, ToolFailed
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
from maththera.chat.messages.unfounded_figures import has_unknown_figure, known_figures
from maththera.chat.state import ChatState, IntentReport, ToolCall, ToolResult, tool_results
from maththera.config_files import fault_reason
from maththera.json_types import JsonObject
from maththera.llm.model_client import Models
from maththera.llm.time_budget import Budget
from maththera.store.database import StoreUnavailable
from maththera.words.danger.message_analysis import MessageAnalyser
from maththera.words.output_gate.sentence_checks import TextRequirements
from maththera.words.output_gate.text_gate import Gate, map_texts

_NAME: Final = re.compile(r"[A-Za-z0-9_+=×÷−:-]{0,80}|[0-9T:.+-]{1,40}Z?|/[A-Za-z0-9_./-]{1,200}")
"""A name, a time or a place of ours: no words."""
INTENT_PROMPT: Final = "intent"
DRAWN: Final = frozenset({"weak", "strong", "how_am_i", "change", "count", "days", "compare_ops"})
"""Asks whose answer has a chart, where the message does not say otherwise."""
_NOT_UNASKED: Final = frozenset({"weak"})
"""Of these, asks of a child that is shown no chart unless it asks for one."""
_ABOUT_RECORDS: Final[frozenset[Handling]] = frozenset({"records", "encouragement"})
"""Intents whose answers count what the child did."""
_WITH_LEARNERS: Final = frozenset({"admin", "teacher", "guardian"})
"""Roles of adults who have learners; in Studio, where an author asks, there may be no records at all."""
_BY_RULES: Final = frozenset({"open_help", "open_guess", "step", "so_far", "explain"})
_SURENESS: Final = 0.9
_SHORT_NAME: Final = 10
_SHORT_KIND: Final = 14
_OF_ANYBODY: Final = frozenset({"count", "days", "day_summary", "weak", "strong", "change", "speed", "slowest"})
"""Asks that "민수는?" asks again of another pupil."""
_AS_ADVICE: Final = {"fingers": "fingers", "fingers_more": "fingers"}
"""Asks that the coach answers as advice does, of which more is asked."""
_UNREAD: Final = frozenset({"which", "unclear", "telling", "off_topic", "feeling"})
_ALL_WRONG: Final = re.compile(r"(?:다|전부|모두|항상|맨날|늘)\s*틀(?:린|려|리|렸)")
_KIND_ALONE: Final = re.compile(r"(?:건|거|것|쪽|문제|셈)?[은는이도]?(?:요|어때요?)?\W*$")
INTENT_VARIABLES: Final = frozenset({"message", "before", "intents", "borderlines"})


@dataclass(frozen=True, slots=True)
class CoachParts:
    """The rules and the tools of the coach. `gate` checks a model's words for a child."""

    door: MessageAnalyser
    intents: IntentRegistry
    turns: TurnReader
    tools: Mapping[str, ChatTool]
    planner: ToolPlanner
    charts: Charts
    replies: Replies
    gate: Gate
    open_tasks: OpenTasks
    adults: AdultQuestions
    requests: AdultRequests


class CoachNodes:
    def __init__(self, config: ChatConfig, coaching: CoachParts, models: Models | None) -> None:
        self._config, self._coaching, self._models = config, coaching, models

    # --- what it is about -----------------------------------------------------------------------------------------

    async def intent(self, state: ChatState, runtime: Runtime[TurnContext]) -> ChatState:
        """What is asked, by the reader; and the intent, as a model says where there is one."""
        context, parts = context_of(runtime), self._coaching
        context.hidden = await parts.open_tasks.hidden_answers(context.asker, state["message"])
        wanted = context.hidden.requested_answer
        if not state["board"] and state["history"]:
            state = cast("ChatState", {**state, "board": parts.turns.recalled(state["history"])})
        reading = await self._read(state, context)
        if context.asker.principal.role in _WITH_LEARNERS and is_of_kinds(state["message"], reading.ask):
            reading = TurnReading("compare_ops")
        update: ChatState = {
            "board": state["board"],
            "ask": reading.ask,
            "names": [*reading.names],
            "also": reading.also,
        }
        if made := state["board"].get("made"):
            update["board"] = {**state["board"], "made": board_json(older(read_board(made)))}
        if (told := await self._of_adult(state, reading, context)) is not None:
            update |= told
            reading = TurnReading("how_am_i" if told["board"].get("records") else "home_help")
        name = parts.turns.intent(reading.ask, cast("Board", state["board"]), parts.intents.intents)
        found = Intent(parts.intents[name], _SURENESS, parts.intents[name].reasoning, ())
        failure: Failure | None = None
        if wanted is not None or reading.ask in _BY_RULES:  # no model is asked: it might say yes to a guess
            found = self._fixed_intent("worked_solution", self._config.open_task, ())
            update["by_rules"] = True
        elif self._models is not None and name != OUT_OF_SCOPE and "answer" not in update:
            try:
                found = await self._intent_by_model(self._models, state, context)
            except MODEL_FAILURES as error:
                failure = error
        intent = found.payload()
        emit(context, {"type": "intent_detected", **intent})
        update["intent"] = intent
        return {**update, **(continue_by_rules(context, state, self._config, failure) if failure else {})}

    async def _read(self, state: ChatState, context: TurnContext) -> TurnReading:
        """What the message asks. A teacher who names another of its pupils asks about that one."""
        parts, message, wanted = (
            self._coaching,
            state["message"],
            None if context.hidden is None else context.hidden.requested_answer,
        )
        if wanted is not None and wanted.problem_id is None:
            return TurnReading("open_help")
        pupils = await parts.open_tasks.names(context.asker)
        reading = parts.turns.read(
            message, cast("Board", state["board"]), self._opened(context), wants_open=wanted is not None,
            own=pupils.spoken, learning=self._is_about_learning(message),
            adult=context.asker.principal.role != "student",
        )  # fmt: skip
        if state["verdict"] and state["verdict"]["kind"] == "meaningless" and reading.ask in ("telling", "off_topic"):
            return TurnReading("unclear")
        named = [each for each in pupils.mentioned(message) if each != context.asker.student_id]
        if named:
            context.asker = replace(context.asker, student_id=named[0])
            if len(message) < _SHORT_NAME:  # 도윤이는요?
                before = cast("Board", state["board"]).get("ask", "")
                return TurnReading(before if before in _OF_ANYBODY else "how_am_i")
        return reading

    async def _of_adult(self, state: ChatState, reading: TurnReading, context: TurnContext) -> ChatState | None:
        """The update for what an adult asks of several learners or of teaching; None where the coach answers it."""
        if context.asker.principal.role not in _WITH_LEARNERS:
            return None
        board, message = state["board"], state["message"]
        if reading.ask == "record_claim" or (
            reading.ask == "others" and reading.names and context.asker.principal.role == "guardian"
        ):
            return None
        try:
            of_task = reading.ask != "tells_answers" and (asks_answer(message) or written_answer(message) is not None)
            of_task = of_task and not any(board.get(part) for part in ("expression", "sheet", "made"))
            if of_task and (task := await self._coaching.open_tasks.of_child(context.asker)) is not None:
                text, kept_board = self._coaching.replies.of_open_task(message, cast("Board", board), task)
                return {"answer": text, "board": dict(kept_board), "by_rules": True}
            before = read_board(board.get("made"))
            spoken_of = SpokenOf(before, board.get("expression", ""))
            if (made := await self._coaching.requests.answer(context.asker, message, spoken_of)) is not None:
                board = {**board, "made": board_json(made.board), "ask": "made"}
                return {"answer": made.text, "board": board, "by_rules": True}
            if self._coaching.turns.is_clear(reading.ask):
                return None
            board = {**board, "made": board_json(older(before))}
            repeats = self._coaching.replies.repeats(reading.ask, cast("Board", board))
            last = board.get("advice") or _AS_ADVICE.get(board.get("ask", ""), "")
            told = await self._coaching.adults.answer(
                context.asker, message, reading, board.get("records"), last, repeats=repeats
            )
        except StoreUnavailable:
            return None
        if told is None or (told.question is None and self._models is not None):
            return None  # a model says more of teaching
        kept = {
            **board,
            "ask": "how_am_i" if told.question else "home_help",
            "records": told.question,
            "advice": told.advice,
        }
        return {"answer": told.text, "board": kept, "by_rules": True}

    def _is_about_learning(self, message: str) -> bool:
        verdict = self._coaching.door.guard.check(message)
        return verdict.kind == "pass" and not verdict.weak

    def _opened(self, context: TurnContext) -> list[Problem]:
        """The open tasks that are problems, the newest first."""
        opened = () if context.hidden is None else context.hidden.opened
        return [one for one in map(self._coaching.open_tasks.problem, opened) if one is not None]

    def _turn(self, state: ChatState, context: TurnContext) -> CoachTurn:
        results = tool_results(state)
        facts = next(
            (one["result"].get("facts") for one in results if one["tool"] == "get_user_scores" and not one["error"]),
            None,
        )
        adult = context.asker.principal.role != "student"
        message = state["message"] if adult else as_usually_spelt(state["message"])
        return CoachTurn(
            message, state["ask"], adult, cast("Board", state["board"]),
            self._opened(context), state["names"], state["also"], facts if context.asker.student_id else None, results,
            state["history"][-1]["text"] if state["history"] else "",
        )  # fmt: skip

    async def _intent_by_model(self, models: Models, state: ChatState, context: TurnContext) -> Intent:
        budget = Budget(self._config.seconds.intent)
        registry, gate = self._coaching.intents, self._coaching.gate
        variables = {
            "message": state["message"],
            "before": model_replies.last_exchange_text(state),
            "intents": registry.lines,
            "borderlines": registry.borderlines,
        }
        asking = models.ask(INTENT_PROMPT, variables, IntentReply, budget, {"intents": registry.intents})
        value = (await context.await_model(asking)).value
        told = [value.reasoning, *value.key_indicators]
        reasoning, *indicators = (
            each if gate.check(each, "adult", TextRequirements(gate.longest("reasoning"))) is None else ""
            for each in told
        )
        return Intent(registry[value.intent], value.confidence, reasoning, tuple(filter(None, indicators)))

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
        board = state["board"]
        answer = state["answer"] or (self._config.declined if state["profile"] != "coach" else "")
        if not answer:
            ask = (
                state["ask"] or "insult"
                if not state["verdict"] or state["verdict"]["kind"] != "injection"
                else "off_topic"
            )
            answer, said = self._coaching.replies.reply(replace(self._turn(state, context), ask=ask), OUT_OF_SCOPE)
            board = dict(said)
        model_replies.emit_words(context, answer)
        return {**update, "answer": answer, "board": board}

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
        return Intent(self._coaching.intents.handled_as(handling), 1.0, reasoning, found)

    def _entry(self, state: ChatState) -> IntentEntry:
        """The intent of the turn."""
        return self._coaching.intents[self._intent(state)]

    def _intent(self, state: ChatState) -> str:
        """The name of the turn's intent."""
        return self._coaching.intents.named(cast("IntentReport", state["intent"])["intent_type"])

    # --- act and tools --------------------------------------------------------------------------------------------

    async def act(self, state: ChatState, runtime: Runtime[TurnContext]) -> ChatState:
        """Choose the tools to call next; none when it is time to answer."""
        context = context_of(runtime)
        number = len(state["rounds"]) + 1
        if state["answer"]:
            return {"calls": []}
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
        calls = self._coaching.planner.next_round(self._turn(state, context), state["rounds"])
        thinking = self._config.thinking
        if not thought:
            first = not state["rounds"]
            self._emit_thinking(context, thinking.first if first else thinking.more if calls else thinking.last)
        return {"calls": calls, "exchange": []}

    async def tools(self, state: ChatState, runtime: Runtime[TurnContext]) -> ChatState:
        """Run one round of calls, all at the same time."""
        return await self._run_calls(state, context_of(runtime))

    async def _run_calls(self, state: ChatState, context: TurnContext) -> ChatState:
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
        child = context.asker.principal.role == "student"
        usual = self._entry(state).chart and state["ask"] in DRAWN and not (child and state["ask"] in _NOT_UNASKED)
        comforts = child and state["ask"] in FEELINGS  # no bars are shown to who feels bad about them
        results = [] if comforts else tool_results(state)
        chart = self._coaching.charts.chart(state["message"], results, usual=usual)
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
        said: str | None = None
        if context.speech is not None:
            try:
                said = await model_replies.finish_answer(context, self._coaching.gate, self._unfounded(state))
            except MODEL_FAILURES as failure:
                update = continue_by_rules(context, state, self._config, failure)
                model_replies.new_paragraph(context)
                update["rounds"] = await self._rounds_by_rules(state, context)
        charted = state["chart"] is not None and CHART.search(state["message"]) is not None
        turn = replace(self._turn(cast("ChatState", {**state, **update}), context), charted=charted)
        told, board = self._coaching.replies.reply(turn, self._intent(state))
        if said is not None:
            return {"answer": said, "board": dict(board)}
        guess = state["ask"] == "open_guess"  # its texts have no number but those of the task
        if context.hidden is not None and not guess and context.hidden.reveals_answer(told):
            told = self._coaching.replies.hidden_line(adult=False)
        model_replies.emit_words(context, told)
        return {**update, "answer": context.text(), "board": dict(board)}

    async def _rounds_by_rules(self, state: ChatState, context: TurnContext) -> list[list[ToolResult]]:
        """The rounds of a turn whose model has failed while it answered, with those that the rules' answer needs
        besides."""
        after = cast("ChatState", {**state, "exchange": []})
        while len(after["rounds"]) < self._config.most_rounds:
            calls = self._coaching.planner.next_round(self._turn(after, context), after["rounds"])
            if not calls:
                break
            after["calls"] = calls
            after["rounds"] = (await self._run_calls(after, context))["rounds"]
        return after["rounds"]

    def _unfounded(self, state: ChatState) -> Callable[[str], bool]:
        """Whether a model's text has figures about the child that its tools did not give it."""
        said = [state["message"], state["summary"], *(one["text"] for one in state["history"])]
        known = known_figures((one["result"] for one in tool_results(state) if not one["error"]), said)
        about_records = self._entry(state).handling in _ABOUT_RECORDS
        return lambda text: about_records and has_unknown_figure(text, known)

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


def is_of_kinds(message: str, ask: str) -> bool:
    """Whether an adult asks how a kind of problem goes: by its name alone, or whether all of it is wrong."""
    if not kinds_in(message):
        return False
    alone = ask in _UNREAD and len(message) <= _SHORT_KIND and _KIND_ALONE.search(message) is not None
    return alone or _ALL_WRONG.search(message) is not None


def _call_key(call: ToolCall) -> tuple[str, str]:
    return call["tool"], json.dumps(call["arguments"], sort_keys=True)


def _step_result(result: ToolResult) -> JsonObject:
    shown = result["result"] if result["error"] is None else {"error": result["error"]}
    event = {"type": "step_result", "tool": result["tool"], "result": shown, "cached": result["cached"]}
    return {**event, "left_out": result["left_out"]} if "left_out" in result else event
