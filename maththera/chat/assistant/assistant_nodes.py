"""The nodes of the assistant: it chooses tools, calls them in turn or their fallbacks, and answers at two levels."""

import asyncio
import re
from collections.abc import Mapping, Sequence
from dataclasses import asdict, dataclass, replace
from itertools import pairwise
from typing import Any, Final, Literal

from langgraph.runtime import Runtime

from maththera.chat.adults.adult_board import AdultBoard, board_json, gone_on_with, older, read_board
from maththera.chat.adults.adult_request import AdultAnswer, SpokenOf
from maththera.chat.adults.adult_requests import AdultRequests
from maththera.chat.adults.answers_to_adults import AnswersToAdults
from maththera.chat.adults.expression_answers import expression_named
from maththera.chat.adults.message_kinds import KIND, MessageKind, MessageKinds
from maththera.chat.adults.not_understood import feeling, said_to_kind
from maththera.chat.adults.sum_answers import sum_told
from maththera.chat.assistant import tool_pipeline
from maththera.chat.assistant.advice_answers import AnswerBook, Asked
from maththera.chat.assistant.message_reader import ADVICE, LETTER, PAPERS, RECORDS, SUBJECT, Meaning, MessageReader
from maththera.chat.assistant.tool_fallbacks import Fallbacks, Outcome
from maththera.chat.assistant.tool_routing import (
    DEFAULT_PIPELINE,
    Pipeline,
    ResolvedQuestion,
    ToolRouter,
    resolve_follow_up,
)
from maththera.chat.coach.message_shapes import named_people
from maththera.chat.config import ChatConfig
from maththera.chat.letters.letters import Letter
from maththera.chat.messages import model_replies
from maththera.chat.messages.answer_levels import Level, Levels
from maththera.chat.messages.chat_tools import ChatTool
from maththera.chat.messages.conversation_history import question_answer_pairs
from maththera.chat.messages.greetings import without_greeting
from maththera.chat.messages.injection_filter import screen
from maththera.chat.messages.prompt_log import PromptLog
from maththera.chat.messages.turn_context import (
    MODEL_FAILURES,
    Failure,
    TurnContext,
    context_of,
    continue_by_rules,
    emit,
)
from maththera.chat.messages.turn_run import NobodyListening
from maththera.chat.messages.unfounded_figures import claims_unknown_figure, known_figures
from maththera.chat.papers.glossary import Glossary
from maththera.chat.papers.paper_library import PaperArguments, PaperTexts, topics_of
from maththera.chat.records.record_tool import RecordQuestions
from maththera.chat.state import SILENT_TOOLS, ChatState, PipelineProgress, ToolName
from maththera.json_types import JsonObject
from maththera.korean import morphemes
from maththera.llm.model_client import Models
from maththera.llm.streaming import stream_reply
from maththera.llm.time_budget import Budget
from maththera.store.database import StoreUnavailable
from maththera.words.danger.message_analysis import MessageAnalyser
from maththera.words.output_gate.markup import without_markup
from maththera.words.output_gate.sentence_checks import TextRequirements
from maththera.words.output_gate.text_gate import Gate, GateStream

_PROFILE: Final = "assistant"
MADE: Final = "made"
"""The part of the board that `AdultBoard` is kept in."""
_UNKNOWN: Final = (DEFAULT_PIPELINE.name, RECORDS, ADVICE)
"""Pipelines of messages that may not have been understood."""
_EARLIER: Final = 5
"""Questions before that say what a summary is to be of."""
_HANGUL: Final = re.compile("[가-힣]")
_OF_AN_ANSWER: Final = frozenset({"summarize", "save_file"})
"""Tools that work on the answer of the turn before."""
_UNANSWERED: Final = re.compile(
    "찾지 못했(?:어요|습니다)|가지고 있지 않아요|알아듣지 못했어요|제가 가진 자료에는 없어요"
    "|찾아볼 수 없었|답을 받지 못했|학생 가운데 없어요|보여 드릴 수 없어요|만들지 않았어요|저장할 답이 없어요"
    "|찾은 글에는 그 내용이 적혀"
    r"|\A(?:[^\n]*넣지 않았어요\.?\n)?[^\n|:]{0,60}기록이 없어요"
)
"""Of an answer that told nothing: it is neither summed up nor saved."""
_WORLD: Final = "world"
"""The name of the pipeline for facts of the world."""
_FACT: Final = re.compile(
    r"누구|누가|어디|언제|어느|몇|얼마|무슨|무엇|뭐(?:예요|야|지|죠|니|에요|라고)|뭔가요|[은는](?:요)?\s*[?？]\s*$|알려"
    "|인가요|일까"
)
_OF_HERE: Final = re.compile(
    r"아이|애[가는들도를한]|학생|친구|딸|아들|우리|저희|제가|저는|나는|내가|얘|걔|그거|이거|그건|이건|[그이저]런|선생"
    "|수업|공부|연습|숙제|문제|수학|단원|정답|오답|틀[린렸리려]|기록|점수|훈련|논문|셈|계산|가르"
    "|배우|배워|학습|난산증|학년|여기|앱|화면|아까|방금|다시|더 "
)
"""Words of what is asked of children, of this service or of what was said before."""
_PAPER: Final = re.compile("논문|문헌|선행 ?연구")
_TEXTS: Final = frozenset({"answers", "material", "as_it_is"})


@dataclass(frozen=True, slots=True)
class AssistantParts:
    """The rules and the tools of the assistant. `of_papers`: by which a message about papers is known."""

    door: MessageAnalyser
    kinds: MessageKinds
    router: ToolRouter
    fallbacks: Fallbacks
    levels: Levels
    tools: Mapping[str, ChatTool]
    records: RecordQuestions
    advice: AnswerBook
    glossary: Glossary
    requests: AdultRequests
    told: AnswersToAdults
    of_papers: PaperTexts
    gate: Gate
    prompts: PromptLog | None = None


@dataclass(frozen=True, slots=True)
class _Understood:
    """What a message asks, and the tools for it. `again`: it asks more of papers that were named; `unread`: nothing of
    it is understood; `kind`: what it surely wants."""

    meaning: Meaning
    meant: ResolvedQuestion
    pipeline: Pipeline
    again: bool
    unread: bool
    kind: MessageKind | None


class AssistantNodes:
    def __init__(self, config: ChatConfig, assisting: AssistantParts, models: Models | None) -> None:
        self._config, self._models, self._door, self._kinds = config, models, assisting.door, assisting.kinds
        self._router, self._fallbacks = assisting.router, assisting.fallbacks
        self._gate, self._records, self._advice = assisting.gate, assisting.records, assisting.advice
        self._of_papers, self._requests, self._told = assisting.of_papers, assisting.requests, assisting.told
        self._reader = MessageReader(assisting.records, assisting.advice, config.follow_ups)
        self._glossary = assisting.glossary
        self._levels, self._tools, self._prompts = assisting.levels, assisting.tools, assisting.prompts

    # --- which tools ----------------------------------------------------------------------------------------------

    async def route(self, state: ChatState, runtime: Runtime[TurnContext]) -> ChatState:
        """Choose the pipeline: by the patterns, by a model where none fits, else `general`."""
        asked: ChatState = {**state, "message": without_greeting(state["message"])}
        kind, sure = self._kinds.read(asked["message"], state.get("board", {}))
        update = await self._route(asked, context_of(runtime), kind, sure=sure)
        return {**update, "board": {**update["board"], KIND: kind}}

    async def _route(self, state: ChatState, context: TurnContext, kind: MessageKind, *, sure: bool) -> ChatState:
        board = state.get("board", {})
        before = read_board(board.get(MADE))
        answer = self._worked_out(state["message"], before) if kind == "sum" else None
        if answer is None and not (sure and kind == "talk"):
            answer = await self._answer_to_adult(state, before, board, context, kind if sure else None)
        if answer is not None:
            return self._route_of_answer(answer, state, context)
        adults = older(before)
        found = await self._understood(state, context, kind if sure else None)
        world = found.unread and await self._is_of_the_world(state["message"], found.meaning, kind)
        alone_said = not world and found.unread and sure and self._models is None
        if alone_said and (said := said_to_kind(kind, state["message"])):
            return self._route_of_answer(AdultAnswer(said, adults), state, context)
        if world:
            found = replace(
                found, pipeline=Pipeline(("web_search",), _WORLD), meaning=replace(found.meaning, unread=True)
            )
        elif found.unread:
            near = await self._reader.near(state["message"], board, context.asker)
            found = replace(found, meaning=replace(found.meaning, asked=near, unread=True))
        instead, alone = await self._instead(state["message"], found, adults, context)
        if instead:
            adults = replace(adults or AdultBoard(), lost=True)
        if alone and not found.again:
            return self._route_of_answer(AdultAnswer(instead, adults), state, context)
        return await self._route_of_tools(state, found, instead, adults, context)

    async def _is_of_the_world(self, message: str, meaning: Meaning, kind: MessageKind) -> bool:
        """Whether a message that nothing else answers asks for a fact of the world ("미국 대통령이 누구예요?"), to look
        it up on the web; never if it may name a child. One that seems to be about the service must name something."""
        asks = _FACT.search(message) is not None and _OF_HERE.search(message) is None
        known = meaning.named or feeling(message) or kind in ("make", "sum", "talk") or self._models is not None
        if known or not asks or self._advice.nearest(message):
            return False
        words = await asyncio.to_thread(morphemes.morphemes, message)
        called = any(one.tag == "NNP" and after.form == "이" for one, after in pairwise(words))  # 지민이
        if called or named_people(message, ()):
            return False  # a child's name does not leave the house
        return kind != "service" or any(each.tag == "NNP" for each in words)

    async def _understood(self, state: ChatState, context: TurnContext, kind: MessageKind | None) -> _Understood:
        """What a message asks, and the tools for it. `kind`: what it surely wants."""
        message, board = state["message"], state.get("board", {})
        meaning = await self._reader.read(message, board, context.asker, kind)
        question, asked = meaning.question, meaning.asked
        if PAPERS in board and not meaning.named:
            if self._of_papers.follow_ups.asks_what_is_told(message):
                question = asked = None  # what the papers tell, not what pupils did
            elif question is None and self._of_papers.follow_ups.said.search(message):
                asked = None
        again = not (question or asked) and PAPERS in board and self._of_papers.follow_ups.asks_more(message)
        if asked and not again and await self._is_of_papers(message, meaning):
            asked = None
        told = not (question or again or meaning.named) and await self._is_told_by_a_paper(message, context)
        asked = None if told else asked
        meant = (
            self._known_kind(message, question, again=again or told, advised=asked is not None)
            or self._unread(message, named=meaning.named)
            or resolve_follow_up(message, self._earlier(state), self._router, self._config.follow_ups)
        )
        if question is None and asked is None and meant.pipeline is None:
            asked = self._advice.only(meant.question)
            meant = self._known_kind(meant.question, None, again=False, advised=asked is not None) or meant
        pipeline = meant.pipeline or await self._pipeline_by_model(meant.question, context)
        unread = question is None and asked is None and pipeline is DEFAULT_PIPELINE
        return _Understood(replace(meaning, question=question, asked=asked), meant, pipeline, again, unread, kind)

    async def _is_told_by_a_paper(self, message: str, context: TurnContext) -> bool:
        """Whether a paper that somebody added tells the figure that a message asks for."""
        arguments = PaperArguments(question=message, own=True)
        return bool((await self._tools["search_paper"].call(context.asker, arguments))["answers"])

    async def _is_of_papers(self, message: str, meaning: Meaning) -> bool:
        """Whether a message that has a written answer wants papers on what it names."""
        asked = meaning.asked
        if meaning.question or meaning.named or asked is None or asked.goes_on or asked.served:
            return False
        if _PAPER.search(message) is None:
            return False
        return bool(await asyncio.to_thread(topics_of, message, self._of_papers.empty))

    async def _route_of_tools(
        self, state: ChatState, found: _Understood, instead: str, adults: AdultBoard | None, context: TurnContext
    ) -> ChatState:
        """Begin the tools. `instead`: what is said where nothing is understood."""
        message, board, meant = state["message"], state.get("board", {}), found.meant
        question, asked = found.meaning.question, found.meaning.asked
        told = [said["text"] for said in state.get("history", []) if said["role"] == _PROFILE]
        told = [text for text in told if not _UNANSWERED.search(text)]
        pipeline = list(found.pipeline.tools)
        progress = tool_pipeline.first_progress(
            found.pipeline.tools, meant.question, told[-1] if told else None, meant.before
        )
        progress["instead"] = instead
        progress["ahead"] = "" if asked is None or asked.everyday else feeling(message)
        advised = asked if question is None else None
        progress["beside"] = await self._beside(message, advised, adults, board, context)
        progress["records"], progress["advice"] = question, asked.name if asked else ""
        progress["again"] = found.again
        progress["earlier"], progress["of_records"] = self._earlier(state)[:_EARLIER], found.pipeline.name == RECORDS
        if question and asked:
            advice = self._advice.text(asked.name)
            progress["first"], progress["behind"] = (
                (f"{advice}\n\n", "") if self._advice.leads(asked.name) else ("", f"\n\n{advice}")
            )
        named = board.get(PAPERS) or progress["tool_result"] or ""  # the answer that named the papers
        if found.again:
            progress["tool_result"] = named
        emit(
            context,
            {"type": "route", "tool_choice": pipeline[0], "tool_pipeline": pipeline, "source": found.pipeline.name},
        )
        kept = {**board, MADE: board_json(adults)}
        after = {
            MADE: board_json(_with_beside(adults, progress["beside"])),
            **await self._reader.board(message, found.meaning, kept, context.asker),
        }
        if not (question or asked or found.unread):
            after |= _of_papers(pipeline, named, board, again=found.again)
        update: ChatState = {
            "progress": progress, "tool_pipeline": pipeline, "tool_choice": pipeline[0], "board": after,
        }  # fmt: skip
        return {**update, "difficulty": meant.difficulty} if meant.difficulty else update

    def _worked_out(self, message: str, before: AdultBoard | None) -> AdultAnswer | None:
        """A sum that a message wants worked out; None where none is read, and for an expression, which is explained."""
        told = None if expression_named(message) else sum_told(message, before.result if before else None)
        return AdultAnswer(told[0], replace(gone_on_with(before), value=told[1])) if told else None

    async def _answer_to_adult(
        self,
        state: ChatState,
        before: AdultBoard | None,
        board: JsonObject,
        context: TurnContext,
        kind: MessageKind | None,
    ) -> AdultAnswer | None:
        """What was made for the message, or told to it by rules; None for another."""
        message, earlier = state["message"], self._earlier(state)
        try:
            subject = await self._reader.subject(board, context.asker)
            told_of = _told_of(board)
            spoken_of = SpokenOf(
                before, "", subject, told_of[0] if len(told_of) == 1 else None, next(iter(earlier), ""), kind
            )
            answer = await self._requests.answer(context.asker, message, spoken_of)
            answer = answer or await self._told.answer(context.asker, message, before, board.get(RECORDS))
        except StoreUnavailable:
            return None
        of_term = not {RECORDS, ADVICE, PAPERS}.intersection(board)
        words = await asyncio.to_thread(self._glossary.for_child, message, earlier[:1] if of_term else ())
        return answer or (AdultAnswer(words, older(before)) if words else None)

    async def _instead(
        self, message: str, found: _Understood, adults: AdultBoard | None, context: TurnContext
    ) -> tuple[str, bool]:
        """What is said where a message is not understood, "" for one that is; and whether no tool is to be asked."""
        meaning, meant, pipeline = found.meaning, found.meant, found.pipeline
        asked, made = meaning.asked, adults.made if adults else None
        # The letter of the records goes to guardians: it is no change of a text that was just made.
        letter = isinstance(made, Letter) and (meaning.question or {}).get("wish") == LETTER
        sure = meaning.question is not None or meant.pipeline is not None
        sure = not letter and (sure or (asked is not None and asked.clear and not asked.served))
        if not sure and (change := self._told.can_be_changed(message, adults)):
            return change, True
        alone = context.asker.student_id is not None
        unheard = meaning.question is not None and not meaning.named
        unheard = unheard and _is_unheard(meaning.question or {}, feeling(message), alone=alone)
        if (meaning.question and not unheard) or (asked and not asked.of_records) or pipeline.name not in _UNKNOWN:
            return "", False
        try:
            said = await self._told.not_understood(
                context.asker, message, adults, self._advice.nearest(message, found.kind)
            )
        except StoreUnavailable:
            return "", False
        return said, pipeline.name == RECORDS or asked is not None or unheard

    async def _beside(
        self, message: str, asked: Asked | None, adults: AdultBoard | None, board: JsonObject, context: TurnContext
    ) -> str:
        """Figures of the child that the talk is about, to stand after advice on helping. "" after another answer, and
        where the turn before told them."""
        if asked is None or asked.near or not self._advice.is_of_helping(asked.name):
            return ""
        try:
            told = await self._told.beside(context.asker, message, _told_of(board), adults)
        except StoreUnavailable:
            return ""
        return "" if adults and told == adults.beside else told

    def _route_of_answer(self, answer: AdultAnswer, state: ChatState, context: TurnContext) -> ChatState:
        progress = tool_pipeline.first_progress(("general",), state["message"])
        progress["written"] = answer.text
        emit(context, {"type": "route", "tool_choice": "general", "tool_pipeline": ["general"], "source": MADE})
        before = {SUBJECT: answer.subject} if answer.subject else state.get("board", {})
        question = {RECORDS: answer.question} if answer.question else {}
        board = {**before, **question, MADE: board_json(answer.board)}
        return {"progress": progress, "tool_pipeline": ["general"], "tool_choice": "general", "board": board}

    def _known_kind(
        self, message: str, question: JsonObject | None, *, again: bool, advised: bool
    ) -> ResolvedQuestion | None:
        """A question about the caller's learners, one that an answer is written for, or about papers that were
        named."""
        if question is not None:
            saves = question["form"] == "file" and not question["fault"]
            tools: tuple[ToolName, ...] = ("text2sql", "save_file") if saves else ("text2sql",)
            return ResolvedQuestion(message, Pipeline(tools, RECORDS))
        if advised:
            return ResolvedQuestion(message, Pipeline(("general",), ADVICE))
        return ResolvedQuestion(message, Pipeline(("search_paper",), PAPERS)) if again else None

    def _unread(self, message: str, *, named: bool) -> ResolvedQuestion | None:
        """What is about one of the caller's learners and nothing else: no model may answer it by itself."""
        if named and not self._records.is_elsewhere(message):
            return ResolvedQuestion(message, Pipeline(("text2sql",), RECORDS))
        return None

    def _earlier(self, state: ChatState) -> list[str]:
        """Questions that were answered, the newest first."""
        asked = [question for question, _ in question_answer_pairs(state.get("history", []))]
        polite, guard = self._door.courtesies, self._door.guard
        return [
            each for each in asked
            if polite.kind(each) is None and not guard.blocks(guard.check(each), _PROFILE)
        ]  # fmt: skip

    async def _pipeline_by_model(self, question: str, context: TurnContext) -> Pipeline:
        if self._models is None:
            return DEFAULT_PIPELINE
        budget = Budget(self._config.seconds.intent)
        try:
            return await context.await_model(self._router.choose(question, self._models, budget))
        except NobodyListening:
            return DEFAULT_PIPELINE

    # --- one tool and its fallbacks -------------------------------------------------------------------------------

    async def run_tool(self, state: ChatState, runtime: Runtime[TurnContext]) -> ChatState:
        context = context_of(runtime)
        progress = _progress(state)
        tool = progress["tool_choice"]
        arguments = tool_pipeline.tool_arguments(progress)
        await asyncio.to_thread(morphemes.prewarm)  # loading the analyser takes none of the tool's time
        emit(context, {"type": "step_start", "tool": tool, "arguments": {"question": arguments["question"]}})
        outcome = await self._fallbacks.attempt(self._tools, tool, context.asker, arguments)
        screened = screen(outcome.result, self._door.guard, self._config.left_out)
        outcome = replace(outcome, result=screened.value)
        told = {"type": "step_result", "tool": tool, "result": _shown(outcome), "cached": False}
        emit(context, {**told, "left_out": screened.left_out} if screened.left_out else told)
        return {"outcome": asdict(outcome), "tool_choice": tool}

    async def after_tool(self, state: ChatState) -> Literal["fallback", "levels"]:
        """A tool without a result has its fallback tried."""
        return "fallback" if _outcome(state).result is None else "levels"

    async def fallback(self, state: ChatState, runtime: Runtime[TurnContext]) -> ChatState:
        """Go on to the next fallback; without one, report the failure as the answer."""
        context = context_of(runtime)
        before, outcome = _progress(state), _outcome(state)
        after = tool_pipeline.fallback_progress(before, self._fallbacks, outcome)
        if after is not None:
            emit(context, tool_pipeline.fallback_event(before, after, outcome))
            return {"progress": after, "tool_choice": after["tool_choice"]}
        emit(context, {**self._config.error("tool_failed", state["profile"]), "message": outcome.message})
        for level in self._levels.level_pair(state["difficulty"]):
            model_replies.new_paragraph(context, level.name)
            model_replies.emit_words(context, outcome.message, level.name)
        return {"progress": None, "errors": [*state["errors"], "tool_failed"], **self._answered(state, context)}

    async def after_fallback(self, state: ChatState) -> Literal["run_tool", "remember"]:
        return "run_tool" if state["progress"] is not None else "remember"

    # --- the answer -----------------------------------------------------------------------------------------------

    async def levels(self, state: ChatState, runtime: Runtime[TurnContext]) -> ChatState:
        """Write the last result at both levels; go on to the next tool."""
        context = context_of(runtime)
        progress, result = _progress(state), _outcome(state).result or {}
        lower, higher = self._levels.level_pair(state["difficulty"])
        update: ChatState = {}
        if tool_pipeline.is_last_answer(progress):
            failures = await asyncio.gather(
                *(self._write_level(level, result, state, context) for level in (lower, higher))
            )
            if failure := next((each for each in failures if each is not None), None):
                update = continue_by_rules(context, state, self._config, failure)
        elif progress["tool_choice"] in SILENT_TOOLS:
            for level in (lower, higher):
                self._write_without_model(level, result, context)
        answered = self._answered(state, context)
        text = context.text(higher.name) or result.get("material")
        text = str(text or self._levels.text_without_model(higher, result))
        following = tool_pipeline.next_progress(progress, text)
        nothing = tool_pipeline.found_nothing(progress) and self._is_told_by_rules(state, update)
        nothing = nothing or (progress["tool_choice"] == "text2sql" and _UNANSWERED.search(text) is not None)
        if following and nothing:
            self._say_nothing_found(progress, (lower, higher), result, context)
            return {**update, **self._answered(state, context), "progress": None, "tool_result": text}
        if following:
            update["tool_choice"] = following["tool_choice"]
        return {**update, **answered, "progress": following, "tool_result": text}

    def _say_nothing_found(
        self, progress: PipelineProgress, levels: Sequence[Level], result: Mapping[str, Any], context: TurnContext
    ) -> None:
        """That nothing was found, which is neither summed up nor worth a file; of a file only where one was wished."""
        for level in levels:
            if not tool_pipeline.is_last_answer(progress):
                self._write_without_model(level, result, context)
            if "save_file" in progress["tool_pipeline"]:
                model_replies.new_paragraph(context, level.name)
                model_replies.emit_words(context, self._fallbacks.messages.unsaved, level.name)

    def _is_told_by_rules(self, state: ChatState, update: ChatState) -> bool:
        return self._models is None or state["by_rules"] or bool(update.get("by_rules"))

    async def after_levels(self, state: ChatState) -> Literal["run_tool", "remember"]:
        return "run_tool" if state["progress"] is not None else "remember"

    async def _write_level(
        self, level: Level, result: Mapping[str, Any], state: ChatState, context: TurnContext
    ) -> Failure | None:
        """Write the answer at one level, by a model or from the tool's result. Returns why the model failed."""
        failure: Failure | None = None
        if self._models is not None and not state["by_rules"] and not result.get("as_it_is"):
            try:
                await self._stream_model_answer(self._models, level, result, state, context)
            except MODEL_FAILURES as error:
                failure = error
            else:
                return None
        self._write_without_model(level, result, context)
        return failure

    def _write_without_model(self, level: Level, result: Mapping[str, Any], context: TurnContext) -> None:
        model_replies.new_paragraph(context, level.name)
        model_replies.emit_words(context, without_markup(self._levels.text_without_model(level, result)), level.name)

    async def _stream_model_answer(
        self,
        models: Models,
        level: Level,
        result: Mapping[str, Any],
        state: ChatState,
        context: TurnContext,
    ) -> None:
        speech = stream_reply(
            models,
            level.prompt,
            self._levels.variables(state["message"], result),
            context.budget or models.budget(),
            silence=self._config.seconds.silence,
            before=model_replies.history_messages(state),
            role=self._levels.model(state["difficulty"]),
            spawn=context.spawn,
        )
        try:
            said = [state["message"], state.get("summary", ""), *(one["text"] for one in state.get("history", []))]
            known = known_figures([result], said)
            about = TextRequirements(
                self._gate.longest("assistant"),
                speech="polite",
                tells=lambda text: claims_unknown_figure(text, known),
                korean=_HANGUL.search(state["message"]) is not None,
            )
            await model_replies.stream_through_gate(speech, GateStream(self._gate, "adult", about), context, level.name)
        finally:
            if self._prompts is not None and context.run is not None:
                await self._prompts.write(context.run.run_id, level.name, speech)
        model_replies.emit_words(context, self._levels.note(result), level.name)

    def _answered(self, state: ChatState, context: TurnContext) -> ChatState:
        """Both levels' answers; the higher one is the answer of the turn."""
        lower, higher = self._levels.level_pair(state["difficulty"])
        answers = {level.name: context.text(level.name) for level in (lower, higher)}
        return {"final_answers": answers, "final_answer": answers[higher.name], "answer": answers[higher.name]}


def _told_of(board: JsonObject) -> Sequence[str]:
    """The ids of the children that the records told of last."""
    children: Sequence[str] = (board.get(RECORDS) or {}).get("children", ())
    return children


def _with_beside(adults: AdultBoard | None, beside: str) -> AdultBoard | None:
    """The board with what was told beside the advice, for the next turn not to tell it again."""
    return replace(adults or AdultBoard(), beside=beside) if beside else adults


def _is_unheard(question: JsonObject, felt: str, *, alone: bool) -> bool:
    """Whether a question about records says nothing new of the child that is `alone` spoken of, or is one by some words
    of a message with a feeling."""
    by_some_words = question["fault"] == "absent" or (bool(question["notes"]) and not question["measure"])
    return (question["fault"] == "same" and alone) or (by_some_words and felt != "")


def _of_papers(pipeline: Sequence[ToolName], named: str, before: JsonObject, *, again: bool) -> JsonObject:
    """The part of the board with the answer that named papers. `named`: that answer."""
    if "search_paper" in pipeline and not again:
        return {PAPERS: ""}
    return {PAPERS: named} if again or (PAPERS in before and pipeline[0] in _OF_AN_ANSWER) else {}


def _progress(state: ChatState) -> PipelineProgress:
    progress = state["progress"]
    if progress is None:
        raise ValueError("no tool is at work")
    return progress


def _shown(outcome: Outcome) -> JsonObject:
    """A result as the event shows it: without the texts that the answer is written from."""
    if outcome.result is None:
        return {"error": outcome.message, "why": outcome.why}
    return {name: value for name, value in outcome.result.items() if name not in _TEXTS}


def _outcome(state: ChatState) -> Outcome:
    return Outcome(**(state["outcome"] or {}))
