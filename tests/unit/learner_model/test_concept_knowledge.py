"""Units through their skills: nothing is called understood of which a needed skill was not shown."""

from datetime import date

import pytest

from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.learner_model.concept_graph import ConceptGraph, load_concepts
from maththera.learner_model.concept_knowledge import concept_knowledge, known_concepts, needed_skills, share_understood
from maththera.settings import home
from tests.support.tutoring import rules

MONDAY = date(2026, 3, 2).toordinal()


@pytest.fixture(scope="module")
def graph() -> ConceptGraph:
    return load_concepts(home() / "configs" / "learner_model" / "concepts.yaml")


@pytest.fixture
def nothing() -> Knowledge:
    return Knowledge.start(rules().knowledge, MONDAY)


def shown(knowledge: Knowledge, skill_id: str) -> Knowledge:
    """After three right tries on each of two days."""
    first = knowledge.day
    for day in (first, first, first, first + 1, first + 1, first + 1):
        knowledge = knowledge.after(Evidence(skill_id, True, day, fast=True))
    return knowledge


def test_plain_subtraction_alone_is_no_understood_unit(graph: ConceptGraph, nothing: Knowledge) -> None:
    known = shown(shown(nothing, "C10.plain"), "C10.tens")
    unit = concept_knowledge(known, graph)["Cur-C10"]
    assert unit.standing == "learning"
    assert set(unit.open_skills) == {"C10.borrow_1d", "C10.borrow", "C10.borrow_x0"}
    assert "Cur-C10" not in known_concepts(known, graph)
    assert share_understood(known, "Cur-C10") == 2 / 5


def test_a_unit_is_understood_when_each_needed_skill_is(graph: ConceptGraph, nothing: Knowledge) -> None:
    known = nothing
    for skill_id in needed_skills(known.skills, "Cur-C6"):
        assert concept_knowledge(known, graph).get("Cur-C6") is None or share_understood(known, "Cur-C6") < 1
        known = shown(known, skill_id)
    assert concept_knowledge(known, graph)["Cur-C6"].standing == "understood"
    assert share_understood(known, "Cur-C6") == 1


def test_what_is_only_expected_is_said_as_such(graph: ConceptGraph, nothing: Knowledge) -> None:
    known = nothing
    for skill_id in needed_skills(known.skills, "Cur-C6"):
        for _ in range(4):
            known = known.after(Evidence(skill_id, True, MONDAY))
    assert concept_knowledge(known, graph)["Cur-C6"].standing == "expected"
    assert "Cur-C6" in known_concepts(known, graph)


def test_a_miss_or_two_say_nothing_of_a_unit(graph: ConceptGraph, nothing: Knowledge) -> None:
    known = nothing.after(Evidence("C10.plain", False, MONDAY)).after(Evidence("C10.plain", False, MONDAY))
    assert concept_knowledge(known, graph)["Cur-C10"].standing == "unsure"
