"""The effects of the placement's rows: an answer is kept, and at the end the child has its place on the ladder."""

from typing import Final

from maththera.knowledge.knowledge import Evidence
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.moves.session_moves import set_position
from maththera.tutoring.moves.transition_facts import Facts
from maththera.tutoring.placement.session_placement import known_skills
from maththera.tutoring.practice.session_practice import place_of
from maththera.tutoring.state import TutoringState, given

_EVEN: Final = 0.5


def note_answer(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Keeps the answer; a time-out is a miss."""
    before = given(draft["placement"])
    draft["placement"] = {**before, "answers": [*before["answers"], [before["skill_id"], facts.right]]}


def place(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """The end: each skill has the chance that all answers together give it, and the child stands where practice starts
    when this is known."""
    placement, move = given(draft["placement"]), given(draft["move"])
    chances = known_skills(placement, rules, draft["start"]["thought_c"])
    draft["placement"] = {**placement, "chances": chances}
    day = rules.session_knowledge.at(draft).day
    concluded = [Evidence(skill_id, chance >= _EVEN, day, chance=chance) for skill_id, chance in chances.items()]
    draft["known"] = rules.session_knowledge.after(draft, concluded)
    draft["move"] = {**move, "evidence": [*move["evidence"], *(one.entry for one in concluded)]}
    draft["strand"], c, w = place_of(draft["start"], rules.session_knowledge.at(draft), rules)
    set_position(draft, rules, c, w)
