"""What a session's state says to ordinary practice: its border, what was asked, the strand at work, where it starts."""

from collections.abc import Mapping
from typing import Any, Final, NamedTuple, cast

from maththera.arithmetic.problem import Problem
from maththera.knowledge.knowledge import KNOWN, Knowledge
from maththera.knowledge.skills import Strand
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.practice.learning_border import Border
from maththera.tutoring.practice.mixture import Practised
from maththera.tutoring.practice.resting_skills import beyond_grade, resting
from maththera.tutoring.practice.skill_problems import LADDERS, SkillProblems, level_at_most
from maththera.tutoring.state import Kind, Practice, TutoringState


def by_skills(state: TutoringState) -> bool:
    """Whether what is known of skills leads the session; else only its position, as the first design had it."""
    return bool(state["start"]["policy"]["advance"] == "skills")


def strand_at_work(state: TutoringState) -> Strand:
    """The strand whose position the session moves."""
    return cast("Strand", state["strand"])


def border_of(state: TutoringState, rules: Rules) -> Border:
    """The border of what is known now. What lies below the session's start counts as taught."""
    start = state["start"]
    return _border(start, rules.session_knowledge.at(state), rules, taught_below=start["c_position"])


def _border(start: Mapping[str, Any], known: Knowledge, rules: Rules, taught_below: int = 0) -> Border:
    beyond = beyond_grade(start, known, rules)
    rest = resting(start.get("struggles", {}), known.day) | beyond
    return Border(rules.ladder, known.by_skill, taught_below, rest, beyond)


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

# --- where a session starts -------------------------------------------------------------------------------------------

TRIED_FIRST: Final = 5
"""Skills of a given start that are tried before ordinary practice."""


class LastStart(NamedTuple):
    """The last session in which a strand was at work: its first C, and the day."""

    c: int
    day: int


class Place(NamedTuple):
    """A strand and a position (C, W) in it."""

    strand: Strand
    c: int
    w: float


def place_of(start: Mapping[str, Any], known: Knowledge, rules: Rules) -> Place:
    """Where practice starts when this is known. `start`: the last starts by strand, and what is resting."""
    last = {cast("Strand", strand): LastStart(*one) for strand, one in start.get("starts", {}).items()}
    return next_place(_border(start, known, rules), last)


def next_place(border: Border, last: Mapping[Strand, LastStart]) -> Place:
    """The open strand that has rested longest, the lowest first; there the lowest C with a needed skill that is neither
    shown, kept nor expected, but at most one step below the strand's last start. Where nothing is left to learn, the
    strand that has rested longest, at its top. In a strand that was not at work yet, what was never missed below the
    highest start counts as taught: it begins beside the others, and no higher."""
    highest = max((start.c for start in last.values()), default=0)
    levels = {strand: _unsure_level(border, strand, 0 if strand in last else highest) for strand in LADDERS}
    strands = [strand for strand in LADDERS if border.is_open(strand)] or [*LADDERS]
    strand = min(strands, key=lambda one: (last[one].day if one in last else -1, levels[one]))
    c = levels[strand]
    if strand in last:
        c = max(c, level_at_most(strand, last[strand].c - 1))
    elif last:
        c = min(c, level_at_most(strand, highest))
    return Place(strand, c, easiest_w(border, strand, c))


def tried_first(ladder: SkillProblems, strand: Strand, c: int) -> list[str]:
    """The needed skills of a given C, the hardest first, at most five."""
    skills = [skill.skill_id for skill in ladder.needed[strand] if skill.c_level == c]
    return skills[::-1][:TRIED_FIRST]


def easiest_w(border: Border, strand: Strand, c: int) -> float:
    """The lowest W of the first skill of a C that is not met, else of its first skill."""
    skills = [skill.skill_id for skill in border.ladder.needed[strand] if skill.c_level == c]
    skill_id = next((one for one in skills if not border.met(one)), skills[0])
    return border.ladder.problems[skill_id][0].w_total


def _unsure_level(border: Border, strand: Strand, taught_below: int) -> int:
    """The lowest C of a strand with a needed skill that is neither shown, kept nor expected, nor counts as taught; else
    its top."""
    unsure = (
        skill.c_level
        for skill in border.ladder.needed[strand]
        if (known := border.known[skill.skill_id]).word not in KNOWN
        and not (known.tries == known.right and skill.c_level < taught_below)
    )
    return next(unsure, LADDERS[strand][-1])
