"""F-01, F-02: patterns, taps, impulsive answers, behaviour, and the norm an answer is judged by."""

from typing import Any

import pytest

from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.state import Observation, given
from tests.support.sessions import Session, begin


def observed(rules: Rules, first: str, answer: int, rt_ms: int = 3000, **more: Any) -> Observation:
    return given(begin(rules, first).answer(answer, rt_ms, **more).state["observation"])


@pytest.mark.parametrize(
    ("first", "answer", "rt_ms", "pattern"),
    [
        ("8+6", 14, 7000, "correct_fast"),
        ("8+6", 14, 7001, "correct_slow"),
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


# --- times ------------------------------------------------------------------------------------------------------------


def with_times(rules: Rules, times: list[int], key: str = "7+carry:typed") -> Session:
    return begin(rules, "8+6", 7, 4.5, rt_norms={key: times}, policy={"promotion_streak": 99})


def test_the_childs_times_are_kept_by_kind_and_only_the_last_ones(rules: Rules) -> None:
    session = with_times(rules, [9000] * 15)
    session.answer(99, 9500).right(2000)
    kept = session.state["rt_norms"]
    assert kept["7+carry:typed"] == [9000] * 14 + [9500]
    fixed = begin(rules, "8+6", 7, 4.5, policy={"rt_policy": "fixed"}).right()
    assert fixed.state["rt_norms"] == {}


def test_the_trace_says_which_norm_judged(rules: Rules) -> None:
    session = with_times(rules, [6000] * 5).answer(14, 11_000, input="typed")
    result = next(one for one in session.turns[-1].trace if one["type"] == "diagnostic_result")["payload"]
    assert result["norm"] == {
        "policy": "adaptive",
        "key": "7+carry:typed",
        "slow_ms": 12_000,
        "impulsive_ms": 800,
        "own": 5,
        "unreliable": None,
    }


def test_what_typing_takes_is_added_to_the_norm_of_typed_answers(rules: Rules) -> None:
    for kind, slow_ms in (("typed", 10_000), ("tap", 7000)):
        session = begin(rules, "8+6", 7, 4.5, typing_ms=3000).answer(14, 9000, input=kind)
        assert given(session.state["observation"])["norm"]["slow_ms"] == slow_ms


def test_the_client_says_how_the_answer_was_given(rules: Rules) -> None:
    session = begin(rules, "8+6")
    choice = session.task["choices"][0]
    seen = given(session.answer(choice, input="typed").state["observation"])
    assert (seen["tap"], seen["input"]) == (False, "typed")
    assert session.turns[-1].facts["input_kind"] == "typed"


@pytest.mark.parametrize("telemetry", [{"hidden_ms": 300}, {"helped": ["read_aloud"]}, {"rt_reliable": False}])
def test_an_unreliable_time_judges_nothing_and_is_not_kept(rules: Rules, telemetry: dict[str, Any]) -> None:
    slow = begin(rules, "8+6").answer(14, 30_000, telemetry=telemetry)
    assert given(slow.state["observation"])["pattern"] == "correct_fast"
    quick = begin(rules, "47+26").answer(5, 400, telemetry=telemetry)
    seen = given(quick.state["observation"])
    assert (seen["impulsive"], seen["rt_ms"]) == (False, None)
    assert quick.rows != ["5"]
    for session in (slow, quick):
        assert session.state["rt_norms"] == {}
        assert session.state["response_times"] == []
        assert "rt_ms" not in session.turns[-1].facts or session.turns[-1].facts["rt_ms"] is None
