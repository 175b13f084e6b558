"""The students: who they are, what may be done, everything that is kept, and its erasure."""

from dataclasses import asdict
from typing import Annotated, Any, Final, Self, cast

from fastapi import APIRouter, Query, Request
from fastapi.responses import StreamingResponse
from pydantic import ConfigDict, model_validator

from maththera.api.classes import BirthYear, Grade, Nickname, nickname_taken
from maththera.api.http_layer.admission import StudentEraser, StudentExporter, StudentReader, StudentRegistrar
from maththera.api.http_layer.auth import Caller, Services, authorize, log_access, log_reads
from maththera.api.http_layer.identifiers import Limit, StudentPath
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.openapi_document import errors
from maththera.api.http_layer.response_models import Answer, Moment, example, from_row
from maththera.api.sign_in import OwnStudent, TwoPictures
from maththera.json_types import JsonObject
from maththera.store.access.authorization import Principal, may_review, visible_students
from maththera.store.students import Animal, StudentChange
from maththera.tutoring.turns.events import Strict

router = APIRouter(prefix="/api/v1/students", tags=["students"], route_class=ApiRoute)

_EXPORT: Final[JsonObject] = {
    "student_id": "s1",
    "exported_at": "2026-11-22T03:00:00+00:00",
    "tables": {
        "sessions": [{"session_id": "5d8f0c9be2a14c4b8f1f3a7f0f6f5b11", "student_id": "s1"}],
        "turns": [],
        "consents": [],
        "tokens": [
            {
                "role": "guardian",
                "created_at": "2026-03-02T01:00:00+00:00",
                "expires_at": None,
                "revoked_at": None,
            }
        ],
    },
}


class StudentBody(Strict):
    """`PATCH /api/v1/students/{student_id}`: what is left out stays. All but `birth_year` is for those who teach the
    child. `pictures`: null for a tile without a picture lock; a new pair also ends a lock-out."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [{"birth_year": 2016}, {"nickname": "하늘", "animal": "turtle", "grade": 2}],
            "minProperties": 1,
        }
    )

    birth_year: BirthYear | None = None
    nickname: Nickname | None = None
    animal: Animal | None = None
    grade: Grade | None = None
    pictures: TwoPictures | None = None

    @model_validator(mode="after")
    def _something(self) -> Self:
        if not self.model_fields_set:
            raise ValueError(f"needs one of {', '.join(StudentBody.model_fields)}")
        return self


class Student(OwnStudent):
    """`called`: what adults call it: the nickname, or the id; of several with one nickname also the animal or class.
    `alerts`: safety alerts that are not opened yet; for teachers and admins."""

    sessions: int
    last_session_at: Moment | None
    alerts: int | None = None


class Students(Answer):
    """`next`: send it as `after` for the next page; null on the last."""

    model_config = example(
        {
            "students": [
                {
                    "student_id": "s1",
                    "nickname": "하늘",
                    "called": "하늘",
                    "animal": "turtle",
                    "sessions": 4,
                    "last_session_at": "2026-11-21T01:12:00+00:00",
                    "alerts": 1,
                }
            ],
            "next": None,
        }
    )

    students: list[Student]
    next: str | None


class StudentWarning(Answer):
    code: str
    message: str


class StudentStanding(Answer):
    """`under_age`: below the age from which a child decides; null where no birth year is recorded. `learning`: a
    session may begin; `model`: a language model may be asked; `voice`: answers may be spoken. `warnings` are for
    adults; `who_reads` tells a child who reads what it writes, and an adult that each look is logged."""

    model_config = example(
        {
            "student_id": "s1",
            "birth_year": 2016,
            "under_age": True,
            "learning": True,
            "model": False,
            "voice": False,
            "nickname": "하늘",
            "animal": "turtle",
            "grade": 2,
            "picture_lock": True,
            "warnings": [],
            "who_reads": "아이의 기록을 열어 본 사람과 때는 기록으로 남아요.",
        }
    )

    student_id: str
    birth_year: int | None
    under_age: bool | None
    learning: bool
    model: bool
    voice: bool
    nickname: str | None
    animal: Animal | None
    grade: int | None
    picture_lock: bool
    warnings: list[StudentWarning]
    who_reads: str


class StudentExport(Answer):
    """`tables`: table → rows as they are kept."""

    model_config = example(_EXPORT)

    student_id: str
    exported_at: str
    tables: dict[str, list[dict[str, Any]]]


class Mention(Answer):
    """A text that names the child; `row` is its primary key. Of the table `flows`, the saved flows and their history,
    `row` is file and line (0: the file's name)."""

    table: str
    column: str
    row: dict[str, str | int]


class ErasureReceipt(Answer):
    """`records`: table → rows; `files` on the disk, `keys` in Redis. `pending`: the rest goes within minutes.
    `mentions`: texts of others that name the child. `searched`: false where a name of the child is too short to look
    for, as a number of up to three digits is. `complete`: searched, nothing is pending and there is no mention."""

    model_config = example(
        {
            "receipt_id": "b4cd53940fde46709cb9c46252110ad7",
            "records": {
                "sessions": 4,
                "turns": 44,
                "reviews": 1,
                "heatmaps": 1,
                "reports": 2,
                "executions": 3,
                "tokens": 2,
            },
            "files": 2,
            "keys": 9,
            "pending": False,
            "mentions": [{"table": "messages", "column": "text", "row": {"thread_id": "t-1", "number": 3}}],
            "searched": True,
            "complete": False,
        }
    )

    receipt_id: str
    records: dict[str, int]
    files: int
    keys: int
    pending: bool
    mentions: list[Mention]
    searched: bool
    complete: bool


@router.get(
    "",
    summary="The students that the caller may see",
    response_description="A page, in the order of their ids",
    response_model_exclude_unset=True,
)
async def list_students(
    request: Request,
    who: Caller,
    services: Services,
    after: Annotated[str, Query(max_length=64, description="`next` of the page before.")] = "",
    limit: Limit = 100,
) -> Students:
    """In the order of their ids. An admin sees all of whom there are records. `alerts`, the safety alerts that are not
    opened yet, are for teachers and admins."""
    roster, reach = services.learners.roster, visible_students(who)
    if reach is None:
        found = await roster.page(after, limit)
    else:
        found = await roster.by_ids([one for one in sorted(reach) if one > after][:limit])
    ids = [one.student_id for one in found]
    await log_reads(request, who, "roster", ids)
    profiles = await services.learners.records.profiles(ids)
    called = await services.learners.records.called(ids, reach)
    shown = [from_row(Student, profiles[one.student_id], **asdict(one), called=called[one.student_id]) for one in found]
    if may_review(who):
        alerts = await services.learners.alerts.unopened(ids)
        for one in shown:
            one.alerts = alerts.get(one.student_id, 0)
    return Students(students=shown, next=shown[-1].student_id if len(shown) == limit else None)


@router.get("/{student_id}", summary="A student's age, and what may be done", response_description="The student")
async def view_student(
    request: Request, who: StudentReader, services: Services, student_id: StudentPath
) -> StudentStanding:
    """`warnings` are for adults; `who_reads` tells a child who reads what it writes, adults that they are logged."""
    await log_access(request, who, "student", student_id)
    return await standing_of(services, who, student_id)


@router.patch(
    "/{student_id}",
    summary="Record a student's birth year, or what the child is called",
    response_description="Recorded",
    responses=errors("nickname_taken"),
)
async def change_student(
    request: Request, who: StudentRegistrar, services: Services, student_id: StudentPath, sent: JsonBody[StudentBody]
) -> StudentStanding:
    """From a birth year on the consents count. `null` takes it back."""
    if sent.model_fields_set != {"birth_year"}:
        authorize(who, "manage", student_id, what="student")
    await log_access(
        request, who, "student", student_id, "consent" if "birth_year" in sent.model_fields_set else "change"
    )
    records, change = services.learners.records, sent.model_dump(exclude_unset=True, exclude={"pictures"})
    if change and not await records.change(student_id, cast("StudentChange", change)):
        raise nickname_taken(sent.nickname or "")
    if "pictures" in sent.model_fields_set:
        await records.set_pictures(student_id, sent.pictures)
    services.learners.consent_standings.forget(student_id)
    return await standing_of(services, who, student_id)


@router.get(
    "/{student_id}/export",
    summary="Everything that is kept of a student",
    response_description="A JSON file",
    response_model=StudentExport,
)
async def export_student(
    request: Request, who: StudentExporter, services: Services, student_id: StudentPath
) -> StreamingResponse:
    """Table by table, as a stream. Of reports and runs about several children, and of the tokens of adults who may see
    this child, only the outline; what another adult asked about the child is in an admin's export only, and what the
    child told of danger in no guardian's."""
    await log_access(request, who, "everything", student_id, "export")
    document = services.learners.export.document(student_id, who)
    headers = {"Content-Disposition": 'attachment; filename="export.json"'}
    return StreamingResponse(document, headers=headers, media_type="application/json")


@router.delete(
    "/{student_id}", summary="Erase everything of a student", response_description="The receipt, without a name"
)
async def erase_student(
    request: Request, who: StudentEraser, services: Services, student_id: StudentPath
) -> ErasureReceipt:
    """Records, runs, reports and their files, working state, tokens: all of it, at once and for good."""
    await log_access(request, who, "everything", student_id, "erase")
    receipt = await services.learners.erasure.erase(student_id)
    services.tokens.forget()
    services.sign_ins.forget()
    services.learners.consent_standings.forget(student_id)
    return ErasureReceipt.model_validate(receipt.shown())


async def standing_of(services: Services, who: Principal, student_id: str) -> StudentStanding:
    """Where a student stands, as far as the caller may know it."""
    standing = await services.learners.consent_standings.standing(student_id, fresh=True)
    privacy, adult = services.learners.privacy, who.role != "student"
    warnings = []
    if adult and standing.birth_year is None:
        warnings.append(StudentWarning(code="age_unknown", message=privacy.age_unknown))
    return StudentStanding(
        **asdict((await services.learners.records.profiles([student_id]))[student_id]),
        **asdict(standing),
        warnings=warnings,
        who_reads=privacy.who_reads.to(who.role),
    )
