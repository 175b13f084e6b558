"""The two requests to a language model, both off the normal path: the cause of an answer that no rule explains, and the
choice of words for a situation without a template.

Every request leaves a record of plain JSON, kept with the turn. `reply_from_record` gives a replay the same result
without a model.
"""

import logging
import re
from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final, Generic, Literal, TypeAlias

from pydantic import BaseModel, Field, ValidationInfo, field_validator, model_validator
from typing_extensions import TypedDict

from maththera.arithmetic.problem import Problem
from maththera.llm.model_client import Call, LlmError, Models
from maththera.llm.prompts import Value
from maththera.llm.structured_output import Line, Schema
from maththera.llm.time_budget import Budget
from maththera.tutoring.feedback.feedback_templates import Feedback
from maththera.words.output_gate.sentence_checks import TextRequirements
from maththera.words.output_gate.text_gate import Gate

logger = logging.getLogger(__name__)

LineCheck: TypeAlias = Callable[[Sequence[str]], Sequence[str]]
"""Lines composed by a model → the names of the rules that they break."""

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
"""Prompt → its variables. A prompt file with any other variable is refused at the start."""


class ModelCallRecord(TypedDict):
    """The record of one call. `output` is set if the reply had the right shape: its accepted part, or the whole of it
    if it broke the tone."""

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
class ModelReply(Generic[Schema]):
    """`result` is None unless the outcome is "ok"; `record` is None where there was no model to ask. `held`: a
    reasoning that the gate held back, for the review queue."""

    result: Schema | None
    record: ModelCallRecord | None
    held: str | None = None


class SuspectedCause(BaseModel):
    """A tag of the catalogue. The domain is the catalogue's, not the model's."""

    tag: str
    domain: str
    confidence: Literal["high", "medium", "low"]

    @model_validator(mode="after")
    def _of_the_catalogue(self, info: ValidationInfo) -> "SuspectedCause":
        if info.context is not None:  # records were checked when they were made
            domains: Mapping[str, str] = info.context["domains"]
            if self.tag not in domains:
                raise ValueError("the tag is not in the catalogue")
            self.domain = domains[self.tag]
        return self


class SuspectedCauses(BaseModel):
    """The causes that the model suspects. `reasoning`: Korean, at most two sentences, for adults."""

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
    """The model's choice: the id of an offered `template`, or `lines` made of offered words."""

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
    """The words for the child. Older records hold a model's own words and no template."""

    feedback_lines: list[Line] = Field(min_length=1, max_length=10)
    hint: Line | None = None
    template_id: str | None = None

    @field_validator("hint")
    @classmethod
    def _empty_is_none(cls, hint: str | None) -> str | None:
        return hint or None


@dataclass(frozen=True, slots=True)
class UnexplainedAnswer:
    """A wrong answer that no rule explains; `rt_ms` in milliseconds, None where the time is not reliable;
    `behavior_tags` of the observation catalogue."""

    problem: Problem
    student_answer: int
    rt_ms: int | None
    behavior_tags: Sequence[str]


@dataclass(frozen=True, slots=True)
class FeedbackRequest:
    """A request for words. `situation` is its Korean name; `offered`: the templates that fit it; `words`: the closed
    vocabulary."""

    situation: str
    problem: Problem
    student_answer: int | None
    cause_tag: str | None
    offered: Mapping[str, Feedback]
    words: frozenset[str]


async def diagnose_unknown(
    models: Models, budget: Budget, answer: UnexplainedAnswer, domains: Mapping[str, str], gate: Gate
) -> ModelReply[SuspectedCauses]:
    """Asks for the causes of `answer`. `domains` is the catalogue, tag → domain; other tags are refused. A reasoning
    that does not pass the gate is left out; the causes stay."""
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
    ask = await _ask_model("diagnosis", models, budget, variables, SuspectedCauses, context={"domains": domains})
    if ask.result is None or ask.record is None:
        return ask
    reasoning = ask.result.reasoning
    held = gate.check(reasoning, "adult", TextRequirements(gate.longest("reasoning")))
    if held is None:
        return ask
    logger.warning("diagnosis: the reasoning is held back: %s", held.code)
    result = ask.result.model_copy(update={"reasoning": gate.words.withheld})
    return ModelReply(result, {**ask.record, "output": result.model_dump(mode="json")}, reasoning)


async def choose_words(
    models: Models, budget: Budget, situation: FeedbackRequest, check: LineCheck
) -> ModelReply[WrittenFeedback]:
    """Asks which template fits, or for lines of known words if none does; `check` judges the lines."""
    variables: dict[str, Value] = {
        "words": " ".join(sorted(situation.words)),
        "templates": "\n".join(f"{name}: {_template_text(said)}" for name, said in situation.offered.items()),
        "situation": situation.situation,
        "problem": situation.problem.expression,
        "student_answer": situation.student_answer,
        "cause_tag": situation.cause_tag,
    }
    ask = await _ask_model("feedback", models, budget, variables, ChosenWords, context={"offered": situation.offered})
    if ask.result is None or ask.record is None:
        return ModelReply(None, ask.record)
    written = _written(ask.result, situation.offered)
    if ask.result.template is None and (broken := check(ask.result.lines)):
        logger.warning("feedback: breaks the rules of %s", ", ".join(broken))
        return ModelReply(None, {**ask.record, "outcome": "tone"})
    return ModelReply(written, {**ask.record, "output": written.model_dump(mode="json")})


def _written(chosen: ChosenWords, offered: Mapping[str, Feedback]) -> WrittenFeedback:
    if chosen.template is None:
        return WrittenFeedback(feedback_lines=chosen.lines)
    said = offered[chosen.template]
    return WrittenFeedback(feedback_lines=said.lines, hint=said.hint, template_id=chosen.template)


def _template_text(said: Feedback) -> str:
    return " / ".join([*said.lines, *([said.hint] if said.hint else [])])


def reply_from_record(record: ModelCallRecord, schema: type[Schema]) -> ModelReply[Schema]:
    """The reply that left `record`, made again without a model."""
    return ModelReply(schema.model_validate(record["output"]) if record["outcome"] == "ok" else None, record)


async def _ask_model(  # noqa: PLR0913 - private, and each of the six is needed by the call
    kind: Literal["diagnosis", "feedback"],
    models: Models,
    budget: Budget,
    variables: Mapping[str, Value],
    schema: type[Schema],
    *,
    context: dict[str, Any] | None = None,
) -> ModelReply[Schema]:
    if not models.available:
        return ModelReply(None, None)
    try:
        reply = await models.ask(kind, variables, schema, budget, context)
    except LlmError as error:  # a call that was not made leaves nothing to record
        outcome = error.call.outcome
        return ModelReply(None, None if outcome == "not_asked" else _record(kind, error.call, outcome, None))
    return ModelReply(reply.value, _record(kind, reply.call, "ok", reply.value.model_dump(mode="json")))


def _record(
    kind: Literal["diagnosis", "feedback"],
    call: Call,
    outcome: Literal["ok", "timeout", "failed", "rejected"],
    output: dict[str, Any] | None,
) -> ModelCallRecord:
    return {
        "kind": kind,
        "model": call.model,
        "input_tokens": call.usage.input_tokens,
        "output_tokens": call.usage.output_tokens,
        "estimated": call.usage.estimated,
        "cost_usd": call.cost_usd,
        "ms": call.ms,
        "outcome": outcome,
        "output": output,
    }
