"""Tools as strangers describe them."""

import socket
from typing import Any

import pytest
from mcp_types import CallToolResult, TextContent, Tool

from maththera.runtime.tool_interface import ToolError
from maththera.servers.client.tool_contract import ToolContract
from maththera.servers.config import ToolRules


def known(input_schema: dict[str, Any] | None = None, output_schema: dict[str, Any] | None = None) -> ToolContract:
    tool = Tool(name="x", input_schema=input_schema or {"type": "object"}, output_schema=output_schema)
    return ToolContract.from_listing("stranger", tool, ToolRules())


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


@pytest.mark.parametrize(
    ("schema", "value", "told"),
    [
        ({"type": "string"}, 3, "x: 글이어야 합니다."),
        ({"type": ["integer", "null"]}, "a", "x: 정수여야 합니다."),
        ({"anyOf": [{"type": "string", "maxLength": 2}, {"type": "null"}]}, "abc", "x: 2자 이하여야 합니다."),
        ({"anyOf": [{"type": "string"}, {"type": "null"}]}, 3, "x: 글이어야 합니다."),
        ({"type": "integer", "minimum": 1, "maximum": 100}, 200, "x: 100 이하여야 합니다."),
        ({"type": "array", "items": {"type": "string", "minLength": 1}}, ["a", ""], "x[1]: 1자 이상이어야 합니다."),
        ({"type": "array", "minItems": 1}, [], "x: 1개 이상이어야 합니다."),
        ({"enum": ["diagnostic", "class"]}, "year", "x: diagnostic, class 가운데 하나여야 합니다."),
        ({"type": "object", "required": ["a", "b"]}, {}, "x.a: 꼭 필요합니다. x.b: 꼭 필요합니다."),
        ({"multipleOf": 2}, 3, "x: 3 is not a multiple of 2."),
    ],
)
def test_an_argument_that_does_not_fit_is_told_in_korean(schema: dict[str, Any], value: Any, told: str) -> None:
    with pytest.raises(ToolError) as refused:
        known(input_schema={"type": "object", "properties": {"x": schema}}).check_arguments({"x": value})
    assert (refused.value.code, refused.value.message) == ("bad_arguments", told)


def test_arguments_that_are_missing_or_unknown_are_named() -> None:
    schema = {"type": "object", "properties": {"a": {}}, "required": ["a"], "additionalProperties": False}
    with pytest.raises(ToolError) as refused:
        known(input_schema=schema).check_arguments({"b": 1})
    assert refused.value.message == "a: 꼭 필요합니다. b: 이 도구에 없는 인수입니다."


@pytest.mark.parametrize(
    ("said", "code"),
    [
        ("Invalid time format. Expected HH:MM [24-hour format]", "bad_arguments"),
        ("Error executing tool convert_time: Invalid time format. Expected HH:MM [24-hour format]", "bad_arguments"),
        ("Error executing tool get_current_time: Invalid timezone: 'No time zone found'", "bad_arguments"),
        ("Error executing tool add: 2 validation errors for addArguments", "bad_arguments"),
        ("Input validation error: 'timezone' is a required property", "bad_arguments"),
        ("the service is busy", "failed"),
        ("an Invalid thing in the middle", "failed"),
        ("  ", "failed"),
    ],
)
def test_a_servers_refusal_is_told_from_a_failure(said: str, code: str) -> None:
    """The same call would be refused again, so it is not tried again."""
    result = CallToolResult(content=[TextContent(type="text", text=said)], is_error=True)
    with pytest.raises(ToolError) as refused:
        known().read_result(result)
    assert (refused.value.code, refused.value.message) == (code, said.strip() or "failed without a word")


EVIL = "^(a|aa)+$"  # takes Python's engine a lifetime for 80 letters and something else


@pytest.fixture
def _no_engine_of_python(monkeypatch: pytest.MonkeyPatch) -> None:
    """A test of what it would do might never end."""

    class Refusing:
        @staticmethod
        def search(*tried: str) -> None:
            raise AssertionError(tried)

    for module in ("_keywords", "_utils", "_legacy_keywords"):
        monkeypatch.setattr(f"jsonschema.{module}.re", Refusing, raising=False)


@pytest.mark.usefixtures("_no_engine_of_python")
@pytest.mark.parametrize(
    ("schema", "fits", "misfits"),
    [
        ({"properties": {"x": {"type": "string", "pattern": EVIL}}}, {"x": "aaa"}, {"x": "a" * 80 + "!"}),
        ({"patternProperties": {EVIL: {"type": "integer"}}}, {"a" * 80 + "!": "b"}, {"aaa": "b"}),
        ({"patternProperties": {EVIL: {}}, "additionalProperties": False}, {"aa": 1}, {"a" * 80 + "!": 1}),
        ({"properties": {"x": {}}, "additionalProperties": False}, {"x": 1}, {"y": 1}),
        ({"properties": {"x": {"pattern": "^a(?!b)"}, "y": {"type": "string"}}}, {"x": "ab"}, {"y": 5}),
    ],
)
def test_a_strangers_pattern_stops_nobody(
    schema: dict[str, Any], fits: dict[str, Any], misfits: dict[str, Any]
) -> None:
    tool = known(output_schema={"type": "object", **schema})
    assert tool.read_result(CallToolResult(content=[], structured_content=fits)) == fits
    with pytest.raises(ToolError, match="its schema promises"):
        tool.read_result(CallToolResult(content=[], structured_content=misfits))
