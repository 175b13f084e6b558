"""The loop behind a terminal."""

import asyncio
import os
import signal
import subprocess
import sys
from pathlib import Path
from threading import Event, main_thread

import pytest

from maththera.cli.terminal.background_loop import running_loop


def test_the_loop_turns_while_the_main_thread_waits() -> None:
    turned = Event()

    async def begin() -> str:
        asyncio.get_running_loop().call_later(0.01, turned.set)
        return "begun"

    with running_loop() as finish:
        assert finish(begin()) == "begun"
        assert turned.wait(60)


def test_what_fails_fails_where_it_was_asked_for_and_the_loop_goes_on() -> None:
    async def fail() -> None:
        raise LookupError("nothing")

    with running_loop() as finish:
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

    with running_loop() as finish:
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

    with running_loop() as finish:
        task = finish(begin())
    assert ended.is_set()
    assert task.cancelled()


def test_a_child_reads_no_log_lines(tmp_path: Path) -> None:
    """In a process of its own: here the tests' own handlers take what is logged."""
    play = [sys.executable, "-c", "from maththera.cli import main; main()", "play"]
    stores = {"MATHTHERA_DATA_DIR": str(tmp_path), "MATHTHERA_REDIS_URL": "redis://127.0.0.1:1"}

    ended = subprocess.run(
        play, env={**os.environ, **stores}, input="그만\n", text=True, capture_output=True, check=True
    )

    assert "오늘 여기까지" in ended.stdout
    assert ended.stderr.startswith("MATHTHERA_REDIS_URL: no Redis answers (")
    assert ended.stderr.count("\n") == 1
