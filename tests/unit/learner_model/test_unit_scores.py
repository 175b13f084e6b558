from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

import pytest

from maththera.arithmetic.problem import problem_from_id
from maththera.knowledge.knowledge import Knowledge
from maththera.learner_model.recorded_knowledge import recorded_knowledge
from maththera.learner_model.unit_scores import DOMAINS, METRICS, UnitScore, points, unit_scores
from maththera.store.answer_history import Answer
from tests.support.tutoring import rules

NOON = datetime(2026, 3, 3, 3, tzinfo=UTC)
CARRY = "EXECUTION_L4_CARRY_FORGOTTEN"
DOMAIN = {CARRY: "EXECUTION", "ATTENTION_L0_IMPULSE": "ATTENTION", "FLUENCY_L6_RETRIEVE": "FLUENCY"}


def answer(n: int, given: int | None = 73, **facts: object) -> Answer:
    """The n-th minute's answer to 47+26; 63 drops the carry, 70 is explained by nothing."""
    given_facts = {
        "session_id": "s", "turn": n, "created_at": datetime(2026, 3, 2, tzinfo=UTC) + timedelta(minutes=n),
        "problem_id": "X:47+26:h", "kind": "problem", "c_level": 8, "w": 6.5, "correct": given == 73,
        "pattern": "correct_fast" if given == 73 else "logical_error", "rt_ms": 3000, "input_kind": "typed",
        "cause_tag": None, "confidence": None, "given": given,
    }  # fmt: skip
    return Answer(**{**given_facts, **facts})  # type: ignore[arg-type]


def known(answers: Sequence[Answer]) -> Knowledge:
    return recorded_knowledge(answers, rules().knowledge, rules().bank, NOON)


def scored(*answers: Answer) -> UnitScore:
    found = unit_scores(answers, known(answers), DOMAIN, problem_from_id)
    assert [*found] == ["Cur-C8"]
    return found["Cur-C8"]


def test_accuracy_is_the_share_of_right_answers() -> None:
    score = scored(answer(1), answer(2, 70), answer(3), answer(4))
    assert (score.answered, score.right, score.mean, score.metrics["accuracy"]) == (4, 3, 75, 75)


def test_what_is_no_answer_counts_nowhere() -> None:
    silent = answer(2, None, correct=None, pattern="no_response")
    assert scored(answer(1), silent).answered == 1
    assert unit_scores([silent, answer(3, c_level=None)], known([]), DOMAIN, problem_from_id) == {}


def test_fluency_is_the_share_that_came_at_once() -> None:
    slow = answer(2, pattern="correct_slow", rt_ms=9000)
    assert scored(answer(1), slow, answer(3, 70)).metrics["fluency"] == 50
    assert scored(answer(1), slow, answer(4, pattern=None, rt_ms=None)).metrics["fluency"] == 50
    assert "fluency" not in scored(answer(1, 70)).metrics


def test_a_neighbouring_fact_is_a_matter_of_fluency() -> None:
    wrong = answer(2, 49, problem_id="X:7x8:h", c_level=8, cause_tag="FLUENCY_L6_RETRIEVE", confidence="high")
    score = scored(answer(1), wrong)
    assert score.metrics["fluency"] == 50
    assert all(score.metrics[domain] == 100 for domain in DOMAINS)


def test_a_domain_loses_what_its_stated_cause_explains() -> None:
    """Stated once, by a turn whose own answer was right: it explains both 63s and not the 70."""
    stated = answer(4, cause_tag=CARRY, confidence="high")
    score = scored(answer(1, 63), answer(2, 63), answer(3, 70), stated)
    assert (score.metrics["EXECUTION"], score.metrics["accuracy"]) == (50, 25)
    all_explained = scored(answer(1, 63), answer(2, 63), stated)
    assert [all_explained.metrics[domain] for domain in DOMAINS] == [100, 100, 100, 33, 100, 100]


def test_what_nothing_has_measured_has_no_number() -> None:
    """Nobody knows what an unexplained answer cost; a domain that an explained one belongs to lost at least that."""
    unsure = answer(4, 63, cause_tag=CARRY, confidence="medium")
    assert set(scored(*(answer(n, 70) for n in range(4))).metrics) == {"accuracy"}
    assert set(scored(answer(1, 63), unsure).metrics) == {"accuracy"}
    partly = scored(answer(1, 63), answer(3, 70), answer(4, cause_tag=CARRY, confidence="high"))
    assert partly.metrics == {"accuracy": 33, "fluency": 100, "EXECUTION": 67}


def test_haste_is_told_by_its_own_turn() -> None:
    hasty = answer(2, 70, cause_tag="ATTENTION_L0_IMPULSE", confidence="high")
    assert scored(answer(1), hasty).metrics["ATTENTION"] == 50


def test_weak_is_below_seventy_and_only_with_enough_answers() -> None:
    stated = answer(9, 63, cause_tag=CARRY, confidence="high")
    assert scored(stated, answer(1, 63)).weak == []
    assert scored(stated, answer(1, 63), answer(2, 70)).weak == [("accuracy", 0), ("EXECUTION", 33)]
    assert scored(*(answer(n, 73 if n else 70) for n in range(10))).weak == []


def test_the_best_sitting_needs_enough_answers() -> None:
    lucky = answer(9, session_id="short")
    assert scored(answer(1), answer(2, 70)).best is None
    assert scored(lucky, answer(1), answer(2, 70), answer(3, 70)).best == 33


def test_completion_is_the_share_of_the_needed_skills_that_were_shown() -> None:
    """C6 needs two: the partners of ten, shown here, and taking from ten."""
    partners = [f"X:{a}+{10 - a}:h" for a in range(1, 9)]
    shown = [
        answer(n, 10, problem_id=problem, c_level=6, correct=True, pattern="correct_fast", session_id=f"{n // 4}",
               created_at=datetime(2026, 3, 2 + n // 4, 3, n, tzinfo=UTC))
        for n, problem in enumerate(partners)
    ]  # fmt: skip
    found = unit_scores(shown, known(shown), DOMAIN, problem_from_id)
    assert found["Cur-C6"].completion == 50
    assert scored(*(answer(n, 70) for n in range(5))).completion == 0


def test_units_stand_in_the_order_of_the_curriculum() -> None:
    levels = [answer(1, c_level=12), answer(2, c_level=3), answer(3, c_level=8)]
    assert [*unit_scores(levels, known(levels), DOMAIN, problem_from_id)] == ["Cur-C3", "Cur-C8", "Cur-C12"]


@pytest.mark.parametrize(
    ("part", "whole", "expected"), [(0, 3, 0), (3, 3, 100), (1, 3, 33), (999, 1000, 99), (1, 1000, 1)]
)
def test_only_all_is_a_hundred_and_only_nothing_is_zero(part: int, whole: int, expected: int) -> None:
    assert points(part, whole) == expected


def test_every_metric_is_there() -> None:
    assert set(scored(answer(1)).metrics) == set(METRICS)
