"""Signing in on a page of this service: cookies in place of tokens; and who is signed in."""

from datetime import datetime, timedelta
from typing import Annotated, Final, Literal

from fastapi import APIRouter, Request, Response
from pydantic import AfterValidator, Field

from maththera.api.http_layer.auth import (
    DEVICE_COOKIE,
    SESSION_COOKIE,
    Caller,
    FreshCaller,
    Services,
    credential,
    log_reads,
    require_own_page,
)
from maththera.api.http_layer.json_body import ApiRoute, JsonBody, SignInRoute
from maththera.api.http_layer.openapi_document import PUBLIC, Responses, errors
from maththera.api.http_layer.problem_details import ApiProblem, invalid_field
from maththera.api.http_layer.rate_limits import client_address
from maththera.api.http_layer.response_models import Answer, Moment, example, from_row
from maththera.json_types import JsonObject
from maththera.store.access.authorization import Principal, Role, may_have_classes, may_see_class
from maththera.store.access.sign_ins import ENROLLED_FOR, SIGNED_IN_FOR
from maththera.store.classes import CODE_LENGTH, CODE_LETTERS
from maththera.store.students import LOCKED_FOR, Animal, Picture
from maththera.tutoring.turns.events import Strict

auth = APIRouter(prefix="/api/v1/auth", tags=["sign-in"], route_class=SignInRoute)
me = APIRouter(prefix="/api/v1/me", tags=["sign-in"], route_class=ApiRoute)

_PAGE_ONLY: Final = "Only for a page of this service: with its `Origin` and `X-Maththera: 1`."
_REFUSALS: Final = errors("unauthorized", "cross_site", "too_many_requests")
_CHILD_REFUSALS: Final = errors("unauthorized", "wrong_pictures", "not_found", "call_teacher")
_COOKIE: Final[Responses] = {
    204: {"headers": {"Set-Cookie": {"description": "HttpOnly, SameSite=Strict.", "schema": {"type": "string"}}}}
}
_SIGNS_IN: Final[JsonObject] = {"status_code": 204, "response_description": "Signed in", "openapi_extra": PUBLIC}
_CALL_TEACHER: Final = "선생님을 불러 줘."
_LOOK_AGAIN: Final = "그림을 다시 골라 볼래?"

Secret = Annotated[str, Field(min_length=1, max_length=128)]


def _two(pictures: list[int]) -> list[int]:
    if len(set(pictures)) != len(pictures):
        raise ValueError("must be two different pictures")
    return pictures


TwoPictures = Annotated[
    list[Picture], Field(min_length=2, max_length=2, json_schema_extra={"uniqueItems": True}), AfterValidator(_two)
]


class SignInBody(Strict):
    """`POST /api/v1/auth/sessions`."""

    model_config = example({"token": "XBy0…"})

    token: Secret


class EnrolBody(Strict):
    """`POST /api/v1/auth/devices`. The code may be written small, and with spaces or a hyphen in it."""

    model_config = example({"enrol_code": "7KQM-2XRA"})

    enrol_code: Annotated[str, Field(min_length=1, max_length=32)]


class TileBody(Strict):
    """`POST /api/v1/auth/child`. `pictures`: in any order; only for a tile with a picture lock."""

    model_config = example({"tile_id": "0c6ff1f2a2d64e1f8c1bb7f3d1a5a9d0", "pictures": [2, 7]})

    tile_id: Annotated[str, Field(min_length=1, max_length=64)]
    pictures: TwoPictures | None = None


class CardBody(Strict):
    """`POST /api/v1/auth/card`. The QR code opens `/k#secret`: what stands behind # is never sent or logged."""

    model_config = example({"secret": "q0vR…"})

    secret: Secret


class Tile(Answer):
    """A child of the tablet's class. `picture_lock`: it signs in with two pictures."""

    tile_id: str
    nickname: str
    animal: Animal | None
    picture_lock: bool


class Tiles(Answer):
    model_config = example(
        {"tiles": [{"tile_id": "0c6ff1f2…", "nickname": "하늘", "animal": "turtle", "picture_lock": True}]}
    )

    tiles: list[Tile]


class NamedStudent(Answer):
    student_id: str
    nickname: str | None
    animal: Animal | None


class OwnStudent(NamedStudent):
    """`called`: what adults call it, as in `GET /api/v1/students`."""

    called: str


class Preferences(Strict):
    """`hand`: the side of the number pad. `sound`: soft tones. `read_aloud`: the loudspeaker beside each line. `voice`:
    spoken answers, which need the consent `voice`. `pad`: digits in one row, or three by four. `wait`: false where a
    long silence at a task is never sent as a timeout."""

    model_config = example({"hand": "left", "read_aloud": True, "font_scale": 1.25, "theme": "system", "pad": "row"})

    hand: Literal["right", "left"] = "right"
    sound: bool = False
    read_aloud: bool = True
    voice: bool = False
    font_scale: Annotated[float, Field(ge=1, le=2)] = 1.0
    theme: Literal["system", "light", "dark"] = "system"
    pad: Literal["row", "grid"] = "row"
    wait: bool = True


class NamedClass(Answer):
    class_id: str
    name: str


class Me(Answer):
    """`students`: those that the caller stands for; an admin stands for none by name. `classes`: of a teacher or an
    admin, by name. `expires_at`: when the sign-in or the token ends."""

    model_config = example(
        {
            "role": "student",
            "students": [{"student_id": "s1", "nickname": "하늘", "called": "하늘", "animal": "turtle"}],
            "classes": [],
            "expires_at": "2026-11-22T15:10:00+00:00",
            "prefs": Preferences().model_dump(),
        }
    )

    role: Role
    students: list[OwnStudent]
    classes: list[NamedClass]
    expires_at: Moment | None
    prefs: Preferences


@auth.post(
    "/sessions",
    summary="Sign in with a token",
    description=f"The cookie stands for the token, for twelve hours or until the token ends. {_PAGE_ONLY}",
    responses=_COOKIE | _REFUSALS,
    **_SIGNS_IN,
)
async def sign_in_with_token(request: Request, services: Services, sent: JsonBody[SignInBody]) -> Response:
    who = await services.tokens.find(sent.token, fresh=True)
    if who is None:
        raise await _refused(request, services)
    secret = await services.sign_ins.adult(who, services.tokens.expires_at(sent.token), _before(request))
    return _with_cookie(request, SESSION_COOKIE, secret, SIGNED_IN_FOR)


@auth.post(
    "/devices",
    status_code=204,
    summary="Make this tablet one of a class",
    description=f"Its cookie shows the tiles of that class, and nothing else. {_PAGE_ONLY}",
    response_description="The tablet is one of the class",
    responses=_COOKIE | _REFUSALS,
    openapi_extra=PUBLIC,
)
async def enrol_device(request: Request, services: Services, sent: JsonBody[EnrolBody]) -> Response:
    code = "".join(letter for letter in sent.enrol_code.upper() if letter in CODE_LETTERS)
    class_id = await services.classes.of_code(code) if len(code) == CODE_LENGTH else None
    if class_id is None:
        raise await _refused(request, services)
    secret = await services.sign_ins.device(class_id, request.cookies.get(DEVICE_COOKIE))
    return _with_cookie(request, DEVICE_COOKIE, secret, ENROLLED_FOR)


@auth.get(
    "/tiles",
    summary="The children of this tablet's class",
    response_description="Their tiles, in the order in which they joined",
    responses=errors("unauthorized", "too_many_requests"),
    openapi_extra=PUBLIC,
)
async def list_tiles(request: Request, services: Services) -> Tiles:
    """Without a tablet's cookie 401: the page then asks for an enrolment code."""
    members = await _members(request, services)
    profiles = await services.learners.records.profiles(members)
    tiles = [
        from_row(Tile, one, tile_id=members[each], nickname=one.nickname or each) for each, one in profiles.items()
    ]
    return Tiles(tiles=tiles)


@auth.post(
    "/child",
    summary="Sign in as a child of this tablet's class",
    description=(
        "A tile, and two pictures where it has a lock. After five wrong pairs this child may not try until ten minutes "
        f"have passed. `detail` of a refusal is a sentence for the child. {_PAGE_ONLY}"
    ),
    responses=_COOKIE | _CHILD_REFUSALS,
    **_SIGNS_IN,
)
async def sign_in_child(request: Request, services: Services, sent: JsonBody[TileBody]) -> Response:
    members = await _members(request, services)
    student_id = next((each for each, tile_id in members.items() if tile_id == sent.tile_id), None)
    if student_id is None:
        raise ApiProblem("not_found", "There is no such tile.")
    records = services.learners.records
    if (await records.profiles([student_id]))[student_id].picture_lock:
        if sent.pictures is None:
            needed = "Two pictures are needed for this tile"
            raise invalid_field("body.pictures", needed, needed)
        await _check_pictures(services, student_id, sent.pictures)
    return await _signed_in(request, services, student_id, "tile")


@auth.post("/card", summary="Sign in with a card", description=_PAGE_ONLY, responses=_COOKIE | _REFUSALS, **_SIGNS_IN)
async def sign_in_with_card(request: Request, services: Services, sent: JsonBody[CardBody]) -> Response:
    student_id = await services.learners.records.of_card(sent.secret)
    if student_id is None:
        raise await _refused(request, services)
    return await _signed_in(request, services, student_id, "card")


@auth.delete(
    "/sessions",
    status_code=204,
    summary="Sign out",
    description=f"The tablet stays one of its class. {_PAGE_ONLY}",
    response_description="Signed out",
    responses=errors("cross_site", "too_many_requests"),
    openapi_extra=PUBLIC,
)
async def sign_out(request: Request, services: Services) -> Response:
    require_own_page(request)
    if before := _before(request):
        await services.sign_ins.end(before)
    response = Response(status_code=204)
    response.delete_cookie(SESSION_COOKIE, httponly=True, samesite="strict", secure=request.url.scheme == "https")
    return response


@me.get("", summary="Who is signed in", response_description="The caller")
async def view_me(request: Request, who: Caller, services: Services) -> Me:
    return await _me(request, services, who)


@me.put(
    "/prefs",
    summary="Set what the page shall be like",
    response_description="Set",
    responses=errors("consent_needed"),
)
async def set_preferences(request: Request, who: FreshCaller, services: Services, sent: JsonBody[Preferences]) -> Me:
    """All at once: what is left out is as at first. Kept for the child, or for the adult's token."""
    student_id = _child(who)
    if student_id is None:
        await services.tokens.set_prefs(who.token_id, sent.model_dump())
    else:
        if sent.voice and not (await services.learners.consent_standings.standing(student_id, fresh=True)).voice:
            raise ApiProblem("consent_needed", services.learners.privacy.consent_needed.replace("learning", "voice"))
        await services.learners.records.change(student_id, {"prefs": sent.model_dump()})
    return await _me(request, services, who)


async def _me(request: Request, services: Services, who: Principal) -> Me:
    student_id, sent = _child(who), credential(request)
    await log_reads(request, who, "roster", who.subject)
    profiles = await services.learners.records.profiles(sorted(who.subject))
    if student_id is None:
        prefs = Preferences.model_validate(await services.tokens.prefs(who.token_id))
    else:
        prefs = Preferences.model_validate(await services.learners.records.prefs(student_id))
        standing = await services.learners.consent_standings.standing(student_id)
        prefs = prefs.model_copy(update={"voice": prefs.voice and standing.voice})
    expires_at: datetime | None = sent.among.expires_at(sent.secret) if sent else None
    called = (await services.learners.records.names(profiles)).names
    students = [from_row(OwnStudent, one, called=called[one.student_id]) for one in profiles.values()]
    found = await services.classes.all() if may_have_classes(who) else []
    seen = [one for one in found if may_see_class(who, one.owner_token, one.members)]
    classes = [NamedClass.model_validate(one) for one in seen]
    return Me(role=who.role, students=students, classes=classes, expires_at=expires_at, prefs=prefs)


def _child(who: Principal) -> str | None:
    """The child, if the caller is one."""
    return next(iter(who.subject)) if who.role == "student" else None


async def _members(request: Request, services: Services) -> dict[str, str]:
    """Student id → tile id of the class of this tablet."""
    secret = request.cookies.get(DEVICE_COOKIE)
    class_id = await services.sign_ins.class_of_device(secret) if secret else None
    found = await services.classes.find(class_id) if class_id else None
    if found is None:
        await services.traffic.count("without_token", client_address(request.scope))
        raise ApiProblem("unauthorized", "This tablet is not one of a class.")
    return found.members


async def _check_pictures(services: Services, student_id: str, pictures: list[int]) -> None:
    outcome = await services.learners.records.try_pictures(student_id, pictures)
    if outcome == "wrong":
        raise ApiProblem("wrong_pictures", _LOOK_AGAIN)
    if outcome == "locked":
        await services.learners.access_log.signed_in("tile", student_id, locked=True)
        headers = {"Retry-After": str(int(LOCKED_FOR.total_seconds()))}
        raise ApiProblem("call_teacher", _CALL_TEACHER, headers=headers)


async def _signed_in(request: Request, services: Services, student_id: str, how: Literal["tile", "card"]) -> Response:
    secret = await services.sign_ins.child(student_id, _before(request), request.cookies.get(DEVICE_COOKIE))
    await services.learners.access_log.signed_in(how, student_id)
    return _with_cookie(request, SESSION_COOKIE, secret, SIGNED_IN_FOR)


def _before(request: Request) -> str | None:
    """The secret of the sign-in that the new one takes the place of."""
    return request.cookies.get(SESSION_COOKIE)


def _with_cookie(request: Request, name: str, secret: str, lives: timedelta) -> Response:
    response = Response(status_code=204)
    response.set_cookie(
        name,
        secret,
        max_age=int(lives.total_seconds()),
        httponly=True,
        secure=request.url.scheme == "https",
        samesite="strict",
    )
    return response


async def _refused(request: Request, services: Services) -> ApiProblem:
    """For an unknown secret or code. Each try counts towards the limit."""
    await services.traffic.count("wrong_tokens", client_address(request.scope))
    return ApiProblem("unauthorized", "It is not known here.")
