"""JSON Schemas of other people: they can be wrong, and none can stop the process."""

from typing import Any

import pytest

from maththera.flows.checker.call_checks import schema_mistakes
from maththera.flows.language.schema_types import SchemaType
from maththera.flows.language.value_checks import value_mistakes


def wrong(value: object, **schema: object) -> list[str]:
    return [str(reason) for _, reason in value_mistakes(value, SchemaType.of(schema))]


@pytest.mark.parametrize("pattern", ["(a+)+$", "^(a|a)*$", "(a|aa)+$", "^(([a-z])+.)+[A-Z]([a-z])+$"])
def test_no_pattern_takes_longer_than_its_text(pattern: str) -> None:
    text = "a" * 50_000 + "!"
    assert wrong(text, type="string", pattern=pattern) == [f"'{text:.60}' does not match {pattern}"]


def test_a_pattern_may_match_anywhere_unless_it_says_so() -> None:
    assert wrong("3학년 2반", type="string", pattern=r"\d반") == []
    assert len(wrong("3학년 2반", type="string", pattern=r"^\d반$")) == 1


@pytest.mark.parametrize("pattern", ["(?=a)b", r"(a)\1", "[", "(a{1000}){1000}"])
def test_a_pattern_that_cannot_be_used_is_told_and_never_matched(pattern: str) -> None:
    ((path, reason),) = schema_mistakes({"type": "string", "pattern": pattern})
    assert path == ("pattern",)
    assert "is no pattern" in str(reason)
    assert wrong("b", type="string", pattern=pattern) == []


def test_a_schema_that_says_what_it_can_is_right() -> None:
    inner = {"type": ["string", "null"], "enum": ["가", None], "title": "반"}
    schema = {
        "type": "object",
        "properties": {"a": inner, "b": {"type": "array", "items": {"anyOf": [{"type": "integer"}, {"const": 1}]}}},
        "required": ["a"],
        "additionalProperties": False,
    }
    assert list(schema_mistakes(schema)) == []


@pytest.mark.parametrize(
    ("schema", "value", "reasons"),
    [
        ({"type": ["string", "null"]}, 3, ["needs a text or null, not a whole number"]),
        ({"type": "integer"}, 2.0, []),
        ({"type": "integer"}, True, ["needs a whole number, not true or false"]),
        (
            {"type": "string", "enum": ["가나", "다라"]},
            "가너",
            ["'가너' is not one of the allowed values; did you mean '가나'?"],
        ),
        ({"type": "string", "enum": ["가"]}, 3, ["needs a text, not a whole number"]),
        ({"anyOf": [{"type": "integer", "minimum": 3}, {"type": "null"}]}, 1, ["1 is below the least allowed, 3"]),
        ({"anyOf": [{"type": "integer"}, {"type": "null"}]}, "x", ["needs a whole number or null, not a text"]),
        (
            {"oneOf": [{"minLength": 1}, {"maxLength": 3}]},
            "ab",
            ["'ab' is valid under each of {'maxLength': 3}, {'minLength': 1}"],
        ),
        ({"uniqueItems": True}, [1, 1], ["has elements that are equal"]),
        ({"required": ["a", "b"]}, {}, ["'a' is missing", "'b' is missing"]),
        ({"type": "strin"}, 3, []),
        ({"$ref": "https://example.org/elsewhere.json"}, 3, []),
        ({"$ref": "#"}, 3, []),
    ],
)
def test_what_a_schema_forbids_is_told_in_the_words_of_authors(
    schema: dict[str, object], value: object, reasons: list[str]
) -> None:
    assert wrong(value, **schema) == reasons


def test_fields_that_are_not_listed_are_mistakes_unless_the_schema_opens_itself() -> None:
    listed: dict[str, object] = {"properties": {"count": {}}}
    assert wrong({"cuont": 1}, **listed) == ["unknown field 'cuont'; did you mean 'count'?"]
    assert value_mistakes({"cuont": 1}, SchemaType.of(listed), extra_allowed=True) == []
    assert wrong({"cuont": 1}, **listed, additionalProperties=True) == []
    assert wrong({"cuont": 1, "x_1": 2}, **listed, patternProperties={"^x_": {}}) == []
    assert wrong({"anything": 1}, type="object") == []
    both: list[Any] = [{"properties": {"a": {}}}, {"properties": {"b": {}}}]
    assert wrong({"a": 1, "b": 2}, allOf=both) == []


def test_references_point_into_the_whole_document() -> None:
    root: dict[str, Any] = {
        "$defs": {"grade": {"type": "integer", "maximum": 6}},
        "properties": {"g": {"$ref": "#/$defs/grade"}},
    }
    inner = SchemaType.of(root).inner(root["properties"]["g"])
    ((here, too_much),) = value_mistakes(7, inner)
    ((there, other),) = value_mistakes({"g": "x"}, SchemaType.of(root))
    assert (here, str(too_much)) == ((), "7 is above the most allowed, 6")
    assert (there, str(other)) == (("g",), "needs a whole number, not a text")
