"""The learning supervisor: the only agent that speaks to the learner, and the one that decides who works next."""

import re
from collections.abc import Callable, Iterator
from typing import Any, Final, Literal, cast

from langgraph.runtime import Runtime
from langgraph.types import Command

from maththera.json_types import JsonObject
from maththera.lessons.agents import question_answers
from maththera.lessons.content import LessonContent
from maththera.lessons.courses.course import MultipleChoice, Subjective
from maththera.lessons.quiz import quiz_questions
from maththera.lessons.quiz.answer_grading import grade_answer, is_gradable
from maththera.lessons.state import (
    SPEAKER,
    Agent,
    Aside,
    Conversation,
    LessonState,
    Stage,
    Update,
    explaining,
    last_message,
)
from maththera.lessons.turn_context import LessonContext

Next = Literal[
    "theory_educator",
    "quiz_generator",
    "evaluation_feedback_agent",
    "qna_resolver",
    "session_manager",
    "conversation_record",
]
Write = Callable[[JsonObject], None]

_AFTER: Final[dict[Stage, Agent]] = {
    "session_start": "theory_educator",
    "theory_completed": "quiz_generator",
    "quiz_and_feedback_completed": "session_manager",
}
"""The agents that work when the learner wants to go on."""

_PIECE: Final = re.compile(r"[^.!?\n]{1,40}(?:[.!?…\n]+\s*|\s+)|\S{1,40}|\s+")
"""What is told at once: a few words, to the end of a sentence where that comes first."""


class Supervisor:
    """Speaks what an agent drafted, or reads what the learner wrote and calls the agent for it."""

    def __init__(self, content: LessonContent) -> None:
        self._content = content

    async def __call__(self, state: LessonState, runtime: Runtime[LessonContext]) -> Command[Next]:
        if aside := state.get("aside"):
            return self._speak_aside(state, aside, runtime)
        if state["current_agent"] == SPEAKER:
            return self._route(state, runtime)
        return self._present(state, runtime)

    # --- speaking -------------------------------------------------------------------------------------------------

    def _present(self, state: LessonState, runtime: Runtime[LessonContext]) -> Command[Next]:
        """What the agent that has just worked prepared."""
        words = self._content.words(state)
        match state["current_agent"]:
            case "theory_educator":
                said, update = [state["theory_draft"], words.after_theory], _cleared_draft("theory_draft")
                update |= {"session_progress_stage": "theory_completed"}
            case "quiz_generator":
                said, update = [state["quiz_draft"]], _cleared_draft("quiz_draft") | {"question_open": True}
            case "evaluation_feedback_agent":
                said, update = self._feedback(state)
            case "qna_resolver":
                follow = words.back_to_question if state["question_open"] else words.ready_again
                said, update = [state["qna_draft"], follow], _cleared_draft("qna_draft")
            case _:
                said, update = self._greeting(state), Update()
        for kind, payload in self._shown(state):
            runtime.stream_writer({"type": kind, kind: payload})
        return self._speak(state, runtime, said, update)

    def _feedback(self, state: LessonState) -> tuple[list[str], Update]:
        """Behind a task the question stays open for the explanation."""
        draft, cleared = state["feedback_draft"], _cleared_draft("feedback_draft")
        awaited, question = explaining(state), self._content.question(state)
        if awaited is None or not isinstance(question, Subjective):
            stage = {"session_progress_stage": "quiz_and_feedback_completed"}
            return [draft, self._content.words(state).after_feedback], cleared | stage
        asked = f"{question.explain}\n{self._content.words(state).write.format(begin=question.begin)}"
        return [draft, asked], cleared | {"question_open": True}

    def _speak(
        self, state: LessonState, runtime: Runtime[LessonContext], said: list[str], update: Update
    ) -> Command[Next]:
        """`said` reaches the learner piece by piece, and is left for the record of the conversation."""
        for place, text in enumerate(said):
            for piece in _PIECE.findall(f"\n\n{text}" if place else text):
                runtime.stream_writer({"type": "token", "text": piece})
        stage: Stage = update.get("session_progress_stage", state["session_progress_stage"])
        now = LessonContext.of(runtime).now().isoformat()
        open_question = update.get("question_open", state["question_open"])
        update |= {
            "current_agent": SPEAKER,
            "previous_agent": state["current_agent"],
            "ui_mode": "quiz" if open_question else "chat",
            "spoken": [_item(text, now, stage) for text in said],
        }
        return Command(update=update, goto="conversation_record")

    def _speak_aside(self, state: LessonState, aside: Aside, runtime: Runtime[LessonContext]) -> Command[Next]:
        """Answers what has nothing to do with the lesson; neither stage nor question changes."""
        if aside["safety"]:
            runtime.stream_writer({"type": "safety", **aside["safety"]})
        command = self._speak(state, runtime, [aside["text"]], {"aside": None})
        if aside["safety"] and isinstance(command.update, dict):
            command.update["spoken"][0]["safety"] = {"asks": aside["asks"]}
        return command

    def _shown(self, state: LessonState) -> Iterator[tuple[str, Any]]:
        """The fields of the event that a page shows beside the words."""
        if state["current_agent"] == "quiz_generator":
            yield (
                "quiz",
                quiz_questions.question_view(self._content.question(state)) | {"hints": state["hint_usage_count"]},
            )
        if state["current_agent"] == "evaluation_feedback_agent" and state["evaluation"] is not None:
            kept = ("score", "graded_by", "rule_score", "met", "missed")
            evaluation = {name: state["evaluation"][name] for name in kept}  # type: ignore[literal-required]
            step = "task" if explaining(state) else "answer"
            yield "evaluation", {"question_type": state["current_question_type"], "step": step, **evaluation}

    def _greeting(self, state: LessonState) -> list[str]:
        words = self._content.words(state)
        if state["finished"]:
            return [words.finished]
        chapter = self._content.chapter(state)
        names = {"chapter": chapter.chapter, "title": chapter.title}
        if state["current_session_count"] > 1:
            return [words.again.format(**names), words.before_theory]
        hello = words.welcome if state["session_number"] == 1 else words.next_chapter
        objectives = "\n".join([words.objectives, *(f"- {each}" for each in chapter.objectives)])
        return [hello.format(**names), objectives, words.before_theory]

    # --- routing --------------------------------------------------------------------------------------------------

    def _route(self, state: LessonState, runtime: Runtime[LessonContext]) -> Command[Next]:
        target = self._target_of_answer(state) if state["question_open"] else self._target(state)
        if target is None:
            return self._speak(state, runtime, [self._asked_again(state)], Update())
        update: Update = {
            "current_agent": target,
            "previous_agent": SPEAKER,
            "ui_mode": "quiz" if target == "quiz_generator" else "chat",
        }
        if target == "evaluation_feedback_agent":
            update["question_open"] = False
        return Command(update=update, goto=cast("Next", target))

    def _asked_again(self, state: LessonState) -> str:
        """The answer to a message that needs no agent."""
        words, sense = self._content.words(state), self._content.reader.intent_of(last_message(state))
        if sense in ("rest", "pause", "greeting"):
            return {"rest": words.rest, "pause": words.pause, "greeting": words.greeting}[sense]
        if not state["question_open"]:
            return words.hint_later if sense == "hint" else words.not_understood
        question = self._content.question(state)
        if isinstance(question, MultipleChoice):
            return words.not_a_choice.format(count=len(question.choices))
        return words.write.format(begin=question.begin) if explaining(state) else words.how[question.task.form]

    def _target(self, state: LessonState) -> Agent | None:
        if not self._content.has_chapter(state):
            return "session_manager"
        message, reader = last_message(state), self._content.reader
        match reader.intent_of(message):
            case "go_on":
                return _AFTER[state["session_progress_stage"]]
            case "question":
                return "qna_resolver"
            case "rest" | "pause" | "greeting" | "hint":
                return None
        chapter, rules = self._content.chapter(state), self._content.config.qna
        found = question_answers.answer_from_chapter(message, chapter, state["user_type"], rules)
        return "qna_resolver" if found is not None and found.source == "qna" else None

    def _target_of_answer(self, state: LessonState) -> Agent | None:
        """Who works on what is said to an open question. In place of one that the course has lost, another is put."""
        question = self._content.asked_question(state)
        if question is None:
            return "quiz_generator"
        text = last_message(state)
        kind = state["inbox"]["kind"] if state["inbox"] else "message"
        sense = self._content.reader.intent_of(text) if kind == "message" else kind
        if sense == "hint":
            return "quiz_generator"
        if sense == "rest":
            return None
        if explaining(state) is not None:
            return self._target_of_explanation(state, kind)
        if kind == "message" and not self._is_scoring_answer(state, text):
            wavers = quiz_questions.names_several(text)
            if self._content.reader.is_question(text) and not wavers:
                return "qna_resolver"
            if sense in ("pause", "greeting") or self._content.reader.is_go_on(text):
                return None
        readable = is_gradable(question, text, self._content.reader)
        return "evaluation_feedback_agent" if readable else None

    def _target_of_explanation(self, state: LessonState, kind: str) -> Agent | None:
        """A learner may go on without an explanation."""
        text, reader = last_message(state), self._content.reader
        if kind == "message":
            if reader.intent_of(text) in ("pause", "greeting"):
                return None
            if reader.is_question(text) and not reader.is_go_on(text):
                return "qna_resolver"
        return "evaluation_feedback_agent"

    def _is_scoring_answer(self, state: LessonState, text: str) -> bool:
        """Whether a message is an answer at least half right, and not a question that names what is asked."""
        evaluation = grade_answer(self._content.question(state), text, self._content.reader, self._content.words(state))
        asking = text.rstrip().endswith(("?", "？")) and self._content.reader.is_question(text)
        return evaluation["score"] > 0 and not asking


def _cleared_draft(draft: str) -> Update:
    return {draft: ""}


def _item(text: str, now: str, stage: Stage) -> Conversation:
    return {
        "agent_name": SPEAKER,
        "message": text,
        "timestamp": now,
        "message_type": "system",
        "session_stage": stage,
    }
