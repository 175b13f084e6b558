"""What an answer says about skills: first tries, aided ones, causes, and what says nothing."""

from collections.abc import Sequence

import pytest

from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.moves.answer_evidence import skill_of_variables
from maththera.tutoring.state import given
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


@pytest.mark.parametrize(
    "telemetry", [{"hidden_ms": 5000}, {"reloaded": True}, {"rt_reliable": False}, {"focus_losses": 1}]
)
def test_a_wrong_answer_without_a_reliable_time_counts_half(rules: Rules, telemetry: dict[str, object]) -> None:
    """It may have been hasty, and then would say nothing; a right one says as much as ever."""
    (one,) = evidence(begin(rules, "52-38").answer(11, IMPULSIVE, telemetry=telemetry))
    assert (one.skill_id, one.right, one.weight) == ("C10.borrow", False, 0.5)
    (right,) = evidence(begin(rules, "52-38").answer(14, telemetry=telemetry))
    assert (right.right, right.weight) == (True, 1.0)


def test_no_answer_counts_half_a_miss(rules: Rules) -> None:
    (one,) = evidence(begin(rules, "52-38").timeout())
    assert (one.skill_id, one.right, one.weight) == ("C10.borrow", False, 0.5)


def test_who_was_helped_by_an_aid_did_not_try_alone(rules: Rules) -> None:
    session = begin(rules, "52-38").answer(14, telemetry={"helped": ["read_aloud", "aid"]})
    (one,) = evidence(session)
    assert (one.skill_id, one.right, one.aided) == ("C10.borrow", True, True)
    assert session.state["practice"]["tries"] == []


def test_who_was_helped_by_an_aid_does_not_move_up(rules: Rules) -> None:
    alone, helped = begin(rules, "8+6"), begin(rules, "8+6")
    while "2" not in alone.rows:
        alone.right()
    for _ in alone.rows[:-1]:
        helped.right()
    helped.answer(helped.right_answer, telemetry={"helped": ["aid"]})
    assert helped.rows == [*alone.rows[:-1], "1"]


def test_reading_aloud_is_no_aid(rules: Rules) -> None:
    session = begin(rules, "52-38").answer(14, telemetry={"helped": ["read_aloud"]})
    (one,) = evidence(session)
    assert (one.skill_id, one.right, one.aided) == ("C10.borrow", True, False)
    assert session.state["practice"]["tries"] == [1]


def test_a_wrong_answer_that_was_spoken_says_nothing(rules: Rules) -> None:
    session = begin(rules, "52-38").answer(26, input="voice")
    assert evidence(session) == []
    assert session.state["practice"]["tries"] == []
    (right,) = evidence(begin(rules, "52-38").answer(14, input="voice"))
    assert (right.right, right.aided) == (True, False)


def test_a_second_look_at_what_was_perhaps_misheard_leaves_no_miss(rules: Rules) -> None:
    session = begin(rules, "28+15")
    session.state = {**session.state, "practice": {**session.state["practice"], "expected": 0.9}}
    session.answer(44, input="voice")
    assert session.rows[-1] == "8"
    (again,) = evidence(session.right())
    assert (again.right, again.aided) == (True, True)


def test_a_second_look_that_was_perhaps_misheard_counts_half(rules: Rules) -> None:
    session = begin(rules, "28+15")
    session.state = {**session.state, "practice": {**session.state["practice"], "expected": 0.9}}
    session.slip()
    (one,) = evidence(session.answer(47, input="voice"))
    assert (one.right, one.aided, one.weight) == (False, False, 0.5)


def test_an_item_of_number_sense_with_an_aid_is_aided_and_misheard_says_nothing(rules: Rules) -> None:
    session = begin(rules, c=1, capabilities={"widgets": True})
    while given(session.item).skill_id is None:
        session.right()
    (one,) = evidence(session.answer(session.right_answer, telemetry={"helped": ["aid"]}))
    assert one.aided
    assert evidence(session.answer(session.right_answer + 1, input="voice")) == []


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
    session.state = {**session.state, "practice": {**session.state["practice"], "expected": 0.9}}
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


def test_what_is_right_on_the_way_back_is_no_miss(rules: Rules) -> None:
    """A second look that was wrong has been judged; the steps of the loop behind it are tries of their own."""
    known = Knowledge.start(rules.knowledge, 0).after(
        *(Evidence(one.skill_id, right=True, day=0, chance=0.95) for one in rules.knowledge.skills)
    )
    session = begin(rules, "6+10", knowledge=known.snapshot()).slip(SLOW)
    assert (session.rows, evidence(session)) == (["8"], [])
    (missed,) = evidence(session.slip(SLOW))
    assert not missed.right
    said: list[Evidence] = []
    while session.rows[-1] != "25":
        said += evidence(session.right(SLOW))
    assert len(said) >= 3
    assert all(one.right for one in said)
