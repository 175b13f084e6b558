"""One turn under way: what it has told, who watches, and what is asked of models on its behalf."""

import asyncio
import time
from collections.abc import AsyncGenerator, Coroutine, Mapping
from typing import Any, TypeVar

from maththera.chat.messages.event_writer import EventWriter
from maththera.runtime.event_log import Event
from maththera.runtime.leases import Lease

T = TypeVar("T")


class NobodyListening(Exception):
    """Nobody is waiting for what a model would say."""


class TurnRun:
    """One turn under way in this process."""

    def __init__(self, run_id: str, thread_id: str, lease: Lease, journal: EventWriter, *, resumable: bool) -> None:
        """`resumable`: models go on being asked when nobody watches."""
        self.run_id, self.thread_id, self.lease, self.resumable = run_id, thread_id, lease, resumable
        self.task: asyncio.Task[None] | None = None
        self.why: str | None = None  # what its task is cancelled for, as an error's code
        self._journal = journal
        self._began = time.time_ns() // 1_000_000
        self._events: list[Event] = []
        self.ended = False
        self._bells: set[asyncio.Event] = set()
        self._asking: set[asyncio.Task[Any]] = set()
        self._left = False

    @property
    def begun(self) -> bool:
        """Whether anything was told."""
        return bool(self._events)

    def emit(self, event: Mapping[str, Any]) -> None:
        """Tells every reader. Nothing can follow `final`."""
        if self.ended:
            return
        self._events.append(dict(event))
        self.ended = event["type"] == "final"
        self._journal.put(self.run_id, self._id(len(self._events)), self._events[-1])
        for bell in self._bells:
            bell.set()

    async def events(self, last_id: str) -> AsyncGenerator[tuple[str, Event], None]:
        """All events after `last_id`, and each as it comes, to the end."""
        bell = asyncio.Event()
        self._bells.add(bell)
        try:
            place = self._place(last_id)
            while True:
                bell.clear()
                while place < len(self._events):
                    place += 1
                    yield self._id(place), self._events[place - 1]
                if self.ended:
                    return
                await bell.wait()
        finally:
            self._bells.discard(bell)
            if not self._bells and not self.resumable:
                self.leave()

    def leave(self) -> None:
        """Nobody watches any more: what models are asked is not waited for, the turn goes on without them."""
        self._left = True
        for asking in self._asking:
            asking.cancel()

    def spawn(self, work: Coroutine[Any, Any, T]) -> asyncio.Task[T]:
        """A task that costs a model's tokens: it is cancelled when the last reader leaves. Abandoned when they have."""
        if self._left and not self.resumable:
            work.close()
            raise NobodyListening
        task = asyncio.create_task(work)
        self._asking.add(task)
        task.add_done_callback(self._asking.discard)
        return task

    async def asked(self, work: Coroutine[Any, Any, T]) -> T:
        """The result of `work`, as a task that `spawn` begins; Abandoned when it was cancelled for want of readers."""
        task = self.spawn(work)
        try:
            await asyncio.wait([task])
        except asyncio.CancelledError:
            task.cancel()
            raise
        if task.cancelled():
            raise NobodyListening
        return task.result()

    def _id(self, number: int) -> str:
        return f"{self._began}-{number}"

    def _place(self, last_id: str) -> int:
        began, _, number = last_id.partition("-")
        if int(began) != self._began:  # an id of another run
            return 0
        return min(int(number), len(self._events))
