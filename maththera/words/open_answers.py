"""The answers of open tasks: whether a message asks for one, and whether a text tells it, in whatever form.

Values are compared, not words: 30+13 and 마흔셋 are 43 as well. A number is told where it answers what was asked; the
same number as a label (5번, 5개 단원) is not.
"""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import islice, pairwise, product
from pathlib import Path
from typing import Annotated, Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from maththera.arithmetic.problem import Problem
from maththera.documents import Document
from maththera.korean.content import content_words
from maththera.korean.numbers import Number, numbers_in, plain

_BRACKETS: Final = str.maketrans(dict.fromkeys("()[]{}「」\"'“”‘’`", " "))
_APART: Final = re.compile(r"(?<![\d.,])\d(?: \d)+(?![\d.,])")
"""A number whose digits stand apart: "4 3"."""
_LIST_NUMBER: Final = re.compile(r"[.)]\s")
_SENTENCE_END: Final = re.compile(r"\s*(?:[.!?~…\n,]|$)")
_DIGITS: Final = "영일이삼사오육칠팔구"
_TIMES_TABLE: Final = re.compile(
    rf"(?<![가-힣])([{_DIGITS}])\s?([{_DIGITS}])(?=[은는](?:\s|[?!]|$)|이\s*(?:뭐|얼마|몇)|\s*(?:뭐|얼마|몇|[?]))"
)
_MOST_TERMS: Final = 8
_MOST_READINGS: Final = 32
_QUOTED: Final = 2
_LONGEST_LIST: Final = 20


class _Words(BaseModel):
    """`configs/words/open_answers.yaml`; see there."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    operations: dict[str, tuple[str, ...]]
    verbs: dict[str, re.Pattern[str]]
    links: str
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
    results: re.Pattern[str]
    copulas: frozenset[str]
    answer: re.Pattern[str]

    @cached_property
    def between(self) -> Mapping[str, re.Pattern[str]]:
        """Sign → what may stand between two numbers."""
        return {
            sign: re.compile(rf"\s*(?:{'|'.join(names)})\s*", re.IGNORECASE) for sign, names in self.operations.items()
        }

    @cached_property
    def linked(self) -> re.Pattern[str]:
        """What may stand between two numbers where the operation follows."""
        return re.compile(rf"\s*\S{{0,3}}?{self.links}\s*")

    @cached_property
    def spelt(self) -> re.Pattern[str]:
        """The operations in letters, which stand between numbers without a space as well."""
        names = [name for names in self.operations.values() for name in names if name[0] != "["]
        return re.compile("|".join(sorted(names, key=len, reverse=True)), re.IGNORECASE)


@dataclass(frozen=True, slots=True)
class OpenAnswer:
    """What a child is to find out itself: a number, or with `value` None the `text` of the right choice. `parts`: the
    numbers of its problem. `problem_id`: of a task of tutoring; `question`: of a lesson."""

    value: int | None
    parts: tuple[int, ...] = ()
    problem_id: str | None = None
    text: str = ""
    question: str = ""

    @classmethod
    def of(cls, problem: Problem) -> "OpenAnswer":
        return cls(problem.answer, (problem.a, problem.b), problem.problem_id)


@dataclass(frozen=True, slots=True)
class _Calculation:
    """A part of a text that is calculated, with what it gives in one of its readings."""

    terms: tuple[int, ...]
    value: int

    def uses(self, parts: tuple[int, ...]) -> bool:
        """Whether its numbers are these, in any order."""
        return sorted(self.terms) == sorted(parts)


class _Text:
    """A text as it is looked at, its numbers, and what is calculated in it."""

    def __init__(self, text: str, words: _Words) -> None:
        self._words = words
        joined = _APART.sub(lambda found: found[0].replace(" ", ""), plain(text).translate(_BRACKETS))
        self.text = words.spelt.sub(r" \g<0> ", joined)
        self.numbers = numbers_in(self.text)

    def calculations(self) -> Iterator[_Calculation]:
        """Every run of numbers with operations between them, and every part of it."""
        signs = [self._sign(one, other) for one, other in pairwise(self.numbers)]
        for start in range(len(signs)):
            for end in range(start, min(len(signs), start + _MOST_TERMS)):
                if signs[end] is None:
                    break
                run = [sign for sign in signs[start : end + 1] if sign]
                yield from _readings(self.numbers[start : end + 2], run)
        for one, other in _TIMES_TABLE.findall(self.text):  # 칠팔은?
            terms = (_DIGITS.index(one), _DIGITS.index(other))
            yield _Calculation(terms, terms[0] * terms[1])

    def _sign(self, one: Number, other: Number) -> str | None:
        for sign, pattern in self._words.between.items():
            if any(pattern.fullmatch(self.text, end, other.start) for end in (one.end, one.stop)):
                return sign
        if self._words.linked.fullmatch(self.text, one.end, other.start):
            after = self.text[other.stop :].lstrip()
            return next((sign for sign, verb in self._words.verbs.items() if verb.match(after)), None)
        return None

    def answers(self) -> Iterator[Number]:
        """Its numbers without those that only count or name something."""
        for number in self.numbers:
            if not self._is_label(number) and (not number.doubtful or self._is_said(number)):
                yield number

    @property
    def is_vague(self) -> bool:
        """A few letters that name nothing: it may be about the task."""
        words, letters = self._words, re.sub(r"[\W\d_]+", "", self.text)
        if self.numbers or len(letters) > words.few_letters or words.names.search(self.text):
            return False
        return words.wishes.search(self.text) is not None

    def is_result(self, number: Number) -> bool:
        """Whether a number stands as what comes out: behind "=", before "답" and the like, or as the end of a
        sentence."""
        words, before = self._words, self.text[: number.start]
        if self._follows_equals(number) or words.held_out.search(before) or number.after in self._words.copulas:
            return True
        return words.results.match(self.text[number.stop :]) is not None

    def is_guess(self, number: Number) -> bool:
        """Whether a number is held out for a yes or no: "43 맞아?", "43이야?", "43"."""
        if self._is_claimed(number):
            return True
        if not self._words.fillers.match(self.text[: number.start]):
            return False
        behind = self.text[number.stop :]
        return not re.search(r"\w", behind) or (number.after in self._words.copulas and not number.counter)

    def _is_claimed(self, number: Number) -> bool:
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
        """Whether a word that may be another one ends a sentence as an answer does: "오야", "답은 사."."""
        if self._is_claimed(number):
            return True
        return (not number.after or number.after in self._words.copulas) and _SENTENCE_END.match(
            self.text, number.stop
        ) is not None


class OpenAnswers:
    """Reads `configs/words/open_answers.yaml` once. Pure: keeps nothing of a message."""

    def __init__(self, words: _Words) -> None:
        self._words = words

    @classmethod
    def load(cls, home: Path) -> "OpenAnswers":
        """ConfigError names every field that does not fit."""
        return cls(Document.read(home / "configs" / "words" / "open_answers.yaml").parse(TypeAdapter(_Words)))

    def wanted(self, message: str, opened: Sequence[OpenAnswer]) -> OpenAnswer | None:
        """Of the open answers the one that a message asks for, guesses at or wants help with; the first, where it names
        none. Guesses are not told apart: a right one must not be answered otherwise than a wrong one."""
        if not opened:
            return None
        text = _Text(message, self._words)
        calculated = [*text.calculations()]
        for one in opened:
            if self._asks(text, calculated, one):
                return one
        return opened[0] if not calculated and self._is_about(text) else None

    def tells(self, text: str, one: OpenAnswer, asked: str) -> bool:
        """Whether a text tells an open answer to somebody who `asked`: where that asks for it, or where the text itself
        puts the problem."""
        if one.value is None:
            return one.text in text and self._quotes(asked, one.question)
        if not self.mentions(text, one):
            return False
        return self.wanted(asked, [one]) is not None or self._puts(text, one) or self._answers(text, one, asked)

    def mentions(self, text: str, one: OpenAnswer) -> bool:
        """Whether the value stands in a text in any form, not as a label and not as a number of the problem itself."""
        said = _Text(text, self._words)
        return any(
            one.value in number.values and (one.value not in one.parts or said.is_result(number))
            for number in said.answers()
        )

    def _puts(self, text: str, one: OpenAnswer) -> bool:
        """Whether a text has the problem itself, forwards or backwards: 8×9=72 for 72÷8."""
        numbers = sorted((*one.parts, one.value or 0))
        calculations = _Text(text, self._words).calculations()
        return any(sorted((*each.terms, each.value)) == numbers for each in calculations)

    def _answers(self, text: str, one: OpenAnswer, asked: str) -> bool:
        """Whether a text that has the number answers a message which could mean anything with it."""
        message = _Text(asked, self._words)
        if message.is_vague:
            return True
        if [*message.calculations()] or not self._words.answer.search(text):
            return False
        said = _Text(text, self._words)
        return any(one.value in number.values and said.is_result(number) for number in said.answers())

    def _quotes(self, message: str, question: str) -> bool:
        """Whether a message is about a question: it has two of its words."""
        return len({*content_words(message)} & {*content_words(question)}) >= _QUOTED

    def _asks(self, text: _Text, calculated: list[_Calculation], one: OpenAnswer) -> bool:
        if any(each.value == one.value for each in calculated):
            return True
        if not one.parts or any(each.uses(one.parts) for each in calculated):
            return False  # 28−15 is another problem than 28+15
        if not self._words.calculating.search(text.text):
            return False
        said = [number.values for number in text.answers()]
        return all(sum(part in values for values in said) >= one.parts.count(part) for part in one.parts)

    def _is_about(self, text: _Text) -> bool:
        """A message without a calculation of its own."""
        before = self._words.before.search(text.text)
        if not before and self._words.about.search(text.text):
            return True
        return not before and any(text.is_guess(number) for number in text.answers())


def _readings(numbers: list[Number], signs: list[str]) -> Iterator[_Calculation]:
    for terms in islice(product(*(number.values for number in numbers)), _MOST_READINGS):
        value = _value(terms, signs)
        if value is not None:
            yield _Calculation(terms, value)


def _value(terms: tuple[int, ...], signs: list[str]) -> int | None:
    """× and ÷ before + and −; None where no whole number comes of it."""
    sums, last = [], terms[0]
    for sign, term in zip(signs, terms[1:], strict=True):
        if sign == "x":
            last *= term
        elif sign == "/":
            if not term or last % term:
                return None
            last //= term
        else:
            sums.append(last)
            last = term if sign == "+" else -term
    return sum(sums) + last
