"""What a message asks the coach: one of the asks of `configs/chat/asks.yaml`, or a kind of talk, by what the message
does, its cues and words, and a trained model."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property, lru_cache
from math import log
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from maththera.chat.coach.small_talk import Act, FoundTalk, TalkBook, act_of
from maththera.config_files import ConfigError, ConfigFile
from maththera.korean.word_lists import usual_spelling
from maththera.words.input_filter.filter_words import Pattern
from maththera.words.ngram_model import NgramModel, load_model, plain

LOGITS: Final = 10.0
"""The model's weights are so many times those of the regression, so that its shares tell asks apart."""
_LONGEST: Final = 300
_LONG_GREETING: Final = 15
"""Characters of a message that may be more than its greeting."""
CLASS_OF: Final = {"C": "feel", "D": "talk"}
"""Intents all of whose lines are one class of the model: which of their entries is meant, words tell."""


class Ask(BaseModel):
    """See the comments in the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    letter: Annotated[str, Field(pattern=r"^[A-Z]$")]
    cue: Pattern = r"(?!)"
    adult: bool = False
    follow: bool = False
    records: bool = False


class Asks(BaseModel):
    """All asks by name."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    letter_weight: Annotated[float, Field(ge=0)]
    model_weight: Annotated[float, Field(gt=0)]
    follow_weight: Annotated[float, Field(le=0)]
    against: Mapping[Act, Mapping[str, Annotated[float, Field(ge=0)]]]
    asks: Mapping[str, Ask]
    book: TalkBook = TalkBook()

    def __getitem__(self, name: str) -> Ask:
        return self.asks[name]

    def of_records(self, name: str) -> bool:
        """Whether an ask is answered from the learner's records; a reading that is no ask is not."""
        if name in self.book.talk:
            return self.book.talk[name].records
        return name in self.asks and self.asks[name].records

    def letter(self, name: str) -> str:
        """The intent that an ask or a kind of talk shows."""
        if name in self.asks:
            return self.asks[name].letter
        if name in self.book.talk:
            return self.book.talk[name].letter
        return "C" if name == "feel" else "D"

    def cue(self, name: str, message: str) -> float:
        """What the longest match of a cue adds; 0 where it is not found, or the name is of no ask."""
        if name not in self.asks:
            return 0.0
        found = max((len(match[0]) for match in self._cues[name].finditer(_squeezed(message))), default=0)
        return 1 + self.letter_weight * found if found else 0.0

    @cached_property
    def _cues(self) -> Mapping[str, re.Pattern[str]]:
        return {name: re.compile(ask.cue) for name, ask in self.asks.items()}


@dataclass(frozen=True)
class AskReader:
    """Tells what a message asks."""

    asks: Asks
    model: NgramModel

    @classmethod
    @lru_cache(maxsize=4)
    def load(cls, home: Path) -> "AskReader":
        """ConfigError names what does not fit."""
        asks = load_asks(home)
        path = home / "configs" / "chat" / "asks_model.tsv"
        model = load_model(path, "asks")
        if strange := set(model.categories) ^ {*asks.asks, *CLASS_OF.values()}:
            raise ConfigError(f"{path}: not the asks of asks.yaml: {', '.join(sorted(strange))}")
        return cls(asks, model)

    def ranked(self, message: str, *, follows: bool, adult: bool = False) -> list[tuple[str, float]]:
        """The asks and the kind of talk that was found, the likeliest first, each with its score. `follows`: something
        was said before; `adult`: who asks is none of the children."""
        text = usual_spelling(message[:_LONGEST])
        told = dict(self.model.categories_of(plain(text)))
        shares = {name: self.asks.model_weight * log(max(share, 1e-9)) / LOGITS for name, share in told.items()}
        against = self.asks.against.get(act_of(text), {})
        scores = {
            name: shares[name]
            + (self.asks.cue(name, text) or -against.get(ask.letter, 0))
            + (0 if follows or not ask.follow else self.asks.follow_weight)
            for name, ask in self.asks.asks.items()
            if adult or not ask.adult
        }
        talk = self.asks.book.found(text)
        if talk is not None and not (self.asks.book.talk[talk.name].opens and self._asks_beside(talk, text)):
            scores[talk.name] = max(shares[name] for name in CLASS_OF.values()) + talk.weight
        else:
            scores |= {name: shares[name] - against.get(letter, 0) for letter, name in CLASS_OF.items()}
        return sorted(scores.items(), key=lambda one: -one[1])

    def _asks_beside(self, talk: FoundTalk, text: str) -> bool:
        """Whether a greeting or thanks only begin a message that asks something."""
        return len(text) > _LONG_GREETING and any(
            self.asks.cue(name, text) > talk.weight / 2 for name in self.asks.asks
        )

    def evidence(self, name: str, message: str) -> float:
        """What the words of a message add for an ask or a kind of talk."""
        talk = self.asks.book.found(message) if name in self.asks.book.talk else None
        return talk.weight if talk is not None and talk.name == name else self.asks.cue(name, message)


def load_asks(home: Path) -> Asks:
    """ConfigError names every field that does not fit."""
    asks = ConfigFile.read(home / "configs" / "chat" / "asks.yaml").parse(TypeAdapter(Asks))
    return asks.model_copy(update={"book": TalkBook.load(home)})


def _squeezed(message: str) -> str:
    return re.sub(r"\s+", "", message[:_LONGEST].casefold())
