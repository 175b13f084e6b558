"""What a message goes on with: "더 쉽게 설명해줘" and "왜?" say nothing by themselves. They mean the last question that
said something, and where that named nothing, what was answered to it."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, Final, Literal

from pydantic import BaseModel, ConfigDict

from maththera.arithmetic.claims import claim_in
from maththera.chat.intent import IntentType
from maththera.chat.reading import Reader
from maththera.chat.state import Said
from maththera.korean.spelling import usual
from maththera.words.lexicon import Pattern
from maththera.words.phrases import Phrases

Kind = Literal[
    "answer", "missed", "why", "easier", "more", "example", "again", "solve", "practise", "problem", "papers"
]  # fmt: skip
_ONE_NUMBER: Final = re.compile(r"[^\d.,/+−×÷*=-]*\d+[^\d/+−×÷*=-]*")
_OPEN: Final = "□"  # in a line that shows a problem
_EXPLAINED: Final = frozenset({"why", "easier", "example", "again"})


class FollowUps(BaseModel):
    """`follow_ups` of `configs/chat.yaml`; see `Phrases`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    beside: Pattern
    kinds: dict[Kind, Pattern]
    another: Pattern

    def asks_of_another(self, message: str) -> bool:
        """Whether a message asks the same of something else ("그럼 곱셈은?")."""
        return re.fullmatch(self.another, re.sub(r"\W+", "", message)) is not None

    def kind(self, message: str) -> str | None:
        """How a message goes on with what was said before; None for one that says something by itself."""
        calculates = any(map(str.isdigit, message)) and not _ONE_NUMBER.fullmatch(message)
        if calculates:
            return None
        return self._phrases.kind(usual(message)) or ("answer" if claim_in(message) is not None else None)

    @cached_property
    def _phrases(self) -> Phrases:
        return Phrases(self.beside, {str(name): words for name, words in self.kinds.items()})


@dataclass(frozen=True, slots=True)
class Topic:
    """`question` and `answer`: the last of the conversation that said something; `told`: the last answer. `kind`: how
    the message goes on with them; None where it says something by itself."""

    kind: str | None = None
    question: str = ""
    answer: str = ""
    told: str = ""


NEW: Final = Topic()


def questions(history: Sequence[Said]) -> Iterator[tuple[str, str]]:
    """Questions with their answers, the newest first."""
    pairs = [(asked["text"], told["text"]) for asked, told in zip(history[::2], history[1::2], strict=False)]
    return reversed(pairs)


class Heard:
    """What a message names, or else the topic that it goes on with."""

    def __init__(self, reader: Reader, message: str, topic: Topic = NEW) -> None:
        self._reader, self._message, self._topic = reader, message, topic
        self._texts = [message] if topic.kind is None else [message, topic.question]

    @cached_property
    def problems(self) -> list[dict[str, Any]]:
        """As arguments of the explanation. Of an answer the first; that is the one to be solved, before any other."""
        own, *asked = (self._problems(text) for text in self._texts)
        shown = [self._problems(line) for line in self._topic.told.splitlines() if _OPEN in line]
        first = shown if self._topic.kind in ("answer", "solve") else []
        told = [found[:1] for found in (*shown, self._problems(self._topic.answer))] if asked else []
        return next(filter(None, [own, *first, *asked, *told]), [])

    def _problems(self, text: str) -> list[dict[str, Any]]:
        found: list[dict[str, Any]] = [{"problem_id": one} for one in self._reader.problem_ids(text)]
        named = self._reader.problems(text)
        if len(named) == 1:
            return [*found, named[0].arguments]
        return found + [one.arguments | ({} if one.given is None else {"answer": one.given}) for one in named]

    @cached_property
    def units(self) -> list[str]:
        """By id; of an answer the first."""
        for text in self._texts:
            if found := self._reader.units(text):
                return found
        lines = self._topic.answer.splitlines() if self._topic.kind else []
        return next((found[:1] for line in lines if (found := self._reader.units(line))), [])

    @property
    def given(self) -> int | None:
        """The answer that the child gives, or says it gave."""
        if self._topic.kind == "answer":
            return claim_in(self._message)
        said = (self._reader.answer(text) for text in self._texts)
        return next((number for number in said if number is not None), None)

    @property
    def weak(self) -> bool:
        """Whether weak points are asked for."""
        return any(map(self._reader.weak, self._texts))

    @property
    def scores(self) -> bool:
        """Whether scores are asked for by name."""
        return any(map(self._reader.scores, self._texts))

    @property
    def calculates(self) -> bool:
        """Whether anything looks like a calculation, a readable one or not."""
        return any(map(self._reader.calculates, self._texts))

    @property
    def beyond(self) -> bool:
        """Whether it is about what the units do not teach."""
        return not self.units and any(map(self._reader.beyond, self._texts))

    @property
    def easy(self) -> bool:
        """Whether something easy is asked for, of no unit by name."""
        return not self.units and self._reader.easy(self._message)

    def intent(self, before: IntentType) -> IntentType:
        """What a message that goes on wants, after a question of the intent `before`."""
        kind = self._topic.kind
        if kind == "problem":
            return "G"
        if kind == "practise":
            return "B"
        if kind == "missed":
            return "E"
        solved = kind in ("answer", "solve") or (before == "G" and kind != "why")
        if before == "E" or (solved and self.problems):
            return "E"
        if before in "AB" and kind in _EXPLAINED and self.units:
            return "F"
        return before
