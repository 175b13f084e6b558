"""The contents of a report: the records of a period, counted, named and put into words. Plain JSON types only.

A report names only causes that were stated with high confidence; everything else is an observation.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from datetime import date
from statistics import median
from typing import Any, Final
from zoneinfo import ZoneInfo

from maththera.arithmetic.curriculum import UNITS
from maththera.arithmetic.problem import Problem
from maththera.knowledge.explanations import explained
from maththera.learner_model.cause_texts import CauseTexts
from maththera.learner_model.concept_graph import UNIT, ConceptGraph, unit_id
from maththera.learner_model.error_patterns import Pattern, error_title, find_patterns, stated_causes
from maththera.learner_model.mastery import Mastery, known_concepts, trace_mastery
from maththera.reports import wording
from maththera.store.answer_history import Answer

Json = dict[str, Any]

KOREA: Final = ZoneInfo("Asia/Seoul")
_SESSIONS_SHOWN: Final = 12
_CAUSES_SHOWN: Final = 4
_ERRORS_SHOWN: Final = 3
_STEPS_SHOWN: Final = 4
_PATTERNS: Final = ("correct_fast", "correct_slow", "logical_error", "severe_error", "no_response")


@dataclass(frozen=True, slots=True)
class Sources:
    """The catalogues that give the records their names."""

    graph: ConceptGraph
    texts: CauseTexts
    resolve: Callable[[str], Problem]


@dataclass(frozen=True, slots=True)
class Span:
    """The days of a report, both included, Korean time."""

    since: date
    until: date


def student_report(
    student_id: str, answers: Sequence[Answer], earlier: Sequence[Answer], span: Span, sources: Sources
) -> Json:
    """For the diagnostic report and the guardians' letter. `earlier` are the answers before the period. Mastery rests
    on all answers, activity on those of the period only."""
    mastery = trace_mastery([*earlier, *answers], sources.graph)
    before = trace_mastery(earlier, sources.graph)
    patterns = find_patterns(answers, sources.resolve)
    causes = [_cause(pattern, sources) for pattern in patterns if pattern.kind == "cause"][:_CAUSES_SHOWN]
    played = sessions(answers)
    data: Json = {
        "student": student_id,
        "span": _span(span),
        "issued": wording.day(span.until),
        "totals": totals(answers),
        "sessions": played[-_SESSIONS_SHOWN:],
        "older": max(0, len(played) - _SESSIONS_SHOWN),
        "units": units(mastery, before, answers, sources.graph),
        "foundations": foundations(mastery, sources.graph),
        "causes": causes,
        "errors": [_error(one) for one in patterns if one.kind == "error"][:_ERRORS_SHOWN],
        "slow": [sources.graph.concepts[one.id].name for one in patterns if one.kind == "slow"],
        "steps": next_steps(mastery, causes, sources),
        "activity": home_activity(answers, sources.resolve),
    }
    data["summary"] = wording.summary(data)
    data["letter"] = wording.letter(data)
    return data


def class_report(title: str, answers_of: Mapping[str, Sequence[Answer]], span: Span, sources: Sources) -> Json:
    """A class at a glance: practice and mastery of each child, and groups with a shared cause."""
    students = [_classmate(student_id, own, span, sources) for student_id, own in sorted(answers_of.items())]
    data: Json = {
        "title": title,
        "span": _span(span),
        "issued": wording.day(span.until),
        "students": students,
        "units": [{"c": one.c, "name": sources.graph.concepts[unit_id(one.c)].name} for one in UNITS],
        "totals": totals([a for own in answers_of.values() for a in own if _is_within(a, span)]),
        "groups": groups(students),
    }
    data["summary"] = wording.class_summary(data)
    return data


def totals(answers: Sequence[Answer]) -> Json:
    """`share` 0 to 1 and `seconds` are null without an answer."""
    judged = [answer for answer in answers if answer.correct is not None]
    times = [answer.rt_ms for answer in judged if answer.rt_ms is not None]
    right = sum(bool(answer.correct) for answer in judged)
    return {
        "answered": len(judged),
        "right": right,
        "share": right / len(judged) if judged else None,
        "seconds": round(median(times) / 1000, 1) if times else None,
        "sessions": len({answer.session_id for answer in answers}),
        "days": len({answer.created_at.astimezone(KOREA).date() for answer in answers}),
        "trainings": sum(answer.kind == "training" for answer in answers),
    }


def sessions(answers: Sequence[Answer]) -> list[Json]:
    """The sessions with their day and results, the oldest first."""
    by_session: dict[str, list[Answer]] = {}
    for answer in answers:
        by_session.setdefault(answer.session_id, []).append(answer)
    found = []
    for own in by_session.values():
        judged = [answer for answer in own if answer.correct is not None]
        if judged:
            day = own[0].created_at.astimezone(KOREA).date()
            counts = {name: sum(answer.pattern == name for answer in own) for name in _PATTERNS}
            share = sum(bool(answer.correct) for answer in judged) / len(judged)
            found.append({"day": f"{day.month}/{day.day}", "share": share, "answered": len(judged), **counts})
    return found


def units(
    mastery: Mapping[str, Mastery], before: Mapping[str, Mastery], answers: Sequence[Answer], graph: ConceptGraph
) -> list[Json]:
    """All fifteen units. `mastery` is null below the number of answers needed; `seen` is False for units never
    tried."""
    found = []
    for one in UNITS:
        concept_id = unit_id(one.c)
        own = [a for a in answers if a.c_level == one.c and a.correct is not None]
        found.append(
            {
                "c": one.c,
                "name": graph.concepts[concept_id].name,
                "mastery": _reliable_mastery(mastery.get(concept_id), graph),
                "before": _reliable_mastery(before.get(concept_id), graph),
                "seen": concept_id in mastery,
                "answered": len(own),
                "right": sum(bool(a.correct) for a in own),
                "slow": sum(a.pattern == "correct_slow" for a in own),
            }
        )
    return found


def foundations(mastery: Mapping[str, Mastery], graph: ConceptGraph) -> list[Json]:
    """The six cognitive concepts."""
    return [
        {
            "name": concept.name,
            "description": concept.description,
            "mastery": _reliable_mastery(mastery.get(concept_id), graph),
        }
        for concept_id, concept in graph.concepts.items()
        if concept_id.startswith("Cog")
    ]


def next_steps(mastery: Mapping[str, Mastery], causes: Sequence[Json], sources: Sources) -> list[Json]:
    """The next steps: the trainings of the stated causes; the weakest units, prerequisites first; if nothing is weak,
    the next unit whose prerequisites are met."""
    graph, tracing = sources.graph, sources.graph.tracing
    steps = [
        {"title": training["title"], "why": training["goal"]} for cause in causes for training in cause["trainings"][:2]
    ]
    weak = [
        concept_id
        for concept_id, one in mastery.items()
        if concept_id.startswith(UNIT) and one.answers >= tracing.enough and one.value < tracing.mastered
    ]
    known = known_concepts(mastery, graph)
    ready = [
        concept_id
        for concept_id, concept in graph.concepts.items()
        if concept_id.startswith(UNIT) and concept_id not in known and known.issuperset(concept.requires)
    ]
    for concept_id in graph.deepest_first(weak or ready[:1] if known else weak):
        concept = graph.concepts[concept_id]
        steps.append({"title": concept.name, "why": concept.description})
    unique = {step["title"]: step for step in steps}
    return [*unique.values()][:_STEPS_SHOWN]


def home_activity(answers: Sequence[Answer], resolve: Callable[[str], Problem]) -> Json | None:
    """The last problem that was missed, step by step, with things that are found at home; None where none was."""
    missed = [one.problem_id for one in answers if one.correct is False and one.problem_id is not None]
    if not missed:
        return None
    problem = resolve(missed[-1])
    steps = explained(problem)
    return {
        "expression": problem.expression,
        "with": wording.THINGS_AT_HOME[steps[0].mode],
        "steps": [{"say": step.say, "expression": step.expression} for step in steps],
    }


def groups(students: Sequence[Json]) -> list[Json]:
    """Children who share a stated cause, the largest group first; a group has at least two."""
    members: dict[str, list[str]] = {}
    trainings: dict[str, list[str]] = {}
    for student in students:
        for cause in student["causes"]:
            members.setdefault(cause["name"], []).append(student["student"])
            trainings[cause["name"]] = [training["title"] for training in cause["trainings"]][:2]
    found = [
        {"name": name, "students": names, "trainings": trainings[name]}
        for name, names in members.items()
        if len(names) > 1
    ]
    return sorted(found, key=lambda group: (-len(group["students"]), group["name"]))


def _classmate(student_id: str, answers: Sequence[Answer], span: Span, sources: Sources) -> Json:
    within = [answer for answer in answers if _is_within(answer, span)]
    mastery = trace_mastery(answers, sources.graph)
    return {
        "student": student_id,
        "totals": totals(within),
        "units": [_reliable_mastery(mastery.get(unit_id(one.c)), sources.graph) for one in UNITS],
        "causes": [_named_cause(tag, sources) for tag in stated_causes(within)][:2],
    }


def _is_within(answer: Answer, span: Span) -> bool:
    return span.since <= answer.created_at.astimezone(KOREA).date() <= span.until


def _cause(pattern: Pattern, sources: Sources) -> Json:
    return {**_named_cause(pattern.id, sources), "count": pattern.count, "examples": _examples(pattern)}


def _named_cause(tag: str, sources: Sources) -> Json:
    cause = sources.texts.causes[tag]
    return {
        "name": cause.name,
        "explanation": cause.explanation,
        "trainings": [
            {"title": training.title, "goal": training.goal}
            for training in (sources.texts.trainings[one] for one in cause.trainings)
        ],
    }


def _error(pattern: Pattern) -> Json:
    return {"title": error_title(pattern.id), "count": pattern.count, "examples": _examples(pattern)}


def _examples(pattern: Pattern) -> list[Json]:
    return [{"expression": one.expression, "given": one.given, "right": one.right} for one in pattern.examples]


def _reliable_mastery(mastery: Mastery | None, graph: ConceptGraph) -> float | None:
    return mastery.value if mastery and mastery.answers >= graph.tracing.enough else None


def _span(span: Span) -> str:
    return f"{wording.day(span.since)} ~ {wording.day(span.until)}"
