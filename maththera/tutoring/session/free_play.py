"""What a child may play outside of a session."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from maththera.tutoring.content.trainings import Training, TrainingPlan
from maththera.tutoring.state import TutoringState

_FOR_EVERYBODY: Final = "C1"
"""The concept whose trainings need nothing that a child may not know yet: seeing and comparing amounts."""
_OFFERED: Final = 3


@dataclass(frozen=True, slots=True)
class FreePlay:
    """`offered`: trainings at the end of the session `session_id`, one of which may be done for it. `others`: played
    for their own sake; nothing is recorded of them."""

    session_id: str | None
    offered: Sequence[Training]
    others: Sequence[Training]


def free_play(plans: Mapping[str, TrainingPlan], session_id: str | None, last: TutoringState | None) -> FreePlay:
    """Of the trainings that the child's last session offers, and has done: the first three offered ones, and beside
    them those that were done and those that fit every child; with items for its level."""
    offered, done = (last["offered"], last["trained"]) if last else ([], [])
    first = [one for one in offered if one in plans][:_OFFERED]
    for_everybody = [one.id for one in plans.values() if one.concept == _FOR_EVERYBODY]
    others = [one for one in dict.fromkeys([*done, *for_everybody]) if one in plans and one not in first]
    return FreePlay(
        session_id if first else None,
        [_drawn(plans[one], last) for one in first],
        [_drawn(plans[one], last) for one in others],
    )


def _drawn(plan: TrainingPlan, last: TutoringState | None) -> Training:
    earlier = last["start"].get("trained", {}).get(plan.id, 0) + last["trained"].count(plan.id) if last else 0
    seed, level = (last["start"]["seed"], last["c_position"]) if last else (0, 1)
    return plan.training(plan.draw(earlier=earlier, seed=seed, level=level, limit=None))
