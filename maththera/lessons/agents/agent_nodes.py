"""The five agents that prepare what is said; `supervisor` says it. Each writes only what `WRITES` gives it, beside the
working fields that no learner sees.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Literal

from langgraph.runtime import Runtime

from maththera.lessons.agents import draft_texts, question_answers
from maththera.lessons.agents.model_drafts import DraftRequirements, DraftWriter
from maththera.lessons.content import LessonContent, find_question
from maththera.lessons.courses.answer_key_leaks import leaks_answer
from maththera.lessons.courses.course import MultipleChoice, Question, Subjective
from maththera.lessons.quiz import quiz_questions
from maththera.lessons.quiz.answer_grading import grade_answer, grade_explanation
from maththera.lessons.quiz.rubric_judge import RubricJudge
from maththera.lessons.quiz.task_answers import read_answer
from maththera.lessons.state import Decision, Evaluation, Explaining, LessonState, Update, explaining, last_message
from maththera.lessons.turn_context import LessonContext
from maththera.store.lesson_sessions import session_id


class Agents:
    """The agents of one process, on its content."""

    def __init__(self, content: LessonContent, writer: DraftWriter) -> None:
        self.content = content
        self._writer = writer
        self._judge = RubricJudge(writer.models, content.reader, content.config.qna.asking)

    def session_manager(self, state: LessonState, runtime: Runtime[LessonContext]) -> Update:
        """Opens a session; behind the feedback of one, decides how it goes on, and fixes id and end of what is then
        recorded."""
        if state["session_progress_stage"] != "quiz_and_feedback_completed":
            return {"session_progress_stage": "session_start"}
        now = LessonContext.of(runtime).now()
        return {
            "session_decision_result": self._decision(state),
            "completing": {"session_id": _session_id(state, now), "session_end_time": now.isoformat()},
        }

    def _decision(self, state: LessonState) -> Decision:
        sessions, kind = self.content.config.sessions, state["current_question_type"]
        passed = kind != "" and state["is_answer_correct"] >= sessions.passed[kind]
        return "proceed" if passed or state["current_session_count"] >= sessions.most else "retry"

    async def theory_educator(self, state: LessonState, runtime: Runtime[LessonContext]) -> Update:
        """Drafts the explanation; what the last session stumbled over comes first."""
        chapter = self.content.chapter(state)
        stumbled = self._missed_question(state)
        again = stumbled.paragraphs if stumbled else ()
        told = draft_texts.theory_draft(chapter, state["user_type"], again, self.content.words(state))
        variables = {
            "chapter": chapter.title,
            "explanation": told,
            "before": "\n".join(one["summary"] for one in state["recent_sessions_summary"]),
        }
        draft = await self._writer.draft(
            "theory", self.content.course(state).head, state["user_type"], variables, LessonContext.of(runtime)
        )
        return {"theory_draft": draft or told}

    def _missed_question(self, state: LessonState) -> Question | None:
        """The question that was missed, if the chapter is repeated because of it."""
        if state["current_session_count"] == 1 or not state["asked"]:
            return None
        return find_question(self.content.course(state), state["current_chapter"], state["asked"][-1])

    async def quiz_generator(self, state: LessonState) -> Update:
        """Drafts a question, or a hint to the one that is open. Questions are the course's own, word for word: key and
        rubric belong to them."""
        gone = state["question_open"] and self.content.asked_question(state) is None
        if state["question_open"] and not gone:
            return self._hint(state)
        kind = quiz_questions.question_type(self.content.config.sessions, state["user_type"], state["session_number"])
        draw = f"{state['lesson_id']} {state['session_number']}"
        question = quiz_questions.choose_question(
            self.content.chapter(state), state["user_type"], kind, state["asked"], draw
        )
        words = self.content.words(state)
        draft = quiz_questions.question_text(question, words)
        return {
            "current_question_number": question.number,
            "current_question_type": question.type,
            "hint_usage_count": 0,
            "quiz_draft": f"{words.question_changed}\n{draft}" if gone else draft,
            "asked": [*state["asked"], question.number],
            "explaining": None,
        }

    def _hint(self, state: LessonState) -> Update:
        words, hints, used = self.content.words(state), self.content.question(state).hints, state["hint_usage_count"]
        if used >= len(hints):
            return {"quiz_draft": words.no_more_hints}
        draft = words.hint.format(number=used + 1, hint=hints[used])
        return {"hint_usage_count": used + 1, "quiz_draft": draft}

    async def evaluation_feedback_agent(self, state: LessonState, runtime: Runtime[LessonContext]) -> Update:
        """Judges the answer and drafts the feedback, within one budget. Behind a task an explanation is waited for, and
        only then the question is over."""
        question, words, answer = self.content.question(state), self.content.words(state), last_message(state)
        before = explaining(state)
        if isinstance(question, Subjective) and before is not None:
            return await self._explained(question, before, state, runtime)
        evaluation = grade_answer(question, answer, self.content.reader, words)
        if isinstance(question, Subjective) and (given := read_answer(question.task, answer)) is not None:
            return {
                "current_question_answer": answer,
                "is_answer_correct": evaluation["score"],
                "feedback_draft": draft_texts.task_feedback(question.task, given, words),
                "evaluation": evaluation,
                "explaining": {"score": evaluation["score"], "answer": answer},
            }
        notes = draft_texts.answer_feedback(question, evaluation, state["user_type"], words)
        return await self._judged(question, evaluation, answer, notes, state, runtime)

    async def _explained(
        self, question: Subjective, before: Explaining, state: LessonState, runtime: Runtime[LessonContext]
    ) -> Update:
        """Grade an explanation and word the feedback. A model words it only where a model graded; our own words praise
        nothing."""
        words, answer = self.content.words(state), last_message(state)
        budget = LessonContext.of(runtime).budget(self._writer.rules.seconds)
        by_rules = grade_explanation(question, answer, before["score"], self.content.reader, words)
        evaluation = await self._judge.grade(question, answer, by_rules, budget)
        claim = self.content.reader.false_claim(answer)
        notes = draft_texts.explanation_feedback(question, evaluation, claim, state["user_type"], words)
        told = "\n".join([before["answer"], answer])
        if evaluation["graded_by"] == "rules":
            return _closed_question(evaluation, told, notes)
        return await self._judged(question, evaluation, told, notes, state, runtime)

    async def _judged(  # noqa: PLR0913 - all that is known of a question that is over
        self, question: Question, evaluation: Evaluation, answer: str, notes: str, state: LessonState,
        runtime: Runtime[LessonContext],
    ) -> Update:  # fmt: skip
        variables = {
            "question": question.question,
            "answer": answer,
            "result": _result(question, evaluation),
            "notes": notes,
        }
        draft = await self._writer.draft(
            "feedback", self.content.course(state).head, state["user_type"], variables, LessonContext.of(runtime),
            DraftRequirements(verdict=_verdict(question, evaluation)),
        )  # fmt: skip
        return _closed_question(evaluation, answer, draft or notes)

    async def qna_resolver(self, state: LessonState, runtime: Runtime[LessonContext]) -> Update:
        """Drafts the answer to a question; while a question of the lesson is open, never what answers that one."""
        words, message = self.content.words(state), last_message(state)
        held_back = state["question_open"] and self.content.reader.asks_for_key(message)
        draft = words.keeps_key if held_back else await self._answer(state, message, runtime)
        if state["question_open"] and question_answers.tells_key(
            draft, self.content.question(state), self.content.config.qna
        ):
            draft = words.keeps_key
        opened = await LessonContext.of(runtime).open_answers(state["lesson_id"])
        if any(self.content.open_answers.tells(draft, one, message) for one in opened):
            draft = words.keeps_task
        return {"qna_draft": draft}

    async def _answer(self, state: LessonState, message: str, runtime: Runtime[LessonContext]) -> str:
        chapter, words = self.content.chapter(state), self.content.words(state)
        rules, answered = self.content.config.qna, state["session_progress_stage"] == "quiz_and_feedback_completed"
        vague = not question_answers.names_topic(message, rules, answered=answered)
        found = None if vague else question_answers.answer_from_chapter(message, chapter, state["user_type"], rules)
        if found is not None and found.source == "qna":
            return found.text
        head = self.content.course(state).head
        if (head.kind, head.speech) == ("arithmetic", "casual") and (solved := question_answers.solution_of(message)):
            return f"{words.found_in_text}\n{solved}"
        variables = {
            "chapter": chapter.title,
            "explanation": draft_texts.theory_draft(chapter, state["user_type"], (), words),
            "question": message,
        }
        draft = await self._writer.draft(
            "qna", self.content.course(state).head, state["user_type"], variables, LessonContext.of(runtime),
            DraftRequirements(key=self._open_key(state)),
        )  # fmt: skip
        if draft is not None:
            return draft
        if vague and answered:
            found = self._ready_answer(state)
        if found is not None:
            return f"{words.found_in_text}\n{found.text}"
        examples = "\n".join(f"- {each}" for each in question_answers.example_questions(chapter, rules))
        return f"{words.say_more if vague else words.cannot_answer}\n{examples}"

    def _open_key(self, state: LessonState) -> Callable[[str], bool] | None:
        """Whether a text gives away what the question asks that waits for its answer; None where none waits."""
        question = self.content.asked_question(state) if state["question_open"] else None
        return None if question is None else lambda text: leaks_answer(text, question)

    def _ready_answer(self, state: LessonState) -> question_answers.ChapterAnswer | None:
        """What a bare "why?" or "I don't get it" behind a feedback is about: the question's part of the explanation."""
        chapter, question = self.content.chapter(state), self.content.asked_question(state)
        if question is None:
            return None
        told = [one for one in chapter.explanation.of(state["user_type"]) if one.id in question.paragraphs]
        return question_answers.ChapterAnswer("paragraph", told[0].text.strip())


def _session_id(state: LessonState, now: datetime) -> str:
    return session_id(state["user_id"], state["current_chapter"], state["current_session_count"], now)


def _closed_question(evaluation: Evaluation, answer: str, feedback: str) -> Update:
    """The update that closes an answered question."""
    return {
        "current_question_answer": answer,
        "is_answer_correct": evaluation["score"],
        "feedback_draft": feedback,
        "evaluation": evaluation,
        "explaining": None,
    }


def _verdict(question: Question, evaluation: Evaluation) -> Literal["right", "wrong"] | None:
    """What a feedback must say of an answer; nothing of one that has some of the points."""
    full = 1 if isinstance(question, MultipleChoice) else 100
    if evaluation["score"] not in (0, full):
        return None
    return "right" if evaluation["score"] else "wrong"


def _result(question: Question, evaluation: Evaluation) -> str:
    if isinstance(question, MultipleChoice):
        return "맞음" if evaluation["score"] else "틀림"
    return f"100점 가운데 {evaluation['score']}점"
