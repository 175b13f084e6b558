"""All that lessons are made of: courses, words and numbers, and the models that may write drafts."""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Final

from maththera.arithmetic.strategies import Picture
from maththera.lessons.config import LessonConfig, Messages, Words, load_lesson_config, load_messages
from maththera.lessons.courses.course import Chapter, Course, Question
from maththera.lessons.courses.course_files import load_courses
from maththera.lessons.explanation_turns import Reply, Turn, open_turn, session_paragraphs, session_turns
from maththera.lessons.quiz.check_answers import reply_to
from maththera.lessons.quiz.message_intents import MessageReader
from maththera.lessons.quiz.similar_messages import SimilarMessages
from maththera.lessons.state import LessonState, explanation_position, last_message, outcomes
from maththera.words.answer_protection.open_answers import OpenAnswers
from maththera.words.input_filter.common_intents import CommonIntents

logger = logging.getLogger(__name__)

CONFIG: Final = Path("configs") / "lessons" / "lessons.yaml"
MESSAGES: Final = Path("configs") / "lessons" / "messages.yaml"
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
    messages: Messages

    @classmethod
    def load(cls, home: Path) -> "LessonContent":
        """ConfigError for faults of `lessons.yaml`. A course with a fault is refused, and the log says why; all else
        goes on."""
        config = load_lesson_config(home / CONFIG)
        courses, faults = load_courses(home / COURSES, config.courses)
        for fault in faults:
            logger.error("refused: %s", fault)
        return cls(config, CommonIntents.load(home), courses, OpenAnswers.load(home), load_messages(home / MESSAGES))

    @cached_property
    def reader(self) -> MessageReader:
        kinds = SimilarMessages({name: talk.examples for name, talk in self.messages.kinds.items()})
        return MessageReader(self.config.reading, self.wishes, kinds, self.messages.like_enough)

    def course(self, state: LessonState) -> Course:
        return self.courses[state["course"]]

    def has_course(self, state: LessonState) -> bool:
        """A course may have been taken away, or be refused, while its lessons run."""
        return state["course"] in self.courses

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

    def turns(self, state: LessonState) -> tuple[Turn, ...]:
        """Of this session's explanation."""
        most = self.config.sessions.most
        return session_turns(self.chapter(state), state["user_type"], outcomes(state), most)

    def told(self, state: LessonState) -> frozenset[str]:
        """The paragraphs of this session's explanation."""
        most = self.config.sessions.most
        paragraphs, _ = session_paragraphs(self.chapter(state), state["user_type"], outcomes(state), most)
        return frozenset(each.id for each in paragraphs)

    def open_turn(self, state: LessonState) -> Turn | None:
        """The turn of the explanation whose check waits."""
        explains = state["session_progress_stage"] == "session_start" and self.has_chapter(state)
        return open_turn(explanation_position(state), self.turns(state)) if explains else None

    def picture_of(self, turn: Turn, state: LessonState) -> Picture | None:
        """The picture that stands beside the check of the open turn."""
        return turn.other if explanation_position(state)["helps"] == 1 else turn.picture

    def heard_again(self, turn: Turn, state: LessonState) -> bool:
        """Whether the other words of a turn were told since its own."""
        said = [one["message"] for one in state["current_session_conversations"] if one["message_type"] == "system"]
        begun = max((place for place, text in enumerate(said) if turn.text in text), default=0)
        return turn.again != turn.text and any(turn.again in text for text in said[begun + 1 :])

    def reply_to_turn(self, state: LessonState) -> Reply | None:
        """What the learner's message is to the turn that was told last; None for what is neither an answer to its check
        nor a wish about the explanation."""
        turn = self.open_turn(state)
        return reply_to(turn, last_message(state), self.reader) if turn is not None else None

    @cached_property
    def _frequent(self) -> dict[tuple[str, int], SimilarMessages]:
        return {}

    def frequent_answer(self, state: LessonState, message: str) -> str | None:
        """To a question that learners of the chapter often have, by the wording that is most like it."""
        chapter, head = self.chapter(state), self.course(state).head
        number = chapter.chapter
        own = [(one.ask, one.answer) for one in chapter.qna]
        if head.kind == "arithmetic":
            own += [
                (one.ask, one.answer) for one in self.messages.questions if one.chapters[0] <= number <= one.chapters[1]
            ]
        known = self._frequent.setdefault((head.id, number), SimilarMessages({answer: ask for ask, answer in own}))
        answer, alike = known.nearest(message)
        return answer if alike >= self.config.qna.like_enough else None

    def words(self, state: LessonState) -> Words:
        return self.config.words[self.course(state).head.speech]
