"""The assistant's nodes: which tools, one after the other, what stands in for those that fail, and the two levels."""

import asyncio
import re
from collections.abc import Mapping
from dataclasses import asdict, dataclass, replace
from typing import Any, Final, Literal

from langgraph.runtime import Runtime

from maththera.chat import pipelines, talking
from maththera.chat.config import ChatConfig
from maththera.chat.fallback import Fallbacks, Outcome
from maththera.chat.following import goes_on
from maththera.chat.levels import Level, Levels
from maththera.chat.pipelines import Progress
from maththera.chat.prompt_log import PromptLog
from maththera.chat.routing import DEFAULT, Pipeline, Router
from maththera.chat.run import Abandoned
from maththera.chat.screening import screen
from maththera.chat.state import ChatState
from maththera.chat.tools import ChatTool
from maththera.chat.topics import questions
from maththera.chat.turn import FAILURES, Failure, TurnContext, emit, give_up, of
from maththera.korean import morphemes
from maththera.llm.budget import Budget
from maththera.llm.models import Models
from maththera.llm.streaming import speak
from maththera.words.front_door import FrontDoor
from maththera.words.gate import Gate, GateStream
from maththera.words.markup import without_markup
from maththera.words.sentence_checks import About

Update = dict[str, Any]

_OURS: Final = "assistant"
_HANGUL: Final = re.compile("[가-힣]")
_TEXTS: Final = frozenset({"answers", "material", "as_it_is"})


@dataclass(frozen=True, slots=True)
class Assisting:
    """The rules and the tools of the assistant."""

    door: FrontDoor
    router: Router
    fallbacks: Fallbacks
    levels: Levels
    tools: Mapping[str, ChatTool]
    gate: Gate
    prompts: PromptLog | None = None


class Assistant:
    def __init__(self, config: ChatConfig, assisting: Assisting, models: Models | None) -> None:
        self._config, self._models, self._door = config, models, assisting.door
        self._router, self._fallbacks = assisting.router, assisting.fallbacks
        self._gate = assisting.gate
        self._levels, self._tools, self._prompts = assisting.levels, assisting.tools, assisting.prompts

    # --- which tools ----------------------------------------------------------------------------------------------

    async def route(self, state: ChatState, runtime: Runtime[TurnContext]) -> Update:
        """The patterns, a model where they say nothing, else `general`."""
        context = of(runtime)
        meant = goes_on(state["message"], self._earlier(state), self._router, self._config.follow_ups)
        found = meant.pipeline or await self._chosen(meant.question, context)
        told = [said["text"] for said in state.get("history", []) if said["role"] == _OURS]
        progress = pipelines.begin(found.tools, meant.question, told[-1] if told else None, meant.before)
        pipeline = list(found.tools)
        event = {"type": "route", "tool_choice": pipeline[0], "tool_pipeline": pipeline, "source": found.name}
        emit(context, event)
        difficulty = {"difficulty": meant.difficulty} if meant.difficulty else {}
        return {"progress": progress, "tool_pipeline": pipeline, "tool_choice": pipeline[0], **difficulty}

    def _earlier(self, state: ChatState) -> list[str]:
        """Questions that were answered, the newest first."""
        asked = [question for question, _ in questions(state.get("history", []))]
        polite, guard = self._door.courtesies, self._door.guard
        return [
            each for each in asked
            if polite.kind(each) is None and not guard.blocks(guard.check(each), _OURS)
        ]  # fmt: skip

    async def _chosen(self, question: str, context: TurnContext) -> Pipeline:
        if self._models is None:
            return DEFAULT
        budget = Budget(self._config.seconds.intent)
        try:
            return await context.asked(self._router.choose(question, self._models, budget))
        except Abandoned:
            return DEFAULT

    # --- one tool and what stands in for it -----------------------------------------------------------------------

    async def run_tool(self, state: ChatState, runtime: Runtime[TurnContext]) -> Update:
        context = of(runtime)
        progress = _progress(state)
        tool = progress["tool_choice"]
        arguments = pipelines.arguments(progress)
        await asyncio.to_thread(morphemes.prewarm)  # loading the analyser takes none of the tool's time
        emit(context, {"type": "step_start", "tool": tool, "arguments": {"question": arguments["question"]}})
        outcome = await self._fallbacks.attempt(self._tools, tool, context.asker, arguments)
        screened = screen(outcome.result, self._door.guard, self._config.left_out)
        outcome = replace(outcome, result=screened.value)
        told = {"type": "step_result", "tool": tool, "result": _shown(outcome), "cached": False}
        emit(context, {**told, "left_out": screened.left_out} if screened.left_out else told)
        return {"outcome": asdict(outcome), "tool_choice": tool}

    async def after_tool(self, state: ChatState) -> Literal["fallback", "levels"]:
        """A failed tool has somebody stand in for it."""
        return "fallback" if _outcome(state).result is None else "levels"

    async def fallback(self, state: ChatState, runtime: Runtime[TurnContext]) -> Update:
        """On to what stands in; where nothing does, that is said."""
        context = of(runtime)
        before, outcome = _progress(state), _outcome(state)
        after = pipelines.fall_back(before, self._fallbacks, outcome)
        if after is not None:
            emit(context, pipelines.hop(before, after, outcome))
            return {"progress": after, "tool_choice": after["tool_choice"]}
        emit(context, {**self._config.error("tool_failed", state["profile"]), "message": outcome.message})
        for level in self._levels.of(state["difficulty"]):
            talking.new_paragraph(context, level.name)
            talking.say(context, outcome.message, level.name)
        return {"progress": None, "errors": [*state["errors"], "tool_failed"], **self._answered(state, context)}

    async def after_fallback(self, state: ChatState) -> Literal["run_tool", "remember"]:
        return "run_tool" if state["progress"] is not None else "remember"

    # --- the answer -----------------------------------------------------------------------------------------------

    async def levels(self, state: ChatState, runtime: Runtime[TurnContext]) -> Update:
        """The result at both levels, once it is the last that has something to say; and on to the next tool."""
        context = of(runtime)
        progress, result = _progress(state), _outcome(state).result or {}
        lower, higher = self._levels.of(state["difficulty"])
        update: Update = {}
        if pipelines.answers_now(progress):
            failures = await asyncio.gather(*(self._write(level, result, state, context) for level in (lower, higher)))
            if failure := next((each for each in failures if each is not None), None):
                update = give_up(context, state, self._config, failure)
        elif progress["tool_choice"] in pipelines.SILENT:
            for level in (lower, higher):
                talking.new_paragraph(context, level.name)
                talking.say(context, without_markup(self._levels.plain(level, result)), level.name)
        answered = self._answered(state, context)
        text = context.text(higher.name) or str(result.get("material") or self._levels.plain(higher, result))
        following = pipelines.advance(progress, text)
        choice = {"tool_choice": following["tool_choice"]} if following else {}
        return {**update, **answered, **choice, "progress": following, "tool_result": text}

    async def after_levels(self, state: ChatState) -> Literal["run_tool", "remember"]:
        return "run_tool" if state["progress"] is not None else "remember"

    async def _write(
        self, level: Level, result: Mapping[str, Any], state: ChatState, context: TurnContext
    ) -> Failure | None:
        """The answer at one level: a model's words as they come, or those of the tool; why the model failed."""
        failure: Failure | None = None
        if self._models is not None and not state["by_rules"] and not result.get("as_it_is"):
            try:
                await self._speak(self._models, level, result, state, context)
            except FAILURES as error:
                failure = error
            else:
                return None
        talking.new_paragraph(context, level.name)
        talking.say(context, without_markup(self._levels.plain(level, result)), level.name)
        return failure

    async def _speak(
        self,
        models: Models,
        level: Level,
        result: Mapping[str, Any],
        state: ChatState,
        context: TurnContext,
    ) -> None:
        speech = speak(
            models,
            level.prompt,
            self._levels.variables(state["message"], result),
            context.budget or models.budget(),
            silence=self._config.seconds.silence,
            before=talking.before(state),
            role=self._levels.model(state["difficulty"]),
            spawn=context.spawn,
        )
        try:
            about = About(self._gate.longest("assistant"), korean=_HANGUL.search(state["message"]) is not None)
            await talking.pass_on(speech, GateStream(self._gate, "adult", about), context, level.name)
        finally:
            if self._prompts is not None and context.run is not None:
                await self._prompts.keep(context.run.run_id, level.name, speech)
        talking.say(context, self._levels.note(result), level.name)

    def _answered(self, state: ChatState, context: TurnContext) -> Update:
        """Both levels' answers; the higher one is the answer of the turn."""
        lower, higher = self._levels.of(state["difficulty"])
        answers = {level.name: context.text(level.name) for level in (lower, higher)}
        return {"final_answers": answers, "final_answer": answers[higher.name], "answer": answers[higher.name]}


def _progress(state: ChatState) -> Progress:
    progress = state["progress"]
    if progress is None:
        raise ValueError("no tool is at work")
    return progress


def _shown(outcome: Outcome) -> dict[str, Any]:
    """What is told of a result: not the texts that the answer is written from."""
    if outcome.result is None:
        return {"error": outcome.message, "why": outcome.why}
    return {name: value for name, value in outcome.result.items() if name not in _TEXTS}


def _outcome(state: ChatState) -> Outcome:
    return Outcome(**(state["outcome"] or {}))
