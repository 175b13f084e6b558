"""What a learner's message means, by the words of `configs/lessons.yaml`."""

import re
from dataclasses import dataclass
from typing import Final, Literal

from maththera.lessons.config import Reading, Signs

Sense = Literal["go_on", "hint", "question", "unclear"]

_ENDS: Final = re.compile(r"^[\s.,!~…^;:]+|[\s.,!~…^;:ㅠㅜㅋㅎ]+$")
_BETWEEN: Final = re.compile(r"[\s.,!~…]+")
_SPACES: Final = re.compile(r"\s+")


@dataclass(frozen=True, slots=True)
class Reader:
    """Reads messages; the order of the senses decides where several would fit."""

    reading: Reading

    def sense(self, message: str) -> Sense:
        """A question may begin with a yes: "네, 그런데 왜요?"."""
        text = _plain(message)
        if text in self.reading.question.whole:
            return "question"
        if text in self.reading.go_on.whole or set(filter(None, _BETWEEN.split(text))) <= self.reading.go_on.whole:
            return "go_on" if text else "unclear"
        if _shows(self.reading.hint, text):
            return "hint"
        if _shows(self.reading.question, text):
            return "question"
        return "go_on" if _shows(self.reading.go_on, text) else "unclear"

    def asks(self, message: str) -> bool:
        """Whether what is said to an open question is itself a question."""
        text = _plain(message)
        if _shows(self.reading.does_not_know, text):
            return False
        return _shows(self.reading.question, text) or _shows(self.reading.asks_for_key, text)

    def asks_for_key(self, message: str) -> bool:
        return _shows(self.reading.asks_for_key, _plain(message))

    def does_not_know(self, answer: str) -> bool:
        return _shows(self.reading.does_not_know, _plain(answer))


def _plain(message: str) -> str:
    return _ENDS.sub("", _SPACES.sub(" ", message)).lower()


def _shows(signs: Signs, text: str) -> bool:
    return text in signs.whole or any(word in text for word in signs.words)
