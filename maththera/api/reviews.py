"""The review queue: what a person should look at, and what comes of it."""

from collections.abc import Sequence
from typing import Annotated, Any

from fastapi import APIRouter, FastAPI, Path, Query, Request, Response

from maththera.api import student_docs as docs
from maththera.api.auth import caller, resources
from maththera.api.bodies import read
from maththera.api.executions import answer
from maththera.api.problems import Problem
from maththera.api.student_bodies import LONGEST_ID, DecisionBody, QueueQuery, decision
from maththera.arithmetic.problem import Problem as Arithmetic
from maththera.arithmetic.problem import ProblemError
from maththera.learners import access
from maththera.learners.access import Principal, may, within_reach
from maththera.learners.alerts import Opening
from maththera.learners.reviews import (
    VERDICTS,
    AlreadyDecided,
    NoSuchReview,
    ReviewRow,
    Suggestion,
    Wanted,
)

router = APIRouter(prefix="/api/v1/reviews", tags=["reviews"])

ReviewId = Annotated[str, Path(description="As the queue shows it.")]


@router.get("", summary="The review queue", **docs.REVIEWS)
async def review_queue(request: Request, wanted: Annotated[QueueQuery, Query()]) -> Response:
    """Unknown answers, rejected words, sessions that ended too hard and safety alerts, of the caller's students.
    `unopened_alerts` counts the alerts that nobody has opened yet, on whatever page they are."""
    who = await reviewer(request)
    learners, reach = resources(request).learners, within_reach(who)
    found = await learners.reviews.queue(reach, Wanted(**wanted.model_dump()))
    following = found[-1].review_id if len(found) == wanted.limit else None
    unopened = sum((await learners.alerts.unopened(reach)).values())
    return answer({"reviews": await _views(request, found), "next": following, "unopened_alerts": unopened})


@router.get("/candidates", summary="The rules that decided patterns suggest", **docs.CANDIDATES)
async def rule_candidates(request: Request) -> Response:
    """Each with the answers that show it. Whose they were is not kept here."""
    who = await caller(request)
    if not access.reads_rule_candidates(who):
        raise Problem("forbidden", f"Not with the role {who.role}.")
    found = await resources(request).learners.reviews.candidates()
    shown = [
        {
            "candidate_id": one.candidate_id,
            "operation": one.operation,
            "cause_tag": one.cause_tag,
            "procedure": one.procedure,
            "created_at": one.created_at.isoformat(),
            "examples": [
                {"expression": problem.expression, "given": given, "right": problem.answer}
                for problem_id, given in one.examples
                if (problem := _problem(request, problem_id)) is not None
            ],
        }
        for one in found
    ]
    return answer({"candidates": shown})


@router.get("/{review_id}", summary="One review", **docs.REVIEW)
async def review(request: Request, review_id: ReviewId) -> Response:
    who = await reviewer(request)
    (view,) = await _views(request, [await _admitted(request, who, review_id)])
    return answer(view)


@router.post("/{review_id}/open", summary="Open a safety alert", **docs.OPEN)
async def open_alert(request: Request, review_id: ReviewId) -> Response:
    """The one way to the words. Each opening is kept with its token and time, and shown to all who see the alert."""
    who = await reviewer(request)
    row = await _admitted(request, who, review_id)
    if row.kind != "safety":
        raise NoSuchReview(review_id)
    words = await resources(request).learners.alerts.open(row.review_id, who)
    (view,) = await _views(request, [row])
    return answer({**view, "words": words})


@router.post("/{review_id}/decide", summary="Decide a review", **docs.DECIDE)
async def decide_review(request: Request, review_id: ReviewId) -> Response:
    """Once. The verdict `pattern` makes the answer an example of a rule candidate: of the one with the same operation,
    cause and procedure, or of a new one."""
    who = await reviewer(request)
    row = await _admitted(request, who, review_id)
    sent = await read(request, decision)
    if sent.verdict not in VERDICTS[row.kind]:
        raise _invalid("verdict", f"for {row.kind}: {', '.join(VERDICTS[row.kind])}")
    if sent.cause_tag is not None and sent.cause_tag not in resources(request).learners.profiles.causes:
        raise _invalid("cause_tag", f"there is no cause {sent.cause_tag}")
    reviews = resources(request).learners.reviews
    suggestion = _suggestion(request, row, sent)
    told = sent.model_dump(exclude_none=True)
    await reviews.decide(row.review_id, told, decided_by=who.token_id, suggestion=suggestion)
    (view,) = await _views(request, [await reviews.find(row.review_id)])
    return answer(view)


async def reviewer(request: Request) -> Principal:
    who = await caller(request)
    if not access.reviews(who):
        raise Problem("forbidden", f"Not with the role {who.role}.")
    return who


def install_errors(app: FastAPI) -> None:
    @app.exception_handler(NoSuchReview)
    async def _no_review(_: Request, __: NoSuchReview) -> Response:
        return Problem("not_found", "There is no such review.").response()

    @app.exception_handler(AlreadyDecided)
    async def _decided(_: Request, __: AlreadyDecided) -> Response:
        return Problem("review_decided", "Somebody has decided it meanwhile.").response()


async def _admitted(request: Request, who: Principal, review_id: str) -> ReviewRow:
    if not (review_id.isascii() and review_id.isdigit() and len(review_id) <= LONGEST_ID):
        raise NoSuchReview(review_id)
    row = await resources(request).learners.reviews.find(int(review_id))
    if not may(who, "review", row.student_id):
        raise NoSuchReview(review_id)
    return row


async def _views(request: Request, rows: Sequence[ReviewRow]) -> list[dict[str, Any]]:
    alerts = [row.review_id for row in rows if row.kind == "safety"]
    openings = await resources(request).learners.alerts.openings(alerts) if alerts else {}
    return [_view(request, row, openings.get(row.review_id, [])) for row in rows]


def _view(request: Request, row: ReviewRow, openings: Sequence[Opening]) -> dict[str, Any]:
    problem = _problem(request, row.payload.get("problem_id"))
    return {
        "review_id": row.review_id,
        "kind": row.kind,
        "status": row.status,
        "session_id": row.session_id,
        "room": row.room,
        "place_id": row.place_id,
        "student_id": row.student_id,
        "created_at": row.created_at.isoformat(),
        "payload": row.payload,
        "problem": problem and {"expression": problem.expression, "right": problem.answer, "c_level": problem.c_level},
        "verdicts": VERDICTS[row.kind],
        "decided_at": row.decided_at.isoformat() if row.decided_at else None,
        "decision": row.decision,
        "alert": _alert(row, openings) if row.kind == "safety" else None,
    }


def _alert(row: ReviewRow, openings: Sequence[Opening]) -> dict[str, Any]:
    opened = [{"token_id": one.token_id, "role": one.role, "opened_at": one.opened_at.isoformat()} for one in openings]
    return {"urgency": row.urgency, "category": row.category, "tier": row.tier, "openings": opened}


def _problem(request: Request, problem_id: str | None) -> Arithmetic | None:
    """None for what is about no problem, or about one of a bank that was replaced."""
    if problem_id is None:
        return None
    try:
        return resources(request).learners.profiles.resolve(problem_id)
    except ProblemError:
        return None


def _suggestion(request: Request, row: ReviewRow, sent: DecisionBody) -> Suggestion | None:
    problem = _problem(request, row.payload.get("problem_id"))
    given = row.payload.get("answer")
    if sent.cause_tag is None or sent.procedure is None or problem is None or given is None:
        return None
    return Suggestion(problem.op, sent.cause_tag, sent.procedure, problem.problem_id, given)


def _invalid(field: str, message: str) -> Problem:
    return Problem("invalid_input", f"{field}: {message}", errors=[{"loc": f"body.{field}", "msg": message}])
