"""Letters: what a letter contains, and which kind a message asks for."""

import re
from dataclasses import dataclass, replace
from typing import Final

from maththera.chat.letters.letter_book import LetterBook, LetterTexts, Style
from maththera.korean.formal import formal
from maththera.korean.numbers import SMALL_NUMBER, parse_number

LETTER: Final = "letter"
"""The kind of a letter to the guardians of one child."""
CLASS_LETTERS: Final = ("class_letter", "app_letter")
"""Kinds of letters that are about no single child."""
_LETTERS: Final = (LETTER, *CLASS_LETTERS)
_SIGNED: Final = (LETTER, "to_teacher", "thanks", "open_teacher")
"""Kinds that a guardian signs or receives."""
_FIRST_STYLES: Final[tuple[Style, ...]] = (
    "bare", "short", "plain", "light", "spoken", "table", "playful", "polite", "longer", "positive",
)  # fmt: skip
"""Styles that can be asked for in the first message."""
_TO_ADULT: Final = re.compile(r"(?:부모|어머니|어머님|아버지|아버님|보호자|선생님|담임|쌤)\S*(?:께|한테|에게)")
"""Matches if the text goes to an adult, not to the child."""
_ABOUT_WRITING: Final = re.compile("학부모|어머님|아버님|선생님께|쓸까|썼|쓰라")
"""Matches if the message is about writing something, not about saying it to the child right away."""
_ADDRESSES: Final = {
    "어머": "어머님", "엄": "어머님", "아버": "아버님", "아": "아버님", "할머": "할머님", "할아버": "할아버님",
}  # fmt: skip
"""Beginning of a form of address → the form used in a letter."""
_COUNT: Final = re.compile(
    rf"(?<![가-힣])(?:({SMALL_NUMBER})\s*(?:개|문장|줄|마디|가지)|(하나|둘|셋|넷|다섯|\d))(?:만|로|요|쯤|정도)?(?:요|좀)?\W*(?:$|[.,])"
    rf"|(?:(?<![\d가-힣])|(?<=[딱단꼭]))({SMALL_NUMBER})\s*(?:문장|줄(?![여이])|마디)"
)
_HOW_TO_TALK: Final = re.compile("처음|먼저|어떻게|무슨|뭐라")
"""Matches a question about how to hold a talk, if the message names no child."""
_TEXT_OF_TALK: Final = re.compile("정리|멘트|원고|드릴")


@dataclass(frozen=True, slots=True)
class Letter:
    """What was written. `kind`: of letters.yaml; `styles`: how it was wanted otherwise, the last last; `added`:
    sentences that were wanted besides; `count`: sentences that were wanted, 0 for all; `titled`: how often another
    title was given; `without`: words that are to be left out; `closing`: how often another closing was given;
    `practice`: with days of practice; `good_first`: what goes well before the rest; `at_home`: with what families can
    do; `told`: what else than the child's work it is to tell; `voice`: who writes it, `to_whom`: to whom it goes, ""
    for a guardian; `weeks`: of a goal, 0 for the usual; `only_good`: without what is hard."""

    kind: str
    styles: tuple[Style, ...] = ()
    added: tuple[str, ...] = ()
    emoji: bool = False
    count: int = 0
    titled: int = 0
    without: tuple[str, ...] = ()
    closing: int = 0
    practice: bool = False
    good_first: bool = False
    at_home: bool = False
    told: tuple[str, ...] = ()
    voice: str = ""
    to_whom: str = ""
    weeks: int = 0
    only_good: bool = False


def letter_wanted(book: LetterBook, message: str, role: str, *, named: bool = False) -> Letter | None:
    """The letter that a message asks for; None if it asks for none. `named`: the message names the child."""
    if not book.wanted.search(message):
        return None
    for kind, texts in book.letters.items():
        if _is_asked_for(texts, message, role) and not _is_for_others(book, kind, message, named=named):
            letter = Letter(
                kind, _styles_wanted(book, texts, message), count=sentences_wanted(message),
                good_first=bool(book.wishes.good_first.search(message)),
                told=sentences_reported(book, message) if texts.notice else (),
            )  # fmt: skip
            return addressed(book, letter, message) or letter
    return None


def _is_asked_for(texts: LetterTexts, message: str, role: str) -> bool:
    needed = texts.needs is None or texts.needs.search(message)
    return bool(texts.words.search(message) and texts.of in (None, role) and needed)


def _is_for_others(book: LetterBook, kind: str, message: str, *, named: bool) -> bool:
    """Whether the message only asks if such a letter is allowed, or asks for advice or records."""
    if kind in _LETTERS:
        return book.permits.search(message) is not None
    if kind == "talk":
        of_records = "요약" in message and _COUNT.search(message)  # so many lines of what the records tell
        advice = not named and _HOW_TO_TALK.search(message) and not _TEXT_OF_TALK.search(message)
        return bool(of_records or advice)
    if kind == "child_line" and _TO_ADULT.search(message):
        return True
    said_at_once = book.letters[kind].needs is not None and kind != "reply"
    return said_at_once and _ABOUT_WRITING.search(message) is not None


def _styles_wanted(book: LetterBook, texts: LetterTexts, message: str) -> tuple[Style, ...]:
    return tuple(
        style
        for style in _FIRST_STYLES
        if book.styles[style].search(message) and texts.has(style) and not (style == "short" and texts.short)
    )


def sentences_reported(book: LetterBook, message: str) -> tuple[str, ...]:
    """The clauses that the letter is to report, as sentences: 오늘 숙제를 못했다고 → 오늘 숙제를 못했습니다."""
    clauses = (found["clause"] for found in book.wishes.reported.finditer(message))
    sentences = (formal(book.wishes.addressed.sub("", clause)) for clause in clauses)
    return tuple(filter(None, sentences))


def addressed(book: LetterBook, letter: Letter, message: str) -> Letter | None:
    """The letter with the writer or reader that the message names; None if it names neither."""
    if letter.kind not in _SIGNED:
        return None
    voice, to_whom = book.wishes.voice.search(message), book.wishes.to_whom.search(message)
    if voice and letter.kind != LETTER:
        return replace(letter, voice=voice[1])
    return replace(letter, to_whom=_ADDRESSES[to_whom[1][:-1]]) if to_whom and letter.kind == LETTER else None


def sentences_wanted(message: str) -> int:
    """The number of sentences that a message asks for; 0 if it does not say."""
    found = _COUNT.search(message)
    return (parse_number(next(filter(None, found.groups()))) or 0) if found else 0
