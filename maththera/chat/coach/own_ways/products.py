"""Readers of a child's own way with a product."""

import re
from typing import Final

from maththera.chat.coach.own_claims import Claim
from maththera.chat.coach.own_ways.told import HOW_MANY_MORE, NEAR, TAKES, TEN, Told, look_again, say_word
from maththera.chat.coach.step_talk import FoundStep

_FEW: Final = 2
_IS_TENS: Final = re.compile(
    r"(\d)\s*(?:은|는|이|가)?\s*(?:사실|원래|진짜)?\s*(?:이|가)?\s*(?:아니라|아니고|말고)\s*(\d0)(?!\d)"
)
_EACH_TIMES: Final = re.compile(
    r"(?<!\d)(\d+)\s*(?:개|명|칸|자루)?\s*(?:씩|을|를|이|가)\s*(\d+)\s*(?:번|묶음|줄|봉지|상자|명|접시|배|개)(?!\s*더\s)"
)


def times_meaning(told: Told) -> FoundStep | None:
    """What the product means, or that it may be turned round."""
    a, b = told.problem.a, told.problem.b
    said = _EACH_TIMES.search(told.text)
    if said is None or any(one.value is not None for one in told.claims):
        return None
    pair = int(said[1]), int(said[2])
    if pair == (a, b):
        return say_word("times_meaning_yes", a=a, b=b)
    return say_word("times_turned", a=a, b=b) if pair == (b, a) else None


def times_digit(told: Told) -> FoundStep | None:
    """A digit of the tens that was taken for ones: 2×6 of 24×6."""
    big, small = max(told.problem.a, told.problem.b), min(told.problem.a, told.problem.b)
    if not small < TEN <= big < TEN**2:
        return None
    tens, ones = divmod(big, TEN)
    found = _IS_TENS.search(told.text)
    if found and (int(found[1]), int(found[2])) == (tens, TEN * tens):
        return say_word("digit_is_tens", whole=TEN * tens, by=small)
    right = [one for one in told.claims if one.right_one]
    pair = next((one for one in right if sorted((one.left, one.right)) == sorted((tens, small))), None)
    of_ones = next((one for one in right if sorted((one.left, one.right)) == sorted((ones, small))), None)
    if pair is None or len(right) != len(told.claims):
        return None
    whole = TEN * (pair.result or 0)
    if whole in told.values and whole != pair.result:
        return say_word("digit_tens_yes", digit=tens, whole=TEN * tens, equation=f"{TEN * tens}×{small}={whole}")
    joined = f"{pair.result}{ones * small}" in told.text
    if joined:
        return say_word("digits_joined", pair, digit=tens, whole=TEN * tens, by=small)
    if of_ones is not None and (of_ones.result or 0) >= TEN and told.claims[-1] == pair:
        return say_word("times_carry_left", of_ones, before=f"{of_ones.equation}, {pair.equation}", product=pair.result)
    return None


def times_carried(told: Told) -> FoundStep | None:
    """What is carried, added to the product of the tens: 42에 5를 더해서 47."""
    big, small = max(told.problem.a, told.problem.b), min(told.problem.a, told.problem.b)
    if not small < TEN <= big < TEN**2:
        return None
    tens, ones = divmod(big, TEN)
    up, left = divmod(ones * small, TEN)
    product = tens * small
    for one in told.claims:
        if one.op == "+" and up and one.left == product and one.right != up and one.right < TEN:
            slots: dict[str, object] = {"equation": one.equation, "other": one.right, "ones": ones * small}
            return say_word("carry_other", part=f"{ones}×{small}", left=left, **slots)
        if one.op == "+" and up and (one.left, one.right) == (product, up):
            return (
                look_again(one)
                if one.value is not None and not one.right_one
                else say_word("carry_added", total=product + up)
            )
    if up and told.values[-1:] == (product + up,) and {*told.values[:-1]} <= {up} and not told.claims:
        return say_word("carry_added", total=product + up)
    return None


def times_near(told: Told) -> FoundStep | None:
    """More groups than there are, and those taken away again; two products that make the whole one."""
    problem, claims = told.problem, told.claims
    times = [one for one in claims if one.op == "x"]
    takes = TAKES.search(told.text) is not None
    for each, groups in ((problem.a, problem.b), (problem.b, problem.a)):
        shares = [one.right if one.left == each else one.left if one.right == each else None for one in times]
        if not times or None in shares or len(times) != len(claims):
            continue
        known = [one for one in shares if one is not None]
        wrong = next((one for one in times if one.value is not None and not one.right_one), None)
        if wrong is not None:
            return look_again(wrong) if wrong.result != problem.answer else None
        told_results = all(one.value is not None for one in times)
        if len(known) == 2 and known[0] - known[1] == groups and takes:
            return say_word("times_less_plan", near=known[0], groups=groups, more=known[1], each=each)
        if len(known) == 2 and sum(known) == groups and told_results:
            return say_word("times_parts", times[-1], one=known[0], other=known[1], groups=groups)
        if len(known) == 1 and told_results and groups < known[0] <= groups + 5 and each > 1:
            slots: dict[str, object] = {"each": each, "known": known[0], "total": times[0].value}
            return say_word("groups_too_many", times[0], missing=known[0] - groups, **slots)
        if len(known) == 1 and not told_results and groups < known[0] <= groups + 5 and (takes or told.asks):
            return say_word("times_near_plan", near=known[0], groups=groups, each=each)
    return None


def times_near_end(told: Told) -> FoundStep | None:
    """How much is to be taken away again from a rounder product, and why."""
    problem = told.problem
    for each, groups in ((problem.a, problem.b), (problem.b, problem.a)):
        near = (groups + TEN // 2) // TEN * TEN
        more = near - groups
        if not 0 < more <= 5 or groups < TEN - 3:
            continue
        for one in told.claims:
            if one.op == "-" and one.left == each * near and one.value in (None, one.result) and not told.asks_amount:
                if one.right == each * more:
                    return say_word("last_step", part=one.part)
                return say_word(
                    "times_near_other", product=one.left, each=each, near=near, groups=groups, wrong=one.right
                )
        named = {*told.values}
        if told.why and told.goes_on and named & ({near, groups} - {each}) and named <= {groups, near, each, more}:
            return say_word("times_near_why", each=each, near=near, groups=groups, more=more)
    return None


def times_parts_told(told: Told) -> FoundStep | None:
    """The two parts of a product, of which one is not right."""
    big, small = max(told.problem.a, told.problem.b), min(told.problem.a, told.problem.b)
    tens = big - big % TEN
    if told.claims or len(told.values) != 2 or not small < TEN < tens + small or big == tens or not tens:
        return None
    parts = {tens * small: (tens, small), (big - tens) * small: (big - tens, small)}
    right = [one for one in told.values if one in parts]
    if len(right) != 1:
        return None
    wrong = next(one for one in told.values if one not in parts)
    left, by = next(pair for value, pair in parts.items() if value != right[0])
    if abs(wrong - left * by) > NEAR:
        return None
    return look_again(Claim("x", by, left, wrong), f"{right[0]}, 그건 맞아. ")


def times_stride(told: Told) -> FoundStep | None:
    """On from a known product by another number than the one that is counted in."""
    problem = told.problem
    for one in told.claims:
        if one.op != "+" or (one.value is not None and not one.right_one):
            continue
        for each, groups in ((problem.a, problem.b), (problem.b, problem.a)):
            if each and one.left % each == 0 and 1 < one.left // each < groups:
                if one.right == each:
                    near = one.left + each == problem.answer
                    return say_word("times_one_more_plan" if near else "times_more_plan", known=one.left, each=each)
                if one.right in (problem.a, problem.b):
                    return say_word("times_other_stride", each=each, wrong=one.right, known=one.left)
    return None


def times_last(told: Told) -> FoundStep | None:
    """The addition that ends a product, when the child finds it hard or tells a part of it: 12에 6; 2랑 6은 8."""
    problem = told.problem
    for each, groups in ((problem.a, problem.b), (problem.b, problem.a)):
        known = each * (groups - 1)
        tens, ones = divmod(known, TEN)
        if not tens or each >= TEN:
            continue
        fits = ones and ones + each < TEN
        if told.values == (known, each) and not told.claims and fits:
            return say_word("last_add_ones", tens=TEN * tens, ones=ones, each=each)
        for one in told.claims:
            if fits and one.op == "+" and sorted((one.left, one.right)) == sorted((ones, each)) and one.right_one:
                return say_word("last_add_ones_right", one, equation=one.equation)
    return None


def times_together(told: Told) -> FoundStep | None:
    """Two known products that are to be put together: 14 더하기 14."""
    problem = told.problem
    for one in told.claims:
        for each, groups in ((problem.a, problem.b), (problem.b, problem.a)):
            whole = one.left % each == one.right % each == 0 and min(one.left, one.right) > 0
            plan = one.op == "+" and one.value is None and not told.asks_amount
            if plan and whole and one.result == each * groups and each > _FEW:
                return say_word("last_step", part=one.part)
    return None


def times_row_left(told: Told) -> FoundStep | None:
    """How many groups are left of those that were counted."""
    if not HOW_MANY_MORE.search(told.text) or [one for one in told.values if one > 1]:
        return None
    for each, groups in ((told.problem.a, told.problem.b), (told.problem.b, told.problem.a)):
        done = next((one.right for one in reversed(told.found) if one.op == "x" and one.left == each), 0)
        if 0 < done < groups:
            return say_word("groups_left", each=each, left=groups - done)
    return None


PRODUCT_READERS: Final = (
    times_meaning, times_digit, times_carried, times_near_end, times_near, times_parts_told, times_stride,
    times_last, times_together, times_row_left,
)  # fmt: skip
