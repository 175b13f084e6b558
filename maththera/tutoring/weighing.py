"""What one answer says for and against each hypothesis: the likelihoods behind the posterior.

Each weight is the logarithm of how much likelier the hypothesis makes the answer than a child without a defect does.
Such a child slips; above the level where the session began it may also not have learnt the level yet, and then errs in
no particular way. That is weighed for itself: it excludes no malrule, and what it explains is no sign of one.
"""

import math
from collections.abc import Sequence
from typing import Final, NamedTuple

from maththera.arithmetic.problem import Problem
from maththera.tutoring.hypotheses import ANY_WRONG, IMPULSE, UNKNOWN, predictions, unlearnt
from maththera.tutoring.rules import EvidenceNumbers, Rules
from maththera.tutoring.state import Observation

Weights = dict[str, tuple[float, int, int]]
"""Hypothesis → what an answer adds to its weight, its explained answers and its answers that were wrong otherwise."""


class Shown(NamedTuple):
    """A task that was answered, and what was thought of the child before.

    `removed`: the variable its probe took out, None outside probes; `repeated`: the wrong answer that this same problem
    got before. `unlearnt`: how likely it is that this level is not learnt yet; `foreseen`: how likely a malrule in
    force made just this answer.
    """

    problem: Problem
    choices: Sequence[int]
    removed: str | None
    aided: bool
    repeated: int | None = None
    unlearnt: float = 0.0
    foreseen: float = 0.0


class _Chances(NamedTuple):
    """Of a child without a defect: that it errs here, and that it gives just this wrong answer, by a slip (`slip`) or
    by that or for not having learnt the level (`this`). `scatter`: of this answer among those without a procedure."""

    wrong: float
    slip: float
    this: float
    scatter: float


def weigh(shown: Shown, observation: Observation, rules: Rules) -> Weights:
    """Hypothesis → what the answer at hand adds to its numbers."""
    numbers, answer = rules.numbers.evidence, observation["answer"]
    if answer is None:
        return {}
    if observation["impulsive"]:
        return {IMPULSE: (math.log(numbers.impulsive / numbers.impulsive_by_chance), 1, 0)}
    weights: Weights = {IMPULSE: (math.log((1 - numbers.impulsive) / (1 - numbers.impulsive_by_chance)), 0, 0)}
    right = answer == shown.problem.answer
    if right and shown.aided:
        return weights
    return weights | (_right(shown, observation, rules) if right else _wrong(shown, observation, answer, rules))


def _right(shown: Shown, observation: Observation, rules: Rules) -> Weights:
    numbers = rules.numbers.evidence
    guess = numbers.guess_tap if observation["tap"] else numbers.guess
    knows = 1 - _errs(shown, numbers)
    weights: Weights = {
        key: (math.log(guess / knows), 0, 0) for key in predictions(shown.problem, shown.removed, rules.held_out)
    }
    weights[f"{shown.problem.op}|{UNKNOWN}"] = (math.log((1 - numbers.unknown_fails) / knows), 0, 0)
    if shown.unlearnt:
        weight = math.log((1 - numbers.unlearnt_fails) / (1 - numbers.slip))
        weights[unlearnt(shown.problem.c_level)] = (weight, 0, 0)
    return weights


def _wrong(shown: Shown, observation: Observation, answer: int, rules: Rules) -> Weights:
    numbers, tap = rules.numbers.evidence, observation["tap"]
    follows, guess = (numbers.follows_tap, numbers.guess_tap) if tap else (numbers.follows, numbers.guess)
    chances = _chances(shown, answer, tap, numbers)
    by_malrule = (math.log(follows / chances.this), 1, 0)
    somehow = (math.log(follows / chances.wrong), 0, 0)
    otherwise = (math.log((1 - follows - guess) / chances.wrong), 0, int(not tap))
    weights: Weights = {}
    for key, predicted in predictions(shown.problem, shown.removed, rules.held_out).items():
        if predicted == answer:
            weights[key] = by_malrule
        elif predicted == ANY_WRONG or (tap and predicted not in shown.choices):
            weights[key] = somehow  # a child whose own answer was not to be had taps any other
        else:
            weights[key] = otherwise
    # Whoever errs at all gives the same answer to the same problem again: that is no sign of a procedure.
    scatter = 1.0 if answer == shown.repeated else chances.scatter
    explained = int(not observation["malrules"])
    weights[f"{shown.problem.op}|{UNKNOWN}"] = (math.log(numbers.unknown_fails * scatter / chances.this), explained, 0)
    if shown.unlearnt:
        learnt = (1 - shown.foreseen) * chances.slip + shown.foreseen * follows
        weight = math.log(numbers.unlearnt_fails * chances.scatter / learnt)
        weights[unlearnt(shown.problem.c_level)] = (weight, 0, 0)
    return weights


def _errs(shown: Shown, numbers: EvidenceNumbers) -> float:
    return (1 - shown.unlearnt) * numbers.slip + shown.unlearnt * numbers.unlearnt_fails


def _chances(shown: Shown, answer: int, tap: bool, numbers: EvidenceNumbers) -> _Chances:
    choices = shown.choices if tap else ()
    slip = numbers.slip * spread(shown.problem, answer, choices)
    scatter = _scatter(shown.problem, answer, choices)
    this = (1 - shown.unlearnt) * slip + shown.unlearnt * numbers.unlearnt_fails * scatter
    return _Chances(_errs(shown, numbers), slip, this, scatter)


def spread(problem: Problem, answer: int, choices: Sequence[int]) -> float:
    """How a slip spreads over the wrong answers: next to the right one mostly, seldom far off, evenly over taps."""
    if choices:
        return 1 / max(1, len(choices) - 1)
    distance = abs(answer - problem.answer)
    if len(str(answer)) > len(str(problem.answer)) + (distance <= 10):
        return _ABSURD * min(1.0, _FAR_WIDTH / _width(problem))
    if distance == 1:
        return _NEXT
    near = distance <= 4 or distance in (10, problem.a, problem.b) or str(answer) == str(problem.answer)[::-1]
    return _NEAR if near else _FAR * min(1.0, _FAR_WIDTH / _width(problem))


def _scatter(problem: Problem, answer: int, choices: Sequence[int]) -> float:
    """How the answers of a child without a procedure spread: evenly up to about twice the right one."""
    if choices:
        return 1 / max(1, len(choices) - 1)
    width = _width(problem)
    return 1 / width if answer < width else _ABSURD / 10


def _width(problem: Problem) -> int:
    """Up to where wrong answers lie: one far off shares its chance with the more of them the larger the numbers are."""
    return 2 * problem.answer + 6


_NEXT: Final = 0.15
_NEAR: Final = 0.05
_FAR: Final = 0.01
_ABSURD: Final = 0.002
_FAR_WIDTH: Final = 30
"""Answers among which those far off have the chances above."""
