"""F-03, F-11: the use cases UC1 to UC4, what a cause's confidence rests on, and how a probe decides."""

from typing import Any, cast

import pytest

from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis import error_diagnosis as causes
from maththera.tutoring.diagnosis.hypotheses import IMPULSE
from tests.support.sessions import IMPULSIVE, SLOW, Session, begin


def diagnosed(session: Session) -> dict[str, Any]:
    found: dict[str, Any] = session.response["diagnosis"]
    return found


def arranged(session: Session, **keys: Any) -> Session:
    """With what earlier turns would have left."""
    session.state = {**session.state, **keys}  # type: ignore[typeddict-item]
    return session


def by_model(primary: str, secondary: str | None = None, *, probe: bool = False) -> dict[str, Any]:
    tags = [{"tag": tag, "domain": tag.partition("_")[0], "confidence": "medium"} if tag else None
            for tag in (primary, secondary)]  # fmt: skip
    output = {
        "primary_cause": tags[0],
        "secondary_cause": tags[1],
        "reasoning": "짐작이다.",
        "probe_recommended": probe,
    }
    return {"kind": "diagnosis", "model": "m", "input_tokens": 1, "output_tokens": 1, "estimated": False,
            "cost_usd": None, "ms": 1, "outcome": "ok", "output": output}  # fmt: skip


# --- UC1: right, but slow ---------------------------------------------------------------------------------------------


def test_the_seeds_counting_fallback(rules: Rules) -> None:
    session = begin(rules, "8+6", 7, 4.5).answer(14, 12_000, ["OBS_OVERRELIANCE_COUNTING"])
    found = diagnosed(session)
    assert (found["cause_tag"], found["cause_domain"]) == ("MAKE10_STRATEGY_UNAVAILABLE_COUNTING_FALLBACK", "STRATEGY")
    assert (found["confidence"], found["training_ids"]) == ("high", ["T12", "T17"])
    assert session.response["response_pattern"] == "correct_slow"
    assert session.response["adaptation"]["route"] == "fluency_drill"
    assert session.position == (7, 4.5)
    assert session.problem.c_level == 7
    assert abs(session.problem.w_total - 4.5) <= 0.5
    assert session.problem.key != "6+8"


def test_behaviour_that_fits_the_strategy_shows_nothing(rules: Rules) -> None:
    found = diagnosed(begin(rules, "8+6", 7, 4.5).answer(14, 12_000, ["OBS_MAKING_TEN"]))
    assert (found["cause_tag"], found["confidence"]) == ("FLUENCY_L3_MAKE10", "medium")


def test_behaviour_at_a_fast_answer_shows_nothing(rules: Rules) -> None:
    found = diagnosed(begin(rules, "8+6", 7, 4.5).answer(14, 3000, ["OBS_OVERRELIANCE_COUNTING"]))
    assert found["cause_tag"] is None


def test_slow_without_a_tag_is_fluency_once_for_each_strategy(rules: Rules) -> None:
    session = begin(rules, "8+6", 7, 4.5, policy={"advance": "streak", "promotion_streak": 99}).right(SLOW)
    assert diagnosed(session)["cause_tag"] == "FLUENCY_L3_MAKE10"
    assert diagnosed(session.right(SLOW))["cause_tag"] is None


def test_every_strategy_has_its_fluency_cause_and_training(rules: Rules) -> None:
    strategies = {problem.strategy_tag for c in range(1, 16) for problem in rules.bank.level(c)}
    assert strategies == set(causes.FLUENCY)
    assert all(rules.catalogue.causes[tag].trainings for tag in causes.FLUENCY.values())


# --- UC2: one cause ---------------------------------------------------------------------------------------------------


def test_the_seeds_partial_sum(rules: Rules) -> None:
    session = begin(rules, "28+15", 8, 7.0).answer(13)
    found = diagnosed(session)
    assert (found["cause_tag"], found["confidence"], found["source"]) == ("SPATIAL_L4_PLACE_VALUE", "medium", "rule")
    assert found["training_ids"] == list(rules.catalogue.causes["SPATIAL_L4_PLACE_VALUE"].trainings)


# --- UC3: attention ---------------------------------------------------------------------------------------------------


def test_a_random_answer_in_no_time_is_attention_and_moves_nothing(rules: Rules) -> None:
    session = begin(rules, "47+26", 8, 8.0).answer(5, 400)
    assert (diagnosed(session)["cause_tag"], diagnosed(session)["cause_domain"]) == (
        "ATTENTION_L0_IMPULSE",
        "ATTENTION",
    )
    assert session.response["adaptation"] == {
        "route": "refocus", "c_adjustment": 0, "w_adjustment": 0.0, "downscaling_strategy": None, "widened": False,
    }  # fmt: skip
    assert session.task["training_id"] == "T30"


def test_a_tap_in_no_time_is_attention_even_on_a_malrules_result(rules: Rules) -> None:
    session = begin(rules, "28+15", 8, 7.0)
    wrong = [choice for choice in session.task["choices"] if choice != 43]
    for choice in wrong:
        assert diagnosed(begin(rules, "28+15", 8, 7.0).answer(choice, IMPULSIVE))["cause_tag"] == IMPULSE


def test_a_typed_malrule_result_in_no_time_keeps_its_cause_but_is_refocused_all_the_same(rules: Rules) -> None:
    session = begin(rules, "28+15", 8, 7.0)
    assert 16 not in session.task["choices"]
    session.answer(16, IMPULSIVE)
    assert diagnosed(session)["cause_tag"] == "CONCEPT_L1_MAGNITUDE"
    assert (session.rows, session.task["training_id"]) == (["5"], "T30")


def test_a_right_answer_in_no_time_is_not_diagnosed(rules: Rules) -> None:
    assert diagnosed(begin(rules, "8+6", 7, 4.5).right(IMPULSIVE))["cause_tag"] is None


def test_two_problems_without_a_response_are_attention_without_a_training(rules: Rules) -> None:
    session = begin(rules, "8+6", 7, 4.5).timeout()
    assert diagnosed(session)["cause_tag"] is None
    found = diagnosed(session.timeout())
    assert (found["cause_tag"], found["confidence"], found["training_ids"]) == (causes.NO_RESPONSE, "low", [])


# --- UC4: several causes ----------------------------------------------------------------------------------------------


def test_the_diagnosis_waits_for_the_probe(rules: Rules) -> None:
    session = begin(rules, "28+15", 8, 7.0).answer(313)
    found = diagnosed(session)
    assert (found["cause_tag"], found["probe_needed"]) == (None, True)
    assert found["candidates"] == ["STRATEGY_L4_PLACEVALUE", "SPATIAL_L4_ALIGNMENT"]
    probe = session.state["probe_state"]
    assert probe is not None
    assert (probe["original_problem"], probe["removed_variable"]) == ("X:28+15:h", "carry")
    assert session.task["prompt"] == "20+15=□"


@pytest.mark.parametrize(("answer", "tag", "case"), [(35, "STRATEGY_L4_PLACEVALUE", "Case A"),
                                                    (215, "SPATIAL_L4_ALIGNMENT", "Case B"),
                                                    (99, "SPATIAL_L4_ALIGNMENT", "Case B")])  # fmt: skip
def test_the_probe_decides(rules: Rules, answer: int, tag: str, case: str) -> None:
    found = diagnosed(begin(rules, "28+15", 8, 7.0).answer(313).answer(answer))
    assert (found["cause_tag"], found["confidence"], found["source"]) == (tag, "high", "probe")
    assert case in found["reasoning"]


def test_at_most_two_probes_then_the_likeliest_at_low_confidence(rules: Rules) -> None:
    session = begin(rules, "1-1", 4, 1.0).answer(1)
    asked = 0
    while session.state["current_step"] == "probe":
        asked += 1
        session.right()
    assert asked <= 2
    assert (diagnosed(session)["confidence"], diagnosed(session)["source"]) == ("low", "default")


def test_a_probe_without_an_answer_after_a_refocus_leaves_the_likeliest(rules: Rules) -> None:
    session = begin(rules, "28+15", 8, 7.0).answer(313).timeout().train().right().answer(313).timeout()
    found = diagnosed(session)
    assert (found["cause_tag"], found["confidence"]) == ("STRATEGY_L4_PLACEVALUE", "low")


def test_the_likeliest_is_the_one_seen_in_this_session(rules: Rules) -> None:
    session = arranged(begin(rules, "28+15", 8, 7.0), evidence={"SPATIAL_L4_ALIGNMENT": 1})
    session.answer(313).timeout().train().right().answer(313).timeout()
    assert diagnosed(session)["cause_tag"] == "SPATIAL_L4_ALIGNMENT"


def test_causes_that_no_problem_tells_apart_are_one(rules: Rules) -> None:
    session = begin(rules, "8+6", 7, 4.5)
    indistinct = [answer for answer in range(100) if _indistinct(rules, answer)]
    assert indistinct
    session.answer(indistinct[0])
    assert session.state["current_step"] != "probe"
    assert (diagnosed(session)["confidence"], diagnosed(session)["source"]) == ("low", "default")


def _indistinct(rules: Rules, answer: int) -> bool:
    return (
        diagnosed(begin(rules, "8+6", 7, 4.5).answer(answer))["source"] == "default"
        and len(diagnosed(begin(rules, "8+6", 7, 4.5).answer(answer))["candidates"]) > 1
    )


# --- confidence -------------------------------------------------------------------------------------------------------


def test_a_skill_that_was_never_right_and_is_not_expected_gets_no_probe(rules: Rules) -> None:
    fresh, unsure = begin(rules, "28+15", 8, 7.0), begin(rules, "28+15", 8, 7.0)
    assert diagnosed(fresh.answer(313))["probe_needed"] is True
    missed = [rules.knowledge.skill_of(unsure.problem), False, 0, False, False, 1.0, 0.0, True]
    arranged(unsure, practice={**unsure.state["practice"], "expected": 0.4},
             known={**unsure.state["known"], "key": "missed before", "evidence": [missed]})  # fmt: skip
    found = diagnosed(unsure.answer(313))
    assert (found["probe_needed"], found["confidence"]) == (False, "low")
    assert unsure.task["kind"] == "anchor"


@pytest.mark.parametrize(("day", "probed"), [(10, False), (15, False), (16, True)])
def test_a_cause_that_was_stated_in_the_last_two_weeks_needs_no_probe(rules: Rules, day: int, probed: bool) -> None:
    known = {"day": day, "skills": {}}
    session = begin(rules, "28+15", 8, 7.0, knowledge=known, stated={"SPATIAL_L4_ALIGNMENT": 1})
    found = diagnosed(session.answer(313))
    assert found["probe_needed"] is probed
    assert found["cause_tag"] == (None if probed else "SPATIAL_L4_ALIGNMENT")


def second_look(rules: Rules, *answers: int) -> Session:
    session = begin(rules, "28+15", 8, 7.0)
    arranged(session, practice={**session.state["practice"], "expected": 0.9})
    for answer in answers:
        session.answer(answer)
    return session


def test_the_same_answer_at_a_second_look_is_no_second_piece_of_evidence(rules: Rules) -> None:
    session = second_look(rules, 13)
    assert session.rows == ["8"]
    assert diagnosed(session.answer(13))["confidence"] == "medium"


def test_nothing_is_certain_before_the_second_look(rules: Rules) -> None:
    tag, key = "SPATIAL_L4_PLACE_VALUE", "partial_sum_of_ones|SPATIAL_L4_PLACE_VALUE"
    session = arranged(second_look(rules), posterior={key: [6.0, 1, 0]}).answer(13)
    assert session.rows == ["8"]
    assert (diagnosed(session)["cause_tag"], diagnosed(session)["confidence"]) == (tag, "medium")
    assert session.state["stated"] == []
    assert diagnosed(session.answer(13))["confidence"] == "high"
    assert session.state["stated"] == [tag]


def test_a_second_look_that_shows_another_cause_is_one_answer_each(rules: Rules) -> None:
    assert diagnosed(second_look(rules, 41, 313))["probe_needed"] is True
    assert diagnosed(second_look(rules, 313, 313))["probe_needed"] is True
    assert diagnosed(second_look(rules, 13, 16))["confidence"] == "medium"


def test_a_tap_and_the_same_number_written_at_the_second_look_are_no_certainty(rules: Rules) -> None:
    # 30, the tens alone, has one cause; by some seeds it is among the choices.
    confidences = []
    for seed in range(40):
        session = begin(rules, "28+15", 8, 7.0, seed=seed)
        arranged(session, practice={**session.state["practice"], "expected": 0.9})
        if 30 in session.task["choices"]:
            confidences.append(diagnosed(session.answer(30).answer(30))["confidence"])
    assert confidences
    assert "high" not in confidences


def test_one_tap_states_no_cause_and_a_second_one_only_with_what_else_speaks_for_it(rules: Rules) -> None:
    """A tap counts for what it says: one of the wrong choices would have been hit by any child that errs."""
    tag, key = "EXECUTION_L4_CARRY_FORGOTTEN", "sum_carry_dropped|EXECUTION_L4_CARRY_FORGOTTEN"

    def confidence(before: list[float]) -> str | None:
        session = begin(rules, "47+26", 8, 8.0)
        arranged(session, task={**session.task, "choices": [63, 72, 73, 75]}, posterior={key: before})
        found = diagnosed(session.answer(63))
        assert found["cause_tag"] == tag
        return cast("str | None", found["confidence"])

    assert confidence([6.0, 0, 0]) == "medium"
    assert confidence([1.0, 1, 0]) == "medium"
    assert confidence([4.0, 1, 0]) == "high"


# --- unknown ----------------------------------------------------------------------------------------------------------


def test_what_no_rule_explains_is_unknown_and_asked_about(rules: Rules) -> None:
    found = diagnosed(begin(rules, "98+90", 8, 7.0).answer(178))
    assert (found["cause_tag"], found["confidence"], found["candidates"], found["training_ids"]) == (
        "UNKNOWN", "low", [], [],
    )  # fmt: skip


def test_the_most_frequent_cause_is_offered_first_but_is_no_evidence(rules: Rules) -> None:
    session = begin(rules, "98+90", 8, 7.0, frequent_cause="SPATIAL_L4_PLACE_VALUE").answer(178)
    assert diagnosed(session)["candidates"] == ["SPATIAL_L4_PLACE_VALUE"]
    assert session.task["kind"] == "diagnostic_question"
    assert session.state["evidence"] == {}
    seen = arranged(begin(rules, "98+90", 8, 7.0, frequent_cause="SPATIAL_L4_PLACE_VALUE"),
                    evidence={"EXECUTION_L4_CARRY_TWICE": 1, "CONCEPT_L1_MAGNITUDE": 2})  # fmt: skip
    assert diagnosed(seen.answer(178))["candidates"] == ["CONCEPT_L1_MAGNITUDE"]


def test_inside_a_loop_an_answer_is_explained_only_in_passing(rules: Rules) -> None:
    session = begin(rules, "98+90", 8, 7.0).answer(178).answer(2).answer(190).answer(2)
    found = diagnosed(session.answer(88))
    assert session.rows[-1] == "26a"
    assert (found["cause_tag"], found["confidence"]) == ("EXECUTION_L4_LEADING_CARRY", "medium")
    assert session.state["evidence"] == {}
    again = begin(rules, "28+15", 8, 7.0).answer(13).right().right().answer(313)
    assert diagnosed(again)["cause_tag"] is None
    assert len(diagnosed(again)["candidates"]) == 2


# --- the model's answer -----------------------------------------------------------------------------------------------


def test_one_cause_of_the_model_is_taken_at_low_confidence(rules: Rules) -> None:
    session = begin(rules, "98+90", 8, 7.0).answer(178, llm=[by_model("SPATIAL_L4_PLACE_VALUE")])
    found = diagnosed(session)
    assert (found["cause_tag"], found["confidence"], found["source"]) == ("SPATIAL_L4_PLACE_VALUE", "low", "llm")
    assert session.rows == ["12b"]
    assert session.state["evidence"] == {}


def test_two_causes_of_the_model_are_left_to_a_probe(rules: Rules) -> None:
    said = by_model("EXECUTION_L4_CARRY_FORGOTTEN", "SPATIAL_L4_PLACE_VALUE")
    session = begin(rules, "28+15", 8, 7.0).answer(77, llm=[said])
    assert session.rows == ["9"]
    assert session.task["kind"] == "probe"
    assert diagnosed(session)["source"] == "llm"


def test_causes_that_no_malrule_shows_cannot_be_probed(rules: Rules) -> None:
    said = by_model("FLUENCY_L3_MAKE10", "ATTENTION_L0_DISENGAGED", probe=True)
    found = diagnosed(begin(rules, "28+15", 8, 7.0).answer(77, llm=[said]))
    assert (found["cause_tag"], found["candidates"]) == (
        "FLUENCY_L3_MAKE10", ["FLUENCY_L3_MAKE10", "ATTENTION_L0_DISENGAGED"],
    )  # fmt: skip


def test_a_model_that_failed_changes_nothing(rules: Rules) -> None:
    failed = {**by_model("UNKNOWN"), "outcome": "timeout", "output": None}
    session = begin(rules, "98+90", 8, 7.0).answer(178, llm=[failed])
    assert (diagnosed(session)["cause_tag"], session.rows) == ("UNKNOWN", ["10"])


def test_causes_that_stay_together_are_stated_at_the_third_error(rules: Rules) -> None:
    """n + 1 → n at C1: it counts from itself, or repeats the number; nothing parts the two there."""
    session, confidences = begin(rules, None, 1, given=True, thought_c=1), []
    while not session.ended and not session.state["stated"]:
        if session.problem.op == "+" and session.problem.b == 1:
            confidences.append(diagnosed(session.answer(session.problem.a))["confidence"])
        else:
            session.right()
    both = ["STRATEGY_L2_COUNT_ON_START", "CONCEPT_L2_JOINING"]
    assert (session.state["stated"], session.state["together"]) == (both[:1], {both[0]: both})
    assert session.response["diagnosis"]["cause_tags"] == both
    assert session.turns[-1].learner.together == {both[0]: both}
    session.stop()
    assert [one["cause_tags"] for one in session.response["summary"]["causes"]] == [both]
    assert confidences[-1] == "high"
    assert len(confidences) >= 3
    assert "high" not in confidences[:-1]


@pytest.mark.parametrize("days", [1, 40], ids=["the next day", "weeks later"])
def test_causes_that_were_stated_together_stay_together_in_later_sessions(rules: Rules, days: int) -> None:
    """Nothing has parted them since: neither the records nor a second session may name one of them alone."""
    both = ["STRATEGY_L2_COUNT_ON_START", "CONCEPT_L2_JOINING"]
    earlier: dict[str, Any] = {"stated": {both[0]: -days}, "together": {both[0]: both}, "frequent_cause": both[0]}
    session, found = begin(rules, None, 1, given=True, thought_c=1, **earlier), []
    while not session.ended:
        if session.task["kind"] == "problem" and session.problem.op == "+":
            found.append(diagnosed(session.answer(session.problem.a)))
        else:
            session.right()
    assert session.state["together"] == {both[0]: both}
    assert [one["cause_tags"] for one in found if one["confidence"] == "high"][-1] == both
    assert not any(one["confidence"] == "high" and len(one["cause_tags"]) == 1 for one in found)
    assert not any("맞지 않는다" in one["reasoning"] for one in found)
    assert session.turns[-1].learner.together == {both[0]: both}


def test_what_was_parted_is_stated_together_no_longer(rules: Rules) -> None:
    parted, other = "EXECUTION_L4_CARRY_FORGOTTEN", "STRATEGY_L4_PLACEVALUE"
    session = begin(rules, "47+26", 8, 8.0, stated={parted: -1}, together={parted: [parted, other]})
    session.state = {**session.state, "stated": [parted]}
    assert session.answer(63).turns[-1].learner.together == {}
    assert begin(rules, "47+26", 8, 8.0, together={parted: [parted, other]}).answer(
        73).turns[-1].learner.together == {parted: [parted, other]}  # fmt: skip
