"""Tables D over the whole bank: every expression has its four scaffolds."""

import pytest

from maththera.arithmetic.problem import Problem, problem_from_id
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.problems.scaffolds import Scaffolds, scaffolds

LEVELS = range(1, 16)


Originals = dict[int, list[tuple[Problem, Scaffolds]]]


@pytest.fixture(scope="module")
def originals(rules: Rules) -> Originals:
    """C → one problem of each of its expressions, with its scaffolds."""
    expressions = {c: {(one.a, one.op, one.b): one for one in rules.bank.level(c)} for c in LEVELS}
    return {c: [(one, scaffolds(one)) for one in found.values()] for c, found in expressions.items()}


def test_the_bank_has_all_expressions(originals: Originals) -> None:
    assert sum(map(len, originals.values())) == 7527


@pytest.mark.parametrize("c", LEVELS)
def test_scaffolds_are_problems_that_a_checkpoint_can_name(originals: Originals, c: int) -> None:
    for original, found in originals[c]:
        for problem in found:
            assert problem.answer >= 0, (original, problem)
            assert problem_from_id(problem.problem_id) == problem


@pytest.mark.parametrize("c", LEVELS)
def test_the_moved_problem_has_the_originals_answer_and_other_numbers(originals: Originals, c: int) -> None:
    for original, found in originals[c]:
        value = found.moved.answer
        assert value == original.answer, (original, found.moved)
        mirror_is_the_move = 0 in (original.a, original.b)
        same = found.moved.form == original.form and found.moved.key == original.key
        assert not same or mirror_is_the_move, (original, found.moved)


@pytest.mark.parametrize("c", LEVELS)
def test_no_scaffold_is_the_original(originals: Originals, c: int) -> None:
    for original, found in originals[c]:
        for problem in (found.anchor, found.sub_step, found.gap):
            assert (problem.form, problem.key) != (original.form, original.key), (original, problem)


@pytest.mark.parametrize("c", LEVELS)
def test_the_gap_shows_the_answer_only_where_the_original_does(originals: Originals, c: int) -> None:
    for original, found in originals[c]:
        if found.gap.form == "addend" and original.answer in (found.gap.a, found.gap.b):
            assert original.answer in (original.a, original.b), (original, found.gap)


@pytest.mark.parametrize("c", LEVELS)
def test_the_two_steps_of_a_bridge_are_two_questions(originals: Originals, c: int) -> None:
    for original, found in originals[c]:
        assert (found.gap.form, found.gap.key) != (found.moved.form, found.moved.key), original
