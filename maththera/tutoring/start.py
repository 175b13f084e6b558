"""The start of a session: all that a replay needs, so that it does not depend on the configuration of the day."""

from collections.abc import Mapping
from typing import Any

from maththera.arithmetic.curriculum import HIGHEST_C, LOWEST_C
from maththera.knowledge.knowledge import Knowledge
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.practice.session_practice import place_of
from maththera.tutoring.practice.skill_problems import strand_of_level
from maththera.tutoring.state import ENGINE, SCHEMA_VERSION


def complete_start(start: dict[str, Any], rules: Rules) -> dict[str, Any]:
    """`start` with every value that a session needs.

    A missing position is that of the first problem, else where the border of what is known lies (where skills do not
    lead, the configured one). C is clamped into the ladder, W into the bank's band of that C.
    """
    numbers = rules.numbers
    policy = {
        "advance": numbers.position.advance,
        "promotion_streak": numbers.position.promotion_streak,
        "rt_policy": numbers.response_time.rt_policy,
        **start.get("policy", {}),
    }
    knowledge = start.get("knowledge") or Knowledge.start(rules.knowledge, 0).snapshot()
    return {
        "schema_version": SCHEMA_VERSION,
        "engine": ENGINE,
        "student_id": start.get("student_id", "studio"),
        "mode": start.get("mode", "practice"),
        "thought_c": start.get("thought_c"),
        **_position({**start, "policy": policy, "knowledge": knowledge}, rules),
        "problem_count": start.get("problem_count") or numbers.session.problem_count,
        "first_problem": start.get("first_problem"),
        "seed": start.get("seed") or 0,
        "policy": policy,
        "knowledge": knowledge,
        **_of_earlier_sessions(start),
        "typing_ms": start.get("typing_ms"),
        "choices_new": start.get("choices_new", False),
        "capabilities": {"speech": False, "presentation": True, "widgets": False, **start.get("capabilities", {})},
        "below_c1": start.get("below_c1", False),
        "grade": start.get("grade"),
        "grade_c": start.get("grade_c", numbers.placement.grade_c.get(start.get("grade") or 0)),
        "learned": start.get("learned", {"version": 0, "names": [*rules.learned]}),
    }


def learned_names(start: Mapping[str, Any]) -> tuple[str, ...]:
    """The learned procedures under which a session runs."""
    return tuple(start.get("learned", {}).get("names", ()))


def _position(start: dict[str, Any], rules: Rules) -> dict[str, Any]:
    """Where the session starts, and whether somebody said so (`given`)."""
    first = rules.bank.problem(start["first_problem"]) if start.get("first_problem") else None
    c, w, strand = start.get("c_position"), start.get("w_position"), start.get("strand")
    chosen = c is not None and first is None
    if c is None and first is None and start["policy"]["advance"] == "skills":
        strand, c, easiest = place_of(start, Knowledge.from_snapshot(start["knowledge"], rules.knowledge), rules)
        w = easiest if w is None else w
    elif c is None:
        c = first.c_level if first else rules.numbers.session.start_c
    c = max(LOWEST_C, min(HIGHEST_C, c))
    low, high = rules.bank.band(c)
    if w is None:
        w = first.w_total if first else low
    return {
        "c_position": c,
        "w_position": max(low, min(high, float(w))),
        "strand": strand or (first.op if first else strand_of_level(c)),
        "given": start.get("given", chosen),
    }


def _of_earlier_sessions(start: Mapping[str, Any]) -> dict[str, Any]:
    """What earlier sessions hand on."""
    return {
        "starts": start.get("starts", {}),
        "stated": start.get("stated", {}),
        "together": start.get("together", {}),
        "suspected": start.get("suspected", {}),
        "struggles": start.get("struggles", {}),
        "trained": start.get("trained", {}),
        "white_outs": start.get("white_outs", []),
        "told": start.get("told", {}),
        "frequent_cause": start.get("frequent_cause"),
        "again": start.get("again", []),
        "rt_norms": start.get("rt_norms", {}),
    }
