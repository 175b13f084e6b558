"""What an adult may plan for the next time, from the border of what is known and the cause that was stated."""

from typing import Any

from maththera.knowledge.skills import STRANDS
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.practice.session_practice import border_of, strand_at_work
from maththera.tutoring.state import TutoringState, given


def next_time(state: TutoringState, rules: Rules) -> dict[str, Any] | None:
    """`skill_id`: what the next session is about, `training_id`: what may go before it, each None where there is none.
    None where nothing is to be planned yet: while the session goes on and states no cause."""
    diagnosis = given(state["diagnosis"])
    stated, ended = diagnosis["confidence"] == "high", state["current_step"] == "ended"
    if not (stated or ended):
        return None
    offered = state["offered"] if ended else diagnosis["training_ids"]
    left = [one for one in offered if one not in state["trained"]]
    return {"skill_id": _skill_id(state, rules), "training_id": next(iter([*left, *offered]), None)}


def _skill_id(state: TutoringState, rules: Rules) -> str | None:
    """The lowest skill that was begun, else the first to learn: of the strand at work, then of the others."""
    border, strand = border_of(state, rules), strand_at_work(state)
    for skill_ids in (border.begun(), *(border.of_strand(one) for one in (strand, *STRANDS))):
        if skill_ids:
            return skill_ids[0]
    return None
