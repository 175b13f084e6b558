"""What a learner's message means, by the expressions of `configs/lessons.yaml`."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from maththera.lessons.config import Reading, Signs
from maththera.words.wishes import Wishes, plain, squeezed

Sense = Literal["go_on", "hint", "rest", "pause", "greeting", "question", "unclear"]

_WISHES: Final[tuple[Literal["hint", "rest", "pause", "greeting"], ...]] = ("hint", "rest", "pause", "greeting")
_BETWEEN: Final = re.compile(r"[\s.,!~…]+")
_LONGEST: Final = 60
"""Characters of a message that is one of the `whole`."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads messages; the order of the senses decides where several would fit."""

    reading: Reading
    wishes: Wishes

    def sense(self, message: str) -> Sense:
        """A question may begin with a yes: "네, 그런데 왜요?"."""
        text, reading = plain(message), self.reading
        if _is(reading.question, text):
            return "question"
        if self.goes_on(message):
            return "go_on"
        for wish in _WISHES:
            if self.wishes.says(wish, message):
                return wish
        if _holds(reading.question, text):
            return "question"
        return "go_on" if _holds(reading.go_on, text) else "unclear"

    def goes_on(self, message: str) -> bool:
        """Whether all of a message says no more than to go on: "응, 다음"."""
        text = plain(message)
        parts = [part for part in _BETWEEN.split(text) if part]
        return _is(self.reading.go_on, text) or (bool(parts) and all(_is(self.reading.go_on, part) for part in parts))

    def asks(self, message: str) -> bool:
        """Whether what is said to an open question is itself a question: an answer has "왜냐하면" and "차이", too."""
        text = plain(message)
        if self.does_not_know(message):
            return False
        return _shows(self.reading.asks, text) or _shows(self.reading.asks_for_key, text)

    def asks_for_key(self, message: str) -> bool:
        return _shows(self.reading.asks_for_key, plain(message))

    def does_not_know(self, answer: str) -> bool:
        return self.wishes.says("does_not_know", answer)


def _is(signs: Signs, text: str) -> bool:
    letters = squeezed(text)
    return len(letters) <= _LONGEST and _one_of(signs.whole).fullmatch(letters) is not None


def _holds(signs: Signs, text: str) -> bool:
    return _one_of(signs.words).search(squeezed(text)) is not None


def _shows(signs: Signs, text: str) -> bool:
    return _is(signs, text) or _holds(signs, text)


@cache
def _one_of(expressions: tuple[str, ...]) -> re.Pattern[str]:
    """Of none, what nothing matches."""
    return re.compile("|".join(expressions) or r"(?!)")
