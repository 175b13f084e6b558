"""What a flow may learn of whom, with tools that would tell anything."""

from collections.abc import Mapping
from typing import Any

import pytest

from maththera.executions.tool_access import GuardedTools, PrincipalCache, forbidden_student, named_students
from maththera.flows.flow_tests.mocks import SAMPLE_STUDENT
from maththera.flows.runs.step_services import MemoryBlobs
from maththera.llm.model_client import models_allowed
from maththera.runtime.tool_interface import ToolError, ToolSpec
from maththera.settings import home
from maththera.store.access.authorization import Principal
from maththera.store.access.consents import Consents, ConsentStandings
from maththera.store.database import Database
from maththera.store.migrations import migrate

TEACHER = Principal("t1", "teacher", frozenset({"s1", "s2"}))
GUARDIAN = Principal("g1", "guardian", frozenset({"s1"}))
AUTHOR, ADMIN = Principal("a1", "author"), Principal("a2", "admin")


RESULT: Mapping[str, Any] = {
    "type": "object",
    "properties": {"student_id": {"type": "string"}, "rows": {"type": "array", "items": {"type": "integer"}}},
    "required": ["student_id", "rows"],
}


class Tools:
    """Answers what it is told to; `asked` are the calls that came through."""

    def __init__(self, result: dict[str, Any] | None = None) -> None:
        self.result, self.asked, self.models = result or {}, list[Mapping[str, Any]](), list[bool]()

    def catalogue(self) -> Mapping[str, Mapping[str, ToolSpec]]:
        return {
            "s": {
                name: ToolSpec("s", name, "", {}, RESULT, writes=name == "write", idempotent=True)
                for name in ("read", "write")
            }
        }

    async def call(self, server: str, tool: str, arguments: Mapping[str, Any], **_: Any) -> dict[str, Any]:  # noqa: ARG002
        self.asked.append(arguments)
        self.models.append(models_allowed())
        return self.result


async def call(who: Principal, tool: str, arguments: dict[str, Any], result: dict[str, Any] | None = None) -> Any:
    tools = Tools(result)
    try:
        return await GuardedTools(tools, who).call("s", tool, arguments)
    except ToolError:
        assert not tools.asked or result is not None, "asked all the same"
        raise


@pytest.mark.parametrize(
    ("who", "tool", "arguments"),
    [
        (TEACHER, "read", {"student_id": "s3"}),
        (TEACHER, "write", {"student_id": "s3"}),
        (TEACHER, "read", {"student_ids": ["s1", "s3"]}),
        (TEACHER, "read", {"student_ids": "s3"}),
        (TEACHER, "read", {"student_id": ["s3"]}),
        (TEACHER, "read", {"student_id": "s1", "student_ids": ["s3"]}),
        (TEACHER, "unknown", {"student_id": "s3"}),
        (GUARDIAN, "write", {"student_id": "s1"}),
        (AUTHOR, "read", {"student_id": "s1"}),
        (TEACHER, "read", {"student_id": ""}),
        (TEACHER, "read", {"student_id": "S1"}),
    ],
)
async def test_nobody_asks_about_others(who: Principal, tool: str, arguments: dict[str, Any]) -> None:
    with pytest.raises(ToolError, match="라는 학생은 없습니다") as refused:
        await call(who, tool, arguments)
    assert refused.value.code == "bad_arguments"
    assert refused.value.message.split(":")[0] in arguments


async def test_what_is_ones_own_goes_through() -> None:
    for who, tool in ((TEACHER, "write"), (GUARDIAN, "read"), (ADMIN, "write")):
        assert await call(who, tool, {"student_id": "s1"}, {"n": [1, {"x": None}]}) == {"n": [1, {"x": None}]}
    assert await call(AUTHOR, "read", {"concept_id": "Cur-C7"}, {"tree": []}) == {"tree": []}


@pytest.mark.parametrize("who", [AUTHOR, TEACHER])
@pytest.mark.parametrize("arguments", [{"student_id": SAMPLE_STUDENT}, {"student_ids": ["s1", SAMPLE_STUDENT]}])
async def test_about_the_sample_student_no_tool_is_asked(who: Principal, arguments: dict[str, Any]) -> None:
    tools = Tools({"n": 1})
    assert await GuardedTools(tools, who).call("s", "write", arguments) == {"student_id": SAMPLE_STUDENT, "rows": [0]}
    assert tools.asked == []
    assert named_students([arguments]) <= {"s1"}


async def test_a_result_about_others_is_no_result() -> None:
    """A report of a class has an id, and an id can be guessed or remembered."""
    with pytest.raises(ToolError, match="다른 학생의 기록") as refused:
        await call(TEACHER, "read", {"report_id": "0" * 24}, {"student_ids": ["s1", "s3"], "pdf_url": "x"})
    assert "s3" not in str(refused.value)


async def test_lists_leave_out_what_is_about_others() -> None:
    own, others = {"report_id": "1", "student_ids": ["s1"]}, {"report_id": "2", "student_ids": ["s1", "s3"]}
    deep = {"a": [{"b": [{"student_id": "s3"}, {"student_id": "s2"}, 7]}]}
    result = {"reports": [others, own], **deep}
    assert await call(TEACHER, "read", {"student_id": "s1"}, result) == {
        "reports": [own],
        "a": [{"b": [{"student_id": "s2"}, 7]}],
    }
    assert await call(ADMIN, "read", {}, result) == result


async def test_cached_results_are_each_ones_own() -> None:
    blobs = MemoryBlobs()
    await PrincipalCache(blobs, TEACHER).put("cache:mcp_call:1", b"of s1", 60)
    assert await PrincipalCache(blobs, TEACHER).get("cache:mcp_call:1") == b"of s1"
    assert await PrincipalCache(blobs, AUTHOR).get("cache:mcp_call:1") is None
    await PrincipalCache(blobs, TEACHER).put("large:run:step", b"x", 60)
    assert await blobs.get("large:run:step") == b"x"


def test_values_that_are_no_names_name_nobody() -> None:
    nobody: list[dict[str, Any]] = [{}, {"student_id": None}, {"student_id": 3}, {"student_ids": [1, None, {}]}]
    for values in [*nobody, {"student_ids": {}}]:
        assert forbidden_student(AUTHOR, "read", values) is None


async def test_a_tool_asks_no_model_about_a_student_for_whom_that_is_not_agreed(sqlite_url: str) -> None:
    await migrate(sqlite_url)
    database = Database(sqlite_url)
    permissions = ConsentStandings.of(database, home(), "kr", "allow")
    await Consents(database).record("s2", purpose="model", granted=False, given_by="보호자", note=None, recorded_by="t")
    tools = Tools()
    guarded = GuardedTools(tools, TEACHER, permissions)
    for arguments in ({"student_id": "s1"}, {"student_ids": ["s1", "s2"]}, {"of": [{"student_id": "s2"}]}, {}):
        await guarded.call("s", "read", arguments)
    assert tools.models == [True, False, False, True]
    assert models_allowed()

    times = 0

    async def withhold() -> None:
        nonlocal times
        times += 1

    tools = Tools({"rows": [{"student_id": "s2"}]})
    guarded = GuardedTools(tools, TEACHER, permissions, withhold)
    await guarded.call("s", "read", {"student_id": "s1"})  # the result names the other
    assert times == 1
    tools.result = {}
    await guarded.call("s", "read", {"student_id": "s2"})
    assert times == 2
    await guarded.call("s", "read", {"student_id": "s1"})
    assert times == 2
    await database.close()
