from collections.abc import Sequence
from pathlib import Path

import pytest

from maththera.arithmetic.malrules import malrules_giving
from maththera.arithmetic.problem import Form, Problem, make_problem, parse_expression, problem_from_id
from maththera.arithmetic.problem_bank import Bank
from maththera.settings import home
from maththera.tutoring.diagnosis.probes import (
    ANY_WRONG,
    SIBLING,
    Candidate,
    Probe,
    choose_probe,
    likeliest,
    predict,
    remaining_candidates,
)

STRATEGY = Candidate("STRATEGY_L4_PLACEVALUE", "carry_in_full")
ALIGNMENT = Candidate("SPATIAL_L4_ALIGNMENT", "carry_in_full")


@pytest.fixture(scope="module")
def bank() -> Bank:
    return Bank.load(Path(home()) / "configs" / "arithmetic" / "problem_bank.csv")


def candidates_for(problem: Problem, answer: int) -> list[Candidate]:
    return [Candidate(cause.tag, rule.name) for rule in malrules_giving(problem, answer) for cause in rule.causes]


def choose(
    bank: Bank, expression: str, answer: int, *, asked: Sequence[str] = (), seed: int = 7, form: Form = "result"
) -> Probe | None:
    problem = make_problem(*parse_expression(expression), form=form)
    return choose_probe(problem, candidates_for(problem, answer), asked=asked, bank=bank, seed=seed)


def test_candidates_are_pairs_of_cause_and_malrule() -> None:
    assert candidates_for(make_problem(28, "+", 15), 313) == [STRATEGY, ALIGNMENT]


def test_a_carry_written_in_full_is_probed_without_the_carry(bank: Bank) -> None:
    probe = choose(bank, "28+15", 313)
    assert probe is not None
    assert probe.problem.problem_id == "X:20+15:h"
    assert probe.removed_variable == "carry"
    assert probe.predictions == (35, ANY_WRONG)


@pytest.mark.parametrize(("answer", "left"), [(35, [STRATEGY]), (215, [ALIGNMENT]), (7, [ALIGNMENT])])
def test_the_answer_to_the_probe_decides(answer: int, left: list[Candidate]) -> None:
    assert remaining_candidates(problem_from_id("X:20+15:h"), "carry", [STRATEGY, ALIGNMENT], answer) == left


def test_an_answer_that_nobody_predicted_keeps_those_who_predicted_a_wrong_one() -> None:
    both = [
        Candidate("EXECUTION_L4_CARRY_FORGOTTEN", "sum_carry_dropped"),
        Candidate("EXECUTION_L5_STEP_LOST", "tens_never_added"),
    ]
    probe = make_problem(20, "+", 15)
    assert predict(probe, "carry", both) == (35, 25)
    assert remaining_candidates(probe, "carry", both, 25) == [both[1]]
    assert remaining_candidates(probe, "carry", both, 99) == [both[1]]


def test_a_probe_that_fits_nobody_has_shown_nothing() -> None:
    needs_carry = [
        Candidate("CONCEPT_L3_TEN_PARTNERS", "ten_partner_too_large"),
        Candidate("CONCEPT_L3_TEEN_STRUCTURE", "ten_dropped"),
    ]
    assert remaining_candidates(make_problem(8, "+", 1), "carry", needs_carry, 4) == needs_carry
    switched = [Candidate("CONCEPT_L3_OPERATION_MEANING", "sum_subtracted")]
    assert remaining_candidates(make_problem(8, "+", 5), SIBLING, switched, 13) == switched


@pytest.mark.parametrize(
    ("expression", "answer", "variable", "probe"),
    [
        ("8+5", 12, "carry", "8+1"),
        ("8+5", 14, "carry", "8+1"),
        ("28+15", 33, "carry", "20+15"),
        ("80−27", 67, "zero", "81−27"),
        ("15−8", 6, "borrow", "15−1"),
        ("7×8", 63, "size", "7×5"),
        ("56÷8", 6, "size", "35÷5"),
        ("47+26", 21, "operation", "47+26"),
        ("6×3", 9, "operation", "6×3"),
        ("604−235", 479, "zero", "614−235"),
    ],
)
def test_what_is_taken_out(bank: Bank, expression: str, answer: int, variable: str, probe: str) -> None:
    found = choose(bank, expression, answer)
    assert found is not None
    assert (found.removed_variable, found.problem.expression) == (variable, probe)


def test_a_probe_is_not_put_twice(bank: Bank) -> None:
    second = choose(bank, "28+15", 313, asked=["X:20+15:h"])
    assert second is not None
    assert second.removed_variable == "layout"
    assert second.predictions == (313, 43)


def test_the_probe_that_tells_most_causes_apart_wins(bank: Bank) -> None:
    """Without the carry (6+3) two of the three causes of 6+5→6 would still predict the same."""
    found = choose(bank, "6+5", 6)
    assert found is not None
    assert (found.problem.expression, found.predictions) == ("5+5", (6, 5, 10))


@pytest.mark.parametrize(("expression", "answer"), [("8+6", 41), ("3+1", 3)])
def test_causes_that_no_problem_separates_are_one(bank: Bank, expression: str, answer: int) -> None:
    assert len(candidates_for(make_problem(*parse_expression(expression)), answer)) > 1
    assert choose(bank, expression, answer) is None


def test_a_problem_of_the_same_level_is_the_last_resort(bank: Bank) -> None:
    problem = make_problem(6, "-", 2, form="addend")
    probe = choose(bank, "6−2", 3, form="addend")
    assert probe is not None
    assert probe.removed_variable == SIBLING
    assert (probe.problem.c_level, probe.problem.form) == (2, "addend")
    assert probe.problem.problem_id.startswith("X:")
    assert probe.problem.key != problem.key
    assert len(set(probe.predictions)) > 1
    other = choose(bank, "6−2", 3, form="addend", asked=[probe.problem.problem_id])
    assert other is None or other.problem.problem_id != probe.problem.problem_id


def test_the_seed_decides_which_sibling_and_nothing_else_does(bank: Bank) -> None:
    found = [choose(bank, "6−2", 3, form="addend", seed=seed) for seed in range(12)]
    assert found == [choose(bank, "6−2", 3, form="addend", seed=seed) for seed in range(12)]
    assert len({probe.problem.problem_id for probe in found if probe}) > 1


def test_an_accidental_right_answer_is_predicted_as_right() -> None:
    repeated = Candidate("CONCEPT_L2_TAKING_AWAY", "minuend_repeated")
    assert predict(make_problem(4, "-", 0), "digits", [repeated]) == (4,)


def test_a_procedure_that_breaks_down_predicts_any_wrong_answer() -> None:
    stutter = Candidate("SPATIAL_L4_COLUMN_REUSED", "stutter")
    assert predict(make_problem(31, "-", 6), SIBLING, [stutter]) == (ANY_WRONG,)


def test_the_likeliest_has_most_malrules_then_the_first_place() -> None:
    once, twice = Candidate("A", "first"), Candidate("B", "second")
    assert likeliest([once, twice]) == once
    assert likeliest([once, twice, Candidate("B", "third")]) == twice


def test_another_problem_is_asked_where_it_tells_much_more(bank: Bank) -> None:
    """1×9 → 10 fits six causes; a larger sign would part one of them, other numbers all."""
    first = choose(bank, "1x9", 10)
    assert first is not None
    assert first.removed_variable == SIBLING
    assert len(set(first.predictions)) > 3
    again = choose(bank, "1x9", 10, asked=[first.problem.problem_id])
    assert again is not None
    assert again.problem != first.problem


def test_a_rare_difference_is_found(bank: Bank) -> None:
    """504−345 → 169 fits both; 34 of C12's 2,500 problems part them."""
    problem = make_problem(504, "-", 345)
    both = [
        Candidate("EXECUTION_L5_ZERO_NOT_DECREMENTED", "zero_not_decremented"),
        Candidate("EXECUTION_L5_BORROW_STOPS_AT_ZERO", "stops_borrow_at_zero"),
    ]
    probe = choose_probe(problem, both, asked=(), bank=bank, seed=7)
    assert probe is not None
    assert len(set(probe.predictions)) == 2
