"""From a Korean command to the flow or tool that it means, with parameters; or to a question when that is not certain.

Without a language model, a model of short runs of letters tells what a command means once its names, days and numbers
are taken out. A flow that it has not learnt is meant by a command that is like one of its examples.
"""

import copy
import re
from collections.abc import Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from datetime import date
from functools import cache
from math import sqrt
from typing import Any, Final, Literal

from maththera.flows.commands.command_entities import CommandEntities, read_entities
from maththera.flows.commands.command_rules import CommandRules, KnownNames, Role
from maththera.flows.commands.command_targets import Target, flow_target, tool_targets
from maththera.flows.commands.slot_filling import FilledSlots, ReadCommand, fill_slots, of_grade, roles
from maththera.flows.commands.speech_acts import speech_act
from maththera.flows.flow import Flow
from maththera.flows.language.schema_types import SchemaType
from maththera.json_types import JsonObject
from maththera.runtime.tool_interface import Catalogue
from maththera.settings import home
from maththera.words.ngram_model import NgramModel, features, load_model, plain

_CANDIDATES: Final = 3
_ANY: Final = 0.2
"""The least confidence of a candidate."""
_PARTS: Final = re.compile(r"(?<=[가-힣]고)\s|그리고|(?<=[가-힣])(?:이?랑|하고)\s")
"""What stands between two wishes."""
_SHORTEST: Final = 3
_MOST_SUMS: Final = 20
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


@cache
def command_model() -> NgramModel:
    """The model of the installation. ConfigError for a broken file."""
    return load_model(home() / "configs" / "words" / "command_model.tsv", "command")


def sentence_of(found: CommandEntities) -> str:
    """What the model reads of a command: the words beside its entities, and the kinds of these."""
    return plain(f"{found.left.replace('이것', ' ')} {' '.join(f'z{kind}' for kind in found.kinds)}")


class Matcher:
    """The flows and tools at one time, compared with commands."""

    def __init__(self, flows: Iterable[Flow], catalogue: Catalogue, rules: CommandRules, names: KnownNames) -> None:
        self.rules, self.names = rules, names
        self.targets = [*map(flow_target, flows), *tool_targets(catalogue)]
        learnt = {*command_model().categories}
        self._examples = {
            target.name: [features(self._sentence(text)) for text in target.texts]
            for target in self.targets if target.name not in learnt
        }  # fmt: skip

    def knowing(self, students: Mapping[str, str]) -> "Matcher":
        """The same for a caller whose students are called so: name → id."""
        matcher = copy.copy(self)
        matcher.names = replace(self.names, students=students)
        return matcher

    def choose(self, command: str, today: date, given: Mapping[str, Any] | None = None) -> Choice:
        """The meaning of a command by rules alone."""
        found = read_entities(command[:_LONGEST], self.rules, self.names, today)
        ranked = self.ranked(found)
        candidates = self.candidates(ranked)
        if not ranked:
            return Choice("ask", None, {}, 0.0, candidates, question=_question_between(candidates))
        best, confidence = ranked[0]
        reads = best.reads and confidence >= self.rules.limits.act
        if (refused := self.refusal_question(command, reads=reads, left=found.left)) is not None:
            return Choice("ask", None, {}, min(confidence, 0.3), candidates, question=refused)
        taken = roles(SchemaType.of(best.schema), self.rules)
        if "grade" not in taken:
            found = of_grade(found, self.rules)
        alone = _one_by_one(found, taken)
        each = [fill_slots(best.schema, ReadCommand(one, self.rules, today, given or {})) for one in alone]
        filled = each[0]
        if not self._is_certain(found, ranked, acts=not (filled.missing or filled.unused)):
            return Choice("ask", None, {}, confidence, candidates, question=_question_between(candidates))
        if self.names.students and {"student_id", "student_ids"}.intersection(filled.missing):
            known = f"(맡은 학생: {', '.join([*self.names.students][: _CANDIDATES * 2])})"
            question = " ".join([*filled.unused, *filled.missing.values(), known])
            return replace(self.decided(best, filled, confidence, candidates), question=question)
        choice = self.decided(best, filled, confidence, candidates)
        if choice.kind != "tools" or len(alone) == 1:
            return choice
        return replace(choice, calls=tuple(Call(best.server, best.name, one.values) for one in each))

    def _is_certain(self, found: CommandEntities, ranked: Sequence[tuple[Target, float]], *, acts: bool) -> bool:
        """Whether the best target is likely enough, well ahead of the second, and all that is wanted."""
        limits, (best, confidence), second = self.rules.limits, ranked[0], [*ranked, (None, 0.0)][1][1]
        if confidence < (limits.act if acts else limits.ask) or confidence < limits.ahead * second:
            return False
        parts = _PARTS.split(found.left) if confidence < limits.alone else []
        meant = [self._best(replace(found, left=part)) for part in parts if len(plain(part)) > _SHORTEST]
        return len(meant) < 2 or all(name in (None, best.name) for name in meant)

    def _best(self, found: CommandEntities) -> str | None:
        """What a part of a command surely means."""
        ranked = self.ranked(found)
        return ranked[0][0].name if ranked and ranked[0][1] >= self.rules.limits.act else None

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
        """Every target, the likeliest first; none for a command without words."""
        sentence = sentence_of(found)
        if not sentence:
            return []
        learnt = dict(command_model().categories_of(sentence))
        runs = features(sentence)
        scored = [(target, learnt.get(target.name, self._likeness(target, runs))) for target in self.targets]
        return sorted(scored, key=lambda each: (-each[1], each[0].name))

    def _likeness(self, target: Target, runs: set[str]) -> float:
        """The likeness to the nearest example of a target that the model has not learnt; 0 where it is not enough."""
        likeness = (len(runs & own) / sqrt(len(runs) * len(own) or 1) for own in self._examples.get(target.name, ()))
        nearest = max(likeness, default=0.0)
        return nearest if nearest >= self.rules.limits.alike else 0.0

    def candidates(self, ranked: Sequence[tuple[Target, float]]) -> tuple[Candidate, ...]:
        """The three nearest flows, filled up with others where fewer are near."""
        near = [(target, score) for target, score in ranked if target.kind == "flow"]
        others = [(target, 0.0) for target in self.targets if target.kind == "flow"]
        unique = {
            target.name: Candidate(target.name, target.description, round(score, 3))
            for target, score in [*others, *near]
        }
        return tuple(sorted(unique.values(), key=lambda each: -each.confidence)[:_CANDIDATES])

    def refusal_question(self, command: str, *, reads: bool = False, left: str | None = None) -> str | None:
        """The question for a command that may not start anything, such as one that forbids; None for any other. What
        only `reads` is also done for a question. `left`: the command without its entities."""
        text = command if left is None else left
        for each in self.rules.refuse:
            if not (reads and each.asks) and re.search(each.pattern, text):
                return each.question
        told = speech_act(text[:_LONGEST])
        return self.rules.answers_to_acts.get(told) if told == "forbids" or (told and not reads) else None

    def _sentence(self, text: str) -> str:
        return sentence_of(read_entities(text, self.rules, self.names, date(2026, 1, 1)))


def _one_by_one(found: CommandEntities, taken: Collection[Role]) -> list[CommandEntities]:
    """A command about several sums, or units of a grade, as one for each where a tool takes only one."""
    if len(found.sums) > 1 and {"expression", "problem_id"}.intersection(taken):
        sums = found.sums[:_MOST_SUMS]
        return [replace(found, one={**found.one, "answer": None, **each}) for each in sums]
    if len(found.concepts) > 1 and "concept" in taken and "concept" not in found.said and "second_concept" not in taken:
        return [replace(found, concepts=(unit,)) for unit in found.concepts]
    return [found]


def _question_between(candidates: Sequence[Candidate]) -> str:
    if not candidates:
        return "할 수 있는 일이 아직 없습니다."
    names = ", ".join(each.name.replace("_", " ") for each in candidates)
    if candidates[0].confidence < _ANY:
        return f"무슨 일인지 알아듣지 못했습니다. 할 수 있는 일의 보기: {names}."
    return f"어떤 일을 할까요? 가까운 것: {names}."
