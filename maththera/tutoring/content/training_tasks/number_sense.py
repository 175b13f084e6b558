"""Tasks of number sense: quantities, the number line, ten and its parts, place value."""

from typing import Literal

from pydantic import NonNegativeInt

from maththera.korean.numbers import parse_number
from maththera.tutoring.content.training_tasks.task import PLACES, Answer, Pair, require, task

Pattern = Literal["dice", "line", "pairs", "ten_frame", "fives", "scattered"]


# --- quantity and counting --------------------------------------------------------------------------------------------


@task("dot_flash", "how_many")
def _how_many(
    dots: NonNegativeInt, pattern: Pattern, show_ms: NonNegativeInt, layout: NonNegativeInt = 0
) -> tuple[Answer, ...]:
    """Dots seen for `show_ms` milliseconds; 0: they stay. `layout` draws the places of scattered dots; only of these is
    a shorter look enough."""
    require(
        show_ms == 0 or show_ms >= 1000 or pattern == "scattered", "show_ms", "a child needs at least a second to look"
    )
    return (dots,)


@task("compare", "more")
def _more(
    left: NonNegativeInt,
    right: NonNegativeInt,
    shown: Literal["dots", "bars", "numbers"],
    show_ms: NonNegativeInt = 0,
    layout: NonNegativeInt = 0,
) -> tuple[Answer, ...]:
    """Which side has more. `show_ms`: seen for so many milliseconds, 0: they stay. `layout` draws where dots are."""
    return ("같아" if left == right else "왼쪽" if left > right else "오른쪽",)


@task("compare", "fewer")
def _fewer(
    left: NonNegativeInt, right: NonNegativeInt, shown: Literal["dots", "bars", "numbers"]
) -> tuple[Answer, ...]:
    return _more(right, left, shown)


@task("number_line", "read")
def _read(
    low: NonNegativeInt, high: NonNegativeInt, tick: NonNegativeInt, marked: NonNegativeInt
) -> tuple[Answer, ...]:
    """The number at an arrow; ticks every `tick`, numbers only at both ends."""
    require(low <= marked <= high, "marked", "lies outside the line")
    require(tick > 0 and (marked - low) % tick == 0, "tick", "the arrow points between two ticks")
    return (marked,)


@task("number_line", "place")
def _place(low: NonNegativeInt, high: NonNegativeInt, target: NonNegativeInt) -> tuple[Answer, ...]:
    """A number on a card is put where it belongs; the answer is the place that the child marks."""
    require(low <= target <= high, "target", "lies outside the line")
    return (target,)


@task("number_line", "jump")
def _jump(low: NonNegativeInt, high: NonNegativeInt, start: NonNegativeInt, jumps: list[int]) -> tuple[Answer, ...]:
    """Where a frog lands that starts at `start` and makes the jumps, backwards where negative."""
    stops = [start + sum(jumps[:count]) for count in range(len(jumps) + 1)]
    require(bool(jumps) and all(low <= stop <= high for stop in stops), "jumps", "the frog leaves the line")
    return (stops[-1],)


@task("number_line", "neighbour")
def _neighbour(number: NonNegativeInt, step: Literal[-1, 1]) -> tuple[Answer, ...]:
    """The next number, or the one before."""
    require(number + step >= 0, "step", "there is no number before 0")
    return (number + step,)


@task("number_line", "missing")
def _missing(sequence: list[int | None]) -> tuple[Answer, ...]:
    """The one number left out of an even sequence."""
    known = [(index, number) for index, number in enumerate(sequence) if number is not None]
    require(len(known) == len(sequence) - 1 and len(known) >= 3, "sequence", "needs three numbers and one gap")
    (first, start), (second, after) = known[:2]
    step, rest = divmod(after - start, second - first)
    even = rest == 0 and all(number == start + (index - first) * step for index, number in known)
    require(even, "sequence", "the steps are not even")
    return (start + (sequence.index(None) - first) * step,)


@task("number_line", "borrow_to_hundred")
def _borrow_to_hundred(a: NonNegativeInt, b: NonNegativeInt, target: NonNegativeInt) -> tuple[Answer, ...]:
    """a+b by way of the round number `target`: how far it is, what is left of b, the sum."""
    require(0 < target - a <= b and target % 10 == 0, "target", "is no round number between a and a+b")
    return (target - a, b - (target - a), a + b)


# --- ten and parts ----------------------------------------------------------------------------------------------------


@task("ten_frame", "total")
def _frame_total(filled: NonNegativeInt, add: NonNegativeInt) -> tuple[Answer, ...]:
    require(filled + add <= 20, "add", "more than two frames hold")
    return (filled + add,)


@task("ten_frame", "left")
def _frame_left(filled: NonNegativeInt, take: NonNegativeInt) -> tuple[Answer, ...]:
    require(take <= filled <= 20, "take", "more than there is")
    return (filled - take,)


@task("ten_frame", "beyond_five")
def _beyond_five(filled: NonNegativeInt) -> tuple[Answer, ...]:
    require(5 <= filled <= 10, "filled", "must be from 5 to 10")
    return (filled - 5,)


@task("ten_frame", "to_ten")
def _to_ten(filled: NonNegativeInt) -> tuple[Answer, ...]:
    require(filled <= 10, "filled", "one frame holds 10")
    return (10 - filled,)


@task("ten_frame", "make_ten")
def _make_ten(filled: NonNegativeInt, add: NonNegativeInt) -> tuple[Answer, ...]:
    """What fills the frame, what is left of the other number, the sum."""
    require(
        filled < 10 and filled + add > 10 and add < 10, "add", "two one-digit numbers with a sum above 10 are needed"
    )
    return (10 - filled, add - (10 - filled), filled + add)


@task("ten_frame", "take_from_ten")
def _take_from_ten(number: NonNegativeInt, take: NonNegativeInt) -> tuple[Answer, ...]:
    """What is left of the ten, then that and the ones together."""
    require(10 < number < 20 and number - 10 < take < 10, "take", "must be more than the ones and less than ten")
    return (10 - take, number - take)


@task("part_whole", "whole")
def _whole(parts: Pair) -> tuple[Answer, ...]:
    return (sum(parts),)


@task("part_whole", "part")
def _part(whole: NonNegativeInt, part: NonNegativeInt) -> tuple[Answer, ...]:
    require(part <= whole, "part", "more than the whole")
    return (whole - part,)


@task("part_whole", "family")
def _fact_family(parts: Pair) -> tuple[Answer, ...]:
    """The sum of both, the sum less the first, the sum less the second."""
    first, second = parts
    return (first + second, second, first)


# --- place value ------------------------------------------------------------------------------------------------------


@task("base_ten", "value")
def _value(hundreds: NonNegativeInt, tens: NonNegativeInt, ones: NonNegativeInt) -> tuple[Answer, ...]:
    require(max(hundreds, tens, ones) <= 9, "ones", "at most nine of a kind")
    return (100 * hundreds + 10 * tens + ones,)


@task("base_ten", "group")
def _group(ones: NonNegativeInt) -> tuple[Answer, ...]:
    """How many tens can be bundled, how many are left, how many there are."""
    return (ones // 10, ones % 10, ones)


@task("base_ten", "digit_value")
def _digit_value(number: NonNegativeInt, place: Literal["일의 자리", "십의 자리", "백의 자리"]) -> tuple[Answer, ...]:
    """What the digit at that place is worth."""
    worth = 10 ** PLACES.index(place)
    require(number >= worth, "place", "the number has no such place")
    return (number // worth % 10 * worth,)


@task("base_ten", "open_ten")
def _open_ten(tens: NonNegativeInt, ones: NonNegativeInt) -> tuple[Answer, ...]:
    """One ten becomes ten ones: the tens, then the ones."""
    require(tens >= 1, "tens", "there is no ten to open")
    return (tens - 1, ones + 10)


@task("base_ten", "open_hundred")
def _open_hundred(hundreds: NonNegativeInt, ones: NonNegativeInt) -> tuple[Answer, ...]:
    """There are no tens, so a hundred is opened for ones: the hundreds, the tens, the ones."""
    require(hundreds >= 1, "hundreds", "there is no hundred to open")
    return (hundreds - 1, 9, ones + 10)


@task("digit_write", "word")
def _word(word: str) -> tuple[Answer, ...]:
    """A number word, to be written in digits."""
    number = parse_number(word)
    require(number is not None, "word", "is no number word")
    return (number or 0,)


@task("digit_write", "words")
def _words(number: NonNegativeInt, words: list[str]) -> tuple[Answer, ...]:
    """The place, counted from 1, of the word that says the number."""
    said = [parse_number(word) for word in words]
    require(said.count(number) == 1, "words", "exactly one must say the number")
    return (f"{said.index(number) + 1}번",)


@task("coin", "exchange")
def _exchange(coin: Literal[1, 10], small: NonNegativeInt, large: NonNegativeInt) -> tuple[Answer, ...]:
    """Ten coins become one of the next kind: the larger coins then, the small ones left, the money."""
    require(10 <= small < 20, "small", "ten to nineteen coins are exchanged once")
    return (large + 1, small - 10, coin * (10 * large + small))


@task("coin", "change")
def _change(pay: NonNegativeInt, price: NonNegativeInt) -> tuple[Answer, ...]:
    require(price <= pay, "price", "more than is paid")
    return (pay - price,)
