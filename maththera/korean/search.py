"""Search among texts by the words that carry meaning.

Robertson, S. & Zaragoza, H. (2009). The probabilistic relevance framework: BM25 and beyond. Foundations and Trends in
Information Retrieval 3, 333–389.
"""

import math
from collections import Counter
from collections.abc import Iterable, Sequence, Set
from functools import cached_property
from typing import TYPE_CHECKING, Any, Final, NamedTuple

from maththera.korean.morphemes import morphemes

if TYPE_CHECKING:
    from bm25s import BM25

_MEANING: Final = frozenset({"NNG", "NNP", "NR", "SN", "SL", "SH", "XR", "VV", "VA"})
_REMEMBERED: Final = 200
"""Characters of a text that may be asked again. Passages of a library are read once, and would fill the memory."""
_SUFFIXES: Final = ("ies", "es", "s")
"""Of English nouns: papers speak of number lines, a question of a number line."""
_SHORTEST_HEAD: Final = 2
"""Letters of a word that a compound may begin with: half of all words begin with some one letter."""


class Match(NamedTuple):
    """`place` of the text. `score`: BM25. `share`, 0 to 1: how much of the question's meaning the text has, rare words
    counting more."""

    place: int
    score: float
    share: float


class WordIndex:
    """Texts, each given as its words."""

    def __init__(self, texts: Sequence[Sequence[str]]) -> None:
        self._texts = texts
        self._words = [frozenset(text) for text in texts]
        self._holders = Counter(word for words in self._words for word in words)

    def knows(self, word: str) -> bool:
        """Whether any text has the word."""
        return word in self._holders

    def search(self, asked: Iterable[str], *, compounds: bool = False) -> list[Match]:
        """The texts that have any of the words, as they stand. With `compounds` a text with 곱셈구구 also has 곱셈."""
        forms = {word: self._forms(word, compounds) for word in asked}
        known = [form for own in forms.values() for form in own if form in self._holders]
        if not known:
            return []
        rarity = {word: self._rarity(own) for word, own in forms.items()}
        whole = sum(rarity.values())
        found = []
        for place, (words, score) in enumerate(zip(self._words, self._bm25.get_scores(known), strict=True)):
            share = sum(rarity[word] for word, own in forms.items() if not own.isdisjoint(words)) / whole
            if share > 0:
                found.append(Match(place, float(score), share))
        return found

    def _forms(self, word: str, compounds: bool) -> Set[str]:
        if not compounds or len(word) < _SHORTEST_HEAD:
            return {word}
        return {word} | {each for each in self._holders if each.startswith(word)}

    def _rarity(self, forms: Set[str]) -> float:
        """Inverse document frequency of a word that stands in any of these forms."""
        holders = sum(not forms.isdisjoint(own) for own in self._words)
        return math.log(1 + (len(self._words) - holders + 0.5) / (holders + 0.5))

    @cached_property
    def _bm25(self) -> "BM25":
        from bm25s import BM25  # half a second, which no process pays that does not search

        index: Any = BM25()
        index.index(self._texts, show_progress=False)
        return index


def meaning_words(text: str, empty: Set[str] = frozenset(), *, counters: bool = False) -> list[str]:
    """The words of a Korean or English text that carry meaning, in their order, without endings and particles. `empty`
    are left out, as are single Latin letters. With `counters` also the 개 of "몇 개"."""
    found = []
    for each in morphemes(text) if len(text) <= _REMEMBERED else morphemes.__wrapped__(text):
        if each.tag not in _MEANING and not (counters and each.tag == "NNB"):
            continue
        word = _singular(each.form.lower()) if each.tag == "SL" else each.form
        if word and word not in empty:
            found.append(word)
    return found


def _singular(word: str) -> str:
    if len(word) < 2:
        return ""
    for suffix, instead in zip(_SUFFIXES, ("y", "e", ""), strict=True):
        if word.endswith(suffix) and len(word) > len(suffix) + 2 and not word.endswith(("ss", "us", "is")):
            return word.removesuffix(suffix) + instead
    return word
