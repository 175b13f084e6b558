"""Learners' questions, answered from a chapter: its frequent questions, then its explanation. No model is needed."""

from dataclasses import dataclass
from functools import lru_cache
from typing import Final, Literal

from maththera.arithmetic.problem import parse_expression
from maththera.korean.morphemes import morphemes
from maththera.korean.spelling import usual
from maththera.lessons.config import Qna
from maththera.lessons.courses import Chapter, MultipleChoice, Question, Subjective, UserType
from maththera.lessons.grading import points_said
from maththera.lessons.keys import gives_away
from maththera.lessons.tasks import Number, solution
from maththera.words.open_answers import OpenAnswer

_MEANING: Final = frozenset({"NNG", "NNP", "NR", "VV", "VA", "XR", "SL", "SN", "MAG"})


@dataclass(frozen=True, slots=True)
class Answer:
    """`source`: the frequent question or the paragraph that it comes from."""

    source: Literal["qna", "paragraph"]
    text: str


def answer(message: str, chapter: Chapter, user_type: UserType, rules: Qna) -> Answer | None:
    """None when the chapter does not tell."""
    asked = _matter(usual(message), rules.asking)
    if not asked:
        return None
    share, text = max(
        (max(_alike(asked, _matter(ask, rules.asking)) for ask in one.ask), one.answer) for one in chapter.qna
    )
    if share >= rules.alike:
        return Answer("qna", text)
    paragraphs = chapter.explanation.of(user_type)
    told, place = max(
        (len(asked & _matter(each.text, rules.asking)) / len(asked), -place) for place, each in enumerate(paragraphs)
    )
    return Answer("paragraph", paragraphs[-place].text.strip()) if told >= rules.told else None


def has_matter(message: str, rules: Qna, *, answered: bool) -> bool:
    """Whether a question says what it is about. `answered`: a question of the lesson was, just before."""
    return bool(_matter(message, rules.asking) - (rules.about_answer if answered else frozenset()))


def tells(text: str, question: Question) -> bool:
    """Whether a text gives away what the question asks."""
    return gives_away(text, question) or (isinstance(question, Subjective) and bool(points_said(question, text)))


def open_answer(question: Question) -> OpenAnswer:
    """What a question asks for: the number of its key, with those of its problem; else the words of its answer."""
    if not isinstance(question, MultipleChoice):
        task = question.task
        if isinstance(task, Number):
            return OpenAnswer(task.key, text=str(task.key), question=question.question)
        return OpenAnswer(None, text=solution(task), question=question.question)
    if question.problem is not None:
        a, _, b = parse_expression(question.problem)
        return OpenAnswer(question.key.number, (a, b))
    return OpenAnswer(question.key.number, text=question.key.text, question=question.question)


def examples(chapter: Chapter, rules: Qna) -> list[str]:
    """Questions that can be answered."""
    return [one.ask[0] for one in chapter.qna[: rules.examples]]


def _alike(asked: frozenset[str], known: frozenset[str]) -> float:
    return 2 * len(asked & known) / (len(asked) + len(known)) if known else 0.0


@lru_cache(maxsize=4096)
def _matter(text: str, asking: frozenset[str]) -> frozenset[str]:
    return frozenset(each.form for each in morphemes(text.lower()) if each.tag in _MEANING) - asking
