"""Probes and choices over the whole bank: every answer that malrules explain."""

from pathlib import Path

import pytest
from hypothesis import HealthCheck, assume, given, settings
from hypothesis import strategies as st

from maththera.arithmetic.malrules import malrules_giving, wrong_answers
from maththera.arithmetic.problem import Problem, problem_from_id
from maththera.arithmetic.problem_bank import Bank
from maththera.settings import home
from maththera.tutoring.diagnosis.probes import SIBLING, Candidate, choose_probe, predict, remaining_candidates
from maththera.tutoring.diagnosis.variable_removal import REMOVALS
from maththera.tutoring.problems.task_presentation import COUNT, tap_choices

# The bank is the same for every example.
over_the_bank = settings(
    suppress_health_check=[HealthCheck.function_scoped_fixture, HealthCheck.too_slow], deadline=None
)


@pytest.fixture(scope="module")
def bank() -> Bank:
    return Bank.load(Path(home()) / "configs" / "arithmetic" / "problem_bank.csv")


def candidates_for(problem: Problem, answer: int) -> list[Candidate]:
    return [Candidate(cause.tag, rule.name) for rule in malrules_giving(problem, answer) for cause in rule.causes]


def drawn_problem(bank: Bank, data: st.DataObject) -> Problem:
    return data.draw(st.sampled_from(bank.level(data.draw(st.integers(1, 15)))))


def drawn_candidates(problem: Problem, data: st.DataObject) -> list[Candidate]:
    results = sorted(set(wrong_answers(problem).values()))
    ambiguous = [answer for answer in results if len({c.tag for c in candidates_for(problem, answer)}) > 1]
    assume(ambiguous)
    return candidates_for(problem, data.draw(st.sampled_from(ambiguous)))


@over_the_bank
@given(data=st.data())
def test_a_probe_separates_and_is_made_again_from_its_id(bank: Bank, data: st.DataObject) -> None:
    problem = drawn_problem(bank, data)
    candidates = drawn_candidates(problem, data)
    probe = choose_probe(problem, candidates, asked=(), bank=bank, seed=data.draw(st.integers()))
    if probe is None:
        return
    again = problem_from_id(probe.problem.problem_id)
    assert again == probe.problem
    assert predict(again, probe.removed_variable, candidates) == probe.predictions
    assert len(set(probe.predictions)) > 1
    assert probe.removed_variable in {SIBLING, *(variable for variable, _, _ in REMOVALS)}


@over_the_bank
@given(data=st.data(), answer=st.integers(0, 1000))
def test_an_answer_leaves_some_of_the_candidates_in_their_order(bank: Bank, data: st.DataObject, answer: int) -> None:
    problem = drawn_problem(bank, data)
    candidates = drawn_candidates(problem, data)
    probe = choose_probe(problem, candidates, asked=(), bank=bank, seed=1)
    assume(probe is not None)
    assert probe is not None
    left = remaining_candidates(probe.problem, probe.removed_variable, candidates, answer)
    assert left
    assert left == [candidate for candidate in candidates if candidate in left]


@over_the_bank
@given(data=st.data())
def test_a_child_who_acts_on_one_cause_never_clears_it(bank: Bank, data: st.DataObject) -> None:
    problem = drawn_problem(bank, data)
    candidates = drawn_candidates(problem, data)
    probe = choose_probe(problem, candidates, asked=(), bank=bank, seed=1)
    assume(probe is not None)
    assert probe is not None
    for candidate, prediction in zip(candidates, probe.predictions, strict=True):
        if isinstance(prediction, int):
            assert candidate in remaining_candidates(probe.problem, probe.removed_variable, candidates, prediction)


@over_the_bank
@given(data=st.data(), seed=st.integers())
def test_choices_are_four_with_the_right_one_and_telling_ones(bank: Bank, data: st.DataObject, seed: int) -> None:
    problem = drawn_problem(bank, data)
    found = tap_choices(problem, seed)
    assert len(set(found)) == COUNT
    assert found == sorted(found)
    assert found[0] >= 0
    assert problem.answer in found
    assert len(set(found) - set(wrong_answers(problem).values()) - {problem.answer}) >= 1
