"""Plans that adults ask for, and their changes: for whom they are, and what is on the board then."""

import re
from dataclasses import dataclass
from typing import Final

from maththera.chat.adults.adult_board import AdultBoard
from maththera.chat.adults.adult_request import KINDS_OF_SUBJECTS, AdultAnswer, AdultRequest
from maththera.chat.plans.plan_changes import changed_plan
from maththera.chat.plans.plan_texts import PlanWriter
from maththera.chat.plans.plans import Plan, plan_wanted

_HOW_LONG: Final = re.compile(
    r"(?:하루|한\s*번|매일)\S{0,2}\s*(?:에\s*)?(?:몇\s*분|얼마나)(?!\S*\s*(?:시키|하는\s*게|해야|좋|적당))|^\W*몇\s*분"
)
"""Of the time that the plan in hand takes: 하루에 몇 분씩이에요?"""


@dataclass(frozen=True, slots=True)
class PlanRequests:
    """Answers that are plans. Its methods raise StoreUnavailable."""

    writer: PlanWriter

    async def new(self, request: AdultRequest) -> AdultAnswer | None:
        """A plan for the child or the children that a message is about, for all where it names none."""
        about = request.about_or_told
        weak = KINDS_OF_SUBJECTS.get(request.before.subject) or (await request.child(about)).focus.kind
        plan = plan_wanted(self.writer.book, request.text, _for_whom(request), request.board.minutes, weak)
        return await self._answer(request, plan) if plan else None

    async def changed(self, request: AdultRequest, plan: Plan) -> AdultAnswer | None:
        """The plan that was made last as a message wants it otherwise."""
        if _HOW_LONG.search(request.text):
            days = f", {len(plan.days)}일" if plan.days else ""
            said = f"이 계획은 하루 {plan.minutes}분씩{days}이에요. '하루 5분으로 바꿔 줘'라고 하시면 바꾸어 드려요."
            return await self._answer(request, plan, said)
        found = changed_plan(self.writer.book, plan, request.text, request.named)
        return await self._answer(request, *found) if found else None

    async def _answer(self, request: AdultRequest, plan: Plan, said: str = "") -> AdultAnswer:
        """`said`: in place of the plan."""
        children = {one: await request.child(one) for one in plan.children}
        about = plan.children[0] if len(plan.children) == 1 else None
        subject = plan.lesson if plan.lesson in KINDS_OF_SUBJECTS else None
        return AdultAnswer(said or self.writer.text(plan, children), AdultBoard(plan, about), subject or "")


def _for_whom(request: AdultRequest) -> tuple[str, ...]:
    if request.named:
        return tuple(request.named)
    about = None if request.means_all else request.about_or_told
    return (about,) if about else tuple(request.names)
