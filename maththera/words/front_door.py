"""The front door: one reading of every message, before any room looks at it."""

from dataclasses import dataclass
from pathlib import Path

from maththera.words.courtesies import Courtesies
from maththera.words.danger import Danger, DangerReader, Writer
from maththera.words.guard import Guard, Verdict
from maththera.words.private import Private
from maththera.words.wishes import Wish, Wishes


@dataclass(frozen=True)
class Reading:
    """One message as every room sees it.

    `danger`: of a child, told by itself or by an adult. `near`: not read as danger, but would be where there was a
    signal before. `verdict`: what the guard says of abuse, injected orders, small talk and meaning. `private`: it holds
    a phone number, an address or the like. `courtesy`: the kind of a greeting, thanks and so on that says nothing else.
    `wishes`: the short messages that it is.
    """

    text: str
    danger: Danger | None
    verdict: Verdict
    private: bool = False
    courtesy: str | None = None
    wishes: frozenset[Wish] = frozenset()
    near: bool = False

    @property
    def does_not_know(self) -> bool:
        """몰라, 모르겠어요, 모름, ?: help is wanted, and nothing else is said."""
        return "does_not_know" in self.wishes

    @property
    def yes(self) -> bool:
        return "answers_yes" in self.wishes

    @property
    def no(self) -> bool:
        return "answers_no" in self.wishes


@dataclass(frozen=True)
class FrontDoor:
    """The words of `configs/words`. Safe to share: it keeps nothing of a message."""

    guard: Guard
    danger: DangerReader
    courtesies: Courtesies
    private: Private
    wishes: Wishes

    @classmethod
    def load(cls, home: Path) -> "FrontDoor":
        """ConfigError names file, line and reason of every fault."""
        return cls(
            Guard.load(home),
            DangerReader.load(home),
            Courtesies.load(home),
            Private.load(home),
            Wishes.load(home),
        )

    def read(self, message: str, *, writer: Writer = "unknown", watchful: bool = False) -> Reading:
        """`watchful`: this conversation had a signal of danger before."""
        danger, near = self.danger.read(message, writer=writer, watchful=watchful)
        return Reading(
            message,
            danger,
            self.guard.check(message),
            self.private.found_in(message),
            self.courtesies.kind(message),
            self.wishes.said_by(message),
            near,
        )
