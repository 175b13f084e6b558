"""The frame of every request: its id, its log line, its time, and the net under it.

Plain ASGI: a turn passes here too, and Starlette's BaseHTTPMiddleware would cost it a task and two queues.
"""

import logging
import re
import time
from typing import Any, Final
from urllib.parse import parse_qsl
from uuid import uuid4

from starlette.requests import ClientDisconnect
from starlette.responses import Response
from starlette.types import ASGIApp, Message, Receive, Scope, Send

from maththera.api.metrics import Metrics
from maththera.api.problems import NUL, Problem, invalid
from maththera.runtime.logging import request_id_var
from maththera.runtime.tracing import span

log = logging.getLogger(__name__)

_ACCEPTED_ID: Final = re.compile(rb"[A-Za-z0-9._-]{1,64}")
_UNROUTED: Final = "(none)"  # one label for all unknown addresses, so that a scanner can't fill the metrics
_NOSNIFF: Final = (b"x-content-type-options", b"nosniff")  # what a child wrote is nobody's script
_CLIENT_GONE: Final = 499  # in the log and the metrics only: nobody is left to get an answer
_QUIET: Final = frozenset({"/healthz", "/readyz", "/metrics"})


class Frame:
    def __init__(self, app: ASGIApp, metrics: Metrics) -> None:
        self.app, self.metrics = app, metrics

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self.app(scope, receive, send)
            return
        request_id = _request_id(scope)
        token = request_id_var.set(request_id)
        started, status = time.perf_counter(), 0

        async def send_framed(message: Message) -> None:
            nonlocal status
            if message["type"] == "http.response.start":
                status = message["status"]
                message["headers"] = [*message["headers"], _NOSNIFF, (b"x-request-id", request_id.encode())]
            await send(message)

        with span("http.request", request_id=request_id) as current:
            try:
                await (_refusal(scope) or self.app)(scope, receive, send_framed)
            except ClientDisconnect:
                status = _CLIENT_GONE
            except Exception:
                log.exception("request failed")
                if status:
                    raise  # half an answer is out: the server must break the connection
                await Problem("internal", "The request id finds it in the log.").response()(scope, receive, send_framed)
            finally:
                self._finish(scope, status, time.perf_counter() - started, current)
                request_id_var.reset(token)

    def _finish(self, scope: Scope, status: int, seconds: float, current: Any) -> None:
        route = getattr(scope.get("route"), "path", _UNROUTED)
        self.metrics.request(scope["method"], route, status, seconds)
        if current is not None:
            current.set_attributes(
                {"http.request.method": scope["method"], "http.route": route, "http.response.status_code": status}
            )
        level = logging.DEBUG if route in _QUIET else logging.INFO
        log.log(level, "%s %s %d %.1f ms", scope["method"], route, status, seconds * 1000)


def _refusal(scope: Scope) -> Response | None:
    """Of a query with the one character that PostgreSQL does not take; `bodies` sees to bodies."""
    if b"%00" not in scope["query_string"]:
        return None
    found = parse_qsl(scope["query_string"].decode("latin-1"), keep_blank_values=True)
    return invalid({"loc": ("query", name), "msg": NUL} for name, value in found if "\0" in name + value).response()


def _request_id(scope: Scope) -> str:
    for name, value in scope["headers"]:
        if name == b"x-request-id" and _ACCEPTED_ID.fullmatch(value):
            return str(value.decode())
    return uuid4().hex
