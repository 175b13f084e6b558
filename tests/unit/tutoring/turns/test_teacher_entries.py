"""What the review queue tells a teacher of a child that does not get on."""

from typing import Any

import pytest

from maththera.store.tutoring_sessions import NewReview
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.state import given
from tests.support.sessions import Session, begin

CAUSE = "EXECUTION_L4_CARRY_FORGOTTEN"


def entries(session: Session) -> list[NewReview]:
    """Of all turns, those about how the child gets on."""
    return [one for turn in session.turns for one in turn.reviews if one.kind in ("persistent_cause", "white_outs")]


def forgets_the_carry(rules: Rules, **start: Any) -> Session:
    """A session of a child that forgets each carry."""
    session = begin(rules, "47+26", **start)
    while not session.ended:
        if session.task["kind"] == "training":
            session.train()
        elif session.task["kind"] == "worked_example" or session.task["problem_id"] is None:
            session.right()
        else:
            problem = session.problem
            carries = problem.op == "+" and problem.form == "result" and problem.a > 9 and problem.b > 9
            lost = carries and problem.a % 10 + problem.b % 10 >= 10
            session.answer(problem.answer - 10 * lost, 4000)
    assert CAUSE in session.state["stated"]
    return session


def test_a_cause_that_stays_after_its_training_is_told_with_the_childs_own_answers(rules: Rules) -> None:
    session = forgets_the_carry(rules, stated={CAUSE: 0}, trained={"T21": 1})
    (entry,) = entries(session)
    assert (entry.kind, entry.payload["cause_tag"]) == ("persistent_cause", CAUSE)
    assert entry.payload["training_id"] == rules.catalogue.causes[CAUSE].trainings[1]
    assert entry.payload["examples"]
    for example in entry.payload["examples"]:
        sum_, _, given = example.partition("=")
        a, _, b = sum_.partition("+")
        assert int(given) == int(a) + int(b) - 10
        assert example in " ".join(entry.payload["says"])
    assert all(line.endswith(("요.", ".")) and "{" not in line for line in entry.payload["says"])
    assert f"‘{rules.catalogue.causes[CAUSE].name}’" in entry.payload["says"][0]
    assert session.turns[-1].learner.told == {CAUSE: 0}


def test_a_cause_is_told_again_however_long_ago_it_was_stated(rules: Rules) -> None:
    (entry,) = entries(forgets_the_carry(rules, stated={CAUSE: -90}, trained={"T21": 1}))
    assert entry.payload["cause_tag"] == CAUSE
    assert begin(rules, "47+26", stated={CAUSE: -90}).right().turns[-1].learner.stated == {CAUSE: -90}


@pytest.mark.parametrize(("results", "told"), [({"right": 6, "of": 6}, 1), ({"right": 0}, 0), (None, 0)])
def test_a_cause_that_comes_back_after_its_training_in_one_session_is_told(
    rules: Rules, results: dict[str, int] | None, told: int
) -> None:
    """Stated, trained, and stated again at another problem; without the training it is one finding, however often."""
    session = begin(rules, "47+26", 8, 8.0, problem_count=20)
    session.state = {**session.state, "loops": {CAUSE: 2}}
    while not session.ended:
        if session.task["kind"] == "training":
            if results is None:
                session.timeout()
            else:
                session.send("training_done", training_id=given(session.task["training_id"]), results=results)
        elif session.task["kind"] == "worked_example":
            session.right()
        else:
            problem = session.problem
            carries = problem.op == "+" and problem.form == "result" and problem.a > 9 and problem.b > 9
            session.answer(problem.answer - 10 * (carries and problem.a % 10 + problem.b % 10 >= 10), 4000)
    assert CAUSE in session.state["stated"]
    assert [one.payload["cause_tag"] for one in entries(session)] == [CAUSE] * told


@pytest.mark.parametrize(
    "start",
    [
        {},
        {"stated": {CAUSE: 0}},
        {"trained": {"T21": 1}},
        {"stated": {CAUSE: 0}, "trained": {"T01": 1}},
        {"stated": {CAUSE: 0}, "trained": {"T21": 1}, "told": {CAUSE: 0}},
    ],
    ids=["first time", "not trained", "not stated before", "trained for something else", "told already"],
)
def test_a_cause_is_not_called_persistent_before(rules: Rules, start: dict[str, Any]) -> None:
    assert entries(forgets_the_carry(rules, **start)) == []


def falls_back(rules: Rules, **start: Any) -> Session:
    """A session with one White-out."""
    session = begin(rules, "98+90", **start).answer(178).right()
    while session.state["current_step"] != "white_out":
        session.slip()
    return session


def test_the_third_white_out_of_a_week_is_told_at_the_end_of_its_session(rules: Rules) -> None:
    session = falls_back(rules, white_outs=[0, 0])
    assert session.turns[-1].learner.white_outs == [0, 0, 0]
    assert entries(session) == []
    session.stop()
    (entry,) = entries(session)
    assert (entry.kind, entry.payload["times"]) == ("white_outs", 3)
    assert "3번" in " ".join(entry.payload["says"])
    assert session.turns[-1].learner.told == {"white_outs": 0}


@pytest.mark.parametrize(
    "start",
    [{"white_outs": [0]}, {"white_outs": [-7, -8]}, {"white_outs": [0, 0], "told": {"white_outs": -1}}],
    ids=["the second", "long ago", "told already"],
)
def test_other_white_outs_are_not(rules: Rules, start: dict[str, Any]) -> None:
    session = falls_back(rules, **start)
    session.stop()
    assert entries(session) == []
