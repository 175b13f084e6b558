"""Which skills stand at the border of what a child knows, and which are begun, secure or due for review."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Final, Protocol

from maththera.knowledge.skills import Strand
from maththera.tutoring.practice.skill_problems import SkillProblems

SECURE: Final = 0.85
"""The chance from which the next answer is expected to be right."""
_KNOWN: Final = frozenset({"shown", "kept", "expected"})


class Known(Protocol):
    """What is known of a child's skill."""

    @property
    def chance(self) -> float: ...
    @property
    def tries(self) -> int: ...
    @property
    def right(self) -> int: ...
    @property
    def word(self) -> str: ...
    @property
    def passed(self) -> bool: ...
    @property
    def due(self) -> bool: ...
    @property
    def last_day(self) -> int | None: ...


@dataclass(frozen=True)
class Border:
    """`known`: what is known of each skill, by id. `taught_below`: skills below this C that were never missed count as
    taught, because the session begins above them. `resting`: skills that are not asked today."""

    ladder: SkillProblems
    known: Mapping[str, Known]
    taught_below: int = 0
    resting: frozenset[str] = frozenset()

    def met(self, skill_id: str) -> bool:
        """Whether the child may build on this skill: it is known or passed, or counts as taught."""
        known = self.known[skill_id]
        if known.passed or known.word in _KNOWN:
            return True
        return known.tries == known.right and self.ladder.skills[skill_id].c_level < self.taught_below

    @cached_property
    def unmet(self) -> Set[str]:
        """The needed skills that are not met."""
        return {one.skill_id for skills in self.ladder.needed.values() for one in skills if not self.met(one.skill_id)}

    def of_strand(self, strand: Strand) -> list[str]:
        """The needed skills that are not met, the lowest first; instead of one that lacks what it stands on, the lowest
        that it lacks, of whatever strand."""
        found: dict[str, None] = {}
        for skill in self.ladder.needed[strand]:
            if skill.skill_id in self.unmet:
                found.setdefault(self._lowest_lacking(skill.skill_id))
        return [skill_id for skill_id in found if skill_id not in self.resting]

    def is_open(self, strand: Strand) -> bool:
        """Whether the strand has a skill to learn for which all is there that it stands on."""
        return any(self.ladder.skills[skill_id].strand == strand for skill_id in self.of_strand(strand))

    def passed_level(self, strand: Strand, c: int) -> bool:
        """Whether all needed skills of a strand's C are met."""
        return all(self.met(skill.skill_id) for skill in self.ladder.needed[strand] if skill.c_level == c)

    def begun(self) -> list[str]:
        """The needed skills of all strands that were asked and are not met, the latest first; not those that stand on
        another of them."""
        asked = {skill_id for skill_id in self.unmet if self.known[skill_id].tries}
        found = [skill_id for skill_id in asked - self.resting if asked.isdisjoint(self.ladder.below[skill_id])]
        order = self.ladder.skills.order
        return sorted(found, key=lambda skill_id: (-(self.known[skill_id].last_day or 0), order[skill_id]))

    def secure(self) -> list[str]:
        """The skills that were answered right before and are expected to be right again."""
        return [
            skill_id
            for skill_id in self.ladder.problems
            if self.known[skill_id].right and self.known[skill_id].chance >= SECURE
        ]

    def due(self) -> list[str]:
        """The skills that were known once and are due for review."""
        return [skill_id for skill_id in self.ladder.problems if self.known[skill_id].due]

    def _lowest_lacking(self, skill_id: str) -> str:
        """The lowest skill without which this one cannot be learnt; itself where nothing is lacking."""
        order, lowest, waiting = self.ladder.skills.order, skill_id, [skill_id]
        while waiting:
            for required in self.ladder.stands_on[waiting.pop()]:
                if required in self.unmet:
                    waiting.append(required)
                    lowest = min(lowest, required, key=order.__getitem__)
        return lowest
