"""What people thought of the chat's answers."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import BeforeValidator, Field

from maththera.api.http_layer.auth import FreshCaller, Services, caller_with, log_reads
from maththera.api.http_layer.danger_screening import danger_in
from maththera.api.http_layer.identifiers import NAME
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.problem_details import ApiProblem, Problems
from maththera.api.http_layer.response_models import Answer, SafetyView, example
from maththera.chat.assistant.answer_ratings import AnswerNotFound
from maththera.json_types import JsonObject
from maththera.store.access.authorization import Principal, visible_students
from maththera.tutoring.turns.events import Strict
from maththera.words.danger.message_safety import Place

router = APIRouter(prefix="/api/v1", tags=["papers"], route_class=ApiRoute)

_MOST_SHOWN: Final = 500
_RATED: Final = {"run_id": "5d8f0c9be2a14c4b8f1f3a7f0f6f5b11", "level": "elementary", "score": 5}
_COMMENT: Final = "비유가 좋아요"


Level = Annotated[str | None, BeforeValidator(lambda level: level or None)]


class RatingBody(Strict):
    """`POST /api/v1/chat/runs/{run_id}/rating`."""

    model_config = example({"score": 5, "level": "elementary", "comment": _COMMENT})

    score: Annotated[int, Field(ge=1, le=5)]
    level: Literal["elementary", "beginner", "intermediate", "advanced"] | None = Field(
        None, description="Which of the two answers. Default: the answer as a whole."
    )
    comment: Annotated[str, Field(max_length=1000)] = ""


class RatedAnswer(Answer):
    """`level`: null for the answer as a whole."""

    model_config = example(_RATED)

    run_id: str
    level: Level
    score: int
    safety: SafetyView | None = None


class Rating(Answer):
    """`prompts`: for each level the model's prompt, by name and digest."""

    run_id: str
    level: Level
    score: int
    comment: str
    question: str
    answer: str
    prompts: JsonObject


class Ratings(Answer):
    model_config = example(
        {
            "ratings": [
                {
                    **_RATED,
                    "comment": _COMMENT,
                    "question": "받아올림이 뭐야?",
                    "answer": "열이 되면 옆집으로 하나 보내요. 🏠",
                    "prompts": {"elementary": {"prompt": "level_elementary", "digest": "a8c0dfcd6f03"}},
                }
            ]
        }
    )

    ratings: list[Rating]


@router.post(
    "/chat/runs/{run_id}/rating",
    summary="Say what an answer was worth",
    response_description="Kept",
    response_model_exclude_unset=True,
)
async def rate_answer(
    request: Request,
    who: FreshCaller,
    services: Services,
    run_id: Annotated[str, Path(description="Of the header `X-Run-Id` of the answer.")],
    sent: JsonBody[RatingBody],
) -> RatedAnswer:
    """A later rating of the same answer takes the place of the earlier. Kept with the question and the prompts."""
    if not NAME.fullmatch(run_id):
        raise AnswerNotFound(run_id)
    kept = await services.assistant.ratings.rate(who, run_id, sent.level or "", sent.score, sent.comment)
    rated = RatedAnswer.model_validate(kept)
    place = Place("coach" if who.role == "student" else "assistant", run_id)
    if heard := await danger_in(request, who, sent.comment, place, kept.student_id):
        rated.safety = SafetyView.model_validate(heard.shown(who.role))
    return rated


@router.get("/ratings", summary="What people thought of answers", response_description="The newest first")
async def list_ratings(
    request: Request,
    who: Annotated[Principal, Depends(caller_with("author", "admin"))],
    services: Services,
    days: Annotated[int, Query(ge=1, le=3650, description="How far back.")] = 30,
) -> Ratings:
    """For the authors of prompts; it does not say who rated. Answers about a learner are for admins alone."""
    since = datetime.now(UTC) - timedelta(days=days)
    found = await services.assistant.ratings.kept.since(since, _MOST_SHOWN, visible_students(who))
    await log_reads(request, who, "rating", [one.student_id for one in found])
    return Ratings(ratings=[Rating.model_validate(one) for one in found])


PROBLEMS: Final[Problems] = {AnswerNotFound: lambda _: ApiProblem("not_found", "There is no such answer.")}
