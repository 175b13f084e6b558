"""The five agents that prepare what is said; `supervisor` says it. Each writes only what `WRITES` gives it, beside the
working fields that no learner sees.
"""

from collections.abc import Callable
from datetime import datetime
from typing import Literal

from langgraph.runtime import Runtime

from maththera.lessons.agents import draft_texts, question_answers, session_nodes
from maththera.lessons.agents.model_drafts import DraftRequirements, DraftWriter
from maththera.lessons.agents.question_answers import ChapterAnswer
from maththera.lessons.content import LessonContent
from maththera.lessons.courses.answer_key_leaks import leaks_answer
from maththera.lessons.courses.course import MultipleChoice, Question, Subjective
from maththera.lessons.explanation_turns import (
    ExplanationPosition,
    Said,
    Turn,
    next_position,
    open_turn,
    shown_picture,
    turns_of,
)
from maththera.lessons.quiz import quiz_questions
from maththera.lessons.quiz.answer_grading import grade_answer, grade_explanation
from maththera.lessons.quiz.rubric_judge import RubricJudge
from maththera.lessons.quiz.task_answers import read_answer
from maththera.lessons.state import (
    Attempt,
    Decision,
    Evaluation,
    LessonState,
    Note,
    Update,
    attempt,
    explanation_position,
    last_message,
)
from maththera.lessons.turn_context import LessonContext
from maththera.store.lesson_sessions import session_id


class Agents:
    """The agents of one process, on its content."""

    def __init__(self, content: LessonContent, writer: DraftWriter) -> None:
        self.content = content
        self._writer = writer
        self._judge = RubricJudge(writer.models, content.reader, content.config.qna.asking)

    def session_manager(self, state: LessonState, runtime: Runtime[LessonContext]) -> Update:
        """Opens a session; after the feedback of one, decides how it goes on, and fixes id and end of what is then
        recorded."""
        if state["session_progress_stage"] != "quiz_and_feedback_completed":
            return {"session_progress_stage": "session_start"}
        now = LessonContext.of(runtime).now()
        return {
            "session_decision_result": self._decision(state),
            "completing": {"session_id": _session_id(state, now), "session_end_time": now.isoformat()},
        }

    def _decision(self, state: LessonState) -> Decision:
        passed = session_nodes.chapter_passed(self.content, state)
        return "proceed" if passed or state["current_session_count"] >= self.content.config.sessions.most else "retry"

    async def theory_educator(self, state: LessonState, runtime: Runtime[LessonContext]) -> Update:
        """Drafts the next turn of the explanation, with a word on what was replied to the one before."""
        words, turns, before = self.content.words(state), self.content.turns(state), explanation_position(state)
        reply = self.content.reply_to_turn(state) or "go_on"
        asked = open_turn(before, turns)
        now, said = next_position(
            before, turns, reply, heard=asked is not None and self.content.heard_again(asked, state)
        )
        turn = open_turn(now, turns)
        text = ""
        if turn is not None and said == "help" and now["helps"] > 1:
            text = draft_texts.second_help(turn, words)
        elif turn is not None:
            text = turn.again if said == "help" else turn.text
            variables = {
                "chapter": self.content.chapter(state).title,
                "explanation": text,
                "before": "\n".join(one["summary"] for one in state["recent_sessions_summary"]),
            }
            head = self.content.course(state).head
            told = await self._writer.draft(
                "theory", head, state["user_type"], variables, LessonContext.of(runtime),
                DraftRequirements(key=_check_key(turn)),
            )  # fmt: skip
            text = told or text
        shown = turn.other if turn is not None and now["helps"] == 1 else turn.picture if turn else None
        return {
            "theory_draft": draft_texts.turn_draft(text, said, asked, turn, words, now["turn"]),
            "telling": now,
            "picture": shown_picture(shown),
            "notes": [{"agent": "theory_educator", "text": _turn_note(now, len(turns), said, turn or asked)}],
        }

    async def quiz_generator(self, state: LessonState) -> Update:
        """Drafts a question, or a hint to the one that is open. Questions are the course's own, word for word: key and
        rubric belong to them."""
        gone = state["question_open"] and self.content.asked_question(state) is None
        if state["question_open"] and not gone:
            return self._hint(state)
        rules, session = self.content.config.sessions, state["current_session_count"]
        kind = quiz_questions.question_type(rules, state["user_type"], session)
        draw = f"{state['lesson_id']} {state['session_number']}"
        question = quiz_questions.choose_question(
            self.content.chapter(state), state["user_type"], kind, state["asked"], draw, self.content.told(state)
        )
        words = self.content.words(state)
        draft = quiz_questions.question_text(question, words)
        return {
            "current_question_number": question.number,
            "current_question_type": question.type,
            "hint_usage_count": 0,
            "quiz_draft": f"{words.question_changed}\n{draft}" if gone else draft,
            "asked": [*state["asked"], question.number],
            "attempt": None,
            "notes": [{"agent": "quiz_generator", "text": _drawn_note(question, state["asked"])}],
        }

    def _hint(self, state: LessonState) -> Update:
        words, hints, used = self.content.words(state), self.content.question(state).hints, state["hint_usage_count"]
        if used >= len(hints):
            return {"quiz_draft": words.no_more_hints}
        draft = words.hint.format(number=used + 1, hint=hints[used])
        if self.content.reader.does_not_know(last_message(state)):
            draft = f"{words.does_not_know}\n{draft}"
        note = f"hint {used + 1} of {len(hints)}"
        return {"hint_usage_count": used + 1, "quiz_draft": draft, "notes": [{"agent": "quiz_generator", "text": note}]}

    async def evaluation_feedback_agent(self, state: LessonState, runtime: Runtime[LessonContext]) -> Update:
        """Judges the answer and drafts the feedback, within one budget. The first try counts. After a wrong
        one the learner tries once more; then the answer is told. A task ends when the learner has explained it."""
        question, words, answer = self.content.question(state), self.content.words(state), last_message(state)
        before = attempt(state)
        if isinstance(question, Subjective) and before is not None and before["explains"]:
            return await self._explained(question, before, state, runtime)
        evaluation = grade_answer(question, answer, self.content.reader, words)
        first = before["first"] if before else evaluation
        answers = [*(before["answers"] if before else ()), answer]
        if isinstance(question, MultipleChoice):
            tried = before is None and evaluation["choice"] is not None and not evaluation["score"]
            again = tried
        else:
            tried = read_answer(question.task, answer) is not None
            again = before is None and evaluation["score"] < draft_texts.FULL
        if tried:
            return {
                "current_question_answer": "\n".join(answers),
                "is_answer_correct": first["score"],
                "feedback_draft": draft_texts.try_feedback(question, evaluation, answer, words, again=again),
                "evaluation": evaluation,
                "attempt": {"first": first, "answers": answers, "explains": not again},
                "notes": [_graded_note(evaluation, len(answers))],
            }
        notes = draft_texts.answer_feedback(question, evaluation, state["user_type"], words, second=before is not None)
        update = await self._judged(question, evaluation, "\n".join(answers), notes, state, runtime)
        return update | {"is_answer_correct": first["score"], "evaluation": first}

    async def _explained(
        self, question: Subjective, before: Attempt, state: LessonState, runtime: Runtime[LessonContext]
    ) -> Update:
        """Grade an explanation and word the feedback. A model words it only where a model graded; our own words praise
        nothing."""
        words, answer = self.content.words(state), last_message(state)
        budget = LessonContext.of(runtime).budget(self._writer.rules.seconds)
        by_rules = grade_explanation(question, answer, before["first"]["score"], self.content.reader, words)
        evaluation = await self._judge.grade(question, answer, by_rules, budget)
        claim = self.content.reader.false_claim(answer)
        notes = draft_texts.explanation_feedback(question, evaluation, claim, state["user_type"], words)
        told = "\n".join([*before["answers"], answer])
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
        found = None if held_back else await self._answer(state, message, runtime)
        draft = words.keeps_key if found is None else found.text
        if state["question_open"] and question_answers.tells_key(
            draft, self.content.question(state), self.content.config.qna
        ):
            draft, found = words.keeps_key, None
        opened = await LessonContext.of(runtime).open_answers(state["lesson_id"])
        if self.content.open_answers.tells_any(draft, opened, message):
            draft, found = words.keeps_task, None
        source = found.source if found else "held back"
        return {
            "qna_draft": draft,
            "picture": shown_picture(found.picture) if found else None,
            "notes": [{"agent": "qna_resolver", "text": f"answered from: {source}"}],
        }

    async def _answer(self, state: LessonState, message: str, runtime: Runtime[LessonContext]) -> ChapterAnswer:
        """From the course where it has the answer, from the strategies where a calculation is asked about, else by a
        model; without one, what is nearest."""
        chapter, words = self.content.chapter(state), self.content.words(state)
        rules, answered = self.content.config.qna, state["session_progress_stage"] == "quiz_and_feedback_completed"
        sense = self.content.reader.intent_of(message)
        if (ready := self._ready_answer(state, sense)) is not None:
            return ready
        vague = not question_answers.names_topic(message, rules, answered=answered)
        frequent = self.content.frequent_answer(state, message)
        found = ChapterAnswer("qna", frequent) if frequent is not None else None
        if found is None and not vague:
            found = question_answers.answer_from_chapter(message, chapter, state["user_type"], rules)
        here = self._about_open_step(state)
        turn = self.content.open_turn(state)
        if here is not None and turn is not None and question_answers.names_step(message, turn):
            return here
        head = self.content.course(state).head
        known = found if found is not None and found.source == "qna" else None
        if head.kind == "arithmetic":
            known = question_answers.of_arithmetic(message, known, words)
        if known is not None:
            return known
        variables = {
            "chapter": chapter.title,
            "explanation": "\n\n".join(
                [*([here.text] if here else []), draft_texts.whole_explanation(chapter, state["user_type"])]
            ),
            "question": message,
        }
        draft = await self._writer.draft(
            "qna", head, state["user_type"], variables, LessonContext.of(runtime),
            DraftRequirements(key=self._open_key(state)),
        )  # fmt: skip
        if draft is not None:
            return ChapterAnswer("model", draft)
        if here is not None:
            return here
        if vague or found is None or state["question_open"]:
            found = self._ready_answer(state, "simpler") or found
        if found is not None:
            return found
        examples = "\n".join(f"- {each}" for each in question_answers.example_questions(chapter, rules))
        return ChapterAnswer("nothing", f"{words.say_more if vague else words.cannot_answer}\n{examples}")

    def _about_open_step(self, state: LessonState) -> ChapterAnswer | None:
        """What is said of the step whose check waits; None where none waits."""
        turn = self.content.open_turn(state)
        if turn is None or turn.check is None:
            return None
        picture, words = self.content.picture_of(turn, state), self.content.words(state)
        heard = explanation_position(state)["helps"] > 0 or self.content.heard_again(turn, state)
        return question_answers.about_step(turn, picture, words, heard=heard)

    def _ready_answer(self, state: LessonState, sense: str) -> ChapterAnswer | None:
        """What shows the matter at hand in another way, or does another calculation of the chapter; of matter that no
        chapter tells, that it is so."""
        chapter, turn = self.content.chapter(state), self.content.open_turn(state)
        arithmetic = self.content.course(state).head.kind == "arithmetic"
        if arithmetic and question_answers.is_of_other_lessons(last_message(state)):
            return ChapterAnswer("nothing", self.content.words(state).other_lessons)
        if sense == "example":
            return question_answers.another_example(chapter, state["asked"], self.content.words(state))
        if sense != "simpler":
            return None
        words = self.content.words(state)
        if turn is not None:
            return ChapterAnswer("turn", f"{words.check_help}\n{turn.again}", turn.other)
        question, told = self.content.asked_question(state), explanation_position(state)["missed"][-1:]
        pointed = question.paragraphs if question else told or self.content.told(state)
        paragraph = next((one for one in chapter.explanation.of(state["user_type"]) if one.id in pointed), None)
        if paragraph is None:
            return None
        again = next(turns_of(paragraph, again=True))
        return ChapterAnswer("paragraph", f"{words.found_in_text}\n{again.text}", again.picture)

    def _open_key(self, state: LessonState) -> Callable[[str], bool] | None:
        """A test whether a text gives away the key of the open question; None if no question is open."""
        question = self.content.asked_question(state) if state["question_open"] else None
        return None if question is None else lambda text: leaks_answer(text, question)


def _session_id(state: LessonState, now: datetime) -> str:
    return session_id(state["user_id"], state["current_chapter"], state["current_session_count"], now)


def _closed_question(evaluation: Evaluation, answer: str, feedback: str) -> Update:
    """The update that closes an answered question."""
    return {
        "current_question_answer": answer,
        "is_answer_correct": evaluation["score"],
        "feedback_draft": feedback,
        "evaluation": evaluation,
        "attempt": None,
        "notes": [_graded_note(evaluation, 1 + answer.count("\n"))],
    }


def _check_key(turn: Turn) -> Callable[[str], bool] | None:
    """Whether a text gives away what the check after it asks."""
    if turn.check is None or str(turn.check.key) in turn.text:
        return None
    key = str(turn.check.key)
    return lambda text: key in text


def _turn_note(now: ExplanationPosition, count: int, said: Said, turn: Turn | None) -> str:
    return f"turn {min(now['turn'] + 1, count)} of {count}: {turn.paragraph if turn else ''}; {said}"


def _drawn_note(question: Question, asked: list[int]) -> str:
    return f"question {question.number}, {question.type}; asked before: {asked}"


def _graded_note(evaluation: Evaluation, tries: int) -> Note:
    text = f"try {tries}: {evaluation['score']} by {evaluation['graded_by']}"
    return {"agent": "evaluation_feedback_agent", "text": text}


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
