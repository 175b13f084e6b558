"""Unknown answers that look alike stand together, those of the most children first."""

import pytest

from maththera.arithmetic.problem import Problem, make_problem, parse_expression
from maththera.procedures.clusters import UnknownAnswer, clusters, pattern


def problem(text: str) -> Problem:
    return make_problem(*parse_expression(text))


@pytest.mark.parametrize(
    ("text", "given", "expected"),
    [
        ("8+5", 12, "off_by_one"),
        ("28+15", 53, "off_by_a_place"),
        ("28+15", 34, "digits_rearranged"),
        ("28+15", 1213, "digits_too_many"),
        ("503-278", 5, "digits_too_few"),
        ("52-38", 19, "wrong_where_carried"),
        ("52-38", 29, "wrong_beside_carry"),
        ("345-121", 524, "wrong_elsewhere"),
        ("58-32", 9, "wrong_elsewhere"),
    ],
)
def test_the_pattern_of_a_difference(text: str, given: int, expected: str) -> None:
    assert pattern(problem(text), given) == expected


def unknown(review: int, child: str, text: str, given: int) -> UnknownAnswer:
    return UnknownAnswer(review, child, problem(text), given)


def test_what_several_children_do_comes_first_with_examples_of_each() -> None:
    often = [unknown(number, "s9", "28+15", 99 - number) for number in range(12)]
    several = [unknown(20, "s1", "52-38", 29), unknown(21, "s1", "63-27", 49), unknown(22, "s2", "63-27", 49)]
    found = clusters([*often, *several, unknown(30, "s3", "8+5", 13)])
    first = found[0]
    assert (first.key.operation, first.key.pattern, first.children) == ("-", "wrong_beside_carry", 2)
    assert [one.review_id for one in first.examples] == [20, 22, 21]
    assert first.differences == {13: 2, 15: 1}
    assert all(len(one.examples) <= 8 for one in found)
    assert not [one for one in found if one.key.pattern == "off_by_one"], "a right answer is in no cluster"
