"""What the tutor says of each skill, from the rows it has written."""

from collections.abc import Mapping, Sequence
from datetime import UTC, datetime
from typing import Final, Literal

from maththera.knowledge.skills import Skills
from maththera.learner_model.concept_graph import ConceptGraph, unit_id
from maththera.learner_model.mastery import known_concepts, trace_mastery
from maththera.store.answer_history import Answer
from maththera.tutoring.turns.turn import Turn

Word = Literal["shown", "expected"]
Said = Mapping[str, Word]
"""Skill id → what is said of it. `shown`: called understood, on what was asked; `expected`: taken to be known."""

_SOME_DAY: Final = datetime(2000, 1, 1, tzinfo=UTC)


def said_of_skills(turns: Sequence[Turn], graph: ConceptGraph, skills: Skills) -> Said:
    """A unit that is called understood says so of its needed skills."""
    masteries = trace_mastery([_answer(turn) for turn in turns], graph)
    known = known_concepts(masteries, graph)
    return {
        skill.skill_id: "shown" if unit_id(skill.c_level) in masteries else "expected"
        for skill in skills
        if skill.needed and skill.c_level and unit_id(skill.c_level) in known
    }


def _answer(turn: Turn) -> Answer:
    facts = turn.facts
    return Answer(
        session_id="",
        turn=turn.number,
        created_at=_SOME_DAY,
        problem_id=facts.get("problem_id"),
        kind=facts.get("kind"),
        c_level=facts.get("c_level"),
        w=facts.get("w"),
        correct=facts.get("correct"),
        pattern=facts.get("pattern"),
        rt_ms=facts.get("rt_ms"),
        input_kind=facts.get("input_kind"),
        cause_tag=facts.get("cause_tag"),
        confidence=facts.get("confidence"),
        given=turn.event.get("answer"),
    )
