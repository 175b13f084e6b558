"""The plan of a run: its steps and calls, without calling anything."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import UTC, datetime
from typing import Any

from maththera.flows.flow import Flow, FlowStep
from maththera.flows.language.expression_evaluation import Evaluation, EvaluationError
from maththera.flows.language.flow_schema import ApproveStep, ForeachStep, GraphStep, LlmStep, ToolStep


@dataclass(frozen=True, slots=True)
class PlannedStep:
    """A step of the plan. `what`: `server.tool`, or another action. `values`: its parameters, computed as far as the
    inputs allow; references to other steps stay references. `after`: steps that it waits for. `when`: why it may not
    run. `steps`: its inner ones."""

    id: str
    name: str
    kind: str
    what: str
    values: Any
    after: list[str]
    when: str | None
    steps: list["PlannedStep"]


def plan(flow: Flow, inputs: Mapping[str, Any]) -> list[PlannedStep]:
    """The steps in an order in which they can run. Missing inputs stay references. Raises InputError for inputs that do
    not fit."""
    evaluation = Evaluation({"inputs": flow.planned(inputs)}, datetime.now(UTC))
    return [_planned(step, evaluation) for step in flow.steps]


def _planned(step: FlowStep, evaluation: Evaluation) -> PlannedStep:
    what, written = _planned_call(step)
    inner = [_planned(each, evaluation) for each in step.steps]
    return PlannedStep(
        step.id,
        step.title,
        step.kind,
        what,
        _known(step, written, evaluation),
        sorted(step.needs),
        _condition_text(step),
        inner,
    )


def _planned_call(step: FlowStep) -> tuple[str, Any]:
    """What the step calls, and its parameters as written."""
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
    """The value where it reads only inputs, otherwise the text as written."""
    if step.arguments is None or not step.arguments.roots <= set(evaluation.values):
        return written
    try:
        return step.arguments.evaluate(evaluation)
    except EvaluationError:
        return written


def _condition_text(step: FlowStep) -> str | None:
    if step.condition is not None:
        return step.condition.source
    return f"chosen by {', '.join(sorted(step.chosen_by))}" if step.chosen_by else None
