"""Schemas of strangers: their patterns are matched in linear time, and nothing is fetched for them."""

import pytest
from referencing.exceptions import Unresolvable

from maththera.runtime.json_schema import SchemaTooComplex, is_pattern, schema_errors, schema_validator

EVIL = "^(a|aa)+$"  # takes Python's engine a lifetime for 80 letters and something else
TEXT = "a" * 80 + "!"


@pytest.mark.parametrize(
    "dialect", ["http://json-schema.org/draft-07/schema#", "http://json-schema.org/draft-04/schema#"]
)
@pytest.mark.parametrize("closed", [False, True])
def test_a_dialect_named_inside_of_a_schema_brings_no_other_engine(
    dialect: str, closed: bool, monkeypatch: pytest.MonkeyPatch
) -> None:
    class Refusing:
        @staticmethod
        def search(*tried: str) -> None:
            raise AssertionError(tried)

    monkeypatch.setattr("jsonschema._keywords.re", Refusing)
    inner = {"$schema": dialect, "type": "string", "pattern": EVIL}
    for schema in ({"properties": {"x": inner}}, {"properties": {"x": {"allOf": [inner, {}]}}}):
        (error,) = schema_validator(schema, closed=closed).iter_errors({"x": TEXT})
        assert error.validator == "pattern"


@pytest.mark.parametrize("closed", [False, True])
@pytest.mark.parametrize("keyword", ["anyOf", "oneOf", "allOf"])
def test_alternatives_of_alternatives_end(keyword: str, closed: bool) -> None:
    """60 levels of two equal shapes would be tried 2 ** 60 times."""
    levels: dict[str, object] = {str(n): {keyword: [{"$ref": f"#/$defs/{n + 1}"}] * 2} for n in range(60)}
    schema = {"$defs": {**levels, "60": {"type": "integer"}}, "$ref": "#/$defs/0"}
    with pytest.raises(SchemaTooComplex):
        schema_errors(schema_validator(schema, closed=closed), "x")


def test_a_large_value_is_no_complex_schema() -> None:
    inner = {"anyOf": [{"type": "object", "properties": {"a": {"type": "integer"}}}, {"type": "null"}]}
    validator = schema_validator({"type": "array", "items": inner, "uniqueItems": True}, closed=True)
    assert schema_errors(validator, [{"a": number} for number in range(20_000)]) == []


@pytest.mark.parametrize(
    ("value", "unique"),
    [([1, 1.0], False), ([1, True], True), ([{"a": [1]}, {"a": [1.0]}], False), ([[], {}, "", None, 0, False], True)],
)
def test_elements_are_compared_as_json(value: list[object], unique: bool) -> None:
    assert (schema_errors(schema_validator({"uniqueItems": True}), value) == []) is unique


def test_nothing_is_fetched() -> None:
    with pytest.raises(Unresolvable):
        list(schema_validator({"$ref": "https://example.org/elsewhere.json"}).iter_errors(3))


def test_look_around_is_no_pattern_here() -> None:
    assert is_pattern(EVIL)
    assert not is_pattern("a(?!b)")
