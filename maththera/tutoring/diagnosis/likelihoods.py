"""The likelihoods behind the posterior: what one answer says for and against each hypothesis.

Each weight is the logarithm of how much likelier the hypothesis makes the answer than a child without a defect does.
Such a child slips, and errs in no particular way where it has not learnt what the problem asks for.
"""

import math
from collections.abc import Collection, Sequence
from typing import Final, NamedTuple

from maththera.arithmetic.problem import Problem
from maththera.tutoring.content.session_rules import EvidenceNumbers, Rules
from maththera.tutoring.diagnosis.hypotheses import ANY_WRONG, IMPULSE, UNKNOWN, predictions, spared_hypotheses
from maththera.tutoring.state import Observation

Weights = dict[str, tuple[float, int, int]]
"""Hypothesis → what an answer adds to its weight, its explained answers and its answers that were wrong otherwise."""


class AnsweredTask(NamedTuple):
    """An answered task, and the belief about the child before. `removed`: the variable its probe took out, None
    outside probes; `repeated`: the session's earlier wrong answers to the same problem, or to the one that it is a
    scaffold of. `unlearnt`: the probability that its skill is not learnt yet."""

    problem: Problem
    choices: Sequence[int]
    removed: str | None
    aided: bool
    repeated: Collection[int] = ()
    unlearnt: float = 0.0


class _Chances(NamedTuple):
    """Probabilities for a child without a defect: that it errs here, and that it gives just this wrong answer, by a
    slip or because its skill is not learnt yet (`this`). `scatter`: the share of this answer among errors without a
    procedure."""

    wrong: float
    this: float
    scatter: float


def log_likelihoods(shown: AnsweredTask, observation: Observation, rules: Rules) -> Weights:
    """Hypothesis → what the current answer adds to its numbers."""
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


def _right(shown: AnsweredTask, observation: Observation, rules: Rules) -> Weights:
    numbers, tap = rules.numbers.evidence, observation["tap"]
    knows = 1 - _error_chance(shown, numbers)
    against = (math.log((numbers.guess_tap if tap else numbers.guess) / knows), 0, 0)
    # A child whose own answer is not among the choices taps any of them, now and then the right one.
    by_luck = (math.log((numbers.guess_tap + numbers.follows_tap / max(1, len(shown.choices))) / knows), 0, 0)
    predicted = predictions(shown.problem, shown.removed, rules.held_out, rules.learned)
    spared = spared_hypotheses(shown.problem)
    weights: Weights = {
        key: by_luck if tap and one not in shown.choices else against
        for key, one in predicted.items()
        if key not in spared
    }
    weights[f"{shown.problem.op}|{UNKNOWN}"] = (math.log((1 - numbers.unknown_fails) / knows), 0, 0)
    return weights


def _wrong(shown: AnsweredTask, observation: Observation, answer: int, rules: Rules) -> Weights:
    if answer in shown.repeated:
        return _repeated(shown, answer, rules)
    numbers, tap = rules.numbers.evidence, observation["tap"]
    follows, guess = (numbers.follows_tap, numbers.guess_tap) if tap else (numbers.follows, numbers.guess)
    chances = _chances(shown, answer, tap, numbers)
    by_malrule = (math.log(follows / chances.this), 1, 0)
    missing = 1 - 1 / len(shown.choices) if tap and shown.choices else 1.0
    somehow = (math.log(missing * follows / chances.wrong), 0, 0)
    otherwise = (math.log((1 - follows - guess) / chances.wrong), 0, int(not tap))
    weights: Weights = {}
    for key, predicted in predictions(shown.problem, shown.removed, rules.held_out, rules.learned).items():
        if predicted == answer:
            weights[key] = by_malrule
        elif predicted == ANY_WRONG or (tap and predicted not in shown.choices):
            weights[key] = somehow  # a child whose own answer is not among the choices taps any other
        else:
            weights[key] = otherwise
    unknown = math.log(numbers.unknown_fails * chances.scatter / chances.this)
    weights[f"{shown.problem.op}|{UNKNOWN}"] = (unknown, int(not observation["malrules"]), 0)
    return weights


def _repeated(shown: AnsweredTask, answer: int, rules: Rules) -> Weights:
    """A wrong answer that comes again to a problem, or in its loop, is no evidence, as any child repeats it. After a
    probe that took out what a hypothesis needs, the same answer speaks against that hypothesis."""
    if shown.removed is None:
        return {}
    left = predictions(shown.problem, shown.removed, rules.held_out, rules.learned)
    whole = predictions(shown.problem, None, rules.held_out, rules.learned)
    against = (math.log(rules.numbers.evidence.slip), 0, 0)
    return {key: against for key, predicted in whole.items() if predicted == answer and key not in left}


def _error_chance(shown: AnsweredTask, numbers: EvidenceNumbers) -> float:
    return (1 - shown.unlearnt) * numbers.slip + shown.unlearnt * numbers.unlearnt_fails


def _chances(shown: AnsweredTask, answer: int, tap: bool, numbers: EvidenceNumbers) -> _Chances:
    choices = shown.choices if tap else ()
    slip = numbers.slip * slip_likelihood(shown.problem, answer, choices)
    scatter = _scatter(shown.problem, answer, choices)
    this = (1 - shown.unlearnt) * slip + shown.unlearnt * numbers.unlearnt_fails * scatter
    return _Chances(_error_chance(shown, numbers), this, scatter)


def slip_likelihood(problem: Problem, answer: int, choices: Sequence[int]) -> float:
    """The probability of a wrong answer given a slip: high next to the right answer, low far off, equal over taps."""
    if choices:
        return 1 / max(1, len(choices) - 1)
    distance = abs(answer - problem.answer)
    if len(str(answer)) > len(str(problem.answer)) + (distance <= 10):
        return _ABSURD * min(1.0, _FAR_WIDTH / _width(problem))
    if distance == 1:
        return _NEXT
    near = distance <= 4 or distance in (10, problem.a, problem.b) or answer == int(str(problem.answer)[::-1])
    return _NEAR if near else _FAR * min(1.0, _FAR_WIDTH / _width(problem))


def _scatter(problem: Problem, answer: int, choices: Sequence[int]) -> float:
    """The probability of a wrong answer without a procedure. Most such answers are of about the right size, and the
    nearer to the right one the likelier; the others lie anywhere up to about twice the right answer."""
    if choices:
        return 1 / max(1, len(choices) - 1)
    width = _width(problem)
    anywhere = 1 / width if answer < width else _ABSURD / 10
    fades = math.exp(-1 / max(_NEAR_REACH, problem.answer / _NEAR_SHARE))
    all_near = fades * (2 - fades**problem.answer) / (1 - fades)
    return _ABOUT * fades ** abs(answer - problem.answer) / all_near + (1 - _ABOUT) * anywhere


def _width(problem: Problem) -> int:
    """How far wrong answers reach. The larger the numbers, the more far-off answers share the same probability."""
    return 2 * problem.answer + 6


_ABOUT: Final = 0.7
"""The share of answers without a procedure that are of about the right size."""
_NEAR_REACH: Final = 2.0
_NEAR_SHARE: Final = 8
"""How far from the right answer these lie, on average: so much, or this part of the right answer."""
_NEXT: Final = 0.15
_NEAR: Final = 0.05
_FAR: Final = 0.01
_ABSURD: Final = 0.002
_FAR_WIDTH: Final = 30
"""The width for which the chances of far-off answers above hold."""
