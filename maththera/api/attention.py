"""What adults of a school look at before all else: words of danger, and what guardians ask for."""

from typing import Final

from fastapi import APIRouter, Request

from maththera.api.guardian_requests import RequestView, list_requests
from maththera.api.http_layer.auth import Services
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.response_models import Answer, example
from maththera.api.reviews import QueueQuery, Review, Reviewer, list_reviews

router = APIRouter(prefix="/api/v1/attention", tags=["reviews"], route_class=ApiRoute)

_MOST: Final = 200


class Attention(Answer):
    """`alerts`: undecided safety alerts, the oldest first. `requests`: open ones, the newest first. `nicknames`: of the
    children of whom the alerts tell."""

    model_config = example({"alerts": [], "requests": [], "nicknames": {}})

    alerts: list[Review]
    requests: list[RequestView]
    nicknames: dict[str, str | None]


@router.get("", summary="What has to be looked at first", response_description="Of the caller's students")
async def view_attention(request: Request, who: Reviewer, services: Services) -> Attention:
    """At most 200 alerts; the review queue has them all."""
    queue = await list_reviews(request, who, services, QueueQuery(kind="safety", limit=_MOST))
    asked = await list_requests(request, who, services)
    alerts = [one for one in queue.reviews if one.alert is not None]
    profiles = await services.learners.records.profiles({one.student_id for one in alerts if one.student_id})
    nicknames = {each: profile.nickname for each, profile in profiles.items()}
    return Attention(alerts=alerts, requests=asked.requests, nicknames=nicknames)
