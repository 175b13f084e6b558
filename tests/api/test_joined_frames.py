"""Frames of a stream, joined where they are there at the same time."""

import asyncio
from collections.abc import AsyncGenerator

import pytest
from sse_starlette import ServerSentEvent

from maththera.api.http_layer.sse import batched_frames


def frame(text: str) -> ServerSentEvent:
    return ServerSentEvent(text, sep="\n")


async def test_what_is_there_at_once_is_one_piece_and_what_comes_later_another() -> None:
    later = asyncio.Event()

    async def frames() -> AsyncGenerator[ServerSentEvent, None]:
        yield frame("1")
        yield frame("2")
        await later.wait()
        yield frame("3")

    pieces = batched_frames(frames())
    assert await anext(pieces) == b"data: 1\n\ndata: 2\n\n"
    later.set()
    assert [piece async for piece in pieces] == [b"data: 3\n\n"]


async def test_a_stream_without_frames_ends() -> None:
    async def frames() -> AsyncGenerator[ServerSentEvent, None]:
        return
        yield ServerSentEvent()  # makes it a generator

    assert [piece async for piece in batched_frames(frames())] == []


async def test_what_goes_wrong_is_raised_behind_what_was_there() -> None:
    async def frames() -> AsyncGenerator[ServerSentEvent, None]:
        yield frame("1")
        raise ValueError("broken")

    pieces = batched_frames(frames())
    assert await anext(pieces) == b"data: 1\n\n"
    with pytest.raises(ValueError, match="broken"):
        await anext(pieces)


async def test_the_frames_are_closed_with_their_reader() -> None:
    closed = asyncio.Event()

    async def frames() -> AsyncGenerator[ServerSentEvent, None]:
        try:
            yield frame("1")
            await asyncio.Event().wait()
        finally:
            closed.set()

    pieces = batched_frames(frames())
    await anext(pieces)
    await pieces.aclose()
    assert closed.is_set()
