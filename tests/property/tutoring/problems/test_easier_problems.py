"""Over the whole bank, whatever is known: after a step down nothing is heavier, nor harder in expectation, than what
was missed; a sibling and smaller numbers are never heavier."""

from random import Random
from typing import Any, cast

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from maththera.arithmetic.curriculum import down
from maththera.arithmetic.problem import Problem
from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.moves import loop_moves, session_moves
from maththera.tutoring.moves.session_moves import Effect
from maththera.tutoring.moves.transition_facts import Facts
from maththera.tutoring.problems.easier_problems import simplified
from maththera.tutoring.problems.problem_selection import lower_problem, sibling_problem
from maththera.tutoring.state import Attempts, TutoringState
from tests.support.sessions import begin
from tests.support.tutoring import rules as shared_rules

ANSWERS = st.lists(st.tuples(st.sampled_from(sorted(shared_rules().ladder.problems)), st.booleans()), max_size=30)


def state_of(rules: Rules, **start: Any) -> TutoringState:
    return begin(rules, policy={"advance": "skills"}, **start).state


@pytest.mark.parametrize("c", range(1, 16))
def test_a_sibling_is_no_heavier_and_has_other_numbers(rules: Rules, c: int) -> None:
    state = state_of(rules, c=c)
    for model in rules.bank.level(c):
        if (sibling := sibling_problem(state, rules, model)) is not None:
            assert sibling.w_total <= model.w_total, (model, sibling)
            assert sibling.key != model.key, model
            assert (sibling.op, sibling.c_level) == (model.op, c), (model, sibling)


def drawn_knowledge(rules: Rules, seed: int) -> dict[str, Any]:
    """What thirty answers to skills of any kind leave."""
    chance, known = Random(seed), Knowledge.start(rules.knowledge, 0)  # noqa: S311 - repeatable on purpose
    for _ in range(30):
        known = known.after(Evidence(chance.choice([*rules.ladder.problems]), chance.random() < 0.6, 0))
    return known.snapshot()


@pytest.mark.parametrize("c", range(1, 16))
@pytest.mark.parametrize("steps", [1, 2])
def test_after_a_step_down_nothing_is_heavier_or_less_likely_to_be_right(rules: Rules, c: int, steps: int) -> None:
    """Of every problem of the bank; what is already as light and as likely as any has nothing below it."""
    for start, failed in enumerate(rules.bank.level(c)):
        if start % 25 == 0:
            state = state_of(rules, c=down(c, steps), seed=start, knowledge=drawn_knowledge(rules, start))
            known = rules.session_knowledge.at(state)
        found, expected = lower_problem(state, rules, failed).problem, known.expectation(failed)
        if found.w_total > failed.w_total or known.expectation(found) < expected:
            low = (one for level in range(1, down(c, steps) + 1) for one in rules.bank.level(level))
            easier = (one for one in low if one.w_total <= failed.w_total and known.expectation(one) >= expected)
            assert all(one.key == failed.key for one in easier), (failed.expression, found.expression)


@pytest.mark.parametrize("lower", [session_moves.route_b, session_moves.route_b_severe, loop_moves.fail_loop])
def test_a_step_down_leads_nowhere_heavier(rules: Rules, lower: Effect) -> None:
    """Neither the loop's position nor the one where it leaves the child."""
    missed = {(one.c_level, one.op, one.w_total): one for one in rules.bank}
    for (c, op, w), problem in missed.items():
        draft = state_of(rules, c=c, strand=op)
        draft["w_position"] = w
        draft["attempts"], draft["observation"] = attempts(problem), None
        lower(draft, cast("Facts", None), rules)
        assert draft["w_position"] <= w, (problem.expression, c, w, draft["c_position"], draft["w_position"])


def attempts(problem: Problem) -> Attempts:
    """An ordinary problem that was shown once."""
    return {
        "problem_id": problem.problem_id, "shown": 1, "attention": 0, "timeouts": 0, "slip": None,
        "c_e": problem.c_level, "w_e": problem.w_total, "pattern": None, "again": False,
    }  # fmt: skip


@pytest.mark.parametrize("c", range(1, 16))
def test_smaller_numbers_are_no_heavier_and_no_less_likely_to_be_right(rules: Rules, c: int) -> None:
    known = Knowledge.from_snapshot(drawn_knowledge(rules, c), rules.knowledge)
    for problem in rules.bank.level(c):
        if (found := simplified(problem, rules.ladder, known)) is not None:
            assert found.w_total <= problem.w_total, (problem.expression, found.expression)
            assert known.expectation(found) >= known.expectation(problem), (problem.expression, found.expression)


@settings(max_examples=60, deadline=None)
@given(answers=ANSWERS, down=st.integers(0, 3), place=st.integers(0, 1 << 30), seed=st.integers(0, 1 << 30))
def test_a_step_down_is_never_harder_in_expectation(
    answers: list[tuple[str, bool]], down: int, place: int, seed: int
) -> None:
    rules = shared_rules()
    known = Knowledge.start(rules.knowledge, 0)
    for skill_id, right in answers:
        known = known.after(Evidence(skill_id, right, 0))
    problems = [*rules.bank]
    failed = problems[place % len(problems)]
    state = state_of(rules, c=max(1, failed.c_level - down), seed=seed, knowledge=known.snapshot())
    known = rules.session_knowledge.at(state)
    low = (one for c in range(1, state["c_position"] + 1) for one in rules.bank.level(c) if one.key != failed.key)
    assume(any(known.expectation(one) >= known.expectation(failed) for one in low))  # nothing is easier than 1+1
    found = lower_problem(state, rules, failed).problem
    assert known.expectation(found) >= known.expectation(failed), (failed, found)
