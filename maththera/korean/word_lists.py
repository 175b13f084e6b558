"""The word lists for reading Korean, `configs/korean/word_lists.yaml`, and everyday words as they are usually spelt:
"뭐에요" is "뭐예요", "어케" is "어떻게"."""

import re
from functools import cache, lru_cache
from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.config_files import ConfigFile
from maththera.settings import home


class Spelling(BaseModel):
    """A pattern of what is `typed`, and its usual spelling."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    typed: re.Pattern[str]
    usual: str


class Synonyms(BaseModel):
    """The beginnings of words that mean the same ("쉽", "쉬워", "편하"), and of their opposites."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    words: tuple[str, ...]
    contrary: tuple[str, ...] = ()


class KoreanLists(BaseModel):
    """`terms`: words that the analyser keeps whole. `empty`: words too common to distinguish texts. `same`: verbs and
    spellings → the noun of the same meaning. `spellings`: corrections of everyday words, in the order of use. `alike`:
    synonyms in answers."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    terms: tuple[str, ...]
    empty: frozenset[str]
    same: dict[str, str]
    spellings: tuple[Spelling, ...]
    alike: tuple[Synonyms, ...]


def load_korean_lists(folder: Path) -> KoreanLists:
    """The lists of a home. ConfigError names every fault by file, line and field."""
    return ConfigFile.read(folder / "configs" / "korean" / "word_lists.yaml").parse(TypeAdapter(KoreanLists))


@cache
def korean_lists() -> KoreanLists:
    """The lists of the installation."""
    return load_korean_lists(home())


@lru_cache(maxsize=1024)
def usual_spelling(text: str) -> str:
    """The text with the words of `spellings` (`word_lists.yaml`) in their usual spelling."""
    for spelling in korean_lists().spellings:
        text = spelling.typed.sub(spelling.usual, text)
    return text
