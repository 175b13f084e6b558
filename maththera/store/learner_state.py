"""What a new session needs to know about a child, computed from the turns of the last sessions."""

from collections import Counter
from collections.abc import Iterable
from dataclasses import dataclass, field
from typing import Any, Final

from sqlalchemy import Row


@dataclass(frozen=True, slots=True)
class LearnerUpdate:
    """The child after a turn: position (Cur-C, W), the problems put aside, and what the turn said about skills, each
    with the fields of `Evidence` in order; None in turns recorded before skills were known. `unplaced`: its placement
    is not at its end."""

    c: int
    w: float
    parked: list[dict[str, Any]] = field(default_factory=list)
    evidence: list[list[Any]] | None = None
    unplaced: bool = False


@dataclass(frozen=True, slots=True)
class LearnerRow:
    """A child as the last sessions show it.

    `causes`: how often each cause was stated with high confidence, the most frequent first.
    `times`: problem, input kind and reliable response time in ms of each answer, the oldest first.
    `unplaced`: the last session was a placement that did not come to its end.
    """

    student_id: str
    c: int
    w: float
    parked: list[dict[str, Any]]
    causes: dict[str, int]
    times: list[tuple[str, str, int]]
    unplaced: bool = False

    @property
    def most_frequent_cause(self) -> str | None:
        return next(iter(self.causes), None)


LEARNER_COLUMNS: Final = ("learner", "problem_id", "input_kind", "rt_ms", "cause_tag", "confidence")
"""The columns of `turns` that `learner_from_turns` reads."""


def learner_from_turns(student_id: str, newest_first: Iterable[Row[Any]]) -> LearnerRow | None:
    """None if no turn holds a position."""
    standing: LearnerUpdate | None = None
    causes: Counter[str] = Counter()
    times: list[tuple[str, str, int]] = []
    for turn in newest_first:
        if standing is None and turn.learner is not None:
            standing = LearnerUpdate(**turn.learner)
        if turn.cause_tag is not None and turn.confidence == "high":
            causes[turn.cause_tag] += 1
        if turn.rt_ms is not None and turn.problem_id is not None and turn.input_kind is not None:
            times.append((turn.problem_id, turn.input_kind, turn.rt_ms))
    if standing is None:
        return None
    times.reverse()
    return LearnerRow(
        student_id, standing.c, standing.w, standing.parked, dict(causes.most_common()), times, standing.unplaced
    )
