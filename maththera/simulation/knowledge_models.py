"""Models of knowledge side by side: each predicts every next answer of children whom it was not fitted to.

- *tracing*: Bayesian knowledge tracing (Corbett & Anderson 1995), with forgetting.
- *rating*: the tutor's own model, a Glicko rating for each skill with forgetting (`maththera.knowledge`).
- *regression*: logistic regression over the wins and tries of a skill in windows of time, those of the skills below,
  and all of the child's (DAS3H: Choffin, Popineau, Bourda & Vie 2019, Educational Data Mining).
- *share*: the share of right answers at the same skill, of all children; what any model must beat.
"""

import math
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import groupby
from random import Random
from typing import Any, Final

from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.knowledge.model import KnowledgeModel
from maththera.simulation.memory_population import Try

Predicted = list[tuple[float, bool]]
"""For each try the predicted chance of a right answer, and whether it was right."""

_FEWEST: Final = 1e-4
_BINS: Final = 10
_DRAWS: Final = 40
_WINDOWS: Final = (0.5, 7.0, 30.0, math.inf)
"""Days."""


@dataclass(frozen=True, slots=True)
class Quality:
    """How well chances were predicted; `ece`: the mean distance of predicted from observed shares in ten bins of equal
    width."""

    log_loss: float
    brier: float
    ece: float
    auc: float


Children = Sequence[Sequence[Try]]
"""The tries of each child in the order of time."""


def halves(tries: Sequence[Try]) -> tuple[Children, Children]:
    """The tries of every second child, and those of the others."""
    children = [[*own] for _, own in groupby(tries, key=lambda one: one.child)]
    return children[::2], children[1::2]


def compare(fitted: Children, tested: Children, model: KnowledgeModel) -> dict[str, Quality]:
    """Model → its quality on the tested children, after it was fitted to the fitted ones."""
    return {
        "share": quality(_share(fitted, tested, model)),
        "tracing": quality(_tracing(fitted, tested, model)),
        "rating": quality(rated(tested, model)),
        "regression": quality(_regression(fitted, tested, model)),
    }


def quality(predicted: Predicted) -> Quality:
    """The four figures. ValueError without answers of both kinds."""
    right = [chance for chance, was in predicted if was]
    wrong = sorted(chance for chance, was in predicted if not was)
    if not right or not wrong:
        raise ValueError("right and wrong answers are needed")
    count = len(predicted)
    bins: dict[int, list[tuple[float, bool]]] = {}
    for one in predicted:
        bins.setdefault(min(_BINS - 1, int(one[0] * _BINS)), []).append(one)
    return Quality(
        log_loss=-sum(math.log(_within(chance if was else 1 - chance)) for chance, was in predicted) / count,
        brier=sum((chance - was) ** 2 for chance, was in predicted) / count,
        ece=sum(abs(sum(chance - was for chance, was in one)) for one in bins.values()) / count,
        auc=_auc(right, wrong),
    )


def rated(children: Children, model: KnowledgeModel) -> Predicted:
    """The tutor's own model, as it is configured."""
    found: Predicted = []
    for own in children:
        knowledge = Knowledge.start(model, own[0].day)
        for one in own:
            knowledge = knowledge.on_day(one.day)
            found.append((knowledge.expectation(one.problem), one.right))
            difficulty = model.difficulty(one.problem)
            knowledge = knowledge.after(
                Evidence(model.skill_of(one.problem), one.right, one.day, difficulty=difficulty)
            )
    return found


def _auc(right: Sequence[float], wrong: Sequence[float]) -> float:
    from bisect import bisect_left, bisect_right

    above = sum(bisect_left(wrong, chance) + bisect_right(wrong, chance) for chance in right)
    return above / (2 * len(right) * len(wrong))


def _within(chance: float) -> float:
    return min(1 - _FEWEST, max(_FEWEST, chance))


def _share(fitted: Children, tested: Children, model: KnowledgeModel) -> Predicted:
    counts: dict[str, list[int]] = {}
    for one in (one for own in fitted for one in own):
        count = counts.setdefault(model.skill_of(one.problem), [1, 2])
        count[0] += one.right
        count[1] += 1
    shares = {skill_id: right / tries for skill_id, (right, tries) in counts.items()}
    return [(shares.get(model.skill_of(one.problem), 0.5), one.right) for own in tested for one in own]


# --- Bayesian knowledge tracing ---------------------------------------------------------------------------------------


@dataclass(frozen=True, slots=True)
class _Tracing:
    initial: float
    learn: float
    slip: float
    guess: float
    half_life: float


def _tracing(fitted: Children, tested: Children, model: KnowledgeModel) -> Predicted:
    chance = Random(1)  # noqa: S311 - repeatable on purpose
    drawn = [
        _Tracing(chance.uniform(0.1, 0.9), chance.uniform(0.02, 0.4), chance.uniform(0.02, 0.25),
                 chance.uniform(0.02, 0.5), chance.choice((10, 30, 90, 1000)))
        for _ in range(_DRAWS)
    ]  # fmt: skip
    return _traced(tested, min(drawn, key=lambda one: quality(_traced(fitted, one, model)).log_loss), model)


def _traced(children: Children, numbers: _Tracing, model: KnowledgeModel) -> Predicted:
    found: Predicted = []
    for own in children:
        known: dict[str, tuple[float, int]] = {}
        for one in own:
            skill_id = model.skill_of(one.problem)
            then, day = known.get(skill_id, (numbers.initial, one.day))
            now = numbers.initial + (then - numbers.initial) * 0.5 ** ((one.day - day) / numbers.half_life)
            right = now * (1 - numbers.slip) + (1 - now) * numbers.guess
            found.append((right, one.right))
            after = now * (1 - numbers.slip) / right if one.right else now * numbers.slip / (1 - right)
            known[skill_id] = (after + (1 - after) * numbers.learn, one.day)
    return found


# --- logistic regression over windows of time -------------------------------------------------------------------------


def _regression(fitted: Children, tested: Children, model: KnowledgeModel) -> Predicted:
    from sklearn.feature_extraction import DictVectorizer
    from sklearn.linear_model import LogisticRegression
    from sklearn.pipeline import make_pipeline

    learnt = make_pipeline(DictVectorizer(), LogisticRegression(C=1.0, max_iter=500))
    learnt.fit([row for own in fitted for row in _rows(own, model)], [one.right for own in fitted for one in own])
    chances = learnt.predict_proba([row for own in tested for row in _rows(own, model)])[:, 1]
    return [
        (float(chance), one.right) for chance, one in zip(chances, (one for own in tested for one in own), strict=True)
    ]


def _rows(own: Sequence[Try], model: KnowledgeModel) -> Iterator[dict[str, Any]]:
    """The features before each try of one child."""
    seen: dict[str, list[tuple[int, bool]]] = {}
    wins = tries = 0
    for one in own:
        skill_id = model.skill_of(one.problem)
        before = seen.setdefault(skill_id, [])
        row: dict[str, Any] = {"skill": skill_id, "all wins": math.log1p(wins), "all tries": math.log1p(tries)}
        for window in _WINDOWS:
            within = [right for day, right in before if one.day - day <= window]
            row[f"wins {window}"], row[f"tries {window}"] = math.log1p(sum(within)), math.log1p(len(within))
        for name, near in (("below", model.below), ("above", model.above)):
            others = [right for other in near[skill_id] for _, right in seen.get(other, ())]
            row[f"{name} wins"], row[f"{name} tries"] = math.log1p(sum(others)), math.log1p(len(others))
        yield row
        before.append((one.day, one.right))
        wins, tries = wins + one.right, tries + 1
