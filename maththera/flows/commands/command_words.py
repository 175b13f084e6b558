"""A Korean sentence as the set of its distinctive words, with misspelt ones corrected where possible."""

import re
import unicodedata
from collections.abc import Collection, Iterator
from difflib import SequenceMatcher
from functools import lru_cache
from typing import Final

from maththera.flows.commands.command_rules import WordLists
from maththera.korean.morphemes import morphemes

_MEANING: Final = frozenset(["NNG", "NNP", "NR", "SL", "XR", "VV", "VA", "MAG", "NP"])
_HANGUL: Final = re.compile("[가-힣]")


class CommandWords:
    """Finds the words of sentences by one configuration."""

    def __init__(self, lists: WordLists) -> None:
        self._same = {word: group[0] for group in lists.same for word in group}
        self._empty = frozenset(lists.empty)
        terms = [word for word in self._same if " " in word]
        self._terms = {parts: term for term in terms if len(parts := _forms(term)) > 1}
        self._longest = max(map(len, self._terms), default=1)
        self.of = lru_cache(maxsize=4096)(self._of)

    def _of(self, sentence: str) -> tuple[str, ...]:
        """The words in their order; verbs as stems, one word for all synonyms."""
        found = (self._same.get(word, word) for word in self._joined(_forms(sentence)))
        return tuple(dict.fromkeys(word for word in found if word not in self._empty))

    def _joined(self, forms: tuple[str, ...]) -> Iterator[str]:
        """The sentence with terms of several words as one, the longest first."""
        place = 0
        while place < len(forms):
            lengths = range(min(self._longest, len(forms) - place), 1, -1)
            length = next((each for each in lengths if forms[place : place + each] in self._terms), 1)
            yield self._terms[forms[place : place + length]] if length > 1 else forms[place]
            place += length

    def says_nothing(self, word: str) -> bool:
        """Whether the word occurs in any command and so distinguishes none."""
        return self._same.get(word, word) in self._empty

    def mended(self, word: str, known: Collection[str], limit: float) -> str | None:
        """The known word that an unknown one is a misspelling of."""
        if len(word) < 2 or not _HANGUL.search(word):
            return None
        best = max(known, key=lambda each: likeness(word, each), default=None)
        return best if best is not None and likeness(word, best) >= limit else None


def _forms(text: str) -> tuple[str, ...]:
    return tuple(each.form for each in morphemes(text.lower()) if each.tag in _MEANING)


@lru_cache(maxsize=65_536)
def likeness(one: str, other: str) -> float:
    """The likeness from 0 to 1, by the letters that syllables are made of: 리폿트 is near 리포트."""
    if abs(len(one) - len(other)) > 2 or len(other) < 2:
        return 0.0
    return SequenceMatcher(None, unicodedata.normalize("NFD", one), unicodedata.normalize("NFD", other)).ratio()
