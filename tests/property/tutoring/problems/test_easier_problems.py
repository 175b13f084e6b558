"""Over the whole bank, whatever is known: a step down is never harder in expectation, a sibling is never heavier."""

from typing import Any

import pytest
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.problems.problem_selection import lower_problem, sibling_problem
from maththera.tutoring.state import TutoringState
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
