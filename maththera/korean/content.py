"""What a Korean text is about: its words that carry meaning, whatever their endings and particles."""

from functools import lru_cache
from typing import Final

from maththera.korean.lists import korean_lists
from maththera.korean.morphemes import morphemes

_MEANING: Final = frozenset(["NNG", "NNP", "NNB", "NR", "SN", "SL", "XR", "VV", "VA", "MM", "XSN"])


@lru_cache(maxsize=4096)
def content_words(text: str) -> tuple[str, ...]:
    """In their order, verbs and adjectives as stems; those of every school text are left out."""
    lists = korean_lists()
    found = (each.form for each in morphemes(text) if each.tag in _MEANING)
    return tuple(lists.same.get(form, form) for form in found if form not in lists.empty)
