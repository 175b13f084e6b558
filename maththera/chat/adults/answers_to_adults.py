"""What adults are told of an expression that a message holds, of one child by its records, of a group and a class; what
stands beside advice; and what is said where nothing is understood."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from maththera.chat.adults.adult_board import AdultBoard, older
from maththera.chat.adults.adult_request import AdultAnswer, AdultRequest, SpokenOf
from maththera.chat.adults.child_questions import of_one
from maththera.chat.adults.class_questions import (
    NOT_PUBLISHED,
    class_table,
    columns_named,
    group_of,
    into_group,
    kinds_of_group,
    publishes,
    wants_column,
    wants_group,
    wants_into_group,
    wants_table,
)
from maththera.chat.adults.expression_answers import (
    SpokenExpression,
    expression_named,
    first_step,
    more_of_expression,
    of_expression,
)
from maththera.chat.adults.not_understood import (
    TOLD_NAMED,
    ChangesTold,
    Near,
    beside_advice,
    can_be_changed,
    met,
    near_questions,
    said_again,
    said_of,
)
from maththera.chat.coach.hidden_answers import OpenTasks
from maththera.chat.messages.chat_tools import Asker
from maththera.chat.records.child_record import Child
from maththera.chat.records.problem_kinds import ProblemKinds
from maththera.chat.records.record_tool import RecordQuestions
from maththera.json_types import JsonObject

_GROUPING: Final = "grouping"
"""The subject of configs/chat/assistant/subjects.yaml for questions about grouping children."""
_OF_ALL: Final = re.compile(r"우리\s*반|반\s*(?:전체|애들|아이들)|수업|학급|아이들|애들")
_OF_LEARNING: Final = re.compile(
    r"수학|셈|계산|문제|연습|숙제|공부|풀|틀[리렸릴린려렷]|덧|뺄|빼기|곱|구구|나눗|[올내]림|시키|시켜|가르|도와|해\s*주|하면|뭐|뭘|어떻|어떡|손가락|느[려리]|빨[리라]|실수|까먹|잊|놀이|게임|칭찬|싫|울|하루|얼마나|단계|검사|\d\s*분"
)
"""Matches a message about learning, to which a child's records may have something to say."""
_CLASS: Final = 12
"""The most children whose records are read if a message names none."""
_SUBJECTS: Final[dict[str, str]] = {"x": "times", "/": "", "+": "carry", "-": "borrow"}


@dataclass(frozen=True, slots=True)
class _Question:
    """A message, the board after the previous turn, and the child that the conversation is about. `of_records`: the
    previous answer came from records, and not as a table."""

    request: AdultRequest
    board: AdultBoard
    about: str | None
    of_records: bool

    @property
    def text(self) -> str:
        return self.request.text

    @property
    def several(self) -> bool:
        """Whether the adult may read of several children and names none."""
        return len(self.request.names) > 1 and not self.request.named

    async def children(self) -> list[Child]:
        """Those that the message may be about: the ones it names, the one spoken of, or all of a class."""
        chosen = [*self.request.named] or ([self.about] if self.about else [*self.request.names][:_CLASS])
        return [await self.request.child(one) for one in chosen]


@dataclass(frozen=True, slots=True)
class AnswersToAdults:
    """Answers by rules, from an expression and from the records of the children whom an adult may read of."""

    kinds: ProblemKinds
    changes: ChangesTold
    records: RecordQuestions
    tasks: OpenTasks

    async def answer(
        self, asker: Asker, message: str, before: AdultBoard | None, records: JsonObject | None
    ) -> AdultAnswer | None:
        """None for a message that is about none of it. `records`: the question of records that the turn before asked.
        Raises StoreUnavailable."""
        answer = await self._answer(asker, message, before, of_records=records is not None)
        if answer is None:
            return None
        question, _ = await self.records.read(asker, message, records)
        return replace(answer, question=question) if question and not question["fault"] else answer

    async def _answer(
        self, asker: Asker, message: str, before: AdultBoard | None, *, of_records: bool
    ) -> AdultAnswer | None:
        if await self.records.names_another(asker, message):
            return None
        request, board = await self._request(asker, message, before), older(before)
        if request.role == "teacher" and publishes(message):
            return AdultAnswer(NOT_PUBLISHED, board)
        question = self._question(request, board or AdultBoard(), of_records=of_records)
        for told in (self._of_expression, _more_of_expression, _group, _into_group, _table, _of_one):
            if (answer := await told(question)) is not None:
                return answer
        return None

    async def _request(self, asker: Asker, message: str, board: AdultBoard | None) -> AdultRequest:
        known = await self.records.names(asker)
        return AdultRequest(asker, message, known.names, known.mentioned(message), SpokenOf(board), self.records)

    def _question(self, request: AdultRequest, board: AdultBoard, *, of_records: bool) -> _Question:
        several = len(request.named) > 1
        about = None if several else request.about or board.spoken_of
        board = replace(board, spoken_of=about) if about else board
        return _Question(request, board, about, of_records and board.table is None)

    async def _of_expression(self, question: _Question) -> AdultAnswer | None:
        """What is said of the expression that a message names; of one that the child has before it the first step."""
        if not expression_named(question.text):
            return None
        found = of_expression(question.text, await question.children(), question.board.expression)
        if found is None:
            return None
        opened = await self.tasks.of_child(question.request.asker)
        if opened is not None and opened.expression == found[0].problem.expression:
            return AdultAnswer(first_step(opened), question.board)
        return _with_expression(question.board, *found)

    async def beside(self, asker: Asker, message: str, told_of: Sequence[str], board: AdultBoard | None) -> str:
        """What the records of the one child that is spoken of tell beside advice; "" where none is. `told_of`: the
        children that the records told of last. Raises StoreUnavailable."""
        request = await self._request(asker, message, board)
        about = request.about or request.board.spoken_of or (told_of[0] if len(told_of) == 1 else None)
        of_learning = _OF_LEARNING.search(message) and not _OF_ALL.search(message)
        if about is None or len(request.named) > 1 or not of_learning:
            return ""
        return beside_advice(self.kinds, message, await request.child(about))

    async def not_understood(self, asker: Asker, message: str, board: AdultBoard | None, near: Sequence[Near]) -> str:
        """What is said where nothing is understood. `near`: questions that have an answer, the nearest first. Raises
        StoreUnavailable."""
        request = await self._request(asker, message, board)
        if change := self.can_be_changed(message, board):
            return change
        if request.board.lost_before:
            return said_again(message)
        if felt := met(message):
            return felt
        if near and (not request.named or near[0].share >= TOLD_NAMED):
            return near_questions(message, near)
        about = request.about or request.board.spoken_of
        return said_of(self.kinds, message, await request.child(about) if about else None)

    def can_be_changed(self, message: str, board: AdultBoard | None) -> str:
        """What can be changed of what was made last, for a message that seems to wish a change; "" for another."""
        return can_be_changed(self.changes, message, board)


async def _more_of_expression(question: _Question) -> AdultAnswer | None:
    """What is asked more of the expression that is spoken of."""
    children = [await question.request.child(question.about)] if question.about else []
    found = more_of_expression(question.text, question.board.expression, children)
    return _with_expression(question.board, *found) if found else None


def _with_expression(board: AdultBoard, hand: SpokenExpression, told: str) -> AdultAnswer:
    problem = hand.problem
    subject = _SUBJECTS[problem.op] if problem.op == "x" or problem.carries else ""
    return AdultAnswer(told, replace(board, expression=hand), subject)


async def _group(question: _Question) -> AdultAnswer | None:
    """Whom to put into a group."""
    if not question.several or not wants_group(question.text):
        return None
    kinds = kinds_of_group(question.text)
    children = [await question.request.child(one) for one in [*question.request.names][:_CLASS]]
    return AdultAnswer(group_of(kinds, children), replace(question.board, group=kinds), _GROUPING)


async def _into_group(question: _Question) -> AdultAnswer | None:
    """Whether the child that is named should be in the group."""
    named, kinds = question.request.named, question.board.group
    if len(named) != 1 or kinds is None or not wants_into_group(question.text):
        return None
    return AdultAnswer(into_group(kinds, await question.request.child(named[0])), question.board, _GROUPING)


async def _table(question: _Question) -> AdultAnswer | None:
    """A table of a class, or another column of it."""
    board, text = question.board, question.text
    if question.request.role != "teacher" or question.of_records or not question.several or board.made is not None:
        return None
    if not wants_table(text) and (board.table is None or not wants_column(text)):
        return None
    columns = tuple(dict.fromkeys([*(board.table or ()), *columns_named(text)]))
    children = [await question.request.child(one) for one in question.request.names]
    return AdultAnswer(class_table(children, columns), replace(board, table=columns))


async def _of_one(question: _Question) -> AdultAnswer | None:
    """What is asked or claimed of the one child that is spoken of."""
    told = of_one(question.text, await question.request.child(question.about)) if question.about else ""
    return AdultAnswer(told, question.board) if told else None
