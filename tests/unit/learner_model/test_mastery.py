from datetime import UTC, datetime, timedelta

import pytest

from maththera.arithmetic.curriculum import UNITS
from maththera.learner_model.concept_graph import ConceptGraph, concepts_of_level, load_concepts
from maththera.learner_model.mastery import bayes_update, known_concepts, trace_mastery
from maththera.settings import home
from maththera.store.answer_history import Answer

GRAPH = load_concepts(home() / "configs" / "learner_model" / "concepts.yaml")
TRACING = GRAPH.tracing


def answers(c: int, *right: bool, **facts: str) -> list[Answer]:
    """Answers at a level, one minute apart."""
    start = datetime(2026, 3, 2, tzinfo=UTC)
    return [
        Answer(
            session_id="s", turn=n, created_at=start + timedelta(minutes=n), problem_id="P-00001", kind="problem",
            c_level=c, w=1.0, correct=one, pattern=None, rt_ms=1000,
            input_kind=facts.get("input_kind", "typed"), cause_tag=facts.get("cause_tag"), confidence=None, given=1,
        )
        for n, one in enumerate(right)
    ]  # fmt: skip


def test_one_answer_by_hand() -> None:
    """Corbett & Anderson's two formulas with 0.3 known, slip 0.1, guess 0.1, learn 0.1."""
    after_right = bayes_update(0.3, TRACING, guess=0.1, right=True)
    after_wrong = bayes_update(0.3, TRACING, guess=0.1, right=False)
    posterior = 0.27 / (0.27 + 0.07)
    assert after_right == pytest.approx(posterior + (1 - posterior) * 0.1)
    posterior = 0.03 / (0.03 + 0.63)
    assert after_wrong == pytest.approx(posterior + (1 - posterior) * 0.1)


def test_an_answer_counts_for_its_unit_and_its_concept() -> None:
    found = trace_mastery(answers(8, True, False), GRAPH)
    assert [*found] == ["Cog-C5", "Cur-C8"]
    assert found["Cur-C8"] == found["Cog-C5"]
    assert (found["Cur-C8"].answers, found["Cur-C8"].right) == (2, 1)
    assert concepts_of_level(8) == ("Cur-C8", "Cog-C5")


def test_right_answers_raise_and_wrong_ones_lower() -> None:
    value = [trace_mastery(answers(7, *([True] * n)), GRAPH)["Cur-C7"].value for n in range(1, 6)]
    assert value == sorted(value)
    assert value[-1] > TRACING.mastered > 0.5 > trace_mastery(answers(7, False, False), GRAPH)["Cur-C7"].value


def test_a_tapped_answer_says_less() -> None:
    typed = trace_mastery(answers(7, True), GRAPH)["Cur-C7"].value
    assert trace_mastery(answers(7, True, input_kind="tap"), GRAPH)["Cur-C7"].value < typed


def test_what_was_not_thought_out_says_nothing() -> None:
    assert trace_mastery(answers(7, False, cause_tag="ATTENTION_L0_IMPULSE"), GRAPH) == {}


def test_what_lies_below_the_mastered_is_taken_as_known() -> None:
    strong = trace_mastery([*answers(8, *[True] * 5), *answers(6, False, False, False)], GRAPH)
    known = known_concepts(strong, GRAPH)
    assert {"Cur-C8", "Cur-C7", "Cur-C5", "Cog-C5", "Cog-C1"} <= known
    assert "Cur-C6" not in known, "the child has shown not to know it"
    assert "Cur-C11" not in known


def test_the_graph_fits_the_ladder(tmp_path: object) -> None:
    broken = {**GRAPH.model_dump(), "concepts": {**GRAPH.model_dump()["concepts"]}}
    broken["concepts"]["Cur-C8"] = {**broken["concepts"]["Cur-C8"], "requires": ["Cog-C5", "Cur-C15"]}
    with pytest.raises(ValueError, match="Cur-C8 must require Cur-C7") as refused:
        ConceptGraph.model_validate(broken)
    assert "requires itself in the end" in str(refused.value)
    del broken["concepts"]["Cur-C3"]
    with pytest.raises(ValueError, match="Cur-C3 is missing"):
        ConceptGraph.model_validate(broken)


def test_units_are_named_as_on_the_ladder() -> None:
    assert [GRAPH.concepts[f"Cur-C{unit.c}"].name for unit in UNITS] == [unit.title for unit in UNITS]
    assert len(GRAPH.concepts) == 21
