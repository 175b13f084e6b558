"""An answer judged: a choice right or wrong, a sentence by its rubric, and what is no answer at all."""

from collections.abc import Sequence

from maththera.lessons.config import Words
from maththera.lessons.courses import MultipleChoice, Question
from maththera.lessons.grading import grade_subjective
from maththera.lessons.quiz import chosen
from maththera.lessons.reading import Reader
from maththera.lessons.state import Evaluation


def evaluate(question: Question, answer: str, reader: Reader, words: Words) -> Evaluation:
    """The score is 1 or 0 for a choice, 0..100 for a sentence. Who says nothing, or does not know, gets 0 kindly."""
    remark = _no_answer(answer, reader, words)
    if isinstance(question, MultipleChoice):
        place = None if remark else chosen(question, answer)
        right = place is not None and question.choices[place].key
        return _by_rules(int(right), choice=place, remark=remark or words.wrong)
    if remark:
        return _by_rules(0, missed=[point.id for point in question.points], remark=remark)
    grade = grade_subjective(question, answer)
    remark = {"copied": words.copied, "foreign": words.foreign, "orders": words.orders}.get(grade.nothing, "")
    return _by_rules(grade.score, met=grade.met, missed=grade.missed, remark=remark)


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
    """Whether an answer can be judged; a choice that nobody can tell is asked for once more."""
    if not isinstance(question, MultipleChoice):
        return True
    return not answer.strip() or reader.does_not_know(answer) or chosen(question, answer) is not None


def _no_answer(answer: str, reader: Reader, words: Words) -> str:
    if not answer.strip():
        return words.empty
    return words.does_not_know if reader.does_not_know(answer) else ""
