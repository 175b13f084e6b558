"""F-01, F-02: patterns, taps, impulsive answers, behaviour, and the norm an answer is judged by."""

from typing import Any

import pytest

from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.answer_observation import response_time_norm
from maththera.tutoring.state import Observation, given
from tests.support.sessions import Session, begin

ADAPTIVE = {"policy": {"rt_policy": "adaptive", "promotion_streak": 99}}


def observed(rules: Rules, first: str, answer: int, rt_ms: int = 3000, **more: Any) -> Observation:
    return given(begin(rules, first).answer(answer, rt_ms, **more).state["observation"])


@pytest.mark.parametrize(
    ("first", "answer", "rt_ms", "pattern"),
    [
        ("8+6", 14, 5000, "correct_fast"),
        ("8+6", 14, 5001, "correct_slow"),
        ("4+3", 43, 3000, "severe_error"),  # concatenated: every malrule that gives it breaks the sense of quantity
        ("28+15", 16, 3000, "severe_error"),  # all digits added
        ("28+15", 13, 3000, "logical_error"),  # explained, however far away
        ("28+15", 313, 3000, "logical_error"),
        ("98+90", 178, 3000, "logical_error"),  # unexplained, 10 away of at most 37.6
        ("100+90", 228, 3000, "logical_error"),  # unexplained, exactly 20 %
        ("100+90", 229, 3000, "severe_error"),
        ("100+90", 152, 3000, "logical_error"),
        ("100+90", 151, 3000, "severe_error"),
        ("2+3", 3, 3000, "logical_error"),
        ("8-5", 1, 3000, "logical_error"),  # unexplained, two away: never severe, however small the answer
        ("6-5", 5, 3000, "logical_error"),
    ],
)
def test_the_pattern(rules: Rules, first: str, answer: int, rt_ms: int, pattern: str) -> None:
    assert observed(rules, first, answer, rt_ms)["pattern"] == pattern


def test_an_unexplained_answer_three_away_breaks_the_quantity_of_a_small_number(rules: Rules) -> None:
    seen = observed(rules, "2+1", 6)
    assert seen["malrules"] == []
    assert seen["pattern"] == "severe_error"


def test_no_answer_is_no_response(rules: Rules) -> None:
    seen = given(begin(rules, "8+6").timeout().state["observation"])
    assert (seen["pattern"], seen["correct"], seen["rt_ms"]) == ("no_response", None, None)


@pytest.mark.parametrize(("rt_ms", "impulsive"), [(799, True), (800, False)])
@pytest.mark.parametrize("answer", [14, 13, 99])
def test_below_the_limit_every_answer_is_impulsive(rules: Rules, answer: int, rt_ms: int, impulsive: bool) -> None:
    assert observed(rules, "8+6", answer, rt_ms)["impulsive"] is impulsive


def test_an_answer_among_the_choices_counts_as_a_tap(rules: Rules) -> None:
    session = begin(rules, "8+6")
    tapped = session.task["choices"][0]
    assert given(session.answer(tapped).state["observation"])["tap"] is True
    assert observed(rules, "8+6", 99)["tap"] is False


def test_behaviour_is_what_an_adult_saw_and_what_the_telemetry_shows_each_once(rules: Rules) -> None:
    rule = rules.catalogue.telemetry[0]
    seen = observed(rules, "8+6", 14, tags=["OBS_OVERRELIANCE_COUNTING"], telemetry={rule.field: rule.at_least})
    assert seen["behavior_tags"] == ["OBS_OVERRELIANCE_COUNTING", rule.tag]
    seen = observed(rules, "8+6", 14, tags=[rule.tag], telemetry={rule.field: rule.at_least})
    assert seen["behavior_tags"] == [rule.tag]
    assert observed(rules, "8+6", 14, telemetry={rule.field: rule.at_least - 1})["behavior_tags"] == []


@pytest.mark.parametrize("end", ["stop", "training"])
def test_what_is_no_answer_is_not_judged(rules: Rules, end: str) -> None:
    session = begin(rules, "47+26").answer(5, 400)
    seen = given((session.stop() if end == "stop" else session.train()).state["observation"])
    assert (seen["kind"], seen["pattern"], seen["answer"]) == ("training", None, None)
    assert given(begin(rules, "8+6").stop().state["observation"])["pattern"] is None


# --- response-time norms ----------------------------------------------------------------------------------------------


def with_times(rules: Rules, times: list[int], key: str = "7:typed") -> Session:
    return begin(rules, "8+6", 7, 4.5, rt_norms={key: times}, **ADAPTIVE)


def norm(session: Session, key: str = "7:typed", *, wrong: bool = False) -> tuple[int, int]:
    found = response_time_norm(session.state, session.rules, key, wrong=wrong)
    return found["slow_ms"], found["impulsive_ms"]


def test_fixed_is_the_default_whatever_the_child_did(rules: Rules) -> None:
    session = begin(rules, "8+6", rt_norms={"7:typed": [9000] * 30})
    assert norm(session, wrong=True) == (5000, 800)


def test_adaptive_starts_from_the_fixed_norm(rules: Rules) -> None:
    assert norm(with_times(rules, [9000] * 4), wrong=True) == (5000, 800)


def test_slow_is_above_twice_the_own_median(rules: Rules) -> None:
    assert norm(with_times(rules, [6000, 7000, 8000, 7500, 1000])) == (14_000, 800)


def test_impulsive_is_the_own_fastest_tenth_and_wrong(rules: Rules) -> None:
    times = [1000 * n for n in range(1, 21)]
    session = with_times(rules, times)
    slow, impulsive = norm(session, wrong=True)
    assert slow == 21_000
    assert sum(time < impulsive for time in times) == 2  # a tenth of twenty
    assert norm(session, wrong=False) == (21_000, 800)
    assert norm(with_times(rules, times[:19]), wrong=True)[1] == 800


def test_each_level_and_input_kind_has_its_own_norm(rules: Rules) -> None:
    session = with_times(rules, [9000] * 5)
    assert norm(session, "7:tap") == (5000, 800)
    assert norm(session, "8:typed") == (5000, 800)


def test_the_childs_times_are_kept_by_level_and_kind_and_only_the_last_ones(rules: Rules) -> None:
    session = with_times(rules, [9000] * 30)
    session.answer(99, 9500).right(2000)
    kept = session.state["rt_norms"]
    assert kept["7:typed"][-1] == 9500
    assert len(kept["7:typed"]) == 30
    assert begin(rules, "8+6", 7, 4.5).right().state["rt_norms"] == {}


def test_the_trace_says_which_norm_judged(rules: Rules) -> None:
    session = with_times(rules, [6000] * 5).answer(14, 11_000)
    result = next(one for one in session.turns[-1].trace if one["type"] == "diagnostic_result")["payload"]
    tapped = given(session.state["observation"])["tap"]
    assert result["norm"] == {
        "policy": "adaptive",
        "key": f"7:{'tap' if tapped else 'typed'}",
        "slow_ms": 5000 if tapped else 12_000,
        "impulsive_ms": 800,
    }
