"""The ways in which a text gives away the number that a child is to find: at the end of a count, digit by digit, by its
neighbours, or by agreeing with a guess."""

import re
from collections.abc import Callable, Iterator
from functools import cached_property
from typing import Final

from maththera.korean.numbers import Number
from maththera.words.answer_protection.open_answer_words import AnswerText, OpenAnswerWords

_SHORTEST_COUNT: Final = 3
_LONGER_COUNT: Final = 4
_STEP: Final = re.compile(r"\D{0,4}")
_TWO_DIGITS: Final = 10
_AROUND_ONE: Final = 2
_HANGUL: Final = re.compile("[가-힣]")
_DIGIT: Final = re.compile(r"(?<!\d)\d(?!\d)")
_SENTENCE_ENDS: Final = re.compile(r"[.!?\n]")


def names_answer(
    text: AnswerText, asked: AnswerText, told: list[Number], parts: tuple[int, ...], words: OpenAnswerWords
) -> bool:
    """Whether a text that contains the answer presents it as the answer. `told`: its occurrences; `parts`: the numbers
    of the problem; `asked`: the message that the text replies to."""
    if any(told[0].values[0] in number.values for number in asked.numbers):
        return False  # the number is the child's own
    asks_amount = words.amounts.search(asked.text) is not None
    ways: tuple[Callable[[], bool], ...] = (
        lambda: _ends_count(text, told, parts),
        lambda: _is_calculated(text, told, parts),
        lambda: _completes_problem(text, asked, told, parts),
        lambda: any(_is_concluded(text, number, words, asks_amount) for number in told),
        lambda: _is_each_share(text, told, parts, words),
        lambda: not asks_amount and any(_is_whole_sentence(text, number, words) for number in told),
    )
    return any(way() for way in ways)


class Implications:
    """The numbers that a text gives away without naming them: 4 and 3, between 42 and 44, a sum of places, or a yes to
    a guess. Numbers that the message asks about ("44 앞의 수가 뭐야?") are allowed."""

    def __init__(self, text: AnswerText, asked: AnswerText, words: OpenAnswerWords) -> None:
        self._text, self._asked, self._words = text, asked, words

    def include(self, value: int) -> bool:
        """Whether the number is one of them."""
        if self._points and _contains_value(self._text, value):
            return True
        return (
            value in self._described
            or value in self._confirmed
            or (value >= _TWO_DIGITS and _spells_digits(self._clauses, value, self._words))
        )

    @cached_property
    def _points(self) -> bool:
        return self._words.points.search(self._text.text) is not None

    @cached_property
    def _described(self) -> frozenset[int]:
        words, read = self._words, self._text.in_digits
        asked_about = {number for each in self._asked.numbers for number in each.values}
        pairs = (int(tens + ones) for tens, ones in words.digit_pairs.findall(read))
        sums = (
            int(tens) + int(ones)
            for tens, ones in words.sums_of_places.findall(read)
            if len(ones) < len(tens) and asked_about.isdisjoint((int(tens), int(ones)))
        )
        return frozenset((*_neighbours(read, words, asked_about), *pairs, *sums))

    @cached_property
    def _confirmed(self) -> frozenset[int]:
        """The guesses of the message, if the text says yes to it."""
        words, asked, text = self._words, self._asked, self._text.text
        if asked.calculations or words.agrees.search(text) is None or words.denies.search(text) is not None:
            return frozenset()
        guesses = (number for number in asked.answers if _may_be_guess(asked, number))
        return frozenset(value for number in guesses for value in number.values)

    @cached_property
    def _clauses(self) -> list[tuple[int, str]]:
        """The size of each place that the text names, with the words after it."""
        read, places = self._text.in_digits, self._words.places
        marks = sorted((*found.span(), size) for size, pattern in places.items() for found in pattern.finditer(read))
        ends = [start for start, _, _ in marks[1:]] + [len(read)]
        return [
            (size, _SENTENCE_ENDS.split(read[place:end])[0]) for (_, place, size), end in zip(marks, ends, strict=False)
        ]


def _contains_value(text: AnswerText, value: int) -> bool:
    """Whether the text contains the number or a calculation of it: 60+1 for 61."""
    return any(value in number.values for number in text.numbers) or any(
        one.value == value for one in text.calculations
    )


def _may_be_guess(asked: AnswerText, number: Number) -> bool:
    return asked.is_claimed(number) or not (number.counter or _HANGUL.match(asked.text, number.stop))


def _ends_count(text: AnswerText, told: list[Number], parts: tuple[int, ...]) -> bool:
    """Whether a count ends with the number: 41, 42, 43, by ones or in steps of a number of the problem."""
    for number in told:
        place = text.numbers.index(number)
        steps = _steps_to(text, place)
        if not steps:
            continue
        behind = [after.values[0] - number.values[0] for after in text.numbers[place + 1 : place + 2] if after.values]
        first, step = number.values[0] - sum(steps), steps[0]
        near = any(abs(first - part) <= 1 for part in parts)
        enough = _SHORTEST_COUNT if near or abs(step) > 1 else _LONGER_COUNT
        if len(steps) + 1 >= enough and abs(step) in {1, *parts} and step not in behind:
            return True
    return False


def _steps_to(text: AnswerText, place: int) -> list[int]:
    """Equal steps between the numbers that stand close together up to a place, the last first."""
    steps: list[int] = []
    for before, after in ((text.numbers[at - 1], text.numbers[at]) for at in range(place, 0, -1)):
        if not before.values or not after.values or not _STEP.fullmatch(text.text, before.end, after.start):
            break
        step = after.values[0] - before.values[0]
        if steps and step != steps[0]:
            break
        steps.append(step)
    return steps


def _is_calculated(text: AnswerText, told: list[Number], parts: tuple[int, ...]) -> bool:
    """Whether calculations lead to the number, one of them with a number of the problem: 36+6 for 6×7."""
    values = {value for number in told for value in number.values}
    if not any(one.value in values for one in text.calculations):
        return False
    return any(not {*one.terms}.isdisjoint(parts) for one in text.calculations)


def _completes_problem(text: AnswerText, asked: AnswerText, told: list[Number], parts: tuple[int, ...]) -> bool:
    """Whether message and text together contain every number of the problem too."""
    if not parts or any(len(_steps_to(text, text.numbers.index(one))) >= _LONGER_COUNT - 1 for one in told):
        return False  # in a count only the end gives the answer away
    others = [number.values for number in (*asked.answers, *text.answers) if number not in told]
    return all(sum(part in values for values in others) >= parts.count(part) for part in {*parts})


def _is_concluded(text: AnswerText, number: Number, words: OpenAnswerWords, asks_amount: bool) -> bool:
    """Whether the number follows "그래서", or the advice to write it. If an amount was asked for, counting is fine ("두
    손을 펴면 10개야")."""
    before, behind = text.text[: number.start], text.text[number.end :]
    if words.writes.match(behind):
        return True
    if not words.ends.match(behind):
        return False
    if words.leads.search(before):
        return True
    by_other = any(one.value in number.values for one in text.calculations)
    return not by_other and not (asks_amount and number.counter) and words.conditions.search(before) is not None


def _is_each_share(text: AnswerText, told: list[Number], parts: tuple[int, ...], words: OpenAnswerWords) -> bool:
    """Whether the number is each one's share, if the problem is a division."""
    whole, *by = parts or (0,)
    divides = len(by) == 1 and by[0] > 0 and any(value * by[0] == whole for one in told for value in one.values)
    each = any(words.shares.match(text.text[one.end :]) for one in told)
    return divides and each and words.sharing.search(text.text) is not None


def _is_whole_sentence(text: AnswerText, number: Number, words: OpenAnswerWords) -> bool:
    """Whether a sentence is nothing but the number."""
    begun = _SENTENCE_ENDS.split(text.text[: number.start])[-1]
    return not number.counter and bool(words.fillers.match(begun) and words.ends.match(text.text[number.end :]))


def _neighbours(read: str, words: OpenAnswerWords, asked_about: set[int]) -> Iterator[int]:
    """The numbers that a text describes by those beside them."""
    for found in words.between.finditer(read):
        low, high = sorted(int(each) for each in found.groups() if each is not None)
        if high - low == _AROUND_ONE and asked_about.isdisjoint((low, high)):
            yield low + 1
    for pattern, step in ((words.before_one, -1), (words.behind_one, 1)):
        for found in pattern.finditer(read):
            beside = next(int(each) for each in found.groups() if each is not None)
            if beside not in asked_about:
                yield beside + step


def _spells_digits(clauses: list[tuple[int, str]], value: int, words: OpenAnswerWords) -> bool:
    """Whether each digit follows the name of its place."""
    if value >= 10 * max(words.places):
        return False
    return all(
        any(size == each and str(value // size % 10) in _DIGIT.findall(clause) for each, clause in clauses)
        for size in words.places
        if size <= value
    )
