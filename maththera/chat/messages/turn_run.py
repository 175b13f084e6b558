"""One turn under way: what it has told, who watches, and what is asked of models on its behalf."""

import asyncio
from collections.abc import Coroutine
from typing import Any, TypeVar

from maththera.runtime.leases import Lease
from maththera.runtime.turns import EventWriter, RunningTurn

T = TypeVar("T")


class NobodyListening(Exception):
    """No reader is left, so no model is asked."""


class TurnRun(RunningTurn):
    """One turn under way; its task makes it."""

    def __init__(self, run_id: str, thread_id: str, lease: Lease, writer: EventWriter, *, resumable: bool) -> None:
        """`resumable`: models go on being asked when nobody watches."""
        super().__init__(run_id, writer)
        self.run_id, self.thread_id, self.lease, self.resumable = run_id, thread_id, lease, resumable
        self.why: str | None = None  # what its task is cancelled for, as an error's code
        self._task = asyncio.current_task()
        self._asking: set[asyncio.Task[Any]] = set()
        self._left = False

    def stop(self, why: str) -> None:
        """Cancels its task. A second cancel would cut off its last words, so only an erasure may cancel again."""
        if self._task is not None and not self.ended and (self.why is None or why == "erased"):
            self.why = why
            self._task.cancel()

    def unwatched(self) -> None:
        """Cancels the calls of models; the turn goes on by the rules."""
        if not self.resumable:
            self._left = True
            for asking in self._asking:
                asking.cancel()

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """A task that costs a model's tokens: it is cancelled when the last reader leaves. NobodyListening when
        they have."""
        if self._left and not self.resumable:
            work.close()
            raise NobodyListening
        task = asyncio.create_task(work)
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        return task

    async def asked(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`, as a task that `spawn` begins; NobodyListening when it was cancelled for want of
        readers."""
        task = self.spawn(work)
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()
            raise
        if task.cancelled():
            raise NobodyListening
        return task.result()
