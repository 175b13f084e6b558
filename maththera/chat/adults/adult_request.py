"""A message of an adult with what is needed to answer it, and the answer."""

import re
from collections.abc import Awaitable, Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Final, TypeAlias

from maththera.chat.adults.adult_board import AdultBoard
from maththera.chat.adults.message_kinds import MessageKind
from maththera.chat.coach.learner_facts import KindId
from maththera.chat.messages.chat_tools import Asker
from maththera.chat.records.child_record import Child, child_of
from maththera.chat.records.record_tool import RecordQuestions
from maththera.json_types import JsonObject

KINDS_OF_SUBJECTS: Final[Mapping[str, KindId]] = {
    "borrow": "borrow",
    "zero": "borrow",
    "carry": "carry",
    "times": "times",
}
"""Subjects of configs/chat/assistant/subjects.yaml → the kind of problems that they are about."""
_OF_ALL: Final = re.compile(
    r"\d\s*반|우리\s*반|반\s*(?:전체|애들|아이들)|(?:세|네|다섯|여러)\s*명|모두|다\s*(?:와|옵|같이)"
)


@dataclass(frozen=True, slots=True)
class AdultAnswer:
    """`board`: for the next turn; `subject`: what is spoken of then, of `subjects.yaml`; `question`: of the
    records, which the next turn may go on with."""

    text: str
    board: AdultBoard | None
    subject: str = ""
    question: JsonObject | None = None


@dataclass(frozen=True, slots=True)
class SpokenOf:
    """What a message may go on with. `expression`: of the talk; `subject`: of `subjects.yaml`; `child`: of whom
    the records told last; `question`: of the turn before, None in the coach, which has games of its own; `kind`: what
    the message surely wants."""

    board: AdultBoard | None
    expression: str = ""
    subject: str = ""
    child: str | None = None
    question: str | None = None
    kind: MessageKind | None = None


@dataclass(frozen=True, slots=True)
class AdultRequest:
    """`names`: id → what a child is called, of all whom the adult may read; `named`: the ids of those that the message
    names; `before`: what was spoken of."""

    asker: Asker
    text: str
    names: Mapping[str, str]
    named: Sequence[str]
    before: SpokenOf
    records: RecordQuestions

    @property
    def role(self) -> str:
        return self.asker.principal.role

    @property
    def board(self) -> AdultBoard:
        """Of the turn before."""
        return self.before.board or AdultBoard()

    @property
    def about(self) -> str | None:
        """The child that the message names, or that the conversation is about."""
        return self.named[0] if self.named else self.asker.student_id

    @property
    def about_or_told(self) -> str | None:
        """The same; without it the child of whom the records told last, where the message means not all."""
        return self.about or (None if self.means_all else self.before.child)

    @property
    def means_all(self) -> bool:
        """Whether the message is about a whole class."""
        return _OF_ALL.search(self.text) is not None

    async def child(self, student_id: str | None) -> Child:
        """The child of an id, nobody for None. Raises StoreUnavailable."""
        return await child_of(self.records, student_id, self.names)


Maker: TypeAlias = Callable[[AdultRequest], Awaitable[AdultAnswer | None]]
"""Answers one kind of requests; None for another. Raises StoreUnavailable."""
UNANSWERED: Final = AdultAnswer("", None)
"""To a request that is of a maker's kind and that it cannot answer: none of the others is to try."""
