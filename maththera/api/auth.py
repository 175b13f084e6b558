"""Who is calling, and whether the session or the student at hand is theirs. Every such route asks here."""

import re
from typing import TYPE_CHECKING, Final

from fastapi import Request

from maththera.api.problems import Problem
from maththera.learners.access import Action, Principal, may
from maththera.learners.database import StoreUnavailable

if TYPE_CHECKING:
    from maththera.api.resources import Resources

_SESSION_ID: Final = re.compile(r"[A-Za-z0-9_-]{1,64}")  # anything else never reaches a store


def resources(request: Request) -> "Resources":
    found: Resources = request.app.state.resources
    return found


async def caller(request: Request, *, fresh: bool = False) -> Principal:
    """The bearer of the token; 401 for none, an unknown or a revoked one. `fresh` where something of a child's begins:
    once it is being erased, no worker of the service lets that happen."""
    scheme, _, token = request.headers.get("authorization", "").partition(" ")
    if scheme.lower() != "bearer" or not token.strip():
        raise Problem("unauthorized", "Send Authorization: Bearer <token>.", headers={"WWW-Authenticate": "Bearer"})
    principal = await resources(request).tokens.find(token.strip(), fresh=fresh)
    if principal is None:
        challenge = 'Bearer error="invalid_token"'
        raise Problem("unauthorized", "The token is not known here.", headers={"WWW-Authenticate": challenge})
    return principal


async def speaker(request: Request, *, fresh: bool = False) -> Principal:
    """Who sends words, also while the records cannot be read: danger in the words is answered then, too. In that case
    it is the bearer whom this process saw last with the token; `away` gives the error for everything else."""
    try:
        return await caller(request, fresh=fresh)
    except StoreUnavailable as error:
        known = resources(request).tokens.known(request.headers["authorization"].partition(" ")[2].strip())
        if known is None:
            raise
        request.state.away = error
        return known


def away(request: Request) -> StoreUnavailable | None:
    """Why the caller is only known from before; None where it is known as ever."""
    found: StoreUnavailable | None = getattr(request.state, "away", None)
    return found


def authorize(who: Principal, action: Action, student_id: str, *, what: str = "session") -> None:
    """404 for what is somebody else's, so that nobody learns that it exists; 403 for what this role may only read."""
    if not may(who, "read", student_id):
        raise Problem("not_found", f"There is no such {what}.")
    if not may(who, action, student_id):
        raise _forbidden(who)


async def admit(
    request: Request, session_id: str, action: Action = "read", *, adults_only: bool = False, speaks: bool = False
) -> Principal:
    """The caller, if the session is theirs to do that with. `speaks`: as `speaker`."""
    who = await (speaker(request) if speaks else caller(request))
    if not _SESSION_ID.fullmatch(session_id):
        raise Problem("not_found", "There is no such session.")
    authorize(who, action, await resources(request).service.owner(session_id))
    if adults_only and who.role == "student":
        raise _forbidden(who)
    return who


def _forbidden(who: Principal) -> Problem:
    return Problem("forbidden", f"Not with the role {who.role}.")
