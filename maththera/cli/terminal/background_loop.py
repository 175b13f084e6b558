"""An event loop in a thread of its own, which runs while the main thread waits for a typed line. A loop that stood
still meanwhile would take every answer of a store for a time-out. Ctrl-C still reaches the `input` of the main thread.
"""

import asyncio
import logging
from collections.abc import Callable, Coroutine, Iterator
from contextlib import contextmanager
from threading import Event, Thread
from typing import Any

Finish = Callable[[Coroutine[Any, Any, Any]], Any]
"""Runs a coroutine to its end and gives what it gives; Ctrl-C cancels it first."""


@contextmanager
def running_loop() -> Iterator[Finish]:
    """A running loop; tasks that are left at the end are cancelled. Log lines below ERROR are hidden meanwhile:
    failures of a store are shown in the dialogue."""
    logger, quiet = logging.getLogger("maththera"), logging.StreamHandler()
    quiet.setLevel(logging.ERROR)
    logger.addHandler(quiet)
    loop = asyncio.new_event_loop()
    thread = Thread(target=loop.run_forever, name="loop")
    thread.start()

    def finish(coroutine: Coroutine[Any, Any, Any]) -> Any:
        begun: list[asyncio.Task[Any]] = []
        ended = Event()

        def begin() -> None:
            begun.append(loop.create_task(coroutine))
            begun[0].add_done_callback(lambda _: ended.set())

        def cancel() -> None:
            begun[0].cancel()

        try:
            loop.call_soon_threadsafe(begin)
            ended.wait()
        except KeyboardInterrupt:
            loop.call_soon_threadsafe(cancel)
            ended.wait()
            raise
        return begun[0].result()

    try:
        yield finish
    finally:
        finish(_rest_cancelled())
        loop.call_soon_threadsafe(loop.stop)
        thread.join()
        loop.close()
        logger.removeHandler(quiet)


async def _rest_cancelled() -> None:
    rest = asyncio.all_tasks() - {asyncio.current_task()}
    for task in rest:
        task.cancel()
    await asyncio.gather(*rest, return_exceptions=True)
    await asyncio.get_running_loop().shutdown_asyncgens()
