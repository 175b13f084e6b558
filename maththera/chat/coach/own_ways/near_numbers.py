"""A rounder number in the place of one of a sum or difference, and what is put right for it in the end: 98 as 100,
19+19 as 20+20.

Says no result that the child has not found itself, so that it may be about an open task.
"""

import re
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.chat.coach.drafts import NumberTopic
from maththera.chat.coach.own_claims import Claim
from maththera.chat.coach.own_ways.told import TAKES, TEN, Told, look_again, say_word
from maththera.chat.coach.step_talk import FoundStep

_CLOSE: Final = 3
"""How far a number may be from the one that it stands for."""
_RETURNS: Final = re.compile(r"갚|돌려|도로|다시\s*[줘주]")
_PLANS: Final = re.compile(
    r"더하|더할|더해|빼|뺄|뺀|하면|해도|할래|할까|바꿔|바꾸|편하|쉬|좋|마찬가지|거의|비슷|생각|치[고면자]|보[고면자]|가깝"
)
_AMOUNT: Final = re.compile(r"몇|얼마")
_WHICH: Final = re.compile(
    r"(?:더해|더하|돌려)(?!고)\S{0,3}\s*(?:아니면\s*)?빼(?!고)|빼(?!고)\S{0,3}\s*(?:아니면\s*)?(?:더해|더하|돌려)(?!고)"
)
"""Is it added or taken in the end?"""
_ADDS: Final = re.compile(r"더하|더해|더할|더한|보태|모으|모아|합")


def replaced_number(problem: Problem, near: int) -> tuple[int, int] | None:
    """(the number of a sum or difference that `near` stands for, how much its result is then too large)."""
    if problem.op not in "+-" or near in (problem.a, problem.b):
        return None
    own = [(abs(near - one), one, first) for one, first in ((problem.b, False), (problem.a, True))]
    gap, one, first = min(own)
    if not 0 < gap <= _CLOSE or one < 2 * TEN or near < TEN:
        return None
    if near % TEN != 0 and (one % TEN, near % TEN) != (0, TEN - 1):
        return None
    sign = -1 if problem.op == "-" and not first else 1
    return one, sign * (near - one)


def known_near(told: Told) -> int | None:
    """The number that was taken in place of one of the problem's own, as far as it is known."""
    if told.topic is not None and told.topic["about"] == "near":
        return told.topic["number"]
    for one in reversed(told.found):
        for near in (one.left, one.right):
            if (
                one.op == told.problem.op
                and replaced_number(told.problem, near) is not None
                and _is_near(told, one, near)
            ):
                return near
    return None


def _is_near(told: Told, claim: Claim, near: int) -> bool:
    """Whether a calculation is the problem with `near` in place of one of its numbers."""
    replaced = replaced_number(told.problem, near)
    if replaced is None or claim.op != told.problem.op:
        return False
    a, b = told.problem.a, told.problem.b
    pair = (near, b) if replaced[0] == a and a != b else (a, near)
    turned = claim.op == "+" and (claim.right, claim.left) == pair
    return turned or (claim.left, claim.right) == pair


def near_slots(told: Told, near: int) -> dict[str, object]:
    replaced = replaced_number(told.problem, near)
    one, too_much = replaced if replaced is not None else (near, 0)
    return {"near": near, "one": one, "by": abs(near - one), "than": "큰" if near > one else "작은",
            "became": "커졌어" if too_much > 0 else "작아졌어", "do": "빼" if too_much > 0 else "더해",
            "rather": "더하지 말고" if too_much > 0 else "또 빼지 말고"}  # fmt: skip


def near_plan(told: Told) -> FoundStep | None:
    """A rounder number that a child would take: 29 싫으니까 30 더할래."""
    if told.problem.op not in "+-" or any(one.value is not None for one in told.claims) or told.why:
        return None
    near = next((one for one in told.values if replaced_number(told.problem, one) is not None), None)
    if near is None or not _PLANS.search(told.text) or _AMOUNT.search(told.text):
        return None
    slots = near_slots(told, near)
    if not {*told.values} <= {near, slots["one"], told.problem.a, told.problem.b}:
        return None
    if told.claims and not all(_is_near(told, one, near) for one in told.claims):
        return None
    return say_word("near_plan", None, _about(near), **slots)


def _about(near: int) -> NumberTopic:
    return {"about": "near", "number": near}


def near_step(told: Told) -> FoundStep | None:
    """The problem worked out with a rounder number: 999-358=641, or 75 alone after 45+30 was planned."""
    a, b, op = told.problem.a, told.problem.b, told.problem.op
    for claim in told.claims:
        near = next((one for one in (claim.left, claim.right) if _is_near(told, claim, one)), None)
        if near is None or claim.value is None:
            continue
        return _near_done(told, claim, near) if claim.right_one else look_again(claim)
    known = told.topic["number"] if told.topic is not None and told.topic["about"] == "near" else None
    replaced = None if known is None else replaced_number(told.problem, known)
    if known is None or replaced is None or told.bare is None or told.why:
        return None
    plan = Claim(op, known, b) if replaced[0] == a and a != b else Claim(op, a, known)
    return _near_done(told, plan, known) if told.bare == plan.result else None


def _near_done(told: Told, claim: Claim, near: int) -> FoundStep:
    return say_word("near_done", claim, _about(near), equation=claim.equation, **near_slots(told, near))


def near_direction(told: Told) -> FoundStep | None:
    """Whether what is too much comes off again in the end, and how much that is with another number."""
    near = known_near(told)
    takes, adds = TAKES.search(told.text), _ADDS.search(told.text) or _RETURNS.search(told.text)
    if near is None and takes and adds:
        near = next((one for one in told.values if replaced_number(told.problem, one) is not None), None)
    if near is None or any(not one.right_one for one in told.claims):
        return None
    slots = near_slots(told, near)
    if takes and adds and _WHICH.search(told.text):
        return say_word("near_direction_which", None, _about(near), **slots)
    if told.claims:
        return None
    if slots["by"] == 0:
        return None
    other = told.bare
    if other is not None and other != slots["one"] and 0 < abs(near - other) < TEN and other >= TEN:
        if not _AMOUNT.search(told.text) and not re.search(r"이?면", told.text):
            return None
        low, high = sorted((near, other))
        return say_word("near_gap", None, _about(near), low=low, high=high)
    if bool(takes) == bool(adds) or not {*told.values} <= {slots["by"], near, slots["one"]} or told.why:
        return None
    right = bool(takes) == (slots["do"] == "빼")
    return say_word("near_direction_yes" if right else "near_direction_no", None, _about(near), **slots)


def near_both(told: Told) -> FoundStep | None:
    """Both numbers of a sum rounded, or one of the two that was not put right yet: 19+19 as 20+20=40, then 39."""
    a, b = told.problem.a, told.problem.b
    if told.problem.op != "+" or told.why:
        return None
    for one in (*told.claims, *told.found):
        gaps = min(
            ((one.left - x, one.right - y) for x, y in ((a, b), (b, a))), key=lambda pair: abs(pair[0]) + abs(pair[1])
        )
        if one.op != "+" or 0 in gaps or max(map(abs, gaps)) > _CLOSE or min(one.left, one.right) < TEN:
            continue
        if one in told.claims and one.value is not None:
            if not one.right_one:
                return look_again(one)
            return say_word("near_both_done", one, equation=one.equation)
        once = {(one.result or 0) - gap for gap in gaps}
        if one in told.found and told.values and told.values[-1] in once - {told.problem.answer}:
            return say_word("near_both_once")
    return None


def near_other_way(told: Told) -> FoundStep | None:
    """What was too much put right in the wrong direction: 64-30=34, "그럼 33?" of 64-29."""
    near = known_near(told)
    results = [one.result or 0 for one in told.found if near is not None and _is_near(told, one, near)]
    if near is None or not results or not told.values:
        return None
    slots = near_slots(told, near)
    by = abs(near - int(str(slots["one"])))
    wrong = results[-1] + by if slots["do"] == "빼" else results[-1] - by
    if told.values[-1] != wrong or not {*told.values} <= {wrong, by, near, results[-1]}:
        return None
    return say_word("near_direction_no", None, _about(near), **slots)


NEAR_READERS: Final = (near_both, near_other_way, near_step, near_direction, near_plan)
