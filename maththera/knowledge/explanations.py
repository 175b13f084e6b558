"""A problem explained by the strategy of the skill that it asks for."""

from functools import cache
from typing import Final

from pydantic import TypeAdapter

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.strategies import Step, solution
from maththera.config_files import ConfigFile
from maththera.knowledge.skills import Skills
from maththera.settings import home

_FILE: Final = ("configs", "knowledge", "skills.yaml")


def explained(problem: Problem, *, other: bool = False) -> list[Step]:
    """The steps from the first to the answer; `other`: in another representation."""
    skill = _installed_skills().of_problem(problem)
    return solution(problem, skill.skill_id if skill else None, other=other)


@cache
def _installed_skills() -> Skills:
    return ConfigFile.read(home().joinpath(*_FILE)).parse(TypeAdapter(Skills))
