"""Hypotheses about a child's errors, and the answer that each predicts for a problem."""

from collections.abc import Collection, Mapping, Sequence
from functools import cache, lru_cache
from typing import Final, NamedTuple

from maththera.arithmetic.malrules import CATALOGUE, LEARNED, wrong_answers
from maththera.arithmetic.problem import Form, Problem, make_problem

Learned = tuple[str, ...]
"""Names of the learned malrules that a session knows."""

UNKNOWN: Final = "UNKNOWN"
IMPULSE: Final = "ATTENTION_L0_IMPULSE"
ANY_WRONG: Final = -1
"""A prediction: the child errs here, but the malrule no longer says how."""

_BIG: Final = frozenset("6789")

NOT_SHOWN: Final = frozenset({UNKNOWN, IMPULSE})
"""Hypotheses that predict no particular answer."""
OPERATIONS: Final = "+-x/"


class _Pair(NamedTuple):
    key: str
    tag: str
    needs: frozenset[str]
    others: frozenset[str]
    """The variables that the malrule's other causes need."""


@cache
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


_SEVERAL: Final = {name: rule for name, rule in CATALOGUE.items() if len(rule.causes) > 1}


@lru_cache(maxsize=16384)
def _results(a: int, op: str, b: int, form: Form, learned: Learned) -> Mapping[str, int]:
    return wrong_answers(make_problem(a, op, b, form=form), [LEARNED[name] for name in learned])


def malrule_results(problem: Problem, learned: Learned = ()) -> Mapping[str, int]:
    """`wrong_answers`, cached, because problems come again within a session and between sessions."""
    return _results(problem.a, problem.op, problem.b, problem.form, learned)


def predictions(
    problem: Problem, removed: str | None, held_out: Collection[str] = (), learned: Learned = ()
) -> Mapping[str, int]:
    """Hypothesis → the wrong answer that it predicts. Hypotheses that predict the right answer are left out."""
    if removed is None:
        return _of_whole(problem.a, problem.op, problem.b, problem.form, frozenset(held_out), learned)
    found, answers = _predictions_of_probe(problem, removed, held_out, learned), malrule_results(problem)
    for name, rule in _SEVERAL.items():
        if name not in answers and name not in held_out and rule.suits(problem):
            for pair in _pairs(name):
                # The probe removed what another cause of this malrule needs; a child with this cause still errs.
                if removed in pair.others and removed not in pair.needs and rule.apply(problem) == problem.answer:
                    found[pair.key] = ANY_WRONG
    return found


@lru_cache(maxsize=8192)
def _of_whole(  # noqa: PLR0913 - the problem, as a key, and what is asked
    a: int, op: str, b: int, form: Form, held_out: frozenset[str], learned: Learned
) -> Mapping[str, int]:
    """The predictions for a whole problem, cached, because the selection asks for those of many."""
    return _predictions_of_probe(make_problem(a, op, b, form=form), None, held_out, learned)


def _predictions_of_probe(
    problem: Problem, removed: str | None, held_out: Collection[str], learned: Learned
) -> dict[str, int]:
    return {
        pair.key: answer
        for name, answer in malrule_results(problem, learned).items()
        if name not in held_out
        for pair in _pairs(name)
        if can_show(pair.needs, problem, removed)
    }


def spared_hypotheses(problem: Problem) -> frozenset[str]:
    """The hypotheses against which a right answer to the problem says nothing."""
    return _spared(problem.a, problem.op, problem.b, problem.form)


@lru_cache(maxsize=8192)
def _spared(a: int, op: str, b: int, form: Form) -> frozenset[str]:
    problem = make_problem(a, op, b, form=form)
    names = [name for name, rule in CATALOGUE.items() if rule.mostly_spares(problem)]
    return frozenset(pair.key for name in names for pair in _pairs(name))


def can_show(needs: frozenset[str], problem: Problem, removed: str | None) -> bool:
    """Whether the problem has what the cause needs. The malrule itself checks the columns."""
    if removed in needs:
        return False
    return "size" not in needs or not _BIG.isdisjoint(f"{problem.a}{problem.b}")


@cache
def tag_of(key: str) -> str:
    """The cause of a hypothesis."""
    return key.rpartition("|")[2]


@cache
def operations_of(key: str) -> Sequence[str]:
    """The operations in which a hypothesis competes with others."""
    name, _, tag = key.rpartition("|")
    if not name:
        return OPERATIONS
    return name if tag == UNKNOWN else CATALOGUE[name].ops
