"""Recognises messages that consist of known words only, and their kind."""

import re
from collections.abc import Mapping
from typing import Final

_NO_WORDS: Final = re.compile(r"(?:[\W_ㅋㅠㅜ]|ㅎ(?!ㅇ))+")  # ㅎㅇ is a greeting
_CUTE: Final = str.maketrans("당용욤염영여넹엉앙웡죵징룽", "다요요요요요네어아워죠지루")
"""Endings as children write them to be nice: 감사합니당."""
_LONGEST: Final = 40
"""The longest message, in letters; a longer one says more."""


class Phrases:
    """`kinds`: name → a pattern for its words; `beside`: for words that may stand with those of any kind. Patterns are
    for letters and digits alone, small ones."""

    def __init__(self, beside: str, kinds: Mapping[str, str]) -> None:
        self._whole = re.compile("|".join(f"(?:{words})" for words in (*kinds.values(), beside)).join(["(?:", ")+"]))
        self._kinds = [(name, re.compile(words)) for name, words in kinds.items()]

    def kind(self, message: str) -> str | None:
        """The first kind whose words a message has; None if it has other words too, or no words."""
        typed = _NO_WORDS.sub("", message[: 10 * _LONGEST].casefold())
        if len(typed) > _LONGEST:
            return None
        said = next((text for text in (typed, typed.translate(_CUTE)) if self._whole.fullmatch(text)), "")
        return next((name for name, words in self._kinds if words.search(said)), None)
