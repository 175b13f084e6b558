"""The word lists for reading Korean, `configs/korean/word_lists.yaml`, and everyday words as they are usually spelt:
"뭐에요" is "뭐예요", "어케" is "어떻게"."""

import re
from functools import cache, lru_cache
from pathlib import Path

from maththera.config_files import ConfigModel
from maththera.settings import home


class Spelling(ConfigModel):
    """A pattern of what is `typed`, and its usual spelling."""

    typed: re.Pattern[str]
    usual: str


class Synonyms(ConfigModel):
    """The beginnings of words that mean the same ("쉽", "쉬워", "편하"), and of their opposites."""

    words: tuple[str, ...]
    contrary: tuple[str, ...] = ()


class KoreanLists(ConfigModel):
    """`terms`: words that the analyser keeps whole. `empty`: words too common to distinguish texts. `same`: verbs and
    spellings → the noun of the same meaning. `spellings`: corrections of everyday words, in the order of use. `alike`:
    synonyms in answers."""

    terms: tuple[str, ...]
    empty: frozenset[str]
    same: dict[str, str]
    spellings: tuple[Spelling, ...]
    alike: tuple[Synonyms, ...]


def load_korean_lists(folder: Path) -> KoreanLists:
    """The lists of a home. ConfigError names every fault by file, line and field."""
    return KoreanLists.from_file(folder / "configs" / "korean" / "word_lists.yaml")


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
