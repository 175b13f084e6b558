"""What an adult may plan for the next time, from the border of what is known and the cause that was stated."""

from typing import Any

from maththera.knowledge.skills import STRANDS
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.practice.session_practice import border_of, strand_at_work
from maththera.tutoring.state import TutoringState, given


def next_time(state: TutoringState, rules: Rules) -> dict[str, Any] | None:
    """`skill_id`: what the next session is about, `training_id`: what may go before it, each None where there is none;
    `says`: both in words. None where nothing is to be planned yet: while the session goes on and states no cause."""
    diagnosis = given(state["diagnosis"])
    stated, ended = diagnosis["confidence"] == "high", state["current_step"] == "ended"
    if not (stated or ended):
        return None
    offered = state["offered"] if ended else diagnosis["training_ids"]
    left = [one for one in offered if one not in state["trained"]]
    skill_id, training_id = _skill_id(state, rules), next(iter([*left, *offered]), None)
    skill = rules.ladder.skills[skill_id].name if skill_id is not None else None
    training = rules.catalogue.trainings[training_id].title if training_id is not None else None
    return {"skill_id": skill_id, "training_id": training_id, "says": plan_in_words(skill, training)}


def plan_in_words(skill: str | None, training: str | None) -> str | None:
    """The names of what is to come, in quotation marks, as some have commas of their own; None for nothing."""
    parts = [f"‘{skill}’"] if skill is not None else []
    parts += [f"놀이 ‘{training}’"] if training is not None else []
    return f"다음 시간: {', '.join(parts)}." if parts else None


def _skill_id(state: TutoringState, rules: Rules) -> str | None:
    """The lowest skill that was begun, else the first to learn: of the strand at work, then of the others."""
    border, strand = border_of(state, rules), strand_at_work(state)
    for skill_ids in (border.begun(), *(border.of_strand(one) for one in (strand, *STRANDS))):
        if skill_ids:
            return skill_ids[0]
    return None
