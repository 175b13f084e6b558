"""The open tasks of a child that chats, and what of a turn must not reach it because of them."""

from collections.abc import Awaitable, Callable, Sequence
from dataclasses import dataclass
from typing import Any, Final, TypeAlias

from maththera.chat.coach_knowledge import Knowledge
from maththera.chat.tools import Asker
from maththera.learners.database import Database
from maththera.words.open_answers import OpenAnswer, OpenAnswers
from maththera.words.open_tasks import open_answers

Quizzes: TypeAlias = Callable[[str], Awaitable[list[OpenAnswer]]]
"""The open questions of a student's lessons."""

_LEFT_OUT: Final = "…"


async def no_quizzes(_: str) -> list[OpenAnswer]:
    """Where there are no lessons."""
    return []


@dataclass(frozen=True, slots=True)
class Hidden:
    """The open answers of one turn. `asked`: its message. `wanted`: the one that it asks for, guesses at or wants help
    with."""

    words: OpenAnswers
    opened: Sequence[OpenAnswer]
    asked: str

    @property
    def wanted(self) -> OpenAnswer | None:
        return self.words.wanted(self.asked, self.opened)

    def tells(self, text: str) -> bool:
        """Whether a text tells one of them."""
        return any(self.words.tells(text, one, self.asked) for one in self.opened)

    def cleared(self, value: Any) -> Any:
        """Plain JSON without the texts that tell one."""
        if isinstance(value, str):
            return _LEFT_OUT if self.tells(value) else value
        if isinstance(value, dict):
            return {name: self.cleared(each) for name, each in value.items()}
        return [self.cleared(each) for each in value] if isinstance(value, list) else value


class OpenTasks:
    """Raises StoreUnavailable, and what `quizzes` raises."""

    def __init__(self, database: Database, known: Knowledge, quizzes: Quizzes = no_quizzes) -> None:
        self._database, self._known, self._quizzes = database, known, quizzes

    async def hidden(self, asker: Asker, message: str) -> Hidden:
        """Nothing is hidden from adults."""
        opened: list[OpenAnswer] = []
        if asker.student_id is not None and asker.principal.role == "student":
            opened = await open_answers(self._database, self._known.bank, asker.student_id)
            opened += await self._quizzes(asker.student_id)
        return Hidden(self._known.open_answers, opened, message)
