"""Written arithmetic, column by column, for numbers of any length: what is written, carried and borrowed."""

from collections.abc import Callable, Iterator, Mapping
from typing import Final

from maththera.arithmetic.columns import digits
from maththera.chat.coach.solution_step import Step

PLACES: Final = ("일", "십", "백", "천", "만", "십만", "백만", "천만", "억", "십억", "백억", "천억", "조")


def addition(a: int, b: int) -> Iterator[Step]:
    """From the ones on; a carry is said where it arises and added where it lands."""
    width, carry = max(len(str(a)), len(str(b))), 0
    for column, (top, bottom) in enumerate(zip(_padded(a, width), _padded(b, width), strict=True)):
        total = top + bottom + carry
        said = {"place": PLACES[column], "one": top, "other": bottom, "sum": total, "digit": total % 10}
        yield Step(f"column_add{'_carried' if carry else ''}{'_carry' if total > 9 else ''}", said)
        carry = total // 10
    yield Step("sum", {"a": a, "b": b, "answer": a + b})


def subtraction(a: int, b: int) -> Iterator[Step]:
    """From the ones on; `b` is not above `a`. A column that lent one works with one less."""
    width, lent = len(str(a)), 0
    for column, (top, bottom) in enumerate(zip(_padded(a, width), _padded(b, width), strict=True)):
        left = top - lent
        borrows = left < bottom
        said = {"place": PLACES[column], "top": left % 10 if left < 0 else left, "bottom": bottom}
        if borrows:
            key = "column_take_zero_lent" if left < 0 else "column_take_borrow"
            said |= {"ten": left + 10, "next": PLACES[column + 1], "digit": left + 10 - bottom}
        else:
            key = "column_take"
            said["digit"] = left - bottom
        if not (column and column == width - 1 and left == bottom == 0):  # nothing is written there
            yield Step(key + ("_lent" if lent and left >= 0 else ""), said)
        lent = int(borrows)
    yield Step("difference", {"a": a, "b": b, "answer": a - b})


def multiplication(a: int, b: int) -> Iterator[Step]:
    """By one digit, column by column with its carries; by more, one partial product for each digit, then their sum."""
    top, bottom = (a, b) if a >= b else (b, a)
    if bottom > 9:
        yield from partial_products(a, b)
        return
    carry = 0
    for column, digit in enumerate(digits(top)):
        total = digit * bottom + carry
        said = {"place": PLACES[column], "digit": digit, "times": bottom, "carry": carry, "product": total}
        yield Step("column_times_carried" if carry else "column_times", said)
        carry = total // 10
        if carry and column < len(str(top)) - 1:
            yield Step("column_carry", {"digit": total % 10, "carry": carry})
    yield Step("product", {"a": a, "b": b, "answer": a * b})


def partial_products(a: int, b: int) -> Iterator[Step]:
    """One number is taken apart: the two-digit one beside a digit, else the one that multiplies."""
    whole, parted = (b, a) if b <= 9 else (a, b)
    parts = [digit * 10**place for place, digit in enumerate(digits(parted)) if digit][::-1]
    if len(parts) > 1:
        yield Step("take_apart", {"number": parted, "parts": ", ".join(map(str, parts))})
    for part in parts:
        one, other = (part, whole) if whole == b else (whole, part)
        yield Step("part_times", {"one": one, "other": other, "product": whole * part})
    if len(parts) > 1:
        yield Step("parts_together", {"parts": "+".join(str(whole * part) for part in parts), "answer": a * b})


def long_division(a: int, b: int) -> Iterator[Step]:
    """From the highest place on; what is left goes to the next. Places before the first digit of the quotient are
    taken together."""
    left = 0
    for place, digit in zip(range(len(str(a)) - 1, -1, -1), map(int, str(a)), strict=True):
        number = left * 10 + digit
        quotient, left = divmod(number, b)
        if quotient:
            said = {"place": PLACES[place], "number": number, "b": b, "digit": quotient, "left": left}
            yield Step("divide_left" if left else "divide", said)
    yield Step("left_over" if left else "quotient", {"a": a, "b": b, "answer": a // b, "left": left})


BY_OPERATION: Final[Mapping[str, Callable[[int, int], Iterator[Step]]]] = {
    "+": addition,
    "-": subtraction,
    "x": multiplication,
    "/": long_division,
}


def _padded(number: int, width: int) -> tuple[int, ...]:
    found = digits(number)
    return found + (0,) * (width - len(found))
