"""Questions as they are put: which one, how it looks, and which choice an answer means."""

import re
import zlib
from collections.abc import Collection
from typing import Any, Final

from maththera.lessons.config import Sessions, Words
from maththera.lessons.courses import Chapter, MultipleChoice, Question, QuestionType, UserType

_CIRCLED: Final = "①②③④⑤⑥⑦⑧⑨"
_PLACE: Final = re.compile(rf"([1-9])\s*번?|([{_CIRCLED}])|([1-9])\s*번\D.*", re.DOTALL)


def question_type(sessions: Sessions, user_type: UserType, session_number: int) -> QuestionType:
    """The type whose turn it is."""
    types = sessions.question_types[user_type]
    return types[(session_number - 1) % len(types)]


def choose(chapter: Chapter, user_type: UserType, wanted: QuestionType, asked: Collection[int], draw: str) -> Question:
    """A question of this type that was not asked yet; any of them when all were. The same `draw` chooses the same."""
    every = chapter.questions_for(user_type, wanted)
    fresh = [question for question in every if question.number not in asked] or list(every)
    return fresh[zlib.crc32(draw.encode()) % len(fresh)]


def written(question: Question, words: Words) -> str:
    """The question as a text."""
    if isinstance(question, MultipleChoice):
        choices = "\n".join(f"{_CIRCLED[place]} {choice.text}" for place, choice in enumerate(question.choices))
        return f"{words.question} {question.question}\n{choices}\n{words.choose}"
    return f"{words.question} {question.question}\n{words.write}"


def offered(question: Question) -> dict[str, Any]:
    """The question for a page to show: without key, rubric or hints."""
    view: dict[str, Any] = {"number": question.number, "type": question.type, "question": question.question}
    if isinstance(question, MultipleChoice):
        view["choices"] = [
            {"number": number, "text": choice.text} for number, choice in enumerate(question.choices, start=1)
        ]
    return view


def chosen(question: MultipleChoice, answer: str) -> int | None:
    """The place (from 0) of the choice that is meant; None when no one can tell.

    A choice's own text comes first: "3" is the choice "3" where there is one, and else the third choice.
    """
    text = answer.strip()
    plain = _squeezed(text)
    for place, choice in enumerate(question.choices):
        if plain == _squeezed(choice.text):
            return place
    found = _PLACE.fullmatch(text)
    if found is None:
        return None
    place = _CIRCLED.index(found[2]) if found[2] else int(found[1] or found[3]) - 1
    return place if place < len(question.choices) else None


def numbered(place: int) -> str:
    """How a choice that was picked by its number is written as an answer, so that it is no number of its own."""
    return f"{place}번"


def _squeezed(text: str) -> str:
    return re.sub(r"[\s.]+", "", text).lower()
