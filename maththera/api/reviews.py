"""The review queue: answers, words and alerts that a person should look at, and the decisions."""

from collections.abc import Sequence
from typing import Annotated, Final, Self

from fastapi import APIRouter, Depends, Path, Query, Request
from pydantic import BaseModel, Field, model_validator

from maththera.api.http_layer.auth import Services, caller_who, log_access, log_reads
from maththera.api.http_layer.identifiers import ROW_LIMIT, row_number
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.openapi_document import errors
from maththera.api.http_layer.problem_details import ApiProblem, Problems, invalid_member
from maththera.api.http_layer.response_models import Answer, Moment, example, from_row
from maththera.arithmetic import problem as arithmetic
from maththera.json_types import JsonObject
from maththera.store.access.authorization import (
    Principal,
    Role,
    is_allowed,
    may_review,
    visible_students,
)
from maththera.store.review_queue import (
    VERDICTS,
    AlreadyDecided,
    Kind,
    NoSuchReview,
    ReviewFilter,
    ReviewRow,
    RuleSuggestion,
    Status,
    Urgency,
    Verdict,
)
from maththera.tutoring.turns.events import Strict

router = APIRouter(prefix="/api/v1/reviews", tags=["reviews"], route_class=ApiRoute)

_SESSION: Final = "5d8f0c9be2a14c4b8f1f3a7f0f6f5b11"
EXAMPLE_DECISION: Final = {
    "verdict": "pattern",
    "cause_tag": "SPATIAL_L4_PLACE_VALUE",
    "procedure": "십의 자리 수를 일의 자리에도 더했다",
}
_REVIEW: Final[JsonObject] = {
    "review_id": 17,
    "kind": "unknown_answer",
    "status": "open",
    "session_id": _SESSION,
    "turn": 3,
    "room": "tutoring",
    "place_id": _SESSION,
    "student_id": "s1",
    "created_at": "2026-11-21T01:14:00+00:00",
    "payload": {"problem_id": "P-00847", "answer": 77, "rt_ms": 5200, "candidates": [], "model": None, "turn": 3},
    "problem": {"expression": "28+15", "right": 43, "c_level": 8},
    "skill": None,
    "verdicts": ["pattern", "slip", "unclear"],
    "decided_at": None,
    "decision": None,
    "alert": None,
}
_ALERT: Final[JsonObject] = _REVIEW | {
    "review_id": 18,
    "kind": "safety",
    "session_id": None,
    "turn": None,
    "room": "lesson",
    "place_id": "9b1c6f0de0a94a7d8a55b6f0a4c2e713",
    "created_at": "2026-11-21T01:20:00+00:00",
    "payload": {"role": "student"},
    "problem": None,
    "verdicts": ["handled", "false_alarm"],
    "alert": {
        "urgency": "now",
        "category": "violence_home",
        "tier": 1,
        "openings": [{"token_id": "0f9d2c51", "role": "teacher", "opened_at": "2026-11-21T01:31:00+00:00"}],
    },
}
_Words = Annotated[str, Field(min_length=1, max_length=500)]


class DecisionBody(Strict):
    """`POST /api/v1/reviews/{review_id}/decide`. With `pattern` come the cause and, in Korean, what the child did; with
    the verdict on a safety alert a `note` on what was done."""

    model_config = example(
        EXAMPLE_DECISION,
        {"verdict": "slip", "note": "급하게 눌렀다고 한다"},
        {"verdict": "handled", "note": "어머니와 이야기했다"},
    )

    verdict: Verdict
    cause_tag: Annotated[str, Field(pattern=r"^[A-Z][A-Z0-9_]{1,79}$")] | None = None
    procedure: _Words | None = None
    note: _Words | None = None

    @model_validator(mode="after")
    def _pattern_has_cause_and_procedure(self) -> Self:
        complete = self.cause_tag is not None and self.procedure is not None
        if (self.verdict == "pattern") != complete or (self.cause_tag is None) != (self.procedure is None):
            raise ValueError("cause_tag and procedure belong to the verdict 'pattern', and to no other")
        return self


class QueueQuery(BaseModel):
    """The parameters of `GET /api/v1/reviews`."""

    status: Annotated[Status, Field(description="Those that wait, or those that were decided.")] = "open"
    kind: Annotated[Kind | None, Field(description="Default: all kinds.")] = None
    urgency: Annotated[Urgency | None, Field(description="Safety alerts of this urgency alone.")] = None
    after: Annotated[int, Field(ge=0, lt=ROW_LIMIT, description="`next` of the page before.")] = 0
    limit: Annotated[int, Field(ge=1, le=200, description="How many at most.")] = 50


class ReviewedProblem(Answer):
    expression: str
    right: int
    c_level: int


class AlertOpening(Answer):
    token_id: str
    role: Role
    opened_at: Moment


class ReviewedAlert(Answer):
    """How soon adults should know, of what, how certain it is (`tier` 1 is the surest), and who has opened the
    words."""

    urgency: Urgency
    category: str
    tier: int
    openings: list[AlertOpening]


class Review(Answer):
    """`verdicts`: the possible decisions for its kind. `skill`: the name of one that rests. `room` and `place_id`:
    where it was; `session_id`: in tutoring alone, with the `turn` of it where that was kept. `alert`: of the kind
    safety."""

    model_config = example(_REVIEW)

    review_id: int
    kind: Kind
    status: Status
    session_id: str | None
    turn: int | None
    room: str
    place_id: str
    student_id: str | None
    created_at: Moment
    payload: JsonObject
    problem: ReviewedProblem | None
    skill: str | None
    verdicts: list[Verdict]
    decided_at: Moment | None
    decision: JsonObject | None
    alert: ReviewedAlert | None


class OpenedAlert(Review):
    """`words`: what was written."""

    model_config = example(_ALERT | {"words": "집에 가기 싫어. 또 맞을까 봐 무서워"})

    words: str


class Reviews(Answer):
    """The oldest first. `next`: send it as `after` for the next page; null on the last. `unopened_alerts`: safety
    alerts of the caller's students that are not opened yet, on whatever page they are."""

    model_config = example({"reviews": [_REVIEW, _ALERT], "next": None, "unopened_alerts": 0})

    reviews: list[Review]
    next: int | None
    unopened_alerts: int


Reviewer = Annotated[Principal, Depends(caller_who(may_review))]


async def visible_review(who: Principal, services: Services, review_id: int | None) -> ReviewRow:
    """NoSuchReview, also for one of another person's students."""
    if review_id is None or review_id >= ROW_LIMIT:
        raise NoSuchReview(review_id)
    row = await services.learners.reviews.find(review_id)
    if not is_allowed(who, "review", row.student_id):
        raise NoSuchReview(review_id)
    return row


async def _visible_review(
    request: Request,
    who: Reviewer,
    services: Services,
    review_id: Annotated[str, Path(description="As the queue shows it.")],
) -> ReviewRow:
    """The review, if it is one of the caller's students. It logs the look."""
    row = await visible_review(who, services, row_number(review_id))
    await log_access(request, who, "review", row.student_id)
    return row


VisibleReview = Annotated[ReviewRow, Depends(_visible_review)]


@router.get("", summary="The review queue", response_description="The oldest first")
async def list_reviews(
    request: Request, who: Reviewer, services: Services, wanted: Annotated[QueueQuery, Query()]
) -> Reviews:
    """Unknown answers, rejected words, sessions that ended too hard and safety alerts, of the caller's students."""
    learners, reach = services.learners, visible_students(who)
    rows = await learners.reviews.queue(reach, ReviewFilter(**wanted.model_dump()))
    await log_reads(request, who, "review", [row.student_id for row in rows])
    return Reviews(
        reviews=await _shown(services, rows),
        next=rows[-1].review_id if len(rows) == wanted.limit else None,
        unopened_alerts=sum((await learners.alerts.unopened(reach)).values()),
    )


@router.get("/{review_id}", summary="One review", response_description="The review")
async def view_review(row: VisibleReview, services: Services) -> Review:
    (shown,) = await _shown(services, [row])
    return shown


@router.post("/{review_id}/open", summary="Open a safety alert", response_description="The alert")
async def open_alert(who: Reviewer, row: VisibleReview, services: Services) -> OpenedAlert:
    """The only way to the words. Each opening is kept with its token and time, and shown to all who see the alert."""
    if row.kind != "safety":
        raise NoSuchReview(row.review_id)
    words = await services.learners.alerts.open(row.review_id, who)
    (shown,) = await _shown(services, [row])
    return OpenedAlert(**dict(shown), words=words)


@router.post(
    "/{review_id}/decide",
    summary="Decide a review",
    response_description="Decided",
    responses=errors("review_decided", "alert_unopened"),
)
async def decide_review(who: Reviewer, row: VisibleReview, services: Services, sent: JsonBody[DecisionBody]) -> Review:
    """Once. The verdict `pattern` makes the answer an example of a rule candidate: of the one with the same operation,
    cause and procedure, or of a new one. A safety alert is decided by somebody who has opened it."""
    await check_decision(services, who, row, sent)
    reviews = services.learners.reviews
    try:
        await decide(services, who, row, sent)
    except AlreadyDecided as error:
        found = await reviews.find(row.review_id)
        raise _already_decided(found) from error
    (shown,) = await _shown(services, [await reviews.find(row.review_id)])
    return shown


async def check_decision(services: Services, who: Principal, row: ReviewRow, sent: DecisionBody) -> None:
    """Problem `invalid_input` for a verdict that is not for this kind, a cause that there is not, or an alert without a
    note; `alert_unopened` for one whose words the caller has not read."""
    if sent.verdict not in VERDICTS[row.kind]:
        raise invalid_member("verdict", f"for {row.kind}: {', '.join(VERDICTS[row.kind])}")
    if sent.cause_tag is not None and sent.cause_tag not in services.learners.profiles.causes:
        raise invalid_member("cause_tag", f"there is no cause {sent.cause_tag}")
    if row.kind != "safety" or row.status != "open":
        return
    if not (sent.note or "").strip():
        raise invalid_member("note", "an alert is done with a word on what was done")
    openings = (await services.learners.alerts.openings([row.review_id]))[row.review_id]
    if who.token_id not in {one.token_id for one in openings}:
        raise ApiProblem("alert_unopened", "Open the alert, read its words, then decide.")


async def decide(services: Services, who: Principal, row: ReviewRow, sent: DecisionBody) -> int | None:
    """Decides a review; the id of the rule candidate that it belongs to. AlreadyDecided."""
    decision, suggestion = sent.model_dump(exclude_none=True), _suggestion(services, row, sent)
    return await services.learners.reviews.decide(
        row.review_id, decision, decided_by=who.token_id, suggestion=suggestion
    )


def _already_decided(row: ReviewRow) -> ApiProblem:
    """The answer for a review that is decided already. It names the day and the verdict."""
    verdict = (row.decision or {}).get("verdict")
    when = row.decided_at.isoformat() if row.decided_at else None
    detail = "Somebody has decided it meanwhile. Nothing was changed."
    return ApiProblem("review_decided", detail, decided_at=when, verdict=verdict)


PROBLEMS: Final[Problems] = {NoSuchReview: lambda _: ApiProblem("not_found", "There is no such review.")}


async def _shown(services: Services, rows: Sequence[ReviewRow]) -> list[Review]:
    alerts = [row.review_id for row in rows if row.kind == "safety"]
    openings = await services.learners.alerts.openings(alerts) if alerts else {}
    shown = []
    for row in rows:
        alert = None
        if row.kind == "safety":
            opened = [AlertOpening.model_validate(one) for one in openings.get(row.review_id, ())]
            alert = {"urgency": row.urgency, "category": row.category, "tier": row.tier, "openings": opened}
        shown.append(
            from_row(
                Review,
                row,
                turn=row.payload.get("turn"),
                problem=_problem_view(services, row),
                skill=_skill(services, row),
                verdicts=VERDICTS[row.kind],
                alert=alert,
            )
        )
    return shown


def _skill(services: Services, row: ReviewRow) -> str | None:
    """None also for a skill that there is no more."""
    skill = services.learners.profiles.model.skills.skills.get(row.payload.get("skill_id", ""))
    return skill.name if skill else None


def _problem_view(services: Services, row: ReviewRow) -> ReviewedProblem | None:
    problem = problem_of(services, row.payload.get("problem_id"))
    if problem is None:
        return None
    return ReviewedProblem(expression=problem.expression, right=problem.answer, c_level=problem.c_level)


def problem_of(services: Services, problem_id: str | None) -> arithmetic.Problem | None:
    """None where the review is about no problem, or about one of a bank that was replaced."""
    return services.learners.profiles.bank.get(problem_id) if problem_id is not None else None


def _suggestion(services: Services, row: ReviewRow, sent: DecisionBody) -> RuleSuggestion | None:
    problem = problem_of(services, row.payload.get("problem_id"))
    given = row.payload.get("answer")
    if sent.cause_tag is None or sent.procedure is None or problem is None or given is None:
        return None
    return RuleSuggestion(problem.op, sent.cause_tag, sent.procedure, problem.problem_id, given)
