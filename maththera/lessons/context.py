"""What a turn of a lesson brings along besides the state: the clock, the records, the time for drafts."""

from collections.abc import Awaitable, Callable
from dataclasses import dataclass, field
from datetime import UTC, datetime

from langgraph.runtime import Runtime

from maththera.learners.access import Role
from maththera.learners.lessons import CompletedSession
from maththera.llm.budget import Budget

Save = Callable[[CompletedSession, str], Awaitable[str]]
"""Records a session of a course; returns the id it is recorded under."""


def _now() -> datetime:
    return datetime.now(UTC)


@dataclass(slots=True)
class LessonContext:
    """`save` None: nothing is recorded (Studio, tests of the graph alone). `role`: whose words the inbox holds."""

    save: Save | None = None
    role: Role = "student"
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
