"""An answer judged: a choice or a task right or wrong, an explanation by its rubric, and what is no answer at all."""

from collections.abc import Sequence

from maththera.lessons.config import Words
from maththera.lessons.courses import MultipleChoice, Question, Subjective
from maththera.lessons.grading import grade_words
from maththera.lessons.quiz import chosen
from maththera.lessons.reading import Reader
from maththera.lessons.state import Evaluation
from maththera.lessons.task_answers import read_answer
from maththera.lessons.tasks import score_of_task


def evaluate(question: Question, answer: str, reader: Reader, words: Words) -> Evaluation:
    """The score is 1 or 0 for a choice, 0..100 for a task. Who says nothing, or does not know, gets 0 kindly."""
    remark = _no_answer(answer, reader, words)
    if isinstance(question, MultipleChoice):
        place = None if remark else chosen(question, answer)
        right = place is not None and question.choices[place].key
        return _by_rules(int(right), choice=place, remark=remark or words.wrong)
    given = None if remark else read_answer(question.task, answer)
    return _by_rules(score_of_task(question.task, given) if given else 0, remark=remark)


def evaluate_words(question: Subjective, answer: str, reader: Reader, words: Words) -> Evaluation:
    """The explanation that follows a task. What is no try at one leaves a remark."""
    remark = _no_answer(answer, reader, words) or (words.skipped if reader.goes_on(answer) else "")
    if remark:
        return _by_rules(0, missed=[point.id for point in question.points], remark=remark)
    grade = grade_words(question, answer)
    remark = {"copied": words.copied, "foreign": words.foreign, "orders": words.orders}.get(grade.nothing, "")
    return _by_rules(grade.score, met=grade.met, missed=[*grade.denied, *grade.open], remark=remark)


def _by_rules(
    score: int, met: Sequence[str] = (), missed: Sequence[str] = (), choice: int | None = None, remark: str = ""
) -> Evaluation:
    return {
        "score": score,
        "graded_by": "rules",
        "rule_score": score,
        "met": [*met],
        "missed": [*missed],
        "choice": choice,
        "remark": remark,
    }


def understandable(question: Question, answer: str, reader: Reader) -> bool:
    """Whether an answer can be judged; what nobody can tell is asked for once more."""
    if not answer.strip() or reader.does_not_know(answer):
        return True
    if isinstance(question, MultipleChoice):
        return chosen(question, answer) is not None
    return read_answer(question.task, answer) is not None


def _no_answer(answer: str, reader: Reader, words: Words) -> str:
    if not answer.strip():
        return words.empty
    return words.does_not_know if reader.does_not_know(answer) else ""
