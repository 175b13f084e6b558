"""What a child tells of a problem in few or loose words: the digits of its answer one by one, a row that counts up, the
same number again and again, that a result must be smaller, a column without what was carried.

Says no result that the child has not found itself, so that it may be about an open task.
"""

import re
from itertools import pairwise
from typing import Final

from maththera.chat.coach.column_replies import general_reason
from maththera.chat.coach.own_claims import Claim
from maththera.chat.coach.own_ways.told import PLACES, TEN, Told, digit_at, say_word
from maththera.chat.coach.step_talk import FoundStep, next_say

_SHORTEST: Final = 3
_TWO_DIGITS: Final = re.compile(
    r"(?:\W|아|그럼|답은|음)*\d\s*(?:이?랑|하고|[과와]|,|그리고|\s)\s*\d\s*(?:이?[야네지다]|이?요|인가|예요|이에요)?\W*"
)
_BLOCKS: Final = re.compile(
    r"(?:막대|십|묶음|봉지|상자|다발)\D{0,4}\d\s*(?:개|묶음)?\D{0,6}(?:점|낱개|동그라미|알|하나짜리)\D{0,4}\d\s*개?"
    r"|\d\s*(?:막대|묶음|봉지|상자|다발)\D{0,6}\d\s*(?:점|낱개|알)"
)
"""Tens and ones as things: 막대 4개 점 2개."""
_SMALLER: Final = re.compile(r"작아[져지]|줄어|줄[지잖어]|적어[져지]|더\s*작|작[잖네]")
_LARGER: Final = re.compile(r"커[져지야]|커\W*$|늘어|많아|[크커큰](?:잖|네|지|다|은)|더\s*[커큰크]")
_DOES: Final = {"+": r"더하|더해|모으", "-": r"빼|뺐|뺀|덜", "x": r"곱하|곱했", "/": r"나누|나눴|나눠"}
_WONDERS: Final = re.compile(r"이상|아니|틀|왜|안\s*돼|어떻게")


def digits_named(told: Told) -> FoundStep | None:
    """The tens and the ones of the answer, told as two digits: 2랑 1?"""
    tens, ones = divmod(told.problem.answer, TEN)
    columns = [sorted((digit_at(told.problem.a, place), digit_at(told.problem.b, place))) for place in (0, 1)]
    in_blocks = _BLOCKS.search(told.text) is not None
    named = told.values == (tens, ones) and 0 < tens < TEN and (in_blocks or _TWO_DIGITS.fullmatch(told.text))
    if not named or told.claims or (sorted(told.values) in columns and not in_blocks):
        return None
    return say_word("digits_of_answer", tens=tens, ones=ones)


def counted_up(told: Told) -> FoundStep | None:
    """A row from the smaller number of a difference up to the larger: 6 7 8 9 10 of 10-6."""
    a, b, row = told.problem.a, told.problem.b, told.values
    if told.problem.op != "-" or len(row) < _SHORTEST or told.claims or row[0] not in (b, b + 1) or row[-1] > a:
        return None
    if any(later - one != 1 for one, later in pairwise(row)):
        return None
    return say_word("counted_up" if row[-1] == a else "counted_up_more", None, {"about": "up", "number": b}, a=a, b=b)


def same_again(told: Told) -> FoundStep | None:
    """One number of a product, or the one that is divided by, written again and again: 3 3 3 3 of 4×3."""
    problem, row = told.problem, told.values
    if problem.op not in "x/" or len(row) < 2 or len({*row}) != 1 or told.claims or problem.answer == row[0]:
        return None
    each, count = row[0], len(row)
    slots: dict[str, object] = {"each": each, "count": count}
    if problem.op == "/":
        done = "all" if count == problem.answer else "more" if count < problem.answer else "over"
        return say_word(f"same_again_share_{done}", whole=problem.a, **slots) if each == problem.b else None
    for one, times in ((problem.a, problem.b), (problem.b, problem.a)):
        if each == one:
            done = "all" if count == times else "more" if count < times else "over"
            return say_word(f"same_again_{done}", times=times, **slots)
    return None


def size_expected(told: Told) -> FoundStep | None:
    """That a difference must be smaller than what it is taken from, or a sum larger: 빼면 작아져야 되는데."""
    op, text = told.problem.op, told.text
    does = re.search(_DOES[op], text) is not None
    wanted, contrary = (_LARGER, _SMALLER) if op in "+x" else (_SMALLER, _LARGER)
    right = does and wanted.search(text) and not contrary.search(text)
    doubts = contrary.search(text) and _WONDERS.search(text) and (does or "답" in text)
    if told.claims or told.values or not (right or doubts) or not min(told.problem.a, told.problem.b) > 1:
        return None
    return say_word("size_grows" if op in "+x" else "size_shrinks", next=_next(told))


def _next(told: Told) -> str:
    found = [one.equation for one in told.found]
    return (next_say(told.problem, found) if found else "") or "한 자리씩 다시 봐."


def carry_left_out(told: Told) -> FoundStep | None:
    """The digits of a column put together without what was carried to it: 3쓰고 1올려, 7+1=8 끝?"""
    problem = told.problem
    for below in problem.carries if problem.op == "+" else ():
        digits = {digit_at(problem.a, below + 1), digit_at(problem.b, below + 1)}
        carried = "올" in told.text or any(
            {one.left, one.right} == {digit_at(problem.a, below), digit_at(problem.b, below)}
            for one in (*told.found, *told.claims[:-1])
        )
        last = told.claims[-1] if told.claims else None
        if last and carried and last.op == "+" and {last.left, last.right} == digits and last.right_one:
            places = {"below": PLACES[below], "left": last.left, "right": last.right, "total": last.left + last.right}
            return say_word("column_above_true", Claim("+", last.left, last.right), **places)
    return None


def why_so(told: Told) -> FoundStep | None:
    """What becomes of a digit when a ten is opened: 빌려오면 8은 뭐가 돼?"""
    problem, tens = told.problem, told.problem.a // TEN % TEN
    asked = re.search(rf"(?<!\d){tens}\s*[은는이가]?\s*(?:뭐|몇|얼마|어떻게)", told.text)
    lends = re.search(r"빌[려리]|꿔|열|받아내|주[면고]|돼|되|남", told.text)
    if problem.op != "-" or 0 not in problem.carries or not asked or not lends or told.claims or problem.a < TEN:
        return None
    reason = general_reason(problem)
    return FoundStep(reason[0]) if reason and told.bare == tens else None


def digit_shared(told: Told) -> FoundStep | None:
    """A digit of what is shared out, with what each gets of it: 6은 2 of 96÷3."""
    problem, values = told.problem, told.values
    tens, ones = divmod(problem.a, TEN)
    if problem.op != "/" or len(values) != 2 or told.claims or not re.search(r"\d\s*[은는]\s*\d", told.text):
        return None
    if values[0] not in (tens, ones) or problem.b < 2 or values[0] != values[1] * problem.b or not 0 < tens < TEN:
        return None
    claim = Claim("/", values[0], problem.b, values[1])
    return say_word("digit_shared", claim, equation=claim.equation, place="십" if values[0] == tens else "일")


LOOSE_READERS: Final = (digit_shared, digits_named, counted_up, same_again, size_expected, carry_left_out, why_so)
