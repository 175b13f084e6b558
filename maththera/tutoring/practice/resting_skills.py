"""Skills that are missed session after session rest for a week, so that no child waits at one of them for ever."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

from maththera.knowledge.knowledge import Evidence

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
    """The skills that are not asked today."""
    return frozenset(skill_id for skill_id, (_, again_from) in struggles.items() if again_from > today)
