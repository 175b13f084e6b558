"""A learned procedure tried on the whole bank: where it works, what it would hide, and what a slip could look like."""

from collections import Counter
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from maththera.arithmetic.malrules import CATALOGUE, Malrule, wrong_answers
from maththera.arithmetic.problem import Form, Problem, make_problem
from maththera.arithmetic.problem_bank import Bank

Objection = Literal["never_wrong", "known_already"]
"""Why a procedure cannot be proposed: it never gives a wrong answer; the catalogue gives all of its answers."""

_SHOWN: Final = 6


@dataclass(frozen=True, slots=True)
class OverlappingMalrule:
    """A malrule of the catalogue that gives the same wrong answer on `same` of the problems on which both are wrong."""

    name: str
    title: str
    same: int
    both: int


@dataclass(frozen=True, slots=True)
class Sample:
    expression: str
    given: int
    right: int


@dataclass(frozen=True, slots=True)
class BankTrial:
    """Counts of expressions of the bank in which the operation and the form fit (`suiting`).

    `works`: the procedure gives an answer. `harmless`: it is the right one, which is never evidence. `broken`: it is
    below zero. `wrong`: the others. `new`: of these, no malrule of the catalogue gives it. `like_a_slip`: it lies 1
    beside the right answer, so that a slip of a healthy child looks like it. `shadows`: the malrules that it meets.
    `objection`: why it cannot be proposed.
    """

    suiting: int
    works: int
    harmless: int
    broken: int
    wrong: int
    new: int
    like_a_slip: int
    shadows: list[OverlappingMalrule]
    samples: list[Sample]
    objection: Objection | None


def try_on_bank(rule: Malrule, bank: Bank) -> BankTrial:
    """Each expression counts once, in whichever layout it is drawn."""
    counts: Counter[str] = Counter()
    same: Counter[str] = Counter()
    both: Counter[str] = Counter()
    samples: list[Sample] = []
    for problem, found in _catalogue_answers(bank, rule.ops, rule.form):
        result = rule.apply(problem)
        outcome = _outcome(result, problem)
        counts.update(("suiting", outcome))
        if outcome != "wrong" or result is None:
            continue
        both.update(found.keys())
        same.update(name for name, answer in found.items() if answer == result)
        counts["new"] += result not in found.values()
        counts["like_a_slip"] += abs(result - problem.answer) == 1
        if len(samples) < _SHOWN and counts["wrong"] % _APART == 1:
            samples.append(Sample(problem.expression, result, problem.answer))
    shadows = [OverlappingMalrule(name, CATALOGUE[name].title, times, both[name]) for name, times in same.most_common()]
    return BankTrial(
        works=counts["suiting"] - counts["nothing"],
        shadows=shadows,
        samples=samples,
        objection=_objection(counts),
        **{name: counts[name] for name in _COUNTED},
    )


_COUNTED: Final = ("suiting", "harmless", "broken", "wrong", "new", "like_a_slip")
_APART: Final = 7
"""Samples are this many wrong answers apart."""


@cache
def _catalogue_answers(bank: Bank, ops: Sequence[str], form: Form) -> list[tuple[Problem, Mapping[str, int]]]:
    """The bank's expressions of an operation, asked in this form, with the wrong answers that the catalogue gives."""
    found = {(one.a, one.b): one for one in bank if one.op in ops and (form != "tens" or one.b == _TEN)}
    asked = [one if one.form == form else make_problem(one.a, one.op, one.b, form=form) for one in found.values()]
    return [(problem, wrong_answers(problem)) for problem in asked]


_TEN: Final = 10


def _objection(counts: Counter[str]) -> Objection | None:
    if not counts["wrong"]:
        return "never_wrong"
    return None if counts["new"] else "known_already"


def _outcome(result: int | None, problem: Problem) -> str:
    if result is None:
        return "nothing"
    if result == problem.answer:
        return "harmless"
    return "broken" if result < 0 else "wrong"
