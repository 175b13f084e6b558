"""Results of the coach's tools in Redis: `maththera:coach:{tool}:{hash of the learner and the arguments}`.

A result is worth its time to live at most, and is at an end as soon as the learner's records change: with it is kept
the version of the records that it was made from, and a hit must have the version of now. That costs one query over two
indexes, no reading of answers, and nobody has to tell the cache of a new answer.
"""

import asyncio
from collections.abc import Awaitable, Callable, Mapping
from dataclasses import replace
from typing import Any, Final

from pydantic import BaseModel
from redis.asyncio import Redis

from maththera.chat.coach.coach_tools import learner_of
from maththera.chat.messages.chat_tools import Asker, ChatTool
from maththera.json_types import JsonObject
from maththera.runtime.result_cache import ResultCache, digest
from maththera.store.answer_history import records_version
from maththera.store.database import Database, StoreUnavailable

PREFIX: Final = "maththera:coach:"


class ToolCache:
    """Without a Redis that answers, and without records that can be asked for their version, nothing is kept."""

    def __init__(self, redis: Redis, database: Database, seconds: int) -> None:
        self._results = ResultCache(redis)
        self._database = database
        self._seconds = seconds
        self._asking: dict[str, asyncio.Task[str | None]] = {}

    def cached_tools(self, tools: Mapping[str, ChatTool]) -> dict[str, ChatTool]:
        """The same tools; a result that was at hand is marked `cached: true`."""
        return {name: replace(tool, call=self._cached_call(tool)) for name, tool in tools.items()}

    def _cached_call(self, tool: ChatTool) -> Callable[[Asker, Any], Awaitable[JsonObject]]:
        async def call(asker: Asker, arguments: BaseModel) -> JsonObject:
            student_id = learner_of(asker)  # before anything is read: who may not see the records, not from here either
            version = await self._version(student_id) if student_id is not None else None
            if student_id is None or version is None:
                return await tool.call(asker, arguments)
            name = _key(student_id, asker, tool.name, arguments)
            kept = await self._results.get(name)
            if kept is not None and kept["version"] == version:
                return {**kept["result"], "cached": True}
            result = await tool.call(asker, arguments)
            await self._results.put(name, {"version": version, "result": result}, self._seconds)
            return result

        return call

    async def _version(self, student_id: str) -> str | None:
        """The version of the student's records; tools that run at the same time share one query."""
        task = self._asking.get(student_id)
        if task is None:
            task = self._asking[student_id] = asyncio.create_task(self._read_version(student_id))
            task.add_done_callback(lambda _: self._asking.pop(student_id))
        return await asyncio.shield(task)

    async def _read_version(self, student_id: str) -> str | None:
        try:
            return await records_version(self._database, student_id)
        except StoreUnavailable:
            return None


def _key(student_id: str, asker: Asker, tool: str, arguments: BaseModel) -> str:
    """One for a learner, a tool and its arguments in any order; whose it is cannot be read from it. Of an explanation,
    students see less than adults."""
    said = [student_id, asker.principal.role == "student", arguments.model_dump()]
    return f"{PREFIX}{tool}:{digest(said)}"
