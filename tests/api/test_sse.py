"""Streams end with a word when the service does."""

import asyncio
from collections.abc import AsyncGenerator
from typing import Any

import pytest
from sse_starlette import ServerSentEvent
from sse_starlette.sse import AppStatus

from maththera.api.http_layer.sse import EventStream

SCOPE: Any = {"type": "http", "method": "GET", "headers": []}


async def receive() -> Any:
    await asyncio.Event().wait()


async def endless() -> AsyncGenerator[ServerSentEvent, None]:
    yield ServerSentEvent("first")
    await asyncio.Event().wait()


@pytest.mark.parametrize(("plain", "last"), [(False, b'data: {"type":"closing"}'), (True, b": closing")])
async def test_the_end_of_the_service_is_told(plain: bool, last: bytes, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AppStatus, "should_exit", False)
    sent: list[Any] = []

    async def send(message: Any) -> None:
        sent.append(message)

    streaming = asyncio.create_task(EventStream(endless(), {}, plain=plain)(SCOPE, receive, send))
    async with asyncio.timeout(60):
        while len(sent) < 2:
            await asyncio.sleep(0.01)
        AppStatus.should_exit = True
        await streaming
    assert [message.get("more_body") for message in sent] == [None, True, False]
    assert last in sent[-1]["body"]
