"""What adults of a school look at before all else: words of danger, and what guardians ask for."""

from typing import Final

from fastapi import APIRouter, Request

from maththera.api.guardian_requests import RequestView, list_requests
from maththera.api.http_layer.auth import Services
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.response_models import Answer, example
from maththera.api.reviews import QueueQuery, Review, Reviewer, list_reviews
from maththera.store.access.authorization import visible_students
from maththera.store.child_names import ANIMAL_NAMES
from maththera.store.students import Animal

router = APIRouter(prefix="/api/v1/attention", tags=["reviews"], route_class=ApiRoute)

_MOST: Final = 200


class AlertChild(Answer):
    """By what an adult knows a child: `called` as in `GET /api/v1/students`, `classes` by name."""

    called: str
    animal: Animal | None
    animal_name: str | None
    classes: list[str]


class Attention(Answer):
    """`alerts`: undecided safety alerts, the oldest first. `requests`: open ones, the newest first. `children`: student
    id → of whom the alerts tell."""

    model_config = example(
        {
            "alerts": [],
            "requests": [],
            "children": {"s1": {"called": "하늘", "animal": "turtle", "animal_name": "거북", "classes": ["3반"]}},
        }
    )

    alerts: list[Review]
    requests: list[RequestView]
    children: dict[str, AlertChild]


@router.get("", summary="What has to be looked at first", response_description="Of the caller's students")
async def view_attention(request: Request, who: Reviewer, services: Services) -> Attention:
    """At most 200 alerts; the review queue has them all."""
    queue = await list_reviews(request, who, services, QueueQuery(kind="safety", limit=_MOST))
    asked = await list_requests(request, who, services)
    alerts = [one for one in queue.reviews if one.alert is not None]
    records, told = services.learners.records, {one.student_id for one in alerts if one.student_id}
    profiles, classes = await records.profiles(told), await records.classes(told)
    children = {}
    for each, called in (await records.called(told, visible_students(who))).items():
        animal = profiles[each].animal
        name = ANIMAL_NAMES[animal] if animal else None
        children[each] = AlertChild(called=called, animal=animal, animal_name=name, classes=classes.get(each, []))
    return Attention(alerts=alerts, requests=asked.requests, children=children)
