"""From a Korean command to the flow or tool that it means, with parameters; or to a question when that is not certain.

Without a language model the words of the command are compared with the sample sentences of each flow and tool, weighted
by how rare they are. A command with words that a target does not know, or that fits two targets, is asked back.
"""

import math
import re
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any, Final, Literal

from maththera.flows.commands.command_entities import CommandEntities, read_entities
from maththera.flows.commands.command_rules import CommandRules, KnownNames
from maththera.flows.commands.command_targets import Target, flow_target, parameters, tool_targets
from maththera.flows.commands.command_words import CommandWords
from maththera.flows.commands.slot_filling import FilledSlots, fill_slots, roles
from maththera.flows.commands.speech_acts import WISHES, speech_act, wanted_verb
from maththera.flows.flow import Flow
from maththera.flows.language.schema_types import SchemaType
from maththera.json_types import JsonObject
from maththera.runtime.tool_interface import Catalogue

_CANDIDATES: Final = 3
_DESCRIPTION: Final = 0.5
"""The weight of a description, where that of a sample sentence is 1: it has more words than a command."""
_SENTENCE: Final = 0.65
"""The weight of the nearest sample sentence; the rest is the share of the command that the target knows."""
_ALL_SAID: Final = 0.3
"""The weight of the share of a sentence that the command contains; the rest is the share of the command that the
sentence contains."""
_UNKNOWN: Final = 0.85
"""The weight of a word that no target knows, as a share of the heaviest one."""
_NO_USE: Final = 0.12
"""The loss for each entity that the target cannot take, and for each one that it needs and the command lacks."""
_ANY: Final = 0.3
"""The least confidence of a candidate."""
_SCHOOL: Final = "학교"
_LONGEST: Final = 500  # characters


@dataclass(frozen=True, slots=True)
class Call:
    """A call of a tool."""

    server: str
    tool: str
    arguments: JsonObject = field(default_factory=dict)


@dataclass(frozen=True, slots=True)
class Candidate:
    """A flow that the command may mean."""

    name: str
    description: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Choice:
    """The meaning of a command.

    `kind`: "flow" (start `name` with `parameters`), "tools" (make `calls`), "ask" (put `question` to the person, with
    the nearest flows as `candidates`). `missing`: parameters that `name` still needs. `source`: rules or model.
    """

    kind: Literal["flow", "tools", "ask"]
    name: str | None
    parameters: JsonObject
    confidence: float
    candidates: tuple[Candidate, ...]
    calls: tuple[Call, ...] = ()
    missing: tuple[str, ...] = ()
    question: str | None = None
    source: Literal["rules", "model"] = "rules"


class Matcher:
    """The flows and tools at one time, compared with commands."""

    def __init__(self, flows: Iterable[Flow], catalogue: Catalogue, rules: CommandRules, names: KnownNames) -> None:
        self.rules = rules
        self.names = names
        self._words = CommandWords(rules.words)
        self.targets = [*(flow_target(flow, rules) for flow in flows), *tool_targets(catalogue, rules)]
        for target in self.targets:
            target.sentences = [frozenset(self._sentence_words(text)) for text in target.texts]
            target.deeds = frozenset(filter(None, map(wanted_verb, [target.description, *target.texts])))
            target.described = frozenset(self._sentence_words(" ".join([target.description, *parameters(target)])))
            target.words = frozenset().union(target.described, *target.sentences)

    def choose(self, command: str, today: date, given: Mapping[str, Any] | None = None) -> Choice:
        """The meaning of a command by rules alone."""
        found = read_entities(command[:_LONGEST], self.rules, self.names, today)
        ranked = self.ranked(found)
        candidates = self.candidates(ranked)
        refused = self.refusal_question(command)
        if not ranked:
            return Choice("ask", None, {}, 0.0, candidates, question=_question_between(candidates))
        best, confidence = ranked[0]
        if refused is not None:
            return Choice("ask", None, {}, min(confidence, 0.3), candidates, question=refused)
        filled = fill_slots(best.schema, found, self.rules, today, given or {})
        limits = self.rules.limits
        open_ = bool(filled.missing or filled.unused)
        if not self._is_certain(found, ranked, limits.ask if open_ else limits.act):
            asked = filled.missing.values() if confidence >= limits.ask else ()
            return Choice(
                "ask", None, {}, confidence, candidates, question=" ".join([_question_between(candidates), *asked])
            )
        return self.decided(best, filled, confidence, candidates)

    def _is_certain(self, found: CommandEntities, ranked: Sequence[tuple[Target, float]], least: float) -> bool:
        """Whether the best target is certain: near enough, well ahead of the next, by more than one word, with the
        right verb."""
        limits, words = self.rules.limits, self._mended(found)
        best, confidence = ranked[0]
        return (
            confidence >= least
            and confidence - self._rival(ranked) >= limits.ahead
            and self._foreign_share(best, words) < limits.foreign
            and any(self._weight(words & each) >= limits.said * self._weight(each) for each in best.sentences)
            and self._verb_fits(best, found)
        )

    def _verb_fits(self, target: Target, found: CommandEntities) -> bool:
        """Whether the command's verb fits the target; a question only looks something up."""
        if speech_act(found.command) == "asks":
            return target.reads
        wanted = wanted_verb(found.left)
        return wanted is None or wanted in target.deeds or wanted in WISHES or self._words.says_nothing(wanted)

    def decided(
        self, target: Target, filled: FilledSlots, confidence: float, candidates: tuple[Candidate, ...]
    ) -> Choice:
        """The choice of a target that is certain; it can start when no parameter is missing."""
        confidence = round(confidence, 3)
        if filled.missing or filled.unused:
            question = " ".join(dict.fromkeys([*filled.unused, *filled.missing.values()]))
            missing = tuple(filled.missing)
            return Choice("ask", target.name, filled.values, confidence, candidates, missing=missing, question=question)
        if target.kind == "flow":
            return Choice("flow", target.name, filled.values, confidence, candidates)
        calls = (Call(target.server, target.name, filled.values),)
        return Choice("tools", target.name, filled.values, confidence, candidates, calls)

    def ranked(self, found: CommandEntities) -> list[tuple[Target, float]]:
        """Every target with a word in common, the nearest first."""
        words = self._mended(found)
        kinds = set(found.kinds)
        scored = [(target, self._score(target, words, kinds)) for target in self.targets]
        return sorted((each for each in scored if each[1] > 0), key=lambda each: (-each[1], each[0].name))

    def candidates(self, ranked: Sequence[tuple[Target, float]]) -> tuple[Candidate, ...]:
        """The three nearest flows, filled up with others where fewer are near."""
        near = [(target, score) for target, score in ranked if target.kind == "flow"]
        others = [(target, 0.0) for target in self.targets if target.kind == "flow"]
        unique = {
            target.name: Candidate(target.name, target.description, round(score, 3))
            for target, score in [*others, *near]
        }
        return tuple(sorted(unique.values(), key=lambda each: -each.confidence)[:_CANDIDATES])

    def _rival(self, ranked: Sequence[tuple[Target, float]]) -> float:
        """The confidence of the nearest target that does something else than the best."""
        best = ranked[0][0]
        others = (score for target, score in ranked[1:] if target.name not in best.covers)
        return next(others, 0.0)

    def refusal_question(self, command: str) -> str | None:
        """The question for a command that may not start anything, such as one that forbids; None for any other."""
        refusal = next((each.question for each in self.rules.refuse if re.search(each.pattern, command)), None)
        told = speech_act(command[:_LONGEST])
        return refusal or (self.rules.moods.get(told) if told else None)

    def _sentence_words(self, text: str) -> tuple[str, ...]:
        found = read_entities(text, self.rules, self.names, date(2026, 1, 1))
        return self._words_of(found)

    def _words_of(self, found: CommandEntities) -> tuple[str, ...]:
        """The words of a command; an entity counts as a word of its kind: a school by its name is still a school."""
        named = (_SCHOOL if kind == "school" else f"<{kind}>" for kind in found.kinds)
        return tuple(dict.fromkeys([*self._words.of(found.left), *named]))

    def _mended(self, found: CommandEntities) -> frozenset[str]:
        words = self._words_of(found)
        limit = self.rules.limits.typo
        return frozenset(
            word if word in self._weights else self._words.mended(word, self._spellings, limit) or word
            for word in words
        )

    @cached_property
    def _spellings(self) -> tuple[str, ...]:
        return tuple(sorted(word for word in self._weights if not word.startswith("<")))

    @cached_property
    def _weights(self) -> Mapping[str, float]:
        """Inverse document frequency: a word that few targets have weighs more."""
        holders: dict[str, int] = {}
        for target in self.targets:
            for word in target.words:
                holders[word] = holders.get(word, 0) + 1
        return {word: math.log(1 + len(self.targets) / many) for word, many in holders.items()}

    def _weight(self, words: Iterable[str]) -> float:
        unknown = _UNKNOWN * math.log(1 + len(self.targets))
        return sum(self._weights.get(word, unknown) for word in words)

    def _score(self, target: Target, words: frozenset[str], kinds: set[str]) -> float:
        whole = self._weight(words)
        if not whole or not words & target.words:
            return 0.0
        nearest = max(
            (self._likeness(words, sentence, whole) for sentence in target.sentences),
            default=0.0,
        )
        nearest = max(nearest, _DESCRIPTION * self._likeness(words, target.described, whole))
        score = (
            _SENTENCE * nearest
            + (1 - _SENTENCE) * self._known_share(target, words)
            - _NO_USE * self._misfits(target, kinds)
        )
        return max(0.0, min(1.0, score + (self.rules.limits.flow_bonus if target.kind == "flow" else 0.0)))

    def _known_share(self, target: Target, words: frozenset[str]) -> float:
        """The share of the command, by weight, that the target knows."""
        return self._weight(words & target.words) / self._weight(words)

    def _foreign_share(self, target: Target, words: frozenset[str]) -> float:
        """The share of the command, by weight, that only other targets know."""
        return self._weight(word for word in words - target.words if word in self._weights) / self._weight(words)

    def _likeness(self, words: frozenset[str], sentence: frozenset[str], whole: float) -> float:
        common = self._weight(words & sentence)
        if not common:
            return 0.0
        return (1 - _ALL_SAID) * common / whole + _ALL_SAID * common / self._weight(sentence)

    def _misfits(self, target: Target, kinds: set[str]) -> int:
        wanted = roles(SchemaType.of(target.schema), self.rules)
        takes = {_KINDS[role] for role in wanted if role in _KINDS}
        needs = {_KINDS[role] for role, needed in wanted.items() if needed and role in _KINDS}
        return len(kinds - takes) + len(needs - kinds - {"school"})


_KINDS: Final[Mapping[str, str]] = {
    "concept": "concept",
    "concepts": "concept",
    "problem_id": "problem_id",
    "report_id": "report_id",
    "expression": "expression",
    "ratio": "ratio",
    "school": "school",
    "school_name": "school",
}


def _question_between(candidates: Sequence[Candidate]) -> str:
    if not candidates:
        return "할 수 있는 일이 아직 없습니다."
    names = ", ".join(each.name.replace("_", " ") for each in candidates)
    if candidates[0].confidence < _ANY:
        return f"무슨 일인지 알아듣지 못했습니다. 할 수 있는 일의 보기: {names}."
    return f"어떤 일을 할까요? 가까운 것: {names}."
