"""What a Korean or English text is searched by: the words that carry meaning, without endings and particles."""

from collections.abc import Set
from typing import Final

from maththera.korean.morphemes import morphemes

_MEANING: Final = frozenset({"NNG", "NNP", "NR", "SN", "SL", "SH", "XR", "VV", "VA"})
_REMEMBERED: Final = 200
"""Characters of a text that may be asked again. Passages of a library are read once, and would fill the memory."""
_SUFFIXES: Final = ("ies", "es", "s")
"""Of English nouns: papers speak of number lines, a question of a number line."""


def words(text: str, empty: Set[str] = frozenset(), *, counters: bool = False) -> list[str]:
    """In their order; `empty` are left out, as are single Latin letters. With `counters` also the 개 of "몇 개"."""
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
