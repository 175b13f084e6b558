"""What a new session needs to know about a child, computed from the turns of the last sessions."""

from collections import Counter
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from typing import Any, Final, Self

from sqlalchemy import Row

from maththera.json_types import JsonObject


@dataclass(frozen=True, slots=True)
class LearnerUpdate:
    """The child after a turn, and what the next session needs of this one.

    `again`: the problems of which other numbers are due on another day. `starts`: for each strand the first C and the
    day of its last session. `stated`: for each cause the day on which it was stated last. `suspected`: of the
    posterior, what explained answers. `struggles`: the skills that are missed session after session. `evidence`: what
    the turn said about skills, each with the fields of `Evidence` in order; None in turns recorded before skills were
    known. `below_c1`: the child practises number sense, and (C, W) is where it goes on afterwards. `typing_ms`: what
    copying a number took at the last placement. `unplaced`: its placement is not at its end, or its given start was too
    easy: the next session places it. `thought_c`: where an adult last said that the child is. `choices_new`: no task
    had choices yet. `trained`: how often the child has done each training. `together`: a cause, with those
    that nothing told apart from it when it was stated last. `white_outs`: the day of each of the last week. `told`:
    what a teacher was told of → the day.
    """

    c: int
    w: float
    again: list[JsonObject] = field(default_factory=list)
    starts: dict[str, list[int]] = field(default_factory=dict)
    stated: dict[str, int] = field(default_factory=dict)
    suspected: dict[str, list[float]] = field(default_factory=dict)
    struggles: dict[str, list[int]] = field(default_factory=dict)
    evidence: list[list[Any]] | None = None
    below_c1: bool = False
    typing_ms: int | None = None
    unplaced: bool = False
    thought_c: int | None = None
    choices_new: bool = False
    trained: dict[str, int] = field(default_factory=dict)
    together: dict[str, list[str]] = field(default_factory=dict)
    white_outs: list[int] = field(default_factory=list)
    told: dict[str, int] = field(default_factory=dict)

    @classmethod
    def recorded(cls, learner: Mapping[str, Any]) -> Self:
        """As a turn's row has it; rows of an older engine know neither strands nor what is due."""
        known = {name: value for name, value in learner.items() if name in cls.__dataclass_fields__}
        return cls(**known)


@dataclass(frozen=True, slots=True, kw_only=True)
class LearnerRow(LearnerUpdate):
    """A child as the last sessions show it: as the last turn left it, without its evidence.

    `causes`: how often each cause was stated with high confidence, the most frequent first.
    `times`: problem, input kind and reliable response time in ms of each answer, the oldest first.
    """

    student_id: str
    causes: dict[str, int] = field(default_factory=dict)
    times: list[tuple[str, str, int]] = field(default_factory=list)

    @property
    def most_frequent_cause(self) -> str | None:
        return next(iter(self.causes), None)


LEARNER_COLUMNS: Final = ("learner", "problem_id", "input_kind", "rt_ms", "cause_tag", "confidence")
"""The columns of `turns` that `learner_from_turns` reads."""


def learner_from_turns(student_id: str, newest_first: Iterable[Row[Any]]) -> LearnerRow | None:
    """None if no turn holds a position."""
    standing: JsonObject | None = None
    causes: Counter[str] = Counter()
    times: list[tuple[str, str, int]] = []
    for turn in newest_first:
        standing = standing or turn.learner
        if turn.cause_tag is not None and turn.confidence == "high":
            causes[turn.cause_tag] += 1
        if turn.rt_ms is not None and turn.problem_id is not None and turn.input_kind is not None:
            times.append((turn.problem_id, turn.input_kind, turn.rt_ms))
    if standing is None:
        return None
    told = {"student_id": student_id, "causes": dict(causes.most_common()), "times": times[::-1], "evidence": None}
    return LearnerRow.recorded(standing | told)
