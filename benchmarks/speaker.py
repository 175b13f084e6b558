"""A language model that answers at once, or when it is told to: asyncio alone, so that it takes next to no time.

`python -m benchmarks.speaker PORT`. Answers of a stream have WORDS words; `POST /hold` makes streams wait after the
first half until `POST /release`.
"""

import asyncio
import sys
from typing import Final

import orjson
import uvloop

WORDS: Final = 40
_HEAD: Final = b"HTTP/1.1 200 OK\r\nContent-Type: %s\r\nConnection: close\r\n\r\n"
_INTENT: Final = {"intent": "concept", "confidence": 0.9, "reasoning": "뜻을 묻는다.", "key_indicators": ["받아올림"]}


def _chunk(delta: dict[str, str], finish: str | None = None) -> bytes:
    choice = {"index": 0, "delta": delta, "finish_reason": finish}
    body = {"id": "c", "object": "chat.completion.chunk", "created": 0, "model": "m", "choices": [choice]}
    return b"data: " + orjson.dumps(body) + b"\n\n"


_PLAIN: Final = orjson.dumps(
    {
        "id": "c",
        "object": "chat.completion",
        "created": 0,
        "model": "m",
        "choices": [
            {
                "index": 0,
                "finish_reason": "stop",
                "message": {"role": "assistant", "content": orjson.dumps(_INTENT).decode()},
            }
        ],
    }
)
_WORD: Final = "받아올림이야. "
_HALF: Final = _chunk({"content": _WORD}) * (WORDS // 2)
_END: Final = _chunk({}, "stop") + b"data: [DONE]\n\n"


class Speaker:
    def __init__(self) -> None:
        self._free = asyncio.Event()
        self._free.set()

    async def answer(self, reader: asyncio.StreamReader, writer: asyncio.StreamWriter) -> None:
        try:
            head = await reader.readuntil(b"\r\n\r\n")
            path = head.split(b" ", 2)[1]
            length = next((int(one[15:]) for one in head.lower().split(b"\r\n") if one[:15] == b"content-length:"), 0)
            body = await reader.readexactly(length)
            await self._reply(path, body, writer)
        except (asyncio.IncompleteReadError, ConnectionError):
            pass
        finally:
            writer.close()

    async def _reply(self, path: bytes, body: bytes, writer: asyncio.StreamWriter) -> None:
        if path in (b"/hold", b"/release"):
            (self._free.set if path == b"/release" else self._free.clear)()
            writer.write(_HEAD % b"text/plain")
        elif not orjson.loads(body).get("stream"):
            writer.write(_HEAD % b"application/json" + _PLAIN)
        else:
            writer.write(_HEAD % b"text/event-stream" + _HALF)
            await writer.drain()
            await self._free.wait()
            writer.write(_HALF + _END)
        await writer.drain()


async def main(port: int) -> None:
    server = await asyncio.start_server(Speaker().answer, "127.0.0.1", port, backlog=4096)
    async with server:
        await server.serve_forever()


if __name__ == "__main__":
    uvloop.run(main(int(sys.argv[1])))
