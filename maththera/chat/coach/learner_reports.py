"""What the coach can say of a learner's records, as plain JSON: scores, weak points, recent sessions."""

from collections.abc import Iterable, Sequence
from datetime import datetime
from typing import Final
from zoneinfo import ZoneInfo

from maththera.arithmetic.problem import Problem
from maththera.chat.coach.coach_knowledge import Knowledge
from maththera.json_types import JsonObject
from maththera.learner_model.concept_graph import unit_id
from maththera.learner_model.error_patterns import stated_causes
from maththera.learner_model.unit_scores import WEAK_BELOW, UnitScore, explaining_cause, points
from maththera.store.answer_history import Answer, PlayedSession

KOREA: Final = ZoneInfo("Asia/Seoul")
STRONG_FROM: Final = WEAK_BELOW
"""A mean from which on a unit goes well."""
_PROBLEMS: Final = 10
"""The newest problems, which the scores list one by one."""
_SESSIONS: Final = 10
"""Sessions in the trend of the scores, the last ones."""


def scores(answers: Sequence[Answer], known: Knowledge) -> JsonObject:
    """`units`: per unit. `problems`, `trend`: the last problems and the last sessions, the oldest first."""
    found = known.scores(answers)
    judged = [answer for answer in answers if answer.correct is not None]
    return {
        "units": {name: _unit(name, score, known) for name, score in found.items()},
        "total": _counted(judged),
        "problems": _by_problem(judged, known),
        "trend": _by_session(judged),
    }


def strongest(units: Iterable[JsonObject]) -> JsonObject | None:
    """Of the `units` of the scores the one with the best mean, of those that went well and were practised enough for a
    best sitting."""
    sure = [unit for unit in units if unit["best"] is not None and unit["mean"] >= STRONG_FROM]
    return max(sure, key=lambda unit: (unit["mean"], unit["answered"]), default=None)


def weak_points(answers: Sequence[Answer], known: Knowledge, unit: str | None, shown: Sequence[Problem]) -> JsonObject:
    """Unit id → its weak metrics (below 70), the weakest unit first. With `unit`, that one alone and in detail: an
    example for each cause, and what to train. `shown`: the open tasks, which must be no examples."""
    found = known.scores(answers)
    if unit is not None and unit not in found:
        return {unit: {"name": known.unit(unit), "answered": 0, "enough": False, "weak_metrics": [], "metrics": {}}}
    if unit is not None:
        found = {unit: found[unit]}
    ranked = sorted(found.items(), key=lambda one: one[1].weak[0][1] if one[1].weak else 100)
    detail = _detail(answers, unit, known, shown) if unit is not None else {}
    return {name: _weakness(name, score, known) | detail for name, score in ranked}


def activity(sessions: Sequence[PlayedSession], answers: Sequence[Answer], known: Knowledge) -> list[JsonObject]:
    """One entry for each session, in the order given."""
    own: dict[str, list[Answer]] = {}
    for answer in answers:
        if answer.correct is not None:
            own.setdefault(answer.session_id, []).append(answer)
    return [_session(session, own.get(session.session_id, []), known) for session in sessions]


def _unit(name: str, score: UnitScore, known: Knowledge) -> JsonObject:
    return {
        "name": known.unit(name),
        "mean": score.mean,
        "best": score.best,
        "answered": score.answered,
        "right": score.right,
        "completion": score.completion,
    }


def _by_problem(judged: Sequence[Answer], known: Knowledge) -> list[JsonObject]:
    tries: dict[str, list[Answer]] = {}
    for answer in reversed(judged):
        if (problem := known.problem(answer.problem_id)) is not None:
            tries.setdefault(problem.expression, []).append(answer)
    last = list(tries.items())[:_PROBLEMS]
    return [{"expression": expression, **_counted(own)} for expression, own in reversed(last)]


def _by_session(judged: Sequence[Answer]) -> list[JsonObject]:
    sittings: dict[str, list[Answer]] = {}
    for answer in judged:
        sittings.setdefault(answer.session_id, []).append(answer)
    last = list(sittings.values())[-_SESSIONS:]
    return [{"at": in_korea(own[0].created_at), **_counted(own)} for own in last]


def _counted(judged: Sequence[Answer]) -> JsonObject:
    right = sum(bool(answer.correct) for answer in judged)
    return {"answered": len(judged), "right": right, "mean": points(right, len(judged)) if judged else None}


def _weakness(name: str, score: UnitScore, known: Knowledge) -> JsonObject:
    names = known.coach.config.metrics
    return {
        "name": known.unit(name),
        "answered": score.answered,
        "enough": score.enough,
        "weak_metrics": [{"metric": names[one], "score": value, "id": one} for one, value in score.weak],
        "metrics": {names[one]: value for one, value in score.metrics.items()},
    }


def _detail(answers: Sequence[Answer], unit: str, known: Knowledge, shown: Sequence[Problem]) -> JsonObject:
    """The last wrong answer for each cause that cost points in the unit, and the last that no cause explains; the
    trainings of those causes."""
    stated = frozenset(stated_causes(answers))
    last: dict[str | None, Answer] = {}
    for answer in answers:
        if answer.correct is False and answer.c_level is not None and unit_id(answer.c_level) == unit:
            tag = explaining_cause(answer, stated, known.problem)
            last.pop(tag, None)
            last[tag] = answer
    causes = [known.texts.causes[tag] for tag in last if tag is not None and tag in known.texts.causes]
    trainings = dict.fromkeys(one for cause in causes for one in cause.trainings)
    examples = [_example(answer, known, shown) for tag, answer in sorted(last.items(), key=lambda one: one[0] is None)]
    return {
        "examples": [example for example in examples if example is not None],
        "trainings": [{"training_id": one, "title": known.texts.trainings[one].title} for one in trainings],
    }


def _example(answer: Answer, known: Knowledge, shown: Sequence[Problem]) -> JsonObject | None:
    problem = known.problem(answer.problem_id)
    if problem is None or answer.given is None or any(problem.key == one.key for one in shown):
        return None
    return {"expression": problem.expression, "given": answer.given, "right": problem.answer}


def _session(session: PlayedSession, own: Sequence[Answer], known: Knowledge) -> JsonObject:
    levels = sorted({answer.c_level for answer in own if answer.c_level is not None})
    return {
        "kind": "session",
        "at": in_korea(session.created_at),
        "ended": session.ended_at is not None,
        **_counted(own),
        "units": [known.unit(unit_id(c)) for c in levels],
    }


def in_korea(moment: datetime) -> str:
    """ISO 8601 with the Korean offset, to the second."""
    return moment.astimezone(KOREA).isoformat(timespec="seconds")
