"""What is said of an expression that a message holds, of a child by its records, and of whom to put into a group."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from pydantic import TypeAdapter

from maththera.chat.coach.hidden_answers import OpenTasks
from maththera.chat.coach.learner_facts import KindId
from maththera.chat.making.child_questions import (
    class_table,
    columns_named,
    group_of,
    into_group,
    kinds_of_group,
    of_one,
    publishes,
    wants_column,
    wants_group,
    wants_into_group,
    wants_table,
)
from maththera.chat.making.children import Child, child_of
from maththera.chat.making.expressions import (
    InHand,
    expression_named,
    first_step,
    more_of_expression,
    of_expression,
)
from maththera.chat.making.maker import LOST_BEFORE, Made, grown_old
from maththera.chat.making.not_understood import (
    TOLD_NAMED,
    Near,
    beside_advice,
    can_be_changed,
    near_questions,
    said_again,
    said_of,
)
from maththera.chat.making.notes import NoteBook
from maththera.chat.messages.chat_tools import Asker
from maththera.chat.records.record_tool import RecordQuestions
from maththera.json_types import JsonObject

_HAND: Final = TypeAdapter(InHand)
_EXPRESSION, _GROUP, _ABOUT = "expression", "group", "spoken_of"
"""Parts of the board, beside what was made last: the expression, the kinds of a group, the child spoken of."""
_GROUPING: Final = "grouping"
"""The subject of configs/chat/subjects.yaml that is spoken of then."""
_TABLE: Final = "table"
"""The part with the columns of a table that was shown."""
_NOT_PUBLISHED: Final = (
    "아니요, 권하지 않아요. 점수와 기록은 아이의 개인 정보이고, 이름을 빼도 몇 명 안 되는 반에서는 누구인지 "
    "알 수 있어요. 낮은 점수를 본 아이가 "
    "상처받기도 쉬워요. 대신 요즘 함께 배우는 것, 집에서 하는 5분 활동, 반 전체를 칭찬하는 말을 실어 "
    "보세요. 글이 필요하시면 "
    '"소식지 글 써 줘"라고 말씀해 주세요.'
)
_OF_ALL: Final = re.compile(r"우리\s*반|반\s*(?:전체|애들|아이들)|수업|학급|아이들|애들")
_OF_LEARNING: Final = re.compile(
    r"수학|셈|계산|문제|연습|숙제|공부|풀|틀[리렸릴린려렷]|덧|뺄|빼기|곱|구구|나눗|[올내]림|시키|시켜|가르|도와|해\s*주|하면|뭐|뭘|어떻|어떡|손가락|느[려리]|빨[리라]|실수|까먹|잊|놀이|게임|칭찬|싫|울|하루|얼마나|단계|검사|\d\s*분"
)
"""Of what the records of a child may tell something."""
_CLASS: Final = 12
"""Children whose records are looked at where a message names none."""
_SUBJECTS: Final[dict[str, str]] = {"x": "times", "/": "", "+": "carry", "-": "borrow"}


@dataclass(frozen=True, slots=True)
class Teller:
    book: NoteBook
    records: RecordQuestions
    tasks: OpenTasks

    async def answer(self, asker: Asker, message: str, board: JsonObject) -> Made | None:
        """None for a message that is about none of it. `board`: of the turn before. Raises StoreUnavailable."""
        made = await self._told(asker, message, board)
        if made is None:
            return None
        question, _ = await self.records.read(asker, message, board.get("records"))
        return replace(made, question=question) if question and not question["fault"] else made

    async def _told(self, asker: Asker, message: str, before: JsonObject) -> Made | None:
        known = await self.records.names(asker)
        names, named = known.names, known.mentioned(message)
        board = grown_old(before.get("made")) or {}
        if await self.records.names_another(asker, message):
            return None
        if asker.principal.role == "teacher" and publishes(message):
            return Made(_NOT_PUBLISHED, board)
        about = named[0] if len(named) == 1 else None if named else asker.student_id or board.get(_ABOUT)
        if about:
            board = {**board, _ABOUT: about}
        hand = _HAND.validate_python(board[_EXPRESSION]) if board.get(_EXPRESSION) else None
        if expression_named(message):
            return await self._of_expression(asker, message, board, hand, await self._children(names, named, about))
        if found := more_of_expression(message, hand, [await self._child(names, about)] if about else []):
            return self._made(found, board)
        if len(names) > 1 and not named and wants_group(message):
            kinds = kinds_of_group(message)
            children = [await self._child(names, one) for one in list(names)[:_CLASS]]
            return Made(group_of(kinds, children), {**board, _GROUP: [*kinds]}, _GROUPING)
        if len(named) == 1 and _GROUP in board and wants_into_group(message):
            group: tuple[KindId, ...] = tuple(board[_GROUP])
            return Made(into_group(group, await self._child(names, named[0])), board, _GROUPING)
        of_records = "records" in before and _TABLE not in board
        if (
            asker.principal.role == "teacher"
            and not of_records
            and (of_class := await self._of_class(message, board, names, named))
        ):
            return of_class
        if about and (told := of_one(message, await self._child(names, about))):
            return Made(told, board)
        return None

    async def _of_class(
        self, message: str, board: JsonObject, names: dict[str, str], named: Sequence[str]
    ) -> Made | None:
        """A table of a class, or another column of it."""
        columns = board.get(_TABLE)
        more = columns is not None and wants_column(message)
        if named or len(names) < 2 or not (more or wants_table(message)) or board.get("what"):
            return None
        wanted = [*dict.fromkeys([*(columns or ()), *columns_named(message)])]
        children = [await self._child(names, one) for one in names]
        return Made(class_table(children, wanted), {**board, _TABLE: wanted})

    async def beside(self, asker: Asker, message: str, board: JsonObject) -> str:
        """What the records of the one child that is spoken of tell beside advice; "" where none is. Raises
        StoreUnavailable."""
        known = await self.records.names(asker)
        named = known.mentioned(message)
        told_of = (board.get("records") or {}).get("children", ())
        spoken_of = asker.student_id or (board.get("made") or {}).get(_ABOUT)
        about = named[0] if named else spoken_of or (told_of[0] if len(told_of) == 1 else None)
        if about is None or len(named) > 1 or not _OF_LEARNING.search(message) or _OF_ALL.search(message):
            return ""
        return beside_advice(self.book, message, await self._child(known.names, about))

    async def lost(self, asker: Asker, message: str, made: JsonObject | None, near: Sequence[Near]) -> str:
        """What is said where nothing is understood. `made`: the board of what was made last; `near`: questions that
        have an answer, the nearest first. Raises StoreUnavailable."""
        known = await self.records.names(asker)
        names, named = known.names, known.mentioned(message)
        about = named[0] if named else asker.student_id or (made or {}).get(_ABOUT)
        child = await self._child(names, about) if about else None
        if change := can_be_changed(self.book, message, made):
            return change
        if (made or {}).get(LOST_BEFORE):
            return said_again(message)
        if near and (not named or near[0].share >= TOLD_NAMED):
            return near_questions(message, near)
        return said_of(self.book, message, child)

    def can_be_changed(self, message: str, made: JsonObject | None) -> str:
        """What can be changed of what was made last, for a message that seems to wish a change; "" for another."""
        return can_be_changed(self.book, message, made)

    async def _of_expression(
        self, asker: Asker, message: str, board: JsonObject, hand: InHand | None, children: Sequence[Child]
    ) -> Made | None:
        if (found := of_expression(message, children, hand)) is None:
            return None
        opened = await self.tasks.of_child(asker)
        if opened is not None and opened.expression == found[0].problem.expression:
            return Made(first_step(opened), board)
        return self._made(found, board)

    def _made(self, found: tuple[InHand, str], board: JsonObject) -> Made:
        problem = found[0].problem
        subject = _SUBJECTS[problem.op] if problem.op == "x" or problem.carries else ""
        return Made(found[1], {**board, _EXPRESSION: _HAND.dump_python(found[0], mode="json")}, subject)

    async def _children(self, names: dict[str, str], named: Sequence[str], about: str | None) -> list[Child]:
        """Those that a message may be about: the ones it names, the one spoken of, or all of a class."""
        chosen = [*named] or ([about] if about else [*names][:_CLASS])
        return [await self._child(names, one) for one in chosen]

    async def _child(self, names: dict[str, str], student_id: str) -> Child:
        return await child_of(self.records, student_id, names)
