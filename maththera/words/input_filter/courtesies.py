"""Greetings, thanks and goodbyes. They are recognised without a model, and the answers are written by people."""

import re
from collections.abc import Mapping, Sequence
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field

from maththera.config_files import ConfigModel
from maththera.words.input_filter.filter_words import Pattern, Profile

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


_CRYING: Final = "ㅠㅜ"


Wordings = Annotated[tuple[Annotated[str, Field(min_length=1)], ...], Field(min_length=1)]


class Courtesy(ConfigModel):
    """One kind of courtesy: a pattern for its words, signs that mean the same in a message without words, and the
    answers in several wordings."""

    words: Pattern
    signs: str = ""
    coach: Wordings
    assistant: Wordings


class Courtesies(ConfigModel):
    """`configs/words/courtesies.yaml`; see `Phrases`."""

    beside: Pattern
    kinds: dict[str, Courtesy]

    @classmethod
    def load(cls, home: Path) -> "Courtesies":
        """ConfigError names every field that does not fit."""
        return cls.from_file(home / "configs" / "words" / "courtesies.yaml")

    def kind(self, message: str) -> str | None:
        """The kind of a message that is only a courtesy, else None."""
        return self._phrases.kind(message) or self._by_signs(message)

    def answer(self, kind: str, profile: Profile, told: Sequence[str] = ()) -> str:
        """The answer in the wording that was said least often before. `told`: what was said in the conversation."""
        ways = self.kinds[kind].coach if profile == "coach" else self.kinds[kind].assistant
        return min(ways, key=[*told].count)

    def _by_signs(self, message: str) -> str | None:
        if any(sign.isalnum() and sign not in _CRYING for sign in message):
            return None
        return next((name for name, kind in self.kinds.items() if any(sign in message for sign in kind.signs)), None)

    @cached_property
    def _phrases(self) -> Phrases:
        return Phrases(self.beside, {name: kind.words for name, kind in self.kinds.items()})
