import json
from contextlib import suppress

import pytest
from hypothesis import given
from hypothesis import strategies as st
from pydantic import BaseModel

from maththera.llm.structured_output import Line, MalformedError, parse


class Point(BaseModel):
    x: int
    label: Line = ""


@pytest.mark.parametrize(
    "text",
    [
        '{"x": 1, "label": "가"}',
        '```json\n{"x": 1, "label": "가"}\n```',
        '생각해 보면 {이렇다}. 답:\n{"x": 1, "label": "  가\\n"} 끝.',
    ],
)
def test_what_surrounds_the_object_is_ignored(text: str) -> None:
    assert parse(text, Point) == Point(x=1, label="가")


@pytest.mark.parametrize(
    ("text", "reason"),
    [
        ("", "no JSON object"),
        ("[1, 2]", "no JSON object"),
        ('{"x": 1', "no JSON object"),
        ('{"label": "a"}', "x: Field required"),
        ('{"x": "many"}', "x: Input should be a valid integer"),
        ("{" * 20_000, "no JSON object"),
        ('{"a":' * 5_000, "no JSON object"),
        (json.dumps({"x": 1, "label": "a\x00b"}), "label: .*unprintable"),
        ('{"x": 1, "label": "\\ud800"}', "label: .*unprintable"),
    ],
)
def test_a_malformed_reply_is_refused_with_its_field(text: str, reason: str) -> None:
    with pytest.raises(MalformedError, match=reason):
        parse(text, Point)


def test_the_reason_does_not_quote_the_reply() -> None:
    with pytest.raises(MalformedError) as refused:
        parse('{"x": "비밀"}', Point)
    assert "비밀" not in str(refused.value)


@given(st.text())
def test_any_text_is_a_value_or_refused(text: str) -> None:
    with suppress(MalformedError):
        assert isinstance(parse(text, Point), Point)


@given(st.text())
def test_an_accepted_line_can_be_stored_and_shown(text: str) -> None:
    try:
        label = parse(json.dumps({"x": 1, "label": text}), Point).label
    except MalformedError:
        return
    assert label.isprintable()
    assert label.encode().decode() == label
