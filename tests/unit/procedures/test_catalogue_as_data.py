"""Most malrules of the catalogue can be said as data: each entry works as its malrule does, on the whole bank."""

from pathlib import Path
from typing import Any

import pytest
import yaml

from maththera.arithmetic.malrules import CATALOGUE, wrong_answers
from maththera.arithmetic.problem import Form, Problem, make_problem
from maththera.procedures.procedure import Procedure, malrule_of
from tests.support.tutoring import rules

WRITTEN: dict[str, dict[str, Any]] = yaml.load(
    (Path(__file__).parents[2] / "data" / "procedures.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader
)


FORMS: dict[str, tuple[Form, ...]] = {"-": ("result", "addend"), "/": ("result", "factor", "tens")}


@pytest.fixture(scope="module")
def problems() -> dict[tuple[str, str], list[Problem]]:
    """The problems of the bank in every form that they can have."""
    found: dict[tuple[str, str], list[Problem]] = {}
    for one in rules().bank:
        if one.layout == "horizontal":
            for form in FORMS.get(one.op, ("result",)):
                if form != "tens":
                    problem = make_problem(one.a, one.op, one.b, form=form)
                    found.setdefault((one.op, form), []).append(problem)
    found["/", "tens"] = [make_problem(10 * tens, "/", 10, form="tens") for tens in range(1, 100)]
    return found


def described(name: str) -> Procedure:
    rule = CATALOGUE[name]
    a, op, b, answer = rule.example
    return Procedure.model_validate(
        {
            "title": rule.title,
            "operation": op,
            "form": rule.form,
            "cause_tag": rule.causes[0].tag,
            "example": {"a": a, "b": b, "answer": answer},
            **WRITTEN[name],
        }
    )


def test_most_of_the_catalogue_is_there() -> None:
    assert WRITTEN.keys() <= CATALOGUE.keys()
    assert len(WRITTEN) > 0.9 * len(CATALOGUE)


@pytest.mark.parametrize("name", WRITTEN)
def test_it_works_as_the_malrule_does(name: str, problems: dict[tuple[str, str], list[Problem]]) -> None:
    procedure = described(name)
    learned = malrule_of(procedure)
    differs, gives = [], 0
    for problem in problems[procedure.operation, procedure.form]:
        found = wrong_answers(problem, (learned,))
        gives += name in found
        if found.get(learned.name) != found.get(name):
            differs.append((problem.expression, found.get(name), found.get(learned.name)))
    assert (differs[:5], gives > 0) == ([], True)
