"""What a run has finished, recorded step by step, so that a run that breaks off goes on where it was.

The records are writes of a checkpoint of their own namespace in the run's thread: any LangGraph checkpointer keeps
them, and deleting the thread deletes them. A step that must not run twice is recorded before it starts and again when
it has finished, both times before anything else happens; others are recorded on the side.
"""

import asyncio
from collections.abc import Mapping
from typing import Any, Final, Self

from langgraph.checkpoint.base import BaseCheckpointSaver, empty_checkpoint

NAMESPACE: Final = "flow"
BEGUN: Final = "begun"
_CHANNEL: Final = "outcome"

Record = Mapping[str, Any]


class Journal:
    """Of one run. Without a saver it only remembers."""

    def __init__(self, known: Mapping[str, Record] | None = None) -> None:
        self.known: dict[str, Record] = dict(known or {})
        self._saver: BaseCheckpointSaver[Any] | None = None
        self._config: Any = None
        self._writing: set[asyncio.Task[None]] = set()

    @classmethod
    async def open(cls, saver: BaseCheckpointSaver[Any] | None, thread_id: str) -> Self:
        """With everything that earlier attempts of this run have recorded."""
        journal = cls()
        if saver is None:
            return journal
        journal._saver = saver
        config: Any = {"configurable": {"thread_id": thread_id, "checkpoint_ns": NAMESPACE}}
        found = await saver.aget_tuple(config)
        if found is None:
            journal._config = await saver.aput(config, empty_checkpoint(), {}, {})
        else:
            journal._config = found.config
            for task_id, channel, value in found.pending_writes or ():
                if channel == _CHANNEL:
                    journal.known[task_id] = value
        return journal

    def begun(self, key: str) -> bool:
        """Whether an earlier attempt started this step and nobody knows how it ended."""
        return f"{key} {BEGUN}" in self.known and key not in self.known

    async def begin(self, key: str) -> None:
        await self._write(f"{key} {BEGUN}", {})

    async def record(self, key: str, record: Record, *, at_once: bool) -> None:
        """`at_once`: return only when it is kept."""
        self.known[key] = record
        if self._saver is None:
            return
        if at_once:
            await self._write(key, record)
            return
        task = asyncio.create_task(self._write(key, record))
        self._writing.add(task)
        task.add_done_callback(self._writing.discard)

    async def flush(self) -> None:
        """Until everything is kept; raises what went wrong."""
        if self._writing:
            await asyncio.gather(*self._writing)

    async def _write(self, key: str, record: Record) -> None:
        if self._saver is not None:
            await self._saver.aput_writes(self._config, [(_CHANNEL, dict(record))], key)
