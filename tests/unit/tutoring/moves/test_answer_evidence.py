"""What an answer says about skills: first tries, aided ones, causes, and what says nothing."""

from collections.abc import Sequence

import pytest

from maththera.knowledge.knowledge import Evidence
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.moves.answer_evidence import skill_of_variables
from tests.support.sessions import IMPULSIVE, SLOW, Session, begin, problem_id


def evidence(session: Session) -> Sequence[Evidence]:
    """What the last turn said."""
    return [Evidence(*entry) for entry in session.turns[-1].learner.evidence or ()]


def test_a_right_first_try_speaks_for_its_skill(rules: Rules) -> None:
    (one,) = evidence(begin(rules, "52-38").right())
    assert (one.skill_id, one.right, one.fast, one.aided, one.weight) == ("C10.borrow", True, True, False, 1.0)


def test_a_slow_one_is_not_fast_and_a_hasty_one_counts_half(rules: Rules) -> None:
    (slow,) = evidence(begin(rules, "52-38").right(SLOW))
    (hasty,) = evidence(begin(rules, "52-38").right(IMPULSIVE))
    assert (slow.fast, slow.weight) == (False, 1.0)
    assert (hasty.fast, hasty.weight) == (False, 0.5)


def test_a_wrong_answer_without_thought_says_nothing(rules: Rules) -> None:
    assert evidence(begin(rules, "52-38").answer(11, IMPULSIVE)) == []


def test_no_answer_counts_half_a_miss(rules: Rules) -> None:
    (one,) = evidence(begin(rules, "52-38").timeout())
    assert (one.skill_id, one.right, one.weight) == ("C10.borrow", False, 0.5)


def test_a_training_and_the_end_say_nothing(rules: Rules) -> None:
    assert evidence(begin(rules, "52-38").stop()) == []


def test_a_problem_outside_the_ladder_says_nothing(rules: Rules) -> None:
    assert evidence(begin(rules, "1000+124").right()) == []


def test_the_same_problem_shown_again_is_no_first_try(rules: Rules) -> None:
    session = begin(rules, "52-38").answer(11, IMPULSIVE).train()
    assert session.problem.key == "52-38"
    (again,) = evidence(session.right())
    assert (again.skill_id, again.aided) == ("C10.borrow", True)


def test_what_a_probe_shows_is_aided(rules: Rules) -> None:
    session = begin(rules, "28+15")
    session.answer(33)
    while session.task["kind"] != "probe":
        session.answer(session.problem.answer + 10)
    assert all(one.aided for one in evidence(session.right()))


def test_a_slip_that_a_second_look_mends_counts_half(rules: Rules) -> None:
    session = begin(rules, "28+15")
    while session.state["counters"]["right_run"] < rules.numbers.limits.second_look_after:
        session.right()
    skill = rules.knowledge.skill_of(session.problem)
    session.slip()
    assert session.rows[-1] == "8"
    assert evidence(session) == []
    (one,) = evidence(session.right())
    assert (one.skill_id, one.right, one.aided, one.weight) == (skill, False, False, 0.5)


@pytest.mark.parametrize(
    ("problem", "needs", "skill_id"),
    [
        ("28+15", {"carry"}, "C8.carry_ones"),
        ("503-278", {"borrow"}, "C12.across_zero"),
        ("345+20", {"carry"}, "C11.uneven"),  # nothing below it carries
        ("50-38", {"zero"}, "C10.borrow_x0"),
        ("548-2", {"length"}, "C12.uneven"),
        ("34x20", {"carry"}, "C15.carry_1d"),
        ("52-31", set(), "C10.plain"),
    ],
)
def test_a_cause_counts_against_the_skill_of_what_it_needs(
    rules: Rules, problem: str, needs: set[str], skill_id: str
) -> None:
    of = rules.bank.problem(problem_id(rules, problem))
    assert skill_of_variables(of, needs, rules.knowledge.skills) == skill_id


def test_the_trace_says_what_a_turn_changed(rules: Rules) -> None:
    session = begin(rules, "52-38").right()
    payloads = {one["type"]: one["payload"] for one in session.turns[-1].trace}
    (change,) = payloads["adaptation_result"]["knowledge"]
    assert (change["skill_id"], change["word"]) == ("C10.borrow", ["untested", "practising"])
    assert change["chance"][1] > change["chance"][0]


def test_knowledge_is_the_start_and_the_evidence_of_the_turns(rules: Rules) -> None:
    session = begin(rules, "52-38").right().right().slip().right()
    knowledge = rules.session_knowledge.at(begin(rules, "52-38").state)
    for turn in session.turns:
        for entry in turn.learner.evidence or ():
            knowledge = knowledge.after(Evidence(*entry))
    assert knowledge.snapshot() == rules.session_knowledge.at(session.state).snapshot()
