"""A class today: whom to sit with and why, how each child stands, and who can work on the same."""

from collections.abc import Collection
from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request

from maththera.api.classes import ClassTeacher, Member, OwnClass
from maththera.api.http_layer.auth import Services, log_reads
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.response_models import Answer, example, from_row
from maththera.json_types import JsonObject
from maththera.knowledge.skills import Strand
from maththera.reports.class_report import NeedCode
from maththera.reports.report_maker import PERIOD_DAYS, by_nickname, span_of_days
from maththera.store.access.authorization import visible_students
from maththera.store.review_queue import OpenCounts

router = APIRouter(prefix="/api/v1/classes/{class_id}/overview", tags=["classes"], route_class=ApiRoute)

_NEXT: Final[JsonObject] = {"skill_id": "C10.borrow", "name": "두 자리 수의 뺄셈, 받아내림 있음", "strand": "-"}


_PLAYS_FOR: Final = timedelta(minutes=15)
"""After its last answer a child is taken to be still at it for so long."""


class AttentionReason(Answer):
    """Why an adult should sit with a child."""

    code: NeedCode
    says: str


class NextSkill(Answer):
    """What a child goes on with in one operation."""

    skill_id: str
    name: str
    strand: Strand


class StrandUnit(Answer):
    """Where a child is in one operation: the title of the unit under way; null where it can do all of it."""

    strand: Strand
    title: str | None


class ClassmateView(Member):
    """`called`: what adults call it, as in `GET /api/v1/students`. Counts and `days` are those of the period.
    `standing`: how many skills stand how, in the order of `standing_titles`. `position`: of each operation in which
    something was asked. `moved`: how many skills more it can do than before the period. `causes`: those stated in the
    period. `needs`: the weightiest first. `open_alerts`, `open_reviews`: undecided entries of the review queue.
    `learning`: it may begin, as far as consents go. `open_session`: the one that the child plays now."""

    called: str
    answered: int
    right: int
    days: int
    lessons: int
    last_day: str | None
    standing: list[int]
    position: list[StrandUnit]
    moved: int
    causes: list[str]
    needs: list[AttentionReason]
    next: list[NextSkill]
    open_alerts: int
    open_reviews: int
    learning: bool
    open_session: str | None


class GroupMember(Answer):
    """`why`: how often the child was asked, and how often it was right."""

    student_id: str
    why: str


class SkillGroup(Answer):
    """Children who go on with the same skill. `example` is solved in `steps`, as true equations."""

    skill_id: str
    skill: str
    members: list[GroupMember]
    example: str
    steps: list[str]


class ClassOverview(Answer):
    """`since` to `until`: the days of the period, Korean time. `summary`: what a teacher should read first. `today`: at
    most five children to sit with today, the most urgent first. The largest group is first."""

    model_config = example(
        {
            "class_id": "0c6ff1f2a2d64e1f8c1bb7f3d1a5a9d0",
            "name": "2학년 3반",
            "since": "2026-10-24",
            "until": "2026-11-22",
            "summary": ["모두 공부했어요.", "오늘 함께 볼 아이는 1명이에요."],
            "today": ["s1"],
            "standing_titles": ["할 수 있음", "할 수 있을 것", "연습 중", "다시 볼 것", "안 물어봄"],
            "students": [
                {
                    "student_id": "s1",
                    "nickname": "하늘",
                    "called": "하늘",
                    "animal": "turtle",
                    "grade": 2,
                    "picture_lock": True,
                    "answered": 45,
                    "right": 36,
                    "days": 3,
                    "lessons": 0,
                    "last_day": "2026-11-21",
                    "standing": [6, 22, 4, 0, 38],
                    "position": [{"strand": "+", "title": "두 자리 수의 덧셈 (백 몇십 포함)"}],
                    "moved": 2,
                    "causes": ["올린 수를 잊음"],
                    "needs": [{"code": "same_cause", "says": "‘올린 수를 잊음’이 보인 답이 3개예요."}],
                    "next": [_NEXT],
                    "open_alerts": 0,
                    "open_reviews": 1,
                    "learning": True,
                    "open_session": None,
                }
            ],
            "groups": [],
        }
    )

    class_id: str
    name: str
    since: str
    until: str
    summary: list[str]
    today: list[str]
    standing_titles: list[str]
    students: list[ClassmateView]
    groups: list[SkillGroup]


class Playing(Answer):
    """`sessions`: child → the session that it plays now."""

    model_config = example({"sessions": {"s1": "5d8f0c9be2a14c4b8f1f3a7f0f6f5b11"}})

    sessions: dict[str, str]


@router.get("", summary="A class today: who needs what, who can work together", response_description="The class")
async def view_class_overview(
    request: Request,
    who: ClassTeacher,
    services: Services,
    one: OwnClass,
    days: Annotated[int, Query(ge=1, le=90, description="The period: so many days, today the last.")] = PERIOD_DAYS,
) -> ClassOverview:
    """The same figures as in the report on a class. Children are in the order of what they are called."""
    await log_reads(request, who, "class", one.members)
    waiting = await services.learners.reviews.open_counts(one.members)
    profiles = await services.learners.records.profiles(one.members)
    students = by_nickname(one.members, profiles)
    report = await services.report_maker.class_report(students, span_of_days(days), waiting)
    called = await services.learners.records.called(one.members, visible_students(who))
    standings = await services.learners.consent_standings.of_class(one.members)
    strands = {skill.skill_id: skill.strand for skill in services.learners.profiles.model.skills}
    playing = await _playing(services, one.members)
    shown = [
        from_row(
            ClassmateView,
            each,
            **dict(Member.model_validate(profiles[each.student])),
            called=called[each.student],
            answered=each.counts["answered"],
            right=each.counts["right"],
            position=[StrandUnit(strand=strand, title=title) for strand, title in each.units.items()],
            next=[
                NextSkill(skill_id=id_, name=skill.name, strand=strands[id_]) for id_, skill in each.following.items()
            ],
            open_alerts=waiting.get(each.student, OpenCounts()).alerts,
            open_reviews=waiting.get(each.student, OpenCounts()).reviews,
            learning=standings[each.student].learning,
            open_session=playing.get(each.student),
        )
        for each in report.students
    ]
    groups = [
        from_row(
            SkillGroup, group, members=[GroupMember(student_id=each.student, why=each.why) for each in group.members]
        )
        for group in report.groups
    ]
    return from_row(ClassOverview, report, class_id=one.class_id, name=one.name, students=shown, groups=groups)


@router.get("/playing", summary="Who of a class plays now", response_description="The sessions")
async def view_playing(services: Services, one: OwnClass) -> Playing:
    """To be asked again and again beside the overview, whose look is the one that is logged."""
    return Playing(sessions=await _playing(services, one.members))


async def _playing(services: Services, members: Collection[str]) -> dict[str, str]:
    return await services.learners.profiles.records.open_since(members, datetime.now(UTC) - _PLAYS_FOR)
