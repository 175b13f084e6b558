from pathlib import Path

import pytest
from pydantic import BaseModel, TypeAdapter

from maththera.config_files import ConfigError, ConfigFile, NestedDeeperError, YamlNodes


class Shelf(BaseModel):
    books: list[dict[str, int]]


@pytest.fixture
def path(tmp_path: Path) -> Path:
    return tmp_path / "shelf.yaml"


def refusal(path: Path, text: str) -> str:
    path.write_text(text, encoding="utf-8")
    with pytest.raises(ConfigError) as caught:
        ConfigFile.read(path).parse(TypeAdapter(Shelf))
    return str(caught.value)


def test_a_good_file(path: Path) -> None:
    path.write_text("books: [{pages: 3}]", encoding="utf-8")
    assert ConfigFile.read(path).parse(TypeAdapter(Shelf)) == Shelf(books=[{"pages": 3}])


def test_every_wrong_field_with_its_line(path: Path) -> None:
    text = "books:\n  - pages: 3\n  - id: 7\n    pages: x\n  - pages:\n"
    assert refusal(path, text).splitlines() == [
        f"{path}:4: books[7].pages: Input should be a valid integer, unable to parse string as an integer",
        f"{path}:5: books[2].pages: Input should be a valid integer",
    ]


def test_an_absent_field_has_the_line_of_its_owner(path: Path) -> None:
    assert refusal(path, "# a comment\nshelves: 3\n") == f"{path}:2: books: Field required"


def test_no_mapping_at_all(path: Path) -> None:
    assert refusal(path, "- 1\n").startswith(f"{path}:1: file: ")


def test_a_key_given_twice(path: Path) -> None:
    text = "books:\n  - pages: 3\n    pages: 4\n"
    assert refusal(path, text) == f"{path}:3: pages: given twice"


def test_no_yaml(path: Path) -> None:
    assert refusal(path, "books:\n  - {pages: 3\n").startswith(f"{path}:3: ")
    assert "control characters" in refusal(path, "books: \x00")


@pytest.mark.parametrize(("value", "reason"), [("2026-02-30", "day is out of range"), ("9" * 5000, "limit")])
def test_a_date_or_a_number_that_there_is_not(path: Path, value: str, reason: str) -> None:
    told = refusal(path, f"books:\n  - pages: {value}\n")
    assert told.startswith(f"{path}:2: {value[:40]}: ")
    assert reason in told


def test_what_stands_within_itself(path: Path) -> None:
    assert refusal(path, "books:\n  - &it\n    pages: *it\n") == f"{path}:2: stands within itself"


def test_aliases_of_aliases_are_looked_at_once(path: Path) -> None:
    levels = [f"l{n}: &l{n} [{', '.join([f'*l{n - 1}'] * 9)}]" for n in range(1, 40)]
    path.write_text("\n".join(["l0: &l0 [1]", *levels]), encoding="utf-8")
    assert ConfigFile.read(path).nodes.position(()) == (1, 1)


def test_what_is_taken_over_from_elsewhere(path: Path) -> None:
    path.write_text("one: &one {pages: 3}\nbooks: [{<<: *one}]", encoding="utf-8")
    assert ConfigFile.read(path).data == {"one": {"pages": 3}, "books": [{"pages": 3}]}


@pytest.mark.parametrize("opening", ["[", "{", "- ", "? ", "{a: ", "[ #]\n", '["]", '])
@pytest.mark.parametrize("times", [61, 100_000])
def test_what_is_nested_deeper_than_any_stack(path: Path, opening: str, times: int) -> None:
    assert refusal(path, opening * times) == f"{path}: nested deeper than 60"


@pytest.mark.parametrize(
    ("text", "levels"), [("[1]: [[], [], []]\n" * 200, 3), ("a: ']'\nb: '[[['\n# [[[\n", 1)], ids=["lists", "texts"]
)
def test_what_stands_side_by_side_is_not_nested(text: str, levels: int) -> None:
    assert YamlNodes.of(text, deepest=levels).root
    with pytest.raises(NestedDeeperError):
        YamlNodes.of(text, deepest=levels - 1)


def test_an_empty_file(path: Path) -> None:
    assert refusal(path, "# nothing\n") == f"{path}:1: the file is empty"


def test_other_encodings(path: Path) -> None:
    path.write_bytes(b"books: \xff")
    with pytest.raises(ConfigError, match="not UTF-8"):
        ConfigFile.read(path)


def test_a_missing_file(path: Path) -> None:
    with pytest.raises(ConfigError, match="No such file"):
        ConfigFile.read(path)
