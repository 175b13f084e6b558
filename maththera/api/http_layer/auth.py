"""The caller of a request and their rights; consents; the log of accesses to a child's records."""

from collections.abc import Awaitable, Callable, Iterable
from contextlib import nullcontext, suppress
from dataclasses import dataclass
from typing import Annotated, Final, TypeAlias
from urllib.parse import urlsplit

from fastapi import Depends, Request

from maththera.api.http_layer.problem_details import ApiProblem
from maththera.api.http_layer.rate_limits import Kind, TooManyRequests, client_address
from maththera.api.services import OpenServices
from maththera.llm.model_client import allow_models
from maththera.store.access.access_log import Access
from maththera.store.access.authorization import Action, Principal, Role, is_allowed
from maththera.store.access.credentials import Credentials
from maththera.store.database import StoreUnavailable

SESSION_COOKIE: Final = "maththera_session"
DEVICE_COOKIE: Final = "maththera_device"

_READS: Final = ("GET", "HEAD", "OPTIONS")


def services_of(request: Request) -> OpenServices:
    found: OpenServices = request.app.state.services
    return found


async def _services(request: Request) -> OpenServices:
    return services_of(request)


Services: TypeAlias = Annotated[OpenServices, Depends(_services)]
"""`OpenServices` as the parameter of a route."""


def caller_who(
    allowed: Callable[[Principal], bool] = lambda _: True, *, fresh: bool = False, speaks: bool = False
) -> Callable[[Request], Awaitable[Principal]]:
    """A dependency: `caller`, or with `speaks` `message_sender`; 403 for one who is not `allowed`. Where the caller
    `speaks`, danger in the words is to be answered before anything else is."""

    async def admitted(request: Request) -> Principal:
        who = await (message_sender if speaks else caller)(request, fresh=fresh)
        if not allowed(who):
            raise forbidden(who)
        return who

    return admitted


def caller_with(*roles: Role, fresh: bool = False) -> Callable[[Request], Awaitable[Principal]]:
    """A dependency: the caller, with one of these roles."""
    return caller_who(lambda who: who.role in roles, fresh=fresh)


Caller: TypeAlias = Annotated[Principal, Depends(caller_who())]
FreshCaller: TypeAlias = Annotated[Principal, Depends(caller_who(fresh=True))]


async def check_token(request: Request) -> None:
    """Problem 401 for a missing, unknown or revoked token, before anything else of the request is read. The request is
    not counted yet. While the records cannot be read, the route's own dependency decides."""
    with suppress(StoreUnavailable):
        await _bearer(request, fresh=False)


async def caller(request: Request, *, fresh: bool = False) -> Principal:
    """The bearer of the token or the cookie. Problems: 401 if it is missing, unknown or expired, 429 for too many
    requests.

    `fresh`: looked up in the database, not in this worker's cache. Routes that create a child's records need it, so
    that no worker adds any while the child is being erased."""
    who = await _bearer(request, fresh=fresh)
    await services_of(request).traffic.count(who.role, who.token_id)
    await _wait_for_slot(request, who)
    return who


async def message_sender(request: Request, *, fresh: bool = False) -> Principal:
    """As `caller`, for routes that take words of people: danger is answered even if a limit or a lost database refuses
    everything else. `deferred_error` then holds that refusal. While the records cannot be read, the caller is the one
    for whom this process last found the token."""
    try:
        who = await _bearer(request, fresh=fresh)
        await services_of(request).traffic.count(who.role, who.token_id)
    except (StoreUnavailable, TooManyRequests) as error:
        sent = credential(request)
        known = sent.among.known(sent.secret) if sent else None
        if known is None:
            raise
        request.state.deferred_error, who = error, known
    await _wait_for_slot(request, who)
    return who


def deferred_error(request: Request) -> StoreUnavailable | ApiProblem | None:
    """The refusal to raise once the words are known to hold no danger; None if there is none."""
    found: StoreUnavailable | ApiProblem | None = getattr(request.state, "deferred_error", None)
    return found


async def _bearer(request: Request, *, fresh: bool) -> Principal:
    found, sent = services_of(request), credential(request)
    if sent is None:
        detail = "Send Authorization: Bearer <token>, or sign in."
        raise ApiProblem("unauthorized", detail, headers={"WWW-Authenticate": "Bearer"})
    if sent.cookie:
        require_own_page(request)
    address = client_address(request.scope)
    kind: Kind = "without_token" if sent.cookie else "wrong_tokens"  # in the morning all cookies of a school have ended
    suspect = sent.among.known(sent.secret) is None and found.traffic.rates.exceeded(kind, address)
    async with found.traffic.lookups if suspect else nullcontext():
        principal = await sent.among.find(sent.secret, fresh=fresh)
    if principal is None:
        await found.traffic.count(kind, address)
        challenge = 'Bearer error="invalid_token"'
        raise ApiProblem("unauthorized", "The token is not known here.", headers={"WWW-Authenticate": challenge})
    if principal.role != "student":
        found.tokens.used(principal.token_id)
    return principal


@dataclass(frozen=True, slots=True)
class Credential:
    """The secret that a request came with, in a cookie or as a bearer token, and where it is looked up."""

    secret: str
    among: Credentials
    cookie: bool


def credential(request: Request) -> Credential | None:
    """The credential of a request, a token before a cookie; None without either."""
    found = services_of(request)
    if "authorization" in request.headers:
        scheme, _, token = request.headers["authorization"].partition(" ")
        bearer = scheme.lower() == "bearer" and token.strip()
        return Credential(bearer, found.tokens, cookie=False) if bearer else None
    secret = request.cookies.get(SESSION_COOKIE)
    return Credential(secret, found.sign_ins, cookie=True) if secret else None


def require_own_page(request: Request) -> None:
    """Problem `cross_site` for a request that writes and was not made by a page of this service: browsers let no other
    page set the header `X-Maththera` here, and set `Origin` themselves."""
    if request.method in _READS:
        return
    host = urlsplit(request.headers.get("origin", "")).netloc
    if not host or host != request.headers.get("host") or request.headers.get("x-maththera") != "1":
        raise ApiProblem("cross_site", "Send Origin of this host and X-Maththera: 1.")


async def _wait_for_slot(request: Request, who: Principal) -> None:
    """Waits until the token has fewer requests at work than it may; `RequestMiddleware` frees the slot."""
    request.state.place = await services_of(request).traffic.shares.place(who.token_id)


def authorize(who: Principal, action: Action, student_id: str, *, what: str = "session") -> None:
    """Problems: 404 for another person's record, which does not reveal that it exists; 403 if this role may only read
    it."""
    if not is_allowed(who, "read", student_id):
        raise ApiProblem("not_found", f"There is no such {what}.")
    if not is_allowed(who, action, student_id):
        raise forbidden(who)


async def require_consents(
    request: Request, student_id: str, *, fresh: bool = False, learns: bool = True, speaks: bool = False
) -> None:
    """Lets this request ask a language model only with that consent for this child. `learns`: Problem `consent_needed`
    without a guardian's consent to learning. `speaks`: a refusal is deferred, as by `message_sender`. `fresh`: without
    the cache."""
    found = services_of(request).learners
    try:
        standing = await found.consent_standings.standing(student_id, fresh=fresh)
    except StoreUnavailable as error:
        allow_models(False)
        if not speaks:
            raise
        request.state.deferred_error = deferred_error(request) or error
        return
    allow_models(standing.model)
    if learns and not standing.learning:
        problem = ApiProblem("consent_needed", found.privacy.consent_needed)
        if not speaks:
            raise problem
        request.state.deferred_error = deferred_error(request) or problem


async def log_access(
    request: Request, who: Principal, what: str, student_id: str | None, access: Access = "read"
) -> None:
    """Logs an adult's access to a child's records, and sets the header that says so."""
    await log_reads(request, who, what, [student_id], access)


async def log_reads(
    request: Request, who: Principal, what: str, student_ids: Iterable[str | None], access: Access = "read"
) -> None:
    """Logs access to several children, as `log_access` does for one. Skips None."""
    about = {each for each in student_ids if each is not None}
    if who.role != "student" and about:
        await services_of(request).learners.access_log.add(who, access, what, *about)
        request.scope["state"]["access_logged"] = True


def forbidden(who: Principal) -> ApiProblem:
    return ApiProblem("forbidden", f"Not with the role {who.role}.")
