"""The numbers of a child's working without signs, each linked to the ones that it comes from: "120하면 열번이고 남은게
24니까 두번 더?" of 144÷12 is 12×10=120, 144−120=24, 12×2=24.

The last reader of a child's own way: it needs no words, so that it hears what no other does. It names no number that is
neither of the task nor told by the child, and never the answer.
"""

import re
from collections.abc import Iterator, Sequence
from itertools import permutations
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.chat.coach.own_claims import Claim
from maththera.chat.coach.own_ways.number_rows import own_numbers
from maththera.chat.coach.own_ways.told import TEN, Told, say_word
from maththera.chat.coach.step_talk import FoundStep, next_say

_MOST: Final = 6
"""Numbers of a message that are a working; more are a row or a list."""
_OPS: Final = {"+": "+-", "-": "-+", "x": "x+", "/": "/x-+"}
"""Operation of a task → those of its steps, the likeliest first."""
_OF_OTHER_THINGS: Final = re.compile(
    r"\d\s*(?:문제|분|살|시간?|월|일|점|학년|쪽|초|번째)(?![가-힣]*의)|(?<!\d)\d\s*/\s*\d{1,2}(?!\d)|분의"
)
"""Numbers of what is no working: problems, minutes, days."""
_CHOOSES: Final = re.compile(r"먼저|헷갈|아니면|바[뀌껴꿔]")


def linked_numbers(told: Told) -> FoundStep | None:
    """What is right of a working, and what comes next, or which number does not fit. None where the numbers are not a
    working, or the answer is among them."""
    problem, values = told.problem, told.values
    guessed = problem.answer in {*values} - {problem.a, problem.b}
    asks = told.why or told.asks_amount or _CHOOSES.search(told.text)
    if not 1 < len(values) <= _MOST or asks or guessed or _OF_OTHER_THINGS.search(told.text):
        return None
    links = links_of(problem, values, told.found)
    explained = {number for one in links for number in (one.left, one.right, one.result)}
    before = {number for one in told.found for number in (one.left, one.right, one.result)}
    strange = [one for one in values if one not in explained | before | own_numbers(problem)]
    if not links or (strange and (len(strange) > 1 or values[-1] != strange[0])):
        return None
    equations = ", ".join(one.equation for one in links)
    if strange:
        return say_word("links_but", links[-1], equations=equations, strange=strange[0])
    following = _next(told, links)
    if problem.answer in explained:
        return say_word("links_fine")
    key = "claim_right" if following else "claim_right_last"
    return say_word(key, links[-1], equations=equations, expression=problem.expression, next=following)


def links_of(problem: Problem, values: Sequence[int], found: Sequence[Claim] = ()) -> list[Claim]:
    """The small calculations that link the numbers of a working to one another, to those of the task and to what was
    found before, in the order in which they are told; each number but the task's own comes from one."""
    own = own_numbers(problem)
    before = {number for one in found for number in (one.left, one.right, one.result or 0)}
    links: list[Claim] = []
    for place, value in enumerate(values):
        if value in own | before or any(value in (one.left, one.right, one.result) for one in links):
            continue
        likely = [*_of_one_place(problem, value), *_links_to(problem, value, place, values, own | before)]
        best = max(likely, key=lambda one: one[0], default=None)
        if best is not None:
            links.append(best[1])
    return links


def _of_one_place(problem: Problem, value: int) -> Iterator[tuple[int, Claim]]:
    """The calculation of one place of a task that comes to a number: 5+7=12 and 20+10=30 of 25+17, 10×4=40 of 13×4."""
    if problem.op == "/":
        return
    for place in range(len(str(problem.a))):
        unit = TEN**place
        for size in (1, unit):
            left = problem.a // unit % TEN * size
            right = problem.b if problem.op == "x" else problem.b // unit % TEN * size
            if Claim(problem.op, left, right).result == value and value not in (0, problem.answer):
                yield 2 * TEN, Claim(problem.op, left, right)


def _links_to(
    problem: Problem, value: int, place: int, values: Sequence[int], known: set[int]
) -> Iterator[tuple[int, Claim]]:
    """The calculations with a number of a working that have another of it, with how likely each is meant. Small numbers
    come from one another in too many ways to be linked."""
    others = {*values[:place], *values[place + 1 :]} - {value}
    at_hand, ops = others | known, _OPS[problem.op]
    for op in ops:
        for one, other in permutations(at_hand, 2):
            for left, right, result in ((one, other, value), (value, one, other), (one, value, other)):
                claim, numbers = Claim(op, left, right), {left, right, result}
                if claim.result != result or 0 in numbers or (1 in (left, right) and op in "x/"):
                    continue
                if not {one, other} & others or max(numbers) < TEN or problem.answer in numbers - known:
                    continue
                own = {problem.a, problem.b}
                if op in "+x" and right in own and left not in own:
                    continue  # 52+2, not 2+52
                worth = 4 * len({one, other} & others) + 2 - ops.index(op) + len(numbers & own)
                ends = result == value and {one, other} & others <= {*values[:place]}
                yield worth + (3 if ends else 2 if result == value and left in own else 0), claim


def written_together(told: Told) -> FoundStep | None:
    """Two parts that come to the answer, written side by side: 40이랑 12니까 412."""
    parts = {*told.values[:-1], *(one.result or 0 for one in told.found)} - {0}
    for one, other in permutations(parts if told.values else (), 2):
        side_by_side = {int(f"{one}{other}"), int(f"{str(one).rstrip('0')}{other}")}
        if one + other == told.problem.answer != told.values[-1] in side_by_side and one > other:
            return say_word("links_together", one=one, other=other, given=told.values[-1])
    return None


def _next(told: Told, links: Sequence[Claim]) -> str:
    """What comes next; "" where two of the numbers come to the answer."""
    numbers = {*told.values, *(one.result or 0 for one in (*links, *told.found)), told.problem.a, told.problem.b}
    results = {one.result or 0 for one in links} | {*told.values}
    for one, other in permutations(numbers, 2):
        if {one, other} & results and told.problem.answer in (one + other, one - other):
            return ""
    last = links[-1]
    if (told.problem.op, last.op, last.left) == ("-", "+", told.problem.b):
        return f"{last.result}에서 {told.problem.a}까지 몇 칸인지 세어 봐."
    return next_say(told.problem, [one.equation for one in (*told.found, *links)])
