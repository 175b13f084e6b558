"""Grades the answer to a choice or a task; a message that is no answer is asked for once more."""

from maththera.lessons.config import Words
from maththera.lessons.courses.course import MultipleChoice, Question, Subjective
from maththera.lessons.courses.tasks import score_of_task
from maththera.lessons.quiz.message_intents import MessageReader
from maththera.lessons.quiz.own_text import own_text
from maththera.lessons.quiz.quiz_questions import chosen_place
from maththera.lessons.quiz.task_answers import read_answer
from maththera.lessons.state import Evaluation


def grade_answer(question: Question, answer: str, reader: MessageReader, words: Words) -> Evaluation:
    """The score is 1 or 0 for a choice, 0..100 for a task. An empty answer or "모르겠어" gets 0 and a kind word."""
    remark = _non_answer_remark(answer, reader, words)
    if isinstance(question, MultipleChoice):
        place = None if remark else chosen_place(question, answer)
        right = place is not None and question.choices[place].key
        return _by_rules(int(right), choice=place, remark=remark or words.wrong)
    given = None if remark else read_answer(question.task, answer)
    return _by_rules(score_of_task(question.task, given) if given else 0, remark=remark)


def grade_explanation(
    question: Subjective, answer: str, task_score: int, reader: MessageReader, words: Words
) -> Evaluation:
    """The explanation that follows a task: rules leave it at what the task was worth. What is no try at one leaves a
    remark."""
    nothing = own_text(question.explain, answer, reader.reading.orders).nothing
    remarks = {"copied": words.copied, "foreign": words.foreign, "orders": words.orders}
    skipped = words.skipped if reader.is_go_on(answer) else ""
    return _by_rules(
        task_score, remark=_non_answer_remark(answer, reader, words) or skipped or remarks.get(nothing, "")
    )


def _by_rules(score: int, choice: int | None = None, remark: str = "") -> Evaluation:
    return {
        "score": score,
        "graded_by": "rules",
        "rule_score": score,
        "met": [],
        "missed": [],
        "choice": choice,
        "remark": remark,
    }


def is_gradable(question: Question, answer: str, reader: MessageReader) -> bool:
    """Whether an answer can be graded; else it is asked for once more."""
    if not answer.strip() or reader.does_not_know(answer):
        return True
    if isinstance(question, MultipleChoice):
        return chosen_place(question, answer) is not None
    return read_answer(question.task, answer) is not None


def _non_answer_remark(answer: str, reader: MessageReader, words: Words) -> str:
    if not answer.strip():
        return words.empty
    return words.does_not_know if reader.does_not_know(answer) else ""
