"""What a student's answers add up to: summary, heatmap and sessions."""

from datetime import date
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query, Request

from maththera.api.http_layer import role_redaction
from maththera.api.http_layer.admission import AdultReader, StudentReader
from maththera.api.http_layer.auth import Services, forbidden, log_access
from maththera.api.http_layer.identifiers import Limit, StudentPath
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.response_models import Answer, StrandPosition, example
from maththera.json_types import JsonObject
from maththera.knowledge.knowledge import Word
from maththera.knowledge.skills import Strand
from maththera.learner_model.error_patterns import Kind as PatternKind
from maththera.tutoring.number_sense.report import ScreeningReport

router = APIRouter(prefix="/api/v1/students/{student_id}", tags=["students"], route_class=ApiRoute)

_COUNTS: Final[JsonObject] = {"answered": 40, "right": 31, "accuracy": 0.775, "median_rt_ms": 4200}
_CAUSE: Final = "SPATIAL_L4_PLACE_VALUE"
_CAUSES: Final = [{"cause_tag": _CAUSE, "cause_tags": [_CAUSE], "name": "자릿값 혼동", "times": 2}]
_DOTS: Final = {"of": 16, "right": 15, "times": 15, "subitizing_range": 3}
_CONCEPT: Final = "받아올림이 있는 (한 자리)+(한 자리)"


class Concept(Answer):
    """`tries`, `right`: unaided first tries of its skills. `open_skills`: the names of those that it needs and that
    were never asked."""

    concept_id: str
    name: str
    tries: int
    right: int
    open_skills: list[str]


class ErrorExample(Answer):
    """`how`: what the child did, where a wrong procedure gives the answer."""

    expression: str
    given: int | None
    right: int
    how: str | None


class ErrorPattern(Answer):
    """A repeated error. `pattern_id`: a cause, a wrong procedure, or a unit that is slow or left open."""

    kind: PatternKind
    pattern_id: str
    name: str
    count: int
    concept_ids: list[str]
    examples: list[ErrorExample]
    last_at: str


class StatedCause(Answer):
    """`cause_tags`: the cause, and those that nothing tells apart from it. `times`: answers that show it."""

    cause_tag: str
    cause_tags: list[str]
    name: str
    times: int


class ChapterProgress(Answer):
    """The sessions of a lesson's chapter; scores of 100."""

    course: str
    chapter: int
    sessions: int
    passed: int
    mean_score: int
    best_score: int
    last_score: int
    hints: int
    seconds: int
    last_at: str


class StudentSummary(Answer):
    """`understood`: each skill that the concept needs was shown; `expected`: some of them only stand below what was
    shown; `learning`: the rest, where enough was asked to say so. `patterns` and `causes`: not in a student's
    answer."""

    model_config = example(
        {
            "student_id": "s1",
            "sessions": 4,
            "first_session_at": "2026-11-02T01:10:00+00:00",
            "last_session_at": "2026-11-21T01:12:00+00:00",
            **_COUNTS,
            "position": {"c": 7, "w": 4.5},
            "understood": [
                {"concept_id": "Cur-C6", "name": "10 가르기와 모으기", "tries": 12, "right": 11, "open_skills": []}
            ],
            "expected": [],
            "learning": [
                {"concept_id": "Cur-C7", "name": _CONCEPT, "tries": 8, "right": 5, "open_skills": ["9 더하기"]}
            ],
            "patterns": [
                {
                    "kind": "error",
                    "pattern_id": "sum_carry_dropped",
                    "name": "받아올림을 빠뜨림",
                    "count": 3,
                    "concept_ids": ["Cur-C7"],
                    "examples": [
                        {"expression": "28+15", "given": 33, "right": 43, "how": "받아올린 수를 더하지 않는다"}
                    ],
                    "last_at": "2026-11-21T01:14:00+00:00",
                }
            ],
            "causes": _CAUSES,
            "lessons": [
                {
                    "course": "arithmetic",
                    "chapter": 7,
                    "sessions": 2,
                    "passed": 1,
                    "mean_score": 50,
                    "best_score": 100,
                    "last_score": 100,
                    "hints": 1,
                    "seconds": 640,
                    "last_at": "2026-11-21T02:03:00+00:00",
                }
            ],
        }
    )

    student_id: str
    sessions: int
    first_session_at: str | None
    last_session_at: str | None
    answered: int
    right: int
    accuracy: float | None
    median_rt_ms: int | None
    position: StrandPosition | None
    understood: list[Concept]
    expected: list[Concept]
    learning: list[Concept]
    patterns: list[ErrorPattern] | None = None
    causes: list[StatedCause] | None = None
    lessons: list[ChapterProgress]


class StudentHeatmap(Answer):
    """By concept id. `heatmap`: the chance of a right answer, 0 to 1, over its skills that were asked; `answers`: the
    unaided first tries on which it rests."""

    model_config = example(
        {"student_id": "s1", "heatmap": {"Cur-C7": 0.41}, "names": {"Cur-C7": _CONCEPT}, "answers": {"Cur-C7": 18}}
    )

    student_id: str
    heatmap: dict[str, float]
    names: dict[str, str]
    answers: dict[str, int]


class AskedSkill(Answer):
    skill_id: str
    name: str
    strand: Strand


class SkillWeeks(Answer):
    """`weeks`: their Mondays. `cells`: for each skill and week the chance of a right answer at the end of the week (of
    this week: today), and the unaided first tries in it; null for a week in which it was not asked. Skills in teaching
    order."""

    model_config = example(
        {
            "student_id": "s1",
            "skills": [{"skill_id": "C10.borrow", "name": "두 자리 수의 뺄셈, 받아내림 있음", "strand": "-"}],
            "weeks": ["2026-11-09", "2026-11-16"],
            "cells": [[None, [0.71, 4]]],
        }
    )

    student_id: str
    skills: list[AskedSkill]
    weeks: list[date]
    cells: list[list[tuple[float, int] | None]]


class KnownSkill(Answer):
    """`word`: how far the skill is known, `says` the sentence for it. A student's answer has no numbers, but
    the `last_day`: what was asked once stays on its path.

    `chance`: that the next unaided first try is right; `low` to `high` hold it with 80 %. `tries`, `right`: unaided
    first tries, on `days` days; `aided`: all others. `fluent`: the share of right tries that were fast for this child.
    `passed`: enough to go up. `due`: time to ask again.
    """

    skill_id: str
    name: str
    c_level: int
    strand: Strand
    needed: bool
    word: Word
    says: str
    chance: float | None = None
    low: float | None = None
    high: float | None = None
    tries: int | None = None
    right: int | None = None
    days: int | None = None
    aided: int | None = None
    fluent: float | None = None
    last_day: date | None = None
    passed: bool
    due: bool


class StudentKnowledge(Answer):
    """`skills` in teaching order, as of `day`. `next`: the ids of the skills to go on with, one for each operation.
    `once_hard`: at most three equations of skills that were missed once and are right now, the newest first."""

    model_config = example(
        {
            "student_id": "s1",
            "day": "2026-11-21",
            "skills": [
                {
                    "skill_id": "C10.borrow",
                    "name": "두 자리 수의 뺄셈, 받아내림 있음",
                    "c_level": 10,
                    "strand": "-",
                    "needed": True,
                    "word": "practising",
                    "says": "연습하고 있어요. 4번 물어봐서 3번 맞혔어요.",
                    "chance": 0.71,
                    "low": 0.48,
                    "high": 0.89,
                    "tries": 4,
                    "right": 3,
                    "days": 2,
                    "aided": 6,
                    "fluent": 0.667,
                    "last_day": "2026-11-20",
                    "passed": False,
                    "due": False,
                }
            ],
            "next": ["C10.borrow"],
            "once_hard": ["28+15=43"],
        }
    )

    student_id: str
    day: date
    skills: list[KnownSkill]
    next: list[str]
    once_hard: list[str]


class StudentNumberSense(Answer):
    """`says`: sentences for adults. `published`: values of studies for the child's age and for adults, each with its
    source; where there is none, `says` tells so."""

    model_config = example(
        {
            "student_id": "s1",
            "screenings": [
                {
                    "session_id": "5d8f0c9be2a14c4b8f1f3a7f0f6f5b11",
                    "at": "2026-11-21T01:16:00+00:00",
                    "profile": {
                        "enumeration": {**_DOTS, "ms_per_dot": 90, "counting_ms_per_dot": 640},
                        "at_a_glance": {"of": 4, "right": 4},
                        "comparison": [{"shown": "dots", "ratio": "1:2", "of": 2, "right": 2, "median_ms": 1200}],
                        "line": [{"high": 100, "of": 5, "error_percent": 12.4}],
                    },
                    "says": ["점을 세는 문제 16개 가운데 15개를 맞혔어요."],
                    "published": [],
                }
            ],
        }
    )

    student_id: str
    screenings: list[ScreeningReport]


class PlayedSession(Answer):
    """`causes`: not in a student's answer."""

    session_id: str
    started_at: str
    ended_at: str | None
    answered: int
    right: int
    accuracy: float | None
    median_rt_ms: int | None
    causes: list[StatedCause] | None = None


class PlayedSessions(Answer):
    """The newest first. `next`: send it as `before` for the next page; null on the last."""

    model_config = example(
        {
            "sessions": [
                {
                    "session_id": "5d8f0c9be2a14c4b8f1f3a7f0f6f5b11",
                    "started_at": "2026-11-21T01:12:00+00:00",
                    "ended_at": "2026-11-21T01:20:00+00:00",
                    **_COUNTS,
                    "causes": _CAUSES,
                }
            ],
            "next": None,
        }
    )

    sessions: list[PlayedSession]
    next: str | None


@router.get(
    "/summary", summary="A student at a glance", response_description="The student", response_model_exclude_unset=True
)
async def summarize_student(
    request: Request, who: StudentReader, services: Services, student_id: StudentPath
) -> StudentSummary:
    """A student's own token sees neither `patterns` nor `causes`."""
    await log_access(request, who, "summary", student_id)
    summary = await services.learners.profiles.summary(student_id)
    return StudentSummary.model_validate(role_redaction.redact_summary(who.role, summary))


@router.get("/heatmap", summary="How surely each concept is known", response_description="The heatmap")
async def map_mastery(
    request: Request,
    who: StudentReader,
    services: Services,
    student_id: StudentPath,
    by: Annotated[Literal["week"] | None, Query(description="Each skill week by week.")] = None,
    weeks: Annotated[int, Query(ge=1, le=52, description="How many, with `by`.")] = 12,
) -> StudentHeatmap | SkillWeeks:
    """Computed from the answers as they are now; `by=week` is for adults."""
    await log_access(request, who, "heatmap", student_id)
    if by is None:
        return StudentHeatmap.model_validate(await services.learners.profiles.heatmap(student_id))
    if who.role == "student":
        raise forbidden(who)
    return SkillWeeks.model_validate(await services.learners.profiles.skill_weeks(student_id, weeks))


@router.get(
    "/knowledge",
    summary="What a student knows, by skill",
    response_description="Every skill",
    response_model_exclude_unset=True,
)
async def list_known_skills(
    request: Request, who: StudentReader, services: Services, student_id: StudentPath
) -> StudentKnowledge:
    """Computed from the answers as they are now. A student reads words alone."""
    await log_access(request, who, "knowledge", student_id)
    found = await services.learners.profiles.knowledge(student_id)
    return StudentKnowledge.model_validate(role_redaction.redact_knowledge(who.role, found))


@router.get(
    "/number-sense",
    summary="What screenings of a student's number sense have found",
    response_description="The screenings, the newest first",
)
async def list_screenings(
    request: Request, who: AdultReader, services: Services, student_id: StudentPath
) -> StudentNumberSense:
    """Of sessions of the mode `number_sense` that were done to their end. For adults; it is no medical finding."""
    await log_access(request, who, "number_sense", student_id)
    standing = await services.learners.consent_standings.standing(student_id)
    found = await services.tutoring.screenings(student_id, standing.birth_year)
    return StudentNumberSense(student_id=student_id, screenings=found)


@router.get(
    "/sessions",
    summary="A student's sessions",
    response_description="A page, the newest first",
    response_model_exclude_unset=True,
)
async def list_student_sessions(
    request: Request,
    who: StudentReader,
    services: Services,
    student_id: StudentPath,
    before: Annotated[str | None, Query(max_length=64, description="`next` of the page before.")] = None,
    limit: Limit = 20,
) -> PlayedSessions:
    await log_access(request, who, "sessions", student_id)
    found = await services.learners.profiles.sessions(student_id, limit, before)
    shown = [PlayedSession.model_validate(role_redaction.redact_summary(who.role, one)) for one in found]
    return PlayedSessions(sessions=shown, next=shown[-1].session_id if len(shown) == limit else None)
