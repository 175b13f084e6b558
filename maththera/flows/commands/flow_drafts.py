"""`maththera flow new`: the YAML of a flow from a wish in Korean.

A language model writes it from the tool catalogue and gets the checker's faults until it compiles; without a model the
nearest flow is the template.
"""

import json
import re
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from datetime import date
from typing import Any, Final, Literal

from pydantic import BaseModel, Field

from maththera.flows.checker.flow_checker import load
from maththera.flows.commands.command_entities import read_entities
from maththera.flows.commands.command_matcher import Matcher
from maththera.flows.flow import Flow
from maththera.flows.language.faults import Fault, FlowError
from maththera.llm.model_client import LlmError, Models
from maththera.llm.time_budget import Budget
from maththera.runtime.tool_interface import Catalogue

_ROUNDS: Final = 4
_FENCE: Final = re.compile(r"^```\w*\n(.*?)\n?```\s*$", re.DOTALL)
_NAME: Final = re.compile(r"^(\s*name:\s*).*$", re.MULTILINE)
_DESCRIPTION: Final = re.compile(r"^(  description:\s*).*$", re.MULTILINE)
_VERSION: Final = re.compile(r"^(  version:\s*).*$", re.MULTILINE)
_HEAD: Final = re.compile(r"\A(?:#.*\n)*")  # comments on the template
_EXAMPLES: Final = re.compile(r"^  examples:\n(?:    .*\n)+", re.MULTILINE)
_SCHEMA_LINE: Final = "# yaml-language-server: $schema=flow.schema.json\n"
DRAFT: Final = "<draft>"


class ModelDraft(BaseModel):
    """What a model answers."""

    yaml: str = Field(min_length=1, max_length=12_000)


@dataclass(frozen=True, slots=True)
class Draft:
    """A draft, which compiles when there are no `faults`. `template`: the flow that it was made from, if any."""

    text: str
    source: Literal["model", "template"]
    faults: list[Fault] = field(default_factory=list)
    template: str | None = None


class NoTemplate(LookupError):
    """There is neither a model nor a flow to start from."""


async def draft_flow(
    wish: str, flows: Mapping[str, Flow], catalogue: Catalogue, matcher: Matcher, models: Models | None = None
) -> Draft:
    """The best draft: a model's that compiles, else the nearest flow under a new name. Raises NoTemplate."""
    if models is not None and models.available:
        draft = await _by_model(wish, catalogue, models, Budget(matcher.rules.seconds.draft))
        if draft is not None and not draft.faults:
            return draft
    return _from_template(wish, flows, catalogue, matcher)


async def _by_model(wish: str, catalogue: Catalogue, models: Models, budget: Budget) -> Draft | None:
    """The model's last draft, with its faults if it has some; None when no model answered."""
    tools, draft = _described(catalogue), None
    for _ in range(_ROUNDS):
        before = {"draft": draft.text if draft else None, "faults": _fault_list(draft.faults) if draft else None}
        try:
            reply = await models.ask("draft_flow", {"wish": wish, "tools": tools, **before}, ModelDraft, budget)
        except LlmError:
            return draft
        text = _without_code_fence(reply.value.yaml)
        draft = Draft(text, "model", _faults(text, catalogue))
        if not draft.faults:
            return draft
    return draft


def _without_code_fence(text: str) -> str:
    fenced = _FENCE.match(text.strip())
    body = (fenced[1] if fenced else text).strip() + "\n"
    return body if body.startswith("#") else _SCHEMA_LINE + body


def _faults(text: str, catalogue: Catalogue) -> list[Fault]:
    try:
        load(text, catalogue=catalogue, path=DRAFT)
    except FlowError as error:
        return error.faults
    return []


def _fault_list(faults: Sequence[Fault]) -> str:
    return "\n".join(map(str, faults))


def _described(catalogue: Catalogue) -> str:
    """Every tool in one line: description, parameters, names of the results."""
    return "\n".join(
        f"{server}.{name}: {spec.description} 입력: {_fields(spec.input_schema)} 결과: {_fields(spec.output_schema)}"
        for server, tools in catalogue.items()
        for name, spec in tools.items()
    )


def _fields(schema: Mapping[str, Any]) -> str:
    required = schema.get("required", ())
    shown = {
        name + ("*" if name in required else ""): each.get("type") or "…"
        for name, each in schema.get("properties", {}).items()
    }
    return json.dumps(shown, ensure_ascii=False)


def _from_template(wish: str, flows: Mapping[str, Flow], catalogue: Catalogue, matcher: Matcher) -> Draft:
    ranked = matcher.ranked(read_entities(wish, matcher.rules, matcher.names, date.max))
    nearest = next((target.name for target, _ in ranked if target.name in flows), None) or next(iter(flows), None)
    if nearest is None:
        raise NoTemplate("there is no flow to start from")
    body = _HEAD.sub("", flows[nearest].text)
    name = json.dumps(_own_name(wish, flows), ensure_ascii=False)
    told = json.dumps(" ".join(wish.split()), ensure_ascii=False)
    body = _NAME.sub(lambda found: f"{found[1]}{name}", body, count=1)
    body = _VERSION.sub(lambda found: f'{found[1]}"1.0"', body, count=1)
    # without the template's examples: two flows with the same ones could not be told apart
    body = _DESCRIPTION.sub(lambda found: f"{found[1]}{told}", body, count=1)
    body = _EXAMPLES.sub(lambda _: f"  examples:\n    - {told}\n", body, count=1)
    text = f"{_SCHEMA_LINE}# 바탕: {nearest}. 바라는 일: {told}\n{body}"
    return Draft(text, "template", _faults(text, catalogue), nearest)


def _own_name(wish: str, flows: Mapping[str, Flow]) -> str:
    """The first words of the wish, as a name that no flow has."""
    words = re.findall(r"\w+", wish)[:4]
    stem = "_".join(words)[:40] or "새_흐름"
    name, number = stem, 2
    while name in flows:
        name, number = f"{stem}_{number}", number + 1
    return name
