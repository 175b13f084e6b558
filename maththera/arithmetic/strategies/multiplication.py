"""How a product and a quotient are found: rows of an array, jumps on the line, parts of an area."""

from maththera.arithmetic.columns import digits
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.strategies.steps import PLACES, Step, Working
from maththera.korean.particles import with_particle

_EASE = (0, 1, 2, 5, 3, 4)
"""How many rows are easiest to add up; more than five are five and the rest."""


def rows(problem: Problem) -> list[Step]:
    """7×8: five rows and three rows. The number of rows that is easier to build is taken."""
    working = Working("array")
    each, count = problem.a, problem.b
    if count not in _EASE or (each in _EASE and _EASE.index(each) < _EASE.index(count)):
        each, count = (count, each) if each in _EASE else (each, count)
    if count <= 2:
        working.times(f"{problem.a}씩 {problem.b}줄을 봐.", problem.a, problem.b)
    elif count <= 5:
        _built(working, each, count)
    else:
        five = working.times(f"{each}씩 5줄을 봐.", each, 5)
        more = working.take(f"{count}줄에서 5줄을 빼.", count, 5)
        rest = working.times("남은 줄을 세어.", each, more)
        working.add("나온 수를 모아.", five, rest)
    return working.steps


def _built(working: Working, each: int, count: int) -> None:
    """Three to five rows from two."""
    total = working.times(f"{each}씩 2줄을 봐.", each, 2)
    if count > 3:
        total = working.add("두 배로 만들어.", total, total)
    if count != 4:
        working.add("한 줄 더 더해.", total, each)


def jumped(problem: Problem) -> list[Step]:
    """7×8: eight jumps of seven."""
    working = Working("number_line")
    working.times(f"{problem.a}칸씩 {problem.b}번 뛰어.", problem.a, problem.b)
    return working.steps


def by_parts(problem: Problem) -> list[Step]:
    """23×4: 20×4 and 3×4. 23×14: 23×10 and 23×4."""
    working = Working("array")
    if problem.b > 9 and problem.a > 9:
        tens = working.times("십의 자리와 곱해.", problem.a, problem.b - problem.b % 10)
        ones = working.times("일의 자리와 곱해.", problem.a, problem.b % 10)
        working.add("나온 수를 모아.", tens, ones)
    else:
        _parts(working, max(problem.a, problem.b), min(problem.a, problem.b))
    return working.steps


def _parts(working: Working, number: int, digit: int) -> int:
    if number < 10:
        return working.times("0을 떼고 곱해.", number, digit)
    tens = working.times("십의 자리를 곱해.", number - number % 10, digit)
    return working.add("나온 수를 모아.", tens, working.times("일의 자리를 곱해.", number % 10, digit))


def tens_last(problem: Problem) -> list[Step]:
    """40×3: 4×3, then ten times as much; 40×30: twice ten times."""
    working = Working("array")
    a, b, tens = problem.a, problem.b, 0
    if a % 10 == 0:
        a, tens = a // 10, tens + 1
    if b % 10 == 0:
        b, tens = b // 10, tens + 1
    if 1 in (a, b):
        working.times("10배로 만들어.", max(problem.a, problem.b), min(problem.a, problem.b))
        return working.steps
    product = _parts(working, max(a, b), min(a, b))
    for _ in range(tens):
        product = working.times("10배로 만들어.", product, 10)
    return working.steps


def in_columns(problem: Problem) -> list[Step]:
    """Written: by one digit, or tens, column by column; by more, one product for each digit."""
    working = Working("columns")
    top, bottom = max(problem.a, problem.b), min(problem.a, problem.b)
    if bottom <= 9:
        _digit_by_digit(working, top, bottom)
        working.times("자리대로 모아 써.", problem.a, problem.b)
        return working.steps
    factors = [(place, digit * 10**place) for place, digit in enumerate(digits(problem.b)) if digit]
    if len(factors) == 1:
        _digit_by_digit(working, problem.a, int(str(problem.b).rstrip("0")))
        working.times("0을 붙여 써.", problem.a, problem.b)
        return working.steps
    products = [working.times(f"{PLACES[place]}의 자리와 곱해.", problem.a, factor) for place, factor in factors]
    total = products[0]
    for product in products[1:]:
        total = working.add("나온 수를 모아.", total, product)
    return working.steps


def _digit_by_digit(working: Working, number: int, factor: int) -> None:
    carry = 0
    for place, digit in enumerate(digits(number)) if number > 9 and factor > 1 else ():
        if not digit and not carry:
            continue
        working.place = place
        total = working.times(f"{PLACES[place]}의 자리를 곱해.", digit, factor)
        total = working.add("올린 수를 더해.", total, carry) if carry else total
        carry = total // 10
    working.place = 0


def rows_of(problem: Problem) -> list[Step]:
    """56÷8, 8×□=56: five rows of eight, then the rest in rows of eight."""
    working = Working("array")
    a, b = problem.a, problem.b
    grouped = working.fill_times if problem.form == "factor" else working.share
    if problem.answer <= 5 or b == 1:
        first, second = (b, a) if problem.form == "factor" else (a, b)
        grouped(f"{with_particle(a, '을를')} {b}씩 묶어.", first, second)
        return working.steps
    five = working.times(f"{b}씩 5줄을 놓아.", b, 5)
    left = working.take(f"{a}에서 그만큼 빼.", a, five)
    first, second = (b, left) if problem.form == "factor" else (left, b)
    more = grouped(f"남은 수도 {b}씩 묶어.", first, second)
    working.add("줄 수를 모아.", 5, more)
    return working.steps


def jumps_of(problem: Problem) -> list[Step]:
    """56÷8, 8×□=56 on the line: jumps of eight up to 56."""
    working = Working("number_line")
    said = f"{problem.a}까지 {problem.b}칸씩 뛰어."
    if problem.form == "factor":
        working.fill_times(said, problem.b, problem.a)
    else:
        working.share(said, problem.a, problem.b)
    return working.steps


def bundled(problem: Problem) -> list[Step]:
    """70 is □ tens: bundles of ten."""
    working = Working("base_ten")
    working.share(f"{with_particle(problem.a, '을를')} 10씩 묶어.", problem.a, 10)
    return working.steps


def coins_of_ten(problem: Problem) -> list[Step]:
    """70 is □ tens, in coins."""
    working = Working("coin")
    working.share(f"{with_particle(problem.a, '을를')} 10으로 바꿔.", problem.a, 10)
    return working.steps


def long_division(problem: Problem) -> list[Step]:
    """Written, from the highest place on; the last step shares the whole."""
    working = Working("columns")
    if problem.a > 9 * problem.b:
        _digits_of_quotient(working, problem.a, problem.b)
    working.share("몫을 모아 써.", problem.a, problem.b)
    return working.steps


def division_with_rest(a: int, b: int) -> list[Step]:
    """17÷5: what the groups of five take away, and what is left; empty where there is not one group."""
    working = Working("columns")
    _digits_of_quotient(working, a, b)
    return working.steps


def _digits_of_quotient(working: Working, a: int, b: int) -> None:
    """From the highest place on; what is left of one goes to the next."""
    left = 0
    for place, digit in zip(range(len(str(a)) - 1, -1, -1), map(int, str(a)), strict=True):
        number = left * 10 + digit
        quotient, left = divmod(number, b)
        if quotient:
            working.fill_times(f"{PLACES[place]}의 자리를 나눠.", b, number - left)
            if left:
                working.take("나눈 만큼 빼.", number, number - left)
