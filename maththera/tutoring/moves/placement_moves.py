"""The effects of the placement's rows: an answer is kept, and at the end the child has its place on the ladder."""

from maththera.arithmetic.curriculum import HIGHEST_C
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.moves.session_moves import set_position
from maththera.tutoring.moves.transition_facts import Facts
from maththera.tutoring.placement.next_problem import placed_levels
from maththera.tutoring.placement.session_placement import known_skills
from maththera.tutoring.state import TutoringState, given


def note_answer(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Keeps the answer; a time-out is a miss."""
    before = given(draft["placement"])
    draft["placement"] = {**before, "answers": [*before["answers"], [before["skill_id"], facts.right]]}


def place(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """The end: what the child is expected to know, and as its position the lowest level that it does not know."""
    placement = given(draft["placement"])
    chances = known_skills(placement, rules, draft["start"]["thought_c"])
    draft["placement"] = {**placement, "chances": chances}
    levels = placed_levels(chances, rules.knowledge.skills, rules.knowledge.numbers.words.expected)
    c = min(levels.values(), default=HIGHEST_C)
    set_position(draft, rules, c, rules.bank.band(c)[0])
