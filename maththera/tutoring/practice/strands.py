"""The four strands of the ladder: adding, subtracting, multiplying and dividing each climb their own C."""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final

from maththera.knowledge.skills import Strand

LADDERS: Final[Mapping[Strand, tuple[int, ...]]] = MappingProxyType({
    "+": (1, 2, 3, 5, 6, 7, 8, 11),
    "-": (1, 2, 4, 5, 6, 9, 10, 12),
    "x": (13, 15),
    "/": (14,),
})  # fmt: skip
"""Strand → its C, the lowest first. C1, C2, C5 and C6 belong to two strands."""


def strand_of_level(c: int) -> Strand:
    """The strand that a C stands for where nothing else is said: adding, where adding has it."""
    return next(strand for strand, ladder in LADDERS.items() if c in ladder)


def level_at_most(strand: Strand, c: int) -> int:
    """The strand's highest C that is not above `c`, else its lowest."""
    ladder = LADDERS[strand]
    return max((level for level in ladder if level <= c), default=ladder[0])


def next_level(strand: Strand, c: int) -> int:
    """The strand's C above `c`; its top stays its top."""
    ladder = LADDERS[strand]
    return min((level for level in ladder if level > c), default=ladder[-1])


def level_below(strand: Strand, c: int) -> int:
    """The strand's C one step below `c`; its bottom stays its bottom."""
    ladder = LADDERS[strand]
    return max((level for level in ladder if level < c), default=ladder[0])
