# ruff: noqa: ARG001 - a front end draws the parameters that a task does not compute with
"""What a training item can ask: each widget's tasks, as the right answers to the steps of an item.

A front end draws a widget from `params`, says each step's prompt and waits for its answer. Numbers are natural numbers;
a task refuses parameters that it could not be drawn with or that have no such answer.
"""

from collections.abc import Callable
from typing import Annotated, Any, Final, Literal

from pydantic import ConfigDict, Field, NonNegativeInt, ValidationError, validate_call

Answer = int | str
Task = Callable[..., tuple[Answer, ...]]
Pair = Annotated[list[NonNegativeInt], Field(min_length=2, max_length=2)]
Pattern = Literal["dice", "line", "pairs", "ten_frame"]

TASKS: Final[dict[tuple[str, str], Task]] = {}
"""(widget, ask) → the task."""

_SIGN_NAMES: Final = {"+": "더하기", "-": "빼기", "x": "곱하기", "/": "나누기"}
_PLACES: Final = ("일의 자리", "십의 자리", "백의 자리")


class TaskError(ValueError):
    """Parameters that make no such task; `loc` is the path of the field within them."""

    def __init__(self, loc: tuple[str | int, ...], reason: str) -> None:
        super().__init__(reason)
        self.loc = loc


def answers(widget: str, ask: str, params: dict[str, Any]) -> tuple[Answer, ...]:
    """The right answer of each step; TaskError for a task there is not or parameters it cannot have."""
    task = TASKS.get((widget, ask))
    if task is None:
        asks = ", ".join(sorted(known for name, known in TASKS if name == widget))
        raise TaskError((), f"{widget} cannot ask {ask!r}; it can ask {asks or 'nothing'}")
    try:
        return task(**params)
    except ValidationError as error:
        first = error.errors(include_url=False)[0]
        raise TaskError(first["loc"], first["msg"]) from error


def _task(widget: str, ask: str) -> Callable[[Task], Task]:
    def register(task: Task) -> Task:
        TASKS[widget, ask] = validate_call(config=ConfigDict(strict=True))(task)
        return task

    return register


def _need(holds: bool, name: str, reason: str) -> None:
    if not holds:
        raise TaskError((name,), reason)


# --- quantity and counting --------------------------------------------------------------------------------------------


@_task("dot_flash", "how_many")
def _how_many(dots: NonNegativeInt, pattern: Pattern, show_ms: NonNegativeInt) -> tuple[Answer, ...]:
    """Dots seen for `show_ms` milliseconds; 0: they stay."""
    _need(show_ms == 0 or show_ms >= 1000, "show_ms", "a child needs at least a second to look")
    return (dots,)


@_task("compare", "more")
def _more(left: NonNegativeInt, right: NonNegativeInt, shown: Literal["dots", "bars", "numbers"]) -> tuple[Answer, ...]:
    return ("같아" if left == right else "왼쪽" if left > right else "오른쪽",)


@_task("compare", "fewer")
def _fewer(
    left: NonNegativeInt, right: NonNegativeInt, shown: Literal["dots", "bars", "numbers"]
) -> tuple[Answer, ...]:
    return _more(right, left, shown)


@_task("number_line", "read")
def _read(
    low: NonNegativeInt, high: NonNegativeInt, tick: NonNegativeInt, marked: NonNegativeInt
) -> tuple[Answer, ...]:
    """The number at an arrow; ticks every `tick`, numbers only at both ends."""
    _need(low <= marked <= high, "marked", "lies outside the line")
    _need(tick > 0 and (marked - low) % tick == 0, "tick", "the arrow points between two ticks")
    return (marked,)


@_task("number_line", "place")
def _place(low: NonNegativeInt, high: NonNegativeInt, target: NonNegativeInt) -> tuple[Answer, ...]:
    """A number on a card is put where it belongs; the answer is the place that the child marks."""
    _need(low <= target <= high, "target", "lies outside the line")
    return (target,)


@_task("number_line", "jump")
def _jump(low: NonNegativeInt, high: NonNegativeInt, start: NonNegativeInt, jumps: list[int]) -> tuple[Answer, ...]:
    """Where a frog lands that starts at `start` and makes the jumps, backwards where negative."""
    stops = [start + sum(jumps[:count]) for count in range(len(jumps) + 1)]
    _need(bool(jumps) and all(low <= stop <= high for stop in stops), "jumps", "the frog leaves the line")
    return (stops[-1],)


@_task("number_line", "missing")
def _missing(sequence: list[int | None]) -> tuple[Answer, ...]:
    """The one number left out of an even sequence."""
    known = [(index, number) for index, number in enumerate(sequence) if number is not None]
    _need(len(known) == len(sequence) - 1 and len(known) >= 3, "sequence", "needs three numbers and one gap")
    (first, start), (second, after) = known[:2]
    step, rest = divmod(after - start, second - first)
    even = rest == 0 and all(number == start + (index - first) * step for index, number in known)
    _need(even, "sequence", "the steps are not even")
    return (start + (sequence.index(None) - first) * step,)


@_task("number_line", "borrow_to_hundred")
def _borrow_to_hundred(a: NonNegativeInt, b: NonNegativeInt, target: NonNegativeInt) -> tuple[Answer, ...]:
    """a+b by way of the round number `target`: how far it is, what is left of b, the sum."""
    _need(0 < target - a <= b and target % 10 == 0, "target", "is no round number between a and a+b")
    return (target - a, b - (target - a), a + b)


# --- ten and parts ----------------------------------------------------------------------------------------------------


@_task("ten_frame", "total")
def _frame_total(filled: NonNegativeInt, add: NonNegativeInt) -> tuple[Answer, ...]:
    _need(filled + add <= 20, "add", "more than two frames hold")
    return (filled + add,)


@_task("ten_frame", "left")
def _frame_left(filled: NonNegativeInt, take: NonNegativeInt) -> tuple[Answer, ...]:
    _need(take <= filled <= 20, "take", "more than there is")
    return (filled - take,)


@_task("ten_frame", "beyond_five")
def _beyond_five(filled: NonNegativeInt) -> tuple[Answer, ...]:
    _need(5 <= filled <= 10, "filled", "must be from 5 to 10")
    return (filled - 5,)


@_task("ten_frame", "to_ten")
def _to_ten(filled: NonNegativeInt) -> tuple[Answer, ...]:
    _need(filled <= 10, "filled", "one frame holds 10")
    return (10 - filled,)


@_task("ten_frame", "make_ten")
def _make_ten(filled: NonNegativeInt, add: NonNegativeInt) -> tuple[Answer, ...]:
    """What fills the frame, what is left of the other number, the sum."""
    _need(filled < 10 and filled + add > 10 and add < 10, "add", "two one-digit numbers with a sum above 10 are needed")
    return (10 - filled, add - (10 - filled), filled + add)


@_task("ten_frame", "take_from_ten")
def _take_from_ten(number: NonNegativeInt, take: NonNegativeInt) -> tuple[Answer, ...]:
    """What is left of the ten, then that and the ones together."""
    _need(10 < number < 20 and number - 10 < take < 10, "take", "must be more than the ones and less than ten")
    return (10 - take, number - take)


@_task("part_whole", "whole")
def _whole(parts: Pair) -> tuple[Answer, ...]:
    return (sum(parts),)


@_task("part_whole", "part")
def _part(whole: NonNegativeInt, part: NonNegativeInt) -> tuple[Answer, ...]:
    _need(part <= whole, "part", "more than the whole")
    return (whole - part,)


@_task("part_whole", "family")
def _fact_family(parts: Pair) -> tuple[Answer, ...]:
    """The sum of both, the sum less the first, the sum less the second."""
    first, second = parts
    return (first + second, second, first)


# --- place value ------------------------------------------------------------------------------------------------------


@_task("base_ten", "value")
def _value(hundreds: NonNegativeInt, tens: NonNegativeInt, ones: NonNegativeInt) -> tuple[Answer, ...]:
    _need(max(hundreds, tens, ones) <= 9, "ones", "at most nine of a kind")
    return (100 * hundreds + 10 * tens + ones,)


@_task("base_ten", "group")
def _group(ones: NonNegativeInt) -> tuple[Answer, ...]:
    """How many tens can be bundled, how many are left, how many there are."""
    return (ones // 10, ones % 10, ones)


@_task("base_ten", "digit_value")
def _digit_value(number: NonNegativeInt, place: Literal["일의 자리", "십의 자리", "백의 자리"]) -> tuple[Answer, ...]:
    """What the digit at that place is worth."""
    worth = 10 ** _PLACES.index(place)
    _need(number >= worth, "place", "the number has no such place")
    return (number // worth % 10 * worth,)


@_task("base_ten", "open_ten")
def _open_ten(tens: NonNegativeInt, ones: NonNegativeInt) -> tuple[Answer, ...]:
    """One ten becomes ten ones: the tens, then the ones."""
    _need(tens >= 1, "tens", "there is no ten to open")
    return (tens - 1, ones + 10)


@_task("base_ten", "open_hundred")
def _open_hundred(hundreds: NonNegativeInt, ones: NonNegativeInt) -> tuple[Answer, ...]:
    """There are no tens, so a hundred is opened for ones: the hundreds, the tens, the ones."""
    _need(hundreds >= 1, "hundreds", "there is no hundred to open")
    return (hundreds - 1, 9, ones + 10)


@_task("coin", "exchange")
def _exchange(coin: Literal[1, 10], small: NonNegativeInt, large: NonNegativeInt) -> tuple[Answer, ...]:
    """Ten coins become one of the next kind: the larger coins then, the small ones left, the money."""
    _need(10 <= small < 20, "small", "ten to nineteen coins are exchanged once")
    return (large + 1, small - 10, coin * (10 * large + small))


@_task("coin", "change")
def _change(pay: NonNegativeInt, price: NonNegativeInt) -> tuple[Answer, ...]:
    _need(price <= pay, "price", "more than is paid")
    return (pay - price,)


# --- written calculation ----------------------------------------------------------------------------------------------


def _digits(number: int, columns: int) -> list[int]:
    """From the ones up, filled with zeros."""
    return [number // 10**column % 10 for column in range(columns)]


@_task("vertical", "where")
def _where(a: NonNegativeInt, b: NonNegativeInt, digit: NonNegativeInt) -> tuple[Answer, ...]:
    """The column in which this digit of b is written."""
    places = [place for place, own in zip(_PLACES, _digits(b, len(str(b))), strict=False) if own == digit]
    _need(len(places) == 1, "digit", "must stand in b exactly once")
    return (places[0],)


@_task("vertical", "add_columns")
def _add_columns(a: NonNegativeInt, b: NonNegativeInt) -> tuple[Answer, ...]:
    """The sum of each column from the ones up, without carries, then the result."""
    columns = len(str(max(a, b)))
    sums = [x + y for x, y in zip(_digits(a, columns), _digits(b, columns), strict=True)]
    _need(max(sums) < 10, "b", "a column carries")
    return (*sums, a + b)


@_task("vertical", "carry")
def _carry(a: NonNegativeInt, b: NonNegativeInt) -> tuple[Answer, ...]:
    """Two digits each: the sum of the ones, what is carried, the sum of the tens with it, the result."""
    ones = a % 10 + b % 10
    _need(max(a, b) < 100 and ones >= 10, "b", "two numbers below 100 whose ones carry are needed")
    return (ones, ones // 10, a // 10 + b // 10 + 1, a + b)


@_task("vertical", "carry_all")
def _carry_all(a: NonNegativeInt, b: NonNegativeInt) -> tuple[Answer, ...]:
    """The sum of each column from the ones up with what was carried into it, then the result."""
    columns, sums, carried = len(str(max(a, b))), [], 0
    for x, y in zip(_digits(a, columns), _digits(b, columns), strict=True):
        sums.append(x + y + carried)
        carried = sums[-1] // 10
    return (*sums, a + b)


@_task("vertical", "lend")
def _lend(a: NonNegativeInt, b: NonNegativeInt) -> tuple[Answer, ...]:
    """Two digits each: the tens after lending, the ones after taking away, the result."""
    _need(b < a < 100 and a % 10 < b % 10, "b", "a number below a < 100 with larger ones is needed")
    return (a // 10 - 1, a % 10 + 10 - b % 10, a - b)


@_task("vertical", "take_or_borrow")
def _take_or_borrow(a: NonNegativeInt, b: NonNegativeInt) -> tuple[Answer, ...]:
    """Whether the ones can be taken away, top less bottom; then the result."""
    _need(b <= a, "b", "more than a")
    return ("빌려 오기" if a % 10 < b % 10 else "그냥 빼기", a - b)


# --- writing and attention --------------------------------------------------------------------------------------------


@_task("digit_write", "write")
def _write(number: NonNegativeInt, shown_as: Literal["voice", "dots", "outline"]) -> tuple[Answer, ...]:
    return (number,)


@_task("digit_write", "which_is_right")
def _which_is_right(digit: NonNegativeInt, mirrored: list[bool]) -> tuple[Answer, ...]:
    """The place, counted from 1, of the only digit that is not mirrored."""
    _need(digit <= 9 and digit not in (0, 1, 8), "digit", "looks the same in the mirror, or is none")
    _need(mirrored.count(False) == 1, "mirrored", "exactly one must not be mirrored")
    return (f"{mirrored.index(False) + 1}번",)


@_task("copy", "copy")
def _copy(source: str, hide_after_ms: NonNegativeInt) -> tuple[Answer, ...]:
    """The text written again; it is covered after so many milliseconds, 0: never."""
    return (source,)


@_task("copy", "same")
def _same(source: str, copied: str) -> tuple[Answer, ...]:
    return ("같아" if source == copied else "달라",)


def _result(a: int, op: str, b: int) -> int:
    if op == "/":
        _need(b > 0 and a % b == 0, "b", "leaves a remainder")
        return a // b
    result = {"+": a + b, "-": a - b, "x": a * b}[op]
    _need(result >= 0, "b", "more than a")
    return result


@_task("stop_think_go", "about")
def _about(
    a: NonNegativeInt, op: Literal["+", "-", "x", "/"], b: NonNegativeInt, than: NonNegativeInt, wait_ms: NonNegativeInt
) -> tuple[Answer, ...]:
    """The keys open after `wait_ms` milliseconds: is the answer larger than `than`; then the answer."""
    result = _result(a, op, b)
    _need(result != than, "than", "is the answer")
    return ("커" if result > than else "작아", result)


@_task("stop_think_go", "sign")
def _sign(
    a: NonNegativeInt, op: Literal["+", "-", "x", "/"], b: NonNegativeInt, wait_ms: NonNegativeInt
) -> tuple[Answer, ...]:
    """What is to be done; then the answer."""
    return (_SIGN_NAMES[op], _result(a, op, b))


# --- multiplication and division --------------------------------------------------------------------------------------


@_task("array", "total")
def _array_total(rows: NonNegativeInt, columns: NonNegativeInt) -> tuple[Answer, ...]:
    return (rows * columns,)


@_task("array", "groups")
def _groups(rows: NonNegativeInt, columns: NonNegativeInt) -> tuple[Answer, ...]:
    """How many groups, how many in each, how many in all."""
    return (rows, columns, rows * columns)


@_task("array", "double")
def _double(columns: NonNegativeInt) -> tuple[Answer, ...]:
    return (2 * columns,)


@_task("array", "near_double")
def _near_double(columns: NonNegativeInt) -> tuple[Answer, ...]:
    """Two equal rows, then one more dot in the second."""
    return (2 * columns, 2 * columns + 1)


@_task("array", "share")
def _share(total: NonNegativeInt, rows: NonNegativeInt) -> tuple[Answer, ...]:
    _need(rows > 0 and total % rows == 0, "rows", "cannot be shared evenly")
    return (total // rows,)


@_task("array", "family")
def _times_family(rows: NonNegativeInt, columns: NonNegativeInt) -> tuple[Answer, ...]:
    """The product, the product by the rows, the product by the columns."""
    _need(rows > 0 and columns > 0, "rows", "division by zero")
    return (rows * columns, columns, rows)


@_task("array", "split")
def _split(a: NonNegativeInt, b: NonNegativeInt) -> tuple[Answer, ...]:
    """Two digits times one: the tens times b, the ones times b, both together."""
    _need(10 < a < 100 and a % 10 > 0 and b < 10, "a", "needs tens and ones")
    return (a // 10 * 10 * b, a % 10 * b, a * b)
