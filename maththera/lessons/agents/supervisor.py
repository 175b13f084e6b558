"""The learning supervisor: the only agent that speaks to the learner, and the one that decides who works next."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final, Literal, cast

from langgraph.runtime import Runtime
from langgraph.types import Command

from maththera.arithmetic.result_claims import read_expressions
from maththera.json_types import JsonObject
from maththera.korean.numbers import numbers_in, plain
from maththera.lessons.agents import question_answers
from maththera.lessons.agents.draft_texts import check_text
from maththera.lessons.agents.session_nodes import session_passed
from maththera.lessons.config import TalkKind
from maththera.lessons.content import LessonContent
from maththera.lessons.courses.course import MultipleChoice, Subjective
from maththera.lessons.explanation_turns import shown_picture
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
    attempt,
    explanation_position,
    last_message,
    outcomes,
)
from maththera.lessons.turn_context import LessonContext
from maththera.words.danger.message_safety import kept_of

Next = Literal[
    "theory_educator",
    "quiz_generator",
    "evaluation_feedback_agent",
    "qna_resolver",
    "session_manager",
    "conversation_record",
]
Write = Callable[[JsonObject], None]
NOTHING_SHOWN: Final[Mapping[str, Any]] = {}

_AFTER: Final[dict[Stage, Agent]] = {
    "session_start": "theory_educator",
    "theory_completed": "quiz_generator",
    "quiz_and_feedback_completed": "session_manager",
}
"""The agents that work when the learner wants to go on."""

_TOLD_AT_ONCE: Final = frozenset({"robot", "records", "use"})
"""Questions that are about something else than the matter."""

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
                said, update = [state["theory_draft"]], _cleared_draft("theory_draft")
                if explanation_position(state)["turn"] >= len(self._content.turns(state)):
                    said.append(words.after_theory)
                    update |= {"session_progress_stage": "theory_completed"}
            case "quiz_generator":
                said, update = [state["quiz_draft"]], _cleared_draft("quiz_draft") | {"question_open": True}
                update |= {"session_progress_stage": "theory_completed"}
            case "evaluation_feedback_agent":
                said, update = self._feedback(state)
            case "qna_resolver":
                said, update = [state["qna_draft"], self._back(state)], _cleared_draft("qna_draft")
            case _:
                said, update = self._greeting(state), Update()
        return self._speak(state, runtime, said, update, dict(self._shown(state)))

    def _back(self, state: LessonState) -> str:
        """Where the lesson goes on after an answer."""
        words, turn = self._content.words(state), self._content.open_turn(state)
        if state["question_open"]:
            return words.back_to_question
        return check_text(turn.check, words) if turn is not None and turn.check is not None else words.ready_again

    def _feedback(self, state: LessonState) -> tuple[list[str], Update]:
        """The feedback on an answer. The question stays open after a wrong first try, and after a task whose reasons
        are still to be told."""
        draft, cleared = state["feedback_draft"], _cleared_draft("feedback_draft")
        tried, question = attempt(state), self._content.question(state)
        if tried is None:
            stage = {"session_progress_stage": "quiz_and_feedback_completed"}
            return [draft, self._content.words(state).after_feedback], cleared | stage
        asked = []
        if tried["explains"] and isinstance(question, Subjective):
            asked = [f"{question.explain}\n{self._content.words(state).write.format(begin=question.begin)}"]
        return [draft, *asked], cleared | {"question_open": True}

    def _speak(
        self, state: LessonState, runtime: Runtime[LessonContext], said: list[str], update: Update,
        shown: Mapping[str, Any] = NOTHING_SHOWN,
    ) -> Command[Next]:  # fmt: skip
        """`said` reaches the learner piece by piece, what is `shown` with it ahead, and is left for the record of the
        conversation."""
        for kind, payload in shown.items():
            runtime.stream_writer({"type": kind, kind: payload})
        said = [text for text in said if text]
        for place, text in enumerate(said):
            for piece in _PIECE.findall(f"\n\n{text}" if place else text):
                runtime.stream_writer({"type": "token", "text": piece})
        stage: Stage = update.get("session_progress_stage", state["session_progress_stage"])
        now = LessonContext.of(runtime).now().isoformat()
        open_question = update.get("question_open", state["question_open"])
        spoken = [_item(text, now, stage) for text in said]
        if kept := {kind: payload for kind, payload in shown.items() if kind != "evaluation"}:
            spoken[0]["shown"] = kept
        update |= {
            "current_agent": SPEAKER,
            "previous_agent": state["current_agent"],
            "ui_mode": "quiz" if open_question else "chat",
            "spoken": spoken,
        }
        return Command(update=update, goto="conversation_record")

    def _speak_aside(self, state: LessonState, aside: Aside, runtime: Runtime[LessonContext]) -> Command[Next]:
        """Answers what has nothing to do with the lesson; neither stage nor question changes."""
        if aside["safety"]:
            runtime.stream_writer({"type": "safety", **aside["safety"]})
        waiting = {} if aside["safety"] else dict(self._waiting(state))
        command = self._speak(state, runtime, [aside["text"]], {"aside": None}, waiting)
        if aside["safety"] and isinstance(command.update, dict):
            command.update["spoken"][0]["safety"] = {"asks": aside["asks"], **kept_of(aside["safety"])}
        return command

    def _shown(self, state: LessonState) -> Iterator[tuple[str, Any]]:
        """What a page shows beside the words: the events of the same names."""
        agent, picture = state["current_agent"], state.get("picture")
        if agent == "qna_resolver" and not state["question_open"]:
            yield from self._waiting(state, picture)
        elif picture is not None and agent in ("theory_educator", "qna_resolver"):
            yield "picture", picture
        if agent == "theory_educator" and (check := self._check(state)):
            yield "check", check
        tried = attempt(state)
        if agent == "quiz_generator" or (agent == "evaluation_feedback_agent" and tried is not None):
            step = "explain" if tried is not None and tried["explains"] else "answer"
            view = quiz_questions.question_view(self._content.question(state))
            yield "quiz", view | {"hints": state["hint_usage_count"], "step": step}
        if agent == "evaluation_feedback_agent" and state["evaluation"] is not None:
            kept = ("score", "graded_by", "rule_score", "met", "missed")
            evaluation = {name: state["evaluation"][name] for name in kept}  # type: ignore[literal-required]
            task = "try" if tried and not tried["explains"] else "task" if tried else "answer"
            yield "evaluation", {"question_type": state["current_question_type"], "step": task, **evaluation}

    def _waiting(self, state: LessonState, picture: JsonObject | None = None) -> Iterator[tuple[str, Any]]:
        """The check that is still to be answered after other words, with its own picture unless these brought one."""
        turn, check = self._content.open_turn(state), self._check(state)
        own = shown_picture(self._content.picture_of(turn, state)) if turn is not None and check is not None else None
        if picture is None and check is not None and check["drawn"]:
            picture = own
        if picture is not None:
            yield "picture", picture
        if check is not None:
            yield "check", check | {"drawn": check["drawn"] and picture == own}

    def _check(self, state: LessonState) -> JsonObject | None:
        """The check that waits, and where in the explanation it stands."""
        turn = self._content.open_turn(state)
        if turn is None or turn.check is None:
            return None
        turns, now = self._content.turns(state), explanation_position(state)
        choices = [*turn.check.choices] or None
        check = {"ask": turn.check.ask, "choices": choices, "drawn": turn.check.drawn}
        return {"turn": now["turn"] + 1, "of": len(turns), **check}

    def _greeting(self, state: LessonState) -> list[str]:
        words = self._content.words(state)
        if state["finished"]:
            return [words.finished]
        chapter = self._content.chapter(state)
        names = {"chapter": chapter.chapter, "title": chapter.name or chapter.title}
        if before := outcomes(state):
            return [(words.another if before[-1]["right"] else words.again).format(**names), words.before_theory]
        hello = words.welcome if state["session_number"] == 1 else words.next_chapter
        goals = [words.objectives, *(f"- {each}" for each in chapter.objectives)] if words.objectives else []
        return [hello.format(**names), "\n".join(goals), words.before_theory]

    # --- routing --------------------------------------------------------------------------------------------------

    def _route(self, state: LessonState, runtime: Runtime[LessonContext]) -> Command[Next]:
        target = self._target_of_answer(state) if state["question_open"] else self._target(state)
        if target is None:
            return self._speak(state, runtime, [self._asked_again(state)], Update(), dict(self._waiting(state)))
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
        words, message = self._content.words(state), last_message(state)
        sense = self._content.reader.intent_of(message)
        if sense in ("rest", "pause", "greeting"):
            return {"rest": words.rest, "pause": words.pause, "greeting": words.greeting}[sense]
        talk = None if sense == "known" else self._content.messages.kinds.get(cast("TalkKind", sense))
        speech = self._content.course(state).head.speech
        if talk is not None and (replies := talk.replies.get(speech)):
            left = max(0, len(self._content.turns(state)) - 1 - explanation_position(state)["turn"])
            return replies[state["turns"] % len(replies)].format(left=left, minutes=1 + (left + 1) // 2)
        if sense == "result" and state["session_progress_stage"] == "quiz_and_feedback_completed":
            right = session_passed(self._content, state)
            question = self._content.asked_question(state)
            asked = question.question if question else ""
            return words.was_right if right else words.was_missed.format(question=asked)
        return self._what_is_awaited(state, sense)

    def _what_is_awaited(self, state: LessonState, sense: str) -> str:
        words, turn = self._content.words(state), self._content.open_turn(state)
        if not state["question_open"]:
            if turn is not None and turn.check is not None:
                return words.check_unread.format(ask=check_text(turn.check, words))
            if sense == "unclear" and numbers_in(plain(last_message(state))):
                return words.no_question_yet
            return words.hint_later if sense == "hint" else words.not_understood
        question, tried = self._content.question(state), attempt(state)
        if isinstance(question, MultipleChoice):
            message = last_message(state)
            if question.problem is not None and [one.text for one in read_expressions(message)] == [_text(question)]:
                return words.right_expression
            other = question.problem is not None and numbers_in(plain(message))
            return (words.not_among if other else words.not_a_choice).format(count=len(question.choices))
        explains = tried is not None and tried["explains"]
        return words.write.format(begin=question.begin) if explains else words.how[question.task.form]

    def _target(self, state: LessonState) -> Agent | None:
        if not self._content.has_chapter(state):
            return "session_manager"
        message, stage = last_message(state), state["session_progress_stage"]
        if self._content.reply_to_turn(state) is not None:
            return "theory_educator"
        sense, turn = self._content.reader.intent_of(message), self._content.open_turn(state)
        asks = bool(read_expressions(message)) and sense not in ("go_on", "rest", "pause", "greeting")
        asks |= "?" in message and self._content.frequent_answer(state, message) is not None
        if sense in _TOLD_AT_ONCE and not read_expressions(message):
            return None
        if asks or sense in ("question", "simpler", "example"):
            return "qna_resolver"
        if sense == "go_on" and turn is not None:
            return None  # "응" to what asks for a number
        if sense == "go_on" or (sense == "retry" and stage == "quiz_and_feedback_completed"):
            return _AFTER[stage]
        if sense == "restart":
            return "theory_educator" if stage == "session_start" else "qna_resolver"
        if sense == "known" and stage == "session_start":
            return "quiz_generator"
        return self._target_of_unclear(state) if sense == "unclear" else None

    def _target_of_unclear(self, state: LessonState) -> Agent | None:
        """The agent for words that are neither a wish nor a plain question: the quiz for an answer before its question,
        the Q&A for words of the chapter; None for any other."""
        message, chapter = last_message(state), self._content.chapter(state)
        if state["session_progress_stage"] == "theory_completed" and numbers_in(plain(message)):
            return "quiz_generator"
        if self._content.frequent_answer(state, message) is not None:
            return "qna_resolver"
        found = question_answers.answer_from_chapter(message, chapter, state["user_type"], self._content.config.qna)
        return "qna_resolver" if found is not None and found.source == "qna" else None

    def _target_of_answer(self, state: LessonState) -> Agent | None:
        """The agent for a reply to an open question. A question that the course no longer has is replaced by another;
        "I do not know" brings a hint, as long as there are any."""
        question = self._content.asked_question(state)
        if question is None:
            return "quiz_generator"
        text, reader = last_message(state), self._content.reader
        kind = state["inbox"]["kind"] if state["inbox"] else "message"
        sense = reader.intent_of(text) if kind == "message" else kind
        lost = reader.does_not_know(text) or not text.strip()
        tried = attempt(state)
        explains = tried is not None and tried["explains"]
        if sense == "hint" or (lost and not explains and state["hint_usage_count"] < len(question.hints)):
            return "quiz_generator"
        if sense == "rest":
            return None
        if explains:
            return self._target_of_explanation(state, kind)
        if kind == "message" and not self._is_scoring_answer(state, text):
            wavers = quiz_questions.names_several(text)
            asks = reader.is_question(text) or sense in ("simpler", "example", "restart")
            if sense in _TOLD_AT_ONCE and not read_expressions(text):
                return None
            if asks and not wavers and not lost:
                return "qna_resolver"
            if (sense not in ("unclear", "question") and not lost) or reader.is_go_on(text):
                return None
            if not lost and not is_gradable(question, text, reader) and self._content.frequent_answer(state, text):
                return "qna_resolver"
        readable = is_gradable(question, text, reader)
        return "evaluation_feedback_agent" if readable else None

    def _target_of_explanation(self, state: LessonState, kind: str) -> Agent | None:
        """A learner may go on without an explanation."""
        text, reader = last_message(state), self._content.reader
        if kind == "message":
            sense = reader.intent_of(text)
            if sense in ("pause", "greeting", "counting", "away"):
                return None
            if reader.is_question(text) and not reader.is_go_on(text):
                return "qna_resolver"
        return "evaluation_feedback_agent"

    def _is_scoring_answer(self, state: LessonState, text: str) -> bool:
        """Whether a message is an answer at least half right, and not a question that names what is asked."""
        evaluation = grade_answer(self._content.question(state), text, self._content.reader, self._content.words(state))
        asking = text.rstrip().endswith(("?", "？")) and self._content.reader.is_question(text)
        return evaluation["score"] > 0 and not asking


def _text(question: MultipleChoice) -> str:
    """The calculation that is asked, as expressions in messages are written."""
    read = read_expressions(question.problem or "")
    return read[0].text if read else ""


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
