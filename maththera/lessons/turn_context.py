"""What a turn of a lesson brings along besides the state: the clock, the records, the time for drafts."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from langgraph.runtime import Runtime

from maththera.llm.time_budget import Budget
from maththera.store.access.authorization import Role
from maththera.store.lesson_sessions import CompletedSession
from maththera.words.answer_protection.open_answers import OpenAnswer
from maththera.words.output_gate.sentence_checks import GateFault

Save = Callable[[CompletedSession, str], Awaitable[str]]
"""Records a session of a course; returns the id it is recorded under."""


async def _discard(_: GateFault) -> None:
    """Nothing is kept."""


OpenTasks = Callable[[str], Awaitable[list[OpenAnswer]]]
"""Loads the open answers that must not be given away, by the id of a lesson or of a student."""


async def no_open_answers(_: str) -> list[OpenAnswer]:
    """Where there are no tasks elsewhere."""
    return []


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class LessonContext:
    """`save` None: nothing is recorded (Studio, tests of the graph alone). `role`: whose words the inbox holds.
    `reject`: keeps what the gate has held back. `open_answers`: of the learner's tasks elsewhere."""

    save: Save | None = None
    role: Role = "student"
    reject: Callable[[GateFault], Awaitable[None]] = _discard
    open_answers: OpenTasks = no_open_answers
    now: Callable[[], datetime] = field(default=_now)
    _budget: Budget | None = None

    @classmethod
    def of(cls, runtime: Runtime["LessonContext"]) -> "LessonContext":
        """Studio brings none."""
        found: LessonContext | None = runtime.context
        return cls() if found is None else found

    def budget(self, seconds: float) -> Budget:
        """One for all drafts of the turn."""
        if self._budget is None:
            self._budget = Budget(seconds)
        return self._budget
