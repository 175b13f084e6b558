"""The goals of a student: what shall be seen, by when, and how it stands."""

from datetime import date
from typing import Annotated, Final

from fastapi import APIRouter, Path, Request, Response
from pydantic import Field

from maththera.api.http_layer.admission import AdultReader, StudentTeacher
from maththera.api.http_layer.auth import Services, log_access
from maththera.api.http_layer.identifiers import StudentPath
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.openapi_document import errors
from maththera.api.http_layer.problem_details import ApiProblem, Problems
from maththera.api.http_layer.response_models import Answer, example
from maththera.json_types import JsonObject
from maththera.knowledge.knowledge import Word
from maththera.learner_model.goals import MOST_TRIES, BadGoal, Status
from maththera.store.goals import GoalTaken
from maththera.tutoring.turns.events import Strict

router = APIRouter(prefix="/api/v1/students/{student_id}/goals", tags=["students"], route_class=ApiRoute)

_NAME: Final = "두 자리 수의 뺄셈, 받아내림 있음"
_GOAL: Final[JsonObject] = {
    "goal_id": "5f0c2a1be2a14c4b8f1f3a7f0f6f5b11",
    "skill_id": "C10.borrow",
    "name": _NAME,
    "text": f"2099년 12월 18일까지 ‘{_NAME}’ 문제를 도움 없이 처음 풀어, 이틀 이상에 걸쳐 푼 마지막 5문제 가운데 "
    "4문제 이상을 맞힌다.",
    "right": 4,
    "out_of": 5,
    "due": "2099-12-18",
    "baseline": {"on": "2026-11-21", "word": "practising", "right": 1, "tries": 4},
    "status": "open",
    "last_right": 2,
    "last_tries": 3,
    "reached_on": None,
}

_KOREAN: Final = {
    "skill_id": "없는 목표예요",
    "right": "문제 수보다 많을 수 없어요",
    "due": "오늘이나 그 뒤의 날로 정해 주세요",
}

GoalId = Annotated[str, Path(description="As `POST` gave it.")]
Right = Annotated[int, Field(ge=1, le=MOST_TRIES, description="How many of `out_of` shall be right.")]
OutOf = Annotated[int, Field(ge=2, le=MOST_TRIES, description="Of so many unaided first tries, the last ones.")]
Due = Annotated[date, Field(description="The last day, not before today.")]


class GoalBody(Strict):
    """`POST /api/v1/students/{student_id}/goals`."""

    model_config = example({"skill_id": "C10.borrow", "right": 4, "out_of": 5, "due": "2099-12-18"})

    skill_id: Annotated[str, Field(min_length=1, max_length=40, description="Of `GET …/knowledge`.")]
    right: Right = 4
    out_of: OutOf = 5
    due: Due


class GoalChange(Strict):
    """`PATCH …/goals/{goal_id}`: what is left out stays, and so does the baseline."""

    model_config = example({"right": 8, "out_of": 10})

    right: Right | None = None
    out_of: OutOf | None = None
    due: Due | None = None


class GoalBaseline(Answer):
    on: date
    word: Word
    right: int
    tries: int


class Goal(Answer):
    """`text`: the sentence for a support plan. `baseline`: when it was set, the right ones of the last unaided first
    tries, and the word for the skill. `last_right` of `last_tries`: since then, at most `out_of`; of the day
    `reached_on` where it was reached. Reached is reached on two days at least; `missed` is open after `due`."""

    model_config = example(_GOAL)

    goal_id: str
    skill_id: str
    name: str
    text: str
    right: int
    out_of: int
    due: date
    baseline: GoalBaseline
    status: Status
    last_right: int
    last_tries: int
    reached_on: date | None


class StudentGoals(Answer):
    """The first due first."""

    model_config = example({"student_id": "s1", "goals": [_GOAL]})

    student_id: str
    goals: list[Goal]


@router.get("", summary="A student's goals, and how they stand", response_description="The goals")
async def list_goals(request: Request, who: AdultReader, services: Services, student_id: StudentPath) -> StudentGoals:
    """For adults. Computed from the answers as they are now."""
    await log_access(request, who, "goals", student_id)
    return await _goals(services, student_id)


@router.post(
    "",
    status_code=201,
    summary="Set a goal",
    response_description="The goal with its baseline",
    responses=errors("goal_taken"),
)
async def set_goal(
    request: Request, who: StudentTeacher, services: Services, student_id: StudentPath, sent: JsonBody[GoalBody]
) -> Goal:
    """For teachers and admins. One goal for a skill and day."""
    await log_access(request, who, "goals", student_id)
    goal_id = await services.learners.goals.add(student_id, sent.skill_id, sent.right, sent.out_of, sent.due)
    return await _goal(services, student_id, goal_id)


@router.patch("/{goal_id}", summary="Change a goal", response_description="The goal", responses=errors("goal_taken"))
async def change_goal(
    request: Request,
    who: StudentTeacher,
    services: Services,
    student_id: StudentPath,
    goal_id: GoalId,
    sent: JsonBody[GoalChange],
) -> Goal:
    await log_access(request, who, "goals", student_id)
    if not await services.learners.goals.change(student_id, goal_id, sent.right, sent.out_of, sent.due):
        raise _no_goal()
    return await _goal(services, student_id, goal_id)


@router.delete(
    "/{goal_id}",
    status_code=204,
    summary="Take a goal back",
    response_description="It is gone",
    response_class=Response,
)
async def remove_goal(
    request: Request, who: StudentTeacher, services: Services, student_id: StudentPath, goal_id: GoalId
) -> None:
    await log_access(request, who, "goals", student_id)
    if not await services.learners.goals.records.remove(student_id, goal_id):
        raise _no_goal()


def _no_goal() -> ApiProblem:
    return ApiProblem("not_found", "There is no such goal.")


def _bad(error: BadGoal) -> ApiProblem:
    loc = f"body.{error.field}"
    reason = {"loc": loc, "msg": str(error), "korean": _KOREAN[error.field]}
    return ApiProblem("invalid_input", f"{loc}: {error}", errors=[reason])


PROBLEMS: Final[Problems] = {
    BadGoal: _bad,
    GoalTaken: lambda _: ApiProblem("goal_taken", "There is a goal for this skill and day already."),
}


async def _goals(services: Services, student_id: str) -> StudentGoals:
    found = await services.learners.goals.of_student(student_id)
    return StudentGoals(student_id=student_id, goals=[Goal.model_validate(one) for one in found])


async def _goal(services: Services, student_id: str, goal_id: str) -> Goal:
    for goal in (await _goals(services, student_id)).goals:
        if goal.goal_id == goal_id:
            return goal
    raise _no_goal()  # taken back, or erased, meanwhile
