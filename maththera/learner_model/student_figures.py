"""The figures of a child that adults read. Pages, reports and the command line take them from here, so they agree."""

from collections.abc import Sequence
from datetime import date
from statistics import median
from typing import TypedDict

from maththera.knowledge.knowledge import Knowledge, Word
from maththera.knowledge.skills import Skill, Strand
from maththera.learner_model.skill_words import said_to_adults, said_to_children, told_word
from maththera.store.answer_history import Answer


class AnswerCounts(TypedDict):
    """`accuracy` 0 to 1 and `median_rt_ms` are None without an answer."""

    answered: int
    right: int
    accuracy: float | None
    median_rt_ms: int | None


class SkillFigures(TypedDict):
    """One skill on one day: `SkillKnowledge` with its names and sentences, rounded; `word` as it may be told,
    `last_day` an ISO date."""

    skill_id: str
    name: str
    child_name: str
    c_level: int
    strand: Strand
    needed: bool
    word: Word
    says: str
    child_says: str
    chance: float
    low: float
    high: float
    tries: int
    right: int
    days: int
    aided: int
    fluent: float | None
    last_day: str | None
    passed: bool
    due: bool


def answer_counts(answers: Sequence[Answer]) -> AnswerCounts:
    judged = [answer for answer in answers if answer.correct is not None]
    right = sum(bool(answer.correct) for answer in judged)
    times = [answer.rt_ms for answer in judged if answer.rt_ms is not None]
    return {
        "answered": len(judged),
        "right": right,
        "accuracy": round(right / len(judged), 3) if judged else None,
        "median_rt_ms": round(median(times)) if times else None,
    }


def skill_figures(knowledge: Knowledge) -> list[SkillFigures]:
    """Every skill, in teaching order."""
    return [_figures(skill, knowledge) for skill in knowledge.skills]


def _figures(skill: Skill, knowledge: Knowledge) -> SkillFigures:
    known = knowledge[skill.skill_id]
    return {
        "skill_id": skill.skill_id,
        "name": skill.name,
        "child_name": skill.child,
        "c_level": skill.c_level,
        "strand": skill.strand,
        "needed": skill.needed,
        "word": told_word(knowledge, skill.skill_id),
        "says": said_to_adults(knowledge, skill.skill_id),
        "child_says": said_to_children(knowledge, skill.skill_id),
        "chance": round(known.chance, 3),
        "low": round(known.low, 3),
        "high": round(known.high, 3),
        "tries": known.tries,
        "right": known.right,
        "days": known.days,
        "aided": known.aided,
        "fluent": None if known.fluent is None else round(known.fluent, 3),
        "last_day": None if known.last_day is None else date.fromordinal(known.last_day).isoformat(),
        "passed": known.passed,
        "due": known.due,
    }
