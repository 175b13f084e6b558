"""What is said to the coach and to the assistant, each line with what it asks: tests/data/coach_asks and
tests/data/assistant_asks, a file for each writer; and threads of adults, each line with its kind:
tests/data/message_kinds."""

from pathlib import Path
from typing import Final, Literal, NamedTuple

import yaml

from maththera.chat.adults.message_kinds import MessageKind, beside_the_last

DATA: Final = Path(__file__).parents[1] / "data"
Asked = Literal["coach", "assistant", "kinds"]


class AskLine(NamedTuple):
    """`writer`: the name of the file."""

    ask: str
    text: str
    writer: str


def ask_lines(asked: Asked = "coach") -> list[AskLine]:
    """In the order of the files. A file holds a list for each ask, or a text with lines parted by " / "."""
    if asked == "kinds":
        return _kind_lines()
    found: list[AskLine] = []
    for path in sorted((DATA / f"{asked}_asks").glob("*.yaml")):
        told: dict[str, str | list[str]] = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
        for ask, lines in told.items():
            each = lines.replace("\n", " / ").split(" / ") if isinstance(lines, str) else lines
            found += [AskLine(ask, text, path.stem) for text in each]
    return found


def _kind_lines() -> list[AskLine]:
    """The ask is the kind; the kind of the line before stands before the text. Of lines of strangers the writer is the
    name of their set."""
    found: list[AskLine] = []
    for path in sorted((DATA / "message_kinds").glob("*.yaml")):
        for thread in yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader):
            before: MessageKind | None = None
            for kind, text in thread["lines"]:
                found.append(AskLine(kind, beside_the_last(text, before), thread.get("set", path.stem)))
                before = kind
    return found
