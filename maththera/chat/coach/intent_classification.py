"""What a learner wants of the coach: the intent whose weighted cues are found in the message; no model is asked."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Final, NamedTuple

from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.coach.intent_registry import DECLINED, IntentEntry, IntentRegistry, read_registry, registry_file
from maththera.chat.state import IntentReport
from maththera.config_files import ConfigError
from maththera.korean.word_lists import usual_spelling
from maththera.words.input_filter.message_filter import MessageFilter

_CERTAIN_SCORE: Final = 3.0
"""Weight from which more adds nothing to the confidence."""
_MOST: Final = 0.97
_LONG_NUMBER: Final = re.compile(r"(\d{9})\d+")
"""Read as its first digits: cues that look for numbers would look for them in it again and again."""
_DEFAULT_CONFIDENCE: Final = 0.3
"""Confidence in a guess from the topic alone."""


@dataclass(frozen=True, slots=True)
class Intent:
    """`confidence` is from 0 to 1; `key_indicators` are the words of the message that decided."""

    entry: IntentEntry
    confidence: float
    reasoning: str
    key_indicators: tuple[str, ...]

    @property
    def intent_type(self) -> str:
        """The letter."""
        return self.entry.letter

    def payload(self) -> IntentReport:
        """As the event `intent_detected` carries it."""
        return {
            "intent_type": self.entry.letter,
            "intent_name": self.entry.name,
            "confidence": self.confidence,
            "reasoning": self.reasoning,
            "key_indicators": list(self.key_indicators),
        }


class _Score(NamedTuple):
    weight: float
    entry: IntentEntry
    found: tuple[str, ...]


class IntentClassifier:
    """The cues of a registry, compiled; the filter knows what is out of scope."""

    def __init__(self, registry: IntentRegistry, guard: MessageFilter) -> None:
        self.registry, self._guard = registry, guard
        self._asking = re.compile(registry.asking)
        self._cues: Mapping[str, tuple[tuple[re.Pattern[str], float], ...]] = {
            entry.letter: tuple((re.compile(cue.pattern), cue.weight) for cue in entry.cues)
            for entry in registry.intents.values()
        }

    @classmethod
    def load(cls, home: Path, guard: MessageFilter) -> "IntentClassifier":
        """ConfigError names every field that does not fit, and every example that is taken for another intent."""
        document = registry_file(home)
        found = cls(read_registry(document), guard)
        faults = [
            document.fault(("intents", name, "examples", place), f"is taken for {heard.name}")
            for name, entry in found.registry.intents.items()
            for place, example in enumerate(entry.examples)
            if (heard := found.classify(example).entry) != entry
        ]
        if faults:
            raise ConfigError("\n".join(faults))
        return found

    def classify(self, text: str, previous: str | None = None) -> Intent:
        """`previous`: the learner's message before, which a short one may go on with ("왜?", "뺄셈은?")."""
        text = usual_spelling(text)
        verdict, rules = self._guard.check(text), self.registry
        found = (verdict.found,) if verdict.found else ()
        if verdict.kind in ("abuse", "injection", "small_talk"):
            return self._intent(rules.handled_as(DECLINED), _MOST, found)
        on_topic = verdict.kind == "pass" and not verdict.weak
        first, second, *_ = self._scores(text, on_topic=on_topic)
        if on_topic and first.weight < rules.enough and previous is not None and self._is_follow_up(text):
            before = self.classify(previous)
            return self._intent(before.entry, before.confidence * rules.carried, before.key_indicators)
        if not on_topic and first.weight < rules.foreign:
            return self._intent(rules.handled_as(DECLINED), 1 - _DEFAULT_CONFIDENCE, ())
        if not first.weight:
            guess = rules.handled_as("explanation" if self._asking.search(_squeezed(text)) else "encouragement")
            return self._intent(guess, _DEFAULT_CONFIDENCE, found)
        ahead = (first.weight - second.weight) / first.weight
        confidence = 0.5 + 0.5 * ahead * min(1.0, first.weight / _CERTAIN_SCORE)
        return self._intent(first.entry, min(confidence, _MOST), first.found)

    def carried_intent(self, entry: IntentEntry, found: tuple[str, ...]) -> Intent:
        """The intent of a follow-up, less sure than that of its topic."""
        return self._intent(entry, self.registry.carried, found)

    def _scores(self, text: str, *, on_topic: bool) -> list[_Score]:
        """The highest first; without a learning word, how and what might be asked of anything."""
        squeezed = _squeezed(text)
        scores = []
        for entry in self.registry.intents.values():
            if entry.needs_topic and not on_topic:
                continue
            cues = self._cues[entry.letter]
            found = [(match[0], weight) for pattern, weight in cues if (match := pattern.search(squeezed))]
            if entry.expression and (expressions := read_expressions(text)):
                found.insert(0, (expressions[0].text, entry.expression))
            scores.append(_Score(sum(weight for _, weight in found), entry, tuple(dict.fromkeys(w for w, _ in found))))
        return sorted(scores, key=lambda score: -score.weight)

    def _is_follow_up(self, text: str) -> bool:
        return len(re.sub(r"\W+", "", text)) <= self.registry.follow_up

    def _intent(self, entry: IntentEntry, confidence: float, found: tuple[str, ...]) -> Intent:
        quoted = ", ".join(f"‘{each}’" for each in found)
        reasoning = f"{quoted} 같은 말로 보아 {entry.reasoning}" if quoted else entry.reasoning
        return Intent(entry, round(confidence, 2), reasoning, found)


def _squeezed(text: str) -> str:
    """The text as the cues read it."""
    return _LONG_NUMBER.sub(r"\1", re.sub(r"\s+", "", text.casefold()))
