"""The topic of a follow-up: "더 쉽게 설명해줘" and "왜?" refer to the last question that is clear by itself, or, where
that question names nothing, to its answer."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Final

from maththera.arithmetic.result_claims import claim_in
from maththera.chat.coach.intent_registry import Handling
from maththera.chat.coach.message_entities import EntityReader
from maththera.json_types import JsonObject

_OPEN: Final = "□"  # in a line that shows a problem
_EXPLAINED: Final = frozenset({"why", "easier", "example", "again"})
_HANDLINGS: Final[Mapping[str, Handling]] = {
    "problem": "recommendation",
    "practise": "study_plan",
    "missed": "worked_solution",
}
"""How a follow-up is handled whose kind is enough, whatever it refers to."""


@dataclass(frozen=True, slots=True)
class Topic:
    """`question` and `answer`: the last of the conversation that said something; `told`: the last answer. `kind`: how
    the message goes on with them; None where it says something by itself."""

    kind: str | None = None
    question: str = ""
    answer: str = ""
    told: str = ""


NO_TOPIC: Final = Topic()


class ResolvedMessage:
    """What a message names, or else its topic names."""

    def __init__(self, reader: EntityReader, message: str, topic: Topic = NO_TOPIC) -> None:
        self._reader, self._message, self._topic = reader, message, topic
        self._texts = [message] if topic.kind is None else [message, topic.question]

    @cached_property
    def problems(self) -> list[JsonObject]:
        """The problems meant, as arguments of the explanation. Of those in an answer only the first: it is
        the one to be solved, before any other."""
        own, *asked = (self._problems(text) for text in self._texts)
        shown = [self._problems(line) for line in self._topic.told.splitlines() if _OPEN in line]
        first = shown if self._topic.kind in ("answer", "solve") else []
        told = [found[:1] for found in (*shown, self._problems(self._topic.answer))] if asked else []
        return next(filter(None, [own, *first, *asked, *told]), [])

    def _problems(self, text: str) -> list[JsonObject]:
        found: list[JsonObject] = [{"problem_id": one} for one in self._reader.problem_ids(text)]
        named = self._reader.problems(text)
        if len(named) == 1:
            return [*found, named[0].arguments]
        return found + [one.arguments | ({} if one.given is None else {"answer": one.given}) for one in named]

    @cached_property
    def units(self) -> list[str]:
        """The units meant, by id. Of those in an answer only the first."""
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
    def asks_weak_points(self) -> bool:
        """Whether weak points are asked for."""
        return any(map(self._reader.asks_weak_points, self._texts))

    @property
    def asks_scores(self) -> bool:
        """Whether scores are asked for by name."""
        return any(map(self._reader.asks_scores, self._texts))

    @property
    def calculates(self) -> bool:
        """Whether anything looks like a calculation, a readable one or not."""
        return any(map(self._reader.calculates, self._texts))

    @property
    def is_beyond_curriculum(self) -> bool:
        """Whether it is about what the units do not teach."""
        return not self.units and any(map(self._reader.is_beyond_curriculum, self._texts))

    @property
    def asks_for_easy(self) -> bool:
        """Whether something easy is asked for, of no unit by name."""
        return not self.units and self._reader.asks_for_easy(self._message)

    def handling(self, before: Handling) -> Handling:
        """How a follow-up is handled, after a question that was handled as `before`."""
        kind = self._topic.kind
        if kind is not None and kind in _HANDLINGS:
            return _HANDLINGS[kind]
        solved = kind in ("answer", "solve") or (before == "recommendation" and kind != "why")
        if before == "worked_solution" or (solved and self.problems):
            return "worked_solution"
        if before in ("records", "study_plan") and kind in _EXPLAINED and self.units:
            return "explanation"
        return before
