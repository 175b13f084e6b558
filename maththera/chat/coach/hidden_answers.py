"""The open tasks of a child that chats, and what of a turn must not reach it because of them."""

from collections.abc import Awaitable, Callable
from typing import Final, TypeAlias

from maththera.arithmetic.problem import Problem
from maththera.chat.coach.coach_knowledge import Knowledge
from maththera.chat.messages.chat_tools import Asker
from maththera.chat.messages.turn_context import HiddenAnswers
from maththera.store.child_names import ChildNames
from maththera.store.database import Database
from maththera.store.students import StudentRecords
from maththera.words.answer_protection.open_answers import OpenAnswer, open_answers

_MOST_PUPILS: Final = 100
OpenQuizAnswers: TypeAlias = Callable[[str], Awaitable[list[OpenAnswer]]]
"""The open questions of a student's lessons."""


async def no_open_quizzes(_: str) -> list[OpenAnswer]:
    """No open questions: for a chat without lessons."""
    return []


class OpenTasks:
    """Raises StoreUnavailable, and what `quizzes` raises."""

    def __init__(self, database: Database, known: Knowledge, quizzes: OpenQuizAnswers = no_open_quizzes) -> None:
        self._database, self._known, self._quizzes = database, known, quizzes
        self._students = StudentRecords(database)

    async def names(self, asker: Asker) -> ChildNames:
        """What the learners are called whom the asker may ask about."""
        subjects = asker.principal.subject or ({asker.student_id} if asker.student_id else set())
        return await self._students.names(sorted(subjects)[:_MOST_PUPILS], asker.student_id)

    def problem(self, opened: OpenAnswer) -> Problem | None:
        """The problem of an open task; None for a lesson's question."""
        return self._known.problem(opened.problem_id)

    async def of_child(self, asker: Asker) -> Problem | None:
        """The newest open task of the learner that an adult asks about, if it is a problem."""
        if asker.student_id is None or asker.principal.role == "student":
            return None
        opened = await open_answers(self._database, self._known.bank, asker.student_id)
        return next((one for one in map(self.problem, opened) if one is not None), None)

    async def hidden_answers(self, asker: Asker, message: str) -> HiddenAnswers:
        """The open answers that a turn must not tell; none for an adult."""
        opened: list[OpenAnswer] = []
        if asker.student_id is not None and asker.principal.role == "student":
            opened = await open_answers(self._database, self._known.bank, asker.student_id)
            opened += await self._quizzes(asker.student_id)
        return HiddenAnswers(self._known.open_answers, opened, message)
