"""Greetings, thanks and goodbyes: short words that ask nothing and deserve an answer all the same. Nobody is asked what
they mean, and the answers are people's words."""

import re
from functools import cached_property
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field

from maththera.chat.lexicon import Pattern, Profile

_NO_WORDS: Final = re.compile(r"[\W_ㅋㅎㅠㅜ]+")
_LONGEST: Final = 40
"""Letters: more is no courtesy."""


class Courtesy(BaseModel):
    """One kind: a pattern for its words, and what is answered."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    words: Pattern
    coach: Annotated[str, Field(min_length=1)]
    assistant: Annotated[str, Field(min_length=1)]


class Courtesies(BaseModel):
    """`courtesies` of `configs/chat.yaml`; `beside`: words that may stand with those of any kind."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    beside: Pattern
    kinds: dict[str, Courtesy]

    def answer(self, message: str, profile: Profile) -> str | None:
        """What is answered to a message that is nothing but a courtesy, of several the first kind in the file's order;
        None for any other message."""
        said = _NO_WORDS.sub("", message[: 10 * _LONGEST].casefold())
        if not said or len(said) > _LONGEST or not self._whole.fullmatch(said):
            return None
        for kind, pattern in self._kinds:
            if pattern.search(said):
                return kind.coach if profile == "coach" else kind.assistant
        return None

    @cached_property
    def _whole(self) -> re.Pattern[str]:
        kinds = "|".join(kind.words for kind in self.kinds.values())
        return re.compile(f"(?:{self.beside}|{kinds})+")

    @cached_property
    def _kinds(self) -> list[tuple[Courtesy, re.Pattern[str]]]:
        return [(kind, re.compile(kind.words)) for kind in self.kinds.values()]
