"""Probes: the problem with one variable removed, so that the causes of an error predict different answers."""

from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from math import log
from types import MappingProxyType
from typing import Final, Literal
from zlib import crc32

from maththera.arithmetic.malrules import CATALOGUE, Malrule
from maththera.arithmetic.problem import Form, Problem, make_problem
from maththera.arithmetic.problem_bank import Bank
from maththera.tutoring.diagnosis.variable_removal import REMOVALS

ANY_WRONG: Final = "any wrong answer"
SIBLING: Final = "sibling"
"""In place of a removed variable: the probe is another problem of the same C."""

DRAWN: Final = frozenset({"operation", "layout"})
"""Removed variables by which the numbers stay and the drawing changes."""

Prediction = int | Literal["any wrong answer"]

_SIBLINGS_TRIED: Final = 12
"""How many separating bank problems are compared."""
_SOME_OF_LEVEL: Final = 256
"""How many problems of a level are tried first; all of them only if none of these separates the candidates."""


@dataclass(frozen=True, slots=True)
class Candidate:
    """A cause that may stand behind an answer, and the malrule that gave the answer."""

    tag: str
    malrule: str


@dataclass(frozen=True, slots=True)
class Probe:
    """A problem without `removed_variable`. `predictions` are in the order of the candidates; they can be computed
    again from the problem's id, the variable and the candidates."""

    problem: Problem
    removed_variable: str
    predictions: tuple[Prediction, ...]


def choose_probe(  # noqa: PLR0913 - the problem, the causes, and what the session knows of both
    problem: Problem,
    candidates: Sequence[Candidate],
    *,
    asked: Collection[str],
    bank: Bank,
    seed: int,
    likelihoods: Mapping[str, float] = MappingProxyType({}),
    drawn: bool = True,
) -> Probe | None:
    """The probe with the highest expected information; the order of `REMOVALS` decides between equals.

    `likelihoods`: how likely each cause is, on any scale; equal by default. `asked`: the ids of probes already shown
    for this problem; they are not repeated. `drawn`: the client can draw a task in another way, so that a probe may
    lie in that alone. A bank problem of the same C, drawn by `seed`, is taken instead if removing
    a variable gives no information, or if it gives half as much again. None: no problem of this C tells the causes
    apart, so they count as one here, and `likeliest` names it.
    """
    best: Probe | None = None
    most = _NOTHING
    for variable, edited in _edits(problem):
        if edited.problem_id not in asked and (drawn or variable not in DRAWN):
            predictions = predict(edited, variable, candidates)
            told = _information(candidates, predictions, likelihoods)
            if told > most + _NOTHING:
                best, most = Probe(edited, variable, predictions), told
    if _MUCH_MORE * most < _information_bound(candidates, likelihoods):
        for sibling in _siblings(problem, candidates, asked, bank, seed):
            told = _information(candidates, sibling.predictions, likelihoods)
            if told > (most if best is not None and best.removed_variable == SIBLING else _MUCH_MORE * most):
                best, most = sibling, told
    return best


def predict(probe: Problem, removed_variable: str, candidates: Sequence[Candidate]) -> tuple[Prediction, ...]:
    """What each candidate answers to a probe that takes out `removed_variable` (nothing, for SIBLING)."""
    return tuple(_prediction(probe, removed_variable, candidate) for candidate in candidates)


def remaining_candidates(
    probe: Problem, removed_variable: str, candidates: Sequence[Candidate], answer: int
) -> list[Candidate]:
    """The candidates that the answer to a probe leaves, in their order.

    Those that predicted it; for an unpredicted wrong answer, those that predicted any wrong one; all if no prediction
    fits, because then the probe has shown nothing.
    """
    predictions = predict(probe, removed_variable, candidates)
    left = [one for one, predicted in zip(candidates, predictions, strict=True) if predicted == answer]
    if not left and answer != probe.answer:
        left = [one for one, predicted in zip(candidates, predictions, strict=True) if predicted != probe.answer]
    return left or list(candidates)


def likeliest(candidates: Sequence[Candidate]) -> Candidate:
    """The candidate that represents all if nothing tells them apart: its cause has the most malrules, and among equals
    comes first in the catalogue."""
    tags = [candidate.tag for candidate in candidates]
    return max(candidates, key=lambda candidate: tags.count(candidate.tag))


def _information(
    candidates: Sequence[Candidate], predictions: Sequence[Prediction], likelihoods: Mapping[str, float]
) -> float:
    """The expected information of a probe: the entropy of the answers that the causes predict (Shannon 1948)."""
    by_cause: dict[str, set[Prediction]] = {}
    for candidate, prediction in zip(candidates, predictions, strict=True):
        by_cause.setdefault(candidate.tag, set()).add(prediction)
    groups: dict[frozenset[Prediction], float] = {}
    for tag, found in by_cause.items():
        groups[frozenset(found)] = groups.get(frozenset(found), 0.0) + (likelihoods.get(tag) or _UNSEEN)
    return _entropy(groups.values())


def _information_bound(candidates: Sequence[Candidate], likelihoods: Mapping[str, float]) -> float:
    """The information of a probe whose answer named the cause: the most that any probe can give."""
    return _entropy([likelihoods.get(tag) or _UNSEEN for tag in {candidate.tag for candidate in candidates}])


def _entropy(weights: Collection[float]) -> float:
    whole = sum(weights)
    return -sum(one / whole * log(one / whole) for one in weights)


_NOTHING: Final = 1e-9
"""Information below which a probe counts as useless, or two probes as equal."""
_MUCH_MORE: Final = 1.5
"""How much more information another problem must give than one without a variable, which also shows what was needed."""
_UNSEEN: Final = 1e-3
"""The likelihood of a cause without evidence."""


def _prediction(problem: Problem, removed_variable: str, candidate: Candidate) -> Prediction:
    rule = CATALOGUE[candidate.malrule]
    needs = {cause.tag: cause.needs for cause in rule.causes}
    if removed_variable in needs[candidate.tag]:
        return problem.answer
    result = rule.apply(problem)
    if result is None:
        return problem.answer
    # The procedure has lost what another of its causes needs, but not what this cause needs: the child errs somehow.
    # If it happens to give the right answer (4−0 for a child who repeats the 4), the right answer is predicted.
    vanished = result == problem.answer and any(removed_variable in others for others in needs.values())
    return ANY_WRONG if vanished or result < 0 else result


def _edits(problem: Problem) -> Iterator[tuple[str, Problem]]:
    """The removals to try. Problems that ask for a part have no columns and no sign, so none."""
    for variable, levels, remove in REMOVALS if problem.form == "result" else ():
        if problem.c_level in levels and (edited := remove(problem)) is not None:
            yield variable, edited


def _siblings(
    problem: Problem, candidates: Sequence[Candidate], asked: Collection[str], bank: Bank, seed: int
) -> Iterator[Probe]:
    """Some problems of the same C on which the candidates' malrules differ."""
    malrules = tuple(dict.fromkeys(candidate.malrule for candidate in candidates))
    found = _separating_problems(bank, malrules, problem.c_level, problem.op, problem.form)
    start = crc32(f"{seed}:{problem.problem_id}".encode())
    for step in range(min(len(found), _SIBLINGS_TRIED)):
        other = found[(start + step) % len(found)]
        sibling = make_problem(other.a, other.op, other.b, layout=problem.layout, form=problem.form)
        if other.key != problem.key and sibling.problem_id not in asked:
            yield Probe(sibling, SIBLING, predict(sibling, SIBLING, candidates))


@lru_cache(maxsize=4096)
def _separating_problems(bank: Bank, malrules: Sequence[str], c_level: int, op: str, form: Form) -> Sequence[Problem]:
    """Some or all problems of a level on which the malrules give different answers."""
    level = [problem for problem in bank.level(c_level) if (problem.op, problem.form) == (op, form)]
    some = level[:: max(1, len(level) // _SOME_OF_LEVEL)]
    rules = [CATALOGUE[name] for name in malrules]
    return _parted(some, rules) or _parted(level, rules)


def _parted(problems: Sequence[Problem], rules: Sequence[Malrule]) -> list[Problem]:
    return [problem for problem in problems if len({_malrule_answer(rule, problem) for rule in rules}) > 1]


def _malrule_answer(rule: Malrule, problem: Problem) -> int:
    """The malrule's answer if it gives one, else the right answer."""
    result = rule.apply(problem)
    return problem.answer if result is None else result
