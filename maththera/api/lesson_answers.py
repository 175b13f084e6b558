"""What the service answers about lessons, for the documentation and for tests."""

from pydantic import ConfigDict, with_config

from maththera.api.answers import Answer
from maththera.lessons import state as lesson
from maththera.lessons.courses import QuestionType
from maththera.lessons.state import Decision, GradedBy


@with_config(ConfigDict(extra="forbid"))
class TutorState(lesson.TutorState):
    """Where a lesson stands. Times are ISO-8601 in UTC; a text or a choice that is not there yet is ""."""


class Lesson(Answer):
    lesson_id: str
    state: TutorState


class JudgedSession(Answer):
    """`is_correct`: of multiple choice 1 or 0, of sentences 0 to 100, as `rule_score`. `graded_by` and `rule_score` are
    null where they were not kept, `problem_id` and `given` where the question is no problem of the ladder."""

    session_id: str
    lesson_id: str
    course: str
    chapter: int
    session_count: int
    decision: Decision
    session_start_time: str
    session_end_time: str
    question_number: int
    question_type: QuestionType
    is_correct: int
    graded_by: GradedBy | None
    rule_score: int | None
    hint_count: int
    problem_id: str | None
    given: int | None
    question_content: str
    user_answer: str
    feedback: str


class JudgedSessions(Answer):
    """`next`: what to send as `before` for the page behind this one; null at the end."""

    sessions: list[JudgedSession]
    next: str | None
