"""Children whose skills are memories, for comparing models of knowledge. They share nothing with any of the models.

Each meeting with a skill leaves a trace that fades by a power of time; the sum of the traces decides whether the skill
comes to mind, and each skill that it stands on can spoil it (Anderson & Schooler 1991, Reflections of the environment
in memory, Psychological Science 2; Pavlik & Anderson 2005, Cognitive Science 29). The numbers are chosen, not fitted.
"""

import math
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from random import Random
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.problem_bank import Bank
from maththera.knowledge.skills import Skill, Skills

_DECAY: Final = 0.5
_NOISE: Final = 0.5
_SLIP: Final = 0.07
_GUESS: Final = 0.03
_SPOILS: Final = 0.5
"""The share of a skill that a missing prerequisite takes away."""
_WRONG_TEACHES: Final = 0.3
_LEARNT: Final = 40
"""Meetings with a skill that was learnt before the first session."""
_GAP: Final = 0.12
_SESSIONS: Final = 8
_PROBLEMS: Final = 15
_BETWEEN: Final = (1, 2, 3, 4, 7, 14)
"""Days from one session to the next."""
_NEAR: Final = 5
"""Skills on each side of the child's level from which most problems come."""


@dataclass(frozen=True, slots=True)
class Try:
    """One unaided answer of a child, on a day counted from 1."""

    child: str
    problem: Problem
    day: int
    right: bool


def tries(skills: Skills, bank: Bank, children: int, seed: int) -> list[Try]:
    """The answers of some children over eight sessions, child after child in the order of time."""
    problems: dict[str, list[Problem]] = {}
    for problem in bank:
        if (skill := skills.of_problem(problem)) is not None:
            problems.setdefault(skill.skill_id, []).append(problem)
    return [one for number in range(children) for one in _Child(skills, problems, seed, number).answers()]


class _Child:
    def __init__(self, skills: Skills, problems: Mapping[str, Sequence[Problem]], seed: int, number: int) -> None:
        self._chance = Random(f"{seed} {number}")  # noqa: S311 - repeatable on purpose
        self._name, self._seed = f"child {number}", seed
        self._skills, self._problems = skills, problems
        self._ladder = [skill for skill in skills if skill.skill_id in problems]
        self._level = self._chance.randrange(len(self._ladder))
        self._ability = self._chance.gauss(0, 0.5)
        self._traces: dict[str, list[tuple[float, float]]] = {}
        for skill in self._ladder[: self._level]:
            if self._chance.random() >= _GAP:
                self._traces[skill.skill_id] = [(-self._chance.uniform(20, 200), _LEARNT)]

    def answers(self) -> Iterator[Try]:
        day = 1
        for _ in range(_SESSIONS):
            for number in range(_PROBLEMS):
                yield self._answer(day, number)
            day += self._chance.choice(_BETWEEN)

    def _answer(self, day: int, number: int) -> Try:
        skill, moment = self._asked(), day + number / 1000
        problem = self._chance.choice(self._problems[skill.skill_id])
        hardness = Random(f"{self._seed} {problem.key}").gauss(0, 0.4)  # noqa: S311 - the same for all children
        known = self._known(skill, moment, hardness)
        for required in skill.requires:
            if required in self._problems:
                known *= 1 - _SPOILS * (1 - self._known(self._skills[required], moment, 0))
        right = self._chance.random() < known * (1 - _SLIP) + (1 - known) * _GUESS
        self._traces.setdefault(skill.skill_id, []).append((moment, 1.0 if right else _WRONG_TEACHES))
        return Try(self._name, problem, day, right)

    def _asked(self) -> Skill:
        low = 0 if self._chance.random() < 0.3 else max(0, self._level - _NEAR)
        return self._ladder[self._chance.randint(low, min(len(self._ladder) - 1, self._level + _NEAR))]

    def _known(self, skill: Skill, moment: float, hardness: float) -> float:
        traces = self._traces.get(skill.skill_id)
        if not traces:
            return 0.0
        activation = math.log(sum(weight * max(0.02, moment - at) ** -_DECAY for at, weight in traces))
        return 1 / (1 + math.exp(-(activation + self._ability - hardness) / _NOISE))
