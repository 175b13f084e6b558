"""A Korean command → the flow or the tool it means, with its parameters; or a question, when that is not sure.

Without a language model the words of the command are weighed against the sentences that are known to mean each flow
and tool. A command that says more than a target knows of, or two targets at once, is asked back, never guessed.
"""

import math
import re
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from functools import cached_property
from typing import Any, Final, Literal

from maththera.flows.commands import CommandRules, Names
from maththera.flows.flow import Flow, FlowStep
from maththera.flows.model import ToolStep
from maththera.flows.parameters import Filled, Found, fill, read
from maththera.flows.schemas import Typed
from maththera.flows.words import Words
from maththera.runtime.tools import ToolSpec

Catalogue = Mapping[str, Mapping[str, ToolSpec]]

_CANDIDATES: Final = 3
_DESCRIPTION: Final = 0.5
"""Of the weight of a sample sentence: a description says more than a command does."""
_SENTENCE: Final = 0.65
"""How much the nearest sentence counts; the rest is how much of the command the target knows at all."""
_ALL_SAID: Final = 0.3
"""How much of a sentence's likeness is that the command says all of it; the rest is that it says all of the command."""
_UNKNOWN: Final = 0.85
"""The weight of a word that no target knows, in parts of the heaviest one."""
_NO_USE: Final = 0.12
"""Lost for each thing that the command names and the target cannot take, or that it needs and the command has not."""
_SCHOOL: Final = "학교"
_LONGEST: Final = 500  # characters


@dataclass(frozen=True, slots=True)
class Call:
    """One direct call of a tool."""

    server: str
    tool: str
    arguments: dict[str, Any]


@dataclass(frozen=True, slots=True)
class Candidate:
    """A flow that may be meant."""

    name: str
    description: str
    confidence: float


@dataclass(frozen=True, slots=True)
class Choice:
    """What a command means.

    `kind`: "flow" (start `name` with `parameters`), "tools" (make `calls`), "ask" (put `question` to the person, with
    the nearest flows as `candidates`). `missing`: parameters that are wanted before `name` can be started. `source`:
    who chose.
    """

    kind: Literal["flow", "tools", "ask"]
    name: str | None
    parameters: dict[str, Any]
    confidence: float
    candidates: tuple[Candidate, ...]
    calls: tuple[Call, ...] = ()
    missing: tuple[str, ...] = ()
    question: str | None = None
    source: Literal["rules", "model"] = "rules"


@dataclass(slots=True)
class Target:
    """A flow or a tool. `covers`: tools that a flow calls itself, so that it does their job too."""

    kind: Literal["flow", "tool"]
    name: str
    description: str
    schema: Mapping[str, Any]
    texts: list[str]
    server: str = ""
    covers: frozenset[str] = frozenset()
    sentences: list[frozenset[str]] = field(default_factory=list)
    words: frozenset[str] = frozenset()
    described: frozenset[str] = frozenset()


class Matcher:
    """The flows and tools of one moment, and how near a command is to each."""

    def __init__(self, flows: Iterable[Flow], catalogue: Catalogue, rules: CommandRules, names: Names) -> None:
        self.rules = rules
        self.names = names
        self._words = Words(rules.words)
        self.targets = [*(_flow_target(flow, rules) for flow in flows), *_tool_targets(catalogue, rules)]
        for target in self.targets:
            target.sentences = [frozenset(self._sentence_words(text)) for text in target.texts]
            target.described = frozenset(self._sentence_words(" ".join([target.description, *_parameters(target)])))
            target.words = frozenset().union(target.described, *target.sentences)

    def choose(self, command: str, today: date, given: Mapping[str, Any] | None = None) -> Choice:
        """By rules alone."""
        found = read(command[:_LONGEST], self.rules, self.names, today)
        ranked = self.ranked(found)
        candidates = self.candidates(ranked)
        refused = self.refused(command)
        if not ranked:
            return Choice("ask", None, {}, 0.0, candidates, question=_which(candidates))
        best, confidence = ranked[0]
        if refused is not None:
            return Choice("ask", None, {}, min(confidence, 0.3), candidates, question=refused)
        limits = self.rules.limits
        sure = confidence >= limits.act and self._foreign(best, self._mended(found)) < limits.foreign
        if not sure or confidence - self._rival(ranked) < limits.ahead:
            return Choice("ask", None, {}, confidence, candidates, question=_which(candidates))
        filled = fill(best.schema, found, self.rules, today, given or {})
        return self.decided(best, filled, confidence, candidates)

    def decided(self, target: Target, filled: Filled, confidence: float, candidates: tuple[Candidate, ...]) -> Choice:
        """The target is sure; whether it can start depends on its parameters."""
        confidence = round(confidence, 3)
        if filled.missing:
            question = " ".join(dict.fromkeys(filled.missing.values()))
            missing = tuple(filled.missing)
            return Choice("ask", target.name, filled.values, confidence, candidates, missing=missing, question=question)
        if target.kind == "flow":
            return Choice("flow", target.name, filled.values, confidence, candidates)
        calls = (Call(target.server, target.name, filled.values),)
        return Choice("tools", target.name, filled.values, confidence, candidates, calls)

    def ranked(self, found: Found) -> list[tuple[Target, float]]:
        """Every target with a word in common, the nearest first."""
        words = self._mended(found)
        kinds = set(found.kinds)
        scored = [(target, self._score(target, words, kinds)) for target in self.targets]
        return sorted((each for each in scored if each[1] > 0), key=lambda each: (-each[1], each[0].name))

    def candidates(self, ranked: Sequence[tuple[Target, float]]) -> tuple[Candidate, ...]:
        """The three nearest flows; where fewer are near at all, others fill up."""
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

    def refused(self, command: str) -> str | None:
        """What is asked where nothing may be started, whatever is meant."""
        return next((each.question for each in self.rules.refuse if re.search(each.pattern, command)), None)

    def _sentence_words(self, text: str) -> tuple[str, ...]:
        found = read(text, self.rules, self.names, date(2026, 1, 1))
        return self._words_of(found)

    def _words_of(self, found: Found) -> tuple[str, ...]:
        """What is named counts as a word, too; a school by its name is still a school."""
        named = (_SCHOOL if kind == "school" else f"<{kind}>" for kind in found.kinds)
        return tuple(dict.fromkeys([*self._words.of(found.left), *named]))

    def _mended(self, found: Found) -> frozenset[str]:
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
        """Inverse document frequency: a word of few targets says more."""
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
            _SENTENCE * nearest + (1 - _SENTENCE) * self._said(target, words) - _NO_USE * self._misfits(target, kinds)
        )
        return max(0.0, min(1.0, score + (self.rules.limits.flow_bonus if target.kind == "flow" else 0.0)))

    def _said(self, target: Target, words: frozenset[str]) -> float:
        """The share of the command, by weight, that the target knows of."""
        return self._weight(words & target.words) / self._weight(words)

    def _foreign(self, target: Target, words: frozenset[str]) -> float:
        """The share of the command, by weight, that only others know of."""
        return self._weight(word for word in words - target.words if word in self._weights) / self._weight(words)

    def _likeness(self, words: frozenset[str], sentence: frozenset[str], whole: float) -> float:
        common = self._weight(words & sentence)
        if not common:
            return 0.0
        return (1 - _ALL_SAID) * common / whole + _ALL_SAID * common / self._weight(sentence)

    def _misfits(self, target: Target, kinds: set[str]) -> int:
        roles = _roles(Typed.of(target.schema), self.rules)
        takes = {_KINDS[role] for role in roles if role in _KINDS}
        needs = {_KINDS[role] for role, needed in roles.items() if needed and role in _KINDS}
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


def _roles(typed: Typed, rules: CommandRules) -> dict[str, bool]:
    """Role → whether it is required, nested fields included."""
    found: dict[str, bool] = {}
    for name, each in typed.properties().items():
        needed = name in typed.schema.get("required", ())
        if role := rules.role(name):
            found[role] = found.get(role, False) or needed
        else:
            found |= {inner: wanted and needed for inner, wanted in _roles(each, rules).items()}
    return found


def _parameters(target: Target) -> Iterator[str]:
    """What a flow's author says of its inputs."""
    if target.kind == "flow":
        yield from (str(each.get("description", "")) for each in target.schema.get("properties", {}).values())


def _which(candidates: Sequence[Candidate]) -> str:
    names = ", ".join(each.name.replace("_", " ") for each in candidates)
    return f"어떤 일을 할까요? 가까운 것: {names}." if names else "할 수 있는 일이 아직 없습니다."


def _flow_target(flow: Flow, rules: CommandRules) -> Target:
    texts = [flow.name.replace("_", " "), *flow.examples, *rules.flows.get(flow.name, [])]
    return Target(
        "flow", flow.name, flow.description, flow.input_schema(), texts, covers=frozenset(_called(flow.steps))
    )


def _called(steps: Iterable[FlowStep]) -> Iterator[str]:
    for step in steps:
        if isinstance(step.fields, ToolStep):
            yield step.fields.mcp_call.tool
        yield from _called(step.steps)


def _tool_targets(catalogue: Catalogue, rules: CommandRules) -> Iterator[Target]:
    for server, tools in catalogue.items():
        for name, spec in tools.items():
            texts = rules.tools.get(name, [spec.description])
            yield Target("tool", name, spec.description, spec.input_schema, texts, server)
