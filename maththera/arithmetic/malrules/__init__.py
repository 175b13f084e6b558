"""Malrules: the wrong procedures children follow, as pure functions from a problem to the answer they give.

One module per operation. A new malrule is one decorated function in one of them; its cause tags stand in
`configs/tutoring/causes.yaml`, and the tests hold its example.
"""

from collections.abc import Iterable
from itertools import chain
from typing import Final

from maththera.arithmetic.malrules import (  # noqa: F401 - importing a module declares its malrules
    addition,
    addition_facts,
    borrowing,
    division,
    missing_part,
    multiplication,
    subtraction,
    transcription,
)
from maththera.arithmetic.malrules.malrule import CATALOGUE, LEARNED, Malrule, Sheet
from maththera.arithmetic.problem import Form, Problem

__all__ = ["CATALOGUE", "LEARNED", "Malrule", "malrules_giving", "wrong_answers"]

_SUITING: Final[dict[tuple[str, Form], list[Malrule]]] = {}
"""(op, form) → its malrules."""
for _rule in CATALOGUE.values():
    for _op in _rule.ops:
        _SUITING.setdefault((_op, _rule.form), []).append(_rule)


def wrong_answers(problem: Problem, learned: Iterable[Malrule] = ()) -> dict[str, int]:
    """Malrule name → the wrong answer it gives here; no right answers and nothing below zero. `learned`: malrules that
    are asked besides those of the catalogue."""
    sheet = Sheet(problem)
    found: dict[str, int] = {}
    for rule in chain(_SUITING[problem.op, problem.form], (one for one in learned if one.suits(problem))):
        result = rule.evidence(sheet)
        if result is not None:
            found[rule.name] = result
    return found


def malrules_giving(problem: Problem, answer: int, learned: Iterable[str] = ()) -> tuple[Malrule, ...]:
    """The malrules that give exactly this wrong answer, in the order of the catalogue; none for the right answer.
    `learned`: names of learned ones that are asked as well, if this process knows them."""
    known = [LEARNED[name] for name in learned if name in LEARNED]
    return tuple(CATALOGUE[name] for name, result in wrong_answers(problem, known).items() if result == answer)
