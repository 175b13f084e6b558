"""All that lessons are made of: courses, words and numbers, and the models that may write drafts."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from maththera.lessons.config import LessonConfig, Words, load_lesson_config
from maththera.lessons.courses.course import Chapter, Course, Question
from maththera.lessons.courses.course_files import load_courses
from maththera.lessons.quiz.message_intents import MessageReader
from maththera.lessons.state import LessonState
from maththera.words.answer_protection.open_answers import OpenAnswers
from maththera.words.input_filter.common_intents import CommonIntents

logger = logging.getLogger(__name__)

CONFIG: Final = Path("configs") / "lessons" / "lessons.yaml"
COURSES: Final = Path("configs") / "lessons" / "courses"


def find_question(course: Course, chapter: int, number: int) -> Question | None:
    """None if the course does not have it, or no longer."""
    found = course.chapters.get(chapter)
    return next((one for one in found.questions if one.number == number), None) if found else None


@dataclass(frozen=True)
class LessonContent:
    """Loaded once for a process."""

    config: LessonConfig
    wishes: CommonIntents
    courses: Mapping[str, Course]
    open_answers: OpenAnswers

    @classmethod
    def load(cls, home: Path) -> "LessonContent":
        """ConfigError for faults of `lessons.yaml`. A course with a fault is refused, and the log says why; all else
        goes on."""
        config = load_lesson_config(home / CONFIG)
        courses, faults = load_courses(home / COURSES, config.courses)
        for fault in faults:
            logger.error("refused: %s", fault)
        return cls(config, CommonIntents.load(home), courses, OpenAnswers.load(home))

    @cached_property
    def reader(self) -> MessageReader:
        return MessageReader(self.config.reading, self.wishes)

    def course(self, state: LessonState) -> Course:
        return self.courses[state["course"]]

    def chapter(self, state: LessonState) -> Chapter:
        return self.course(state).chapters[state["current_chapter"]]

    def has_chapter(self, state: LessonState) -> bool:
        """A course may be changed while its lessons run."""
        return state["current_chapter"] in self.course(state).chapters

    def question(self, state: LessonState) -> Question:
        """The one that was put last."""
        return self.chapter(state).question(state["current_question_number"])

    def asked_question(self, state: LessonState) -> Question | None:
        """The question that was put last; None if the course no longer has it."""
        return find_question(self.course(state), state["current_chapter"], state["current_question_number"])

    def words(self, state: LessonState) -> Words:
        return self.config.words[self.course(state).head.speech]
