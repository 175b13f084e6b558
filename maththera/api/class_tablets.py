"""The tablets of a class, and the end of one that is lost."""

from typing import Annotated

from fastapi import APIRouter, Path

from maththera.api.classes import OwnClass
from maththera.api.http_layer.auth import Services
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.problem_details import ApiProblem
from maththera.api.http_layer.response_models import Answer, Moment, example

router = APIRouter(prefix="/api/v1/classes/{class_id}/devices", tags=["classes"], route_class=ApiRoute)


class ClassTablet(Answer):
    """`last_used_at`: when it last showed the tiles of the class, to the minute; null if it never did."""

    device_id: str
    enrolled_at: Moment
    last_used_at: Moment | None


class ClassTablets(Answer):
    """In the order in which they were enrolled."""

    model_config = example(
        {
            "devices": [
                {
                    "device_id": "4f0a9c1be2d7",
                    "enrolled_at": "2026-11-20T00:10:00+00:00",
                    "last_used_at": "2026-11-22T01:10:00+00:00",
                }
            ]
        }
    )

    devices: list[ClassTablet]


@router.get("", summary="The tablets of a class", response_description="The oldest first")
async def list_devices(services: Services, one: OwnClass) -> ClassTablets:
    found = await services.sign_ins.tablets_of(one.class_id)
    return ClassTablets(
        devices=[
            ClassTablet(device_id=each.tablet_id, enrolled_at=each.enrolled_at, last_used_at=each.last_used_at)
            for each in found
        ]
    )


@router.delete("/{device_id}", status_code=204, summary="End a tablet", response_description="The tablet is signed out")
async def end_device(
    services: Services, one: OwnClass, device_id: Annotated[str, Path(description="As the list gives it.")]
) -> None:
    """It shows no tiles any more, and children who signed in on it are signed out; other workers follow within five
    seconds."""
    if not await services.sign_ins.end_tablet(one.class_id, device_id):
        raise ApiProblem("not_found", "There is no such tablet.")
