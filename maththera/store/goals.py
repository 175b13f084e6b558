"""Goals that teachers set for a child: a skill, what is to be seen, by when, and how it stood when the goal was set."""

from collections.abc import Collection
from datetime import datetime

from sqlalchemy import ColumnElement, Index, UniqueConstraint, delete, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Mapped, mapped_column

from maththera.store.database import Store
from maththera.store.schema import Record, utc_now


class Goal(Record):
    """`right` of the last `out_of` unaided first tries of the skill shall be right, by the day `due`, an ISO date. The
    baseline is of the day on which it was set: the word for the skill, and the right ones of the last tries, at most
    `out_of`."""

    __tablename__ = "goals"
    __table_args__ = (
        UniqueConstraint("student_id", "skill_id", "due", name="goals_skill_and_day"),
        Index("goals_of_student", "student_id", "due"),
    )

    goal_id: Mapped[str] = mapped_column(primary_key=True)
    student_id: Mapped[str]
    skill_id: Mapped[str]
    right: Mapped[int]
    out_of: Mapped[int]
    due: Mapped[str]
    baseline_word: Mapped[str]
    baseline_right: Mapped[int]
    baseline_tries: Mapped[int]
    created_at: Mapped[datetime] = mapped_column(server_default=utc_now())


class GoalTaken(Exception):
    """The child has a goal for this skill and day already."""


class GoalRecords(Store):
    async def add(self, goal: Goal) -> None:
        """Idempotent, as goal ids are never used twice; the database sets `created_at`. GoalTaken."""
        try:
            await self._database.execute(insert(Goal).values(goal.values()))
        except IntegrityError as error:
            if all(one.goal_id != goal.goal_id for one in await self.of_student(goal.student_id)):
                raise GoalTaken from error

    async def of_student(self, student_id: str) -> list[Goal]:
        return (await self.of_students([student_id]))[student_id]

    async def of_students(self, student_ids: Collection[str]) -> dict[str, list[Goal]]:
        """Student id → goals, the first due first, for each of these children."""
        query = select(Goal).where(Goal.student_id.in_(student_ids)).order_by(Goal.due, Goal.created_at, Goal.goal_id)
        found: dict[str, list[Goal]] = {student_id: [] for student_id in student_ids}
        for row in await self._database.rows(query):
            found[row.student_id].append(Goal.from_row(row))
        return found

    async def change(self, student_id: str, goal_id: str, *, right: int, out_of: int, due: str) -> bool:
        """False where the child has no such goal. GoalTaken."""
        try:
            query = update(Goal).where(_this(student_id, goal_id)).values(right=right, out_of=out_of, due=due)
            return (await self._database.execute(query)).rowcount == 1
        except IntegrityError as error:
            raise GoalTaken from error

    async def remove(self, student_id: str, goal_id: str) -> bool:
        """False where the child has no such goal."""
        return (await self._database.execute(delete(Goal).where(_this(student_id, goal_id)))).rowcount == 1


def _this(student_id: str, goal_id: str) -> ColumnElement[bool]:
    return (Goal.student_id == student_id) & (Goal.goal_id == goal_id)
