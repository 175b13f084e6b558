"""Everyday words as they are usually spelt, however people type them: "뭐에요" is "뭐예요", "어케" is "어떻게"."""

from functools import lru_cache

from maththera.korean.word_lists import korean_lists


@lru_cache(maxsize=1024)
def usual_spelling(text: str) -> str:
    """The text with the words of `spellings` (`word_lists.yaml`) in their usual spelling."""
    for spelling in korean_lists().spellings:
        text = spelling.typed.sub(spelling.usual, text)
    return text
