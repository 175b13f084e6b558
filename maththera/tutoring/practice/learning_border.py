"""Which skills stand at the border of what a child knows, and which are begun, secure or due for review."""

from collections.abc import Iterator, Mapping, Set
from dataclasses import dataclass
from functools import cached_property
from typing import Final, NamedTuple, Protocol

from maththera.knowledge.knowledge import KNOWN
from maththera.knowledge.skills import Strand
from maththera.tutoring.practice.skill_problems import SkillProblems

SECURE: Final = 0.85
"""The chance from which the next answer is expected to be right."""


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
    def missed(self) -> bool: ...
    @property
    def last_day(self) -> int | None: ...


class _Needed(NamedTuple):
    """The needed skills by what is known of them; see `Border`."""

    unmet: set[str]
    begun: list[str]
    supposed: list[str]


@dataclass(frozen=True)
class Border:
    """`known`: what is known of each skill, by id. `taught_below`: skills below this C that were never missed count as
    taught, because the session begins above them. `resting`: skills that are not asked today; among them those
    `beyond` what the child's grade is taught."""

    ladder: SkillProblems
    known: Mapping[str, Known]
    taught_below: int = 0
    resting: frozenset[str] = frozenset()
    beyond: frozenset[str] = frozenset()

    def met(self, skill_id: str) -> bool:
        """Whether the child may build on this skill: it is known or passed, or counts as taught."""
        known = self.known[skill_id]
        if known.passed or known.word in KNOWN:
            return True
        return known.tries == known.right and self.ladder.skills[skill_id].c_level < self.taught_below

    @cached_property
    def _needed(self) -> _Needed:
        """Each is looked at once: a task is chosen from them after every answer."""
        found, all_known, taught_below = _Needed(set(), [], []), self.known, self.taught_below
        for skill_id, c in self.ladder.needed_at.items():
            known = all_known[skill_id]
            tries, missed = known.tries, known.tries > known.right
            if known.word in KNOWN:
                if not tries and known.word == "expected":
                    found.supposed.append(skill_id)
            elif known.passed:
                if missed:
                    found.begun.append(skill_id)
            elif missed or c >= taught_below:
                found.unmet.add(skill_id)
                if tries:
                    found.begun.append(skill_id)
        return found

    @property
    def unmet(self) -> Set[str]:
        """The needed skills that are not met."""
        return self._needed.unmet

    def of_strand(self, strand: Strand) -> list[str]:
        """The needed skills that are not met, the lowest first; instead of one that lacks what it stands on, the lowest
        that it lacks, of whatever strand."""
        return [*self.first_of_strand(strand)]

    def first_of_strand(self, strand: Strand) -> Iterator[str]:
        """The same, one after the other: mostly the first are enough."""
        found, unmet = set(self.resting), self.unmet
        for skill in self.ladder.needed[strand]:
            skill_id = skill.skill_id
            if skill_id in unmet and (lowest := self._lowest_lacking(skill_id)) not in found:
                found.add(lowest)
                yield lowest

    def is_open(self, strand: Strand) -> bool:
        """Whether the strand has a skill to learn for which all is there that it stands on."""
        return any(self.ladder.skills[skill_id].strand == strand for skill_id in self.first_of_strand(strand))

    def passed_level(self, strand: Strand, c: int) -> bool:
        """Whether all needed skills of a strand's C are met."""
        return all(self.met(skill.skill_id) for skill in self.ladder.needed[strand] if skill.c_level == c)

    def begun(self) -> list[str]:
        """The needed skills of all strands that were asked and do not sit yet, in teaching order; instead of one that
        lacks what it stands on, the lowest that it lacks. What was missed sits only when it is known, even where it is
        enough to go on."""
        found = {self._lowest_lacking(skill_id) for skill_id in self._needed.begun}
        return sorted(found - self.resting, key=self.ladder.skills.order.__getitem__)

    def secure(self) -> list[str]:
        """The skills that were answered right before and are expected to be right again."""
        known = self.known
        return [one for one in self.ladder.problems if known[one].right and known[one].chance >= SECURE]

    def due(self) -> list[str]:
        """The skills that were known once and are due for review."""
        known = self.known
        return [one for one in self.ladder.problems if known[one].due]

    def supposed(self) -> list[str]:
        """The needed skills that are expected to be there though they were never asked."""
        return [one for one in self._needed.supposed if one not in self.beyond]

    def waiting(self, strand: Strand, since: int) -> str | None:
        """The lowest needed skill of a strand that is not met, where nothing of the strand was asked since that day;
        instead of one that stands on what was missed last, the lowest that it lacks. None where it rests."""
        found, unmet = None, self.unmet
        for skill in self.ladder.needed[strand]:
            skill_id = skill.skill_id
            if (self.known[skill_id].last_day or 0) > since:
                return None
            if found is None and skill_id in unmet:
                found = skill_id
        if found is not None and any(self.known[one].missed for one in self.ladder.stands_on[found]):
            found = self._lowest_lacking(found)
        return None if found in self.resting else found

    def _lowest_lacking(self, skill_id: str) -> str:
        """The lowest skill without which this one cannot be learnt; itself where nothing is lacking."""
        lowest = self._lowest.get(skill_id)
        if lowest is None:
            lowest, unmet, order = skill_id, self.unmet, self.ladder.skills.order
            for one in self.ladder.stands_on[skill_id]:
                if one in unmet and order[below := self._lowest_lacking(one)] < order[lowest]:
                    lowest = below
            self._lowest[skill_id] = lowest
        return lowest

    @cached_property
    def _lowest(self) -> dict[str, str]:
        """What was found so far of each skill: many stand on the same ones."""
        return {}
