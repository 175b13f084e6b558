"""The effects of the placement's rows: an answer is kept, and at the end the child has its place on the ladder."""

from collections.abc import Mapping
from typing import Final

from maththera.knowledge.knowledge import Evidence
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.moves.session_moves import set_position
from maththera.tutoring.moves.transition_facts import Facts
from maththera.tutoring.placement.hypotheses import Answer
from maththera.tutoring.placement.session_placement import known_skills, placement_answers, thought_level
from maththera.tutoring.practice.session_practice import place_of
from maththera.tutoring.practice.taught_skills import beyond_grade
from maththera.tutoring.state import TutoringState, given, is_helped, is_misheard

_EVEN: Final = 0.5
_DIFFERS: Final = 0.05
_COUNTED: Final = 2
"""Right tries of a skill, and wrong ones, that say something of others: more of them say how it is learnt."""


def note_answer(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """Keeps the answer; a time-out is a miss. What was right with an aid, or was perhaps misheard, says nothing."""
    before, observation = given(draft["placement"]), given(draft["observation"])
    silent = is_misheard(observation) or (facts.right and is_helped(given(draft["event"])))
    answer = [before["skill_id"], None if silent else facts.right]
    draft["placement"] = {**before, "answers": [*before["answers"], answer]}


def place(draft: TutoringState, facts: Facts, rules: Rules) -> None:
    """The end: each skill has the chance that all answers together give it, and the child stands where practice starts
    when this is known."""
    placement = given(draft["placement"])
    chances = known_skills(placement_answers(placement), rules, thought_level(draft["start"]))
    draft["placement"] = {**placement, "chances": chances}
    _conclude(draft, rules, chances)
    draft["strand"], c, w = place_of(draft["start"], rules.session_knowledge.at(draft), rules)
    set_position(draft, rules, c, w)


def conclude_what_was_not_asked(draft: TutoringState, rules: Rules) -> None:
    """The end of a session: each skill that was never asked has the chance that the tries of the others give it, if
    that differs from what was thought."""
    known = rules.session_knowledge.at(draft)
    answers: list[Answer] = []
    for skill_id in rules.hypotheses.skill_ids:
        one = known[skill_id]
        answers += [Answer(skill_id, right=True)] * min(_COUNTED, one.right)
        answers += [Answer(skill_id, right=False)] * min(_COUNTED, one.tries - one.right)
    if not answers:
        return
    chances = known_skills(answers, rules, thought_level(draft["start"]))
    changed = {
        skill_id: chance
        for skill_id, chance in chances.items()
        if not known[skill_id].tries and abs(chance - known.chance(skill_id)) >= _DIFFERS
    }
    _conclude(draft, rules, changed)


def _conclude(draft: TutoringState, rules: Rules, chances: Mapping[str, float]) -> None:
    known, move = rules.session_knowledge.at(draft), given(draft["move"])
    beyond = beyond_grade(draft["start"], known, rules)
    concluded = [
        Evidence(skill_id, chance >= _EVEN, known.day, chance=chance)
        for skill_id, chance in chances.items()
        if skill_id not in beyond
    ]
    draft["known"] = rules.session_knowledge.after(draft, concluded)
    draft["move"] = {**move, "evidence": [*move["evidence"], *(one.entry for one in concluded)]}
