"""A server on loopback that speaks the chat completions protocol and, on demand, breaks it."""

import json
import threading
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Final, Literal, Self

Mode = Literal[
    "answers",
    "uncounted",
    "hangs",
    "429",
    "500",
    "cut",
    "html",
    "rubbish",
    "malformed_json",
    "empty_choices",
    "unknown_tag",
    "tone_breaking",
]

DIAGNOSIS: Final[dict[str, Any]] = {
    "primary_cause": {"tag": "SPATIAL_L4_PLACE_VALUE", "domain": "SPATIAL", "confidence": "medium"},
    "secondary_cause": {"tag": "STRATEGY_L4_PLACEVALUE", "domain": "STRATEGY", "confidence": "low"},
    "reasoning": "받아올림을 빠뜨리고 하나를 더 세었다. 어림은 맞는다.",
    "probe_recommended": True,
}
FEEDBACK: Final[dict[str, Any]] = {"template": None, "lines": ["괜찮아.", "자리만 봐!"]}
UNKNOWN_TAG: Final = {
    **DIAGNOSIS,
    "primary_cause": {"tag": "EXECUTION_L9_INVENTED", "domain": "EXECUTION", "confidence": "high"},
}
TONE_BREAKING: Final = {**FEEDBACK, "lines": ["틀렸어요, 빨리 다시 하세요."]}
"""Keeps no rule."""

_TEXTS: Final[dict[str, str]] = {
    "rubbish": "물론이죠! 무엇을 도와드릴까요?",
    "malformed_json": '{"primary_cause": {"tag": "SPATIAL_L4',
    "unknown_tag": json.dumps(UNKNOWN_TAG, ensure_ascii=False),
    "tone_breaking": json.dumps(TONE_BREAKING, ensure_ascii=False),
}


class FakeLlm:
    """`with FakeLlm("hangs") as llm:` serves at `llm.base_url`; `mode` may change, `requests` keeps every body,
    `asked` is set by the first.

    `text`, if set, is answered word for word in place of what the mode says.
    """

    def __init__(self, mode: Mode = "answers", text: str | None = None) -> None:
        self.mode: Mode = mode
        self.text = text
        self.requests: list[dict[str, Any]] = []
        self.asked = threading.Event()
        self._stop_hanging = threading.Event()
        self._server = ThreadingHTTPServer(("127.0.0.1", 0), self._handler())
        self._server.daemon_threads = True
        self._thread = threading.Thread(target=self._server.serve_forever, kwargs={"poll_interval": 0.02})

    @property
    def base_url(self) -> str:
        return f"http://127.0.0.1:{self._server.server_address[1]}/v1"

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._stop_hanging.set()
        self._server.shutdown()
        self._server.server_close()
        self._thread.join()

    def _handler(fake) -> type[BaseHTTPRequestHandler]:  # noqa: N805 - `self` is the handler's
        class Handler(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = json.loads(self.rfile.read(int(self.headers["Content-Length"])))
                fake.requests.append(body)
                fake.asked.set()
                match fake.mode:
                    case "hangs":
                        fake._stop_hanging.wait()
                        self.close_connection = True
                    case "429":
                        self._send(429, {"error": {"message": "slow down", "type": "rate_limit", "code": None}})
                    case "500":
                        self._send(500, {"error": {"message": "out of order", "type": "server", "code": None}})
                    case "cut":
                        self._head(200, "application/json", 10_000)
                        self.wfile.write(b'{"id": "chatcmpl-1", "choices": [')
                        self.close_connection = True
                    case "html":
                        page = b"<html>502 Bad Gateway</html>"
                        self._head(200, "text/html", len(page))
                        self.wfile.write(page)
                    case _:
                        self._send(200, fake._completion(body))

            def log_message(self, *_: object) -> None:
                """Quiet."""

            def _send(self, status: int, body: dict[str, Any]) -> None:
                content = json.dumps(body).encode()
                self._head(status, "application/json", len(content))
                self.wfile.write(content)

            def _head(self, status: int, content_type: str, length: int) -> None:
                self.send_response(status)
                self.send_header("Content-Type", content_type)
                self.send_header("Content-Length", str(length))
                self.end_headers()

        return Handler

    def _completion(self, request: dict[str, Any]) -> dict[str, Any]:
        message = {"role": "assistant", "content": self._content(request)}
        completion = {
            "id": "chatcmpl-1",
            "object": "chat.completion",
            "created": 0,
            "model": request["model"],
            "choices": [{"index": 0, "message": message, "finish_reason": "stop"}],
            "usage": {"prompt_tokens": 3100, "completion_tokens": 120, "total_tokens": 3220},
        }
        if self.mode == "empty_choices":
            completion["choices"] = []
        if self.mode == "uncounted":
            del completion["usage"]
        return completion

    def _content(self, request: dict[str, Any]) -> str:
        if self.text is not None:
            return self.text
        if text := _TEXTS.get(self.mode):
            return text
        asked_for_causes = "primary_cause" in request["messages"][0]["content"]
        return json.dumps(DIAGNOSIS if asked_for_causes else FEEDBACK, ensure_ascii=False)
