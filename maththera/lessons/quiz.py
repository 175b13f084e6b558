"""Questions as they are put: which one, how it looks, and which choice an answer means."""

import re
import zlib
from collections.abc import Collection
from typing import Any, Final

from maththera.lessons.config import Sessions, Words
from maththera.lessons.courses import Chapter, MultipleChoice, Question, QuestionType, UserType

_CIRCLED: Final = "①②③④⑤⑥⑦⑧⑨"
_NAMES: Final = (*("123456789", _CIRCLED, "abcd"), ("일", "이", "삼", "사"), ("첫", "두", "세", "네"))
_PLACE: Final = re.compile(
    rf"(?:정?답은?\s*)?\(?(?:([1-9])|([{_CIRCLED}])|([a-d])|([일이삼사](?=\s*번))|([첫두세네](?=\s*번째)))\)?"
    r"\s*(?:번째|번)?\s*(?:거|것)?\s*(?:이?요|이?야|예요|이에요|입니다|(?:인 (?:것|거) )?같아요?|[.)!])*"
    r"|([1-9])\s*번\D.*",
    re.DOTALL | re.IGNORECASE,
)
"""A choice by its number, sign, letter or number word; or its number and whatever else ("3번 7개")."""


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
        return _by_number(question, text)
    place = _place_of(found)
    return place if place < len(question.choices) else _by_number(question, text)


def _by_number(question: MultipleChoice, answer: str) -> int | None:
    """The choice whose number alone is said: "14" or "14개요" where a choice is "14개"."""
    numbers = [] if "번" in answer else re.findall(r"\d+", answer)
    found = [place for place, choice in enumerate(question.choices) if [str(choice.number)] == numbers]
    return found[0] if len(found) == 1 else None


def _place_of(found: re.Match[str]) -> int:
    if found[6]:
        return int(found[6]) - 1
    return next(names.index(name.lower()) for name, names in zip(found.groups(), _NAMES, strict=False) if name)


def numbered(place: int) -> str:
    """How a choice that was picked by its number is written as an answer, so that it is no number of its own."""
    return f"{place}번"


def _squeezed(text: str) -> str:
    return re.sub(r"[\s.]+", "", text).lower()
