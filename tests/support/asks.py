"""tests/data/coach_asks: what is said to the coach, each line with what it asks, a file for each writer."""

from pathlib import Path
from typing import Final, NamedTuple

import yaml

ASKS: Final = Path(__file__).parents[1] / "data" / "coach_asks"


class AskLine(NamedTuple):
    """`writer`: the name of the file."""

    ask: str
    text: str
    writer: str


def ask_lines() -> list[AskLine]:
    """In the order of the files. A file holds a list for each ask, or a text with lines parted by " / "."""
    found: list[AskLine] = []
    for path in sorted(ASKS.glob("*.yaml")):
        told: dict[str, str | list[str]] = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
        for ask, lines in told.items():
            each = lines.replace("\n", " / ").split(" / ") if isinstance(lines, str) else lines
            found += [AskLine(ask, text, path.stem) for text in each]
    return found
