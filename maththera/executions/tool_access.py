"""What a run may touch: a flow is data that an author wrote, and it runs with the rights of whoever started it.

About other people's students the tools know nothing, whatever a flow has computed. What names such a student is refused
as an argument and as a result, and left out of the lists in a result.
"""

from collections.abc import Iterable, Iterator, Mapping
from contextlib import nullcontext
from typing import Any, Final

from maththera.flows.runs.blob_store import BlobStore
from maththera.json_types import JsonObject
from maththera.llm.model_client import without_models
from maththera.runtime.tool_interface import Catalogue, ToolCaller, ToolError
from maththera.store.access.authorization import Action, Principal, is_allowed
from maththera.store.access.consents import ConsentStandings
from maththera.store.database import StoreUnavailable
from maththera.store.executions import ExecutionRow

_NAMING: Final = ("student_id", "student_ids")
"""What our own servers call a student, in arguments and in results."""

_CACHE: Final = "cache:"


class GuardedTools:
    """Every call of a run goes through here. With `permissions` a tool asks no model about a student for whom that is
    not agreed to."""

    def __init__(self, tools: ToolCaller, who: Principal, permissions: ConsentStandings | None = None) -> None:
        self._tools, self._who, self._permissions = tools, who, permissions

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
        action: Action = "write" if spec is None or spec.writes else "read"
        if (student_id := forbidden_student(self._who, action, arguments)) is not None:
            named = next(name for name, each in _named_students(arguments) if each == student_id)
            raise ToolError("bad_arguments", server, tool, f"{named}: {unknown_student_message(student_id)}")
        try:
            agreed = self._permissions is None or await models_agreed(self._permissions, named_students(arguments))
        except StoreUnavailable as error:
            raise ToolError("failed", server, tool, str(error)) from error
        with nullcontext() if agreed else without_models():
            result = await self._tools.call(server, tool, arguments, timeout=timeout, attempts=attempts)
        if forbidden_student(self._who, "read", result) is not None:  # whose name the caller shall not learn either
            raise ToolError("bad_arguments", server, tool, "결과에 다른 학생의 기록이 있어 보여 드리지 않습니다.")
        seen: JsonObject = self._seen(result)
        return seen

    def _seen(self, value: Any) -> Any:
        """Without the items of lists that name somebody else's student, however deep."""
        if isinstance(value, dict):
            return {name: self._seen(each) for name, each in value.items()}
        if isinstance(value, list):
            return [self._seen(each) for each in value if not self._about_others(each)]
        return value

    def _about_others(self, item: Any) -> bool:
        return isinstance(item, dict) and forbidden_student(self._who, "read", item) is not None


class PrincipalCache:
    """A blobs whose cached results are each principal's own: what one was told, another may not know."""

    def __init__(self, blobs: BlobStore, who: Principal) -> None:
        self._blobs, self._who = blobs, who

    async def get(self, name: str) -> bytes | None:
        return await self._blobs.get(self._own(name))

    async def put(self, name: str, value: bytes, seconds: int) -> None:
        await self._blobs.put(self._own(name), value, seconds)

    def _own(self, name: str) -> str:
        return f"{_CACHE}{self._who.token_id}:{name.removeprefix(_CACHE)}" if name.startswith(_CACHE) else name


def unknown_student_message(student_id: str) -> str:
    """The refusal, the same for a student that does not exist and for somebody else's."""
    return f"'{student_id}'라는 학생은 없습니다. 학생 ID를 확인해 주세요."


def forbidden_student(who: Principal, action: Action, values: Mapping[str, Any]) -> str | None:
    """A student that these values name and with whom the caller may not do that; None when there is none."""
    return next((each for _, each in _named_students(values) if not is_allowed(who, action, each)), None)


def named_students(value: Any) -> set[str]:
    """The students whom arguments, inputs or a result name, however deep."""
    if isinstance(value, Mapping):
        return {each for _, each in _named_students(value)}.union(*map(named_students, value.values()))
    return set().union(*map(named_students, value)) if isinstance(value, list) else set()


def students_of(row: ExecutionRow) -> set[str]:
    """The students whom a run is about, and those whom its result names."""
    own = {row.student_id} if row.student_id is not None else set()
    return own | named_students(row.inputs) | named_students(row.result)


async def models_agreed(permissions: ConsentStandings, student_ids: Iterable[str]) -> bool:
    """Whether a model may be asked about all of them. Raises StoreUnavailable."""
    return all([(await permissions.standing(each)).model for each in student_ids])


def _named_students(values: Mapping[str, Any]) -> Iterator[tuple[str, str]]:
    """By what they are named, and who."""
    for name in _NAMING:
        found = values.get(name)
        for each in found if isinstance(found, list) else [found]:
            if isinstance(each, str):
                yield name, each
