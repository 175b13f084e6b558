"""Short messages that mean the same in every room: "몰라", "힌트 줘", "그만할래"."""

import re
from functools import cache
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, get_args

from pydantic import Field

from maththera.config_files import ConfigModel
from maththera.korean.word_lists import usual_spelling
from maththera.words.input_filter.filter_words import Pattern

CommonIntent: TypeAlias = Literal["does_not_know", "hint", "rest", "pause", "greeting", "answers_yes", "answers_no"]
COMMON_INTENTS: Final[tuple[CommonIntent, ...]] = get_args(CommonIntent)
Patterns: TypeAlias = Annotated[tuple[Pattern, ...], Field(min_length=1)]

_ENDS: Final = re.compile(r"^[\s.,!~…^;:]+|[\s.,!~…^;:ㅠㅜㅋㅎ\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]+$")
_SPACES: Final = re.compile(r"\s+")
_LONGEST: Final = 60
"""The longest message with a common intent, in characters without spaces."""


class CommonIntents(ConfigModel):
    """`configs/words/common_intents.yaml`."""

    does_not_know: Patterns
    hint: Patterns
    rest: Patterns
    pause: Patterns
    greeting: Patterns
    answers_yes: Patterns
    answers_no: Patterns

    @classmethod
    def load(cls, home: Path) -> "CommonIntents":
        """ConfigError names every field that does not fit."""
        return cls.from_file(home / "configs" / "words" / "common_intents.yaml")

    def says(self, wish: CommonIntent, message: str) -> bool:
        """Whether the whole message says this and nothing else."""
        return self._is(wish, squeezed(message))

    def intents_of(self, message: str) -> frozenset[CommonIntent]:
        """Every common intent that the whole message can have."""
        text = squeezed(message)
        return frozenset(wish for wish in COMMON_INTENTS if self._is(wish, text))

    def _is(self, wish: CommonIntent, text: str) -> bool:
        """Whether this is all that a message says; `text`: the message, squeezed."""
        return len(text) <= _LONGEST and _one_of(getattr(self, wish)).fullmatch(text) is not None


def plain(message: str) -> str:
    """In the usual spelling, small letters, single spaces, without the signs at both ends."""
    return usual_spelling(_ENDS.sub("", _SPACES.sub(" ", message))).lower()


def squeezed(message: str) -> str:
    """As `plain`, without spaces: children write "힌트줘" and "힌 트 줘"."""
    return _SPACES.sub("", plain(message))


@cache
def _one_of(expressions: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(expressions))
