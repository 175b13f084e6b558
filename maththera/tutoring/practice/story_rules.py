"""When a problem is told as a story: where its skill is known, as review and for who knows a whole strand."""

from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.practice.session_practice import border_of, by_skills
from maththera.tutoring.problems.seeded_draw import seeded_index
from maththera.tutoring.state import TutoringState

_SOURCES: Final = frozenset({"review", "secure"})
_ONE_OF: Final = 3
"""Every third of the problems that may be told is."""
_ONE_OF_KNOWN_STRAND: Final = 2
"""Every second, where the whole strand is known; every second of these as a chain."""


def told_as_story(state: TutoringState, rules: Rules, problem: Problem, source: str) -> str | None:
    """The story of an ordinary problem, or None where it stands bare."""
    if source not in _SOURCES or state["current_step"] != "normal" or state["downscaling"]["active"]:
        return None
    draw = seeded_index(1 << 30, state["start"]["seed"], state["counters"]["tasks"], ord("s"))
    if draw % _ONE_OF and draw % _ONE_OF_KNOWN_STRAND:
        return None
    skill = rules.knowledge.skills[rules.knowledge.skill_of(problem)]
    if not by_skills(state) or not rules.session_knowledge.at(state)[skill.skill_id].understood:
        return None
    top = not border_of(state, rules).is_open(skill.strand)
    if draw % (_ONE_OF_KNOWN_STRAND if top else _ONE_OF):
        return None
    part, other = divmod(draw // (_ONE_OF * _ONE_OF_KNOWN_STRAND), 2)
    chain = rules.stories.chain(problem, part) if top and other else None
    return chain or rules.stories.story(problem, part)
