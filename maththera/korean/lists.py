"""`configs/korean.yaml`: the words that reading Korean needs to know of."""

import re
from functools import cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.documents import Document
from maththera.settings import home


class Spelling(BaseModel):
    """What is found as it was `typed`, and how it is usually spelt."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    typed: re.Pattern[str]
    usual: str


class KoreanLists(BaseModel):
    """`terms`: words that the analyser keeps whole. `empty`: words that tell no text from another. `same`: verbs and
    spellings → the noun that names the same. `spellings`: of everyday words, in the order in which they are mended."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    terms: tuple[str, ...]
    empty: frozenset[str]
    same: dict[str, str]
    spellings: tuple[Spelling, ...]


def load_korean_lists(folder: Path) -> KoreanLists:
    """Of this home; ConfigError names every fault by file, line and field."""
    return Document.read(folder / "configs" / "korean.yaml").parse(TypeAdapter(KoreanLists))


@cache
def korean_lists() -> KoreanLists:
    """The installed ones."""
    return load_korean_lists(home())
