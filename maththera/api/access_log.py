"""Who looked at which child's records: for admins."""

from typing import Annotated

from fastapi import APIRouter, Depends, Query

from maththera.api.http_layer.auth import Services, caller_with
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.response_models import Answer, Moment, example
from maththera.store.access.access_log import Access, Reader

router = APIRouter(prefix="/api/v1/access-log", tags=["students"], route_class=ApiRoute)


class AccessEntry(Answer):
    """`student_id` is null after the child was erased. The role is `link` if a report was opened by its signed link;
    `token_id` is then the report's id. `label`: whose token it is; null where nothing was written."""

    entry_id: int
    at: Moment
    access: Access
    what: str
    token_id: str
    label: str | None
    role: Reader
    student_id: str | None


class AccessLog(Answer):
    """The newest first. `next`: send it as `before` for the next page; null on the last."""

    model_config = example(
        {
            "entries": [
                {
                    "entry_id": 12,
                    "at": "2026-11-22T03:00:00+00:00",
                    "access": "read",
                    "what": "session",
                    "token_id": "5f2c8a91b7d0",
                    "label": "김 선생님",
                    "role": "teacher",
                    "student_id": "s1",
                }
            ],
            "next": None,
        }
    )

    entries: list[AccessEntry]
    next: int | None


@router.get(
    "",
    summary="Who looked at which child's records",
    response_description="The newest first",
    dependencies=[Depends(caller_with("admin"))],
)
async def list_access(
    services: Services,
    student_id: Annotated[str | None, Query(max_length=64, description="Of this student alone.")] = None,
    before: Annotated[int | None, Query(ge=1, le=2**31, description="`next` of the page before.")] = None,
    limit: Annotated[int, Query(ge=1, le=200, description="How many at most.")] = 100,
) -> AccessLog:
    """Reads of the same kind within a minute are one entry. Of an erased child the entries stay, without its id."""
    found = await services.learners.access_log.entries(student_id, before, limit)
    labels = await services.tokens.labels(one.token_id for one in found)
    entries = [
        AccessEntry(
            entry_id=one.entry_id,
            at=one.at,
            access=one.access,
            what=one.what,
            token_id=one.token_id,
            label=labels.get(one.token_id),
            role=one.role,
            student_id=one.student_id,
        )
        for one in found
    ]
    return AccessLog(entries=entries, next=found[-1].entry_id if len(found) == limit else None)
