"""The numbers of the knowledge model, and what each problem asks: its skill, and its difficulty within the skill."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from statistics import fmean
from typing import Annotated

from pydantic import Field

from maththera.arithmetic.problem import Problem
from maththera.config_files import ConfigModel
from maththera.knowledge.difficulty_model import DifficultyModel, load_model
from maththera.knowledge.skills import Skills, load_skills

Share = Annotated[float, Field(ge=0, le=1)]
Positive = Annotated[float, Field(gt=0)]
Count = Annotated[int, Field(ge=1)]


class DifficultyNumbers(ConfigModel):
    """`slope`: logits of success for one standard deviation of log response time within a skill, at most `most`, as the
    difficulty model was fitted to small numbers; `step`: for each skill of the longest way down from a skill."""

    slope: Annotated[float, Field(ge=0)]
    most: Annotated[float, Field(ge=0)]
    step: Annotated[float, Field(ge=0)]


class Prior(ConfigModel):
    """The rating of a skill of which nothing is known, in logits."""

    mean: float
    variance: Positive


class AnswerNumbers(ConfigModel):
    """What a try adds to a rating: a right one `learnt` to the mean, every one the drift to the variance.
    `placed_variance`: of a skill that a placement has weighed."""

    learnt: Annotated[float, Field(ge=0)]
    drift: Annotated[float, Field(ge=0)]
    aided_drift: Annotated[float, Field(ge=0)]
    placed_variance: Positive


class RelatedNumbers(ConfigModel):
    """The share of an answer that counts for another skill."""

    right_below: Share
    wrong_above: Share


class ForgettingNumbers(ConfigModel):
    """In days; `gap` and `review` are shares of the half-life. `new_days`: the half-life to which misses bring it."""

    half_life_days: Positive
    new_days: Positive
    growth: Annotated[float, Field(ge=1)]
    longest_days: Positive
    gap: Share
    review: Share


class WordNumbers(ConfigModel):
    """The limits of the words; all but counts and days are chances."""

    expected: Share
    practising: Share
    shown_tries: Count
    shown_days: Count
    shown_low: Share
    slipping: Share
    kept_days: Count


class PassedNumbers(ConfigModel):
    """What is enough to go up."""

    fast_run: Count
    falls_counted: Annotated[int, Field(ge=0)]
    right: Count


class KnowledgeNumbers(ConfigModel):
    """`configs/knowledge/model.yaml`, checked."""

    prior: Prior
    answer: AnswerNumbers
    related: RelatedNumbers
    difficulty: DifficultyNumbers
    forgetting: ForgettingNumbers
    words: WordNumbers
    passed: PassedNumbers


@dataclass(frozen=True, slots=True, repr=False, eq=False)
class KnowledgeModel:
    """`below`: skill id → all that it stands on, for which a right answer is weak evidence; `above`: all that stand on
    it, against which a wrong one is. `hardness`: of the mean problem of each skill, by the difficulty model. `asked`:
    problem id → its skill and its difficulty within it, for the problems of the bank."""

    numbers: KnowledgeNumbers
    skills: Skills
    below: Mapping[str, Sequence[str]]
    above: Mapping[str, Sequence[str]]
    hardness: Mapping[str, float]
    asked: Mapping[str, tuple[str, float]]
    items: DifficultyModel

    def skill_of(self, problem: Problem) -> str:
        """The skill that a problem trains; for a problem outside the ladder, or one with a missing part, the nearest
        skill."""
        return self.asks(problem)[0]

    def difficulty(self, problem: Problem) -> float:
        """How much harder than the mean of its skill a problem is, in logits."""
        return self.asks(problem)[1]

    def asks(self, problem: Problem) -> tuple[str, float]:
        """The skill that a problem trains, and its difficulty relative to the mean of that skill, in logits."""
        return self.asked.get(problem.problem_id) or self._outside_bank(problem)

    def item_difficulty(self, problem: Problem) -> float:
        """The difficulty of a problem among all problems, in logits: a step for each level of skills below its own,
        plus its difficulty within its skill."""
        skill_id, within = self.asks(problem)
        return self.numbers.difficulty.step * self.skills.depth(skill_id) + within

    def _outside_bank(self, problem: Problem) -> tuple[str, float]:
        skill_id = self.skills.nearest(problem).skill_id
        return skill_id, _within(self.items.difficulty(problem), self.hardness[skill_id], self.numbers.difficulty)


def load_knowledge_model(configs: Path, bank: Iterable[Problem]) -> KnowledgeModel:
    """The model of `configs/knowledge`, whose skills cover the bank. ConfigError lists every wrong field
    with its line; ModelError for the difficulty model."""
    folder, problems = configs / "knowledge", [*bank]
    numbers = KnowledgeNumbers.from_file(folder / "model.yaml")
    skills = load_skills(folder / "skills.yaml", problems)
    items = load_model(folder / "difficulty_model.json")
    hard = {problem.problem_id: items.difficulty(problem) for problem in problems}
    grouped: dict[str, list[str]] = {}
    for problem in problems:
        grouped.setdefault(skills.nearest(problem).skill_id, []).append(problem.problem_id)
    hardness = {skill_id: fmean(hard[name] for name in own) for skill_id, own in grouped.items()}
    return KnowledgeModel(
        numbers=numbers,
        skills=skills,
        below={skill.skill_id: sorted(skills.ancestors(skill.skill_id)) for skill in skills},
        above={skill.skill_id: sorted(skills.dependents(skill.skill_id)) for skill in skills},
        hardness=hardness,
        asked={
            name: (skill_id, _within(hard[name], hardness[skill_id], numbers.difficulty))
            for skill_id, own in grouped.items()
            for name in own
        },
        items=items,
    )


def _within(difficulty: float, mean: float, numbers: DifficultyNumbers) -> float:
    return max(-numbers.most, min(numbers.most, numbers.slope * (difficulty - mean)))


def chance(mean: float, variance: float) -> float:
    """The chance of a right answer, averaged over a normal rating (MacKay 1992, The evidence framework applied to
    classification networks, Neural Computation 4, 720-736)."""
    return 1 / (1 + math.exp(-mean / math.sqrt(1 + math.pi / 8 * variance)))
