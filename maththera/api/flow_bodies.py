"""What clients send about flows and runs."""

from typing import Annotated, Any, Final

from pydantic import Field, TypeAdapter

from maththera.api.schemas import StudentId
from maththera.executions.commands import Context
from maththera.tutoring.events import Strict

LONGEST_COMMAND: Final = 2_000  # characters
LONGEST_FLOW: Final = 60_000
LARGEST_FLOW: Final = 6 * LONGEST_FLOW + 1024
"""Bytes of a body with a flow: JSON may write a character in six, and a Korean one has three."""


class ExecuteBody(Strict):
    """`POST /api/v1/execute`."""

    command: Annotated[str, Field(max_length=LONGEST_COMMAND, description="What is wanted, in Korean.")] = ""
    student_id: StudentId | None = Field(None, description="Whom it is about, where the command does not say.")
    context: Context = Field(default_factory=Context)


class ResumeBody(Strict):
    """`POST /api/v1/executions/{id}/resume`. Where several steps ask: step → answer."""

    answer: Any = Field(description="What fits the question's form.")


class FlowText(Strict):
    text: Annotated[str, Field(max_length=LONGEST_FLOW)]


class SaveBody(FlowText):
    """`hash`: of the text that was edited, as `GET` gave it; null for a new flow."""

    hash: Annotated[str, Field(pattern=r"^[0-9a-f]{64}$")] | None = None


class RunBody(Strict):
    inputs: dict[str, Any] = Field(default_factory=dict)


ALL: Final = (ExecuteBody, ResumeBody, FlowText, SaveBody, RunBody)

execute: Final = TypeAdapter[ExecuteBody](ExecuteBody)
resume: Final = TypeAdapter[ResumeBody](ResumeBody)
flow_text: Final = TypeAdapter[FlowText](FlowText)
save: Final = TypeAdapter[SaveBody](SaveBody)
run: Final = TypeAdapter[RunBody](RunBody)
