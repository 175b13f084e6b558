"""Tools as strangers describe them."""

import socket
from typing import Any

import pytest
from mcp_types import CallToolResult, Tool

from maththera.runtime.tools import ToolError
from maththera.servers.config import ToolRules
from maththera.servers.tools import KnownTool


def known(input_schema: dict[str, Any] | None = None, output_schema: dict[str, Any] | None = None) -> KnownTool:
    tool = Tool(name="x", input_schema=input_schema or {"type": "object"}, output_schema=output_schema)
    return KnownTool.described("stranger", tool, ToolRules())


@pytest.mark.parametrize(
    "schema",
    [{"type": 5}, {"type": "nonsense"}, {"$ref": "#/$defs/none"}, {"pattern": "("}, {"$ref": "#/properties/x"}],
)
def test_a_schema_that_is_none_is_told(schema: dict[str, Any]) -> None:
    broken = {"type": "object", "properties": {"x": schema}}
    with pytest.raises(ToolError, match="schema cannot be applied") as asked:
        known(input_schema=broken).check_arguments({"x": "1"})
    with pytest.raises(ToolError, match="schema cannot be applied") as answered:
        known(output_schema=broken).read_result(CallToolResult(content=[], structured_content={"x": "1"}))
    assert (asked.value.code, answered.value.code) == ("bad_arguments", "bad_output")


def test_no_address_that_a_schema_names_is_fetched() -> None:
    with socket.create_server(("127.0.0.1", 0)) as listening:
        listening.setblocking(False)
        address = f"http://127.0.0.1:{listening.getsockname()[1]}/schema.json"
        schema = {"type": "object", "properties": {"x": {"$ref": address}}}
        with pytest.raises(ToolError, match="schema cannot be applied"):
            known(input_schema=schema).check_arguments({"x": "1"})
        with pytest.raises(BlockingIOError):
            listening.accept()
