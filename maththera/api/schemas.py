"""What clients send, validated strictly: a boolean is no integer, a text no number, an unknown member an error."""

from typing import Annotated, Any, Final, Literal

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    PlainValidator,
    TypeAdapter,
    WithJsonSchema,
)

from maththera.arithmetic.answers import parse_answer

VISIBLE = r"^[\x21-\x7e]+$"
LARGEST_NUMBER: Final = 10**12  # the ladder's largest answer has four digits; a slip of the finger has a few more
LONGEST_ANSWER: Final = 64  # characters
LONGEST_RT_MS: Final = 600_000
LARGEST_SEED: Final = 2**53 - 1  # what every JSON reader keeps exactly

RequestId = Annotated[str, Field(min_length=1, max_length=64, pattern=VISIBLE, description="Chosen by the client.")]
TaskId = Annotated[str, Field(min_length=1, max_length=128, pattern=VISIBLE)]
StudentId = Annotated[
    str,
    Field(
        min_length=1,
        max_length=64,
        pattern=r"^[A-Za-z0-9가-힣._@-]+$",
        description="Letters (Korean ones composed, so that a name has one spelling), digits, and - _ . @",
    ),
]
Milliseconds = Annotated[int, Field(ge=0, le=LONGEST_RT_MS)]
Count = Annotated[int, Field(ge=0, le=10_000)]


def _number_meant(value: Any) -> int:
    known = isinstance(value, int | str) and not isinstance(value, bool) and len(str(value)) <= LONGEST_ANSWER
    number = parse_answer(value) if known else None
    if number is None or abs(number) > LARGEST_NUMBER:
        raise ValueError(f"must be an integer up to {LARGEST_NUMBER:,}, or a short text that says one")
    return number


AnswerValue = Annotated[
    int,
    PlainValidator(_number_meant),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": -LARGEST_NUMBER, "maximum": LARGEST_NUMBER},
                {"type": "string", "minLength": 1, "maxLength": LONGEST_ANSWER},
            ],
            "description": 'A number, or a text that says one ("188 이요", "백팔십팔").',
        }
    ),
]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class NewSessionBody(Strict):
    """`POST /api/v1/sessions`."""

    student_id: StudentId
    c_position: Annotated[int, Field(ge=1, le=15)] | None = Field(
        None, description="Where to start on the ladder. Default: where the learner stands."
    )
    w_position: Annotated[float, Field(ge=0, le=9.5, allow_inf_nan=False)] | None = Field(
        None, description="Working-memory load to start with; clamped to what the bank has at that C."
    )
    problem_count: Annotated[int, Field(ge=1)] | None = Field(
        None, description="Default and maximum: those of `configs/tutoring.yaml`."
    )
    first_problem: Annotated[str, Field(min_length=1, max_length=32)] | None = Field(
        None, description='Such as "98+90"; any problem of the ladder. Teachers and admins only.'
    )
    seed: Annotated[int, Field(ge=0, le=LARGEST_SEED)] | None = Field(
        None, description="The same seed and the same answers give the same session."
    )


class Telemetry(Strict):
    """What the client saw while the child was thinking; behaviour tags are derived from it."""

    first_input_ms: Milliseconds | None = None
    edits: Count | None = None
    focus_losses: Count | None = None


class _Event(Strict):
    request_id: RequestId


class AnswerSubmitted(_Event):
    type: Literal["answer_submitted"]
    task_id: TaskId
    answer: AnswerValue
    rt_ms: Milliseconds = Field(description="From the task's appearing to the answer.")
    behavior_tags: list[Annotated[str, Field(min_length=1, max_length=64)]] = Field(
        default_factory=list, max_length=20, description="OBS_* tags seen by an adult."
    )
    telemetry: Telemetry | None = None


class TimedOut(_Event):
    type: Literal["timeout"]
    task_id: TaskId


def _plain(value: Any) -> Any:
    if isinstance(value, str) and len(value) <= LONGEST_ANSWER:
        return value
    if value is None or (isinstance(value, int | float) and abs(value) <= LARGEST_NUMBER):  # also refuses NaN
        return value
    raise ValueError("must be a number, a short text, true, false or null")


Results = Annotated[
    dict[
        Annotated[str, Field(max_length=32)],
        Annotated[Any, PlainValidator(_plain), WithJsonSchema({"type": ["number", "string", "boolean", "null"]})],
    ],
    Field(max_length=50, description="What the widget counted, by name: plain numbers and words."),
]


class TrainingDone(_Event):
    type: Literal["training_done"]
    task_id: TaskId | None = None
    training_id: Annotated[str, Field(pattern=r"^T(0[1-9]|[1-3][0-9]|40)$")]
    results: Results = Field(default_factory=dict)


class Stop(_Event):
    type: Literal["stop"]


Event = AnswerSubmitted | TimedOut | TrainingDone | Stop
EVENT_TYPES: Final = ("answer_submitted", "timeout", "training_done", "stop")

student_id: Final = TypeAdapter[str](StudentId)
new_session: Final = TypeAdapter[NewSessionBody](NewSessionBody)
event: Final = TypeAdapter[Event](Annotated[Event, Field(discriminator="type")])
