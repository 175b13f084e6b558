"""What a session's state says to ordinary practice: its border, what was asked, the strand at work."""

from collections.abc import Mapping
from typing import Any, Final, cast

from maththera.arithmetic.problem import Problem
from maththera.knowledge.knowledge import Knowledge
from maththera.knowledge.skills import Strand
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.practice.learning_border import Border
from maththera.tutoring.practice.mixture import Practised
from maththera.tutoring.practice.resting_skills import resting
from maththera.tutoring.practice.session_place import LastStart, Place, next_place
from maththera.tutoring.practice.taught_skills import beyond_grade
from maththera.tutoring.state import Kind, Practice, TutoringState


def by_skills(state: TutoringState) -> bool:
    """Whether what is known of skills leads the session; else only its position, as the first design had it."""
    return bool(state["start"]["policy"]["advance"] == "skills")


def strand_at_work(state: TutoringState) -> Strand:
    """The strand whose position the session moves."""
    return cast("Strand", state["strand"])


def border_of(state: TutoringState, rules: Rules) -> Border:
    """The border of what is known now. What lies below the session's start counts as taught."""
    known, start = rules.session_knowledge.at(state), state["start"]
    beyond = beyond_grade(start, known, rules)
    rest = resting(start["struggles"], known.day) | beyond
    return Border(rules.ladder, known.by_skill, start["c_position"], rest, beyond)


def place_of(start: Mapping[str, Any], known: Knowledge, rules: Rules) -> Place:
    """Where practice starts when this is known. `start`: the last starts by strand, and what is resting."""
    last = {cast("Strand", strand): LastStart(*one) for strand, one in start.get("starts", {}).items()}
    beyond = beyond_grade(start, known, rules)
    rest = resting(start.get("struggles", {}), known.day) | beyond
    return next_place(Border(rules.ladder, known.by_skill, resting=rest, beyond=beyond), last)


def practised_of(state: TutoringState, rules: Rules) -> Practised:
    """What the session has asked."""
    practice, today = state["practice"], rules.session_knowledge.at(state).day
    again = [rules.bank.problem(entry["problem_id"]) for entry in state["again"] if entry["day"] < today]
    return Practised(
        asked=practice["asked"],
        sources=practice["sources"],
        tries=practice["tries"],
        missed=practice["missed"],
        last=practice["last"],
        again=[rules.knowledge.skill_of(problem) for problem in again],
        exampled=practice["exampled"],
        today=today,
        turn=int(state["start"]["seed"]) + state["counters"]["tasks"],
    )


def fresh_practice(given: list[str]) -> Practice:
    """Nothing was asked yet. `given`: the skills that a given start is tried with."""
    return {
        "asked": {},
        "sources": {},
        "tries": [],
        "given": given,
        "drills": 0,
        "missed": [],
        "last": None,
        "expected": 1.0,
        "looped": [],
        "shown": {},
        "place": None,
        "unsure": {},
        "exampled": [],
    }


def task_key(kind: Kind, problem: Problem) -> str:
    """Kind and expression: what may not be shown again and again."""
    part = "" if problem.form == "result" else problem.form[0]
    return f"{_LETTERS[kind]}{problem.key}{part}"


_LETTERS: Final[Mapping[Kind, str]] = {
    "problem": "",
    "probe": "p",
    "diagnostic_question": "q",
    "anchor": "a",
    "fine_adjustment": "f",
    "return": "r",
    "bridge": "b",
    "worked_example": "w",
}
"""A letter for each kind: a session's checkpoint has one of these keys for each task."""
