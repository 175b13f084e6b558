"""The access of a run to students: a flow runs with the rights of the person who started it. Calls and results that
name another person's student are refused, and items of lists that name one are left out.

The servers of the tools start with their first call; until then their tools are known from an earlier run.
"""

import asyncio
import logging
from collections.abc import Awaitable, Callable, Collection, Iterable, Iterator, Mapping
from contextlib import nullcontext
from pathlib import Path
from typing import Any, Final, Self

from maththera.flows.flow_tests.mocks import SAMPLE_STUDENT, sample_result
from maththera.flows.runs.step_services import BlobStore
from maththera.json_types import JsonObject
from maththera.korean.particles import with_particle
from maththera.llm.model_client import models_allowed, without_models
from maththera.runtime.tool_interface import Catalogue, ToolCaller, ToolError
from maththera.servers.client.server_manager import ServerManager
from maththera.servers.client.tool_catalogue import described
from maththera.servers.config import Servers
from maththera.store.access.authorization import Action, Principal, is_allowed
from maththera.store.access.consents import ConsentStandings
from maththera.store.database import StoreUnavailable
from maththera.store.executions import ExecutionRow

logger = logging.getLogger(__name__)
_NAMING: Final = ("student_id", "student_ids")
"""The names of arguments and fields of our own servers that hold a student id."""

_CACHE: Final = "cache:"


class GuardedTools:
    """Checks every tool call of a run; one about the sample student gets a sample answer instead. With `permissions` a
    tool asks no model about a student without that consent, and `withhold` is called when a call or its result names
    one, whose records the run has then read."""

    def __init__(
        self,
        tools: ToolCaller,
        who: Principal,
        permissions: ConsentStandings | None = None,
        withhold: Callable[[], Awaitable[None]] | None = None,
    ) -> None:
        self._tools, self._who, self._permissions, self._withhold = tools, who, permissions, withhold

    def catalogue(self) -> Catalogue:
        return self._tools.catalogue()

    async def call(
        self,
        server: str,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - given on
        attempts: int | None = None,
    ) -> JsonObject:
        spec = self.catalogue().get(server, {}).get(tool)
        if spec is not None and any(each == SAMPLE_STUDENT for _, each in _named_students(arguments)):
            return sample_result(spec)
        action: Action = "write" if spec is None or spec.writes else "read"
        if (student_id := forbidden_student(self._who, action, arguments)) is not None:
            named = next(name for name, each in _named_students(arguments) if each == student_id)
            raise ToolError("bad_arguments", server, tool, f"{named}: {unknown_student_message(student_id)}")
        try:
            agreed = await self._agreed(arguments)
        except StoreUnavailable as error:
            raise ToolError("failed", server, tool, str(error), sent=False) from error
        with nullcontext() if agreed else without_models():
            result = await self._tools.call(server, tool, arguments, timeout=timeout, attempts=attempts)
        if self._withhold is not None and models_allowed() and not (agreed and await self._agreed(result)):
            await self._withhold()
        if forbidden_student(self._who, "read", result) is not None:  # whose name the caller shall not learn either
            raise ToolError("bad_arguments", server, tool, "결과에 다른 학생의 기록이 있어 보여 드리지 않습니다.")
        seen: JsonObject = self._seen(result)
        return seen

    async def _agreed(self, values: Mapping[str, Any]) -> bool:
        return self._permissions is None or await models_agreed(self._permissions, named_students(values))

    def _seen(self, value: Any) -> Any:
        """The value without items of lists that name another person's student, at any depth."""
        if isinstance(value, dict):
            return {name: self._seen(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self._seen(each) for each in value if not self._about_others(each)]
        return value

    def _about_others(self, item: Any) -> bool:
        return isinstance(item, dict) and forbidden_student(self._who, "read", item) is not None


class PrincipalCache:
    """A store of cached results with a separate part for each principal, as one may not see the results of another."""

    def __init__(self, blobs: BlobStore, who: Principal) -> None:
        self._blobs, self._who = blobs, who

    async def get(self, name: str) -> bytes | None:
        return await self._blobs.get(self._own(name))

    async def put(self, name: str, value: bytes, seconds: int) -> None:
        await self._blobs.put(self._own(name), value, seconds)

    def _own(self, name: str) -> str:
        return f"{_CACHE}{self._who.token_id}:{name.removeprefix(_CACHE)}" if name.startswith(_CACHE) else name


def unknown_student_message(student_id: str) -> str:
    """The text of the refusal, the same for an unknown student and for another person's."""
    return with_particle(f"'{student_id}'", "라는") + " 학생은 없습니다. 학생 ID를 확인해 주세요."


def forbidden_student(who: Principal, action: Action, values: Mapping[str, Any]) -> str | None:
    """A student in these values for whom the caller has no such right; None if there is none. The sample student is
    everybody's."""
    named = (each for _, each in _named_students(values) if each != SAMPLE_STUDENT)
    return next((each for each in named if not is_allowed(who, action, each)), None)


def named_students(value: Any) -> set[str]:
    """The students named in arguments, inputs or a result, at any depth, without the sample student."""
    if isinstance(value, Mapping):
        return {each for _, each in _named_students(value) if each != SAMPLE_STUDENT}.union(
            *map(named_students, value.values())
        )
    return set().union(*map(named_students, value)) if isinstance(value, list) else set()


def students_of(row: ExecutionRow) -> set[str]:
    """The students of a run: in its inputs and in its result."""
    own = {row.student_id} if row.student_id is not None else set()
    return own | named_students(row.inputs) | named_students(row.result)


async def models_agreed(permissions: ConsentStandings, student_ids: Iterable[str]) -> bool:
    """Whether a model may be asked about all these students. Raises StoreUnavailable."""
    return all([(await permissions.standing(each)).model for each in student_ids])


def _named_students(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """(name of the field, student id) for each student named in a value."""
    for name in _NAMING:
        found = values.get(name)
        for each in found if isinstance(found, list) else [found]:
            if isinstance(each, str):
                yield name, each


KEPT: Final = "tools.json"


class LazyTools:
    """`async with LazyTools(manager, servers, data_dir) as tools`. A running server describes its own tools; for the
    others the last descriptions are used."""

    def __init__(self, manager: ServerManager, servers: Servers, data_dir: Path) -> None:
        self._manager, self._servers = manager, servers
        self.call, self.health = manager.call, manager.health
        self._kept = data_dir / KEPT
        self._described: Catalogue = {}
        self._starting: set[asyncio.Task[None]] = set()

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        for task in self._starting:
            task.cancel()
        await asyncio.gather(*self._starting, return_exceptions=True)

    async def refresh(self) -> None:
        """Completes the catalogue with the tools of servers that have not run yet. Third-party servers are started for
        this, as their tools may change at any time."""
        unknown = {name for name, tools in self.catalogue().items() if not tools}
        own = {name for name in unknown if self._servers.servers[name].module is not None}
        if own:
            found, _ = await described(self._servers, own, self._kept)
            self._described = {**self._described, **{name: found[name] for name in own}}
        if others := unknown - own:
            await self._manager.connect(others)

    def catalogue(self) -> Catalogue:
        return {name: tools or self._described.get(name, {}) for name, tools in self._manager.catalogue().items()}

    def start(self, names: Collection[str]) -> None:
        """Starts these servers in the background, so that the first call waits less."""
        health = self.health()
        idle = {name for name in names if name in health and health[name].state == "idle"}
        if idle:
            task = asyncio.create_task(self._start(idle), name="starting servers")
            self._starting.add(task)
            task.add_done_callback(self._starting.discard)

    async def _start(self, names: Collection[str]) -> None:
        for name, reason in (await self._manager.connect(names)).items():
            logger.warning("%s: %s", name, reason)
