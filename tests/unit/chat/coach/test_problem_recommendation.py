"""A harder problem is one step harder."""

import pytest

from maththera.arithmetic.problem import make_problem
from maththera.chat.coach.learner_facts import kind_of
from maththera.chat.coach.problem_recommendation import exercise
from tests.support.coach import knowledge


@pytest.mark.parametrize(("a", "b"), [(44, 26), (19, 6), (8, 5), (38, 15)])
def test_a_harder_sum_has_no_more_than_one_more_digit_to_carry(a: int, b: int) -> None:
    than = make_problem(a, "+", b)
    harder = exercise(knowledge(), (), "carry", than, 1, ())
    assert kind_of(harder) == "carry"
    assert max(harder.a, harder.b) < 100
    skills = knowledge().model.skills
    before, after = skills.of_problem(than), skills.of_problem(harder)
    assert harder.w_total > than.w_total or (before and after and before.skill_id != after.skill_id)


def test_an_easier_one_is_no_harder() -> None:
    than = make_problem(382, "+", 382)
    easier = exercise(knowledge(), (), "carry", than, -1, ())
    assert max(easier.a, easier.b) < 100
