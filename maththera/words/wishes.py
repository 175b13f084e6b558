"""Short messages that mean the same in every room: "몰라", "힌트 줘", "그만할래"."""

import re
from functools import cache
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from maththera.documents import Document
from maththera.korean.spelling import usual
from maththera.words.lexicon import Pattern

Wish: TypeAlias = Literal["does_not_know", "hint", "rest", "pause", "greeting", "answers_yes", "answers_no"]
WISHES: Final[tuple[Wish, ...]] = get_args(Wish)
Patterns: TypeAlias = Annotated[tuple[Pattern, ...], Field(min_length=1)]

_ENDS: Final = re.compile(r"^[\s.,!~…^;:]+|[\s.,!~…^;:ㅠㅜㅋㅎ\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]+$")
_SPACES: Final = re.compile(r"\s+")
_LONGEST: Final = 60
"""Characters, without spaces, of a message that is read as a wish."""


class Wishes(BaseModel):
    """`configs/words/wishes.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    does_not_know: Patterns
    hint: Patterns
    rest: Patterns
    pause: Patterns
    greeting: Patterns
    answers_yes: Patterns
    answers_no: Patterns

    @classmethod
    def load(cls, home: Path) -> "Wishes":
        """ConfigError names every field that does not fit."""
        return Document.read(home / "configs" / "words" / "wishes.yaml").parse(TypeAdapter(cls))

    def says(self, wish: Wish, message: str) -> bool:
        """Whether the whole message says this and nothing else."""
        text = squeezed(message)
        return len(text) <= _LONGEST and _one_of(getattr(self, wish)).fullmatch(text) is not None

    def said_by(self, message: str) -> frozenset[Wish]:
        """Every wish that the whole message can be read as."""
        return frozenset(wish for wish in WISHES if self.says(wish, message))


def plain(message: str) -> str:
    """In the usual spelling, small letters, single spaces, without the signs at both ends."""
    return usual(_ENDS.sub("", _SPACES.sub(" ", message))).lower()


def squeezed(message: str) -> str:
    """As `plain`, without spaces: children write "힌트줘" and "힌 트 줘"."""
    return _SPACES.sub("", plain(message))


@cache
def _one_of(expressions: tuple[str, ...]) -> re.Pattern[str]:
    return re.compile("|".join(expressions))
