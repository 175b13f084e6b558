"""The next problem of a placement: the one that tells most about what the child knows, and now and then an easy one."""

from collections.abc import Mapping, Sequence, Set
from dataclasses import dataclass
from typing import Final

from maththera.knowledge.skills import STRANDS, Skills, Strand
from maththera.tutoring.content.session_rules import PlacementNumbers
from maththera.tutoring.placement.hypotheses import Answer, Hypotheses, information

_AS_GOOD: Final = 0.9
"""A problem that tells at least this share of the most that one can tell may be asked in its place."""
_MISSES: Final = 2
"""After so many misses in a row comes an easy problem."""


@dataclass(frozen=True, slots=True)
class Choice:
    """The skills that the next problem may be of, equally good, the best first. `last`: the placement ends with it."""

    skill_ids: Sequence[str]
    easy: bool
    last: bool


def next_choice(  # noqa: PLR0913 - what is known of the child, and what is not asked
    hypotheses: Hypotheses, answers: Sequence[Answer], numbers: PlacementNumbers, *, c: int = 0, easy: int = 0,
    without: Set[str] = frozenset(),
) -> Choice:  # fmt: skip
    """The next problem's skill. `c`: where an adult says that the child is, 0 for nowhere; `easy`: the easy problems so
    far; `without`: skills that are not asked."""
    chances = hypotheses.known(answers, slip=numbers.slip, guess=numbers.guess, c=c)
    asked = hypotheses.needed - without
    known = {skill_id: chance for skill_id, chance in chances.items() if skill_id in asked}
    tells = {one: information(chance, numbers.slip, numbers.guess) for one, chance in known.items()}
    most = max(tells.values())
    number = len(answers) + 1
    last = number >= numbers.problems_max or (number >= numbers.problems_min and most <= numbers.tells)
    if last:
        return Choice(_easy(known, tells, numbers), easy=True, last=True)
    missed = len(answers) >= _MISSES and all(answer.right is False for answer in answers[-_MISSES:])
    if missed and easy < numbers.easy_most - 1:  # the last one is easy too
        return Choice(_easy(known, tells, numbers), easy=True, last=False)
    return Choice(_best(tells), easy=False, last=False)


def _easy(known: Mapping[str, float], tells: Mapping[str, float], numbers: PlacementNumbers) -> list[str]:
    """Of the skills that the child almost surely has, those that tell most; the likeliest where it has none."""
    right = {one: chance * (1 - numbers.slip) + (1 - chance) * numbers.guess for one, chance in known.items()}
    sure = {one: tells[one] for one, chance in right.items() if chance >= numbers.easy_at}
    return _best(sure) if sure else [max(right, key=lambda one: right[one])]


def _best(tells: Mapping[str, float]) -> list[str]:
    best = sorted(tells, key=lambda one: -tells[one])
    return [one for one in best if tells[one] >= _AS_GOOD * tells[best[0]]]


def placed_levels(chances: Mapping[str, float], skills: Skills, expected: float) -> dict[Strand, int]:
    """For each strand the lowest C with a needed skill below `expected`; without the strands that have none. `chances`:
    that a first try is right, by skill."""
    found: dict[Strand, int] = {}
    for skill in skills:
        if skill.strand in STRANDS and skill.needed and chances[skill.skill_id] < expected:
            found[skill.strand] = min(found.get(skill.strand, skill.c_level), skill.c_level)
    return found
