"""`choose`: what a command means, by a language model where one is configured, else by rules alone.

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
from functools import lru_cache
from pathlib import Path
from typing import Any, Final, Literal

from pydantic import BaseModel, Field

from maththera.flows.commands import CommandRules, Names, load_names, load_rules
from maththera.flows.filling import Filled, fill
from maththera.flows.flow import Flow
from maththera.flows.matching import Call, Choice, Matcher
from maththera.flows.moods import mood
from maththera.flows.parameters import Found, read
from maththera.flows.schemas import Typed, mistakes
from maththera.flows.targets import Target
from maththera.llm.budget import Budget
from maththera.llm.models import LlmError, Models
from maththera.llm.structured import Line
from maththera.runtime.tools import Catalogue
from maththera.settings import home

logger = logging.getLogger(__name__)

_WEEKDAYS: Final = "월화수목금토일"
_MOST_CALLS: Final = 3


class PlannedCall(BaseModel):
    server: str
    tool: str
    arguments: dict[str, Any] = {}


class Plan(BaseModel):
    """A model's proposal."""

    intent: Literal["flow", "tools", "ask"]
    flow_name: str | None = None
    parameters: dict[str, Any] = {}
    tool_calls: list[PlannedCall] = Field([], max_length=_MOST_CALLS)
    confidence: float = Field(ge=0, le=1)
    reasoning: Line = Field("", max_length=400)


async def choose(  # noqa: PLR0913 - the four things a command is held against, and what is known beside it
    command: str,
    flows: Iterable[Flow],
    catalogue: Catalogue,
    today: date,
    models: Models | None = None,
    *,
    given: Mapping[str, Any] | None = None,
    rules: CommandRules | None = None,
    names: Names | None = None,
) -> Choice:
    """`flows`: one version of each, such as `Catalog.latest().values()`. `given`: values that are known already, by
    parameter name, such as the student on the screen. `names`: schools and students by name."""
    rules = rules or _rules(home())
    names = names or _names(home())
    matcher = await asyncio.to_thread(Matcher, list(flows), catalogue, rules, names)
    return await understand(command, matcher, today, models, given)


async def understand(
    command: str, matcher: Matcher, today: date, models: Models | None, given: Mapping[str, Any] | None = None
) -> Choice:
    """`choose` with a matcher that is kept from command to command."""
    known = dict(given or {})
    by_rules = await asyncio.to_thread(matcher.choose, command, today, known)
    if models is None or not models.available or matcher.refused(command):
        return by_rules
    found = read(command, matcher.rules, matcher.names, today)
    try:
        plan = await _asked(found, matcher, today, known, models)
    except LlmError as error:
        logger.warning("the command is read by rules alone: %s", error)
        return by_rules
    return _decided(plan, found, matcher, by_rules, known, today)


async def _asked(found: Found, matcher: Matcher, today: date, given: Mapping[str, Any], models: Models) -> Plan:
    variables = {
        "command": found.command,
        "flows": _listed(target for target in matcher.targets if target.kind == "flow"),
        "tools": _listed(target for target in matcher.targets if target.kind == "tool"),
        "known": json.dumps({**given, **_told(found)}, ensure_ascii=False, default=str),
        "today": f"{today.isoformat()} ({_WEEKDAYS[today.weekday()]})",
    }
    return (await models.ask("plan", variables, Plan, Budget(matcher.rules.seconds.plan))).value


def _listed(targets: Iterable[Target]) -> str:
    return "\n".join(
        f"{target.server + '.' if target.server else ''}{target.name}: {target.description} "
        f"({', '.join(target.schema.get('properties', {}))})"
        for target in targets
    )


def _told(found: Found) -> dict[str, Any]:
    period = [found.period.start.isoformat(), found.period.end.isoformat()] if found.period else None
    told = {"students": found.students, "period": period, "days": found.length, "concepts": found.concepts,
            "schools": found.schools, **found.one}  # fmt: skip
    return {name: value for name, value in told.items() if value}


def _decided(  # noqa: PLR0913
    plan: Plan,
    found: Found,
    matcher: Matcher,
    by_rules: Choice,
    given: Mapping[str, Any],
    today: date,
) -> Choice:
    """The plan, as far as it can be trusted; what it cannot be trusted with is asked back."""
    rules, targets = matcher.rules, _targets(plan, matcher)
    unasked = mood(found.command) == "asks" and not all(target.reads for target, _ in targets)
    if plan.intent == "ask" or not targets or plan.confidence < rules.limits.model or unasked:
        return Choice(
            "ask", None, {}, plan.confidence, by_rules.candidates, question=by_rules.question or _ASK, source="model"
        )
    filled = [_filled(target, values, found, given, today, rules) for target, values in targets]
    target = targets[0][0]
    if len(targets) == 1 or any(each.missing for each in filled):
        first = next((place for place, each in enumerate(filled) if each.missing), 0)
        wanted = filled[first] if len(targets) == 1 else replace(filled[first], unused=())  # another call may use it
        choice = matcher.decided(targets[first][0], wanted, plan.confidence, by_rules.candidates)
        return _by_model(choice)
    calls = tuple(Call(one.server, one.name, each.values) for (one, _), each in zip(targets, filled, strict=True))
    return Choice("tools", target.name, filled[0].values, plan.confidence, by_rules.candidates, calls, source="model")


_ASK: Final = "어떤 일을 할까요? 조금 더 자세히 알려 주세요."


def _by_model(choice: Choice) -> Choice:
    return replace(choice, source="model")


def _targets(plan: Plan, matcher: Matcher) -> list[tuple[Target, Mapping[str, Any]]]:
    """What the plan names, if all of it exists."""
    known = {(target.server, target.name): target for target in matcher.targets}
    if plan.intent == "flow":
        wanted = [(("", plan.flow_name or ""), plan.parameters)]
    else:
        wanted = [((call.server, call.tool), call.arguments) for call in plan.tool_calls]
    if any(name not in known for name, _ in wanted):
        return []
    return [(known[name], values) for name, values in wanted]


def _filled(  # noqa: PLR0913
    target: Target,
    proposed: Mapping[str, Any],
    found: Found,
    given: Mapping[str, Any],
    today: date,
    rules: CommandRules,
) -> Filled:
    """What rules read, and of the model's values those that fit and stand in the command."""
    filled = fill(target.schema, found, rules, today, given)
    properties = Typed.of(target.schema).properties()
    for name, value in proposed.items():
        if name in filled.values or name not in properties or value is None:
            continue
        if found.period is not None and rules.role(name) in _PERIOD:
            continue  # beside the dates that were read, others would tell another period
        several = rules.role(name) == "student" and len(found.students) > 1
        if not several and not any(mistakes(value, properties[name])) and _grounded(value, name, found, rules):
            filled.values[name] = value
            filled.missing.pop(name, None)
    return filled


_PERIOD: Final = frozenset(["period_days", "start", "end"])
_NAMED: Final = frozenset(["student", "students", "school", "problem_id", "report_id"])


def _grounded(value: Any, name: str, found: Found, rules: CommandRules) -> bool:
    """Ids are never a model's own: they stand in the command, or they do not count."""
    if rules.role(name) not in _NAMED:
        return True
    texts = value if isinstance(value, list) else [value]
    return all(str(text) and str(text) in found.command for text in texts)


@lru_cache(maxsize=4)
def _rules(folder: Path) -> CommandRules:
    return load_rules(folder)


@lru_cache(maxsize=4)
def _names(folder: Path) -> Names:
    return load_names(folder, _rules(folder))
