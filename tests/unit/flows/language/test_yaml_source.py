"""Texts that are meant to keep the parser busy."""

import pytest

from maththera.flows.language import yaml_source


@pytest.mark.parametrize(
    "text",
    [
        "[" * 20_000,
        "{a: " * 9_000,
        "a: " + "[" * 501,
        "[{" * 400,
        "- " * 90_000,
        "? " * 90_000,
        "- ? " * 40_000,
        '["]",' * 30_000,
        "#" + "]" * 90_000 + "\n" + "[" * 90_000,
    ],
    ids=lambda text: text[:8],
)
def test_levels_without_end_never_reach_the_parser(text: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("yaml.compose", lambda *_: pytest.fail("it was parsed"))
    assert [str(fault.message) for fault in yaml_source.read(text, "x.yaml").faults] == ["nested deeper than 60"]


@pytest.mark.parametrize("before", ["a: 1\n\tb: 2\n", "a: 1\n b: 2\n", "a:\u3000x\n- b\n"])
def test_levels_without_end_behind_a_mistake_never_reach_the_parser(before: str) -> None:
    (fault, *_) = yaml_source.read(f"{before}c: {'[' * 90_000}{']' * 90_000}\n", "x.yaml").faults
    assert str(fault.message).startswith("not YAML")


def test_aliases_of_aliases_behind_a_mistake_are_refused() -> None:
    levels = "\n".join(f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 40))
    document = yaml_source.read(f"a: 1\n\tb: 2\nl0: &l0 [1]\n{levels}\n", "x.yaml")
    assert document.data is None
    assert {str(fault.message).split()[0] for fault in document.faults} == {"anchors", "aliases", "not"}


@pytest.mark.parametrize(
    "tagged", ["!!str 5", "!!binary aGk=", "!own x", "!!python/object/apply:os.system [id]", "!!set {a}"]
)
def test_no_tag_is_passed_over(tagged: str) -> None:
    (fault,) = yaml_source.read(f"a: {tagged}", "x.yaml").faults
    assert str(fault.message).startswith("tags (")
    assert (fault.line, fault.column) == (1, 4)


@pytest.mark.parametrize("number", ["9223372036854775808", "-99999999999999999999", "1e999"])
def test_a_number_that_json_does_not_carry_is_a_text(number: str) -> None:
    assert yaml_source.read(f"a: {number}", "x.yaml").data == {"a": number}


def test_brackets_that_close_again_are_no_depth() -> None:
    assert yaml_source.read(f"a: [{'[], ' * 5_000}]", "x.yaml").faults == []
