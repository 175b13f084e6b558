"""Limits of HTTP connections: uvicorn's own protocol limits no headers and waits for a slow client for ever."""

import resource
import sys
from asyncio import Event, TimerHandle, Transport
from functools import cache
from typing import Final, TypedDict, cast

from uvicorn._types import ASGI3Application
from uvicorn.protocols.http.httptools_impl import HttpToolsProtocol, RequestResponseCycle

from maththera.api.http_layer.problem_details import ApiProblem
from maththera.runtime.service_limits import ConnectionLimits

LINGER_SECONDS: Final = 1.0
"""How long a refused client may go on sending, unread: closing at once would lose it the answer."""
LINGER_BYTES: Final = 64 * 2**20
_FIELD_BYTES: Final = 4
"""Bytes of a header beside its name and value: colon, space, end of line."""
_SPARE_FILES: Final = 200
"""Open files that are not connections of clients."""
_RETRY_AFTER: Final = {"Retry-After": "5"}


class ConnectionState(TypedDict):
    """What the application shares with its connections. `closing` is set when the service stops."""

    closing: Event
    connections: ConnectionLimits


class LimitedHttp(HttpToolsProtocol):
    """Refuses a head that is too large (431) or too slow (408) and connections beyond the limit (503); closes a
    connection whose client does not read the answer."""

    _refused = False
    _head_open = True
    _head_bytes = 0
    """Bytes of the present head that the parser has reported."""
    _raw_bytes = 0
    """Bytes received since the head began or since the last part of the body: the parser may hold so much of a header.
    """
    _deadline: TimerHandle | None = None
    _unread: TimerHandle | None = None
    """The timer while data waits for the client to read it."""
    _answering: RequestResponseCycle | None = None
    """The request at work: uvicorn notifies only the last of several requests that the client is gone, which may not
    have begun."""

    @property
    def _limits(self) -> ConnectionLimits:
        return cast("ConnectionState", self.app_state)["connections"]

    def connection_made(self, transport: Transport) -> None:  # type: ignore[override]
        super().connection_made(transport)
        over_tls = transport.get_extra_info("sslcontext") is not None  # its buffer pauses at the limit, not above it
        transport.set_write_buffer_limits(int(over_tls))  # what the system does not take at once waits for the client
        if len(self.connections) > min(self._limits.most, _connection_capacity()):
            self._refuse(ApiProblem("overloaded", "Too many connections.", headers=_RETRY_AFTER))
        else:
            self._expect()

    def connection_lost(self, exc: Exception | None) -> None:
        self._arrived()
        self._read()
        super().connection_lost(exc)
        if self._answering is not None:
            self._answering.disconnected = True
            self._answering.message_event.set()

    def _start_asgi_task(self, cycle: RequestResponseCycle, app: ASGI3Application) -> None:
        self._answering = cycle
        super()._start_asgi_task(cycle, app)

    def pause_writing(self) -> None:
        super().pause_writing()
        self._expect_reader()

    def resume_writing(self) -> None:
        self._read()
        super().resume_writing()

    def shutdown(self) -> None:
        cast("ConnectionState", self.app_state)["closing"].set()
        super().shutdown()

    def data_received(self, data: bytes) -> None:
        self._raw_bytes += len(data)
        if self._refused:
            if self._raw_bytes > LINGER_BYTES:
                self.transport.abort()
            return
        if self._head_open:
            self._expect()
        super().data_received(data)
        if self._raw_bytes > self._limits.header_bytes and not self._refused:
            self._refuse_head()

    def on_message_begin(self) -> None:
        super().on_message_begin()
        self._head_bytes = 0

    def on_url(self, url: bytes) -> None:
        self._head_bytes += len(url)
        if self._head_bytes <= self._limits.header_bytes:
            super().on_url(url)

    def on_header(self, name: bytes, value: bytes) -> None:
        self._head_bytes += len(name) + len(value) + _FIELD_BYTES
        if not self._too_large():
            super().on_header(name, value)

    def on_headers_complete(self) -> None:
        if self._refused:
            return
        self._head_open = False
        if self._too_large() or len(self.headers) > self._limits.headers:
            self._refuse_head()
            return
        self._arrived()
        super().on_headers_complete()

    def on_body(self, body: bytes) -> None:
        self._raw_bytes = 0
        if not self._refused:
            super().on_body(body)

    def on_message_complete(self) -> None:
        if self._refused:
            return
        super().on_message_complete()
        self._arrived()
        self._head_open, self._raw_bytes = True, 0

    def on_response_complete(self) -> None:
        super().on_response_complete()
        if not self._head_open and not self._refused:  # answered before the whole body came
            self._expect()

    def _too_large(self) -> bool:
        return self._head_bytes > self._limits.header_bytes or len(self.headers) > self._limits.headers

    def _expect(self) -> None:
        """Starts the timer for the rest of the head or of the body."""
        if self._deadline is None:
            self._deadline = self.loop.call_later(self._limits.head_seconds, self._too_slow)

    def _arrived(self) -> None:
        if self._deadline is not None:
            self._deadline.cancel()
            self._deadline = None

    def _too_slow(self) -> None:
        self._deadline = None
        if self._head_open and self.cycle is not None and not self.cycle.response_complete:
            self._expect()  # what came after a request that is being answered
        elif self._raw_bytes and self._head_open:
            reason = f"The headers were not there after {self._limits.head_seconds:.0f} s."
            self._refuse(ApiProblem("body_too_slow", reason))
        else:
            self.transport.close()

    def _expect_reader(self) -> None:
        """Starts the timer for the client to read some of the waiting data."""
        waiting = self.transport.get_write_buffer_size()
        self._unread = self.loop.call_later(self._limits.unread_seconds, self._look_at_reader, waiting)

    def _look_at_reader(self, waiting: int) -> None:
        if self.transport.get_write_buffer_size() < waiting:
            self._expect_reader()
        else:
            self.transport.abort()

    def _read(self) -> None:
        if self._unread is not None:
            self._unread.cancel()
            self._unread = None

    def _refuse_head(self) -> None:
        limits = self._limits
        reason = f"At most {limits.header_bytes} bytes and {limits.headers} headers."
        self._refuse(ApiProblem("headers_too_large", reason))

    def _refuse(self, problem: ApiProblem) -> None:
        """Answers without the application, reads on for a moment and closes the connection."""
        self._refused = True
        self._arrived()
        self._unset_keepalive_if_required()
        if self.cycle is None or self.cycle.response_complete:
            self.transport.write(problem.http_bytes())
        self.loop.call_later(LINGER_SECONDS, self.transport.abort)


@cache
def _connection_capacity() -> int:
    """The connections that the limit of open files allows this process."""
    files, _ = resource.getrlimit(resource.RLIMIT_NOFILE)
    return sys.maxsize if files == resource.RLIM_INFINITY else max(1, files - _SPARE_FILES)
