"""Which number of an answer is given as the answer, and is no step, no alternative and no guess between two."""

from collections.abc import Sequence
from itertools import pairwise
from typing import Final

from maththera.lessons.answer_words import Word, grading_lists

_ROW: Final = 3
"""Numbers that make a row."""
_NEAR: Final = 6
"""Words within which another number is offered."""


def is_answered(number: Word, words: Sequence[Word]) -> bool:
    """Whether this number is given as the answer, and no other beside it. Digits mean digits: to write 14 is not to
    say 십사."""
    stated = _stated(words)
    return (not stated or stated[-1] == number.form) and any(
        word.form.removesuffix("만") == number.form and word.written == number.written and _is_amount(words, place)
        for place, word in enumerate(words)
    )


def other_offered(words: Sequence[Word], place: int) -> int | None:
    """Where another number is offered instead of the one at this place: "6이나 7", "6개 또는 7개", "6인데 7인가"."""
    if not words[place].is_number:
        return None
    last = _behind_counter(words, place) - 1
    linked = any(words[at].followed_by(grading_lists().either) for at in (place, last))
    if last + 1 < len(words) and _is_or(words[last + 1]):
        linked, last = True, last + 1
    if linked and last + 1 < len(words) and words[last + 1].is_number:
        return last + 1
    return _doubted(words, place)


def _stated(words: Sequence[Word]) -> list[str]:
    """The numbers that are said to be the answer: "답은 6"; in "6이 답이고 4" it is not 4."""
    lists = grading_lists()
    return [
        following.form
        for word, following in pairwise(words)
        if word.form in lists.answer and following.is_number and not (word.has("XSV") or word.has("VCP"))
    ]


def _is_amount(words: Sequence[Word], place: int) -> bool:
    """Not "6번", not "6이나 7", not "6이 아니라 7", nor one of numbers in a row."""
    lists = grading_lists()
    offered = (other_offered(words, at) for at in range(max(place - _NEAR, 0), place))
    if other_offered(words, place) is not None or place in offered or _taken_back(words, place):
        return False
    if place + 1 < len(words) and words[place + 1].form in lists.not_amounts:
        return False
    return _is_recited(words[place + 1 : place + 4]) or not _in_a_row(words[place : place + _ROW])


def _taken_back(words: Sequence[Word], place: int) -> bool:
    """ "6개가 아니라 7개", "6, 아니 7", "6인 줄 알았는데 7"; but who asks "6 아닐까?" says it."""
    lists = grading_lists()
    if words[place].followed_by({lists.unsaid}):
        return True
    return any(
        word.form in lists.taken_back and not word.followed_by(lists.doubting)
        for word in words[place + 1 : _behind_counter(words, place) + 1]
    )


def _doubted(words: Sequence[Word], place: int) -> int | None:
    """Where somebody turns to another number and is not sure of that one: "6 같은데 7인가", "6인데 7일 수도 있어"."""
    lists = grading_lists()
    other = _behind_hedges(words, place)
    turned = any(word.form in lists.turning or word.followed_by(lists.turning) for word in words[place:other])
    if not turned or other == len(words) or not words[other].is_number:
        return None
    told = words[other : _behind_hedges(words, other)]
    doubted = any(word.form in lists.doubting or word.followed_by(lists.doubting) for word in told)
    return other if doubted else None


def _behind_hedges(words: Sequence[Word], place: int) -> int:
    """Behind the number, its counter and "인 것 같은데"."""
    lists = grading_lists()
    end = _behind_counter(words, place)
    while end < len(words) and (
        words[end].form in lists.hedges or (words[end].form == lists.unsaid and words[end].followed_by(lists.doubting))
    ):
        end += 1
    return end


def _behind_counter(words: Sequence[Word], place: int) -> int:
    """Behind the number and what is counted, if anything is: a noun that follows at once."""
    lists, at = grading_lists(), place + 1
    if words[place].after or at == len(words) or words[at].is_number or _is_or(words[at]):
        return at
    if words[at].form in lists.hedges | lists.taken_back:
        return at
    return at if words[at].has_ending else at + 1


def _is_or(word: Word) -> bool:
    """ "또는", "아니면"."""
    return word.form in grading_lists().either or (word.form == grading_lists().unsaid and word.followed_by({"면"}))


def _in_a_row(words: Sequence[Word]) -> bool:
    """Numbers with nothing but commas between them; of counting, only the last number is told."""
    return len(words) > 1 and all(each.is_number for each in words) and not any(each.carries for each in words[:-1])


def _is_recited(words: Sequence[Word]) -> bool:
    """A line of the times tables: "칠 육 사십이"."""
    if len(words) < _ROW or not all(each.is_number for each in words[:_ROW]):
        return False
    first, second, product = (int(each.form) for each in words[:_ROW])
    return first * second == product
