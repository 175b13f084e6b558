"""Readers of a child's own way with a sum."""

import re
from collections.abc import Sequence
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.chat.coach.own_claims import Claim
from maththera.chat.coach.own_ways.told import ADDS, PLACES, TAKES, TEN, Told, digit_at, look_again, say_word
from maththera.chat.coach.step_talk import FoundStep

_FIRST_PLACE: Final = re.compile(r"앞에서|앞부터|앞자리|큰\s*(?:거|것|자리)부터|백부터|십부터")


def column_sums(problem: Problem) -> list[int]:
    """The sums of the digits of each place from the ones up, with what was carried."""
    sums, carried = [], 0
    for place in range(len(str(max(problem.a, problem.b)))):
        sums.append(digit_at(problem.a, place) + digit_at(problem.b, place) + carried)
        carried = sums[-1] // TEN
    return sums


def _place_sums(problem: Problem) -> list[int]:
    """What each place comes to by itself, from the ones up: 13, 130 and 700 of 365+478."""
    places = range(len(str(max(problem.a, problem.b))))
    return [(digit_at(problem.a, place) + digit_at(problem.b, place)) * TEN**place for place in places]


def sum_places(told: Told) -> FoundStep | None:
    """The sums of several places, told one after the other."""
    problem, values = told.problem, told.values
    places = [one for one in _place_sums(problem) if one]
    results = [one.value or 0 for one in told.claims if one.op == "+" and one.right_one]
    if len(places) > 1 and len(results) == len(told.claims) and sorted(results) == sorted(places):
        both: dict[str, object] = {"one": results[0], "other": results[1]}
        return (
            say_word("parts_found", told.claims[-1], **both)
            if len(places) == 2
            else say_word("places_all", told.claims[-1])
        )
    if len(places) < 2 or len(values) < 2 or any(one.op != "/" or one.value is not None for one in told.claims):
        return None
    columns = column_sums(problem)
    if list(values) in (columns, columns[::-1]):
        return say_word("columns_all")
    if len(places) > 2 and sorted(values) == sorted(places):
        return say_word("places_all")
    if len(values) == 2 and sum(values) == problem.answer and _are_places(values, places):
        return say_word("parts_found", one=values[0], other=values[1])
    return None


def sum_with_carry(told: Told) -> FoundStep | None:
    """The digits of a place with what was carried, or what they come to together: 4 2 그리고 1까지 7; 앗 13이다."""
    problem, values = told.problem, told.values
    for below in problem.carries:
        digits = (digit_at(problem.a, below + 1), digit_at(problem.b, below + 1))
        if len(values) == 4 and values[2] == 1 and sorted(values[:2]) == sorted(digits):
            claim = Claim("+", sum(digits), 1, values[3])
            return _with_carry(problem, below + 1, claim) if claim.right_one else look_again(claim)
        if any(digits) and told.bare == sum(digits) + 1 and _below_found(told, below + 1):
            return _with_carry(problem, below + 1, Claim("+", sum(digits), 1))
    return None


def _below_found(told: Told, place: int) -> bool:
    """Whether the place below was worked out, and this one not yet."""
    below = {digit_at(told.problem.a, place - 1), digit_at(told.problem.b, place - 1)}
    own = column_sums(told.problem)[place]
    done = any({one.left, one.right} == below for one in told.found) or any(
        one.right == 1 and one.result == column_sums(told.problem)[place - 1] for one in told.found
    )
    return done and not any(one.right == 1 and one.result == own for one in told.found)


def _with_carry(problem: Problem, place: int, claim: Claim) -> FoundStep:
    total = claim.result or 0
    slots: dict[str, object] = {"left": total % TEN, "place": PLACES[place], "above": PLACES[min(place + 1, 3)]}
    last = total < TEN or place + 1 == len(str(max(problem.a, problem.b)))
    return say_word("column_with_carry_last" if last else "column_with_carry", claim, **slots)


def _are_places(values: Sequence[int], places: Sequence[int]) -> bool:
    """Whether two numbers are what places come to, one of them perhaps of several."""
    one = next((each for each in values if each in places), None)
    return one is not None and sum(places) - one in values


def sum_plan(told: Told) -> FoundStep | None:
    """A calculation of whole places, or the last one, that a child means to do."""
    problem, places = told.problem, [one for one in _place_sums(told.problem) if one]
    if len(told.claims) != 1 or max(problem.a, problem.b) < TEN:
        return None
    claim = told.claims[0]
    if claim.op != "+" or claim.value is not None or told.asks_amount:
        return None
    if claim.result == problem.answer and _are_places((claim.left, claim.right), places):
        return say_word("last_step", part=claim.part)
    first = max(len(str(problem.a)), len(str(problem.b))) - 1
    unit = TEN**first
    digits = sorted((digit_at(problem.a, first) * unit, digit_at(problem.b, first) * unit))
    if (
        sorted((claim.left, claim.right)) == digits
        and 0 not in digits
        and (told.asks or _FIRST_PLACE.search(told.text))
    ):
        return say_word("begin_large", part=claim.part)
    return None


def sum_joined(told: Told) -> FoundStep | None:
    """Two sums of places that were written side by side: 8013."""
    places = _place_sums(told.problem)
    for one in told.claims:
        if (
            one.right_one
            and one.value in places
            and any(f"{other}{one.value}" in told.text for other in places if other)
        ):
            other = next(each for each in places if each and f"{each}{one.value}" in told.text)
            return say_word("places_joined", one, equation=one.equation, one=other, other=one.value)
    return None


def sum_estimated(told: Told) -> FoundStep | None:
    """Whether a sum comes to more than a round number, by its largest places alone: 일단 천은 넘겠네."""
    problem = told.problem
    over = re.search(r"(?:(\d+)|(천|백))\s*[은는이을를]?\s*넘", told.text)
    unit = TEN ** (len(str(min(problem.a, problem.b))) - 1)
    if over is None or told.claims or unit < TEN:
        return None
    limit = int(over[1]) if over[1] else {"천": 1000, "백": 100}[over[2]]
    one, other = problem.a // unit * unit, problem.b // unit * unit
    if limit % unit or not limit <= one + other < problem.answer:
        return None
    return say_word("estimate_yes", one=one, other=other, limit=limit)


def sum_moved(told: Told) -> FoundStep | None:
    """A part of one number given to the other, so that the sum stays; or a double with one more."""
    a, b = told.problem.a, told.problem.b
    for one in told.claims:
        plan = one.op == "+" and one.value is None and min(one.left, one.right) >= TEN and not told.asks_amount
        for number, other in ((a, b), (b, a)):
            gap = -number % TEN
            if plan and gap and {one.left, one.right} == {number + gap, other - gap}:
                return say_word("moved_sum", one=one.part, by=gap)
    small, more = min(a, b), abs(a - b)
    compares = re.search(r"보다", told.text) and re.search(r"많|크|커", told.text)
    if 0 < more <= 2 and small < TEN and compares and not told.claims and {a, b} <= {*told.values} <= {a, b, more}:
        return say_word("near_double", double=f"{small}+{small}", more=more)
    return None


def sum_of_tens(told: Told) -> FoundStep | None:
    """The digits of whole tens or hundreds, without their zeros: 2+3 of 20+30."""
    a, b = told.problem.a, told.problem.b
    for unit, name in ((100, "백"), (10, "십")):
        if a % unit or b % unit:
            continue
        for one in told.claims:
            if (
                one.op == "+"
                and sorted((one.left, one.right)) == sorted((a // unit, b // unit))
                and one.value is not None
            ):
                if not one.right_one:
                    return look_again(one)
                return say_word("tens_alone", one, equation=one.equation, name=name)
    return None


def sum_bridged(told: Told) -> FoundStep | None:
    """On from one number by parts of the other, or what is left of that one."""
    a, b = told.problem.a, told.problem.b
    for start, rest in ((a, b), (b, a)):
        turned = start < rest and max(a, b) >= TEN
        for one in told.claims:
            part = one.right if one.left == start else one.left if one.right == start else 0
            if turned and (part >= TEN or (start + part) % TEN or start < TEN):
                continue
            if one.op == "+" and 0 < part < rest:
                if one.value is None:
                    return say_word("begin_part", part=one.part) if told.asks and not told.asks_amount else None
                if not one.right_one:
                    return look_again(one)
                key = "bridge_reached" if (start + part) % TEN == 0 else "part_added"
                return say_word(key, Claim("+", start, part), equation=one.equation, rest=rest, used=part)
        reached = number_reached(told, start, rest)
        if reached is None or (turned and not any(one.left == start for one in told.found)):
            continue
        used, at = reached
        if (word := rest_of(told, rest, used) or goes_last(told, at, rest - used)) is not None:
            return word
        known = rest < TEN or any(one.left == start for one in told.found)
        if told.bare == rest - used and known and not told.why:
            claim = Claim("-", rest, used)
            return say_word("bridge_rest", claim, equation=claim.equation, at=at)
    return None


def number_reached(told: Told, start: int, rest: int) -> tuple[int, int] | None:
    """(how much of the other number was used, where one is) of a way through the next ten."""
    op = told.problem.op
    for one in reversed(told.found):
        if one.op == op and one.left == start and 0 < one.right < rest and one.result is not None:
            return one.right, one.result
    gap = (-start if op == "+" else start) % TEN
    return (gap, start + gap if op == "+" else start - gap) if 0 < gap < rest else None


def rest_of(told: Told, rest: int, used: int) -> FoundStep | None:
    """What is left of the number of which a part was used: 5에서 2를 썼으니까 3."""
    gone = any(one.op == told.problem.op and one.right == used for one in told.found)
    for one in told.claims:
        of_rest = one.left == rest or (gone and one.left == rest % TEN)
        if one.op == "-" and of_rest and one.right == used and one.value is not None:
            if not one.right_one:
                return look_again(one)
            reached = number_reached(told, told.problem.a if rest == told.problem.b else told.problem.b, rest)
            key = "bridge_rest" if told.problem.op == "+" else "bridge_back_rest"
            return say_word(key, one, equation=one.equation, at=reached[1] if reached else 0)
        if gone and one.op == "-" and one.left == rest and 0 < abs(one.right - used) <= 2 and one.right_one:
            return look_again(Claim("-", rest, used, one.value))
    return None


def goes_last(told: Told, at: int, left: int) -> FoundStep | None:
    """What is left, to be gone from where one is: 10에서 하나 더 가면 되겠다."""
    goes = TAKES if told.problem.op == "-" else ADDS
    if told.claims or told.values != (at, left) or not (re.search(r"더|가", told.text) or goes.search(told.text)):
        return None
    return say_word("last_go", at=at, left=left)


SUM_READERS: Final = (
    sum_joined, sum_of_tens, sum_places, sum_with_carry, sum_plan, sum_estimated, sum_moved, sum_bridged,
)  # fmt: skip
