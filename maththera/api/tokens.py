"""Access tokens: who may use the service. For admins."""

from datetime import UTC, datetime, timedelta
from typing import Annotated, Final

from fastapi import APIRouter, Depends, Path
from pydantic import Field, StringConstraints

from maththera.api.http_layer.auth import Services, caller_with
from maththera.api.http_layer.identifiers import StudentId
from maththera.api.http_layer.json_body import ApiRoute, JsonBody
from maththera.api.http_layer.openapi_document import errors
from maththera.api.http_layer.problem_details import ApiProblem, invalid_field
from maththera.api.http_layer.response_models import Answer, Moment, example
from maththera.json_types import JsonObject
from maththera.store.access.authorization import Principal, Role
from maththera.tutoring.turns.events import Strict

_admin: Final = caller_with("admin", fresh=True)
Admin = Annotated[Principal, Depends(_admin)]

router = APIRouter(prefix="/api/v1/tokens", tags=["running"], route_class=ApiRoute, dependencies=[Depends(_admin)])

_SHOWN: Final[JsonObject] = {
    "token_id": "5f2c8a91b7d0",
    "role": "teacher",
    "subject": ["s1", "s2"],
    "label": "김 선생님",
    "created_at": "2026-11-02T01:10:00+00:00",
    "expires_at": None,
    "revoked_at": None,
    "last_used_at": "2026-11-22T01:10:00+00:00",
}
_MOST_STUDENTS: Final = 1_000

Label = Annotated[str, StringConstraints(strip_whitespace=True, max_length=80, pattern=r"^[^\x00-\x1f]*$")]
TokenId = Annotated[str, Path(description="As the list gives it.")]


class NewTokenBody(Strict):
    """`POST /api/v1/tokens`. `subject`: one student for a student, any number for a guardian or a teacher, none for an
    author or an admin. `days`: until it ends; without it, it does not end by itself."""

    model_config = example({"role": "teacher", "subject": ["s1", "s2"], "label": "김 선생님", "days": 365})

    role: Role
    subject: Annotated[tuple[StudentId, ...], Field(max_length=_MOST_STUDENTS)] = ()
    label: Label = ""
    days: Annotated[int | None, Field(ge=1, le=3_650)] = None


class TokenView(Answer):
    """A token without its secret. `last_used_at`: to the minute; null if it never was."""

    token_id: str
    role: Role
    subject: list[str]
    label: str
    created_at: Moment
    expires_at: Moment | None
    revoked_at: Moment | None
    last_used_at: Moment | None


class TokenList(Answer):
    model_config = example({"tokens": [_SHOWN]})

    tokens: list[TokenView]


class NewToken(Answer):
    """`token`: the secret, which cannot be read again."""

    model_config = example({"token": "q0vR…"})

    token: str


@router.get("", summary="All tokens ever made", response_description="The oldest first")
async def list_tokens(services: Services) -> TokenList:
    return TokenList(tokens=[TokenView.model_validate(one) for one in await services.tokens.list()])


@router.post("", status_code=201, summary="Make a token", response_description="Its secret, which cannot be read again")
async def create_token(who: Admin, services: Services, sent: JsonBody[NewTokenBody]) -> NewToken:
    expires_at = datetime.now(UTC) + timedelta(days=sent.days) if sent.days else None
    try:
        token = await services.tokens.create(sent.role, sent.subject, label=sent.label, expires_at=expires_at)
    except ValueError as error:
        raise invalid_field("body.subject", str(error)) from None
    await services.learners.access_log.add(who, "change", "token", *sent.subject)
    return NewToken(token=token)


@router.post(
    "/{token_id}/rotate",
    summary="Give a token another secret",
    response_description="The new secret, which cannot be read again",
    responses=errors("own_token"),
)
async def rotate_token(who: Admin, services: Services, token_id: TokenId) -> NewToken:
    """What belongs to the token stays: its classes, runs and conversations. The secret before is of no use any more;
    other workers follow within five seconds. Not the caller's own."""
    _refuse_own(who, token_id)
    token = await services.tokens.rotate(token_id)
    if token is None:
        raise _unknown()
    return NewToken(token=token)


@router.delete(
    "/{token_id}",
    status_code=204,
    summary="End a token",
    response_description="It is of no use any more",
    responses=errors("own_token"),
)
async def revoke_token(who: Admin, services: Services, token_id: TokenId) -> None:
    """Other workers follow within five seconds. Not the caller's own."""
    _refuse_own(who, token_id)
    if not await services.tokens.revoke(token_id):
        raise _unknown()


def _refuse_own(who: Principal, token_id: str) -> None:
    """Else an admin could lock everybody out."""
    if token_id == who.token_id:
        raise ApiProblem("own_token", "Use another admin's token for that.")


def _unknown() -> ApiProblem:
    return ApiProblem("not_found", "There is no such live token.")
