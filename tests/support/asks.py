"""What is said to the coach and to the assistant, each line with what it asks: tests/data/coach_asks and
tests/data/assistant_asks, a file for each writer."""

from pathlib import Path
from typing import Final, Literal, NamedTuple

import yaml

DATA: Final = Path(__file__).parents[1] / "data"
Asked = Literal["coach", "assistant"]


class AskLine(NamedTuple):
    """`writer`: the name of the file."""

    ask: str
    text: str
    writer: str


def ask_lines(asked: Asked = "coach") -> list[AskLine]:
    """In the order of the files. A file holds a list for each ask, or a text with lines parted by " / "."""
    found: list[AskLine] = []
    for path in sorted((DATA / f"{asked}_asks").glob("*.yaml")):
        told: dict[str, str | list[str]] = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
        for ask, lines in told.items():
            each = lines.replace("\n", " / ").split(" / ") if isinstance(lines, str) else lines
            found += [AskLine(ask, text, path.stem) for text in each]
    return found
