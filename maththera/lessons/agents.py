"""The five agents that prepare what is said; `supervisor` says it. Each writes only what `WRITES` gives it, beside the
working fields that no learner sees.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Literal

from langgraph.runtime import Runtime

from maththera.learners.lessons import session_id
from maththera.lessons import drafts, questions, quiz
from maththera.lessons.content import LessonContent, find_question
from maththera.lessons.context import LessonContext
from maththera.lessons.courses import MultipleChoice, Question, Subjective
from maththera.lessons.evaluating import evaluate, evaluate_words
from maththera.lessons.judging import Judge
from maththera.lessons.keys import gives_away
from maththera.lessons.state import Decision, Evaluation, Explaining, LessonState, Update, asked_for, explaining
from maththera.lessons.task_answers import read_answer
from maththera.lessons.writing import Must, Writer


class Agents:
    """The agents of one process, on its content."""

    def __init__(self, content: LessonContent, writer: Writer) -> None:
        self.content = content
        self._writer = writer
        self._judge = Judge(writer.models, content.config.qna.asking)

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
        stumbled = self._stumbled(state)
        again = stumbled.paragraphs if stumbled else ()
        told = drafts.theory(chapter, state["user_type"], again, self.content.words(state))
        variables = {
            "chapter": chapter.title,
            "explanation": told,
            "before": "\n".join(one["summary"] for one in state["recent_sessions_summary"]),
        }
        draft = await self._writer.draft(
            "theory", self.content.course(state).head, state["user_type"], variables, LessonContext.of(runtime)
        )
        return {"theory_draft": draft or told}

    def _stumbled(self, state: LessonState) -> Question | None:
        """The question after which this chapter is gone through again."""
        if state["current_session_count"] == 1 or not state["asked"]:
            return None
        return find_question(self.content.course(state), state["current_chapter"], state["asked"][-1])

    async def quiz_generator(self, state: LessonState) -> Update:
        """Drafts a question, or a hint to the one that is open. Questions are the course's own, word for word: key and
        rubric belong to them."""
        gone = state["question_open"] and self.content.asked_question(state) is None
        if state["question_open"] and not gone:
            return self._hint(state)
        kind = quiz.question_type(self.content.config.sessions, state["user_type"], state["session_number"])
        draw = f"{state['lesson_id']} {state['session_number']}"
        question = quiz.choose(self.content.chapter(state), state["user_type"], kind, state["asked"], draw)
        words = self.content.words(state)
        draft = quiz.written(question, words)
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
        question, words, answer = self.content.question(state), self.content.words(state), asked_for(state)
        before = explaining(state)
        if isinstance(question, Subjective) and before is not None:
            return await self._explained(question, before, state, runtime)
        evaluation = evaluate(question, answer, self.content.reader, words)
        if isinstance(question, Subjective) and (given := read_answer(question.task, answer)) is not None:
            return {
                "current_question_answer": answer,
                "is_answer_correct": evaluation["score"],
                "feedback_draft": drafts.on_task(question.task, given, words),
                "evaluation": evaluation,
                "explaining": {"score": evaluation["score"], "answer": answer, "again": False},
            }
        return await self._judged(question, evaluation, answer, 0, state, runtime)

    async def _explained(
        self, question: Subjective, before: Explaining, state: LessonState, runtime: Runtime[LessonContext]
    ) -> Update:
        """Adds points to what the task was worth, and takes none away. What nobody can tell is asked for once more."""
        words, answer = self.content.words(state), asked_for(state)
        budget = LessonContext.of(runtime).budget(self._writer.rules.seconds)
        by_rules = evaluate_words(question, answer, self.content.reader, words)
        evaluation = await self._judge.judged(question, answer, by_rules, budget)
        unclear = not evaluation["met"] and not evaluation["remark"] and evaluation["graded_by"] == "rules"
        if unclear and not before["again"]:
            draft = words.say_again.format(begin=question.begin)
            return {"feedback_draft": draft, "explaining": {**before, "again": True}}
        evaluation["score"] = max(before["score"], evaluation["score"])
        evaluation["rule_score"] = max(before["score"], evaluation["rule_score"])
        told = "\n".join([before["answer"], answer])
        return await self._judged(question, evaluation, told, before["score"], state, runtime)

    async def _judged(  # noqa: PLR0913 - all that is known of a question that is over
        self, question: Question, evaluation: Evaluation, answer: str, task_score: int, state: LessonState,
        runtime: Runtime[LessonContext],
    ) -> Update:  # fmt: skip
        words = self.content.words(state)
        context = LessonContext.of(runtime)
        notes = drafts.feedback(question, evaluation, state["user_type"], words, task_score)
        variables = {
            "question": question.question,
            "answer": answer,
            "result": _result(question, evaluation),
            "notes": notes,
        }
        draft = await self._writer.draft(
            "feedback", self.content.course(state).head, state["user_type"], variables, context,
            Must(verdict=_verdict(question, evaluation)),
        )  # fmt: skip
        return {
            "current_question_answer": answer,
            "is_answer_correct": evaluation["score"],
            "feedback_draft": draft or notes,
            "evaluation": evaluation,
            "explaining": None,
        }

    async def qna_resolver(self, state: LessonState, runtime: Runtime[LessonContext]) -> Update:
        """Drafts the answer to a question; while a question of the lesson is open, never what answers that one."""
        words, message = self.content.words(state), asked_for(state)
        held_back = state["question_open"] and self.content.reader.asks_for_key(message)
        draft = words.keeps_key if held_back else await self._answer(state, message, runtime)
        if state["question_open"] and questions.tells(draft, self.content.question(state)):
            draft = words.keeps_key
        opened = await LessonContext.of(runtime).open_answers(state["lesson_id"])
        if any(self.content.open_answers.tells(draft, one, message) for one in opened):
            draft = words.keeps_task
        return {"qna_draft": draft}

    async def _answer(self, state: LessonState, message: str, runtime: Runtime[LessonContext]) -> str:
        chapter, words = self.content.chapter(state), self.content.words(state)
        rules, answered = self.content.config.qna, state["session_progress_stage"] == "quiz_and_feedback_completed"
        vague = not questions.has_matter(message, rules, answered=answered)
        found = None if vague else questions.answer(message, chapter, state["user_type"], rules)
        if found is not None and found.source == "qna":
            return found.text
        variables = {
            "chapter": chapter.title,
            "explanation": drafts.theory(chapter, state["user_type"], (), words),
            "question": message,
        }
        draft = await self._writer.draft(
            "qna", self.content.course(state).head, state["user_type"], variables, LessonContext.of(runtime),
            Must(key=self._open_key(state)),
        )  # fmt: skip
        if draft is not None:
            return draft
        if vague and answered:
            found = self._at_hand(state)
        if found is not None:
            return f"{words.found_in_text}\n{found.text}"
        examples = "\n".join(f"- {each}" for each in questions.examples(chapter, rules))
        return f"{words.say_more if vague else words.cannot_answer}\n{examples}"

    def _open_key(self, state: LessonState) -> Callable[[str], bool] | None:
        """Whether a text gives away what the question asks that waits for its answer; None where none waits."""
        question = self.content.asked_question(state) if state["question_open"] else None
        return None if question is None else lambda text: gives_away(text, question)

    def _at_hand(self, state: LessonState) -> questions.Answer | None:
        """What a bare "why?" or "I don't get it" behind a feedback is about: the question's part of the explanation."""
        chapter, question = self.content.chapter(state), self.content.asked_question(state)
        if question is None:
            return None
        told = [one for one in chapter.explanation.of(state["user_type"]) if one.id in question.paragraphs]
        return questions.Answer("paragraph", told[0].text.strip())


def _session_id(state: LessonState, now: datetime) -> str:
    return session_id(state["user_id"], state["current_chapter"], state["current_session_count"], now)


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
