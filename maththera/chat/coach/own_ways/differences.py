"""Readers of a child's own way with a difference."""

import re
from collections.abc import Iterator, Sequence
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.chat.coach.drafts import NumberTopic
from maththera.chat.coach.own_claims import Claim
from maththera.chat.coach.own_ways.sums import goes_last, number_reached, rest_of
from maththera.chat.coach.own_ways.told import ADDS, NEAR, PLACES, TAKES, TEN, Told, digit_at, look_again, say_word
from maththera.chat.coach.small_talk import act_of
from maththera.chat.coach.step_talk import FoundStep
from maththera.korean.particles import with_particle

_TURNED: Final = re.compile(r"뒤집|거꾸로|바꾸|바꿔|순서|반대로")
_MARKS: Final = re.compile(r"귀찮|최악|싫|어려|무서|헐|으악|망")
_NO_START: Final = re.compile(ADDS.pattern + r"|에서|보다|못")
"""Words of a message that names what is taken from, or takes nothing."""
_FAR: Final = re.compile(r"멀|너무|바로|건너|한\s*번에")


def _rewritten(problem: Problem) -> list[int]:
    """The digits of the first number from the ones up, as they are when all that is needed was opened."""
    digits = [digit_at(problem.a, place) for place in range(len(str(problem.a)))]
    for place in range(len(digits) - 1):
        if digits[place] < digit_at(problem.b, place):
            digits[place] += TEN
            digits[place + 1] -= 1
    return digits


def difference_columns(told: Told) -> FoundStep | None:
    """The differences of digits, of any place, with what was lent."""
    problem, digits = told.problem, _rewritten(told.problem)
    if len(digits) < 2 or (problem.b < TEN and len(told.claims) < 2):
        return None
    if list(told.values) == digits[::-1] and len(digits) > 2 and not told.claims:
        return say_word("columns_rewritten", one=digits[0], other=problem.b % TEN)
    taken = [one for one in told.claims if one.op == "-"]
    if not taken or len(taken) != len(told.claims):
        return None
    read = [_place_of(problem, one, digits) for one in taken]
    if any(one is None for one in read):
        return None
    right = [
        one for one, seen in zip(taken, read, strict=True) if seen is not None and seen[1] == "own" and one.right_one
    ]
    before = f"{', '.join(one.equation for one in right)} 맞아. " if right else ""
    found = right[-1] if right else None
    for one, seen in zip(taken, read, strict=True):
        place, kind = seen if seen is not None else (0, "")
        if kind == "lent" and (place > problem.carries[0] + 1 or right):
            true = [*right, one] if one.right_one and not right else right
            before = f"{with_particle(', '.join(each.equation for each in true), '은는')} 맞아. 그런데 " if true else ""
            return say_word("column_lent", found, before=before, place=PLACES[place], digit=digit_at(problem.a, place),
                        left=digit_at(problem.a, place) - 1, minus=digit_at(problem.b, place))  # fmt: skip
        if kind == "own" and one.value is not None and not one.right_one:
            return look_again(one, before)
    places = {seen[0] for seen in read if seen is not None and seen[1] == "own"}
    needed = {place for place in range(len(digits)) if digit_at(problem.b, place)}
    if len(right) > 1 and places == needed and len(digits) == 2 and not problem.carries:
        return say_word("places_both", found, first=digit_at(problem.a, 1), last=digit_at(problem.a, 0))
    if len(right) > 1 and places == needed:
        return say_word("places_found", found, before=before)
    return None


def _place_of(problem: Problem, one: Claim, digits: Sequence[int]) -> tuple[int, str] | None:
    """(the place that a difference of digits belongs to, and whether it is its own or the one before it has lent)."""
    for place, digit in enumerate(digits):
        minus = digit_at(problem.b, place)
        if (one.left, one.right) == (digit, minus):
            return place, "own"
        lent = place > 0 and place - 1 in problem.carries
        if lent and (one.left, one.right) == (digit_at(problem.a, place), minus) and digit_at(problem.a, place) > 0:
            return place, "lent"
    return None


def difference_digits(told: Told) -> FoundStep | None:
    """The digits of a difference without a borrow, named by where they stand: 뒤는 5고 앞은 3."""
    problem = told.problem
    own = [digit_at(problem.a, place) - digit_at(problem.b, place) for place in (0, 1)]
    named = re.search(r"앞|십", told.text) and re.search(r"뒤|일의|낱개", told.text)
    if problem.carries or len(str(problem.a)) != 2 or told.claims or not named or len(told.values) != 2:
        return None
    place = re.search(r"앞|십", told.text), re.search(r"뒤|일의|낱개", told.text)
    first = own[::-1] if place[0] and place[1] and place[0].start() < place[1].start() else own
    return say_word("digits_named") if list(told.values) == first else None


def lender_told(told: Told) -> FoundStep | None:
    """From which digit is borrowed, and what becomes of a 0 on the way."""
    problem, values = told.problem, told.values
    if 0 not in problem.carries or problem.b < 1 or problem.a < 2 * TEN or told.claims:
        return None
    one, above, hundreds = problem.a % TEN, digit_at(problem.a, 1), digit_at(problem.a, 2)
    slots: dict[str, object] = {
        "one": one,
        "opened": one + TEN,
        "above": above,
        "left": above - 1,
        "hundreds": hundreds,
    }
    if above == 0 and hundreds:
        if {*values} == {0, 10, 9} and (told.asks or act_of(told.text) in ("tell", "whether")):
            return say_word("zero_yes", **slots)
        if values == (hundreds,) and _FAR.search(told.text):
            return say_word("zero_two_steps", **slots)
        if 0 in values and {*values} <= {0, 2} and _MARKS.search(told.text):
            return say_word("zero_first", **slots)
        return None
    asks_lender = re.search(r"(?:한테|에게|에서|꺼|거).{0,4}(?:빌|꿔|가져)", told.text)
    if above and values == (above,) and asks_lender and not told.why:
        return say_word("borrow_from", **slots)
    return None


def order_matters(told: Told) -> FoundStep | None:
    """Why the numbers of a difference cannot be turned round."""
    turned = _TURNED.search(told.text) and (told.why or re.search(r"안\s*[돼되]|되잖", told.text))
    return say_word("order_matters") if turned and not told.claims and "자리" not in told.text else None


def reversed_digits(told: Told) -> FoundStep | None:
    """The smaller digit taken from the larger, told by how far apart they lie: 1이랑 8이면 7 차이나니까."""
    problem = told.problem
    one, other = problem.a % TEN, problem.b % TEN
    gap = other - one
    if 0 not in problem.carries:
        return None
    plain = all(each.op == "+" and each.value == gap for each in told.claims) and "에서" not in told.text
    in_row = plain and told.values[:3] == (one, other, gap)
    if not (in_row or ("차이" in told.text and gap in told.values)):
        return None
    return say_word("gap_true", one=one, other=other, gap=gap, opened=one + TEN)


def difference_bridged(told: Told) -> FoundStep | None:
    """Parts of the second number taken one after the other, more than it and then some back, or what is left of it."""
    a, b = told.problem.a, told.problem.b
    for one in _taken_away(told):
        part = _of_part(told, one) if one.left == a and one.right != b and 0 < one.right < b + NEAR else None
        if (word := part or _round_minuend(told, one)) is not None:
            return word
        known = {each.result for each in told.found if each.left == a and each.right < b}
        if one.left in known and one.result == told.problem.answer and one.value is not None and not one.right_one:
            return look_again(one)
    reached = number_reached(told, a, b)
    if reached is None:
        return None
    used, at = reached
    if (word := rest_of(told, b, used) or goes_last(told, at, b - used)) is not None:
        return word
    if told.bare == b - used and not told.why:
        claim = Claim("-", b, used)
        return say_word("bridge_back_rest", claim, equation=claim.equation, at=at)
    came = any(one.left == a and one.right == used for one in told.found)
    return say_word("added_instead", at=at, rest=b - used) if came and told.values[-1:] == (at + b - used,) else None


def _round_minuend(told: Told, one: Claim) -> FoundStep | None:
    """The second number taken from the tens of the first: 50−38 of 52−38."""
    a, b = told.problem.a, told.problem.b
    apart = a % TEN
    if not apart or one.right != b or one.left != a - apart or one.left <= TEN:
        return None
    if one.value is None:
        return say_word("begin_part", part=one.part) if told.asks and not told.asks_amount else None
    if not one.right_one:
        return look_again(one)
    return say_word("minuend_round", one, equation=one.equation, a=a, apart=apart)


def _taken_away(told: Told) -> Iterator[Claim]:
    """The differences of a message, those too that leave out from what is taken: 10 빼면 5, 10까지 세 칸, 80 맞제."""
    yield from (one for one in told.claims if one.op == "-")
    if told.claims:
        return
    a, b, values = told.problem.a, told.problem.b, told.values
    tens = b - b % TEN
    if len(values) == 2 and TAKES.search(told.text) and not _NO_START.search(told.text):
        part, value = values
        if value == a - part or (part in (tens, a % TEN, tens + TEN) and part < value < a):
            yield Claim("-", a, part, value)
    if len(values) == 2 and re.search(r"까지", told.text) and values[0] == a - values[1]:
        yield Claim("-", a, values[1], values[0])
    if told.bare is not None and 0 < tens < b and told.bare == a - tens and not told.why:
        yield Claim("-", a, tens, told.bare)


def _of_part(told: Told, one: Claim) -> FoundStep | None:
    """What to say where a part of the second number, or a rounder one, was taken from the first."""
    b, part = told.problem.b, one.right
    if one.value is None:
        return say_word("begin_part", part=one.part) if told.asks and not told.asks_amount and part < b else None
    if not one.right_one:
        return look_again(one)
    slots: dict[str, object] = {"equation": one.equation, "b": b, "used": part, "more": part - b}
    if part > b:
        near: NumberTopic = {"about": "near", "number": part}
        return say_word("give_back", one, near, **slots) if part % TEN == 0 else None
    if part == b - b % TEN:
        return say_word("split_tens", one, ones=b % TEN, **slots)
    return say_word("bridge_back_reached" if (one.result or 0) % TEN == 0 else "part_taken", one, **slots)


def given_back(told: Told) -> FoundStep | None:
    """A round number taken in place of the second, and what is too much given back: the plan, the end, and why."""
    a, b, values = told.problem.a, told.problem.b, told.values
    if told.claims:
        return None
    takes, adds = TAKES.search(told.text), ADDS.search(told.text)
    pair = [*values[1:]] if values[:1] == (b,) and len(values) == 3 else [*values]
    if len(pair) == 2 and takes and adds and pair[0] - pair[1] == b and pair[0] < a:
        near: NumberTopic = {"about": "near", "number": pair[0]}
        return say_word("give_back_plan", None, near, a=a, near=pair[0], b=b, more=pair[1])
    known = told.topic["number"] if told.topic is not None and told.topic["about"] == "near" else None
    if known is not None and told.why and (adds or takes):
        return say_word("give_back_why", near=known, b=b, more=known - b)
    if known is not None and values in ((known - b,), ()) and (takes or adds) and len(told.text) < NEAR * 2:
        if takes and not adds:
            return say_word("give_back_not_take", near=known, b=b, more=known - b)
        return say_word("give_back_yes", more=known - b) if values else None
    apart = a % TEN
    rounded = any(one.left == a - apart and one.right == b for one in told.found)
    if rounded and values == (apart,) and (takes or adds):
        return say_word("minuend_apart_add" if adds else "minuend_apart_not_take", a=a, apart=apart)
    return None


def moved_why(told: Told) -> FoundStep | None:
    """Why a difference stays the same when both numbers move."""
    moved = told.topic is not None and told.topic["about"] == "moved"
    return say_word("moved_why") if moved and told.why and re.search(r"같|그대로|모르", told.text) else None


DIFFERENCE_READERS: Final = (
    order_matters, lender_told, given_back, moved_why, difference_columns, difference_digits, reversed_digits,
    difference_bridged,
)  # fmt: skip
