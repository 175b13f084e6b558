"""tests/data/coach_asks.yaml: what is said to the coach, each line with what it asks."""

from pathlib import Path
from typing import Final

import yaml

from maththera.chat.coach.asks import CLASS_OF, Asks

ASKS: Final = Path(__file__).parents[1] / "data" / "coach_asks.yaml"


def ask_lines() -> list[tuple[str, str]]:
    """(ask, line), in the order of the file."""
    found: dict[str, str] = yaml.load(ASKS.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return [(name, line) for name, text in found.items() for line in text.replace("\n", " / ").split(" / ")]


def model_class(asks: Asks, name: str) -> str:
    """The class of the model that the lines of an ask belong to."""
    return name if name in asks.asks else CLASS_OF.get(asks.letter(name), "talk")
