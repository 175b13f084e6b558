"""The frame of every request: its id, its log line, its time, and the net under it.

Plain ASGI: a turn passes here too, and Starlette's BaseHTTPMiddleware would cost it a task and two queues.
"""

import asyncio
import logging
import re
import time
from collections.abc import Iterable
from typing import Any, Final
from urllib.parse import parse_qsl
from uuid import uuid4

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from maththera.api.http_layer.auth import SESSION_COOKIE
from maththera.api.http_layer.metrics import Metrics
from maththera.api.http_layer.problem_details import NUL, ApiProblem, invalid_input
from maththera.api.http_layer.rate_limits import TooManyRequests, client_address
from maththera.runtime.logging import request_id_var
from maththera.runtime.tracing import span

log = logging.getLogger(__name__)

_ACCEPTED_ID: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_UNROUTED: Final = "(none)"  # one label for all unknown addresses, so that a scanner can't fill the metrics
_LOGGED: Final = (b"x-access-logged", b"true")  # adults see that their look at a child's records was kept
_EVERYWHERE: Final = (
    (b"x-content-type-options", b"nosniff"),  # no browser may run what a child wrote as a script
    (b"referrer-policy", b"no-referrer"),  # a signed link is a key
    (b"x-frame-options", b"DENY"),
)
_POLICY: Final = (b"content-security-policy", b"default-src 'none'; frame-ancestors 'none'; base-uri 'none'")
_DOCS_POLICY: Final = (
    b"content-security-policy",
    b"default-src 'self'; script-src 'self' 'unsafe-inline'; style-src 'self' 'unsafe-inline'; img-src 'self' data:; "
    b"frame-ancestors 'none'; base-uri 'none'; form-action 'none'",
)
_DOCS: Final = ("/docs", "/swagger")  # Swagger UI starts itself in a script of its page
_HTTPS_ONLY: Final = (b"strict-transport-security", b"max-age=31536000; includeSubDomains")
_CLIENT_GONE: Final = 499  # for the log and the metrics: the client has gone before the answer
_COOKIE: Final = f"{SESSION_COOKIE}=".encode()
_QUIET: Final = frozenset({"/healthz", "/readyz", "/metrics"})


class RequestMiddleware:
    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = _request_id(scope)
        token = request_id_var.set(request_id)
        started, status, complete = time.perf_counter(), 0, False
        state = scope.setdefault("state", {})
        inner = {**scope, "method": "GET"} if scope["method"] == "HEAD" else scope

        async def send_framed(message: Message) -> None:
            nonlocal status, complete
            complete = message["type"] == "http.response.body" and not message.get("more_body")
            if message["type"] == "http.response.start":
                status = message["status"]
                logged = [_LOGGED] if state.get("access_logged") else []
                own = [*_secure(scope, message["headers"]), *logged, (b"x-request-id", request_id.encode())]
                message["headers"] = [*message["headers"], *own]
            await send(message)

        with span("http.request", request_id=request_id) as current:
            try:
                app = await _refusal(scope) or self.app
                await (app if inner is scope else _head_response(app))(inner, receive, send_framed)
            except ClientDisconnect:
                status = _CLIENT_GONE
            except Exception:
                log.exception("request failed")
                if status:
                    raise  # half an answer is out: the server must break the connection
                await ApiProblem("internal", "The request id finds it in the log.").response()(
                    scope, receive, send_framed
                )
            finally:
                if complete and "place" in state:  # who leaves before the end keeps the place for its time
                    state["place"].free()
                self._finish(scope, inner.get("route"), status, time.perf_counter() - started, current)
                request_id_var.reset(token)

    def _finish(self, scope: Scope, found: object, status: int, seconds: float, current: Any) -> None:
        route = getattr(found, "path", _UNROUTED)
        self.metrics.request(scope["method"], route, status, seconds)
        if current is not None:
            current.set_attributes(
                {"http.request.method": scope["method"], "http.route": route, "http.response.status_code": status}
            )
        level = logging.DEBUG if route in _QUIET else logging.INFO
        log.log(level, "%s %s %d %.1f ms", scope["method"], route, status, seconds * 1000)


def _head_response(app: ASGIApp) -> ASGIApp:
    """A HEAD is a GET without the body: after the headers the client seems to be gone, so that no stream continues."""

    async def answer(scope: Scope, _: Receive, send: Send) -> None:
        started, complete = asyncio.Event(), False

        async def left() -> Message:
            await started.wait()
            return {"type": "http.disconnect"}

        async def send_headers(message: Message) -> None:
            nonlocal complete
            if message["type"] == "http.response.body":
                complete = not message.get("more_body")
                message = {**message, "body": b""}
            await send(message)
            started.set()

        await app(scope, left, send_headers)
        if started.is_set() and not complete:
            await send({"type": "http.response.body"})

    return answer


def _secure(scope: Scope, sent: Iterable[tuple[bytes, bytes]]) -> list[tuple[bytes, bytes]]:
    """The security headers; an answer's own policy stays. HSTS only behind https, where browsers heed it."""
    policy = _DOCS_POLICY if scope["path"].startswith(_DOCS) else _POLICY
    own = [] if any(name == policy[0] for name, _ in sent) else [policy]
    return [*_EVERYWHERE, *own, *([_HTTPS_ONLY] if scope["scheme"] == "https" else [])]


async def _refusal(scope: Scope) -> Response | None:
    """The refusal of too many requests without a token, and of a query with U+0000, which PostgreSQL does not take
    (`json_body` checks bodies); else None."""
    if scope["path"] not in _QUIET and not _is_counted_later(scope):
        try:
            await scope["app"].state.services.traffic.rates.check("without_token", client_address(scope))
        except TooManyRequests as error:
            return error.response()
    if b"%00" not in scope["query_string"]:
        return None
    found = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    return invalid_input(
        {"loc": ("query", name), "msg": NUL} for name, value in found if "\0" in name + value
    ).response()


def _is_counted_later(scope: Scope) -> bool:
    """Whether the request has a token or a cookie, by which it is counted later. A sign-in has none."""
    sent = any(name == b"authorization" or (name == b"cookie" and _COOKIE in value) for name, value in scope["headers"])
    return sent and not scope["path"].startswith("/api/v1/auth")


def _request_id(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _ACCEPTED_ID.fullmatch(value):
            return str(value.decode())
    return uuid4().hex
