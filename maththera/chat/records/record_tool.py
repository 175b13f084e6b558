"""Questions about records answered from the answers of the caller's own learners."""

import asyncio
import re
from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from datetime import UTC, date, datetime, timedelta
from typing import Final

from pydantic import TypeAdapter

from maththera.arithmetic.problem import Problem
from maththera.chat.coach.message_shapes import named_people
from maththera.chat.messages.chat_tools import Asker
from maththera.chat.records.figure_texts import FigureTexts
from maththera.chat.records.follow_up_questions import alike_in_cause
from maththera.chat.records.record_answers import RecordAnswerer
from maththera.chat.records.record_figures import RecordedAnswer, narrowed, procedures, restricted, within
from maththera.chat.records.record_question import Measure, RecordQuestion, Span, Told, Wish
from maththera.chat.records.record_reader import Reader
from maththera.chat.records.record_words import RecordWords
from maththera.json_types import JsonObject
from maththera.korean.dates import KOREA, Period
from maththera.korean.word_lists import usual_spelling
from maththera.learner_model.cause_texts import CauseTexts
from maththera.learner_model.error_patterns import shown_causes, stated_causes
from maththera.store.answer_history import Answer, AnswerHistory
from maththera.store.child_names import ChildNames
from maththera.store.database import StoreUnavailable
from maththera.store.sql_views import SqlViews
from maththera.store.students import StudentRecords

_OF_A_CHILD: Final = re.compile(
    r"어때|어떤가|몇|얼마나|맞았|틀[리렸려]|어려워|힘들어|실수|약[하한해]|잘\s*[하해]|못\s*[하해]|보다|점수|기록|정답률|풀었"
)
_LATELY: Final = 10
"""How many days back to look if someone asks who practises less lately."""
_QUESTION: Final = TypeAdapter(RecordQuestion)


def _is_guardian(asker: Asker) -> bool:
    return asker.principal.role == "guardian"


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(frozen=True, slots=True)
class RecordQuestions:
    """`problem`: the problem of an id. Raises StoreUnavailable. `now` is replaced in tests."""

    words: RecordWords
    causes: CauseTexts
    problem: Callable[[str], Problem | None]
    history: AnswerHistory
    students: StudentRecords
    views: SqlViews
    now: Callable[[], datetime] = _now

    async def read(self, asker: Asker, message: str, before: JsonObject | None) -> tuple[JsonObject | None, bool]:
        """The question in a message, in the light of the question before (None if it asks nothing about records), and
        whether it names one of the caller's learners."""
        names = await self.called(asker)
        asked = None if before is None else _QUESTION.validate_python(before)
        reader = self._reader(asker, names)
        # Either may load what it goes by: the analyser, the lists of spellings.
        named = bool(await asyncio.to_thread(reader.learners, message))
        reading = await asyncio.to_thread(reader.read, message, asked)
        if reading is None:
            return None, named
        question = reading.question
        if reading.place is not None and asked is not None:
            row = self._answerer(asker, names).row_at(
                asked, await self._recorded(asker, asked, list(names)), reading.place
            )
            question = narrowed(question, asked.by, row)
        found: JsonObject = _QUESTION.dump_python(question, mode="json")
        return found, named

    async def mistakes(self, asker: Asker, asked: JsonObject) -> tuple[int, int, str]:
        """How many answers a question is about, how many are wrong, and their commonest cause."""
        question = _QUESTION.validate_python(asked)
        found = await self._found(asker, question)
        counted = restricted(found, question.only, correct=False)
        wrong = [each for each in counted if not each.correct] or [each for each in found if not each.correct]
        causes = Counter(each.cause for each in wrong if each.cause)
        return len(found), len(wrong), next((str(tag) for tag, _ in causes.most_common(1)), "")

    async def again(self, asker: Asker, message: str, before: JsonObject | None, wish: Wish) -> JsonObject | None:
        """Another wish about the answers of the question before, or about the learner that is meant; None if no learner
        is meant, or if this was just told."""
        names = await self.called(asker)
        reader = self._reader(asker, names)
        named = await asyncio.to_thread(reader.learners, message)
        base = _QUESTION.validate_python(before) if before else None
        if wish == "first":
            several = base.children if base and len(base.children) > 1 else ()
            of_all = RecordQuestion(wish, "percent", children=several, spans=base.spans if base else (), by="child",
                                    order="least")  # fmt: skip
            found: JsonObject = _QUESTION.dump_python(of_all, mode="json")
            return found
        if base is None and not (named or reader.about):
            return None
        base = base or RecordQuestion(children=named or ((reader.about,) if reader.about else ()))
        base = await self._of_first(asker, base)
        measure: Measure = "right" if base.measure == "right" and wish == "problems" else "wrong"
        only = replace(base.only, correct=True) if measure == "right" else base.only
        only = alike_in_cause(only) if wish == "often" else only
        question = RecordQuestion(wish, measure, children=named or base.children, mentioned=base.mentioned,
                                  spans=base.spans, only=only)  # fmt: skip
        told = base.wish == wish and question.children == base.children and question.only == base.only
        return None if told else _QUESTION.dump_python(question, mode="json")

    async def told_of(
        self, asker: Asker, message: str, before: JsonObject | None, told: Told, *, if_none: bool
    ) -> JsonObject | None:
        """What the records say about the learner that a message means, by name or as the one mentioned before, or about
        a whole class; None if it means no learner. `if_none`: a message without a name means the whole class."""
        names = await self.called(asker)
        reader = self._reader(asker, names)
        children = await asyncio.to_thread(reader.learners, message)
        everybody = not children and (told == "first" or self.words.found("everybody", usual_spelling(message)))
        if not children and not everybody:
            base = await self._of_first(asker, _QUESTION.validate_python(before)) if before else None
            children = base.children if base else (reader.about,) if reader.about else ()
        if not children and (everybody or if_none):
            children = tuple(names)
        if not children or (told == "first" and len(children) == 1):
            return None
        if told == "first":
            return await self.again(asker, message, before, told)
        lately = Span(Period(self._today() - timedelta(days=_LATELY - 1), self._today()), "최근 열흘")
        question = RecordQuestion(told if told != "causes" else "figures", None if told == "days" else "wrong",
                                  children=children, by="cause" if told == "causes" else None,
                                  spans=(lately,) if told == "days" else ())  # fmt: skip
        found: JsonObject = _QUESTION.dump_python(question, mode="json")
        return found

    async def any(self, asker: Asker) -> bool:
        """Whether there are answers of anybody whom the caller may read of."""
        try:
            children = list(await self.called(asker))
            return any((await self.history.answers_of(children, None, None)).values())
        except StoreUnavailable:
            return False

    async def called(self, asker: Asker) -> dict[str, str]:
        """Id → name, for all children whose records the caller may read."""
        return (await self.names(asker)).names

    async def names(self, asker: Asker) -> ChildNames:
        """Name → id of these children, and the nicknames that fit more than one."""

        async def read() -> ChildNames:
            scope = await self.views.scope(asker.principal)
            return await self.students.names([child for child, _ in scope], asker.student_id)

        return await asker.once("names", read)

    async def names_another(self, asker: Asker, message: str) -> bool:
        """Whether a message asks about a child whose records the caller may not read."""
        if not _OF_A_CHILD.search(message):
            return False
        own = await self.names(asker)
        return bool(await asyncio.to_thread(named_people, message, own.spoken))

    def of_others(self) -> JsonObject:
        """A question that is refused because it is about someone else's child."""
        declined: JsonObject = _QUESTION.dump_python(RecordQuestion(fault="others"), mode="json")
        return declined

    def is_elsewhere(self, message: str) -> bool:
        """Whether a message speaks of papers, the web or words."""
        return bool(self.words.found("elsewhere", usual_spelling(message)))

    def asks_for_letter(self, message: str) -> bool:
        """Whether a message on its own asks for a text for a child's family."""
        return self.words.words.wishes["letter"].search(usual_spelling(message)) is not None

    async def answer(self, asker: Asker, asked: JsonObject) -> JsonObject:
        """The answer to a question, at all levels."""
        names, question = await self.called(asker), _QUESTION.validate_python(asked)
        recorded = [] if question.fault else await self._recorded(asker, question, list(names))
        told = self._answerer(asker, names).answers(question, recorded)
        return {
            "answers": told,
            "material": told["advanced"],
            "sources": [{"title": "학습 기록"}],
            "as_it_is": True,
        }

    async def _of_first(self, asker: Asker, question: RecordQuestion) -> RecordQuestion:
        """A question about the ranking of learners, turned into one about the first of them."""
        if question.by != "child" or not (question.order or question.rank):
            return question
        names = await self.called(asker)
        recorded = await self._recorded(asker, question, list(names))
        row = self._answerer(asker, names).row_at(question, recorded, question.rank or 1)
        return replace(narrowed(question, question.by, row), by=None, order=None, rank=None)

    async def _found(self, asker: Asker, question: RecordQuestion) -> list[RecordedAnswer]:
        """The answers of the learners and days in question."""
        question = await self._of_first(asker, question)
        recorded = await self._recorded(asker, question, list(await self.called(asker)))
        return within([each for each in recorded if not question.children or each.child in question.children],
                      question.spans)  # fmt: skip

    def _answerer(self, asker: Asker, names: Mapping[str, str]) -> RecordAnswerer:
        return RecordAnswerer(FigureTexts(self.words, names, self.causes), for_guardian=_is_guardian(asker))

    async def _recorded(self, asker: Asker, question: RecordQuestion, allowed: Sequence[str]) -> list[RecordedAnswer]:
        """The answers of the days in question; of all learners if all together are a row."""
        days = question.first_and_last_day()
        since = until = None
        if days is not None:
            since = datetime.combine(days[0], datetime.min.time(), KOREA).astimezone(UTC)
            until = datetime.combine(days[1] + timedelta(days=1), datetime.min.time(), KOREA).astimezone(UTC)
        wanted = () if question.whole else question.children
        children = [child for child in allowed if not wanted or child in wanted]
        found = await asker.once(
            ("answers", *children, since, until), lambda: self.history.answers_of(children, since, until)
        )
        return [
            self._recorded_answer(child, each, cause)
            for child, own in found.items()
            for each, cause in self._causes(asker, own)
            if each.correct is not None
        ]

    def _causes(self, asker: Asker, answers: Sequence[Answer]) -> Iterator[tuple[Answer, str | None]]:
        """A child's answers, each with its cause. Confirmed causes count as in pages and reports. Teachers also see a
        likely cause for an answer that has no confirmed one, unless that cause is confirmed for other answers."""
        problems = {each.problem_id: found for each in answers if (found := self.problem(each.problem_id or ""))}
        known = [each for each in answers if each.problem_id is None or each.problem_id in problems]
        stated, shown = stated_causes(known), iter(shown_causes(known, problems.__getitem__))
        for each in answers:
            cause = next(shown) if each.problem_id is None or each.problem_id in problems else None
            if cause is None and not _is_guardian(asker) and (suspected := self._suspected(each)) not in stated:
                cause = suspected
            yield each, cause

    def _suspected(self, answer: Answer) -> str | None:
        if answer.confidence in ("high", "medium"):
            return answer.cause_tag
        problem = self.problem(answer.problem_id) if answer.problem_id else None
        rules = () if answer.correct else procedures(problem, answer.given, answer.learned)
        return rules[0].causes[0].tag if rules else None

    def _recorded_answer(self, child: str, answer: Answer, cause: str | None) -> RecordedAnswer:
        problem = self.problem(answer.problem_id) if answer.problem_id else None
        return RecordedAnswer(
            child,
            answer.created_at.astimezone(KOREA),
            problem,
            answer.c_level,
            answer.given,
            bool(answer.correct),
            None if answer.rt_ms is None else answer.rt_ms / 1000,
            None if answer.correct else cause,
            answer.learned,
        )

    def _reader(self, asker: Asker, names: Mapping[str, str]) -> Reader:
        called = {name: child for child, name in names.items()} | {child: child for child in names}
        about = asker.student_id if asker.student_id in names else next(iter(names), None) if len(names) == 1 else None
        return Reader(self.words, called, self._today(), about, guardian=_is_guardian(asker))

    def _today(self) -> date:
        return self.now().astimezone(KOREA).date()
