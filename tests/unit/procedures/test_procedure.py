"""Learned procedures as data: their names, what they refuse, and that they end on whatever they are given."""

import json
from typing import Any

import pytest
import yaml
from hypothesis import given
from hypothesis import strategies as st
from pydantic import ValidationError

from maththera.arithmetic.malrules import CATALOGUE, LEARNED, malrules_giving, wrong_answers
from maththera.arithmetic.problem import make_problem
from maththera.procedures.bank_trial import try_on_bank
from maththera.procedures.procedure import DEFINITION, learn, malrule_of
from tests.support.tutoring import rules
from tests.unit.procedures.test_formulas import nested

NINE = """
kind: procedure
title: 뺄 수 없는 자리에 9를 쓴다
operation: "-"
cause_tag: CONCEPT_L5_BORROW_EXCHANGE
needs: [borrow]
when: carries > 0 and width > 1
columns:
  value: top - bottom
  write: 9 if value < 0 else value
example: {a: 52, b: 38, answer: 29}
"""
EXCEPTION = {
    "kind": "exception",
    "title": "7×8을 54로 외웠다",
    "operation": "x",
    "cause_tag": "EXECUTION_L6_TABLE_NEIGHBOUR",
    "answers": [{"a": 7, "b": 8, "answer": 54}],
}

MANY = f"max({', '.join(['a'] * 90)})"


def nine(**more: Any) -> Any:
    return DEFINITION.validate_python({**yaml.safe_load(NINE), **more})


def test_it_is_the_same_in_yaml_and_json() -> None:
    found = nine()
    assert DEFINITION.validate_json(json.dumps(found.model_dump(mode="json"))) == found
    assert malrule_of(found).apply(make_problem(503, "-", 278)) == 399


def test_a_name_means_one_thing() -> None:
    assert nine().name == nine(form="result").name
    others = [nine(title="다른 이름"), nine(cause_tag="EXECUTION_L5_BORROW_TWICE"), nine(needs=[])]
    assert len({one.name for one in (nine(), *others)}) == 4


def test_a_learned_malrule_is_found_by_its_name_and_asked_only_where_it_is_wanted() -> None:
    name = learn(nine())
    problem = make_problem(52, "-", 38)
    assert CATALOGUE[name] is LEARNED[name]
    assert name not in CATALOGUE
    assert [*CATALOGUE] == [one for one in CATALOGUE if not one.startswith("learned_")]
    assert name not in wrong_answers(problem)
    assert [rule.name for rule in malrules_giving(problem, 29)] == []
    assert wrong_answers(problem, [LEARNED[name]])[name] == 29
    assert name not in wrong_answers(make_problem(58, "-", 32), [LEARNED[name]])
    assert name not in wrong_answers(make_problem(52, "+", 38), [LEARNED[name]])
    with pytest.raises(KeyError):
        CATALOGUE["learned_nothing"]


def test_an_exception_is_for_its_problems_alone() -> None:
    rule = malrule_of(DEFINITION.validate_python(EXCEPTION))
    assert (rule.apply(make_problem(7, "x", 8)), rule.apply(make_problem(8, "x", 7))) == (54, None)


@pytest.mark.parametrize(
    ("more", "says"),
    [
        ({"when": "top > 0"}, "when: no such name as top"),
        ({"answer": "value"}, "answer: no such name as value"),
        ({"columns": None}, "nothing is `written` without columns"),
        ({"columns": {"value": "top +"}}, "columns.value: this cannot be read"),
        ({"columns": {"value": "top", "top": "carry"}}, "columns.top: no such name as carry"),
        ({"columns": {"value": MANY, "write": MANY}}, "more than 160 parts"),
        ({"example": {"a": 52, "b": 38, "answer": 28}}, "with 29, not with 28"),
        ({"example": {"a": 58, "b": 32, "answer": 28}}, "with nothing, not with 28"),
        ({"form": "factor"}, "cannot be asked as factor"),
        ({"kind": "strange"}, "kind"),
        ({"more": 1}, "more"),
    ],
)
def test_what_is_no_procedure(more: dict[str, Any], says: str) -> None:
    with pytest.raises(ValidationError, match=says.replace(".", r"\.").replace("+", r"\+")):
        nine(**more)


COLUMN = nested(st.sampled_from(["top", "bottom", "carry", "keep", "above", "last", "a", "7"]))


@given(COLUMN, COLUMN, COLUMN, st.integers(0, 999_999), st.integers(0, 999_999), st.data())
def test_it_ends_on_every_problem(value: str, carry: str, keep: str, one: int, other: int, data: st.DataObject) -> None:
    """Whatever is written in the columns."""
    columns = {
        "value": value, "write": data.draw(st.sampled_from(["value", "value % 10", "abs(value)"])), "carry": carry,
        "keep": keep, "per": data.draw(st.sampled_from([None, "b", "larger"])),
        "join": data.draw(st.sampled_from(["places", "side_by_side"])),
        "align": data.draw(st.sampled_from(["left", "right"])),
    }  # fmt: skip
    known = {"operation": "+", "answer": "written if a != 1 or b != 1 else 5", "when": "1", "columns": columns}
    try:
        definition = nine(**known, example={"a": 1, "b": 1, "answer": 5})
    except ValidationError as error:
        assert "more than 160 parts" in str(error) or "with nothing" in str(error)  # noqa: PT017
        return
    found = malrule_of(definition).apply(make_problem(one, "+", other))
    assert found is None or isinstance(found, int)


def test_the_trial_on_the_bank_counts_every_expression_once() -> None:
    trial = try_on_bank(malrule_of(nine()), rules().bank)
    subtractions = {(one.a, one.b) for one in rules().bank if one.op == "-"}
    assert trial.suiting == len(subtractions)
    assert trial.works == trial.harmless + trial.broken + trial.wrong
    assert trial.wrong >= trial.new > 0
    assert trial.objection is None
    assert all(0 < one.same <= one.both <= trial.wrong for one in trial.shadows)
    known = {one.name: one.same for one in trial.shadows}
    by_hand = sum(
        (top := one.a % 10) < (bottom := one.b % 10) and one.a < 100 and one.a >= 10 and top + 10 - bottom == 9
        for one in {(each.a, each.b): each for each in rules().bank if each.op == "-"}.values()
    )
    assert known["borrow_no_decrement"] >= by_hand > 0


@pytest.mark.parametrize(
    ("more", "objection"),
    [
        ({"columns": {"value": "abs(top - bottom)"}, "example": {"a": 52, "b": 38, "answer": 26}}, "known_already"),
        ({"when": "a == 999999", "columns": {"value": "1"}, "example": {"a": 999999, "b": 3, "answer": 111111}},
         "never_wrong"),
    ],
)  # fmt: skip
def test_what_the_bank_objects_to(more: dict[str, Any], objection: str) -> None:
    assert try_on_bank(malrule_of(nine(**more)), rules().bank).objection == objection
