"""Number sense in sessions: before them, below C1, as a screening; and nothing of it where it cannot be shown."""

from dataclasses import replace
from itertools import pairwise
from typing import Any

import pytest

from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.nodes import Nodes
from maththera.tutoring.number_sense.items import COPY
from maththera.tutoring.session.in_memory_engine import InMemoryEngine
from maththera.tutoring.session.session_start import Capabilities, NewSession, recorded_start
from maththera.tutoring.state import given
from maththera.tutoring.turns.envelopes import task_view
from tests.support.sessions import FAST, SLOW, Session, begin, play
from tests.support.tutoring import learner_after

WIDGETS: dict[str, Any] = {"capabilities": {"widgets": True}}


def kinds(session: Session) -> list[str]:
    """The kind of each task of a session whose child does everything right."""
    found: list[str] = []
    while not session.ended:
        found.append(session.task["kind"])
        session.right()
    return found


def begins_with_widget(session: Session) -> bool:
    return session.task["kind"] == "widget"


def plus_one_is_the_same(session: Session) -> Session:
    """n+1 → n; all else comes off."""
    if session.task["kind"] == "training":
        return session.train()
    if session.item is None and session.problem.op == "+" and 1 in (session.problem.a, session.problem.b):
        return session.answer(max(session.problem.a, session.problem.b))
    return session.right()


@pytest.mark.parametrize("c", [1, 4])
def test_the_youngest_warm_up_with_three_items_that_remaining_does_not_count(rules: Rules, c: int) -> None:
    session = begin(rules, None, c, problem_count=5, **WIDGETS)
    for _ in range(3):
        assert (session.state["current_step"], session.state["remaining"]) == ("warm_up", 5)
        assert begins_with_widget(session)
        session.right()
    assert (session.state["current_step"], session.task["kind"]) == ("normal", "problem")
    assert kinds(session) == ["problem"] * 5


def test_the_warm_up_says_what_it_learnt(rules: Rules) -> None:
    session = begin(rules, None, 2, **WIDGETS).right().slip()
    (first, second) = (turn.learner.evidence for turn in session.turns)
    assert given(first)[0][:2] == ["N1.subitize", True]
    assert given(second)[0][:2] == ["N2.structured", False]


@pytest.mark.parametrize("start", [{"c": 1}, {"c": 1, "mode": "placement"}, {"c": 3, "below_c1": True}])
def test_a_client_without_widgets_is_put_none(rules: Rules, start: dict[str, Any]) -> None:
    session = begin(rules, **start)
    seen = []

    def child(session: Session) -> Session:
        seen.append(session.task["kind"])
        return plus_one_is_the_same(session)

    play(session, child)
    assert "widget" not in seen


def test_higher_up_there_is_no_warm_up(rules: Rules) -> None:
    assert not begins_with_widget(begin(rules, None, 5, **WIDGETS))


def test_a_placement_begins_with_numbers_to_copy(rules: Rules) -> None:
    session = begin(rules, mode="placement", problem_count=12, **WIDGETS)
    for ms in (1500, 1700, 9000):
        assert session.task.get("item_id", "").startswith(COPY)
        session.right(ms)
    assert session.state["current_step"] == "placement"
    assert session.state["remaining"] == 12
    assert session.turns[-1].learner.typing_ms == 1700
    assert session.turns[-1].learner.evidence == []


@pytest.mark.parametrize(
    "answers",
    [
        [{"telemetry": {"rt_reliable": False}}] * 3,
        [{"telemetry": {"hidden_ms": 400}}, {"telemetry": {"hidden_ms": 400}}, {}],
    ],
)
def test_unreliable_copies_measure_nothing(rules: Rules, answers: list[dict[str, Any]]) -> None:
    session = begin(rules, mode="placement", **WIDGETS)
    for more in answers:
        session.answer(session.right_answer, 1500, **more)
    assert session.turns[-1].learner.typing_ms is None


def test_wrong_copies_measure_nothing(rules: Rules) -> None:
    session = begin(rules, mode="placement", **WIDGETS).slip().slip().slip()
    assert session.turns[-1].learner.typing_ms is None


def test_what_typing_takes_goes_into_the_sessions_that_follow(rules: Rules) -> None:
    session = begin(rules, mode="placement", **WIDGETS)
    while not session.ended:
        session.right(1400)
    start = recorded_start(
        NewSession("s1"), learner_after([session]), rules.session_knowledge.at(session.state), rules
    )  # fmt: skip
    assert start["typing_ms"] == 1400
    later = Session(InMemoryEngine(Nodes(rules)), rules, start).right()
    assert later.turns[-1].learner.typing_ms == 1400


def test_who_is_thought_to_be_young_warms_up_before_the_placement_too(rules: Rules) -> None:
    session = begin(rules, None, 2, mode="placement", thought_c=2, **WIDGETS)
    session.right().right().right()
    assert begins_with_widget(session)
    assert not session.task.get("item_id", "").startswith(COPY)


@pytest.mark.parametrize(("grade", "warms_up"), [(1, True), (2, False), (None, False)])
def test_before_a_placement_the_grade_says_who_is_young(rules: Rules, grade: int | None, warms_up: bool) -> None:
    session = begin(rules, mode="placement", grade=grade, **WIDGETS).right().right().right()
    assert begins_with_widget(session) == warms_up


def test_the_right_answer_is_in_no_childs_view_but_in_the_picture(rules: Rules) -> None:
    session = begin(rules, None, 1, **WIDGETS)
    view = given(task_view(session.task, rules))
    assert {name: view[name] for name in ("problem", "visual", "choices")} == {
        "problem": None, "visual": None, "choices": [],
    }  # fmt: skip
    assert view["widget"]["name"] == "dot_flash"
    assert "item_id" not in view
    assert "answer" not in str(view["widget"])


def test_a_child_that_fails_at_c1_practises_number_sense_and_comes_back(rules: Rules) -> None:
    session = begin(rules, None, 1, 0.0, **WIDGETS).right().right().right()
    phases = []
    while not session.ended:
        phases.append(session.state["current_step"])
        plus_one_is_the_same(session)
    first = phases.index("number_sense")
    assert "normal" in phases[first:]
    assert session.state["ended_because"] == "remaining"


def test_eight_sessions_of_a_child_that_takes_plus_one_for_the_same_are_not_all_alike(rules: Rules) -> None:
    sessions: list[Session] = []
    for number in range(8):
        known = rules.session_knowledge.at(sessions[-1].state) if sessions else begin_known(rules)
        wanted = NewSession(
            "s1", c_position=None if sessions else 1, seed=number, capabilities=Capabilities(widgets=True)
        )
        start = recorded_start(wanted, learner_after(sessions), known.on_day(known.day + 2), rules)
        sessions.append(play(Session(InMemoryEngine(Nodes(rules)), rules, start), plus_one_is_the_same))
    ends = [session.state["ended_because"] for session in sessions]
    assert ends.count("remaining") >= 7
    below = [sum(turn.facts.get("phase") == "number_sense" for turn in session.turns) for session in sessions]
    assert below[0] > 0


def begin_known(rules: Rules) -> Any:
    return rules.session_knowledge.at(begin(rules).state)


def test_a_session_that_ended_below_c1_goes_on_there(rules: Rules) -> None:
    session = begin(rules, None, 1, below_c1=True, problem_count=8, **WIDGETS).right().right().right()
    assert (session.state["current_step"], session.position) == ("number_sense", (0, 0.0))
    session.stop()
    learner = given(learner_after([session]))
    assert (learner.c, learner.below_c1) == (1, True)
    known = rules.session_knowledge.at(session.state)
    wanted = NewSession("s1", capabilities=Capabilities(widgets=True))
    start = recorded_start(wanted, learner, known, rules)
    assert Session(InMemoryEngine(Nodes(rules)), rules, start).right().right().right().position[0] == 0
    assert not recorded_start(replace(wanted, c_position=1), learner, known, rules)["below_c1"]
    without = recorded_start(NewSession("s1"), learner, known, rules)
    assert Session(InMemoryEngine(Nodes(rules)), rules, without).position[0] == 1


def test_what_is_passed_below_c1_leads_back_to_it(rules: Rules) -> None:
    session = begin(rules, None, 1, below_c1=True, **WIDGETS).right().right().right()
    below = 0
    while session.state["current_step"] == "number_sense":
        below += 1
        session.right(FAST)
    assert below <= 6
    assert (session.state["current_step"], session.position) == ("normal", (1, 0.0))


def test_slow_right_answers_lead_back_later(rules: Rules) -> None:
    session = begin(rules, None, 1, below_c1=True, **WIDGETS).right().right().right()
    for _ in range(3):
        session.right(SLOW)
    assert session.state["current_step"] == "number_sense"


def test_three_misses_in_a_row_below_c1_end_kindly_and_the_third_task_is_the_easiest(rules: Rules) -> None:
    session = begin(rules, None, 1, below_c1=True, **WIDGETS).right().right().right()
    session.slip().slip()
    assert ":1:" in session.task.get("item_id", "")
    session.slip()
    assert (session.ended, session.state["ended_because"]) == (True, "number_sense")
    assert session.response["feedback"]["feedback_text"]
    assert [review.kind for review in session.turns[-1].reviews] == ["hard_session"]


def test_below_c1_nothing_comes_twice_running_nor_a_fourth_time(rules: Rules) -> None:
    for seed in range(20):
        session = begin(rules, None, 1, below_c1=True, seed=seed, problem_count=15, **WIDGETS)
        keys: list[str] = []
        while not session.ended and len(keys) < 30:
            if session.state["current_step"] == "number_sense":
                keys.append(given(session.item).key)
            session.right(SLOW)
        assert all(one != after for one, after in pairwise(keys))
        assert max(map(keys.count, keys)) <= 3


def test_a_screening_ends_with_its_profile_and_a_broken_off_one_has_none(rules: Rules) -> None:
    session = begin(rules, mode="number_sense", problem_count=42, **WIDGETS)
    while not session.ended:
        assert session.state["current_step"] == "screening"
        session.right(1500)
    assert session.response["summary"]["number_sense"]["enumeration"]["of"] == 16
    left = begin(rules, mode="number_sense", problem_count=42, **WIDGETS).right().stop()
    assert "number_sense" not in left.response["summary"]
