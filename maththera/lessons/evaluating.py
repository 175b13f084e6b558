"""An answer judged: a choice right or wrong, a sentence by its rubric, and what is no answer at all."""

from maththera.lessons.config import Words
from maththera.lessons.courses import MultipleChoice, Question
from maththera.lessons.grading import grade_subjective
from maththera.lessons.quiz import chosen
from maththera.lessons.reading import Reader
from maththera.lessons.state import Evaluation


def evaluate(question: Question, answer: str, reader: Reader, words: Words) -> Evaluation:
    """The score is 1 or 0 for a choice, 0..100 for a sentence. Who says nothing, or does not know, gets 0 kindly."""
    missed = [] if isinstance(question, MultipleChoice) else [point.id for point in question.points]
    remark = _no_answer(answer, reader, words)
    if remark:
        return {"score": 0, "met": [], "missed": missed, "choice": None, "remark": remark}
    if isinstance(question, MultipleChoice):
        place = chosen(question, answer)
        right = place is not None and question.choices[place].key
        return {"score": int(right), "met": [], "missed": [], "choice": place, "remark": words.wrong}
    grade = grade_subjective(question, answer)
    return {
        "score": grade.score,
        "met": list(grade.met),
        "missed": list(grade.missed),
        "choice": None,
        "remark": {"copied": words.copied, "foreign": words.foreign, "orders": words.orders}.get(grade.nothing, ""),
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
