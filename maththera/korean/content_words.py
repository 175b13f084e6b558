"""The content words of a Korean text, without endings and particles."""

from functools import lru_cache
from typing import Final

from maththera.korean.morphemes import morphemes
from maththera.korean.word_lists import korean_lists

_MEANING: Final = frozenset(["NNG", "NNP", "NNB", "NR", "SN", "SL", "XR", "VV", "VA", "MM", "XSN"])


@lru_cache(maxsize=4096)
def content_words(text: str) -> tuple[str, ...]:
    """The content words in order, verbs and adjectives as stems. Words common to every school text are left out."""
    lists = korean_lists()
    found = (each.form for each in morphemes(text) if each.tag in _MEANING)
    return tuple(lists.same.get(form, form) for form in found if form not in lists.empty)
