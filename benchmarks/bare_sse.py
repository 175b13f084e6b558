"""The floor of a stream: one route of the framework that sends the frames of a turn without making them."""

import os
from collections.abc import AsyncIterator
from typing import Any

import orjson
from fastapi import FastAPI
from sse_starlette import EventSourceResponse, ServerSentEvent


def app() -> FastAPI:
    """What uvicorn runs. BARE_FRAMES: a file with the events of a turn, a line each."""
    bare = FastAPI()
    with open(os.environ["BARE_FRAMES"], "rb") as file:  # noqa: PTH123 - once, before anything runs
        events = [line.decode().strip() for line in file]

    async def frames() -> AsyncIterator[ServerSentEvent]:
        for number, event in enumerate(events, 1):
            yield ServerSentEvent(event, id=f"1-{number}", retry=2000)
        yield ServerSentEvent("[DONE]")

    @bare.post("/bare")
    async def answer(sent: dict[str, Any]) -> EventSourceResponse:
        orjson.dumps(sent)
        return EventSourceResponse(frames(), ping=15)

    return bare
