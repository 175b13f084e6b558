"""What begins a lesson and what learners send in it, over HTTP and in Studio."""

from datetime import UTC, datetime
from typing import Annotated, Final, Literal, Self
from uuid import uuid4

from pydantic import (
    BaseModel,
    ConfigDict,
    Field,
    StrictBool,
    StrictInt,
    ValidationError,
    ValidatorFunctionWrapHandler,
    WrapValidator,
    model_validator,
)
from pydantic_core import PydanticCustomError

from maththera.lessons.content import LessonContent
from maththera.lessons.courses.course import UserType
from maththera.lessons.quiz.quiz_questions import choice_as_answer
from maththera.lessons.state import Inbox, LessonState, initial_state
from maththera.runtime.graph_input import GraphInput

LONGEST: Final = 2_000
"""Characters of a message or an answer; a good answer has two sentences."""

_HINT: Final = "힌트"


def _single_error(value: object, members: ValidatorFunctionWrapHandler) -> object:
    """One error, at the field itself, in place of one for each member of a union under a name no client knows."""
    try:
        return members(value)
    except ValidationError as error:
        reasons = [one["msg"] for one in error.errors() if not one["type"].endswith("_type")]
        reason = reasons[0] if reasons else "Input should be a whole number or a text"
        raise PydanticCustomError("number_or_text", "{reason}", {"reason": reason}) from None


_Plainly: Final = WrapValidator(_single_error)

StudentName = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9가-힣._@-]+$")]
UserId = Annotated[Annotated[StrictInt, Field(ge=0, le=2**53 - 1)] | StudentName, _Plainly]
RequestId = Annotated[str, Field(min_length=1, max_length=64, pattern=r"^[A-Za-z0-9_-]+$")]
SentText = Annotated[str, Field(max_length=LONGEST)]
SentAnswer = Annotated[Annotated[StrictInt, Field(ge=1, le=9)] | SentText, _Plainly]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class NewLesson(_Strict):
    """`POST /api/v1/lessons`."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"user_id": 123, "user_type": "beginner"},
                {"user_id": "s1", "user_type": "advanced", "course": "arithmetic", "chapter": 7},
            ]
        }
    )

    user_id: UserId = Field(description="The learner, as `student_id` elsewhere; a number or a text.")
    user_type: UserType
    course: Annotated[str, Field(max_length=40)] | None = Field(
        None, description="Default: `configs/lessons/lessons.yaml`."
    )
    chapter: Annotated[int, Field(ge=1, le=99)] | None = Field(None, description="Where to begin. Default: the first.")
    resume: StrictBool = Field(
        False, description="Go on with the learner's last lesson of this course and type, unless it is at its end."
    )

    @property
    def student_id(self) -> str:
        return str(self.user_id)


class LessonMessage(_Strict):
    """`POST /api/v1/lessons/{lesson_id}/messages`: exactly one of the three."""

    model_config = ConfigDict(
        json_schema_extra={
            "examples": [
                {"message": "다음", "request_id": "r-1"},
                {"message": "수직선이 뭐야?"},
                {"answer": 2},
                {"answer": "하나 더 많은 수는 바로 다음에 세는 수야."},
                {"hint": True},
            ]
        }
    )

    message: SentText | None = None
    answer: SentAnswer | None = Field(
        None, description="To the open question: a choice by number or text; gaps or an order as typed (`나 가`)."
    )
    hint: StrictBool | None = None
    request_id: RequestId | None = Field(None, description="The same again is the same turn. Default: a new one.")

    @model_validator(mode="after")
    def _one(self) -> Self:
        given = [self.message is not None, self.answer is not None, self.hint is True]
        if sum(given) != 1:
            raise ValueError("one of message, answer and hint (true) is needed, and only one")
        return self

    def inbox(self) -> Inbox:
        """As the graph takes it."""
        request_id = self.request_id or uuid4().hex
        if self.message is not None:
            return {"request_id": request_id, "kind": "message", "text": _clean(self.message)}
        if self.answer is not None:
            text = choice_as_answer(self.answer) if isinstance(self.answer, int) else _clean(self.answer)
            return {"request_id": request_id, "kind": "answer", "text": text}
        return {"request_id": request_id, "kind": "hint", "text": _HINT}


def _clean(text: str) -> str:
    """Without what no database can hold."""
    return text.replace("\0", "").encode("utf-8", "ignore").decode()


class LessonInput(GraphInput):
    """Begins a new lesson, also on a thread that has one. Everything may be left out."""

    model_config = ConfigDict(json_schema_extra={"examples": [{"course": "arithmetic", "current_chapter": 1}]})

    course: str | None = Field(None, description="A folder of configs/lessons/courses; the configured one without it.")
    current_chapter: int | None = Field(None, description="The first chapter of the course without it.")
    user_type: UserType = "beginner"
    user_id: int | str = Field(1, description="Who learns; no records are read or written.")


class LessonReply(GraphInput):
    """What a lesson that waits is resumed with."""

    kind: Literal["message", "answer", "hint"]
    text: str = ""
    request_id: str = ""


def opened_lesson(wanted: LessonInput, content: LessonContent) -> LessonState:
    """A lesson in which nothing has happened yet. ValueError for a course or a chapter that is not there."""
    name = wanted.course or content.config.default_course
    if name not in content.courses:
        raise ValueError(f"course: there is no '{name}', only {', '.join(sorted(content.courses))}")
    chapters = content.courses[name].chapters
    chapter = next(iter(chapters)) if wanted.current_chapter is None else wanted.current_chapter
    if chapter not in chapters:
        raise ValueError(f"current_chapter: '{name}' has no {chapter}, only {', '.join(map(str, chapters))}")
    return initial_state(
        lesson_id=uuid4().hex,
        user_id=wanted.user_id,
        user_type=wanted.user_type,
        course=name,
        chapter=chapter,
        now=datetime.now(UTC).isoformat(),
    )
