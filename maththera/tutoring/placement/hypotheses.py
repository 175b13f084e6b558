"""What a new child may know: the hypotheses that a placement weighs, and what answers make of them.

A hypothesis is a set of skills. In each operation the child has all levels up to one, and no level without what it
stands on; it may lack one needed skill further, with all that stands on it or that skill alone.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import product
from math import exp, log2
from typing import Final

import numpy as np
from numpy.typing import NDArray

from maththera.arithmetic.curriculum import HIGHEST_C
from maththera.knowledge.skills import STRANDS, Skills, Strand

_SCALE: Final = 1 << 32
"""Shares are whole numbers of it: their sums are the same in any order, on any machine."""
_LAG: Final = 1.2
"""How quickly it gets unlikely that an operation is a level ahead of or behind the others; chosen."""
_SURE: Final = 2.0
"""Levels by which what an adult says of a child may be wrong; chosen."""


@dataclass(frozen=True, slots=True)
class Answer:
    """An answered problem of a placement, by its skill. `right` is None where the answer says nothing."""

    skill_id: str
    right: bool | None


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class Hypotheses:
    """The sets of skills, one bit for each of `skill_ids`. `needed`: those that a placement asks for. `prior`: the
    weights before any answer for each level C that the child is thought to be at, 0 where nobody has said. `has`: for
    each skill, which sets hold it."""

    skill_ids: Sequence[str]
    needed: frozenset[str]
    sets: Sequence[int]
    prior: Mapping[int, NDArray[np.float64]]
    has: NDArray[np.bool_]

    def known(self, answers: Sequence[Answer], *, slip: float, guess: float, c: int = 0) -> dict[str, float]:
        """The probability of each skill after the answers. `slip`, `guess`: of a wrong answer with the skill, and of a
        right one without it; `c`: the key of `prior`."""
        places = {skill_id: place for place, skill_id in enumerate(self.skill_ids)}
        likelihood = np.ones(len(self.sets))
        for answer in answers:
            if answer.right is not None:
                right = np.where(self.has[places[answer.skill_id]], 1 - slip, guess)
                likelihood *= right if answer.right else 1 - right
        weights = self.prior[c] * likelihood
        shares = np.floor(weights * (_SCALE / sum(weights.tolist())))
        return dict(zip(self.skill_ids, (np.einsum("si,i->s", self.has, shares) / _SCALE).tolist(), strict=True))


def information(known: float, slip: float, guess: float) -> float:
    """What a problem is expected to tell, in bits: of a skill with this probability."""
    right = known * (1 - slip) + (1 - known) * guess
    return _entropy(right) - known * _entropy(slip) - (1 - known) * _entropy(guess)


def _entropy(chance: float) -> float:
    return 0.0 if chance in (0.0, 1.0) else -chance * log2(chance) - (1 - chance) * log2(1 - chance)


def placement_hypotheses(skills: Skills, gap_share: float) -> Hypotheses:
    """All hypotheses over these skills; `gap_share` of the weight is on children who lack one skill further."""
    ladder = [skill for skill in skills if skill.strand in STRANDS]
    needed = frozenset(skill.skill_id for skill in ladder if skill.needed)
    bits = {skill.skill_id: 1 << place for place, skill in enumerate(ladder)}
    above = {skill_id: sum(bits[other] for other in skills.dependents(skill_id) if other in bits) for skill_id in bits}
    ladders = [strand_levels(skills, strand) for strand in STRANDS]
    weights: dict[int, dict[int, float]] = {c: {} for c in range(HIGHEST_C + 1)}
    for levels, known in _level_sets(skills, bits, ladders):
        present = [skill_id for skill_id, bit in bits.items() if known & bit and skill_id in needed]
        found = {known: 1 - gap_share}
        for skill_id in present:
            for lacking in (bits[skill_id], bits[skill_id] | above[skill_id]):
                left = known & ~lacking
                found[left] = found.get(left, 0.0) + gap_share / 2 / len(present)
        for c, likely in enumerate(_likely_at(levels, ladders)):
            into = weights[c]
            for left, weight in found.items():
                into[left] = into.get(left, 0.0) + likely * weight
    sets = [*weights[0]]
    return Hypotheses(
        skill_ids=[*bits],
        needed=needed,
        sets=sets,
        prior={c: _normal([found[one] for one in sets]) for c, found in weights.items()},
        has=np.array([[bool(one & bit) for one in sets] for bit in bits.values()]),
    )


def strand_levels(skills: Skills, strand: Strand) -> list[int]:
    """The C of a strand, the lowest first."""
    return sorted({skill.c_level for skill in skills.of_strand(strand)})


def _level_sets(
    skills: Skills, bits: Mapping[str, int], ladders: Sequence[Sequence[int]]
) -> Iterator[tuple[tuple[int, ...], int]]:
    """How many levels of each operation are known, and the skills that are known then."""
    for levels in product(*(range(len(ladder) + 1) for ladder in ladders)):
        highest = {
            strand: ladder[count - 1] if count else 0
            for strand, ladder, count in zip(STRANDS, ladders, levels, strict=True)
        }
        known = [skill_id for skill_id in bits if skills[skill_id].c_level <= highest[skills[skill_id].strand]]
        required = {one for skill_id in known for one in skills[skill_id].requires if one in bits}
        if required <= {*known}:
            yield levels, sum(bits[skill_id] for skill_id in known)


def _likely_at(levels: Sequence[int], ladders: Sequence[Sequence[int]]) -> list[float]:
    """How likely these levels are of a child at any stage of the ladder (0), and of one thought to be at each C."""
    near = []
    for stage in range(HIGHEST_C + 1):
        usual = [sum(c <= stage for c in ladder) for ladder in ladders]
        near.append(exp(-_LAG * sum(abs(one - other) for one, other in zip(usual, levels, strict=True))))
    thought = [
        sum(weight * exp(-abs(stage - c + 1) / _SURE) for stage, weight in enumerate(near))
        for c in range(1, HIGHEST_C + 1)
    ]
    return [sum(near), *thought]


def _normal(weights: Sequence[float]) -> NDArray[np.float64]:
    return np.array(weights) / sum(weights)
