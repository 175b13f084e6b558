"""What every answer counts for: runs, streak, response times."""

from typing import Any

from maththera.tutoring.content.session_rules import Rules
from tests.support.sessions import IMPULSIVE, SLOW, Session, begin


def steady(rules: Rules, **start: Any) -> Session:
    return begin(rules, "8+6", 7, 4.5, **{"policy": {"advance": "streak", "promotion_streak": 99}, **start})


def counted(session: Session, *names: str) -> list[int]:
    counters: dict[str, Any] = dict(session.state["counters"])
    return [counters[name] for name in names]


def test_answers_right_answers_and_tasks(rules: Rules) -> None:
    session = steady(rules).right().slip()
    assert counted(session, "answered", "right", "tasks", "closed") == [2, 1, 3, 1]


def test_a_time_out_is_no_answer(rules: Rules) -> None:
    assert counted(steady(rules).timeout(), "answered", "right", "wrong_run") == [0, 0, 0]


def test_stops_and_trainings_count_for_nothing(rules: Rules) -> None:
    session = steady(rules).right().answer(99, IMPULSIVE)
    before = counted(session, "answered", "right", "right_run", "wrong_run")
    assert counted(session.train(), "answered", "right", "right_run", "wrong_run") == before


def test_only_fast_ordinary_answers_make_a_streak(rules: Rules) -> None:
    session = steady(rules).right().right()
    assert session.state["streak"] == 2
    assert session.right(IMPULSIVE).state["streak"] == 2
    assert session.right(SLOW).state["streak"] == 0
    assert session.right().slip().state["streak"] == 0


def test_what_is_right_at_the_second_look_makes_no_streak(rules: Rules) -> None:
    session = steady(rules)
    session.state = {**session.state, "practice": {**session.state["practice"], "expected": 0.9}}
    assert session.slip().rows[-1] == "8"
    assert session.right().state["streak"] == 0


def test_slow_answers_in_a_row_are_broken_by_all_but_haste(rules: Rules) -> None:
    session = steady(rules).right(SLOW).right(SLOW)
    assert counted(session, "slow_run") == [2]
    assert counted(session.right(IMPULSIVE), "slow_run") == [2]
    assert counted(session.right(), "slow_run") == [0]


def test_wrong_answers_in_a_row_count_whatever_the_task_but_not_in_haste(rules: Rules) -> None:
    session = steady(rules, first_problem="X:98+90:h").answer(178)
    assert counted(session, "wrong_run") == [1]
    assert counted(session.answer(7), "wrong_run") == [2]
    assert counted(session.right(), "wrong_run") == [0]
    assert counted(steady(rules).answer(99, IMPULSIVE), "wrong_run") == [0]


def test_right_answers_inside_a_loop_are_no_reason_for_a_second_look(rules: Rules) -> None:
    session = begin(rules, "98+90", 8, 7.0).answer(178).right().right().right()
    assert counted(session, "right_run") == [0]


def test_response_times_are_kept_for_the_median_and_bounded(rules: Rules) -> None:
    session = steady(rules, problem_count=100)
    session.state = {**session.state, "response_times": [1] * 100}
    assert session.right(2500).state["response_times"] == [*[1] * 99, 2500]
