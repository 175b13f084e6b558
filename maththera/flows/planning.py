"""What a run would do, step by step, without doing any of it."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import UTC, datetime
from typing import Any

from maththera.flows.flow import Flow, FlowStep
from maththera.flows.model import ApproveStep, ForeachStep, GraphStep, LlmStep, ToolStep
from maththera.flows.operations import Evaluation, EvaluationError


@dataclass(frozen=True, slots=True)
class Planned:
    """`what`: `server.tool`, or what else the step does. `values`: its parameters, worked out as far as the inputs go;
    references to other steps stand as they are written. `when`: why it may not run."""

    id: str
    name: str
    kind: str
    what: str
    values: Any
    after: list[str]
    when: str | None
    steps: list["Planned"] = field(default_factory=list)


def plan(flow: Flow, inputs: Mapping[str, Any]) -> list[Planned]:
    """In an order the steps can run in. Inputs that are missing stand as references, too. Raises InputError for those
    that do not fit."""
    evaluation = Evaluation({"inputs": flow.planned(inputs)}, datetime.now(UTC))
    return [_planned(step, evaluation) for step in flow.steps]


def _planned(step: FlowStep, evaluation: Evaluation) -> Planned:
    what, written = _what(step)
    inner = [_planned(each, evaluation) for each in step.steps]
    return Planned(
        step.id, step.title, step.kind, what, _known(step, written, evaluation), sorted(step.needs), _when(step), inner
    )


def _what(step: FlowStep) -> tuple[str, Any]:
    """What is called, and its parameters as they are written."""
    match step.fields:
        case ToolStep(mcp_call=call):
            return f"{call.server}.{call.tool}", call.params
        case GraphStep(graph=name, params=params):
            return name, params
        case LlmStep(prompt=prompt, variables=variables):
            return prompt, variables
        case ForeachStep(items=items):
            return "foreach", items
        case ApproveStep(question=question):
            return "approve", question
    return step.kind, None


def _known(step: FlowStep, written: Any, evaluation: Evaluation) -> Any:
    """Worked out when nothing but the inputs is read."""
    if step.arguments is None or not step.arguments.roots <= set(evaluation.values):
        return written
    try:
        return step.arguments.evaluate(evaluation)
    except EvaluationError:
        return written


def _when(step: FlowStep) -> str | None:
    if step.condition is not None:
        return step.condition.source
    return f"chosen by {', '.join(sorted(step.chosen_by))}" if step.chosen_by else None
