"""What a learner's message means, by the expressions of `configs/lessons.yaml`."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal

from maththera.korean.spelling import usual
from maththera.lessons.config import Reading, Signs

Sense = Literal["go_on", "hint", "rest", "pause", "greeting", "question", "unclear"]

_ENDS: Final = re.compile(r"^[\s.,!~…^;:]+|[\s.,!~…^;:ㅠㅜㅋㅎ\U0001f000-\U0001faff\u2600-\u27bf\ufe0f]+$")
_BETWEEN: Final = re.compile(r"[\s.,!~…]+")
_SPACES: Final = re.compile(r"\s+")
_LONGEST: Final = 60
"""Characters of a message that is one of the `whole`."""


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads messages; the order of the senses decides where several would fit."""

    reading: Reading

    def sense(self, message: str) -> Sense:
        """A question may begin with a yes: "네, 그런데 왜요?"."""
        text, reading = _plain(message), self.reading
        if _is(reading.question, text):
            return "question"
        if self.goes_on(message):
            return "go_on"
        for sense, signs in self._whole:
            if _is(signs, text):
                return sense
        if _holds(reading.question, text):
            return "question"
        return "go_on" if _holds(reading.go_on, text) else "unclear"

    @property
    def _whole(self) -> tuple[tuple[Sense, Signs], ...]:
        """What a message is only where it says nothing else."""
        reading = self.reading
        return ("hint", reading.hint), ("rest", reading.rest), ("pause", reading.pause), ("greeting", reading.greeting)

    def goes_on(self, message: str) -> bool:
        """Whether all of a message says no more than to go on: "응, 다음"."""
        text = _plain(message)
        parts = [part for part in _BETWEEN.split(text) if part]
        return _is(self.reading.go_on, text) or (bool(parts) and all(_is(self.reading.go_on, part) for part in parts))

    def asks(self, message: str) -> bool:
        """Whether what is said to an open question is itself a question: an answer has "왜냐하면" and "차이", too."""
        text = _plain(message)
        if _is(self.reading.does_not_know, text):
            return False
        return _shows(self.reading.asks, text) or _shows(self.reading.asks_for_key, text)

    def asks_for_key(self, message: str) -> bool:
        return _shows(self.reading.asks_for_key, _plain(message))

    def does_not_know(self, answer: str) -> bool:
        return _is(self.reading.does_not_know, _plain(answer))


def _plain(message: str) -> str:
    return usual(_ENDS.sub("", _SPACES.sub(" ", message))).lower()


def _is(signs: Signs, text: str) -> bool:
    squeezed = _squeezed(text)
    return len(squeezed) <= _LONGEST and _one_of(signs.whole).fullmatch(squeezed) is not None


def _holds(signs: Signs, text: str) -> bool:
    return _one_of(signs.words).search(_squeezed(text)) is not None


def _shows(signs: Signs, text: str) -> bool:
    return _is(signs, text) or _holds(signs, text)


def _squeezed(text: str) -> str:
    """Children write "힌트줘" and "힌 트 줘"."""
    return _SPACES.sub("", text)


@cache
def _one_of(expressions: tuple[str, ...]) -> re.Pattern[str]:
    """Of none, what nothing matches."""
    return re.compile("|".join(expressions) or r"(?!)")
