"""A Korean sentence as the words that tell one command from another, with spelling mistakes mended where they can be.

The analyser takes seconds to load, so it is loaded when the first sentence needs it.
"""

import re
import unicodedata
from collections.abc import Collection
from difflib import SequenceMatcher
from functools import cache, lru_cache
from typing import TYPE_CHECKING, Final

from maththera.flows.commands import WordLists

if TYPE_CHECKING:
    from kiwipiepy import Kiwi  # type: ignore[import-untyped]

_MEANING: Final = frozenset(["NNG", "NNP", "NR", "SL", "XR", "VV", "VA", "MAG", "NP", "NNB", "SN"])
_HANGUL: Final = re.compile("[가-힣]")


class Words:
    """The words of sentences under one configuration."""

    def __init__(self, lists: WordLists) -> None:
        self._lists = lists
        self._same = {word: group[0] for group in lists.same for word in group}
        self._empty = frozenset(lists.empty)
        self._kiwi = _kiwi(tuple(sorted({*lists.own, *(group[0] for group in lists.same if " " in group[0])})))
        self._joined = {own.replace(" ", ""): own for own in lists.own if " " in own}
        self.of = lru_cache(maxsize=4096)(self._of)

    def _of(self, sentence: str) -> tuple[str, ...]:
        """In their order; verbs as stems, one word for all that mean the same."""
        found: list[str] = []
        for token in self._kiwi.tokenize(sentence.lower()):
            tag = token.tag.partition("-")[0]
            if tag not in _MEANING or (tag == "SN" and not token.form):
                continue
            form = self._joined.get(token.form.replace(" ", ""), token.form)
            form = self._same.get(form, form)
            if form not in self._empty and tag not in ("SN", "NNB"):
                found.append(form)
        return tuple(dict.fromkeys(found))

    def mended(self, word: str, known: Collection[str], limit: float) -> str | None:
        """The known word that an unknown one is a slip of."""
        if len(word) < 2 or not _HANGUL.search(word):
            return None
        best = max(known, key=lambda each: likeness(word, each), default=None)
        return best if best is not None and likeness(word, best) >= limit else None


@lru_cache(maxsize=65_536)
def likeness(one: str, other: str) -> float:
    """0 to 1, by the letters that syllables are made of, so that 리폿트 is near 리포트."""
    if abs(len(one) - len(other)) > 2 or len(other) < 2:
        return 0.0
    return SequenceMatcher(None, unicodedata.normalize("NFD", one), unicodedata.normalize("NFD", other)).ratio()


@cache
def _kiwi(own: tuple[str, ...]) -> "Kiwi":
    from kiwipiepy import Kiwi

    kiwi = Kiwi()
    for word in own:
        kiwi.add_user_word(word, "NNG")
        if " " in word:
            kiwi.add_user_word(word.replace(" ", ""), "NNG")
    return kiwi
