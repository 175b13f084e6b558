"""Units and cognitive concepts, seen through the skills that their problems ask for.

A concept is understood when each skill that it needs was shown. Where some of them are only expected, that is said;
where one was never asked, nothing is claimed of the whole.
"""

from collections.abc import Iterable
from dataclasses import dataclass
from datetime import date
from typing import Final, Literal

from maththera.knowledge.knowledge import Knowledge, SkillKnowledge
from maththera.knowledge.skills import Skills
from maththera.learner_model.concept_graph import ConceptGraph, levels_of_concept

ENOUGH: Final = 3
"""Unaided tries below which nothing is said of a concept."""

Standing = Literal["understood", "expected", "learning", "unsure"]


@dataclass(frozen=True, slots=True)
class ConceptKnowledge:
    """`value`: the chance of a right answer, 0 to 1, over the needed skills that were asked. `tries`, `right`: unaided
    first tries of its skills, the last on `last_day`. `open_skills`: the needed ones that are neither known nor asked.

    `standing`: understood when all needed skills are shown or kept; expected when all are, or are expected; unsure
    with too few tries; else learning.
    """

    value: float
    tries: int
    right: int
    last_day: date
    open_skills: tuple[str, ...]
    standing: Standing

    @property
    def enough(self) -> bool:
        """Whether there are tries enough to say how it stands."""
        return self.tries >= ENOUGH


def concept_knowledge(knowledge: Knowledge, graph: ConceptGraph) -> dict[str, ConceptKnowledge]:
    """Concept id → how it stands, for the concepts of which a skill was asked, the deepest prerequisite first."""
    found = ((concept_id, _concept(knowledge, concept_id)) for concept_id in graph.concepts)
    known = {concept_id: one for concept_id, one in found if one is not None}
    return {concept_id: known[concept_id] for concept_id in graph.deepest_first(set(known))}


def known_concepts(knowledge: Knowledge, graph: ConceptGraph) -> set[str]:
    """The units whose needed skills are all shown, kept or expected, and the cognitive concepts of which a unit is."""
    return {
        concept_id
        for concept_id in graph.concepts
        if any(_is_known(knowledge, level) for level in levels_of_concept(concept_id))
    }


def share_understood(knowledge: Knowledge, concept_id: str) -> float:
    """The share of a concept's needed skills that are shown or kept, 0 to 1."""
    needed = needed_skills(knowledge.skills, concept_id)
    return sum(knowledge[skill_id].understood for skill_id in needed) / len(needed)


def needed_skills(skills: Skills, concept_id: str) -> tuple[str, ...]:
    """The skills that a concept needs, in teaching order."""
    return tuple(one for level in levels_of_concept(concept_id) for one in _of_level(skills, level, needed=True))


def _is_known(knowledge: Knowledge, level: int) -> bool:
    return all(knowledge[skill_id].known for skill_id in _of_level(knowledge.skills, level, needed=True))


def _of_level(skills: Skills, level: int, *, needed: bool) -> Iterable[str]:
    return (skill.skill_id for skill in skills.of_level(level) if skill.needed or not needed)


def _concept(knowledge: Knowledge, concept_id: str) -> ConceptKnowledge | None:
    levels = levels_of_concept(concept_id)
    own = [knowledge[one] for level in levels for one in _of_level(knowledge.skills, level, needed=False)]
    asked = [one for one in own if one.tries]
    if not asked:
        return None
    needed = {skill_id: knowledge[skill_id] for skill_id in needed_skills(knowledge.skills, concept_id)}
    telling = [one for one in needed.values() if one.tries] or asked
    return ConceptKnowledge(
        value=sum(one.chance for one in telling) / len(telling),
        tries=sum(one.tries for one in asked),
        right=sum(one.right for one in asked),
        last_day=date.fromordinal(max(one.last_day or 1 for one in asked)),
        open_skills=tuple(skill_id for skill_id, one in needed.items() if not one.known and not one.tries),
        standing=_standing(needed.values(), sum(one.tries for one in asked)),
    )


def _standing(needed: Iterable[SkillKnowledge], tries: int) -> Standing:
    each = [*needed]
    if all(one.understood for one in each):
        return "understood"
    if tries < ENOUGH:
        return "unsure"
    return "expected" if all(one.known for one in each) else "learning"
