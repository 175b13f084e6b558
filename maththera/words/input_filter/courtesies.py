"""Greetings, thanks and goodbyes. They are recognised without a model, and the answers are written by people."""

from functools import cached_property
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from maththera.config_files import ConfigFile
from maththera.words.input_filter.filter_words import Pattern, Profile
from maththera.words.input_filter.phrases import Phrases

_CRYING: Final = "ㅠㅜ"


class Courtesy(BaseModel):
    """One kind of courtesy: a pattern for its words, signs that mean the same in a message without words, and the
    answers."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    words: Pattern
    signs: str = ""
    coach: Annotated[str, Field(min_length=1)]
    assistant: Annotated[str, Field(min_length=1)]


class Courtesies(BaseModel):
    """`configs/words/courtesies.yaml`; see `Phrases`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    beside: Pattern
    kinds: dict[str, Courtesy]

    @classmethod
    def load(cls, home: Path) -> "Courtesies":
        """ConfigError names every field that does not fit."""
        return ConfigFile.read(home / "configs" / "words" / "courtesies.yaml").parse(TypeAdapter(cls))

    def kind(self, message: str) -> str | None:
        """The kind of a message that is only a courtesy, else None."""
        return self._phrases.kind(message) or self._by_signs(message)

    def answer(self, kind: str, profile: Profile) -> str:
        return self.kinds[kind].coach if profile == "coach" else self.kinds[kind].assistant

    def _by_signs(self, message: str) -> str | None:
        if any(sign.isalnum() and sign not in _CRYING for sign in message):
            return None
        return next((name for name, kind in self.kinds.items() if any(sign in message for sign in kind.signs)), None)

    @cached_property
    def _phrases(self) -> Phrases:
        return Phrases(self.beside, {name: kind.words for name, kind in self.kinds.items()})
