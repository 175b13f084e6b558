"""What may be behind a child's errors, and which answer each hypothesis predicts for a problem."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from maththera.arithmetic.malrules import CATALOGUE, wrong_answers
from maththera.arithmetic.problem import Form, Problem, make_problem

UNKNOWN: Final = "UNKNOWN"
IMPULSE: Final = "ATTENTION_L0_IMPULSE"
ANY_WRONG: Final = -1
"""The prediction of a child who errs here in a way that the malrule no longer spells out."""

_BIG: Final = frozenset("6789")

UNLEARNT: Final = "UNLEARNT"
"""The tag of "this level is not learnt yet", which is no cause and competes with none."""

NOT_SHOWN: Final = frozenset({UNKNOWN, IMPULSE, UNLEARNT})
"""Hypotheses that predict no particular answer."""
OPERATIONS: Final = "+-x/"


class _Pair(NamedTuple):
    key: str
    tag: str
    needs: frozenset[str]
    others: frozenset[str]
    """What the malrule's other causes need."""


def _pairs(name: str) -> tuple[_Pair, ...]:
    causes = CATALOGUE[name].causes
    return tuple(
        _Pair(
            f"{name}|{cause.tag}",
            cause.tag,
            cause.needs,
            frozenset().union(*(other.needs for other in causes if other is not cause)),
        )
        for cause in causes
    )


_PAIRS: Final = {name: _pairs(name) for name in CATALOGUE}
_SEVERAL: Final = {name: rule for name, rule in CATALOGUE.items() if len(rule.causes) > 1}


@lru_cache(maxsize=16384)
def _results(a: int, op: str, b: int, form: Form) -> Mapping[str, int]:
    return wrong_answers(make_problem(a, op, b, form=form))


def results(problem: Problem) -> Mapping[str, int]:
    """`wrong_answers`, remembered: a session comes back to its problems, and sessions to the bank's."""
    return _results(problem.a, problem.op, problem.b, problem.form)


def predictions(problem: Problem, removed: str | None, held_out: Collection[str] = ()) -> Mapping[str, int]:
    """Hypothesis → the wrong answer it predicts; those that predict the right one are left out."""
    if removed is None:
        return _of_whole(problem.a, problem.op, problem.b, problem.form, frozenset(held_out))
    found, answers = _spelt_out(problem, removed, held_out), results(problem)
    for name, rule in _SEVERAL.items():
        if name not in answers and name not in held_out and rule.suits(problem):
            for pair in _PAIRS[name]:
                # What the malrule needed for another of its causes is gone; this child errs all the same.
                if removed in pair.others and removed not in pair.needs and rule.apply(problem) == problem.answer:
                    found[pair.key] = ANY_WRONG
    return found


@lru_cache(maxsize=8192)
def _of_whole(a: int, op: str, b: int, form: Form, held_out: frozenset[str]) -> Mapping[str, int]:
    """The predictions for a problem that nothing was taken out of: the selection asks for those of many."""
    return _spelt_out(make_problem(a, op, b, form=form), None, held_out)


def _spelt_out(problem: Problem, removed: str | None, held_out: Collection[str]) -> dict[str, int]:
    return {
        pair.key: answer
        for name, answer in results(problem).items()
        if name not in held_out
        for pair in _PAIRS[name]
        if shows(pair.needs, problem, removed)
    }


def shows(needs: frozenset[str], problem: Problem, removed: str | None) -> bool:
    """Whether all that a cause needs beyond the columns, which its malrule sees itself, is there."""
    if removed in needs:
        return False
    return "size" not in needs or not _BIG.isdisjoint(f"{problem.a}{problem.b}")


@cache
def tag_of(key: str) -> str:
    """The cause of a hypothesis."""
    return key.rpartition("|")[2]


@cache
def unlearnt(c_level: int) -> str:
    """The hypothesis that a level is not learnt yet."""
    return f"C{c_level}|{UNLEARNT}"


@cache
def operations_of(key: str) -> Sequence[str]:
    """The operations in which a hypothesis competes with others."""
    name, _, tag = key.rpartition("|")
    if not name:
        return OPERATIONS
    return name if tag == UNKNOWN else CATALOGUE[name].ops
