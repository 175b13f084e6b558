"""A lesson whose working state is gone, from its records: it goes on with the session that would have come next."""

from collections.abc import Sequence
from itertools import takewhile

from maththera.lessons.agents.session_nodes import next_chapter, session_summary
from maththera.lessons.content import LessonContent
from maththera.lessons.state import LessonState, initial_state
from maththera.store.lesson_sessions import CompletedSession
from maththera.store.lessons import Lesson


def state_from_records(
    content: LessonContent, lesson: Lesson, done: Sequence[CompletedSession], now: str
) -> LessonState:
    """`done` in their order; what was said in the session under way is lost."""
    state = initial_state(lesson_id=lesson.lesson_id, course=lesson.course, now=now, **lesson.begin)
    course = content.courses[lesson.course]
    state["current_chapter"] = course.nearest_chapter(state["current_chapter"])
    if not done:
        return state
    last = done[-1]
    state["session_number"] = last.number + 1
    state["session_decision_result"] = "retry" if last.decision == "retry" else "proceed"
    kept = done[-content.config.sessions.summaries :]
    state["recent_sessions_summary"] = [session_summary(content, lesson.course, one) for one in kept]
    if last.decision == "retry" and last.chapter in course.chapters:
        repeated = list(takewhile(lambda one: one.decision == "retry", reversed(done)))
        state["current_chapter"] = last.chapter
        state["current_session_count"] = last.session_count + 1
        state["asked"] = [one.quiz.question_number for one in reversed(repeated)]
    else:
        following = next_chapter(course, last.chapter, last.decision)
        state["current_chapter"] = following or last.chapter
        state["finished"] = following is None
    return state
