"""Unknown answers of the review queue that look alike, and the decision on many reviews at once."""

from collections.abc import Mapping
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Query, Request
from pydantic import Field

from maththera.api.http_layer.auth import Services, log_reads
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.openapi_document import errors
from maththera.api.http_layer.problem_details import ApiProblem
from maththera.api.http_layer.response_models import Answer, example
from maththera.api.reviews import (
    EXAMPLE_DECISION,
    DecisionBody,
    Reviewer,
    check_decision,
    decide,
    problem_of,
    visible_review,
)
from maththera.api.sessions import EXAMPLE_SESSION
from maththera.arithmetic.curriculum import LOWEST_C, UNITS
from maththera.arithmetic.problem import Form
from maththera.json_types import JsonObject
from maththera.procedures import clusters
from maththera.procedures.clusters import Pattern, UnknownAnswer
from maththera.store.access.authorization import visible_students
from maththera.store.review_queue import AlreadyDecided, ReviewFilter, ReviewRow

router = APIRouter(prefix="/api/v1/reviews", tags=["reviews"], route_class=ApiRoute)

_MOST: Final = 5_000
"""Open reviews that are put together; with more, the oldest."""
_MOST_AT_ONCE: Final = 500


class ClusteredAnswer(Answer):
    """`turn`: of the session; null where it was not kept."""

    review_id: int
    student_id: str
    session_id: str | None
    turn: int | None
    expression: str
    given: int
    right: int


def _example(review_id: int, student_id: str, turn: int, expression: str, given: int, right: int) -> JsonObject:
    return {
        "review_id": review_id,
        "student_id": student_id,
        "session_id": EXAMPLE_SESSION["session_id"],
        "turn": turn,
        "expression": expression,
        "given": given,
        "right": right,
    }


class DifferenceCount(Answer):
    """`difference`: given − right."""

    difference: int
    times: int


class ReviewCluster(Answer):
    """Unknown answers with the same operation, form, C and pattern of the difference. `unit`: the title of the C.
    `differences`: the most frequent first. `examples`: some, of as many children as possible; `review_ids`: all."""

    operation: Literal["+", "-", "x", "/"]
    form: Form
    c_level: int
    unit: str
    pattern: Pattern
    children: int
    answers: int
    differences: list[DifferenceCount]
    examples: list[ClusteredAnswer]
    review_ids: list[int]


class ReviewClusters(Answer):
    """Those of the most children first."""

    model_config = example(
        {
            "clusters": [
                {
                    "operation": "-",
                    "form": "result",
                    "c_level": 10,
                    "unit": UNITS[10 - LOWEST_C].title,
                    "pattern": "wrong_beside_carry",
                    "children": 2,
                    "answers": 2,
                    "differences": [{"difference": 15, "times": 1}, {"difference": 13, "times": 1}],
                    "examples": [
                        _example(17, "s1", 3, "52−38", 29, 14),
                        _example(21, "s2", 8, "63−27", 49, 36),
                    ],
                    "review_ids": [17, 21],
                }
            ]
        }
    )

    clusters: list[ReviewCluster]


class BatchDecision(DecisionBody):
    """One decision for several reviews of one kind, such as all of a cluster."""

    model_config = example({"review_ids": [17, 21], **EXAMPLE_DECISION}, {"review_ids": [18], "verdict": "slip"})

    review_ids: Annotated[list[Annotated[int, Field(ge=1)]], Field(min_length=1, max_length=_MOST_AT_ONCE)]


class BatchDecided(Answer):
    """`already_decided`: those that somebody decided before; they stay as they are. `candidate_id`: the rule candidate
    of which the answers are examples now."""

    model_config = example({"decided": [17, 21], "already_decided": [], "candidate_id": 3})

    decided: list[int]
    already_decided: list[int]
    candidate_id: int | None


@router.get("/clusters", summary="Unknown answers that look alike", response_description="The clusters")
async def list_review_clusters(
    request: Request,
    who: Reviewer,
    services: Services,
    children: Annotated[int, Query(ge=1, le=100, description="Of at least so many children.")] = 1,
) -> ReviewClusters:
    """Of the open unknown answers of the caller's students. What several children do is a procedure that is not known
    yet."""
    wanted = ReviewFilter(kind="unknown_answer", limit=_MOST)
    rows = await services.learners.reviews.queue(visible_students(who), wanted)
    answers = [answer for row in rows if (answer := _unknown_answer(services, row)) is not None]
    found = [one for one in clusters.clusters(answers) if one.children >= children]
    await log_reads(request, who, "review", [example.student_id for one in found for example in one.examples])
    of_review = {row.review_id: row for row in rows}
    return ReviewClusters(clusters=[_shown(one, of_review) for one in found])


@router.post(
    "/decide",
    summary="Decide several reviews alike",
    response_description="Those decided, and those that were already",
    responses=errors("not_found", "review_decided", "alert_unopened"),
)
async def decide_reviews(
    request: Request, who: Reviewer, services: Services, sent: JsonBody[BatchDecision]
) -> BatchDecided:
    """Each once, as `POST …/{review_id}/decide`. Nothing is decided where one is not there, or is of another kind."""
    rows = [await visible_review(who, services, review_id) for review_id in dict.fromkeys(sent.review_ids)]
    decision = DecisionBody.model_validate(sent.model_dump(exclude={"review_ids"}))
    for row in rows:
        await check_decision(services, who, row, decision)
    await log_reads(request, who, "review", [row.student_id for row in rows])
    decided: list[int] = []
    candidate_id = None
    for row in rows:
        try:
            candidate_id = await decide(services, who, row, decision) or candidate_id
        except AlreadyDecided:
            continue
        decided.append(row.review_id)
    if not decided:
        raise ApiProblem("review_decided", "Somebody has decided all of them meanwhile. Nothing was changed.")
    already = [row.review_id for row in rows if row.review_id not in decided]
    return BatchDecided(decided=decided, already_decided=already, candidate_id=candidate_id)


def _unknown_answer(services: Services, row: ReviewRow) -> UnknownAnswer | None:
    problem, given = problem_of(services, row.payload.get("problem_id")), row.payload.get("answer")
    if problem is None or row.student_id is None or not isinstance(given, int) or given < 0:
        return None
    return UnknownAnswer(row.review_id, row.student_id, problem, given)


def _shown(cluster: clusters.Cluster, of_review: Mapping[int, ReviewRow]) -> ReviewCluster:
    return ReviewCluster.model_validate(
        {
            **cluster.key._asdict(),
            "unit": UNITS[cluster.key.c_level - LOWEST_C].title,
            "children": cluster.children,
            "answers": len(cluster.answers),
            "differences": [{"difference": one, "times": times} for one, times in cluster.differences.items()],
            "examples": [
                {
                    "review_id": one.review_id,
                    "student_id": one.student_id,
                    "session_id": of_review[one.review_id].session_id,
                    "turn": of_review[one.review_id].payload.get("turn"),
                    "expression": one.problem.expression,
                    "given": one.given,
                    "right": one.problem.answer,
                }
                for one in cluster.examples
            ],
            "review_ids": [one.review_id for one in cluster.answers],
        }
    )
