"""Who looked at which child's records: the whole log for admins, and by role for the adults of a child."""

from datetime import date
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Query, Request

from maththera.api.http_layer.admission import AdultReader
from maththera.api.http_layer.auth import Services, caller_with, log_access
from maththera.api.http_layer.identifiers import Limit, StudentPath
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.response_models import Answer, Moment, example, from_row
from maththera.learner_model.recorded_knowledge import school_date
from maththera.reports.report_maker import PERIOD_DAYS, span_of_days
from maththera.store.access.access_log import Access, Reader

router = APIRouter(prefix="/api/v1/access-log", tags=["students"], route_class=ApiRoute)
readers = APIRouter(prefix="/api/v1/students/{student_id}/readers", tags=["students"], route_class=ApiRoute)

_NOT_SHOWN: Final = frozenset({"review"})
"""The look into the review queue: it may be about danger, of which the school tells guardians."""
_MOST_ENTRIES: Final = 1_000


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


class RecordReader(Answer):
    """`days`: on how many days somebody of this role looked; `last_day`: the last of them, Korean time."""

    role: Reader
    days: int
    last_day: date


class RecordReaders(Answer):
    """`since`: so far the look back goes. The latest first."""

    model_config = example(
        {
            "student_id": "s1",
            "since": "2026-10-24",
            "readers": [{"role": "teacher", "days": 4, "last_day": "2026-11-22"}],
        }
    )

    student_id: str
    since: date
    readers: list[RecordReader]


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
    limit: Limit = 100,
) -> AccessLog:
    """Reads of the same kind within a minute are one entry. Of an erased child the entries stay, without its id."""
    found = await services.learners.access_log.entries(student_id, before, limit)
    labels = await services.tokens.labels(one.token_id for one in found)
    entries = [from_row(AccessEntry, one, label=labels.get(one.token_id)) for one in found]
    return AccessLog(entries=entries, next=found[-1].entry_id if len(found) == limit else None)


@readers.get("", summary="Who has read a student's records", response_description="By role")
async def list_readers(
    request: Request,
    who: AdultReader,
    services: Services,
    student_id: StudentPath,
    days: Annotated[int, Query(ge=1, le=366, description="The period: so many days, today the last.")] = PERIOD_DAYS,
) -> RecordReaders:
    """Adults alone, by role and not by name. The log itself is for admins."""
    await log_access(request, who, "readers", student_id)
    since = span_of_days(days).since
    seen: dict[Reader, set[date]] = {}
    for one in await services.learners.access_log.entries(student_id, limit=_MOST_ENTRIES):
        day = school_date(one.at)
        if day >= since and one.role != "student" and one.what not in _NOT_SHOWN:
            seen.setdefault(one.role, set()).add(day)
    found = [RecordReader(role=role, days=len(own), last_day=max(own)) for role, own in seen.items()]
    found.sort(key=lambda one: one.last_day, reverse=True)
    return RecordReaders(student_id=student_id, since=since, readers=found)
