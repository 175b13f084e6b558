"""A problem explained by the strategy of the skill that it asks for."""

from collections.abc import Sequence
from functools import cache, lru_cache
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.strategies import Picture, Step, picture, solution
from maththera.knowledge.skills import Skills
from maththera.settings import home

_FILE: Final = ("configs", "knowledge", "skills.yaml")


@lru_cache(maxsize=1024)
def explained(problem: Problem, *, other: bool = False) -> Sequence[Step]:
    """The steps from the first to the answer; `other`: in another representation. Kept, as one turn asks for those of
    a problem several times."""
    return (*solution(problem, _skill_id(problem), other=other),)


def explained_in_every_way(problem: Problem) -> list[list[Step]]:
    """The steps in both representations of the skill, and as written without one."""
    skills = (_skill_id(problem), None)
    return [solution(problem, skill, other=other) for skill in skills for other in (False, True)]


def pictured(problem: Problem, *, other: bool = False) -> Picture | None:
    """The picture that fits the problem's skill and numbers; None where there is none."""
    return picture(problem, _skill_id(problem), other=other)


def _skill_id(problem: Problem) -> str | None:
    skill = _installed_skills().of_problem(problem)
    return skill.skill_id if skill else None


@cache
def _installed_skills() -> Skills:
    return Skills.from_file(home().joinpath(*_FILE))
