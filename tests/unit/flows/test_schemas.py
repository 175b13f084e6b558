"""JSON Schemas of other people: they can be wrong, and none can stop the process."""

import pytest

from maththera.flows.schemas import Typed, mistakes
from maththera.flows.written_schemas import schema_mistakes


def wrong(value: object, **schema: object) -> list[str]:
    return [reason for _, reason in mistakes(value, Typed.of(schema))]


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
    assert "is no pattern" in reason
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
