"""What the coach can say of a learner's records, as plain JSON: scores, weak points, recent sessions."""

from collections.abc import Iterable, Sequence
from typing import Final, Literal, Required

from typing_extensions import TypedDict

from maththera.arithmetic.problem import Problem
from maththera.chat.coach.coach_knowledge import Knowledge
from maththera.korean.dates import in_korea
from maththera.learner_model.concept_graph import unit_id
from maththera.learner_model.error_patterns import stated_causes
from maththera.learner_model.unit_scores import WEAK_BELOW, UnitScore, explaining_cause, points
from maththera.store.answer_history import Answer, PlayedSession

STRONG_FROM: Final = WEAK_BELOW
"""A mean from which on a unit goes well."""
_PROBLEMS: Final = 10
"""The newest problems, which the scores list one by one."""
_SESSIONS: Final = 10
"""Sessions in the trend of the scores, the last ones."""


class Counts(TypedDict):
    """`mean`: points of 100; None without an answer."""

    answered: int
    right: int
    mean: int | None


class UnitReport(TypedDict):
    """As `UnitScore`."""

    name: str
    mean: int
    best: int | None
    answered: int
    right: int
    completion: int


class ProblemCounts(Counts):
    expression: str


class SessionCounts(Counts):
    """`at`: when it began."""

    at: str


class Scores(TypedDict):
    """`units`: by unit id. `problems`, `trend`: the last problems and the last sessions, the oldest first."""

    units: dict[str, UnitReport]
    total: Counts
    problems: list[ProblemCounts]
    trend: list[SessionCounts]


class WeakMetric(TypedDict):
    metric: str
    score: int
    id: str


class WrongAnswer(TypedDict):
    expression: str
    given: int
    right: int


class TrainingTitle(TypedDict):
    training_id: str
    title: str


class WeaknessDetail(TypedDict, total=False):
    """`examples`: the last wrong answer for each cause, and the last that no cause explains. `trainings`: of those
    causes."""

    examples: list[WrongAnswer]
    trainings: list[TrainingTitle]


class Weakness(WeaknessDetail):
    """A unit. `enough`: there are enough answers to name its `weak_metrics`, the weakest first. `metrics`: name → 0 to
    100."""

    name: Required[str]
    answered: Required[int]
    enough: Required[bool]
    weak_metrics: Required[list[WeakMetric]]
    metrics: Required[dict[str, int]]


class SessionActivity(SessionCounts):
    kind: Literal["session"]
    ended: bool
    units: list[str]


def scores(answers: Sequence[Answer], known: Knowledge) -> Scores:
    found = known.scores(answers)
    judged = [answer for answer in answers if answer.correct is not None]
    return {
        "units": {name: _unit(name, score, known) for name, score in found.items()},
        "total": _counted(judged),
        "problems": _by_problem(judged, known),
        "trend": _by_session(judged),
    }


def strongest(units: Iterable[UnitReport]) -> UnitReport | None:
    """Of the `units` of the scores the one with the best mean, of those that went well and were practised enough for a
    best sitting."""
    sure = [unit for unit in units if unit["best"] is not None and unit["mean"] >= STRONG_FROM]
    return max(sure, key=lambda unit: (unit["mean"], unit["answered"]), default=None)


def weak_points(
    answers: Sequence[Answer], known: Knowledge, unit: str | None, shown: Sequence[Problem]
) -> dict[str, Weakness]:
    """Unit id → its weak metrics (below 70), the weakest unit first. With `unit`, that one alone and in detail: an
    example for each cause, and what to train. `shown`: the open tasks, which must be no examples."""
    found = known.scores(answers)
    if unit is not None and unit not in found:
        return {unit: {"name": known.unit(unit), "answered": 0, "enough": False, "weak_metrics": [], "metrics": {}}}
    if unit is not None:
        found = {unit: found[unit]}
    ranked = sorted(found.items(), key=lambda one: one[1].weak[0][1] if one[1].weak else 100)
    detail: WeaknessDetail = _detail(answers, unit, known, shown) if unit is not None else {}
    return {name: {**_weakness(name, score, known), **detail} for name, score in ranked}


def activity(sessions: Sequence[PlayedSession], answers: Sequence[Answer], known: Knowledge) -> list[SessionActivity]:
    """One entry for each session, in the order given."""
    own: dict[str, list[Answer]] = {}
    for answer in answers:
        if answer.correct is not None:
            own.setdefault(answer.session_id, []).append(answer)
    return [_session(session, own.get(session.session_id, []), known) for session in sessions]


def _unit(name: str, score: UnitScore, known: Knowledge) -> UnitReport:
    return {
        "name": known.unit(name),
        "mean": score.mean,
        "best": score.best,
        "answered": score.answered,
        "right": score.right,
        "completion": score.completion,
    }


def _by_problem(judged: Sequence[Answer], known: Knowledge) -> list[ProblemCounts]:
    tries: dict[str, list[Answer]] = {}
    for answer in reversed(judged):
        if (problem := known.problem(answer.problem_id)) is not None:
            tries.setdefault(problem.expression, []).append(answer)
    last = list(tries.items())[:_PROBLEMS]
    return [{"expression": expression, **_counted(own)} for expression, own in reversed(last)]


def _by_session(judged: Sequence[Answer]) -> list[SessionCounts]:
    sittings: dict[str, list[Answer]] = {}
    for answer in judged:
        sittings.setdefault(answer.session_id, []).append(answer)
    last = list(sittings.values())[-_SESSIONS:]
    return [{"at": in_korea(own[0].created_at), **_counted(own)} for own in last]


def _counted(judged: Sequence[Answer]) -> Counts:
    right = sum(bool(answer.correct) for answer in judged)
    return {"answered": len(judged), "right": right, "mean": points(right, len(judged)) if judged else None}


def _weakness(name: str, score: UnitScore, known: Knowledge) -> Weakness:
    names = known.coach.config.metrics
    return {
        "name": known.unit(name),
        "answered": score.answered,
        "enough": score.enough,
        "weak_metrics": [{"metric": names[one], "score": value, "id": one} for one, value in score.weak],
        "metrics": {names[one]: value for one, value in score.metrics.items()},
    }


def _detail(answers: Sequence[Answer], unit: str, known: Knowledge, shown: Sequence[Problem]) -> WeaknessDetail:
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


def _example(answer: Answer, known: Knowledge, shown: Sequence[Problem]) -> WrongAnswer | None:
    problem = known.problem(answer.problem_id)
    if problem is None or answer.given is None or any(problem.key == one.key for one in shown):
        return None
    return {"expression": problem.expression, "given": answer.given, "right": problem.answer}


def _session(session: PlayedSession, own: Sequence[Answer], known: Knowledge) -> SessionActivity:
    levels = sorted({answer.c_level for answer in own if answer.c_level is not None})
    return {
        "kind": "session",
        "at": in_korea(session.created_at),
        "ended": session.ended_at is not None,
        **_counted(own),
        "units": [known.unit(unit_id(c)) for c in levels],
    }
