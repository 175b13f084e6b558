"""A server on loopback that streams chat completions as it is told to: words, calls of tools, and ways to break."""

import json
import threading
import time
from collections.abc import Sequence
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, Literal, Self

Ending = Literal["stop", "cut", "hangs"]
_LOOK_SECONDS: Final = 0.02


@dataclass(frozen=True)
class Says:
    """One streamed reply: `words` one by one, then `calls` (name, arguments as a text), then how it ends. `status`: an
    error instead. `before_calls`: words that follow the first sign of a call."""

    words: Sequence[str] = ()
    calls: Sequence[tuple[str, str]] = ()
    beside: Sequence[str] = ()
    ending: Ending = "stop"
    status: int = 200


INTENT: Final = {"intent": "data_lookup", "confidence": 0.9, "reasoning": "기록을 묻는다.", "key_indicators": ["약점"]}


@dataclass
class SpeakingLlm:
    """`with SpeakingLlm([Says(...), …]) as llm:` streams them in turn, the last one again and again. What is asked
    without a stream gets `plain`, or its `plain_status`. `left` is set when a client hangs up while it hangs."""

    replies: Sequence[Says]
    plain: Any = field(default_factory=lambda: dict(INTENT))
    plain_status: int = 200
    requests: list[dict[str, Any]] = field(default_factory=list)

    def __post_init__(self) -> None:
        self.left = threading.Event()
        self.streaming = threading.Event()
        self._over = threading.Event()
        self._streamed = 0
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), type("Handler", (_Handler,), {"llm": self}))
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    @property
    def streamed(self) -> list[dict[str, Any]]:
        """The requests that wanted a stream."""
        return [request for request in self.requests if request.get("stream")]

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._over.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _next(self) -> Says:
        says = self.replies[min(self._streamed, len(self.replies) - 1)]
        self._streamed += 1
        return says


class _Handler(BaseHTTPRequestHandler):
    llm: SpeakingLlm

    protocol_version = "HTTP/1.0"  # a stream ends with its connection

    def do_POST(self) -> None:
        body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
        self.llm.requests.append(body)
        if not body.get("stream"):
            self._plain(body)
        elif (says := self.llm._next()).status != 200:
            self._json(says.status, {"error": {"message": "no", "type": "server", "code": None}})
        else:
            self._stream(says)

    def log_message(self, *_: object) -> None:
        """Quiet."""

    def _plain(self, body: dict[str, Any]) -> None:
        if self.llm.plain_status != 200:
            self._json(self.llm.plain_status, {"error": {"message": "no", "type": "server", "code": None}})
            return
        message = {"role": "assistant", "content": json.dumps(self.llm.plain, ensure_ascii=False)}
        choice = {"index": 0, "message": message, "finish_reason": "stop"}
        head = {"id": "c", "object": "chat.completion", "created": 0, "model": body["model"]}
        self._json(200, {**head, "choices": [choice]})

    def _json(self, status: int, value: dict[str, Any]) -> None:
        content = json.dumps(value).encode()
        self.send_response(status)
        self.send_header("Content-Type", "application/json")
        self.send_header("Content-Length", str(len(content)))
        self.end_headers()
        self.wfile.write(content)

    def _stream(self, says: Says) -> None:
        self.send_response(200)
        self.send_header("Content-Type", "text/event-stream")
        self.end_headers()
        for word in says.words:
            self._delta({"content": word})
        for place, (name, arguments) in enumerate(says.calls):
            function = {"name": name, "arguments": arguments}
            call = {"index": place, "id": f"call_{place}", "type": "function", "function": function}
            self._delta({"tool_calls": [call]})
        for word in says.beside:
            self._delta({"content": word})
        self.llm.streaming.set()
        if says.ending == "hangs":
            self._hang()
        elif says.ending == "stop":
            self._delta({}, "tool_calls" if says.calls else "stop")
            self.wfile.write(b"data: [DONE]\n\n")

    def _hang(self) -> None:
        while not self.llm._over.is_set():
            time.sleep(_LOOK_SECONDS)
            try:
                self.wfile.write(b": still here\n\n")
                self.wfile.flush()
            except OSError:
                self.llm.left.set()
                return

    def _delta(self, delta: dict[str, Any], finish: str | None = None) -> None:
        choice = {"index": 0, "delta": delta, "finish_reason": finish}
        chunk = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]}
        self.wfile.write(b"data: " + json.dumps(chunk, ensure_ascii=False).encode() + b"\n\n")
        self.wfile.flush()
