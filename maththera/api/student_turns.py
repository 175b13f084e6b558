"""A student's answers one by one, for adults: as a page of JSON, or as a table for a spreadsheet."""

import csv
import io
import re
from collections.abc import AsyncIterator, Awaitable, Callable, Sequence
from datetime import UTC, date, datetime, time, timedelta
from functools import partial
from typing import Annotated, Final

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import BeforeValidator

from maththera.api.http_layer.admission import AdultReader
from maththera.api.http_layer.auth import Services, log_access
from maththera.api.http_layer.identifiers import StudentPath
from maththera.api.http_layer.json_body import ApiRoute
from maththera.api.http_layer.openapi_document import Responses
from maththera.api.http_layer.problem_details import ApiProblem
from maththera.api.http_layer.response_models import Answer, Moment, example, from_row
from maththera.arithmetic.problem import ProblemError
from maththera.arithmetic.problem_bank import Bank
from maththera.korean.dates import KOREA
from maththera.store.turn_records import RecordedTurn

router = APIRouter(prefix="/api/v1/students/{student_id}/turns", tags=["students"], route_class=ApiRoute)

_CSV: Final = "text/csv"
_PAGE: Final = 1_000
_BYTE_ORDER_MARK: Final = "\ufeff"
"""Without it spreadsheets take Korean for another encoding."""
_DAY: Final = re.compile(r"\d{4}-\d{2}-\d{2}")
_FORMULA: Final = tuple("=+-@\t\r")
_AS_CSV: Final[Responses] = {
    200: {"content": {_CSV: {"schema": {"type": "string"}, "example": "at,session_id,turn,…"}}}
}

Cursor = Annotated[
    str | None, Query(pattern=r"^[A-Za-z0-9_-]{1,64}\.\d{1,9}$", description="`next` of the page before.")
]


def _written_day(value: object) -> object:
    """Refuses what pydantic takes for a day besides: seconds since 1970."""
    if isinstance(value, str) and not _DAY.fullmatch(value):
        raise ValueError("should be a day such as 2026-11-22")
    return value


Day = Annotated[date, BeforeValidator(_written_day)]
From = Annotated[Day | None, Query(alias="from", description="The first day, Korean time.")]
To = Annotated[Day | None, Query(description="The last day, Korean time.")]


class StudentTurn(Answer):
    """One turn: an answer, a time-out, a training or the end of a session. `given`, `right`: the child's number and the
    right one; null where there is none. `correct` is null without an answer. `c`, `w`: where the child stood
    afterwards. `cause_tag` with `confidence` "high" is stated; every other is a guess."""

    at: Moment
    session_id: str
    turn: int
    kind: str | None
    phase: str | None
    expression: str | None
    given: int | None
    right: int | None
    correct: bool | None
    rt_ms: int | None
    input: str | None
    pattern: str | None
    route: str | None
    c: int | None
    w: float | None
    cause_tag: str | None
    confidence: str | None
    training_id: str | None


class StudentTurns(Answer):
    """The newest first. `next`: send it as `cursor` for the next page; null on the last."""

    model_config = example(
        {
            "turns": [
                {
                    "at": "2026-11-21T01:14:00+00:00",
                    "session_id": "5d8f0c9be2a14c4b8f1f3a7f0f6f5b11",
                    "turn": 7,
                    "kind": "problem",
                    "phase": "main",
                    "expression": "28+15",
                    "given": 33,
                    "right": 43,
                    "correct": False,
                    "rt_ms": 5200,
                    "input": "tap",
                    "pattern": "logical_error",
                    "route": "B",
                    "c": 8,
                    "w": 6.0,
                    "cause_tag": "SPATIAL_L4_PLACE_VALUE",
                    "confidence": "medium",
                    "training_id": None,
                }
            ],
            "next": None,
        }
    )

    turns: list[StudentTurn]
    next: str | None


@router.get(
    "",
    summary="A student's answers one by one",
    response_description="A page, the newest first; as text/csv all of them",
    response_model=StudentTurns,
    responses=_AS_CSV,
)
async def list_turns(
    request: Request,
    who: AdultReader,
    services: Services,
    student_id: StudentPath,
    since: From = None,
    to: To = None,
    cursor: Cursor = None,
    limit: Annotated[int, Query(ge=1, le=1_000, description="How many at most.")] = 200,
) -> StudentTurns | StreamingResponse:
    """`Accept: text/csv` gives every turn of these days as one table, without pages."""
    if since and to and since > to:
        raise ApiProblem("invalid_input", "query.to: a day before `from`")
    await log_access(request, who, "turns", student_id)
    records, bank = services.learners.turns, services.learners.profiles.bank
    of_days = partial(records.page, student_id, since=_midnight(since), until=_midnight(to, days=1))
    if _CSV in request.headers.get("accept", ""):
        headers = {"Content-Disposition": f'attachment; filename="{student_id}-turns.csv"'}
        return StreamingResponse(_csv(of_days, bank), media_type=f"{_CSV}; charset=utf-8", headers=headers)
    found = await of_days(limit, before=_turn_of(cursor))
    return StudentTurns(
        turns=[_shown(one, bank) for one in found], next=_cursor(found) if len(found) == limit else None
    )


def _shown(one: RecordedTurn, bank: Bank) -> StudentTurn:
    try:
        problem = bank.problem(one.problem_id) if one.problem_id else None
    except ProblemError:
        problem = None  # of a bank that has changed
    expression, right = (problem.expression, problem.answer) if problem else (None, None)
    return from_row(StudentTurn, one, input=one.input_kind, expression=expression, right=right)


async def _csv(page: Callable[..., Awaitable[Sequence[RecordedTurn]]], bank: Bank) -> AsyncIterator[str]:
    """A byte order mark and the titles, then the rows of each page."""
    yield _BYTE_ORDER_MARK + _line([*StudentTurn.model_fields])
    before = None
    while found := await page(_PAGE, before=before):
        yield "".join(_line([*_shown(one, bank).model_dump(mode="json").values()]) for one in found)
        before = (found[-1].session_id, found[-1].turn)


def _line(values: Sequence[object]) -> str:
    """A line of the table. A text that a spreadsheet would calculate gets an apostrophe."""
    out = io.StringIO()
    csv.writer(out).writerow([f"'{one}" if str(one).startswith(_FORMULA) else one for one in values])
    return out.getvalue()


def _turn_of(cursor: str | None) -> tuple[str, int] | None:
    if cursor is None:
        return None
    session_id, _, turn = cursor.rpartition(".")
    return session_id, int(turn)


def _cursor(found: Sequence[RecordedTurn]) -> str:
    return f"{found[-1].session_id}.{found[-1].turn}"


def _midnight(day: date | None, *, days: int = 0) -> datetime | None:
    """The beginning of a Korean day, so many days later."""
    return datetime.combine(day + timedelta(days=days), time(), KOREA).astimezone(UTC) if day else None
