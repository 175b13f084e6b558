"""Classes: who is in them, their tablets, and the cards with which children sign in."""

import asyncio
import json
import random
import secrets
import uuid
from datetime import UTC, datetime
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path, Request, Response
from pydantic import AfterValidator, Field, StringConstraints
from pydantic_core import PydanticKnownError

from maththera.api.http_layer.admission import StudentManager
from maththera.api.http_layer.auth import Services, caller_who, log_access, log_reads, services_of
from maththera.api.http_layer.field_errors import CLASS_NAME, NICKNAME
from maththera.api.http_layer.identifiers import HEX_ID, StudentId, StudentPath
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.openapi_document import PDF, errors
from maththera.api.http_layer.problem_details import ApiProblem
from maththera.api.http_layer.response_models import Answer, Moment, example, from_row
from maththera.api.sign_in import NamedStudent, TwoPictures
from maththera.json_types import JsonObject
from maththera.korean.particles import with_particle
from maththera.learner_model.recorded_knowledge import school_date
from maththera.reports.pdf_rendering import Renderer
from maththera.reports.qr_code import LARGEST, qr_svg
from maththera.store.access.authorization import Principal, is_allowed, may_have_classes, may_see_class
from maththera.store.child_names import ANIMAL_NAMES
from maththera.store.classes import SchoolClass
from maththera.store.students import ANIMALS, Animal, StudentChange, StudentProfile
from maththera.tutoring.turns.events import Strict

router = APIRouter(prefix="/api/v1/classes", tags=["classes"], route_class=ApiRoute)
cards = APIRouter(prefix="/api/v1/students/{student_id}/cards", tags=["classes"], route_class=ApiRoute)

_EXAMPLE_ID: Final = "0c6ff1f2a2d64e1f8c1bb7f3d1a5a9d0"
_MEMBER: Final[JsonObject] = {
    "student_id": "s1",
    "nickname": "하늘",
    "animal": "turtle",
    "grade": 2,
    "picture_lock": True,
}
_PAIR: Final = 2
_OLDEST, _YOUNGEST = 30, 3
_GIVEN_NAME: Final = 2
"""Letters of a name without the family's."""
_renderer: Final = Renderer()

Name = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=40, pattern=CLASS_NAME)]
Nickname = Annotated[str, StringConstraints(strip_whitespace=True, min_length=1, max_length=12, pattern=NICKNAME)]
Grade = Annotated[int, Field(ge=1, le=12)]


def _child_born(year: int) -> int:
    """Of a child of this service; else a slip of the pen, which would count as a grown-up's."""
    now = datetime.now(UTC).year
    if year < now - _OLDEST:
        raise PydanticKnownError("greater_than_equal", {"ge": now - _OLDEST})
    if year > now - _YOUNGEST:
        raise PydanticKnownError("less_than_equal", {"le": now - _YOUNGEST})
    return year


BirthYear = Annotated[int, AfterValidator(_child_born), Field(description="From 30 to 3 years ago.")]
ClassPath = Annotated[str, Path(description="As `POST /api/v1/classes` gave it.")]


class ClassBody(Strict):
    """`POST /api/v1/classes` and `PATCH /api/v1/classes/{class_id}`."""

    model_config = example({"name": "2학년 3반"})

    name: Name


class MemberBody(Strict):
    """`POST /api/v1/classes/{class_id}/members`. Without `student_id` a new child is made. Without `animal` the child
    gets one that is still free in the class. Without `pictures` a pair is drawn; null means no picture lock. From a
    `birth_year` on the consents count; without it, what is recorded stays."""

    model_config = example({"nickname": "하늘", "animal": "turtle", "grade": 2, "birth_year": 2016})

    student_id: StudentId | None = None
    nickname: Nickname
    animal: Animal | None = None
    grade: Grade | None = None
    birth_year: BirthYear | None = None
    pictures: TwoPictures | None = None


class Member(NamedStudent):
    grade: int | None
    picture_lock: bool


class NewMember(Member):
    """`pictures`: the pair that was just set, which cannot be read again; null without a lock."""

    model_config = example({**_MEMBER, "pictures": [2, 7]})

    pictures: list[int] | None


class ClassView(Answer):
    model_config = example({"class_id": _EXAMPLE_ID, "name": "2학년 3반", "members": [_MEMBER]})

    class_id: str
    name: str
    members: list[Member]


class ClassList(Answer):
    model_config = example({"classes": [{"class_id": _EXAMPLE_ID, "name": "2학년 3반", "members": [_MEMBER]}]})

    classes: list[ClassView]


class DeviceCode(Answer):
    """Typed on a tablet, or shown as a QR code; it cannot be read again."""

    model_config = example({"enrol_code": "7KQM-2XRA", "expires_at": "2026-11-22T01:40:00+00:00"})

    enrol_code: str
    expires_at: Moment


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


class NewCard(Answer):
    """`path`: what the QR code of the card opens. It cannot be read again."""

    model_config = example({"secret": "q0vR…", "path": "/k#q0vR…"})

    secret: str
    path: str


class PdfBytes(Response):
    media_type = "application/pdf"


ClassTeacher = Annotated[Principal, Depends(caller_who(may_have_classes, fresh=True))]


async def class_of_caller(request: Request, who: ClassTeacher, class_id: ClassPath) -> SchoolClass:
    """404 for another teacher's class, as for one that does not exist."""
    found = await services_of(request).classes.find(class_id) if HEX_ID.fullmatch(class_id) else None
    if found is None or not may_see_class(who, found.owner_token, found.members):
        raise ApiProblem("not_found", "There is no such class.")
    return found


OwnClass = Annotated[SchoolClass, Depends(class_of_caller)]


@router.get("", summary="The classes that the caller may see", response_description="By name")
async def list_classes(request: Request, who: ClassTeacher, services: Services) -> ClassList:
    """A teacher sees those that this token made, and those in which it stands for every child."""
    found = [one for one in await services.classes.all() if may_see_class(who, one.owner_token, one.members)]
    await log_reads(request, who, "class", [each for one in found for each in one.members])
    return ClassList(classes=await _shown(services, *found))


@router.post("", status_code=201, summary="Make a class", response_description="Made")
async def create_class(
    response: Response, who: ClassTeacher, services: Services, sent: JsonBody[ClassBody]
) -> ClassView:
    class_id = await services.classes.create(sent.name, who.token_id)
    response.headers["Location"] = f"{router.prefix}/{class_id}"
    return ClassView(class_id=class_id, name=sent.name, members=[])


@router.get("/{class_id}", summary="A class and its children", response_description="The class")
async def view_class(request: Request, who: ClassTeacher, services: Services, one: OwnClass) -> ClassView:
    await log_reads(request, who, "class", one.members)
    return (await _shown(services, one))[0]


@router.patch("/{class_id}", summary="Rename a class", response_description="Renamed")
async def rename_class(
    request: Request, who: ClassTeacher, services: Services, one: OwnClass, sent: JsonBody[ClassBody]
) -> ClassView:
    await log_reads(request, who, "class", one.members)
    await services.classes.rename(one.class_id, sent.name)
    return (await _shown(services, SchoolClass(one.class_id, sent.name, one.owner_token, one.members)))[0]


@router.post(
    "/{class_id}/members",
    status_code=201,
    summary="Add a child to a class",
    response_description="In the class",
    responses=errors("nickname_taken"),
)
async def add_member(
    request: Request, who: ClassTeacher, services: Services, one: OwnClass, sent: JsonBody[MemberBody]
) -> NewMember:
    """A child that is new belongs to this teacher from now on; another one must be the teacher's already. An admin may
    add any."""
    student_id = sent.student_id or f"child-{uuid.uuid4().hex[:12]}"
    if sent.student_id is not None and not is_allowed(who, "manage", student_id):
        raise ApiProblem("not_found", "There is no such student.")
    records = services.learners.records
    others = await records.profiles([each for each in one.members if each != student_id])
    free = [each for each in ANIMALS if each not in {other.animal for other in others.values()}]
    animal = sent.animal or random.SystemRandom().choice(free or ANIMALS)
    pictures = sent.pictures
    if "pictures" not in sent.model_fields_set:
        pictures = sorted(secrets.SystemRandom().sample(range(1, 10), _PAIR))
    change: StudentChange = {"nickname": sent.nickname, "animal": animal, "grade": sent.grade}
    if sent.birth_year is not None:
        change["birth_year"] = sent.birth_year
    if not await records.change(student_id, change, joins=one.class_id):
        raise nickname_taken(sent.nickname)
    await records.set_pictures(student_id, pictures)
    await services.classes.entrust(one, student_id, who)
    services.tokens.forget()
    services.sign_ins.forget()
    services.learners.consent_standings.forget(student_id)
    await log_access(request, who, "class", student_id, "change")
    profile = (await records.profiles([student_id]))[student_id]
    return NewMember(**_member(profile).model_dump(), pictures=pictures)


@router.delete(
    "/{class_id}/members/{student_id}",
    status_code=204,
    summary="Take a child out of a class",
    response_description="It has no tile there any more",
)
async def remove_member(
    request: Request, who: ClassTeacher, services: Services, one: OwnClass, student_id: StudentPath
) -> None:
    """Its records stay, and so does who may see them."""
    if not await services.classes.remove_member(one.class_id, student_id):
        raise ApiProblem("not_found", "There is no such student.")
    await log_access(request, who, "class", student_id, "change")


@router.post(
    "/{class_id}/device-codes",
    status_code=201,
    summary="A code that makes tablets those of the class",
    response_description="The code, which cannot be read again",
)
async def create_device_code(services: Services, one: OwnClass) -> DeviceCode:
    """For half an hour and any number of tablets; a new one takes its place."""
    code, until = await services.classes.new_code(one.class_id)
    half = len(code) // 2
    return DeviceCode(enrol_code=f"{code[:half]}-{code[half:]}", expires_at=until)


@router.get("/{class_id}/devices", summary="The tablets of a class", response_description="The oldest first")
async def list_devices(services: Services, one: OwnClass) -> ClassTablets:
    found = await services.sign_ins.tablets_of(one.class_id)
    return ClassTablets(devices=[from_row(ClassTablet, each, device_id=each.tablet_id) for each in found])


@router.delete(
    "/{class_id}/devices/{device_id}",
    status_code=204,
    summary="End a tablet",
    response_description="The tablet is signed out",
)
async def end_device(
    services: Services, one: OwnClass, device_id: Annotated[str, Path(description="As the list gives it.")]
) -> None:
    """It shows no tiles any more, and children who signed in on it are signed out; other workers follow within five
    seconds."""
    if not await services.sign_ins.end_tablet(one.class_id, device_id):
        raise ApiProblem("not_found", "There is no such tablet.")


@router.post(
    "/{class_id}/cards",
    summary="New cards for all children of a class, to print",
    response_description="A PDF with a QR code for each child",
    response_class=PdfBytes,
    responses=PDF,
)
async def print_cards(request: Request, who: ClassTeacher, services: Services, one: OwnClass) -> PdfBytes:
    """The cards before are of no use any more."""
    page = str(request.base_url)
    if len(page) > LARGEST - len("k#") - len(secrets.token_urlsafe(32)):
        raise ApiProblem("invalid_input", "The address of this service is too long for a QR code.")
    records = services.learners.records
    shown = []
    for student_id, profile in (await records.profiles(one.members)).items():
        await log_access(request, who, "card", student_id, "change")
        code = qr_svg(f"{page}k#{await records.new_card(student_id)}")
        animal = ANIMAL_NAMES.get(profile.animal, "") if profile.animal else ""
        shown.append({"name": profile.nickname or student_id, "animal": animal, "code": code})
    issued = datetime.now(UTC)
    day = school_date(issued)
    data = json.dumps({"title": one.name, "issued": f"{day.year}년 {day.month}월 {day.day}일", "cards": shown})
    pdf = await asyncio.to_thread(_renderer.pdf, "cards", data, issued)
    headers = {"Content-Disposition": 'attachment; filename="cards.pdf"', "Cache-Control": "private, no-store"}
    return PdfBytes(pdf.content, headers=headers)


@cards.post(
    "", status_code=201, summary="A new card for a child", response_description="Its secret, which cannot be read again"
)
async def create_card(request: Request, who: StudentManager, services: Services, student_id: StudentPath) -> NewCard:
    """The card before is of no use any more."""
    await log_access(request, who, "card", student_id, "change")
    secret = await services.learners.records.new_card(student_id)
    return NewCard(secret=secret, path=f"/k#{secret}")


def nickname_taken(nickname: str) -> ApiProblem:
    """Within a class a nickname is given once: adults and models tell the children apart by it."""
    other = f"{nickname}2" if len(nickname) > _GIVEN_NAME else f"김{nickname}"
    korean = f"이 반에 이미 {with_particle(nickname, '이가')} 있어요. 성이나 숫자를 붙여 구별해 주세요 (예: {other})."
    english = f"another child of this class is called so: add a family name or a number, such as {other}"
    problem = {"loc": "body.nickname", "msg": english, "korean": korean}
    return ApiProblem("nickname_taken", f"body.nickname: {english}", errors=[problem])


async def _shown(services: Services, *found: SchoolClass) -> list[ClassView]:
    profiles = await services.learners.records.profiles({each for one in found for each in one.members})
    return [
        ClassView(class_id=one.class_id, name=one.name, members=[_member(profiles[each]) for each in one.members])
        for one in found
    ]


def _member(profile: StudentProfile) -> Member:
    return Member.model_validate(profile)
