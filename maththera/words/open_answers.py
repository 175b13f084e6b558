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
_LIST_NUMBER: Final = re.compile(r"[.)]\s")
_SENTENCE_END: Final = re.compile(r"\s*(?:[.!?~…\n,]|$)")
_COPULAS: Final = ("야", "이야", "예요", "이에요", "입니다", "요", "이요", "이다", "다", "지", "이지")
_MOST_TERMS: Final = 8
_MOST_READINGS: Final = 32
_QUOTED: Final = 2


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
    claims: re.Pattern[str]
    about: re.Pattern[str]
    before: re.Pattern[str]
    guess: Annotated[int, Field(ge=0)]

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
        self.text = words.spelt.sub(r" \g<0> ", plain(text).translate(_BRACKETS))
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

    def is_result(self, number: Number) -> bool:
        """Whether a number stands as what comes out: behind "=", or as the end of a sentence."""
        return self.text[: number.start].rstrip().endswith("=") or self._is_said(number)

    def _is_label(self, number: Number) -> bool:
        rest = self.text[number.stop :]
        if number.counter in self._words.labels:
            return not self._words.counted.match(rest)
        if number.counter and self._words.things.match(rest):
            return True
        before = self.text[: number.start].rpartition("\n")[2]
        return not before.strip() and _LIST_NUMBER.match(self.text, number.end) is not None

    def _is_said(self, number: Number) -> bool:
        """Whether a word that may be another one ends a sentence as an answer does: "오야", "답은 사."."""
        said = number.after in _COPULAS or bool(re.search(r"답[은이]?\s*$", self.text[: number.start]))
        return said and _SENTENCE_END.match(self.text, number.stop) is not None


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
        return self.wanted(asked, [one]) is not None or self._puts(text, one)

    def tells_value(self, text: str, value: int, asked: str) -> bool:
        """The same of a number alone."""
        return self.tells(text, OpenAnswer(value), asked)

    def mentions(self, text: str, one: OpenAnswer) -> bool:
        """Whether the value stands in a text in any form, not as a label and not as a number of the problem itself."""
        said = _Text(text, self._words)
        return any(
            one.value in number.values and (one.value not in one.parts or said.is_result(number))
            for number in said.answers()
        )

    def _puts(self, text: str, one: OpenAnswer) -> bool:
        calculations = _Text(text, self._words).calculations()
        return any(each.value == one.value and each.uses(one.parts) for each in calculations)

    def _quotes(self, message: str, question: str) -> bool:
        """Whether a message is about a question: it has two of its words."""
        return len({*content_words(message)} & {*content_words(question)}) >= _QUOTED

    def _asks(self, text: _Text, calculated: list[_Calculation], one: OpenAnswer) -> bool:
        if one.value is None:
            return self._quotes(text.text, one.question)
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
        guesses = [*text.answers()]
        if not guesses or before:
            return False
        rest = re.sub(r"[\W\d_]+", "", text.text)
        numerals = sum(number.end - number.start for number in guesses if not number.in_digits)
        return len(rest) - numerals <= self._words.guess or bool(self._words.claims.search(text.text))


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
