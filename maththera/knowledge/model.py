"""The numbers of the knowledge model, and what each problem asks: its skill, and its difficulty within the skill."""

import math
from collections.abc import Iterable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from maththera.arithmetic.problem import Problem
from maththera.config_files import ConfigFile
from maththera.knowledge.skills import Skills

Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]


class _Section(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Prior(_Section):
    """The rating of a skill of which nothing is known, in logits."""

    mean: float
    variance: Positive


class AnswerNumbers(_Section):
    """What a try adds to a rating: a right one `learnt` to the mean, every one the drift to the variance.
    `placed_variance`: of a skill that a placement has weighed."""

    learnt: Annotated[float, Field(ge=0)]
    drift: Annotated[float, Field(ge=0)]
    aided_drift: Annotated[float, Field(ge=0)]
    placed_variance: Positive


class RelatedNumbers(_Section):
    """The share of an answer that counts for a neighbour of its skill, times `step` for each further step."""

    right_below: Share
    wrong_above: Share
    step: Share


class ForgettingNumbers(_Section):
    """In days; `gap` and `review` are shares of the half-life."""

    half_life_days: Positive
    growth: Annotated[float, Field(ge=1)]
    longest_days: Positive
    gap: Share
    review: Share


class WordNumbers(_Section):
    """The limits of the words; all but counts and days are chances."""

    expected: Share
    practising: Share
    shown_tries: Count
    shown_days: Count
    shown_low: Share
    slipping: Share
    kept_days: Count


class PassedNumbers(_Section):
    """What is enough to go up."""

    fast_run: Count
    falls_counted: Annotated[int, Field(ge=0)]
    right: Count


class KnowledgeNumbers(_Section):
    """`configs/knowledge/model.yaml`, checked."""

    prior: Prior
    answer: AnswerNumbers
    related: RelatedNumbers
    forgetting: ForgettingNumbers
    words: WordNumbers
    passed: PassedNumbers


Neighbours = Mapping[str, tuple[tuple[str, float], ...]]
"""Skill id → (another skill, the share of an answer that counts for it)."""


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class KnowledgeModel:
    """`below`: for a right answer, the skills that its own stands on; `above`: for a wrong one, those that stand on it.
    `asked`: problem id → its skill, for the problems of the bank."""

    numbers: KnowledgeNumbers
    skills: Skills
    below: Neighbours
    above: Neighbours
    asked: Mapping[str, str]

    def skill_of(self, problem: Problem) -> str:
        """The skill on which a problem rests; for one outside the ladder or a part that is asked for, the nearest."""
        return self.asked.get(problem.problem_id) or self.skills.nearest(problem).skill_id

    def difficulty(self, problem: Problem) -> float:  # noqa: ARG002 - the fitted weights come with the comparison
        """How much harder than the mean of its skill a problem is, in logits."""
        return 0.0


def load_model(path: Path, skills: Skills, problems: Iterable[Problem]) -> KnowledgeModel:
    """The model over these skills. ConfigError lists every wrong field with its line."""
    numbers = ConfigFile.read(path).parse(TypeAdapter(KnowledgeNumbers))
    related = numbers.related
    above: dict[str, set[str]] = {skill.skill_id: set() for skill in skills}
    for skill in skills:
        for required in skill.requires:
            above[required].add(skill.skill_id)
    below = {skill.skill_id: skill.requires for skill in skills}
    return KnowledgeModel(
        numbers=numbers,
        skills=skills,
        below=_neighbours(below, related.right_below, related.step),
        above=_neighbours(above, related.wrong_above, related.step),
        asked={problem.problem_id: skills.nearest(problem).skill_id for problem in problems},
    )


def chance(mean: float, variance: float) -> float:
    """The chance of a right answer, averaged over a normal rating (MacKay 1992, The evidence framework applied to
    classification networks, Neural Computation 4, 720-736)."""
    return 1 / (1 + math.exp(-mean / math.sqrt(1 + math.pi / 8 * variance)))


def _neighbours(direct: Mapping[str, Iterable[str]], share: float, step: float) -> Neighbours:
    found: dict[str, tuple[tuple[str, float], ...]] = {}
    for skill_id in direct:
        shares: dict[str, float] = {}
        ring, weight = set(direct[skill_id]), share
        while ring:
            shares |= dict.fromkeys(sorted(ring), weight)
            ring = {far for near in ring for far in direct[near]} - shares.keys()
            weight *= step
        found[skill_id] = tuple(shares.items())
    return found
