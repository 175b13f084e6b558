"""What a guardian's letter says, for a page."""

from datetime import date
from typing import Annotated

from fastapi import APIRouter, Query, Request

from maththera.api.http_layer.admission import AdultReader
from maththera.api.http_layer.auth import Services, log_access
from maththera.api.http_layer.identifiers import StudentPath
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.response_models import Answer, example, from_row
from maththera.arithmetic.strategies.steps import Mode, Model
from maththera.reports.report_maker import PERIOD_DAYS, span_of_days

router = APIRouter(prefix="/api/v1/students/{student_id}", tags=["students"], route_class=ApiRoute)


class LetterSkill(Answer):
    """`new`: since the beginning of the period."""

    name: str
    new: bool


class LetterPicture(Answer):
    """What lies on the table, as `visual` of a task."""

    mode: Mode
    model: Model
    shown: tuple[int, int]


class LetterStep(Answer):
    say: str
    expression: str
    picture: LetterPicture


class LetterActivity(Answer):
    """Five minutes together: one problem, what is needed at home, and what to say and to lay, step by step."""

    skill: str
    expression: str
    things: str
    steps: list[LetterStep]


class HomeLetter(Answer):
    """What the child can do, the newest first; what comes next; five minutes together. `more`: how many skills there
    are besides those named. It says nothing of what went wrong."""

    model_config = example(
        {
            "student_id": "s1",
            "since": "2026-10-24",
            "until": "2026-11-22",
            "greeting": "아이가 이 기간에 사흘 동안 45문제를 풀었어요.",
            "able": [{"name": "10 만들기", "new": True}],
            "more": 0,
            "learning": ["두 수를 더하기"],
            "following": ["십의 자리로 넘어가는 더하기"],
            "activity": {
                "skill": "십의 자리로 넘어가는 더하기",
                "expression": "8+5",
                "things": "콩이나 단추 20개",
                "steps": [
                    {
                        "say": "8에 2를 더해서 10을 만들어.",
                        "expression": "8+2=10",
                        "picture": {"mode": "ten_frame", "model": "join", "shown": [8, 2]},
                    }
                ],
            },
        }
    )

    student_id: str
    since: date
    until: date
    greeting: str
    able: list[LetterSkill]
    more: int
    learning: list[str]
    following: list[str]
    activity: LetterActivity | None


_Days = Annotated[int, Query(ge=1, le=366, description="The period: so many days, today the last.")]


@router.get(
    "/letter",
    summary="What a child can do, what comes next, and five minutes at home",
    response_description="The letter",
)
async def write_letter(
    request: Request, who: AdultReader, services: Services, student_id: StudentPath, days: _Days = PERIOD_DAYS
) -> HomeLetter:
    """The same sentences as in the printed letter, for adults."""
    await log_access(request, who, "letter", student_id)
    letter = await services.report_maker.letter(student_id, span_of_days(days))
    return from_row(HomeLetter, letter, student_id=student_id)
