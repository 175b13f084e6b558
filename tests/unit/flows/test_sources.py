"""Texts that are meant to keep the parser busy."""

import pytest

from maththera.flows import sources


@pytest.mark.parametrize("text", ["[" * 20_000, "{a: " * 9_000, "a: " + "[" * 501, "[{" * 400])
def test_brackets_without_end_never_reach_the_parser(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yaml.compose", lambda *_: pytest.fail("it was parsed"))
    assert [fault.message for fault in sources.read(text, "x.yaml").faults] == ["nested deeper than 60"]


def test_brackets_that_close_again_are_no_depth() -> None:
    assert sources.read(f"a: [{'[], ' * 5_000}]", "x.yaml").faults == []
