"""The shape of a flow file. Unknown fields are refused; the JSON Schema for editors is made from these models."""

from collections.abc import Mapping
from typing import Annotated, Any, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Discriminator, Field, Tag, field_validator, model_validator

from maththera.flows.language import messages
from maththera.flows.language.messages import Message
from maththera.json_types import JsonSchema

Json: TypeAlias = Any
InputType = Literal["string", "int", "number", "bool", "list", "object"]

IDENTIFIER = r"^[^\W\d]\w*$"
Id = Annotated[str, Field(pattern=IDENTIFIER, max_length=80)]
Seconds = Annotated[float, Field(gt=0, le=86_400)]


class Refused(ValueError):
    """What a field's own check says."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.english)
        self.message = message


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True)


class Input(_Strict):
    """What a run is given. With neither `required` nor `default`, it is required."""

    name: Id
    type: InputType
    required: bool | None = None
    default: Json = None
    description: str | None = None

    @property
    def needed(self) -> bool:
        return self.required if self.required is not None else "default" not in self.model_fields_set


class McpCall(_Strict):
    """A tool of a server, with its parameters; texts that begin with $ are references."""

    server: str
    tool: str
    params: dict[str, Json] = {}


class Retry(_Strict):
    """`attempts` counts the first one; `backoff` (seconds) doubles up to `max_delay`."""

    attempts: int = Field(3, ge=1, le=20)
    backoff: float = Field(2, ge=0, le=3_600)
    max_delay: float = Field(10, ge=0, le=3_600)


class OnError(_Strict):
    """What follows when a step has failed for good. Also written `on_error: continue` and `on_error: {goto: step}`."""

    action: Literal["fallback", "continue", "fail", "goto"]
    fallback_value: Json = None
    goto: str | None = None

    @model_validator(mode="before")
    @classmethod
    def _short(cls, value: Any) -> Any:
        if isinstance(value, str):
            return {"action": value}
        if isinstance(value, dict) and "action" not in value:
            if "goto" in value:
                return {"action": "goto", **value}
            if "fallback_value" in value:
                return {"action": "fallback", **value}
        return value

    @model_validator(mode="after")
    def _complete(self) -> "OnError":
        if self.action == "fallback" and "fallback_value" not in self.model_fields_set:
            raise Refused(messages.NEEDS_FALLBACK())
        if self.action != "fallback" and "fallback_value" in self.model_fields_set:
            raise Refused(messages.NO_FALLBACK(action=self.action))
        if (self.action == "goto") != (self.goto is not None):
            raise Refused(messages.NEEDS_GOTO())
        return self


class Way(_Strict):
    """One way of a route; without `when`, it is taken when none before it was."""

    when: str | None = None
    to: str


class StepFields(_Strict):
    """What every step may have."""

    id: Id
    name: str | None = Field(None, description="For people")
    output: Id | None = Field(None, description="What others call its result; by default {id}_result")
    condition: str | bool | None = Field(None, description="An expression; when false, the step is skipped")
    depends_on: list[str] = Field([], description="Step or steps to wait for, beyond those it refers to")
    on_error: OnError | None = None
    retry: Retry | None = None
    timeout: Seconds | None = Field(None, description="Seconds of one attempt")
    cache: Annotated[int, Field(gt=0, le=31_536_000)] | None = Field(None, description="Seconds a result is kept")
    idempotent: bool | None = Field(None, description="May be run again when it is not known whether it ran")
    route: list[Way] = Field([], description="Where to go on; steps named in a route run only when they are chosen")

    @field_validator("depends_on", mode="before")
    @classmethod
    def _one_or_more(cls, value: Any) -> Any:
        return [value] if isinstance(value, str) else value

    @property
    def result(self) -> str:
        return self.output or f"{self.id}_result"


class ToolStep(StepFields):
    mcp_call: McpCall


class PythonStep(StepFields):
    action: Literal["python"]
    code: str


class ForeachStep(StepFields):
    action: Literal["foreach"]
    items: str | list[Json]
    steps: list["Step"] = Field(min_length=1)
    max_concurrency: int = Field(10, ge=1, le=1_000)
    on_item_error: Literal["fail", "continue", "skip"] = Field(
        "fail", description="continue: null stands in the place of the failed item; skip: it is left out"
    )


class ParallelStep(StepFields):
    action: Literal["parallel"]
    tasks: list["Step"] = Field(min_length=1)


class GraphStep(StepFields):
    action: Literal["graph"]
    graph: str = Field(description="A built-in graph or another flow")
    params: dict[str, Json] = {}


class ApproveStep(StepFields):
    action: Literal["approve"]
    question: str
    form: dict[str, Json] = Field(
        default_factory=lambda: {
            "type": "object",
            "properties": {"approved": {"type": "boolean"}},
            "required": ["approved"],
        },
        description="JSON Schema of the answer",
    )
    timeout: Annotated[float, Field(gt=0, le=31_536_000)] | None = Field(None, description="Seconds to wait")


class LlmStep(StepFields):
    action: Literal["llm"]
    prompt: str = Field(description="Name of a file in prompts/")
    variables: dict[str, Json] = {}
    output_schema: dict[str, Json] = Field(alias="schema", description="JSON Schema of the answer")


class RouteStep(StepFields):
    """Only chooses where to go on."""

    action: Literal["route"]


STEP_MODELS: Final[Mapping[str, type[StepFields]]] = {
    "mcp_call": ToolStep,
    "python": PythonStep,
    "foreach": ForeachStep,
    "parallel": ParallelStep,
    "graph": GraphStep,
    "approve": ApproveStep,
    "llm": LlmStep,
    "route": RouteStep,
}
"""By kind of step."""
ACTIONS: Final = tuple(kind for kind in STEP_MODELS if kind != "mcp_call")


def kind_of_step(data: Any) -> str:
    """The tag of the model that a step's data is read with."""
    if isinstance(data, StepFields):
        return str(getattr(data, "action", "mcp_call"))
    if isinstance(data, dict):
        if "mcp_call" in data or "action" not in data:
            return "mcp_call"
        if data["action"] in ACTIONS:
            return str(data["action"])
    return "mcp_call"


Step: TypeAlias = Annotated[
    Annotated[ToolStep, Tag("mcp_call")]
    | Annotated[PythonStep, Tag("python")]
    | Annotated[ForeachStep, Tag("foreach")]
    | Annotated[ParallelStep, Tag("parallel")]
    | Annotated[GraphStep, Tag("graph")]
    | Annotated[ApproveStep, Tag("approve")]
    | Annotated[LlmStep, Tag("llm")]
    | Annotated[RouteStep, Tag("route")],
    Discriminator(kind_of_step),
]


class Variant(_Strict):
    """A share of the students gets another version of this flow."""

    version: str
    weight: float = Field(gt=0)


class FlowModel(_Strict):
    name: str = Field(min_length=1, max_length=120)
    description: str = Field("", description="What it does; the natural-language layer reads it")
    version: str = Field("1.0", pattern=r"^\d+(\.\d+){0,3}$")
    examples: list[str] = Field([], description="Sentences that mean this flow")
    inputs: list[Input] = []
    steps: list[Step] = Field(min_length=1)
    outputs: dict[str, Json] = {}
    schedule: str | None = Field(None, description="cron: minute hour day month weekday")
    overlap: Literal["skip", "allow"] = Field("skip", description="What is due while the last run has not ended")
    variants: list[Variant] = []

    @field_validator("examples", mode="before")
    @classmethod
    def _listed(cls, value: Any) -> Any:
        return [] if value is None else value


class FlowFile(_Strict):
    """A file in flows/."""

    flow: FlowModel


def editor_schema() -> JsonSchema:
    """For `# yaml-language-server: $schema=flow.schema.json`."""
    schema = FlowFile.model_json_schema(by_alias=True)
    definitions = schema["$defs"]
    definitions["OnError"] = {
        "anyOf": [{"enum": ["continue", "fail"]}, {**definitions["OnError"], "required": []}],
    }
    number = {"type": ["string", "number"]}
    for definition in definitions.values():
        if waits := definition.get("properties", {}).get("depends_on"):
            several = {name: waits.pop(name) for name in ("items", "type")}
            waits["anyOf"] = [{"type": "string"}, several]
    definitions["FlowModel"]["properties"]["version"] = number
    definitions["Variant"]["properties"]["version"] = number
    return {"$schema": "https://json-schema.org/draft/2020-12/schema", "title": "Maththera flow", **schema}
