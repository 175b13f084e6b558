"""Goals of a child: set with a baseline, and how they stand by the child's unaided first tries."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, date, datetime
from typing import Final, Literal, TypedDict, cast
from uuid import uuid4

from maththera.arithmetic.problem_bank import Bank
from maththera.knowledge.knowledge import Word
from maththera.knowledge.model import KnowledgeModel
from maththera.korean.dates import spoken_day
from maththera.learner_model.recorded_knowledge import Try, recorded_knowledge, school_date, today, unaided_tries
from maththera.learner_model.skill_words import told_word
from maththera.store.answer_history import Answer, AnswerHistory
from maththera.store.goals import Goal, GoalRecords

Status = Literal["open", "reached", "missed"]

MOST_TRIES: Final = 20
_DAYS: Final = 2
"""One good day is no goal reached."""


class BadGoal(ValueError):
    """A goal that cannot be set: `field` is at fault."""

    def __init__(self, field: str, reason: str) -> None:
        super().__init__(reason)
        self.field = field


class Baseline(TypedDict):
    """How it stood on the day `on`: the right ones of the last tries, and the word for the skill."""

    on: str
    word: Word
    right: int
    tries: int


class GoalFigures(TypedDict):
    """A goal, in a sentence too, and how it stands: the right ones of the last tries since it was set, at most
    `out_of`; once it is reached, those of the day `reached_on`. Days are ISO dates."""

    goal_id: str
    skill_id: str
    name: str
    text: str
    right: int
    out_of: int
    due: str
    baseline: Baseline
    status: Status
    last_right: int
    last_tries: int
    reached_on: str | None


@dataclass(frozen=True, slots=True)
class Goals:
    """Every method raises StoreUnavailable when the database cannot be used."""

    records: GoalRecords
    history: AnswerHistory
    model: KnowledgeModel
    bank: Bank

    async def of_student(self, student_id: str) -> list[GoalFigures]:
        """The first due first."""
        goals = await self.records.of_student(student_id)
        return self.figures(goals, await self.history.answers(student_id) if goals else [], today())

    def figures(self, goals: Sequence[Goal], answers: Sequence[Answer], day: date) -> list[GoalFigures]:
        """How goals stand on a day, by the answers until then."""
        tries = unaided_tries(answers, self.model, self.bank) if goals else []
        return [self._figures(goal, tries, day) for goal in goals]

    async def add(self, student_id: str, skill_id: str, right: int, out_of: int, due: date) -> str:
        """Sets a goal with today's baseline; its id. BadGoal, GoalTaken."""
        self._check(skill_id, right, out_of, due)
        answers = await self.history.answers(student_id)
        knowledge = recorded_knowledge(answers, self.model, self.bank)
        last = _of_skill(unaided_tries(answers, self.model, self.bank), skill_id)[-out_of:]
        goal = Goal(
            goal_id=uuid4().hex,
            student_id=student_id,
            skill_id=skill_id,
            right=right,
            out_of=out_of,
            due=due.isoformat(),
            baseline_word=told_word(knowledge, skill_id),
            baseline_right=_right(last),
            baseline_tries=len(last),
            created_at=datetime.now(UTC),
        )
        await self.records.add(goal)
        return goal.goal_id

    async def change(
        self, student_id: str, goal_id: str, right: int | None, out_of: int | None, due: date | None
    ) -> bool:
        """Changes what is not None; the baseline stays. False where the child has no such goal. BadGoal, GoalTaken."""
        goal = next((one for one in await self.records.of_student(student_id) if one.goal_id == goal_id), None)
        if goal is None:
            return False
        right, out_of = right or goal.right, out_of or goal.out_of
        self._check(goal.skill_id, right, out_of, due)
        changed = due.isoformat() if due else goal.due
        return await self.records.change(student_id, goal_id, right=right, out_of=out_of, due=changed)

    def _check(self, skill_id: str, right: int, out_of: int, due: date | None) -> None:
        if skill_id not in self.model.skills.skills:
            raise BadGoal("skill_id", f"no skill; there are {', '.join(self.model.skills.skills)}")
        if right > out_of:
            raise BadGoal("right", f"at most out_of, which is {out_of}")
        if due is not None and due < today():
            raise BadGoal("due", "a day that is over")

    def _figures(self, goal: Goal, tries: Sequence[Try], day: date) -> GoalFigures:
        own = [one for one in _of_skill(tries, goal.skill_id) if one.answer.created_at >= goal.created_at]
        reached = next((window for window in _windows(own, goal.out_of) if _meets(window, goal)), None)
        last = reached or own[-goal.out_of :]
        status: Status = "missed" if day.isoformat() > goal.due else "open"
        name = self.model.skills[goal.skill_id].name
        return {
            "goal_id": goal.goal_id,
            "skill_id": goal.skill_id,
            "name": name,
            "text": goal_text(name, goal.right, goal.out_of, date.fromisoformat(goal.due)),
            "right": goal.right,
            "out_of": goal.out_of,
            "due": goal.due,
            "baseline": {
                "on": school_date(goal.created_at).isoformat(),
                "word": cast("Word", goal.baseline_word),
                "right": goal.baseline_right,
                "tries": goal.baseline_tries,
            },
            "status": "reached" if reached else status,
            "last_right": _right(last),
            "last_tries": len(last),
            "reached_on": reached[-1].day.isoformat() if reached else None,
        }


def goal_text(name: str, right: int, out_of: int, due: date) -> str:
    """A goal as a support plan has it."""
    return (
        f"{spoken_day(due)}까지 ‘{name}’ 문제를 도움 없이 처음 풀어, 이틀 이상에 걸쳐 푼 마지막 {out_of}문제 가운데 "
        f"{right}문제 이상을 맞힌다."
    )


def _windows(tries: Sequence[Try], size: int) -> list[Sequence[Try]]:
    return [tries[end - size : end] for end in range(size, len(tries) + 1)]


def _meets(window: Sequence[Try], goal: Goal) -> bool:
    days = {one.day for one in window}
    return _right(window) >= goal.right and len(days) >= _DAYS and window[-1].day.isoformat() <= goal.due


def _of_skill(tries: Sequence[Try], skill_id: str) -> list[Try]:
    return [one for one in tries if one.skill_id == skill_id]


def _right(tries: Sequence[Try]) -> int:
    return sum(one.right for one in tries)
