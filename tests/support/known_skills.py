"""What is known of skills, made by hand: the border is drawn from it."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cache

from maththera.tutoring.practice.learning_border import Border
from maththera.tutoring.practice.skill_problems import SkillProblems
from tests.support.tutoring import rules


@dataclass(frozen=True)
class KnownSkill:
    chance: float = 0.5
    tries: int = 0
    right: int = 0
    word: str = "untested"
    passed: bool = False
    due: bool = False
    missed: bool = False
    last_day: int | None = None


EXPECTED = KnownSkill(chance=0.85, word="expected")
SHOWN = KnownSkill(chance=0.95, tries=6, right=6, word="shown", passed=True, last_day=10)
DUE = KnownSkill(chance=0.8, tries=6, right=6, word="shown", passed=True, due=True, last_day=3)
MISSED = KnownSkill(chance=0.3, tries=2, word="beginning", missed=True, last_day=20)
PASSED = KnownSkill(chance=0.7, tries=2, right=2, word="practising", passed=True, last_day=20)


@cache
def ladder() -> SkillProblems:
    return rules().ladder


def border(known: Mapping[str, KnownSkill] | None = None, taught_below: int = 0, **more: frozenset[str]) -> Border:
    """Of a child of whom nothing is known but `known`."""
    return Border(ladder(), {skill.skill_id: KnownSkill() for skill in ladder().skills} | dict(known or {}),
                  taught_below, **more)  # fmt: skip


def all_below(c: int, known: KnownSkill = SHOWN) -> dict[str, KnownSkill]:
    return {skill.skill_id: known for skill in ladder().skills if skill.c_level < c}
