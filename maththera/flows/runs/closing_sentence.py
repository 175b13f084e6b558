"""The Korean sentence at the end of a run, made from its outputs: by the flow's own template, else by a template of the
outputs, else by a language model."""

import json
import re
from collections.abc import Iterator, Mapping
from functools import lru_cache
from pathlib import Path
from typing import Annotated, Any, Final

from pydantic import BaseModel, Field

from maththera.config_files import ConfigModel, Text
from maththera.flows.flow import Flow
from maththera.flows.runs.flow_runner import RunOutcome
from maththera.llm.model_client import LlmError, Models
from maththera.llm.structured_output import Line
from maththera.llm.time_budget import Budget
from maththera.settings import home
from maththera.words.output_gate.sentence_checks import TextRequirements
from maththera.words.output_gate.text_gate import load_gate

_HOLE: Final = re.compile(r"\{(\w+)\}")
_NUMBER: Final = re.compile(r"\d+")
_MOST_NAMES: Final = 3


class Sentence(ConfigModel):
    """A template: `say` with the names of outputs in braces (a list is shown as its length); `when`: an output that
    must not be empty, or with `not` must be."""

    say: Text
    when: str | None = None


class ClosingTexts(ConfigModel):
    """`seconds`: time limit of the model. `flows`: sentences by flow name, joined. `outputs`: sentences of any other
    flow, by the name of an output."""

    seconds: Annotated[float, Field(gt=0, le=600)]
    flows: dict[str, list[Sentence]]
    outputs: dict[str, Text]
    completed: Text
    failed: Text
    waiting: Text


class ModelSentence(BaseModel):
    """What a model answers."""

    sentence: Line = Field(min_length=1, max_length=200)


async def closing_sentence(
    flow: Flow, outcome: RunOutcome, models: Models | None, texts: ClosingTexts | None = None
) -> str:
    """The sentence; there always is one. A model is asked where the templates are silent. Its answer may hold only
    numbers of the outputs and words fit for children, who can watch a run too."""
    texts = texts or load_closings(home())
    told = _by_template(flow, outcome, texts)
    if told is None and outcome.result and models is not None and models.available:
        told = await _by_model(flow, outcome.result, models, Budget(texts.seconds))
    return told or texts.completed.format(flow=_shown(flow.name))


@lru_cache(maxsize=4)
def load_closings(folder: Path) -> ClosingTexts:
    """`configs/flows/closings.yaml`; ConfigError names every field that does not fit."""
    return ClosingTexts.from_file(folder / "configs" / "flows" / "closings.yaml")


def _by_template(flow: Flow, outcome: RunOutcome, texts: ClosingTexts) -> str | None:
    name = _shown(flow.name)
    if outcome.status == "failed":
        step = outcome.error["step"] if outcome.error else ""
        title = next((each.title for each in flow.steps if each.id == step), step)
        return texts.failed.format(flow=name, step=title)
    if outcome.status == "waiting":
        question = next((str(each["question"]) for each in outcome.waiting.values()), "")
        return texts.waiting.format(flow=name, question=question.partition("\n")[0])
    result = outcome.result or {}
    own = " ".join(_sentences(texts.flows.get(flow.name, []), result))
    if own:
        return own
    parts = [text.format(n=_size(result[name])) for name, text in texts.outputs.items() if _size(result.get(name))]
    return f"{texts.completed.format(flow=name)} {' '.join(parts)}" if parts else None


def _sentences(sentences: list[Sentence], result: Mapping[str, Any]) -> Iterator[str]:
    for each in sentences:
        holes = _HOLE.findall(each.say)
        if each.when is not None and not _has_value(result, each.when):
            continue
        if all(result.get(name) is not None for name in holes):
            yield _HOLE.sub(lambda found: _value(result[found[1]]), each.say)


def _has_value(result: Mapping[str, Any], when: str) -> bool:
    name = when.removeprefix("not ")
    return name in result and bool(result[name]) is (name == when)


def _value(value: Any) -> str:
    return str(len(value)) if isinstance(value, list | dict) else str(value)


def _size(value: Any) -> int | str | None:
    """The values of an output for a template; empty where the output is empty."""
    if isinstance(value, bool):
        return None
    if isinstance(value, list | dict):
        return len(value) or None
    return value or None if isinstance(value, int | str) else None


def _shown(name: str) -> str:
    return name.replace("_", " ")


async def _by_model(flow: Flow, result: Mapping[str, Any], models: Models, budget: Budget) -> str | None:
    held = json.dumps(_short(result), ensure_ascii=False)
    variables = {"flow": _shown(flow.name), "description": flow.description, "outputs": held}
    try:
        sentence = (await models.ask("closing", variables, ModelSentence, budget)).value.sentence
    except LlmError:
        return None
    known = {*_NUMBER.findall(held), *(str(len(each)) for each in result.values() if isinstance(each, list | dict))}
    invented = set(_NUMBER.findall(sentence)) - known
    gate = load_gate(home())
    about = TextRequirements(gate.longest("closing"), speech="polite")
    return None if invented or gate.check(sentence, "child", about) else sentence


def _short(value: Any) -> Any:
    """The outputs with only the first elements of each list, so that a model does not get children's data in bulk."""
    if isinstance(value, Mapping):
        return {name: _short(each) for name, each in value.items() if not str(name).endswith("_url")}
    if isinstance(value, list):
        return [_short(each) for each in value[:_MOST_NAMES]]
    return value
