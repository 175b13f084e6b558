"""What is known of the child at any turn: what the session began with, and the evidence of its answers since."""

from collections import OrderedDict
from collections.abc import Mapping
from typing import Any, Final

from maththera.knowledge.knowledge import Evidence, Knowledge
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.state import TutoringState

_KEPT: Final = 512
_LAST: OrderedDict[str, tuple[Mapping[str, Any], list[list[Any]], Knowledge]] = OrderedDict()
"""Session → its start, the evidence and what follows, of the sessions that answered last in this process. What is found
here is compared with the state, so that nothing depends on it but time."""


def knowledge_of(state: TutoringState, rules: Rules) -> Knowledge:
    """The knowledge after all evidence of the session."""
    start, answers = state["start"], state["answers"]
    snapshot, name = start["knowledge"], f"{start['student_id']} {start['seed']}"
    known, behind = None, 0
    if (kept := _LAST.get(name)) is not None and kept[0] == snapshot and kept[1] == answers[: len(kept[1])]:
        known, behind = kept[2], len(kept[1])
    if known is None:
        known = Knowledge.from_snapshot(snapshot, rules.knowledge)
    for entry in answers[behind:]:
        known = known.after(evidence_of(entry, known.day))
    _LAST[name] = (snapshot, answers, known)
    _LAST.move_to_end(name)
    if len(_LAST) > _KEPT:
        _LAST.popitem(last=False)
    return known


def evidence_of(entry: list[Any], day: int) -> Evidence:
    """The evidence of one entry of `answers`."""
    skill_id, right, aided, fast, weight = entry
    return Evidence(skill_id, bool(right), day, aided=bool(aided), fast=bool(fast), weight=weight)


def entry_of_answer(state: TutoringState, rules: Rules, *, put_off: bool) -> list[Any] | None:
    """The entry for `answers` that the current answer gives, `put_off`: it is looked at a second time first. None where
    nothing was answered, or too quickly to have been thought."""
    observation, attempts, task = state["observation"], state["attempts"], state["task"]
    if observation is None or task is None or observation["correct"] is None or observation["problem_id"] is None:
        return None
    if put_off or (observation["impulsive"] and not observation["correct"]) or _distracted(state):
        return None
    problem = rules.bank.problem(observation["problem_id"])
    second_look = attempts is not None and attempts["slip"] is not None and task["kind"] == "problem"
    right, weight = observation["correct"], 1.0
    if second_look and right:
        right, weight = False, 0.5  # the first try was wrong, and a slip
    fast = observation["pattern"] == "correct_fast" and not second_look
    return [
        rules.knowledge.skill_of(problem),
        int(right),
        int(not (second_look or is_unaided_first_try(state))),
        int(fast),
        weight,
    ]


def is_unaided_first_try(state: TutoringState) -> bool:
    """The first showing of an ordinary problem, or of the anchor of route B, without an aid."""
    task, attempts, loop = state["task"], state["attempts"], state["loop_state"]
    if task is None or task["visual_mode"] != "none":
        return False
    if task["kind"] == "anchor":
        return loop is not None and loop.get("route") == "B" and not loop.get("aided") and not loop.get("trained")
    return task["kind"] == "problem" and attempts is not None and attempts["shown"] == 1


def _distracted(state: TutoringState) -> bool:
    diagnosis = state["diagnosis"]
    return diagnosis is not None and diagnosis["cause_domain"] == "ATTENTION"
