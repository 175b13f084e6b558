"""The nodes that are no agents: what was said is kept, and a completed session is recorded, summed up and cleared away.

Each step of the completion is a node of its own, so that a process which dies between two of them goes on with the
next: the id of the session is part of the state before anything is written.
"""

from collections.abc import Iterator
from datetime import datetime
from itertools import pairwise
from typing import Final, Literal, cast

from langgraph.runtime import Runtime
from langgraph.types import Command, interrupt
from pydantic import ValidationError

from maththera.arithmetic.problem import make_problem, parse_expression
from maththera.json_types import JsonObject
from maththera.lessons.content import LessonContent, find_question
from maththera.lessons.courses.course import Course, MultipleChoice
from maththera.lessons.explanation_turns import NOT_BEGUN, Outcome
from maththera.lessons.lesson_requests import LessonReply
from maththera.lessons.state import (
    LEARNER,
    Aside,
    Completing,
    Conversation,
    Inbox,
    LessonState,
    Update,
    outcomes,
    turns,
)
from maththera.lessons.turn_context import LessonContext
from maththera.runtime.turns import body_digest
from maththera.store.access.authorization import Role
from maththera.store.lesson_sessions import CompletedSession, Quiz
from maththera.words.danger.message_safety import MessageSafety, Place, Sender

_REQUESTS_KEPT: Final = 20
_SUMMED_UP: Final = 2
"""Pieces of what was missed or asked that a summary names."""
_EXPECTED: Final = {
    "kind": "message, answer or hint",
    "text": "what the learner writes",
    "request_id": "may be left out",
}


async def conversation_record(state: LessonState) -> Command[Literal["learner", "__end__"]]:
    """Keeps what the supervisor said, and what of it was a question or a feedback."""
    spoken, now = state["spoken"], state["spoken"][0]["timestamp"]
    done: list[Conversation] = [
        {
            "agent_name": note["agent"],
            "message": note["text"],
            "timestamp": now,
            "message_type": "tool",
            "session_stage": state["session_progress_stage"],
        }
        for note in state.get("notes", ())
    ]
    update: Update = {
        "current_session_conversations": [*state["current_session_conversations"], *done, *spoken],
        "spoken": [],
        "notes": [],
        "picture": None,
    }
    if state["previous_agent"] == "quiz_generator" and not state["hint_usage_count"]:
        update["current_question_content"] = spoken[0]["message"]
    if state["previous_agent"] == "evaluation_feedback_agent":
        update["evaluation_feedback"] = spoken[0]["message"]
    return Command(update=update, goto="__end__" if state["finished"] else "learner")


class SessionNodes:
    """What a learner sends, and what happens to a session that is over."""

    def __init__(self, content: LessonContent, safety: MessageSafety) -> None:
        self._content, self._safety = content, safety

    async def learner(self, state: LessonState, runtime: Runtime[LessonContext]) -> Update:
        """Waits for the learner, and hears danger before anything else. If the course has lost the chapter meanwhile,
        and nothing was judged yet, a session of the nearest one begins."""
        waits: JsonObject = {"ui_mode": state["ui_mode"], "stage": state["session_progress_stage"]}
        while (inbox := _parsed_reply(interrupt(waits))) is None:
            waits["expected"] = _EXPECTED
        context = LessonContext.of(runtime)
        aside = await self._safety_answer(state, inbox, context.role)
        said: Conversation = {
            "agent_name": LEARNER,
            "message": inbox["text"],
            "timestamp": context.now().isoformat(),
            "message_type": "user",
            "session_stage": state["session_progress_stage"],
        }
        if aside and aside["safety"]:
            said["safety"] = {"asks": False}
        return {
            "inbox": inbox,
            "aside": aside,
            "current_session_conversations": [*state["current_session_conversations"], said],
            "requests": dict([*state["requests"].items(), (inbox["request_id"], body_digest(inbox))][-_REQUESTS_KEPT:]),
            "turns": turns(state) + 1,
            **({} if aside else self._replacement_chapter(state)),
        }

    async def _safety_answer(self, state: LessonState, inbox: Inbox, role: Role) -> Aside | None:
        """What is answered before the lesson looks at a message; None where there is nothing."""
        before = state["current_session_conversations"][-1:]
        heard = await self._safety.check_message(
            inbox["text"],
            Sender(role, str(state["user_id"])),
            Place("lesson", state["lesson_id"]),
            inbox["request_id"],
            asked=any(one.get("safety", {}).get("asks") for one in before),
        )
        if heard.told is not None:
            return {"text": heard.told.text, "safety": heard.shown(role), "asks": heard.mark["asks"]}
        if heard.reading.private:
            return {"text": self._content.words(state).private, "safety": None, "asks": False}
        return None

    def _replacement_chapter(self, state: LessonState) -> Update:
        if self._content.has_chapter(state) or state["session_progress_stage"] == "quiz_and_feedback_completed":
            return {}
        return _new_chapter(self._content.course(state).nearest_chapter(state["current_chapter"])) | {
            "current_agent": "session_manager",  # whose greeting is then said
            "session_progress_stage": "session_start",
            "hint_usage_count": 0,
            "question_open": False,
            "attempt": None,
            "telling": NOT_BEGUN,
            "outcomes": [],
        }

    async def save_session(self, state: LessonState, runtime: Runtime[LessonContext]) -> Update:
        """Records it, once."""
        save, completing = LessonContext.of(runtime).save, _completing(state)
        if save is None:
            return {}
        name = await save(self._completed_session(state, completing), state["course"])
        return {"completing": {**completing, "session_id": name}}

    async def summarise_session(self, state: LessonState) -> Update:
        """Adds it to the last few summaries."""
        one = session_summary(self._content, state["course"], self._completed_session(state, _completing(state)))
        kept = [*state["recent_sessions_summary"], one][-self._content.config.sessions.summaries :]
        return {"recent_sessions_summary": kept}

    async def reset_session(self, state: LessonState, runtime: Runtime[LessonContext]) -> Update:
        """Clears it away for the next one: of the next chapter, of this one, or none after the last chapter."""
        update: Update = {
            "current_agent": "session_manager",
            "session_progress_stage": "session_start",
            "current_session_conversations": [],
            "current_question_answer": "",
            "evaluation_feedback": "",
            "hint_usage_count": 0,
            "session_start_time": LessonContext.of(runtime).now().isoformat(),
            "theory_draft": "",
            "quiz_draft": "",
            "feedback_draft": "",
            "qna_draft": "",
            "session_number": state["session_number"] + 1,
            "evaluation": None,
            "attempt": None,
            "telling": NOT_BEGUN,
            "completing": None,
        }
        if state["session_decision_result"] == "retry" and self._content.has_chapter(state):
            question, right = state["current_question_number"], session_passed(self._content, state)
            over = [*outcomes(state), Outcome(question=question, right=right)]
            return update | {"current_session_count": state["current_session_count"] + 1, "outcomes": over}
        chapter, decision = state["current_chapter"], state["session_decision_result"]
        following = next_chapter(self._content.course(state), chapter, decision)
        return update | _new_chapter(following or chapter) | {"finished": following is None}

    def _completed_session(self, state: LessonState, completing: Completing) -> CompletedSession:
        evaluation = state["evaluation"]
        return CompletedSession(
            session_id=completing["session_id"],
            lesson_id=state["lesson_id"],
            number=state["session_number"],
            student_id=str(state["user_id"]),
            chapter=state["current_chapter"],
            session_count=state["current_session_count"],
            decision=self._recorded_decision(state),
            session_start_time=datetime.fromisoformat(state["session_start_time"]),
            session_end_time=datetime.fromisoformat(completing["session_end_time"]),
            conversations=[dict(one) for one in state["current_session_conversations"]],
            quiz=Quiz(
                question_number=state["current_question_number"],
                question_type=state["current_question_type"],
                is_correct=state["is_answer_correct"],
                graded_by=evaluation["graded_by"] if evaluation else None,
                rule_score=evaluation["rule_score"] if evaluation else None,
                hint_count=state["hint_usage_count"],
                question_content=state["current_question_content"],
                user_answer=state["current_question_answer"],
                feedback=state["evaluation_feedback"],
                **self._calculated_problem(state),
            ),
        )

    def _recorded_decision(self, state: LessonState) -> str:
        """A lesson that goes on without a chapter that was passed was `forced` to."""
        decision = state["session_decision_result"]
        return "forced" if decision == "proceed" and not chapter_passed(self._content, state) else decision

    def _calculated_problem(self, state: LessonState) -> JsonObject:
        """The problem that was calculated and the number that was chosen, where the question is such a one."""
        question, evaluation = self._content.asked_question(state), state["evaluation"]
        nothing = {"problem_id": None, "given": None}
        if not isinstance(question, MultipleChoice) or question.problem is None:
            return nothing
        if evaluation is None or evaluation["choice"] is None:
            return nothing
        a, op, b = parse_expression(question.problem)
        problem = make_problem(a, op, b, form=question.form)
        chosen = question.choices[evaluation["choice"]]
        return {"problem_id": problem.problem_id, "given": chosen.number}


def session_passed(content: LessonContent, state: LessonState) -> bool:
    """Whether the question of the session that ends was answered well enough, at the first try."""
    kind = state["current_question_type"]
    return kind != "" and state["is_answer_correct"] >= content.config.sessions.passed[kind]


def chapter_passed(content: LessonContent, state: LessonState) -> bool:
    """Whether enough sessions of the chapter were passed, with the one that ends."""
    passed = sum(one["right"] for one in outcomes(state)) + session_passed(content, state)
    return passed >= content.config.sessions.right


def session_summary(content: LessonContent, course_id: str, session: CompletedSession) -> dict[str, str]:
    """What was said in a completed session, in a few sentences, and the facts of it as texts."""
    quiz = session.quiz
    return {
        "session_id": session.session_id,
        "chapter": str(session.chapter),
        "question_number": str(quiz.question_number),
        "question_type": quiz.question_type,
        "is_answer_correct": str(quiz.is_correct),
        "graded_by": quiz.graded_by or "",
        "rule_score": "" if quiz.rule_score is None else str(quiz.rule_score),
        "hint_usage_count": str(quiz.hint_count),
        "session_decision_result": "retry" if session.decision == "retry" else "proceed",
        "session_end_time": session.session_end_time.isoformat(),
        "summary": "\n".join(_told(content, course_id, session)),
    }


def _told(content: LessonContent, course_id: str, session: CompletedSession) -> Iterator[str]:
    """What was heard, missed and asked, by the conversation, and how the question went."""
    course, quiz, said = content.courses[course_id], session.quiz, session.conversations
    words = content.config.words[course.head.speech]
    chapter = course.chapters.get(session.chapter)
    notes = [one["message"] for one in said if one["agent_name"] == "theory_educator"]
    yield words.summary.format(
        chapter=session.chapter, session=session.session_count, turns=len({note.split(";")[0] for note in notes})
    )
    missed = {note.split(";")[0] for note in notes if note.endswith("; help")}
    names = [one.id for one in chapter.paragraphs.values()] if chapter else []
    points = [name for name in names if any(note.endswith(f": {name}") for note in missed)]
    if chapter and points:
        first = [chapter.paragraphs[name].text.strip().splitlines()[0] for name in points[:_SUMMED_UP]]
        yield words.summary_missed.format(missed=" / ".join(first))
    asked = [
        before["message"]
        for before, one in pairwise(said)
        if one["agent_name"] == "qna_resolver" and "safety" not in before
    ]
    for text in asked[-_SUMMED_UP:]:
        yield words.summary_asked.format(asked=text)
    passed = quiz.is_correct >= content.config.sessions.passed[quiz.question_type]  # type: ignore[index]  # as recorded
    question = find_question(course, session.chapter, quiz.question_number)
    put = question.question if question else quiz.question_content
    yield (words.summary_right if passed else words.summary_wrong).format(question=put)
    if quiz.hint_count:
        yield words.summary_hints.format(hints=quiz.hint_count)


def next_chapter(course: Course, chapter: int, decision: str) -> int | None:
    """The chapter after this one, or the nearest one in place of a chapter that is gone; None after the last."""
    return course.nearest_chapter(chapter) if decision == "retry" else course.next_chapter(chapter)


def _new_chapter(chapter: int) -> Update:
    return {
        "current_session_count": 1,
        "current_chapter": chapter,
        "current_question_content": "",
        "current_question_number": 0,
        "current_question_type": "",
        "is_answer_correct": 0,
        "ui_mode": "chat",
        "asked": [],
        "outcomes": [],
    }


def _completing(state: LessonState) -> Completing:
    if state["completing"] is None:
        raise RuntimeError("the session manager has fixed no session id")
    return state["completing"]


def _parsed_reply(value: object) -> Inbox | None:
    """An event from what Studio sends: a text is a message; invalid input becomes None."""
    sent = {"kind": "message", "text": value} if isinstance(value, str) and value.strip() else value
    try:
        return cast("Inbox", LessonReply.model_validate(sent).model_dump())
    except ValidationError:
        return None
