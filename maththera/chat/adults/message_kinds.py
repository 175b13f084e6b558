"""What kind of thing an adult's message to the assistant wants: figures, advice, something made, small talk.

A trained model (`configs/chat/adults/message_kinds_model.npz`, made by `scripts/train_asks.py`) tells it from the words
and from the kind of the message before, so that "왜요?" is of records after records and of papers after papers. Of a
set of a stranger of which it has no line it tells 88 of 100; of all lines that it is `SURE` of, 94 of 100.
"""

from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias, cast, get_args

from maththera.chat.messages.ask_model import AskModel
from maththera.config_files import ConfigError
from maththera.json_types import JsonObject
from maththera.korean.word_lists import usual_spelling

MessageKind: TypeAlias = Literal["records", "advice", "make", "sum", "service", "papers", "term", "talk", "outside"]
"""records: what children did, got wrong and why · advice: how to teach, help and what is known of learning · make: a
sheet, letter or plan, or another form of it · sum: a calculation · service: Maththera and this chat · papers: studies
and the web · term: what a word means · talk: greetings, thanks, moods, jokes · outside: nothing of all this."""
KIND: Final = "kind"
"""The part of the board that has the kind of the message before."""
SURE: Final = 0.9
"""The share from which a message is taken for its kind, whatever single words of it point to."""
_LONGEST: Final = 300
"""Letters that are read."""


def beside_the_last(message: str, before: MessageKind | None) -> str:
    """What the model reads: the kind of the message before stands before a message as its first word."""
    return f"{before or 'none'} {message}"


@dataclass(frozen=True, slots=True)
class MessageKinds:
    model: AskModel

    @classmethod
    def load(cls, home: Path) -> "MessageKinds":
        """ConfigError for a missing or broken model, or one of other kinds."""
        path = home / "configs" / "chat" / "adults" / "message_kinds_model.npz"
        model = AskModel.load(path)
        if strange := set(get_args(MessageKind)).symmetric_difference(model.names):
            raise ConfigError(f"{path}: not the kinds of messages: {', '.join(sorted(strange))}")
        return cls(model)

    def read(self, message: str, board: JsonObject) -> tuple[MessageKind, bool]:
        """The likeliest kind of a message after the turn whose `board` is given, and whether that is sure."""
        text = beside_the_last(usual_spelling(message[:_LONGEST]), board.get(KIND))
        shares = self.model.shares(text)
        kind = max(shares, key=shares.__getitem__)
        return cast(MessageKind, kind), shares[kind] >= SURE
