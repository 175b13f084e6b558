"""Questions as they are put: which one, how it looks, and which choice an answer means."""

import re
import zlib
from collections.abc import Collection, Sequence
from typing import Final

from maththera.json_types import JsonObject
from maththera.korean.numbers import numbers_in, plain
from maththera.lessons.config import Sessions, Words
from maththera.lessons.courses.course import Chapter, MultipleChoice, Question, QuestionType, Subjective, UserType
from maththera.lessons.courses.tasks import Writing

_CIRCLED: Final = "①②③④⑤⑥⑦⑧⑨"
_NAMES: Final = ("123456789", _CIRCLED, "abcd", "일이삼사", "첫두세네")
_PLACE: Final = re.compile(
    rf"(?:정?답은?\s*)?\(?(?:([1-9])|([{_CIRCLED}])|([a-d])|([일이삼사](?=\s*번))|([첫두세네](?=\s*번째)))\)?"
    r"\s*(?:번째|번)?\s*(?:거|것)?\s*(?:이?요|이?야|예요|이에요|입니다|(?:인 (?:것|거) )?같아요?|[.)!,])*",
    re.IGNORECASE,
)
"""A choice by its number, sign, letter or number word, and no more."""
_NAMED: Final = re.compile(rf"([1-9])\s*번|([{_CIRCLED}])|([첫두세네](?=\s*번째))")
"""A choice that is named beside whatever else: "나는 3번", "3번 7개"."""
_DENIED: Final = re.compile(r"\S{1,12}\s*(?:아니고|아니라|말고|빼고)\s*")

_ASKED_BACK: Final = re.compile(r"(?<=\S)\s*(?:맞아요?|맞지|맞나요?|맞죠)\s*[?？].*$")
_ABOUT_A_CHOICE: Final = re.compile(r"왜|뭐(?:야|예요|에요|지|죠)|무슨|어째서")
"""Asked about a choice and not taken: "2번은 왜 틀려?"."""


def question_type(sessions: Sessions, user_type: UserType, session_count: int) -> QuestionType:
    """The type whose turn it is in this session of the chapter (from 1)."""
    types = sessions.question_types[user_type]
    return types[(session_count - 1) % len(types)]


def choose_question(  # noqa: PLR0913 - which chapter, for whom, of what kind, and what was before
    chapter: Chapter,
    user_type: UserType,
    wanted: QuestionType,
    asked: Collection[int],
    draw: str,
    told: Collection[str] = (),
) -> Question:
    """A question of this type, about what was `told` and not asked yet, as far as there is one: of another type, or
    once more, rather than one of what was not told. A text to write comes first, and of calculations one that the
    explanation has not done. The same `draw` chooses the same."""
    every = chapter.questions_for(user_type, wanted)
    mine = [question for question in chapter.questions if user_type in question.user_types]
    about = [question for question in mine if not told or set(question.paragraphs) & set(told)]
    fresh = [question for question in about if question.number not in asked]
    open_yet = [question for question in fresh if not _is_worked_out(question, chapter, told)]
    pools = (
        [question for question in open_yet if question.type == wanted],
        [question for question in fresh if question.type == wanted],
        fresh,
        about,
        list(every),
    )
    pool = next(each for each in pools if each)
    practice: list[Question] = [one for one in pool if isinstance(one, Subjective) and isinstance(one.task, Writing)]
    pool = practice or pool
    return pool[zlib.crc32(draw.encode()) % len(pool)]


def _is_worked_out(question: Question, chapter: Chapter, told: Collection[str]) -> bool:
    """Whether the calculation that is asked was done in what was told."""
    problem = question.problem if isinstance(question, MultipleChoice) else None
    if problem is None:
        return False
    texts = (f"{each.text} {each.work}" for each in chapter.paragraphs.values() if each.id in told)
    return any(re.search(rf"(?<!\d){re.escape(problem)}(?!\d)", text) for text in texts)


def question_text(question: Question, words: Words) -> str:
    """The question as a text."""
    if isinstance(question, MultipleChoice):
        choices = "\n".join(f"{_CIRCLED[place]} {choice.text}" for place, choice in enumerate(question.choices))
        return f"{words.question} {question.question}\n{choices}\n{words.choose}"
    parts = [f"{words.question} {question.question}", question.task.shown(), words.how[question.task.form]]
    return "\n".join(part for part in parts if part)


def question_view(question: Question) -> JsonObject:
    """The question for a page to show: without key, rubric or hints."""
    view: JsonObject = {"number": question.number, "type": question.type, "question": question.question}
    if isinstance(question, MultipleChoice):
        view["choices"] = [
            {"number": number, "text": choice.text} for number, choice in enumerate(question.choices, start=1)
        ]
    else:
        view["task"] = {"form": question.task.form, **question.task.offered()}
    return view


def chosen_place(question: MultipleChoice, answer: str) -> int | None:
    """The place (from 0) of the choice that is meant; None when no one can tell.

    A choice's own text comes first: "3" is the choice "3" where there is one, and else the third choice.
    """
    answer = _ASKED_BACK.sub("", answer)
    plain = _squeezed(answer)
    for place, choice in enumerate(question.choices):
        if plain == _squeezed(choice.text):
            return place
    text = _DENIED.sub("", answer).strip()
    found = _PLACE.fullmatch(text)
    if found is None and _ABOUT_A_CHOICE.search(text):
        return None
    named = {_place_of(found.groups(), _NAMES)} if found else _named(text)
    if len(named) == 1 and (place := named.pop()) < len(question.choices):
        return place
    return _by_number(question, text)


def names_several(answer: str) -> bool:
    """Whether more than one choice is named: "3번인가 2번인가"."""
    return len(_named(_DENIED.sub("", answer))) > 1


def _named(text: str) -> set[int]:
    return {_place_of(each.groups(), (*_NAMES[:2], _NAMES[4])) for each in _NAMED.finditer(text)}


def _by_number(question: MultipleChoice, answer: str) -> int | None:
    """The choice whose number alone is said: "14", "열네 개요" or "8+6=14" where a choice is "14개"."""
    result = answer.rpartition("=")[2]
    numbers = [one.value for one in numbers_in(plain(result)) if not one.doubtful]
    found = [place for place, choice in enumerate(question.choices) if [choice.number] == numbers]
    return found[0] if len(found) == 1 and "번" not in answer else None


def _place_of(names: Sequence[str | None], known: Sequence[Sequence[str]]) -> int:
    return next(each.index(name.lower()) for name, each in zip(names, known, strict=True) if name)


def choice_as_answer(place: int) -> str:
    """How a choice that was picked by its number is written as an answer, so that it is no number of its own."""
    return f"{place}번"


def _squeezed(text: str) -> str:
    return re.sub(r"[\s.]+", "", text).lower()
