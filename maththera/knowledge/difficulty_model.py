"""A difficulty model beside W: a weighted sum of features, shipped as data and evaluated without the library it was
fitted with."""

import math
from collections.abc import Callable
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import Field, ValidationError

from maththera.arithmetic.problem import Problem
from maththera.config_files import ConfigModel

FEATURES: Final[dict[str, Callable[[Problem], float]]] = {
    "log larger operand": lambda problem: math.log1p(max(problem.a, problem.b)),
    "log smaller operand": lambda problem: math.log1p(min(problem.a, problem.b)),
    "log answer": lambda problem: math.log1p(problem.answer),
    "tie": lambda problem: float(problem.a == problem.b),
    "zero or one": lambda problem: float(min(problem.a, problem.b) <= 1),
    "five": lambda problem: float(5 in (problem.a, problem.b)),
    "carry or borrow": lambda problem: float(len(problem.carries)),
    "digits": lambda problem: float(len(str(problem.a)) + len(str(problem.b)) - 2),
    "subtraction": lambda problem: float(problem.op == "-"),
    "multiplication": lambda problem: float(problem.op == "x"),
    "division": lambda problem: float(problem.op == "/"),
}
"""The features that make a problem hard: size, ties, the rules of 0, 1 and 5 (Campbell & Graham 1985), carries, length,
sign."""


class ModelError(ValueError):
    """The file is not a valid difficulty model; the message says why."""


class DifficultyModel(ConfigModel):
    """Weights by feature. `fit` holds what it was fitted to and how well it predicts items left out."""

    intercept: float
    weights: Annotated[dict[str, float], Field(min_length=1)]
    fit: dict[str, Any]

    def difficulty(self, problem: Problem) -> float:
        """The difficulty in standard deviations of the fitted items' log response time; above 0 is harder than their
        mean."""
        return self.intercept + sum(weight * FEATURES[name](problem) for name, weight in self.weights.items())


def load_model(path: Path) -> DifficultyModel:
    """ModelError for a missing or invalid file."""
    try:
        model = DifficultyModel.model_validate_json(path.read_bytes())
    except (OSError, ValidationError) as error:
        raise ModelError(f"{path}: {error}") from error
    if strange := model.weights.keys() - FEATURES.keys():
        raise ModelError(f"{path}: no such feature as {', '.join(sorted(strange))}")
    return model
