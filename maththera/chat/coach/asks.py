"""What a message asks the coach: an ask of `configs/chat/coach/asks.yaml` or a kind of talk, by a trained model.

Kinds of talk that the model does not know are found by their words."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from maththera.chat.coach.intent_registry import MOTIVATION, OUT_OF_SCOPE, refuse_unknown_intents
from maththera.chat.coach.small_talk import TalkBook
from maththera.chat.messages.ask_model import AskModel
from maththera.chat.messages.greetings import without_greeting
from maththera.config_files import ConfigError, ConfigFile
from maththera.korean.word_lists import usual_spelling

_LONG_STORY: Final = 40
SURE: Final = 0.2
"""The share from which four of five readings are right."""
FAINT: Final = 0.06
"""The share below which three of four readings are wrong."""
_LONGEST: Final = 300
GENERAL: Final = frozenset({"feeling", "chat_about", "off_topic", "robot_life"})
"""Kinds of talk without texts of their own: what a message does tells how it is met, where its words do not."""
_TALK: Final = frozenset({MOTIVATION, OUT_OF_SCOPE})
"""Intents of feelings, plans and small talk."""


class Ask(BaseModel):
    """See the comments in the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    intent: str
    adult: bool = False
    follow: bool = False
    records: bool = False


class Asks(BaseModel):
    """All asks by name."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    follow_weight: Annotated[float, Field(gt=0, le=1)]
    asks: Mapping[str, Ask]
    book: TalkBook = TalkBook()

    def __getitem__(self, name: str) -> Ask:
        return self.asks[name]

    def of_records(self, name: str) -> bool:
        """Whether an ask is answered from the learner's records; a reading that is no ask is not."""
        if name in self.book.talk:
            return self.book.talk[name].records
        return name in self.asks and self.asks[name].records

    def intent(self, name: str) -> str:
        """The intent that an ask or a kind of talk shows."""
        if name in self.asks:
            return self.asks[name].intent
        if name in self.book.talk:
            return self.book.talk[name].intent
        return MOTIVATION if name == "feeling" else OUT_OF_SCOPE

    def knows(self, name: str) -> bool:
        """Whether there is such an ask or kind of talk."""
        return name in self.asks or name in self.book.talk or name in GENERAL

    def is_talk(self, name: str) -> bool:
        """True for feelings, plans and small talk; false for questions about learning."""
        return name not in self.asks and self.intent(name) in _TALK


@dataclass(frozen=True)
class AskReader:
    """Tells what a message asks."""

    asks: Asks
    model: AskModel

    @classmethod
    @lru_cache(maxsize=4)
    def load(cls, home: Path) -> "AskReader":
        """ConfigError names what does not fit."""
        asks = load_asks(home)
        path = home / "configs" / "chat" / "coach" / "asks_model.npz"
        model = AskModel.load(path)
        strange = {*asks.asks} - {*model.names} | {name for name in model.names if not asks.knows(name)}
        if strange:
            raise ConfigError(f"{path}: not the asks of asks.yaml: {', '.join(sorted(strange))}")
        return cls(asks, model)

    def ranked(self, message: str, *, follows: bool, adult: bool = False) -> list[tuple[str, float]]:
        """The asks and kinds of talk, the likeliest first, each with its share of one. `follows`: something was said
        before; `adult`: who asks is none of the children. A kind of talk that the model does not know comes first where
        its words stand in a message that the model takes for talk, or does not know what to take for; any kind, where
        the model knows nothing."""
        text = without_greeting(usual_spelling(message[:_LONGEST]))
        shares = {name: share for name, share in self.model.shares(text).items() if adult or not self._is_adult(name)}
        if not follows:
            for name, ask in self.asks.asks.items():
                if ask.follow:
                    shares[name] *= self.asks.follow_weight
        whole = sum(shares.values())
        found = sorted(((name, share / whole) for name, share in shares.items()), key=lambda one: -one[1])
        first, share = found[0]
        tells_long = adult and len(text) > _LONG_STORY  # of an adult's story, words of talk tell nothing
        unknown = (share < SURE or self.asks.is_talk(first)) and not tells_long
        talk = self.asks.book.found(text, adult=adult) if unknown else None
        if talk is not None and (talk.name not in shares or first in GENERAL or share < FAINT):
            found.insert(0, (talk.name, max(share, SURE)))
        return found

    def _is_adult(self, name: str) -> bool:
        return name in self.asks.asks and self.asks.asks[name].adult


def load_asks(home: Path) -> Asks:
    """ConfigError names every field that does not fit."""
    document = ConfigFile.read(home / "configs" / "chat" / "coach" / "asks.yaml")
    asks = document.parse(TypeAdapter(Asks))
    refuse_unknown_intents(home, document, "asks", {name: ask.intent for name, ask in asks.asks.items()})
    return asks.model_copy(update={"book": TalkBook.load(home)})
