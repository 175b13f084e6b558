"""`configs/lessons.yaml`."""

from pathlib import Path

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.documents import Document
from maththera.lessons.course_checks import CourseRules


class LessonConfig(BaseModel):
    """All numbers and words of a lesson that are not a course's own."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    courses: CourseRules


def load_lesson_config(path: Path) -> LessonConfig:
    """ConfigError with a line for each fault."""
    return Document.read(path).parse(TypeAdapter(LessonConfig))
