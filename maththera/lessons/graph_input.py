"""What the graph of a lesson takes from people (Studio, flows)."""

from datetime import UTC, datetime
from typing import Literal
from uuid import uuid4

from pydantic import ConfigDict, Field

from maththera.lessons.content import LessonContent
from maththera.lessons.courses.course import UserType
from maththera.lessons.state import LessonState, initial_state
from maththera.runtime.graph_input import GraphInput


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
