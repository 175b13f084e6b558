"""The state of a flow's graph: plain JSON that LangGraph's checkpoints keep."""

from collections.abc import Mapping
from typing import Annotated

from typing_extensions import TypedDict

from maththera.flows.runs.step_outcomes import RunError, StepRecord
from maththera.json_types import JsonObject


def merged(one: Mapping[str, StepRecord], other: Mapping[str, StepRecord]) -> dict[str, StepRecord]:
    """Merges records by step. A branch returns all that it was given, so the same record may come twice."""
    return {**one, **other}


def first_error(one: RunError, other: RunError) -> RunError:
    return one or other


class Ended(TypedDict, total=False):
    """The part of its state that a branch returns to its flow. `error`: empty without one."""

    steps: Annotated[dict[str, StepRecord], merged]
    error: Annotated[RunError, first_error]


class FlowState(Ended, total=False):
    """The state of a flow. `steps`: step → its record (`step_outcomes.step_record`). `path`: the place of a called flow
    in its run, "" or `outer/`. The fields from `status` on are written at the end."""

    inputs: JsonObject
    path: str
    execution_id: str
    flow_name: str
    flow_hash: str
    started_at: str
    status: str
    result: JsonObject | None
    outputs: JsonObject
    completed_steps: list[str]
    error_log: list[str]
    current_step: str | None
