"""What a session begins from: what the client says, else the learner's records, else the rules."""

import secrets
from collections.abc import Callable, Collection, Mapping
from dataclasses import dataclass, field
from types import MappingProxyType
from typing import Any, Final

from pydantic import BaseModel, ConfigDict, Field

from maththera.arithmetic.curriculum import curriculum_level
from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import Problem, ProblemError, make_problem, parse_expression
from maththera.knowledge.knowledge import Knowledge
from maththera.store.learner_state import LearnerRow
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.response_time import own_times
from maththera.tutoring.number_sense.screening_profile import SCREENING_ITEMS
from maththera.tutoring.start import complete_start
from maththera.tutoring.state import Mode
from maththera.tutoring.turns.events import BadEvent


class Capabilities(BaseModel):
    """What a client can do. It is never put what it cannot show."""

    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)

    speech: bool = Field(False, description="It has a Korean voice.")
    presentation: bool = Field(
        False, description="It draws what `presentation` of a task says; else no probe lies in the drawing alone."
    )
    widgets: bool = Field(False, description="Tasks of the kind `widget`: dots, lines, blocks, cards.")


@dataclass(frozen=True, slots=True)
class NewSession:
    """What a client may say about a new session; what it leaves out comes from the learner's records. Without a mode a
    new child for whom nobody has said where to start is placed. `grade`: the child's, where it is known."""

    student_id: str
    c_position: int | None = None
    w_position: float | None = None
    problem_count: int | None = None
    first_problem: str | None = None
    seed: int | None = None
    mode: Mode | None = None
    capabilities: Capabilities = field(default_factory=Capabilities)
    grade: int | None = None


_FIXED_COUNTS: Final[Mapping[Mode, Callable[[Rules], int]]] = {
    "placement": lambda rules: rules.numbers.placement.problems_max,
    "number_sense": lambda _: SCREENING_ITEMS,
}


def recorded_start(
    wanted: NewSession,
    learner: LearnerRow | None,
    knowledge: Knowledge,
    rules: Rules,
    learned: Mapping[str, Any] = MappingProxyType({"version": 0, "names": ()}),
) -> dict[str, Any]:
    """The start that is recorded, and from which the session can be computed again. `knowledge`: on the day of the
    session; `learned`: the version of the learned procedures, and their names. BadEvent."""
    limit = rules.numbers.session.problem_count_max
    if wanted.problem_count is not None and wanted.problem_count > limit:
        raise BadEvent("body.problem_count", f"at most {limit}")
    c, w = wanted.c_position, wanted.w_position
    first = _first_problem(wanted.first_problem, rules)
    new = (learner is None or learner.unplaced) and c is None and first is None
    mode = wanted.mode or ("placement" if new else "practice")
    if mode == "number_sense" and not wanted.capabilities.widgets:
        raise BadEvent("body.capabilities.widgets", "number_sense is for clients that can show widgets")
    below_c1 = learner is not None and learner.below_c1 and mode == "practice" and c is None and first is None
    if learner is not None and c is None and first is None and rules.numbers.position.advance != "skills":
        c, w = learner.c, learner.w if w is None else w
    return complete_start(
        {
            "student_id": wanted.student_id,
            "c_position": c,
            "w_position": w,
            "problem_count": _FIXED_COUNTS[mode](rules) if mode in _FIXED_COUNTS else wanted.problem_count,
            "first_problem": first,
            "mode": mode,
            "thought_c": wanted.c_position or (learner.thought_c if learner else None),
            "seed": secrets.randbelow(2**31) if wanted.seed is None else wanted.seed,
            "frequent_cause": learner.most_frequent_cause if learner else None,
            "again": learner.again if learner else [],
            "starts": learner.starts if learner else {},
            "stated": learner.stated if learner else {},
            "together": learner.together if learner else {},
            "suspected": _still_known(learner.suspected, learned["names"]) if learner else {},
            "struggles": learner.struggles if learner else {},
            "trained": learner.trained if learner else {},
            "white_outs": learner.white_outs if learner else [],
            "told": learner.told if learner else {},
            "rt_norms": _own_times(learner, rules) if learner else {},
            "typing_ms": learner.typing_ms if learner else None,
            "knowledge": knowledge.snapshot(),
            "choices_new": learner is None or learner.choices_new,
            "capabilities": wanted.capabilities.model_dump(),
            "below_c1": below_c1,
            "grade": wanted.grade,
            "learned": {"version": learned["version"], "names": [*learned["names"]]},
        },
        rules,
    )


def _still_known(suspected: dict[str, list[float]], learned: Collection[str]) -> dict[str, list[float]]:
    """What an earlier session suspected, without the learned procedures that were switched off since."""
    return {
        key: value
        for key, value in suspected.items()
        if (name := key.partition("|")[0]) in CATALOGUE or name in learned
    }


def _own_times(learner: LearnerRow, rules: Rules) -> dict[str, list[int]]:
    """The child's own response times, as many as the adaptive norms look back; none for the fixed ones. A problem that
    the bank no longer has is left out."""
    numbers = rules.numbers.response_time
    if numbers.rt_policy == "fixed":
        return {}
    known = ((_problem(problem_id, rules), kind, rt_ms) for problem_id, kind, rt_ms in learner.times)
    return own_times([(problem, kind, rt_ms) for problem, kind, rt_ms in known if problem is not None], numbers)


def _problem(problem_id: str, rules: Rules) -> Problem | None:
    try:
        return rules.bank.problem(problem_id)
    except ProblemError:
        return None


def _first_problem(text: str | None, rules: Rules) -> str | None:
    """The id of a problem written as "98+90", from the bank where it is there."""
    if text is None:
        return None
    try:
        a, op, b = parse_expression(text)
        if curriculum_level(a, op, b) is None:
            raise BadEvent("body.first_problem", f"{text} is on no level of the ladder C1..C15")
        found = rules.bank.find(a, op, b, "horizontal")
        return found.problem_id if found else make_problem(a, op, b).problem_id
    except ProblemError as error:
        raise BadEvent("body.first_problem", str(error)) from error
