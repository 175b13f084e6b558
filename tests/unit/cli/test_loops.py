"""The loop behind a terminal."""

import asyncio
import signal
from threading import Event, main_thread

import pytest

from maththera.cli.loops import turning


def test_the_loop_turns_while_the_main_thread_waits() -> None:
    turned = Event()

    async def begin() -> str:
        asyncio.get_running_loop().call_later(0.01, turned.set)
        return "begun"

    with turning() as finish:
        assert finish(begin()) == "begun"
        assert turned.wait(60)


def test_what_fails_fails_where_it_was_asked_for_and_the_loop_goes_on() -> None:
    async def fail() -> None:
        raise LookupError("nothing")

    with turning() as finish:
        with pytest.raises(LookupError, match="nothing"):
            finish(fail())
        assert finish(asyncio.sleep(0, "still there")) == "still there"


def test_ctrl_c_ends_what_is_under_way_before_it_goes_on() -> None:
    told = []

    async def interrupted() -> None:
        signal.pthread_kill(main_thread().ident or 0, signal.SIGINT)
        try:
            await asyncio.Event().wait()
        except asyncio.CancelledError:
            await asyncio.sleep(0.01)
            told.append("cleared away")
            raise

    with turning() as finish:
        with pytest.raises(KeyboardInterrupt):
            finish(interrupted())
        assert told == ["cleared away"]


def test_what_still_runs_at_the_end_is_cancelled() -> None:
    ended = Event()

    async def endless() -> None:
        try:
            await asyncio.Event().wait()
        finally:
            ended.set()

    async def begin() -> asyncio.Task[None]:
        task = asyncio.create_task(endless())
        await asyncio.sleep(0)
        return task

    with turning() as finish:
        task = finish(begin())
    assert ended.is_set()
    assert task.cancelled()
