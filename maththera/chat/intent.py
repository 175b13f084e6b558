"""What a learner wants of the coach: one of seven intents, told by weighted cues; no language model is asked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Any, Final, Literal, NamedTuple

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, field_validator

from maththera.arithmetic.claims import read_expressions
from maththera.documents import Document
from maththera.korean.spelling import usual
from maththera.words.guard import Guard
from maththera.words.lexicon import Pattern

IntentType = Literal["A", "B", "C", "D", "E", "F", "G"]
_SURE: Final = 3.0
"""Weight from which more adds nothing to the confidence."""
_MOST: Final = 0.97
_LONG_NUMBER: Final = re.compile(r"(\d{9})\d+")
"""Read as its first digits: cues that look for numbers would look for them in it again and again."""
_UNTOLD: Final = 0.3
"""Confidence in a guess from the topic alone."""


class Cue(BaseModel):
    """A regular expression and what it counts."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    weight: Annotated[float, Field(gt=0)]
    pattern: Pattern


class IntentWords(BaseModel):
    """`reasoning`: the sentence that says why, after the words that were found."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    name: str
    reasoning: str
    cues: list[Cue]


class IntentRules(BaseModel):
    """`configs/intents.yaml`."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    enough: Annotated[float, Field(gt=0)]
    foreign: Annotated[float, Field(gt=0)]
    expression: Annotated[float, Field(gt=0)]
    needs_topic: list[IntentType]
    otherwise: IntentType
    asked: IntentType
    asking: Pattern
    follow_up: Annotated[int, Field(ge=0)]
    carried: Annotated[float, Field(gt=0, le=1)]
    intents: dict[IntentType, IntentWords]

    @field_validator("intents")
    @classmethod
    def _all_seven(cls, intents: dict[IntentType, IntentWords]) -> dict[IntentType, IntentWords]:
        if missing := set("ABCDEFG") - set(intents):
            raise ValueError(f"missing: {', '.join(sorted(missing))}")
        return intents


@dataclass(frozen=True, slots=True)
class Intent:
    """`confidence` is from 0 to 1; `key_indicators` are the words of the message that decided."""

    intent_type: IntentType
    intent_name: str
    confidence: float
    reasoning: str
    key_indicators: tuple[str, ...]

    def payload(self) -> dict[str, Any]:
        """As the event `intent_detected` carries it."""
        return {
            "intent_type": self.intent_type,
            "intent_name": self.intent_name,
            "confidence": self.confidence,
            "reasoning": self.reasoning,
            "key_indicators": list(self.key_indicators),
        }


class _Score(NamedTuple):
    weight: float
    intent_type: IntentType
    found: tuple[str, ...]


class Intents:
    """Reads `configs/intents.yaml` once; the guard tells what is out of scope."""

    def __init__(self, rules: IntentRules, guard: Guard) -> None:
        self._rules, self._guard = rules, guard
        self._asking = re.compile(rules.asking)
        self._cues: Mapping[IntentType, tuple[tuple[re.Pattern[str], float], ...]] = {
            name: tuple((re.compile(cue.pattern), cue.weight) for cue in words.cues)
            for name, words in rules.intents.items()
        }

    @classmethod
    def load(cls, home: Path, guard: Guard) -> "Intents":
        """ConfigError names every field that does not fit."""
        document = Document.read(home / "configs" / "intents.yaml")
        return cls(document.parse(TypeAdapter(IntentRules)), guard)

    def classify(self, text: str, previous: str | None = None) -> Intent:
        """`previous`: the learner's message before, which a short one may go on with ("왜?", "뺄셈은?")."""
        text = usual(text)
        verdict = self._guard.check(text)
        if verdict.kind in ("abuse", "injection", "small_talk"):
            return self._intent("D", _MOST, (verdict.found,) if verdict.found else ())
        on_topic = verdict.kind == "pass" and not verdict.weak
        first, second, *_ = self._scores(text, on_topic=on_topic)
        if on_topic and first.weight < self._rules.enough and previous is not None and self._goes_on(text):
            before = self.classify(previous)
            return self._intent(before.intent_type, before.confidence * self._rules.carried, before.key_indicators)
        if not on_topic and first.weight < self._rules.foreign:
            return self._intent("D", 1 - _UNTOLD, ())
        if not first.weight:
            guess = self._rules.asked if self._asking.search(_squeezed(text)) else self._rules.otherwise
            return self._intent(guess, _UNTOLD, (verdict.found,) if verdict.found else ())
        ahead = (first.weight - second.weight) / first.weight
        confidence = 0.5 + 0.5 * ahead * min(1.0, first.weight / _SURE)
        return self._intent(first.intent_type, min(confidence, _MOST), first.found)

    def carried(self, name: IntentType, found: tuple[str, ...]) -> Intent:
        """What a message wants that goes on with the one before."""
        return self._intent(name, self._rules.carried, found)

    def names(self) -> dict[IntentType, str]:
        """What the intents are called."""
        return {name: words.name for name, words in self._rules.intents.items()}

    def _scores(self, text: str, *, on_topic: bool) -> list[_Score]:
        """The highest first; without a learning word, how and what might be asked of anything."""
        squeezed = _squeezed(text)
        scores = []
        for name, cues in self._cues.items():
            if not on_topic and name in self._rules.needs_topic:
                continue
            found = [(match[0], weight) for pattern, weight in cues if (match := pattern.search(squeezed))]
            if name == "E" and (expressions := read_expressions(text)):
                found.insert(0, (expressions[0].text, self._rules.expression))
            scores.append(_Score(sum(weight for _, weight in found), name, tuple(dict.fromkeys(w for w, _ in found))))
        return sorted(scores, key=lambda score: -score.weight)

    def _goes_on(self, text: str) -> bool:
        return len(re.sub(r"\W+", "", text)) <= self._rules.follow_up

    def _intent(self, name: IntentType, confidence: float, found: tuple[str, ...]) -> Intent:
        words = self._rules.intents[name]
        quoted = ", ".join(f"‘{each}’" for each in found)
        reasoning = f"{quoted} 같은 말로 보아 {words.reasoning}" if quoted else words.reasoning
        return Intent(name, words.name, round(confidence, 2), reasoning, found)


def _squeezed(text: str) -> str:
    """As the cues read it."""
    return _LONG_NUMBER.sub(r"\1", re.sub(r"\s+", "", text.casefold()))
