"""The skills that are not asked today: those that rest, and those that the child's grade is not taught yet.

A skill that is missed session after session rests for a week, so that no child waits at it for ever.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.tutoring.content.session_rules import Rules

SESSIONS: Final = 3
"""Sessions running with a skill asked and never right, after which it rests."""
DAYS: Final = 7

Struggles = dict[str, list[int]]
"""Skill id → [sessions running in which it was asked and never right, the day from which it is asked again, or 0]."""


def struggles_after(before: Mapping[str, Sequence[int]], evidence: Iterable[Sequence[Any]], today: int) -> Struggles:
    """After a session. `evidence`: of its answers, each with the fields of `Evidence` in order."""
    right: dict[str, bool] = {}
    for one in (Evidence(*entry) for entry in evidence):
        if one.first_try:
            right[one.skill_id] = right.get(one.skill_id, False) or one.right
    found = {
        skill_id: [*kept] for skill_id, kept in before.items() if skill_id not in right and (kept[0] or kept[1] > today)
    }
    for skill_id, was_right in right.items():
        sessions = 1 + (before[skill_id][0] if skill_id in before else 0)
        if not was_right:
            found[skill_id] = [0, today + DAYS] if sessions >= SESSIONS else [sessions, 0]
    return found


def resting(struggles: Mapping[str, Sequence[int]], today: int) -> frozenset[str]:
    """The skills that rest today."""
    return frozenset(skill_id for skill_id, (_, again_from) in struggles.items() if again_from > today)


def beyond_grade(start: Mapping[str, Any], known: Knowledge, rules: Rules) -> frozenset[str]:
    """The skills above what the child's grade is taught, but for those that it was right at. None where the grade is
    not known, where an adult has said where the child is, or where the child knows all that is needed below and was
    right at the highest of it."""
    taught = rules.numbers.placement.taught.get(start.get("grade") or 0)
    if taught is None or start.get("given") or start.get("thought_c"):
        return frozenset()
    skills = [one for one in known.skills if one.strand in taught]
    beyond = {one.skill_id for one in skills if one.c_level > taught[one.strand]}
    below = [one for one in skills if one.needed and one.skill_id not in beyond]
    highest = {one.strand: one.c_level for one in below}
    if all(
        (now.right if one.c_level == highest[one.strand] else now.known) or now.passed
        for one in below
        if (now := known[one.skill_id])
    ):
        return frozenset()
    return frozenset(one for one in beyond if not known[one].right)
