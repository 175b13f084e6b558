"""What the rows do to position, problem, evidence and trainings."""

import pytest

from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.moves.session_moves import trainings_of
from tests.support.sessions import FAST, IMPULSIVE, SLOW, Session, begin


def steady(rules: Rules, first: str, c: int, w: float) -> Session:
    return begin(rules, first, c, w, policy={"advance": "streak", "promotion_streak": 99})


def failed(rules: Rules) -> Session:
    """98+90 was solved together after the misses of its loop; the child practises at C7."""
    session = steady(rules, "98+90", 8, 7.0)
    session.answer(178).answer(2).answer(190).answer(1).timeout().answer(1)
    assert session.rows[-1] == "24f"
    return session


# --- position -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("c", "asked", "clamped"), [(7, 0.0, 3.5), (7, 9.5, 5.0), (7, 4.2, 4.2), (3, 9.0, 1.0), (15, 0.0, 2.0)]
)
def test_a_start_outside_the_band_is_clamped(rules: Rules, c: int, asked: float, clamped: float) -> None:
    assert begin(rules, None, c, asked).position == (c, clamped)


def test_without_a_position_the_first_problems_own_is_taken(rules: Rules) -> None:
    assert begin(rules, "28+15").position == (8, 7.0)
    assert begin(rules).position == (1, 0.0)


def test_the_seeds_steps_down_are_steps_down_the_prerequisites(rules: Rules) -> None:
    # 52−38 is no step towards 367+285: 11 → 8 → 7.
    session = begin(rules, "367+285").answer(31)
    assert session.rows == ["12s"]
    assert session.position == (7, 3.5)


def test_a_step_down_goes_on_where_all_is_heavier(rules: Rules) -> None:
    # 13 → 8 → 7, and all of C7 is heavier than 6×3; so is C6.
    session = begin(rules, "6x3", 13, 1.0).answer(63)
    assert session.rows == ["12s"]
    assert session.position == (3, 1.0)
    assert session.problem.w_total <= 1.0


# --- what was solved together ---------------------------------------------------------------------------------------

ADDED = {"problem_id": "X:98+90:h", "day": 0}
"""98+90 was solved together on day 0."""


def on_day(rules: Rules, day: int) -> Session:
    """A session at C8 of a child who has added such numbers since; its border was asked, so that a review is next."""
    known = Knowledge.start(rules.knowledge, 0)
    for _ in range(2):
        known = known.after(Evidence("C8.near_hundred", right=True, day=0, fast=True))
    session = begin(rules, "28+15", 8, 7.0, again=[ADDED], knowledge=known.on_day(day).snapshot())
    sources = {"border": 2, "secure": 2}
    session.state = {**session.state, "practice": {**session.state["practice"], "sources": sources}}
    return session


def test_what_was_solved_together_is_not_asked_again_in_the_session(rules: Rules) -> None:
    session = failed(rules)
    assert session.state["again"] == [ADDED]
    session.state = {**session.state, "c_position": 8, "w_position": 7.0}
    while not session.ended:
        assert session.problem.key != "90+98" or session.task["kind"] == "worked_example"
        session.right()
    assert session.response["summary"]["again"] == ["98+90"]


def test_other_numbers_of_it_come_on_a_later_day(rules: Rules) -> None:
    session = on_day(rules, 1).right()
    assert session.problem.key != "90+98"
    assert rules.ladder.skill_of(session.problem) == "C8.carry_tens"
    assert (session.state["again"], session.state["attempts"]["again"]) == ([], True)  # type: ignore[index]
    same_day = on_day(rules, 0).right()
    assert (same_day.state["again"], same_day.state["attempts"]["again"]) == ([ADDED], False)  # type: ignore[index]


def test_missed_again_it_is_left_to_the_teacher(rules: Rules) -> None:
    session = on_day(rules, 1).right()
    shown = session.problem.expression
    session.slip().stop()
    assert session.state["again"] == []
    assert session.response["summary"]["unlearnt"] == [shown]


def test_it_is_due_once(rules: Rules) -> None:
    session = begin(rules, "98+90", 8, 7.0, again=[ADDED], policy={"advance": "streak"}).answer(178).stop()
    assert session.state["again"] == [ADDED]


# --- evidence: a cause must be earned -------------------------------------------------------------------------------


def test_one_answer_names_a_cause_but_states_none(rules: Rules) -> None:
    session = begin(rules, "47+26", 8, 8.0).answer(63)
    assert session.response["diagnosis"]["confidence"] == "medium"
    assert session.state["evidence"] == {"EXECUTION_L4_CARRY_FORGOTTEN": 1}
    assert session.stop().response["summary"]["causes"] == []


def test_a_cause_that_explains_two_answers_is_stated(rules: Rules) -> None:
    session = begin(rules, "47+26", 8, 8.0)
    posterior = {"sum_carry_dropped|EXECUTION_L4_CARRY_FORGOTTEN": [3.0, 1, 0]}
    session.state = {**session.state, "evidence": {"EXECUTION_L4_CARRY_FORGOTTEN": 1}, "posterior": posterior}
    session.answer(63)
    assert session.response["diagnosis"]["confidence"] == "high"
    causes = session.stop().response["summary"]["causes"]
    assert [cause["cause_tag"] for cause in causes] == ["EXECUTION_L4_CARRY_FORGOTTEN"]


def test_the_same_answer_at_a_second_look_is_acted_on_but_not_stated(rules: Rules) -> None:
    session = steady(rules, "28+15", 8, 7.0)
    session.state = {**session.state, "practice": {**session.state["practice"], "expected": 0.9}}
    session.answer(13).answer(13)
    assert session.state["evidence"] == {"SPATIAL_L4_PLACE_VALUE": 2}
    assert session.state["stated"] == []


def test_a_default_is_no_evidence_even_when_the_probe_was_right(rules: Rules) -> None:
    session = begin(rules, "1-1", 4, 1.0).answer(1)
    while session.state["current_step"] == "probe":
        session.right()
    assert session.response["diagnosis"]["confidence"] == "low"
    assert session.state["evidence"] == {}


def test_fluency_is_named_once_for_each_strategy(rules: Rules) -> None:
    session = steady(rules, "8+6", 7, 4.5).right(SLOW)
    assert session.response["diagnosis"]["cause_tag"] == "FLUENCY_L3_MAKE10"
    assert session.right(SLOW).response["diagnosis"]["cause_tag"] is None
    assert session.state["fluency_noted"] == ["FLUENCY_L3_MAKE10"]


def test_behaviour_may_show_the_same_fluency_again_and_is_kept_once(rules: Rules) -> None:
    session = steady(rules, "8+6", 7, 4.5)
    for _ in range(2):
        session.answer(session.problem.answer, SLOW, ["OBS_SPLITTING_NUMBERS"])
        assert session.response["diagnosis"]["cause_tag"] == "FLUENCY_L3_MAKE10"
    assert session.state["fluency_noted"] == ["FLUENCY_L3_MAKE10"]


# --- trainings, the end ---------------------------------------------------------------------------------------------


def test_trainings_are_offered_in_the_order_of_the_map(rules: Rules) -> None:
    session = begin(rules, "8+6", 7, 4.5).answer(14, 12_000, ["OBS_OVERRELIANCE_COUNTING"])
    assert session.response["training"] == ["T12", "T17"]
    assert session.stop().response["training"] == ["T12", "T17"]


def test_one_offered_training_may_follow_the_end(rules: Rules) -> None:
    session = begin(rules, "8+6", 7, 4.5).answer(14, 12_000, ["OBS_OVERRELIANCE_COUNTING"]).stop()
    session.send("training_done", training_id="T17")
    assert (session.state["trained"], session.state["offered"]) == (["T17"], [])
    assert session.response["summary"]["ended_because"] == "stop"


def test_what_the_session_showed_is_trained_first_then_what_the_records_know(rules: Rules) -> None:
    session = begin(rules, "8+6", 7, 4.5, frequent_cause="SPATIAL_L4_PLACE_VALUE")
    session.answer(14, 12_000, ["OBS_OVERRELIANCE_COUNTING"]).stop()
    assert session.state["offered"] == ["T12", "T17", *rules.catalogue.causes["SPATIAL_L4_PLACE_VALUE"].trainings]
    forgotten = begin(rules, "8+6", 7, 4.5, frequent_cause="A_TAG_OF_OLD").stop()
    assert forgotten.state["offered"] == []


def test_a_training_that_timed_out_is_not_done(rules: Rules) -> None:
    session = begin(rules, "47+26", 8, 8.0).answer(5, IMPULSIVE)
    assert session.timeout().state["trained"] == []
    assert begin(rules, "47+26", 8, 8.0).answer(5, IMPULSIVE).train().state["trained"] == ["T30"]


def test_the_summary_says_what_happened(rules: Rules) -> None:
    session = steady(rules, "8+6", 7, 4.5).right(FAST).right(1000).slip().stop()
    summary = session.response["summary"]
    assert {key: summary[key] for key in ("answered", "right", "median_rt_ms", "ended_because", "trainings_done")} == {
        "answered": 3, "right": 2, "median_rt_ms": FAST, "ended_because": "stop", "trainings_done": []}  # fmt: skip
    assert summary["position_before"] == {"c": 7, "w": 4.5, "strand": "+"}
    assert summary["words"] == session.response["feedback"]["feedback_text"] != []


def test_a_session_without_an_answer_has_no_median(rules: Rules) -> None:
    assert begin(rules, "8+6").stop().response["summary"]["median_rt_ms"] is None


def test_a_cause_that_was_stated_before_gets_another_training_first(rules: Rules) -> None:
    tag = "EXECUTION_L4_CARRY_FORGOTTEN"

    def trainings(stated: dict[str, int]) -> list[str]:
        return list(trainings_of(begin(rules, "47+26", 8, 8.0, stated=stated).state, rules, tag))

    in_order = list(rules.catalogue.causes[tag].trainings)
    assert trainings({}) == in_order
    assert trainings({tag: 0}) == [*in_order[1:], in_order[0]] != in_order
