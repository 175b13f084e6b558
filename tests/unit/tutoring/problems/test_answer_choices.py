import pytest

from maththera.arithmetic.malrules import wrong_answers
from maththera.arithmetic.problem import make_problem, parse_expression
from maththera.tutoring.problems.task_presentation import COUNT, tap_choices


@pytest.mark.parametrize(
    "expression",
    ["8+6", "28+15", "5−5", "1+1", "2−1", "0+5", "7×0", "7×8", "56÷8", "98×76", "503−278", "0−0", "100+90"],
)
@pytest.mark.parametrize("seed", range(8))
def test_four_different_numbers_in_order_with_the_right_one(expression: str, seed: int) -> None:
    problem = make_problem(*parse_expression(expression))
    found = tap_choices(problem, seed)
    assert len(found) == COUNT
    assert found == sorted(set(found))
    assert found[0] >= 0
    assert problem.answer in found


def test_malrules_stand_on_both_sides_beside_one_filler() -> None:
    problem = make_problem(8, "+", 6)
    yielded = set(wrong_answers(problem).values())
    for seed in range(20):
        found = tap_choices(problem, seed)
        assert any(number < 14 and number in yielded for number in found)
        assert any(number > 14 and number in yielded for number in found)
        assert len([number for number in found if number not in yielded]) == 2


def test_the_seed_rotates_over_the_malrules() -> None:
    assert len({tuple(tap_choices(make_problem(8, "+", 6), seed)) for seed in range(40)}) > 5


def test_the_same_seed_gives_the_same_choices() -> None:
    assert [tap_choices(make_problem(8, "+", 6), 3) for _ in range(2)] == [tap_choices(make_problem(8, "+", 6), 3)] * 2


def test_malrules_with_longer_answers_are_left_out() -> None:
    assert all(313 not in tap_choices(make_problem(28, "+", 15), seed) for seed in range(60))


def test_where_all_malrules_stand_on_one_side_both_come_from_there() -> None:
    problem = make_problem(5, "-", 5)
    yielded = set(wrong_answers(problem).values())
    assert len(yielded.intersection(tap_choices(problem, 1))) == 2


def test_a_problem_with_one_malrule_result_gets_two_fillers() -> None:
    problem = make_problem(90, "/", 10, form="tens")
    assert not {result for result in wrong_answers(problem).values() if result < 10}
    assert tap_choices(problem, 1) == tap_choices(problem, 1)
    assert len(tap_choices(problem, 1)) == COUNT


def test_what_a_child_is_suspected_to_answer_is_among_the_choices() -> None:
    problem = make_problem(28, "+", 15)
    for seed in range(8):
        assert {43, 313, 33} <= set(tap_choices(problem, seed, [313, 33]))
        assert {43, 13} <= set(tap_choices(problem, seed, [13])) != {43, 13}
        assert len(tap_choices(problem, seed, [13, 33, 313, 44])) == COUNT
