"""A learner's page for adults in one answer: a long history is read once, and not for each of its parts."""

import asyncio
from collections.abc import Sequence
from dataclasses import asdict
from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query, Request

from maththera.api.http_layer import role_redaction
from maththera.api.http_layer.admission import AdultReader
from maththera.api.http_layer.auth import Services, log_access
from maththera.api.http_layer.identifiers import StudentPath
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.response_models import Answer, example, example_of
from maththera.api.student_progress import ErrorPattern, PlayedSession, SkillWeeks, StudentKnowledge, StudentSummary
from maththera.api.students import StudentStanding, standing_of
from maththera.store.answer_history import Answer as Recorded

router = APIRouter(prefix="/api/v1/students/{student_id}/overview", tags=["students"], route_class=ApiRoute)


_TRAINING = {
    "title": "올린 수 적기",
    "goal": "올린 수를 적고 더해요.",
    "times": 2,
    "first_day": "2026-11-12",
    "skill": "두 자리 수의 덧셈, 받아올림 있음",
    "before": {"right": 1, "tries": 6},
    "after": {"right": 7, "tries": 8},
}


class UnaidedTries(Answer):
    """Unaided first tries, ten at most."""

    right: int
    tries: int


class TrainingEffect(Answer):
    """A training, and the tries of `skill`, which had been missed before it, until the first time and since; null where
    no miss came before."""

    title: str
    goal: str
    times: int
    first_day: str
    skill: str | None
    before: UnaidedTries
    after: UnaidedTries


class RecentErrors(Answer):
    """Of the days of a report for which none are given. `earlier`: causes that were stated before and are not seen in
    it."""

    since: date
    until: date
    patterns: list[ErrorPattern]
    earlier: list[ErrorPattern]


class StudentOverview(Answer):
    """Each part as its own address gives it; `sessions` the newest first, `trainings` the oldest. `recent`: the errors
    that a report names."""

    model_config = example(
        {
            "student": example_of(StudentStanding),
            "summary": example_of(StudentSummary),
            "knowledge": example_of(StudentKnowledge),
            "weeks": example_of(SkillWeeks),
            "recent": {"since": "2026-10-23", "until": "2026-11-21", "patterns": [], "earlier": []},
            "sessions": [],
            "trainings": [_TRAINING],
        }
    )

    student: StudentStanding
    summary: StudentSummary
    recent: RecentErrors
    knowledge: StudentKnowledge
    weeks: SkillWeeks
    sessions: list[PlayedSession]
    trainings: list[TrainingEffect]


@router.get(
    "",
    summary="A learner's page: all that the answers add up to",
    response_description="The learner",
    response_model_exclude_unset=True,
)
async def view_student_overview(
    request: Request,
    who: AdultReader,
    services: Services,
    student_id: StudentPath,
    weeks: Annotated[int, Query(ge=1, le=52, description="How many, this one the last.")] = 8,
    sessions: Annotated[int, Query(ge=1, le=200, description="How many of the last ones at most.")] = 200,
) -> StudentOverview:
    """For adults. Computed from the answers as they are now."""
    await log_access(request, who, "overview", student_id)
    profiles = services.learners.profiles
    answers = await profiles.history.answers(student_id)
    found = await profiles.overview(student_id, answers, weeks, sessions)
    recent = await asyncio.to_thread(_recent, services, student_id, answers)
    return StudentOverview(
        student=await standing_of(services, who, student_id),
        summary=StudentSummary.model_validate(role_redaction.redact_summary(who.role, found["summary"])),
        recent=recent,
        knowledge=StudentKnowledge.model_validate(role_redaction.redact_knowledge(who.role, found["knowledge"])),
        weeks=SkillWeeks.model_validate(found["weeks"]),
        sessions=[
            PlayedSession.model_validate(role_redaction.redact_summary(who.role, one)) for one in found["sessions"]
        ],
        trainings=[
            TrainingEffect.model_validate(asdict(one) | {"before": _tries(one.before), "after": _tries(one.after)})
            for one in await services.report_maker.trainings(student_id, answers)
        ],
    )


def _recent(services: Services, student_id: str, answers: Sequence[Recorded]) -> RecentErrors:
    records, shown = services.report_maker.recent(student_id, answers), services.learners.profiles.pattern
    return RecentErrors(
        since=records.span.since,
        until=records.span.until,
        patterns=[ErrorPattern.model_validate(shown(one)) for one in records.patterns],
        earlier=[ErrorPattern.model_validate(shown(one)) for one in records.earlier_causes],
    )


def _tries(counted: tuple[int, int]) -> UnaidedTries:
    right, tries = counted
    return UnaidedTries(right=right, tries=tries)
