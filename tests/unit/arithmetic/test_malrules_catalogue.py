"""The catalogue as a whole: every example, the seed's worked cases, and what a declaration must not get wrong."""

import pytest

from maththera.arithmetic.malrules import CATALOGUE, Malrule, malrules_giving, wrong_answers
from maththera.arithmetic.malrules.malrule import Sheet, malrule
from maththera.arithmetic.problem import make_problem, parse_expression

PUBLISHED = [
    ("28+15", 13, "partial_sum_of_ones"),
    ("81−38", 57, "smaller_from_larger"),
    ("42−16", 30, "zero_instead_of_borrow"),
    ("57−32", 15, "always_borrows"),
    ("80−27", 67, "zero_minus_n_is_n"),
    ("40−21", 20, "zero_minus_n_is_zero"),
    ("57−20", 30, "n_minus_zero_is_zero"),
    ("83−13", 73, "n_minus_n_is_n"),
    ("306−187", 219, "borrow_from_zero"),
    ("904−7", 807, "borrow_across_zero"),
    ("404−187", 227, "stops_borrow_at_zero"),
    ("506−318", 198, "zero_not_decremented"),
    ("604−235", 479, "zero_becomes_ten"),
    ("733−216", 427, "borrow_from_leftmost"),
    ("863−134", 749, "borrow_adds_to_neighbour"),
    ("62−44", 28, "borrow_no_decrement"),
    ("31−6", 15, "leftover_ten_lost"),
    ("8−3", 6, "count_back_one_less"),
    ("4369−22", 2147, "stutter"),
    ("548−2", 436, "blank_takes_one"),
    ("439−4", 5, "quits_at_blank"),
    ("15−6", 21, "difference_added"),
    ("47+26", 63, "sum_carry_dropped"),
    ("28+17", 81, "wrong_digit_carried"),
    ("8+5", 10, "make_ten_rest_lost"),
    ("28+15", 53, "carry_added_twice"),
    ("8+5", 12, "count_on_one_less"),
    ("8+5", 14, "count_on_one_more"),
    ("28+15", 313, "carry_in_full"),
    ("34+5", 84, "sum_left_aligned"),
    ("34+5", 89, "added_to_both_digits"),
    ("28+15", 16, "all_digits_added"),
    ("4+3", 43, "sum_concatenated"),
    ("23+14", 47, "always_carries"),
    ("8+5", 15, "sum_not_compensated"),
    ("6+3", 7, "next_number"),
    ("7+5", 7, "addend_repeated"),
    ("28+15", 34, "digits_reversed"),
    ("8+5", 3, "sum_subtracted"),
    ("7×8", 63, "one_group_more"),
    ("7×8", 49, "one_group_less"),
    ("6×3", 9, "product_added"),
    ("7×0", 7, "times_zero_is_itself"),
    ("7×1", 8, "times_one_is_one_more"),
    ("6×7", 43, "product_one_more"),
    ("23×23", 409, "no_cross_products"),
    ("123×45", 1107, "partial_product_unshifted"),
    ("27×4", 88, "product_carry_dropped"),
    ("27×4", 168, "carry_added_first"),
    ("56÷8", 6, "quotient_one_less"),
    ("56÷8", 8, "quotient_one_more"),
    ("56÷8", 5, "remainder_dropped"),
    ("56÷8", 16, "remainder_kept"),
    ("56÷8", 0, "operands_swapped"),
]
"""The published error procedures that must be known, each with the answer that is its mark."""


@pytest.mark.parametrize(("expression", "answer", "name"), PUBLISHED, ids=[row[2] for row in PUBLISHED])
def test_published_procedures_are_recognised(expression: str, answer: int, name: str) -> None:
    assert name in {rule.name for rule in malrules_giving(make_problem(*parse_expression(expression)), answer)}


@pytest.mark.parametrize("rule", CATALOGUE.values(), ids=CATALOGUE.keys())
def test_every_example_is_a_wrong_answer_of_its_malrule(rule: Malrule) -> None:
    a, op, b, wrong = rule.example
    problem = make_problem(a, op, b, form=rule.form)
    assert rule.apply(problem) == wrong
    assert wrong_answers(problem)[rule.name] == wrong != problem.answer


def test_every_entry_has_a_title_a_source_and_a_cause() -> None:
    assert [rule.name for rule in CATALOGUE.values() if not (rule.title and rule.source and rule.causes)] == []


def causes_of(expression: str, answer: int) -> set[str]:
    rules = malrules_giving(make_problem(*parse_expression(expression)), answer)
    return {cause.tag for rule in rules for cause in rule.causes}


def test_a_partial_sum_of_one_place_has_one_cause() -> None:
    assert causes_of("28+15", 13) == {"SPATIAL_L4_PLACE_VALUE"}


def test_a_carry_written_in_full_has_two_causes_with_their_needs() -> None:
    (rule,) = malrules_giving(make_problem(28, "+", 15), 313)
    assert {cause.tag: set(cause.needs) for cause in rule.causes} == {
        "STRATEGY_L4_PLACEVALUE": {"carry"},
        "SPATIAL_L4_ALIGNMENT": {"digits", "layout"},
    }


@pytest.mark.parametrize(("expression", "answer"), [("98+90", 178), ("100+90", 7), ("47+26", 5)])
def test_answers_that_no_procedure_explains(expression: str, answer: int) -> None:
    assert causes_of(expression, answer) == set()


@pytest.mark.parametrize(("expression", "answer"), [("4+3", 43), ("28+15", 16)])
def test_a_broken_sense_of_quantity_is_marked(expression: str, answer: int) -> None:
    rules = malrules_giving(make_problem(*parse_expression(expression)), answer)
    assert rules
    assert all(rule.breaks_quantity for rule in rules)


def test_a_teen_number_written_as_spoken_does_not_break_quantity_alone() -> None:
    rules = malrules_giving(make_problem(10, "+", 4), 104)
    assert {rule.breaks_quantity for rule in rules} == {True, False}


def test_the_right_answer_is_never_explained() -> None:
    assert malrules_giving(make_problem(28, "+", 15), 43) == ()


def test_a_malrule_of_another_operation_or_form_has_nothing_to_say() -> None:
    assert CATALOGUE["sum_subtracted"].apply(make_problem(8, "-", 5)) is None
    assert CATALOGUE["difference_added"].apply(make_problem(8, "-", 5, form="addend")) is None
    assert CATALOGUE["gap_parts_added"].apply(make_problem(8, "-", 5)) is None


def any_answer(sheet: Sheet) -> int:
    return sheet.a


def test_a_name_is_given_once() -> None:
    def next_number(sheet: Sheet) -> int:
        return sheet.a

    with pytest.raises(ValueError, match="already is a malrule next_number"):
        malrule(title="", causes={}, source="", example=(1, "+", 1, 1), working=lambda s: f"{s.a}")(next_number)


def test_needs_are_variables_a_probe_can_remove() -> None:
    with pytest.raises(ValueError, match="any_answer, cause X: no such variable as colour"):
        malrule(title="", causes={"X": "carry colour"}, source="", example=(1, "+", 1, 1), working=lambda s: f"{s.a}")(
            any_answer
        )
    assert "any_answer" not in CATALOGUE
