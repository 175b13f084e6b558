"""The children of classes, as the reports on their classes have them."""

import asyncio
import time
from collections.abc import Callable, Mapping, Sequence
from typing import Final, NamedTuple

from maththera.learner_model.goals import Goals
from maththera.reports.class_report import Classmate, classmate
from maththera.reports.records import ChildRecords, Sources, Span
from maththera.store.answer_history import Answer, AnswerHistory
from maththera.store.database import Database
from maththera.store.goals import Goal, GoalRecords
from maththera.store.lesson_sessions import ChapterSession
from maththera.store.lessons import LessonRecords
from maththera.store.review_queue import OpenCounts

_KEPT_SECONDS: Final = 900.0
"""A child that has been erased is in no memory after that."""
_MOST: Final = 1_000


class _Told(NamedTuple):
    """All that a classmate is worked out from, besides the days; the answers by their version."""

    version: str
    chapters: Sequence[ChapterSession]
    goals: Sequence[Goal]
    waiting: OpenCounts


class _Kept(NamedTuple):
    told: _Told
    since: float
    classmate: Classmate


class Classmates:
    """What a report needs of each child. It is kept for the days that were asked for, and worked out again only for a
    child who has new records: a teacher goes from the class to a child and back."""

    def __init__(self, database: Database, sources: Callable[[], Sources]) -> None:
        self._database, self._sources = database, sources
        self._history = AnswerHistory(database)
        self._kept: dict[tuple[str, Span], _Kept] = {}

    async def of(self, students: Sequence[str], span: Span, waiting: Mapping[str, OpenCounts]) -> list[Classmate]:
        """In the order of `students`; `waiting`: their open entries of the review queue. Raises StoreUnavailable."""
        self._forget()
        versions = await self._history.versions(students)  # first: what is recorded from now on makes it another one
        chapters = await LessonRecords(self._database).chapter_sessions(students)
        goals = await GoalRecords(self._database).of_students(students)
        told = {
            one: _Told(versions[one], chapters[one], goals[one], waiting.get(one, OpenCounts())) for one in students
        }
        found = {
            one: kept.classmate
            for one in students
            if (kept := self._kept.get((one, span))) is not None and kept.told == told[one]
        }
        fresh = [one for one in told if one not in found]
        if fresh:
            _, after = span.bounds
            answers = await self._history.answers_of(fresh, until=after)
            found |= await asyncio.to_thread(
                lambda: {one: self._worked_out(one, span, answers[one], told[one]) for one in fresh}
            )
            now = time.monotonic()
            self._kept |= {(one, span): _Kept(told[one], now, found[one]) for one in fresh}
        return [found[one] for one in students]

    def _worked_out(self, student_id: str, span: Span, answers: Sequence[Answer], told: _Told) -> Classmate:
        sources = self._sources()
        records = ChildRecords(student_id, span, sources, answers, told.chapters, told.goals)
        goals = Goals(GoalRecords(self._database), self._history, sources.model, sources.bank)
        return classmate(records, goals.figures(records.goals, answers, span.until), told.waiting)

    def _forget(self) -> None:
        """The oldest come first, for who is worked out anew is put at the end."""
        least = time.monotonic() - _KEPT_SECONDS
        for key, kept in [*self._kept.items()]:
            if kept.since >= least and len(self._kept) <= _MOST:
                break
            del self._kept[key]
