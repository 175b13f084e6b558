"""What the agents hand each other, what the client gets, what the records count."""

import json
from typing import Any

from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.turns import envelopes
from tests.support.sessions import IMPULSIVE, Session, begin

FIELDS = {
    "diagnostic_request": {"problem_id", "problem", "correct_answer", "student_answer", "rt_ms", "behavior_tags",
                           "session_context"},
    "diagnostic_result": {"cause_tag", "cause_domain", "confidence", "training_ids", "probe_needed", "reasoning"},
    "adaptation_request": {"diagnostic_result", "response_pattern", "current_w", "current_c"},
    "adaptation_result": {"route", "next_problem", "c_adjustment", "w_adjustment", "downscaling_strategy",
                          "loop_state_update"},
    "feedback_request": {"situation", "problem", "student_answer", "cause_tag", "training_context"},
    "feedback_result": {"feedback_text", "hint_text", "visual_mode", "tone_check_passed"},
}  # fmt: skip
"""The seed's envelopes."""


def payloads(session: Session) -> dict[str, dict[str, Any]]:
    return {one["type"]: one["payload"] for one in session.turns[-1].trace}


def test_every_turn_leaves_the_seeds_six_envelopes_and_the_times_of_its_stages(rules: Rules) -> None:
    session = begin(rules, "98+90", 8, 7.0)
    for act in (lambda: session.answer(178), lambda: session.answer(7), session.timeout, session.stop):
        act()
        assert [one["type"] for one in session.turns[-1].trace] == [*FIELDS, "stages"]
        assert {one["request_id"] for one in session.turns[-1].trace} == {f"r{len(session.turns) - 1}"}
        for kind, fields in FIELDS.items():
            assert fields <= payloads(session)[kind].keys()
        json.dumps(session.turns[-1].trace)


def test_the_envelopes_of_a_wrong_answer(rules: Rules) -> None:
    found = payloads(begin(rules, "28+15", 8, 7.0).answer(13))
    assert found["diagnostic_request"]["problem"] == "28+15"
    assert (found["diagnostic_request"]["correct_answer"], found["diagnostic_request"]["student_answer"]) == (43, 13)
    assert found["diagnostic_request"]["session_context"] == {
        "w_position": 7.0,
        "c_position": 8,
        "strand": "+",
        "current_step": "normal",
        "loop_state": None,
    }
    assert found["diagnostic_result"]["malrules"] == ["partial_sum_of_ones"]
    assert (found["adaptation_request"]["current_c"], found["adaptation_request"]["response_pattern"]) == (
        8,
        "logical_error",
    )
    result = found["adaptation_result"]
    assert (result["route"], result["row"], result["c_adjustment"], result["w_adjustment"]) == ("B", "12b", -1, -2.0)
    assert result["loop_state_update"]["step"] == 1
    assert result["next_problem"]["c_level"] == 7
    assert found["feedback_request"]["cause_tag"] == "SPATIAL_L4_PLACE_VALUE"


def test_a_training_has_no_next_problem(rules: Rules) -> None:
    session = begin(rules, "47+26", 8, 8.0).answer(5, IMPULSIVE)
    found = payloads(session)
    assert found["adaptation_result"]["next_problem"] is None
    assert found["feedback_request"]["training_context"] == "T30"
    task = session.response["task"]
    assert task["problem"] is None
    assert task["training"]["title"] == task["prompt"]
    assert payloads(session.train())["diagnostic_request"]["problem"] is None


def test_the_client_gets_the_task_and_never_its_answer(rules: Rules) -> None:
    task = begin(rules, "28+15", 8, 7.0).answer(313).response["task"]
    assert task["problem"] == {
        "problem_id": "X:20+15:h", "expression": "20+15", "layout": "horizontal", "a": 20, "op": "+", "b": 15,
        "result": None, "c_level": 8, "w_total": 2.5,
    }  # fmt: skip
    assert "answer" not in task
    assert "answer" not in task["problem"]


def test_the_end_says_kind_words_and_offers_the_trainings(rules: Rules) -> None:
    session = begin(rules, "28+15", 8, 7.0).answer(13).stop()
    assert session.response["task"] is None
    assert session.response["summary"]["words"] == session.response["feedback"]["feedback_text"]
    assert session.response["training"] == session.state["offered"] != []


def test_the_view_says_where_the_session_stands(rules: Rules) -> None:
    session = begin(
        rules, "28+15", 8, 7.0, student_id="s1", policy={"advance": "streak", "promotion_streak": 1}
    ).right()
    view = envelopes.view("abc", session.state, rules)
    assert (view["session_id"], view["student_id"], view["phase"], view["turn"], view["remaining"]) == (
        "abc", "s1", "normal", 1, 14,
    )  # fmt: skip
    assert view["position"] == {"c": 9, "w": 8.0, "strand": "+"}
    assert session.response["position"] == {"c": 9, "w": 8.0}  # the strand is the session's
    assert view["task"] == session.response["task"]
    over = envelopes.view("abc", {**session.stop().state, "remaining": -1}, rules)
    assert (over["remaining"], over["task"]) == (0, None)


def test_the_records_count_the_task_that_was_answered(rules: Rules) -> None:
    session = begin(rules, "28+15", 8, 7.0).answer(16)
    assert session.turns[-1].facts == {
        "phase": "normal", "kind": "problem", "problem_id": "X:28+15:h", "c_level": 8, "w": 7.0, "correct": False,
        "pattern": "severe_error", "rt_ms": 3000, "input_kind": "typed", "cause_tag": "CONCEPT_L1_MAGNITUDE",
        "confidence": "medium",
    }  # fmt: skip
    tapped = begin(rules, "28+15", 8, 7.0)
    assert tapped.right().turns[-1].facts["input_kind"] == "tap"
    assert "input_kind" not in begin(rules, "8+6").timeout().turns[-1].facts
    assert begin(rules, "8+6").stop().turns[-1].facts["kind"] == "problem"
    assert begin(rules, "47+26", 8, 8.0).answer(5, IMPULSIVE).train().turns[-1].facts == {
        "phase": "training", "kind": "training",
    }  # fmt: skip


def test_an_adult_looks_at_what_no_rule_explains(rules: Rules) -> None:
    (review,) = begin(rules, "98+90", 8, 7.0, frequent_cause="CONCEPT_L1_MAGNITUDE").answer(178).turns[-1].reviews
    assert review.kind == "unknown_answer"
    assert review.payload == {
        "problem_id": "X:98+90:h", "answer": 178, "rt_ms": 3000, "candidates": ["CONCEPT_L1_MAGNITUDE"], "model": None,
        "turn": 1,
    }  # fmt: skip
