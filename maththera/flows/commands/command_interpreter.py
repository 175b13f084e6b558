"""`interpret`: what a command means, by a language model where one is configured, else by rules alone.

A model only proposes. Its flow or tools must exist, its values must fit their schemas, every name in them must stand in
the command or be known already, and what rules read better (students, dates, counts) is theirs. What the rules refuse
stays refused.
"""

import asyncio
import json
import logging
from collections.abc import Iterable, Mapping
from dataclasses import replace
from datetime import date
from typing import Any, Final, Literal

from pydantic import BaseModel, Field

from maththera.flows.commands.command_entities import CommandEntities, read_entities
from maththera.flows.commands.command_matcher import Call, Choice, Matcher
from maththera.flows.commands.command_rules import CommandRules
from maththera.flows.commands.command_targets import Target
from maththera.flows.commands.slot_filling import FilledSlots, ReadCommand, fill_slots
from maththera.flows.commands.speech_acts import speech_act
from maththera.flows.language.schema_types import SchemaType
from maththera.flows.language.value_checks import value_mistakes
from maththera.json_types import JsonObject
from maththera.llm.model_client import LlmError, Models
from maththera.llm.structured_output import Line
from maththera.llm.time_budget import Budget

logger = logging.getLogger(__name__)

_WEEKDAYS: Final = "월화수목금토일"
_MOST_CALLS: Final = 3


class Plan(BaseModel):
    """A model's proposal."""

    intent: Literal["flow", "tools", "ask"]
    flow_name: str | None = None
    parameters: JsonObject = {}
    tool_calls: list[Call] = Field([], max_length=_MOST_CALLS)
    confidence: float = Field(ge=0, le=1)
    reasoning: Line = Field("", max_length=400)


async def interpret(
    command: str, matcher: Matcher, today: date, models: Models | None, given: Mapping[str, Any] | None = None
) -> Choice:
    """The flow or the tools that a command asks for: by the matcher's rules, or by a model where one is configured."""
    known = dict(given or {})
    by_rules = await asyncio.to_thread(matcher.choose, command, today, known)
    if models is None or not models.available or matcher.refusal_question(command):
        return by_rules
    read = ReadCommand(read_entities(command, matcher.rules, matcher.names, today), matcher.rules, today, known)
    try:
        plan = await _model_plan(read, matcher, models)
    except LlmError as error:
        logger.warning("the command is read by rules alone: %s", error)
        return by_rules
    return _checked_plan(plan, read, matcher, by_rules)


async def _model_plan(read: ReadCommand, matcher: Matcher, models: Models) -> Plan:
    found, today = read.found, read.today
    variables = {
        "command": found.command,
        "flows": _target_list(target for target in matcher.targets if target.kind == "flow"),
        "tools": _target_list(target for target in matcher.targets if target.kind == "tool"),
        "known": json.dumps({**read.given, **_entities_json(found)}, ensure_ascii=False, default=str),
        "today": f"{today.isoformat()} ({_WEEKDAYS[today.weekday()]})",
    }
    return (await models.ask("plan", variables, Plan, Budget(matcher.rules.seconds.plan))).value


def _target_list(targets: Iterable[Target]) -> str:
    return "\n".join(
        f"{target.server + '.' if target.server else ''}{target.name}: {target.description} "
        f"({', '.join(target.schema.get('properties', {}))})"
        for target in targets
    )


def _entities_json(found: CommandEntities) -> JsonObject:
    period = [found.period.start.isoformat(), found.period.end.isoformat()] if found.period else None
    told = {"students": found.students, "period": period, "days": found.length, "concepts": found.concepts,
            "schools": found.schools, **found.one}  # fmt: skip
    return {name: value for name, value in told.items() if value}


def _checked_plan(plan: Plan, read: ReadCommand, matcher: Matcher, by_rules: Choice) -> Choice:
    """The checked plan of a model; what does not hold is asked back."""
    targets = _targets(plan, matcher)
    unasked = speech_act(read.found.command) == "asks" and not all(target.reads for target, _ in targets)
    if plan.intent == "ask" or not targets or plan.confidence < read.rules.limits.model or unasked:
        return Choice(
            "ask", None, {}, plan.confidence, by_rules.candidates, question=by_rules.question or _ASK, source="model"
        )
    filled = [_filled(target, values, read) for target, values in targets]
    target = targets[0][0]
    if len(targets) == 1 or any(each.missing for each in filled):
        first = next((place for place, each in enumerate(filled) if each.missing), 0)
        wanted = filled[first] if len(targets) == 1 else replace(filled[first], unused=())  # another call may use it
        choice = matcher.decided(targets[first][0], wanted, plan.confidence, by_rules.candidates)
        return replace(choice, source="model")
    calls = tuple(Call(one.server, one.name, each.values) for (one, _), each in zip(targets, filled, strict=True))
    return Choice("tools", target.name, filled[0].values, plan.confidence, by_rules.candidates, calls, source="model")


_ASK: Final = "어떤 일을 할까요? 조금 더 자세히 알려 주세요."


def _targets(plan: Plan, matcher: Matcher) -> list[tuple[Target, Mapping[str, Any]]]:
    """The targets that the plan names, if all of them exist."""
    known = {(target.server, target.name): target for target in matcher.targets}
    if plan.intent == "flow":
        wanted = [(("", plan.flow_name or ""), plan.parameters)]
    else:
        wanted = [((call.server, call.tool), call.arguments) for call in plan.tool_calls]
    if any(name not in known for name, _ in wanted):
        return []
    return [(known[name], values) for name, values in wanted]


def _filled(target: Target, proposed: Mapping[str, Any], read: ReadCommand) -> FilledSlots:
    """The entities read by rules, and the model's values that fit the schema and stand in the command."""
    found, rules = read.found, read.rules
    filled = fill_slots(target.schema, read)
    properties = SchemaType.of(target.schema).properties()
    for name, value in proposed.items():
        if name in filled.values or name not in properties or value is None:
            continue
        if found.period is not None and rules.role(name) in _PERIOD:
            continue  # the dates were read by rules; others would mean another period
        several = rules.role(name) == "student" and len(found.students) > 1
        if not several and not any(value_mistakes(value, properties[name])) and _grounded(value, name, found, rules):
            filled.values[name] = value
            filled.missing.pop(name, None)
    return filled


_PERIOD: Final = frozenset(["period_days", "start", "end"])
_NAMED: Final = frozenset(["student", "students", "school", "problem_id", "report_id"])


def _grounded(value: Any, name: str, found: CommandEntities, rules: CommandRules) -> bool:
    """Whether a value stands in the command. An id that does not is never accepted from a model."""
    if rules.role(name) not in _NAMED:
        return True
    texts = value if isinstance(value, list) else [value]
    return all(str(text) and str(text) in found.command for text in texts)
