"""The words of `configs/words/open_answers.yaml`, and a text prepared for looking for them."""

import re
from collections.abc import Mapping
from functools import cached_property
from typing import Annotated, Final, Literal

from pydantic import Field

from maththera.arithmetic.calculations import Calculation, calculations
from maththera.config_files import ConfigModel
from maththera.korean.morphemes import morphemes
from maththera.korean.numbers import Number, numbers_in, plain

_BRACKETS: Final = str.maketrans(dict.fromkeys("()[]{}「」\"'“”‘’`", " "))
_HANJA: Final = str.maketrans(dict(zip("〇一二三四五六七八九十百千", "영일이삼사오육칠팔구십백천", strict=True)))
_ENCLOSED: Final = re.compile(r"[①-⑳](?=\s*\d)")
"""The number of an item of a list: "①49 ②900"."""
_APART: Final = re.compile(r"(?<![\d.,])\d(?: \d)+(?![\d.,])")
"""A number whose digits stand apart: "4 3"."""
_LIST_NUMBER: Final = re.compile(r"[.)]\s")
_SENTENCE_END: Final = re.compile(r"\s*(?:[.!?~…\n,]|$)")
_LONGEST_LIST: Final = 20
_NOUNS: Final = frozenset({"NNG", "NNP"})


class OpenAnswerWords(ConfigModel):
    """The words; the file explains each."""

    calculating: re.Pattern[str]
    labels: frozenset[str]
    things: re.Pattern[str]
    counted: re.Pattern[str]
    units: re.Pattern[str]
    claims: re.Pattern[str]
    held_out: re.Pattern[str]
    fillers: re.Pattern[str]
    about: re.Pattern[str]
    before: re.Pattern[str]
    few_letters: Annotated[int, Field(ge=0)]
    wishes: re.Pattern[str]
    names: re.Pattern[str]
    vague_nouns: frozenset[str]
    results: re.Pattern[str]
    copulas: frozenset[str]
    answer: re.Pattern[str]
    leads: re.Pattern[str]
    conditions: re.Pattern[str]
    ends: re.Pattern[str]
    writes: re.Pattern[str]
    points: re.Pattern[str]
    sharing: re.Pattern[str]
    shares: re.Pattern[str]
    agrees: re.Pattern[str]
    denies: re.Pattern[str]
    amounts: re.Pattern[str]
    places: Mapping[Literal[100, 10, 1], re.Pattern[str]]
    digit_pairs: re.Pattern[str]
    sums_of_places: re.Pattern[str]
    between: re.Pattern[str]
    before_one: re.Pattern[str]
    behind_one: re.Pattern[str]


class AnswerText:
    """A text without brackets, with its numbers and calculations."""

    def __init__(self, text: str, words: OpenAnswerWords) -> None:
        self._words = words
        text = _ENCLOSED.sub(" ", plain(text).translate(_HANJA))
        self.text = _APART.sub(lambda found: found[0].replace(" ", ""), text.translate(_BRACKETS))
        self.numbers = numbers_in(self.text)
        self._whole = text

    @cached_property
    def calculations(self) -> tuple[Calculation, ...]:
        """The calculations in the text, brackets respected."""
        return calculations(self._whole)

    @cached_property
    def in_digits(self) -> str:
        """The text with its unambiguous number words as digits."""
        read, place = "", 0
        for number in self.numbers:
            if number.value is not None and not number.in_digits and not number.doubtful:
                read, place = f"{read}{self.text[place : number.start]}{number.value}", number.end
        return read + self.text[place:]

    @cached_property
    def answers(self) -> tuple[Number, ...]:
        """The numbers, without those that only count or label something."""
        return tuple(
            number
            for number in self.numbers
            if not self._is_label(number) and (not number.doubtful or self._is_said(number))
        )

    @property
    def is_vague(self) -> bool:
        """Whether the text is a few letters that name nothing, and so may be about the task."""
        words, letters = self._words, re.sub(r"[\W\d_]+", "", self.text)
        if self.numbers or len(letters) > words.few_letters or words.names.search(self.text):
            return False
        if not words.wishes.search(self.text):
            return False
        return all(each.form in words.vague_nouns for each in morphemes(self.text.strip()) if each.tag in _NOUNS)

    def is_result(self, number: Number) -> bool:
        """Whether a number is given as a result: after "=", before "답" and the like, or at the end of a sentence."""
        words, before = self._words, self.text[: number.start]
        if self._follows_equals(number) or words.held_out.search(before) or number.after in self._words.copulas:
            return True
        if words.leads.search(before) and words.ends.match(self.text[number.end :]):
            return True
        return words.results.match(self.text[number.stop :]) is not None

    def is_guess(self, number: Number) -> bool:
        """Whether a number is offered as a guess: "43 맞아?", "43이야?", "43"."""
        if self.is_claimed(number):
            return True
        if not self._words.fillers.match(self.text[: number.start]):
            return False
        behind = self.text[number.stop :]
        return not re.search(r"\w", behind) or (number.after in self._words.copulas and not number.counter)

    def is_claimed(self, number: Number) -> bool:
        """Whether its words ask for a yes or no: "43 맞아?", "답은 43"."""
        words = self._words
        behind = any(words.claims.match(self.text[place:]) for place in (number.end, number.stop))
        return behind or words.held_out.search(self.text[: number.start]) is not None

    def _follows_equals(self, number: Number) -> bool:
        return self.text[: number.start].rstrip().endswith("=")

    def _is_label(self, number: Number) -> bool:
        rest = self.text[number.stop :]
        if self._follows_equals(number):
            return False
        if self._words.units.match(self.text[number.end :]):
            return True
        if number.counter in self._words.labels:
            return not self._words.counted.match(rest)
        if number.counter and self._words.things.match(rest):
            return True
        before = self.text[: number.start].rpartition("\n")[2]
        is_first = not before.strip() and max(number.values, default=0) <= _LONGEST_LIST
        return is_first and _LIST_NUMBER.match(self.text, number.end) is not None

    def _is_said(self, number: Number) -> bool:
        """Whether an ambiguous number word ends a sentence like an answer: "오야", "답은 사."."""
        if self.is_claimed(number):
            return True
        return (not number.after or number.after in self._words.copulas) and _SENTENCE_END.match(
            self.text, number.stop
        ) is not None
