"""Worked examples over the bank: every step can be answered, and no step tells what is still open."""

import re

from hypothesis import given, settings
from hypothesis import strategies as st

from maththera.simulation.independent.sums import read
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.problems.worked_examples import plan_example
from maththera.tutoring.state import given as there
from tests.support.sessions import Session, begin
from tests.support.tutoring import rules as shared_rules

SKILLS = sorted(shared_rules().ladder.problems)
_ANY = settings(max_examples=100, deadline=None)


def example_of(rules: Rules, skill_id: str, seed: int, place: int) -> Session:
    """A session at the first step of an example for one of the skill's problems."""
    problems = rules.ladder.problems[skill_id]
    session = begin(rules, "8+6", seed=seed)
    draft = session.state.copy()
    assert plan_example(draft, rules, problems[place % len(problems)].problem_id, phase="normal", show="select")
    session.state = draft
    return session.answer(14)


@_ANY
@given(skill_id=st.sampled_from(SKILLS), seed=st.integers(0, 1 << 31), place=st.integers(0, 10_000))
def test_every_skill_can_be_shown_and_each_equation_finds_its_number(
    rules: Rules, skill_id: str, seed: int, place: int
) -> None:
    session = example_of(rules, skill_id, seed, place)
    while session.task["kind"] == "worked_example":
        step = read(session.task["prompt"])
        assert step is not None, session.task["prompt"]
        assert step.answer == session.right_answer
        assert rules.ladder.skill_of(session.problem) == skill_id
        session.right()
    assert session.state["current_step"] == "normal"
    assert session.state["remaining"] == 14


@_ANY
@given(skill_id=st.sampled_from(SKILLS), seed=st.integers(0, 1 << 31), place=st.integers(0, 10_000))
def test_only_closed_steps_show_what_they_found(rules: Rules, skill_id: str, seed: int, place: int) -> None:
    session = example_of(rules, skill_id, seed, place)
    while session.task["kind"] == "worked_example":
        steps = there(session.task["presentation"]["steps"])
        at_hand = [step["expression"] for step in steps].index(session.task["prompt"])
        for number, step in enumerate(steps):
            closed = re.fullmatch(r"\d+\D\d+=\d+", step["expression"]) is not None
            assert closed == (number < at_hand), step
        session.slip()
        assert session.response["correct"] is False
    assert session.state["counters"]["wrong_run"] == 0


@_ANY
@given(skill_id=st.sampled_from(SKILLS), seed=st.integers(0, 1 << 31), place=st.integers(0, 10_000))
def test_each_problem_leaves_more_steps_to_the_child(rules: Rules, skill_id: str, seed: int, place: int) -> None:
    session, done = example_of(rules, skill_id, seed, place), []
    asked: list[int] = [0]
    while session.task["kind"] == "worked_example":
        asked[-1] += 1
        length = len(there(session.task["presentation"]["steps"]))
        session.right()
        if session.response["solution"] is not None:
            done.append(session.response["solution"])
            wanted = (length, min(1, length), min(2, length))[len(done) - 1]
            assert asked[-1] == wanted
            asked.append(0)
    assert len(done) <= 3
    assert all("□" not in step["expression"] for one in done for step in one["steps"])
