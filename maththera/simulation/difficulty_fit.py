"""Fits the difficulty model to data of real people."""

import json
import math
from collections.abc import Mapping, Sequence

from maththera.arithmetic.problem import Problem
from maththera.knowledge.difficulty_model import FEATURES, DifficultyModel
from maththera.simulation.estimates import spearman
from maththera.simulation.human_data import FEWEST_ITEMS, HumanDataError, Item


def fit(files: Mapping[str, Sequence[Item]]) -> DifficultyModel:
    """A ridge regression (scikit-learn) of the log response times, each file in its own standard deviations.

    Every item is predicted once by a model that has not seen it; features that do not vary in the data get no weight.
    HumanDataError: a file whose times do not vary.
    """
    problems, targets = _standardised(files)
    from sklearn.linear_model import RidgeCV
    from sklearn.model_selection import LeaveOneOut, cross_val_predict
    from sklearn.pipeline import make_pipeline
    from sklearn.preprocessing import StandardScaler

    names = [name for name, feature in FEATURES.items() if len({feature(problem) for problem in problems}) > 1]
    rows = [[FEATURES[name](problem) for name in names] for problem in problems]
    model = make_pipeline(StandardScaler(), RidgeCV(alphas=(0.1, 1.0, 10.0)))
    left_out = [float(one) for one in cross_val_predict(model, rows, targets, cv=LeaveOneOut())]
    model.fit(rows, targets)
    scaler, ridge = model[0], model[1]
    weights = [float(one) / float(scale) for one, scale in zip(ridge.coef_, scaler.scale_, strict=True)]
    shift = sum(weight * float(centre) for weight, centre in zip(weights, scaler.mean_, strict=True))
    return DifficultyModel(
        intercept=round(float(ridge.intercept_) - shift, 5),
        weights={name: round(weight, 5) for name, weight in zip(names, weights, strict=True)},
        fit={
            "target": "log of the median response time of right answers, standardised within each file",
            "items": {name: len(items) for name, items in files.items()},
            "operations": sorted({problem.op for problem in problems}),
            "largest_operand": max(max(problem.a, problem.b) for problem in problems),
            "ridge_alpha": float(ridge.alpha_),
            "spearman_left_out": round(spearman(left_out, targets) or 0.0, 3),
            "spearman_w": round(spearman([problem.w_total for problem in problems], targets) or 0.0, 3),
        },
    )


def as_json(model: DifficultyModel) -> bytes:
    """The model as it is shipped."""
    return (json.dumps(model.model_dump(), indent=2, ensure_ascii=False) + "\n").encode()


def _standardised(files: Mapping[str, Sequence[Item]]) -> tuple[list[Problem], list[float]]:
    problems: list[Problem] = []
    targets: list[float] = []
    for name, items in files.items():
        timed = [(item.problem, math.log(item.time)) for item in items if item.time]
        if len({value for _, value in timed}) < FEWEST_ITEMS:
            raise HumanDataError(f"{name}: response times of fewer than {FEWEST_ITEMS} problems, or all the same")
        mean = sum(value for _, value in timed) / len(timed)
        deviation = math.sqrt(sum((value - mean) ** 2 for _, value in timed) / len(timed))
        problems += [problem for problem, _ in timed]
        targets += [(value - mean) / deviation for _, value in timed]
    return problems, targets
