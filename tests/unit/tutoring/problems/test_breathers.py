"""Breathers: after two misses in a row something that works comes before what may be missed again."""

import pytest

from maththera.tutoring.content.session_rules import Rules
from tests.support.sessions import Session, begin

BY_SKILLS = {"policy": {"advance": "skills"}}


@pytest.fixture
def missed_twice(rules: Rules) -> Session:
    """47+26 was missed at both looks: the gap of the diagnostic question is put off."""
    return begin(rules, "47+26", 8, 8.0, **BY_SKILLS).answer(74).answer(75)


def test_after_two_misses_something_works_and_then_the_sequence_goes_on(missed_twice: Session) -> None:
    session = missed_twice
    put_off = session.state["waiting"]["task"]  # type: ignore[index]
    assert (session.rows, session.state["current_step"]) == (["8", "10"], "breather")
    assert (session.task["kind"], session.problem.op) == ("problem", "-")
    assert session.response["feedback"]["situation"] == "breather"
    session.right()
    assert (session.rows[-1], session.state["current_step"]) == ("b", "diagnostic_question")
    assert session.task == {**put_off, "task_id": session.task["task_id"]}
    assert session.state["waiting"] is None


def test_a_breather_closes_nothing_and_is_a_try_of_its_skill(missed_twice: Session) -> None:
    session = missed_twice
    remaining, attempts = session.state["remaining"], session.state["attempts"]
    skill = session.rules.knowledge.skill_of(session.problem)
    session.right()
    assert (session.state["remaining"], session.state["attempts"]) == (remaining, attempts)
    assert session.rules.session_knowledge.at(session.state)[skill].right == 1


def test_a_missed_breather_ends_the_loop_and_the_problem_is_solved_together(missed_twice: Session) -> None:
    session = missed_twice.timeout()
    assert (session.rows[-1], session.state["current_step"]) == ("bm", "worked_example")
    assert session.state["loop_state"] is None
    assert session.task["problem_id"] is not None
    assert session.problem.key == "26+47"


def test_the_third_wrong_answer_in_a_row_leads_to_the_white_out_all_the_same(missed_twice: Session) -> None:
    assert missed_twice.slip().rows[-1] == "15"


def test_the_original_rule_has_no_breathers(rules: Rules) -> None:
    session = begin(rules, "47+26", 8, 8.0, policy={"advance": "seed"}).answer(74).answer(75)
    assert (session.rows[-1], session.state["current_step"]) == ("10", "diagnostic_question")


def test_what_comes_after_the_breather_is_the_same_every_time(rules: Rules) -> None:
    one, other = (begin(rules, "47+26", 8, 8.0, **BY_SKILLS).answer(74).answer(75).right() for _ in range(2))
    assert one.task == other.task
