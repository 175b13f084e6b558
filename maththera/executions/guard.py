"""Tools as one caller may use them: about the students of the others, they know nothing."""

from collections.abc import Iterator, Mapping
from typing import Any, Final

from maththera.learners.access import Principal, may
from maththera.runtime.tools import ToolError, Tools, ToolSpec

_NAMING: Final = ("student_id", "student_ids")
"""What our own servers call a student, in arguments and in results."""


class GuardedTools:
    """Every call of a run goes through here, whatever a flow has computed: a flow is data that an author wrote, and it
    runs with the rights of whoever started it."""

    def __init__(self, tools: Tools, who: Principal) -> None:
        self._tools, self._who = tools, who

    def catalogue(self) -> Mapping[str, Mapping[str, ToolSpec]]:
        return self._tools.catalogue()

    async def call(
        self,
        server: str,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        timeout: float | None = None,  # noqa: ASYNC109 - given on
        attempts: int | None = None,
    ) -> dict[str, Any]:
        spec = self.catalogue().get(server, {}).get(tool)
        self._check(server, tool, arguments, "write" if spec is None or spec.writes else "read")
        result = await self._tools.call(server, tool, arguments, timeout=timeout, attempts=attempts)
        self._check(server, tool, result, "read")
        return result

    def _check(self, server: str, tool: str, values: Mapping[str, Any], action: Any) -> None:
        for student_id in _students(values):
            if not may(self._who, action, student_id):
                raise ToolError("bad_arguments", server, tool, f"there is no student '{student_id}'")


def _students(values: Mapping[str, Any]) -> Iterator[str]:
    for name in _NAMING:
        found = values.get(name)
        if isinstance(found, str):
            yield found
        elif isinstance(found, list):
            yield from (each for each in found if isinstance(each, str))
