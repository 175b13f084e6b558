"""The skills that a child's grade is not taught yet: not asked, and nothing is concluded on them."""

from collections.abc import Mapping
from typing import Any

from maththera.knowledge.knowledge import Knowledge
from maththera.tutoring.content.session_rules import Rules


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
