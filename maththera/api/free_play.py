"""What a child may play outside of a session."""

from typing import Final

from fastapi import APIRouter, Request

from maththera.api.http_layer.admission import StudentReader
from maththera.api.http_layer.auth import Services, log_access
from maththera.api.http_layer.identifiers import StudentPath
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.response_models import Answer, example
from maththera.json_types import JsonObject
from maththera.tutoring.content.trainings import Training

router = APIRouter(prefix="/api/v1/students/{student_id}/trainings", tags=["students"], route_class=ApiRoute)


_GAME: Final[JsonObject] = {
    "id": "T01",
    "title": "점 보고 수 말하기",
    "goal": "점의 무리를 하나씩 세지 않고 한눈에 알아본다.",
    "concept": "C1",
    "widget": "dot_flash",
    "visual_mode": "none",
    "prompts": {
        "intro": ["점이 반짝 나타나.", "몇 개인지 볼까?"],
        "right": [["눈이 밝네!"], ["맞았어!"]],
        "again": [["괜찮아.", "다시 보여 줄게."], ["묶음을 찾아봐."]],
        "done": ["점 세기 끝!", "잘 봤어!"],
    },
    "done": {"correct": 5, "of": 6},
    "max_items": 10,
    "items": [
        {
            "id": "T01-3.2.0.0",
            "ask": "how_many",
            "params": {"dots": 8, "pattern": "pairs", "show_ms": 2500},
            "steps": [{"prompt": ["점은 몇 개일까?"], "answer": 8, "choices": None}],
            "widget": None,
            "hint": "짝을 지어 봐.",
        }
    ],
}


class Games(Answer):
    """`offered`: at the end of the child's last session, `session_id`; the results of one of them go there as
    `training_done`. `others`: played for their own sake, nothing is recorded of them."""

    model_config = example({"session_id": None, "offered": [], "others": [_GAME]})

    session_id: str | None
    offered: list[Training]
    others: list[Training]


@router.get("", summary="What a student may play outside of a session", response_description="Trainings, whole")
async def list_games(request: Request, who: StudentReader, services: Services, student_id: StudentPath) -> Games:
    await log_access(request, who, "trainings", student_id)
    return Games.model_validate(await services.tutoring.free_play(student_id))
