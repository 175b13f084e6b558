"""The two things a language model is asked, both off the normal path: what may lie behind an answer that no rule
explains, and which words to choose where a situation has no template.

Every ask leaves a record of plain JSON. Kept with the turn, it lets a replay have the same result without a model
(`from_record`).
"""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeAlias

from pydantic import BaseModel, Field, ValidationInfo, field_validator, model_validator
from typing_extensions import TypedDict

from maththera.arithmetic.problem import Problem
from maththera.llm.budget import Budget
from maththera.llm.models import Call, LlmError, Models
from maththera.llm.prompts import Value
from maththera.llm.structured import Line, Schema
from maththera.tutoring.feedback import Feedback
from maththera.words.gate import Gate
from maththera.words.sentence_checks import About

logger = logging.getLogger(__name__)

LineCheck: TypeAlias = Callable[[Sequence[str]], Sequence[str]]
"""Lines that a model has composed -> the names of the rules that they break."""

_LAYOUTS: Final = {"horizontal": "가로셈", "vertical": "세로셈"}
_SENTENCE: Final = re.compile(r"\S.*?(?:[.!?]+(?=\s|$)|$)")
_HANGUL: Final = re.compile("[가-힣]")

VARIABLES: Final[Mapping[str, frozenset[str]]] = {
    "diagnosis": frozenset(
        {
            *("causes", "problem", "layout", "correct_answer", "student_answer", "rt_ms"),
            *("behavior_tags", "l_level", "c_level", "strategy_tag"),
        }
    ),
    "feedback": frozenset({"words", "situation", "problem", "student_answer", "cause_tag", "templates"}),
}
"""What each prompt is filled with; a prompt file that wants anything else is refused at the start."""


class Record(TypedDict):
    """One call as it is kept. `output` is set where a reply of the right shape came: what is said or believed of it,
    or, where it broke the tone, what it was."""

    kind: Literal["diagnosis", "feedback"]
    model: str
    input_tokens: int
    output_tokens: int
    estimated: bool
    cost_usd: float | None
    ms: int
    outcome: Literal["ok", "timeout", "failed", "rejected", "tone"]
    output: dict[str, Any] | None


@dataclass(frozen=True, slots=True)
class Ask(Generic[Schema]):
    """`result` is None unless the outcome is "ok"; `record` is None where there was no model to ask. `held`: a
    reasoning that adults may not be shown, for whoever reviews it."""

    result: Schema | None
    record: Record | None
    held: str | None = None


class SuspectedCause(BaseModel):
    """A tag of the catalogue; the catalogue, not the model, says which domain it belongs to."""

    tag: str
    domain: str
    confidence: Literal["high", "medium", "low"]

    @model_validator(mode="after")
    def _of_the_catalogue(self, info: ValidationInfo) -> "SuspectedCause":
        if info.context is not None:  # a record was checked when it was made
            domains: Mapping[str, str] = info.context["domains"]
            if self.tag not in domains:
                raise ValueError("the tag is not in the catalogue")
            self.domain = domains[self.tag]
        return self


class SuspectedCauses(BaseModel):
    """What the model makes of an unexplained answer. `reasoning`: Korean, at most two sentences, for adults."""

    primary_cause: SuspectedCause
    secondary_cause: SuspectedCause | None = None
    reasoning: Line = Field(max_length=400)
    probe_recommended: bool

    @field_validator("secondary_cause", mode="before")
    @classmethod
    def _empty_is_none(cls, value: Any) -> Any:
        return None if isinstance(value, dict) and not value.get("tag") else value

    @field_validator("reasoning")
    @classmethod
    def _korean_in_two_sentences(cls, text: str) -> str:
        if not _HANGUL.search(text):
            raise ValueError("not Korean")
        return " ".join(_SENTENCE.findall(text)[:2])

    @model_validator(mode="after")
    def _second_differs(self) -> "SuspectedCauses":
        if self.secondary_cause and self.secondary_cause.tag == self.primary_cause.tag:
            self.secondary_cause = None
        return self


class ChosenWords(BaseModel):
    """What a model answers: the id of a `template` that it was offered, or `lines` of words that it was given."""

    template: str | None = None
    lines: list[Line] = Field(default=[], max_length=3)

    @model_validator(mode="after")
    def _offered(self, info: ValidationInfo) -> "ChosenWords":
        offered: Mapping[str, Feedback] = (info.context or {})["offered"]
        if self.template is None and not self.lines:
            raise ValueError("says nothing")
        if self.template is not None and self.template not in offered:
            raise ValueError("there is no such template")
        return self


class WrittenFeedback(BaseModel):
    """What the child is told. Records from before models had to choose hold their own words, and no template."""

    feedback_lines: list[Line] = Field(min_length=1, max_length=10)
    hint: Line | None = None
    template_id: str | None = None

    @field_validator("hint")
    @classmethod
    def _empty_is_none(cls, hint: str | None) -> str | None:
        return hint or None


@dataclass(frozen=True, slots=True)
class UnexplainedAnswer:
    """A wrong answer that no rule explains; `rt_ms` in milliseconds, `behavior_tags` of the observation catalogue."""

    problem: Problem
    student_answer: int
    rt_ms: int
    behavior_tags: Sequence[str]


@dataclass(frozen=True, slots=True)
class Situation:
    """What there are no words for yet. `situation` is its Korean name; `offered`: the templates that fit it; `words`:
    the closed vocabulary."""

    situation: str
    problem: Problem
    student_answer: int | None
    cause_tag: str | None
    offered: Mapping[str, Feedback]
    words: frozenset[str]


async def diagnose_unknown(
    models: Models, budget: Budget, answer: UnexplainedAnswer, domains: Mapping[str, str], gate: Gate
) -> Ask[SuspectedCauses]:
    """Ask what may lie behind `answer`; `domains` is the catalogue, tag → domain, and nothing else is accepted. A
    reasoning that does not pass the gate is left out, and the causes stand."""
    problem = answer.problem
    variables: dict[str, Value] = {
        "causes": sorted(domains),
        "problem": problem.expression,
        "layout": _LAYOUTS[problem.layout],
        "correct_answer": problem.answer,
        "student_answer": answer.student_answer,
        "rt_ms": answer.rt_ms,
        "behavior_tags": ", ".join(answer.behavior_tags),
        "l_level": problem.l_level,
        "c_level": problem.c_level,
        "strategy_tag": problem.strategy_tag,
    }
    ask = await _ask("diagnosis", models, budget, variables, SuspectedCauses, context={"domains": domains})
    if ask.result is None or ask.record is None:
        return ask
    reasoning = ask.result.reasoning
    held = gate.check(reasoning, "adult", About(gate.longest("reasoning")))
    if held is None:
        return ask
    logger.warning("diagnosis: the reasoning is held back: %s", held.code)
    result = ask.result.model_copy(update={"reasoning": gate.words.withheld})
    return Ask(result, {**ask.record, "output": result.model_dump(mode="json")}, reasoning)


async def choose_words(models: Models, budget: Budget, situation: Situation, check: LineCheck) -> Ask[WrittenFeedback]:
    """Ask which of the templates fits, or for lines of known words where none does; `check` decides on those."""
    variables: dict[str, Value] = {
        "words": " ".join(sorted(situation.words)),
        "templates": "\n".join(f"{name}: {_shown(said)}" for name, said in situation.offered.items()),
        "situation": situation.situation,
        "problem": situation.problem.expression,
        "student_answer": situation.student_answer,
        "cause_tag": situation.cause_tag,
    }
    ask = await _ask("feedback", models, budget, variables, ChosenWords, context={"offered": situation.offered})
    if ask.result is None or ask.record is None:
        return Ask(None, ask.record)
    written = _written(ask.result, situation.offered)
    if ask.result.template is None and (broken := check(ask.result.lines)):
        logger.warning("feedback: breaks the rules of %s", ", ".join(broken))
        return Ask(None, {**ask.record, "outcome": "tone"})
    return Ask(written, {**ask.record, "output": written.model_dump(mode="json")})


def _written(chosen: ChosenWords, offered: Mapping[str, Feedback]) -> WrittenFeedback:
    if chosen.template is None:
        return WrittenFeedback(feedback_lines=chosen.lines)
    said = offered[chosen.template]
    return WrittenFeedback(feedback_lines=said.lines, hint=said.hint, template_id=chosen.template)


def _shown(said: Feedback) -> str:
    return " / ".join([*said.lines, *([said.hint] if said.hint else [])])


def from_record(record: Record, schema: type[Schema]) -> Ask[Schema]:
    """The ask that left `record`, without a model."""
    return Ask(schema.model_validate(record["output"]) if record["outcome"] == "ok" else None, record)


async def _ask(  # noqa: PLR0913 - private, and each of the six is needed by the call
    kind: Literal["diagnosis", "feedback"],
    models: Models,
    budget: Budget,
    variables: Mapping[str, Value],
    schema: type[Schema],
    *,
    context: dict[str, Any] | None = None,
) -> Ask[Schema]:
    if not models.available:
        return Ask(None, None)
    try:
        reply = await models.ask(kind, variables, schema, budget, context)
    except LlmError as error:
        return Ask(None, _record(kind, error.call, None))
    return Ask(reply.value, _record(kind, reply.call, reply.value.model_dump(mode="json")))


def _record(kind: Literal["diagnosis", "feedback"], call: Call, output: dict[str, Any] | None) -> Record:
    return {
        "kind": kind,
        "model": call.model,
        "input_tokens": call.usage.input_tokens,
        "output_tokens": call.usage.output_tokens,
        "estimated": call.usage.estimated,
        "cost_usd": call.cost_usd,
        "ms": call.ms,
        "outcome": call.outcome,
        "output": output,
    }
