"""What a learner's message means, by the expressions of `configs/lessons/lessons.yaml`."""

import re
from dataclasses import dataclass
from functools import cache
from typing import Final, Literal, cast

from maththera.korean import numbers
from maththera.lessons.config import MessageSigns, Signs, TalkKind
from maththera.lessons.quiz.similar_messages import SimilarMessages
from maththera.words.input_filter.common_intents import CommonIntents, plain, squeezed
from maththera.words.output_gate.false_statements import find_false_statements

MessageIntent = Literal["go_on", "hint", "rest", "pause", "greeting", "question", "unclear"] | TalkKind

_WISHES: Final[tuple[Literal["hint", "rest", "pause", "greeting"], ...]] = ("hint", "rest", "pause", "greeting")
_BETWEEN: Final = re.compile(r"[\s.,!~…]+")
_SENTENCES: Final = re.compile(r"(?<=[.!?\n])\s*")
_LONGEST: Final = 60
"""A message up to so many characters can match one of the `whole` expressions."""


@dataclass(frozen=True, slots=True)
class MessageReader:
    """Reads messages; the order of the senses decides where several would fit. `kinds`: examples of what is said beside
    the matter, and how alike a message must be to one of them (`like_enough`)."""

    reading: MessageSigns
    wishes: CommonIntents
    kinds: SimilarMessages
    like_enough: float

    def intent_of(self, message: str) -> MessageIntent:
        """A question may begin with a yes: "네, 그런데 왜요?"."""
        text, reading = plain(message), self.reading
        if _matches_whole(reading.question, text):
            return "question"
        if self.is_go_on(message):
            return "go_on"
        for wish in _WISHES:
            if self.wishes.says(wish, message):
                return wish
        if (kind := self.talk_of(message)) is not None:
            return kind
        if _contains_sign(reading.question, text):
            return "question"
        return "go_on" if _contains_sign(reading.go_on, text) else "unclear"

    def talk_of(self, message: str) -> TalkKind | None:
        """The kind of small talk in a message that is neither an answer nor a question about the matter."""
        name, alike = self.kinds.nearest(message)
        return cast("TalkKind", name) if alike >= self.like_enough else None

    def is_go_on(self, message: str) -> bool:
        """Whether a message says nothing but to go on: "응, 다음"."""
        text = plain(message)
        parts = [part for part in _BETWEEN.split(text) if part]
        return _matches_whole(self.reading.go_on, text) or (
            bool(parts) and all(_matches_whole(self.reading.go_on, part) for part in parts)
        )

    def is_question(self, message: str) -> bool:
        """Whether the reply to an open question is itself a question; "왜냐하면" and "차이" also occur in answers."""
        text = plain(message)
        if self.does_not_know(message):
            return False
        return _matches_or_contains(self.reading.asks, text) or _matches_or_contains(self.reading.asks_for_key, text)

    def asks_for_key(self, message: str) -> bool:
        return _matches_or_contains(self.reading.asks_for_key, plain(message))

    def does_not_know(self, answer: str) -> bool:
        return self.wishes.says("does_not_know", answer)

    def false_claim(self, text: str) -> str:
        """The first false sum or comparison, with its result; "" if there is none. Sentences that report a mistake do
        not count."""
        for sentence in _SENTENCES.split(text):
            claim = next(find_false_statements(sentence), "").strip()
            if claim and not _contains_sign(self.reading.mistakes, plain(sentence)):
                said = re.search(rf"{re.escape(claim)}(?:\s*\d+)?", numbers.plain(sentence))
                return said[0] if said else claim
        return ""


def _matches_whole(signs: Signs, text: str) -> bool:
    letters = squeezed(text)
    return len(letters) <= _LONGEST and _one_of(signs.whole).fullmatch(letters) is not None


def _contains_sign(signs: Signs, text: str) -> bool:
    return _one_of(signs.words).search(squeezed(text)) is not None


def _matches_or_contains(signs: Signs, text: str) -> bool:
    return _matches_whole(signs, text) or _contains_sign(signs, text)


@cache
def _one_of(expressions: tuple[str, ...]) -> re.Pattern[str]:
    """A pattern for any of the expressions; without expressions it matches nothing."""
    return re.compile("|".join(expressions) or r"(?!)")
