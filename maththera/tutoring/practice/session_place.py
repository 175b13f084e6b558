"""Where a session starts: which strand is at work, at which C, and what a teacher's start is tried with first."""

from collections.abc import Mapping
from typing import Final, NamedTuple

from maththera.knowledge.knowledge import KNOWN
from maththera.knowledge.skills import Strand
from maththera.tutoring.practice.learning_border import Border
from maththera.tutoring.practice.skill_problems import SkillProblems
from maththera.tutoring.practice.strands import LADDERS, level_at_most, level_below

TRIED_FIRST: Final = 5
"""Skills of a given start that are tried before ordinary practice."""


class LastStart(NamedTuple):
    """The last session in which a strand was at work: its first C, and the day."""

    c: int
    day: int


class Place(NamedTuple):
    """A strand and a position (C, W) in it."""

    strand: Strand
    c: int
    w: float


def next_place(border: Border, last: Mapping[Strand, LastStart]) -> Place:
    """The open strand that has rested longest, the lowest first; there the lowest C with a needed skill that is neither
    shown, kept nor expected, but at most one step below the strand's last start. Where nothing is left to learn, the
    strand that has rested longest, at its top. In a strand that was not at work yet, what was never missed below the
    highest start counts as taught: it begins beside the others, and no higher."""
    highest = max((start.c for start in last.values()), default=0)
    levels = {strand: _unsure_level(border, strand, 0 if strand in last else highest) for strand in LADDERS}
    strands = [strand for strand in LADDERS if border.is_open(strand)] or [*LADDERS]
    strand = min(strands, key=lambda one: (last[one].day if one in last else -1, levels[one]))
    c = levels[strand]
    if strand in last:
        c = max(c, level_below(strand, last[strand].c))
    elif last:
        c = min(c, level_at_most(strand, highest))
    return Place(strand, c, easiest_w(border, strand, c))


def tried_first(ladder: SkillProblems, strand: Strand, c: int) -> list[str]:
    """The needed skills of a given C, the hardest first, at most five."""
    skills = [skill.skill_id for skill in ladder.needed[strand] if skill.c_level == c]
    return skills[::-1][:TRIED_FIRST]


def easiest_w(border: Border, strand: Strand, c: int) -> float:
    """The lowest W of the first skill of a C that is not met, else of its first skill."""
    skills = [skill.skill_id for skill in border.ladder.needed[strand] if skill.c_level == c]
    skill_id = next((one for one in skills if not border.met(one)), skills[0])
    return border.ladder.problems[skill_id][0].w_total


def _unsure_level(border: Border, strand: Strand, taught_below: int) -> int:
    """The lowest C of a strand with a needed skill that is neither shown, kept nor expected, nor counts as taught; else
    its top."""
    unsure = (
        skill.c_level
        for skill in border.ladder.needed[strand]
        if (known := border.known[skill.skill_id]).word not in KNOWN
        and not (known.tries == known.right and skill.c_level < taught_below)
    )
    return next(unsure, LADDERS[strand][-1])
