"""A sheet of problems for a group of children who go on with the same skill, to be printed."""

from typing import Annotated

from fastapi import APIRouter, Query, Request

from maththera.api.classes import ClassTeacher, OwnClass
from maththera.api.http_layer.auth import Services, log_reads
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.problem_details import ApiProblem
from maththera.api.http_layer.response_models import Answer, example

router = APIRouter(prefix="/api/v1/classes/{class_id}/sheet", tags=["classes"], route_class=ApiRoute)


class SheetStep(Answer):
    """What to say, and the equation that is true then."""

    say: str
    expression: str


class SheetProblem(Answer):
    """`steps` lead to the answer; they are for the adult."""

    expression: str
    answer: int
    steps: list[SheetStep]


class ClassSheet(Answer):
    """None of the problems waits for the answer of a child of the class."""

    model_config = example(
        {
            "class_id": "0c6ff1f2a2d64e1f8c1bb7f3d1a5a9d0",
            "skill_id": "C7.nine",
            "skill": "9 더하기",
            "problems": [
                {
                    "expression": "9+4",
                    "answer": 13,
                    "steps": [{"say": "9에 1을 더해서 10을 만들어.", "expression": "9+1=10"}],
                }
            ],
        }
    )

    class_id: str
    skill_id: str
    skill: str
    problems: list[SheetProblem]


@router.get("", summary="Problems of a skill with their steps", response_description="The sheet")
async def view_sheet(
    request: Request,
    who: ClassTeacher,
    services: Services,
    one: OwnClass,
    skill_id: Annotated[
        str, Query(max_length=40, description="Of a group of the overview.", examples=["C8.carry_ones"])
    ],
    problems: Annotated[int, Query(ge=1, le=20, description="How many at most.")] = 6,
) -> ClassSheet:
    """From easy to hard. 404 for an unknown skill; no problems for one of number sense."""
    await log_reads(request, who, "class", one.members)
    skills = services.learners.profiles.model.skills
    if skill_id not in skills.order:
        raise ApiProblem("not_found", "There is no such skill.")
    solved = await services.report_maker.sheet([*one.members], skill_id, problems)
    shown = [
        SheetProblem(expression=one.expression, answer=one.answer, steps=[*map(SheetStep.model_validate, steps)])
        for one, steps in solved
    ]
    return ClassSheet(class_id=one.class_id, skill_id=skill_id, skill=skills[skill_id].name, problems=shown)
