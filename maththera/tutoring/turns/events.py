"""The events of a session, parsed strictly: a boolean is not an integer, an unknown field is an error."""

import logging
from collections.abc import Mapping, Set
from typing import Annotated, Any, Final, Literal, cast

from pydantic import (
    BaseModel,
    ConfigDict,
    Discriminator,
    Field,
    PlainValidator,
    Tag,
    TypeAdapter,
    ValidationError,
    WithJsonSchema,
)

from maththera.arithmetic.answer_parser import parse_answer
from maththera.tutoring.state import Event

logger = logging.getLogger(__name__)

VISIBLE = r"^[\x21-\x7e]+$"
LARGEST_NUMBER: Final = 10**12  # the ladder's largest answer has four digits; a slip of the finger has a few more
LONGEST_ANSWER: Final = 64  # characters
LONGEST_WORDS: Final = 2_000  # characters of a text sent as an answer: a child may write something else

RequestId = Annotated[str, Field(min_length=1, max_length=64, pattern=VISIBLE, description="Chosen by the client.")]
TaskId = Annotated[str, Field(min_length=1, max_length=128, pattern=VISIBLE)]
Milliseconds = Annotated[int, Field(ge=0, le=LARGEST_NUMBER)]
Count = Annotated[int, Field(ge=0, le=10_000)]


def _answer_value(value: Any) -> int | str:
    """A number, or the child's text unchanged, because words beside a number may tell of danger."""
    words = isinstance(value, str) and len(value) <= LONGEST_WORDS
    number = (parse_answer(value) if len(value) <= LONGEST_ANSWER else None) if words else value
    if words and number is None:
        return str(value)
    if not isinstance(number, int) or isinstance(number, bool) or abs(number) > LARGEST_NUMBER:
        raise ValueError(_NO_NUMBER)
    return str(value) if words else number


_NO_NUMBER: Final = f"must be an integer up to {LARGEST_NUMBER:,}, or a short text that says one"

AnswerValue = Annotated[
    int | str,
    PlainValidator(_answer_value),
    WithJsonSchema(
        {
            "anyOf": [
                {"type": "integer", "minimum": -LARGEST_NUMBER, "maximum": LARGEST_NUMBER},
                {"type": "string", "minLength": 1, "maxLength": LONGEST_WORDS},
            ],
            "description": 'A number, or a text that says one ("188 이요", "백팔십팔"). "모르겠어요" is a timeout; '
            "words that tell of danger are answered, and the task waits.",
        }
    ),
]


class Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", strict=True, frozen=True)


class Telemetry(Strict):
    """Measurements of the client while the child was thinking. Behaviour tags are derived from them, and whether the
    response time is reliable: not after an absence, a reload or help."""

    first_input_ms: Milliseconds | None = None
    edits: Count | None = None
    focus_losses: Count | None = None
    hidden_ms: Milliseconds | None = Field(default=None, description="How long the page could not be seen.")
    helped: list[Literal["read_aloud", "aid"]] | None = Field(default=None, max_length=10)
    reloaded: bool | None = None
    device: Literal["touch", "mouse", "keyboard"] | None = None
    rt_reliable: bool | None = Field(default=None, description="False where the client could not measure the time.")


class _Event(Strict):
    request_id: RequestId


class AnswerSubmitted(_Event):
    type: Literal["answer_submitted"]
    task_id: TaskId
    answer: AnswerValue
    rt_ms: Milliseconds = Field(description="From the task's appearing to the answer.")
    input: Literal["tap", "typed", "voice", "widget"] | None = Field(
        default=None, description="How it was given; without it, an answer that is among the choices was a tap."
    )
    steps: Annotated[list[int | None], Field(max_length=20)] | None = Field(
        default=None, description="Of a task in steps: what each step found, None where it was left open."
    )
    behavior_tags: list[Annotated[str, Field(min_length=1, max_length=64)]] = Field(
        default_factory=list, max_length=20, description="OBS_* tags seen by an adult."
    )
    telemetry: Telemetry | None = None


class TimedOut(_Event):
    type: Literal["timeout"]
    task_id: TaskId
    said: Literal[True] | None = Field(default=None, description='The child said that it doesn\'t know ("모르겠어").')


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


_GivenAnswer = (
    Annotated[int, Field(ge=-LARGEST_NUMBER, le=LARGEST_NUMBER)] | Annotated[str, Field(max_length=LONGEST_ANSWER)]
)


class ItemResult(Strict):
    """One item of a training: the last answer to each step and how many tries it took, whether the solution was
    shown."""

    item_id: Annotated[str, Field(min_length=1, max_length=32, pattern=VISIBLE)]
    answers: list[_GivenAnswer | None] = Field(max_length=10)
    tries: list[Annotated[int, Field(ge=1, le=99)]] = Field(default_factory=list, max_length=10)
    ms: Milliseconds | None = None
    shown: bool = False
    skipped: Literal["no_voice"] | None = None


class ItemResults(Strict):
    """What the child did, item by item. The service judges it."""

    items: list[ItemResult] = Field(max_length=50)


def _form_of_results(results: Any) -> str:
    """Flat results may count their `items`."""
    items = results.get("items") if isinstance(results, Mapping) else getattr(results, "items", None)
    return "item_results" if isinstance(items, list) else "flat_results"


class TrainingDone(_Event):
    type: Literal["training_done"]
    task_id: TaskId | None = None
    training_id: Annotated[str, Field(pattern=r"^T(0[1-9]|[1-3][0-9]|40)$")]
    results: Annotated[
        Annotated[ItemResults, Tag("item_results")] | Annotated[Results, Tag("flat_results")],
        Discriminator(_form_of_results),
    ] = Field(default_factory=dict)


class Stop(_Event):
    """`task_id`: whatever task the page shows; the session ends all the same."""

    type: Literal["stop"]
    task_id: TaskId | None = None


class StrategyTold(_Event):
    """The child's own word on how it found the answer to a task. No turn: nothing moves."""

    type: Literal["strategy_told"]
    task_id: TaskId
    how: Literal["fingers", "made_ten", "knew", "drew"]


STRATEGY_TAGS: Final = {
    "fingers": "OBS_FINGER_COUNTING",
    "made_ten": "OBS_MAKING_TEN",
    "knew": "OBS_RETRIEVING",
    "drew": "OBS_TALLY_MARKS",
}
"""What a child tells of how it found an answer → the observation that an adult would have made."""


class Idle(Strict):
    """The service's own event: no answer has come since `turn`. No client can send its request id."""

    type: Literal["idle"]
    request_id: str
    turn: Annotated[int, Field(ge=0)]


class ObservedAnswer(AnswerSubmitted):
    """The service's own: an answer, with the tags that adults saw at its task before."""

    observed: list[str] = Field(default_factory=list)


class BadEvent(ValueError):
    """A field has an impossible value; `loc` is its path in the request's body."""

    def __init__(self, loc: str, msg: str) -> None:
        super().__init__(f"{loc}: {msg}")
        self.loc = loc
        self.msg = msg


AnyEvent = AnswerSubmitted | TimedOut | TrainingDone | Stop
TYPES: Final = ("answer_submitted", "timeout", "training_done", "stop", "strategy_told")
FORMS: Final = ("item_results", "flat_results")
"""The forms of a training's results; no part of the path of a field."""

adapter: Final = TypeAdapter[AnyEvent](Annotated[AnyEvent, Field(discriminator="type")])
"""What a client may send."""
_Within = ObservedAnswer | TimedOut | TrainingDone | Stop | Idle
_within: Final = TypeAdapter[_Within](Annotated[_Within, Field(discriminator="type")])


def words_of(event: AnyEvent) -> str | None:
    """The words that a child wrote as an answer or in a training, or None."""
    if isinstance(event, AnswerSubmitted):
        return event.answer if isinstance(event.answer, str) else None
    results = event.results if isinstance(event, TrainingDone) else {}
    values = (
        (answer for item in results.items for answer in item.answers)
        if isinstance(results, ItemResults)
        else results.values()
    )
    texts = [value for value in values if isinstance(value, str)]
    return "\n".join(texts) or None


def event_of_input(sent: Any, observations: Set[str]) -> Event | None:
    """The input as an event, its answer as a number. Invalid input is logged and becomes None. `observations` are the
    known behaviour tags."""
    try:
        checked = _within.validate_python(sent)
    except ValidationError as error:
        faults = error.errors(include_url=False, include_context=False, include_input=False)
        logger.warning("no event: %s", "; ".join(f"{'.'.join(map(str, one['loc']))}: {one['msg']}" for one in faults))
        return None
    if not isinstance(checked, ObservedAnswer):
        return cast("Event", sent)
    answer = parse_answer(checked.answer)
    if answer is None:
        logger.warning("no event: answer: %s", _NO_NUMBER)
        return None
    if unknown := {*checked.behavior_tags, *checked.observed} - observations:
        logger.warning("no event: behavior_tags: there is no observation %s", min(unknown))
        return None
    return cast("Event", {**sent, "answer": answer})


def checked_event(event: Mapping[str, Any], observations: Set[str]) -> Event:
    """The event with its answer as a number. BadEvent for faults that the schema cannot see."""
    checked = cast("Event", dict(event))
    if checked["type"] != "answer_submitted":
        return checked
    answer = parse_answer(event["answer"])
    if answer is None:
        raise BadEvent("body.answer", _NO_NUMBER)
    checked["answer"] = answer
    for index, tag in enumerate(event.get("behavior_tags", [])):
        if tag not in observations:
            raise BadEvent(f"body.behavior_tags.{index}", f"there is no observation {tag}")
    return checked
