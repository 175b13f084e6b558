"""Readers of a child's own way with a quotient."""

import re
from itertools import pairwise
from typing import Final

from maththera.chat.coach.own_claims import Claim
from maththera.chat.coach.own_ways.told import RATHER, TEN, Told, look_again, say_word
from maththera.chat.coach.small_talk import act_of
from maththera.chat.coach.step_talk import FoundStep

_HALVES: Final = re.compile(r"반\s*(?:으로|을|씩|띵|토막|자르|잘라|나누|나눠|쪼개)|절반")
_SLOW: Final = re.compile(r"오래|느려|귀찮|힘들|언제\s*다|너무\s*많")


def share_meaning(told: Told) -> FoundStep | None:
    """What the quotient means in a story of the child's own."""
    a, b = told.problem.a, told.problem.b
    shared = re.search(r"나(?:누어|누는|누자|누면|눌|눈|눠)|노나|똑같이|갖", told.text)
    if not shared or {a, b} - {*told.values} or len(told.values) != 2 or re.search(r"몇|얼마", told.text):
        return None
    return say_word("share_meant") if told.asks or act_of(told.text) in ("tell", "whether") else None


def halves_told(told: Told) -> FoundStep | None:
    """Halves, and halves of halves, for a divisor that is made of twos."""
    a, b = told.problem.a, told.problem.b
    halvings = {2: 1, 4: 2, 8: 3}.get(b, 0)
    if not halvings:
        return None
    way = [a // 2**step for step in range(1, halvings + 1)]
    twice = re.search(r"반.*반|반\S*\s*\d\s*번|두\s*번|세\s*번", told.text)
    if (_HALVES.search(told.text) or "반" in told.text) and twice and {*told.values} <= {b, 2, 3} and not told.found:
        numbers = [int(one) for one in re.findall(r"(\d)\s*번", told.text)] or [len(re.findall("반", told.text))]
        return say_word("halving_yes" if halvings in numbers else "halving_times", times=halvings, by=b, a=a)
    halves = [one for one in told.claims if one.op == "/" and one.right == 2 and one.value is not None]
    if halves and len(halves) == len(told.claims):
        wrong = next((one for one in halves if not one.right_one), None)
        if wrong is not None:
            return look_again(wrong)
        if len(halves) > 1 and sum(one.left for one in halves) in (a, *way[:-1]):
            return say_word("half_parts", halves[-1])
        done = way.index(halves[-1].value or 0) + 1 if halves[-1].value in way[:-1] else 0
        return _after_halves(told, done, halvings, halves[-1]) if done else None
    row = way[: len(told.values)]
    if 1 < len(told.values) < halvings and list(told.values) == row and not told.claims:
        return _after_halves(told, len(row), halvings, Claim("/", row[-2], 2))
    last = told.found[-1].result if told.found and told.found[-1].right == 2 else None
    if last is not None and not told.claims and len(told.values) == 2 and 2 * sum(told.values) == last:
        tens = last // TEN * TEN
        if sorted(told.values) == sorted((tens // 2, (last - tens) // 2)):
            return say_word("half_parts")
    return None


def _after_halves(told: Told, done: int, halvings: int, claim: Claim) -> FoundStep:
    return say_word("halved_more", claim, equation=claim.result, done=done, times=halvings, left=halvings - done,
                by=told.problem.b)  # fmt: skip


def multiples_told(told: Told) -> FoundStep | None:
    """How often the divisor fits: known lines, what is left, and the end of a row."""
    problem, values = told.problem, told.values
    a, b, answer = problem.a, problem.b, problem.answer
    for one in told.claims:
        each = one.right if one.left == b else one.left if one.right == b else 0
        if one.op == "x" and each and each != answer and len(told.claims) == 1:
            if one.value is not None and not one.right_one:
                return look_again(one)
            left = a - b * each
            if one.right_one and left > 0 and left in values[2:] and left != answer:
                return say_word("fits_left", Claim("x", each, b), known=b * each, left=left, by=b)
    once_more = re.search(r"1?\s*번?\s*만?\s*더", told.text)
    if once_more and values[-1:] == (a,) and b in values and not told.claims:
        return say_word("fits_now", known=a, by=b)
    tail = list(values)
    if len(tail) > 1 and tail[-1] == a and all(other - one == b for one, other in pairwise(tail)):
        return say_word("row_arrived", a=a, by=b)
    return None


def fits_again(told: Told) -> FoundStep | None:
    """How often the divisor fits into what was left, and what was left held out as the answer."""
    a, b, answer = told.problem.a, told.problem.b, told.problem.answer
    before = [one.left for one in told.found if one.op == "x" and one.right == b]
    if not before or not told.values or answer <= before[-1]:
        return None
    earlier, more = before[-1], answer - before[-1]
    of_rest = [{one.left, one.right} == {b, more} for one in told.claims if one.op == "x"]
    if (not told.claims and told.values in ((more,), (earlier, more))) or (of_rest == [True] and len(told.claims) == 1):
        return say_word("parts_found", Claim("x", more, b), one=earlier, other=more)
    left = a - earlier * b
    asks = told.values == (left,) and left != answer and RATHER.search(told.text) and "남" not in told.text
    return say_word("left_is_not", left=left, by=b, a=a) if asks and not told.claims else None


def shared_out(told: Told) -> FoundStep | None:
    """Things handed out: several at once, some that were given, those that are left."""
    a, b, values = told.problem.a, told.problem.b, told.values
    if values in ((1,), ()) and _SLOW.search(told.text) and re.search(r"씩|하나|주|나[누눠]", told.text):
        return say_word("share_several", by=b)
    if len(values) == 2 and values[0] * b == values[1] and values[1] < a and "씩" in told.text:
        each, gone = values
        if a - gone == told.problem.answer:
            return say_word("share_given", Claim("x", each, b), each=each, gone=gone, by=b)
    kept = re.search(r"내\s*[꺼거]|내가|나만|나\s*줘|나는", told.text)
    if kept and re.search(r"남[은는]", told.text):
        return say_word("share_rest_too", by=b)
    return None


def not_even(told: Told) -> FoundStep | None:
    """What is done where a number does not fit without a rest."""
    uneven = re.search(r"안\s*떨어|안\s*나[눠누]|나머지|남으면", told.text)
    return say_word("share_uneven") if uneven and not told.values and (told.asks or "어" in told.text) else None


QUOTIENT_READERS: Final = (
    share_meaning, halves_told, multiples_told, fits_again, shared_out, not_even,
)  # fmt: skip
