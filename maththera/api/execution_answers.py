"""What the service answers about runs, for the documentation and for tests."""

from typing import Any, Literal

from maththera.api.answers import Answer, SafetyView
from maththera.learners.executions import Status


class Begun(Answer):
    execution_id: str
    status: Literal["running"]
    flow: str
    inputs: dict[str, Any]


class Candidate(Answer):
    flow: str
    description: str
    confidence: float


class Unclear(Answer):
    """Nothing runs; `question` is for the person, `missing` names inputs."""

    execution_id: None
    status: Literal["unclear"]
    question: str | None
    candidates: list[Candidate]
    inputs: dict[str, Any]
    missing: list[str]
    safety: SafetyView | None = None


class Execution(Answer):
    """`waiting`: what a person is asked, step by step. `error`: the step that failed, its tool, why. `safety`: what is
    answered where an answer tells of danger; the run still waits."""

    execution_id: str
    status: Status
    flow: str
    command: str | None
    student_id: str | None
    inputs: dict[str, Any]
    created_at: str
    ended_at: str | None
    completed_steps: list[str]
    error_log: list[str]
    waiting: list[dict[str, Any]]
    result: dict[str, Any] | None
    closing: str | None
    error: dict[str, Any] | None
    safety: SafetyView | None = None


class Executions(Answer):
    executions: list[Execution]
