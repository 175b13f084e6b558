"""The analysis of a message, made once before any room handles it."""

from dataclasses import dataclass
from pathlib import Path

from maththera.words.danger.danger_detection import Danger, DangerDetector, Writer
from maththera.words.input_filter.common_intents import CommonIntent, CommonIntents
from maththera.words.input_filter.courtesies import Courtesies
from maththera.words.input_filter.message_filter import FilterVerdict, MessageFilter
from maththera.words.input_filter.personal_data import PersonalData


@dataclass(frozen=True)
class MessageAnalysis:
    """The analysis of one message. `danger`: a child in danger, told by itself or by an adult. `near`: not danger by
    itself, but danger after a certain one. `follows`: it would go on from any signal of danger. `verdict`: the message
    filter's, on abuse, injected orders, small talk and meaning. `private`: it holds a phone number, an address or the
    like. `courtesy`: the kind of greeting or thanks, if it is nothing else. `wishes`: the common intents that it
    has."""

    text: str
    danger: Danger | None
    verdict: FilterVerdict
    private: bool = False
    courtesy: str | None = None
    wishes: frozenset[CommonIntent] = frozenset()
    near: bool = False
    follows: bool = False

    @property
    def does_not_know(self) -> bool:
        """Whether the message only asks for help: 몰라, 모르겠어요, 모름, ?."""
        return "does_not_know" in self.wishes

    @property
    def yes(self) -> bool:
        return "answers_yes" in self.wishes

    @property
    def no(self) -> bool:
        return "answers_no" in self.wishes


@dataclass(frozen=True)
class MessageAnalyser:
    """Analyses messages with the words of `configs/words`. Safe to share: it keeps nothing of a message."""

    guard: MessageFilter
    danger: DangerDetector
    courtesies: Courtesies
    private: PersonalData
    wishes: CommonIntents

    @classmethod
    def load(cls, home: Path) -> "MessageAnalyser":
        """ConfigError names file, line and reason of every fault."""
        return cls(
            MessageFilter.load(home),
            DangerDetector.load(home),
            Courtesies.load(home),
            PersonalData.load(home),
            CommonIntents.load(home),
        )

    def read(self, message: str, *, writer: Writer = "unknown", watchful: bool = False) -> MessageAnalysis:
        """The analysis of a message. `watchful`: this conversation had a certain danger before."""
        danger, near = self.danger.read(message, writer=writer, watchful=watchful)
        return MessageAnalysis(
            message,
            danger,
            self.guard.check(message),
            self.private.found_in(message),
            self.courtesies.kind(message),
            self.wishes.intents_of(message),
            near,
            self.danger.follows(message),
        )
