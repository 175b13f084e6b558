"""Malrules of written borrowing.

Public code often swaps the names of the bugs at zero; the examples decide which is which.
"""

from collections.abc import Callable

from maththera.arithmetic.malrules import sources
from maththera.arithmetic.malrules.malrule import Sheet, malrule, number
from maththera.arithmetic.malrules.workings import borrowed, by_a_zero, from_zero, plain, short, turned

Lend = Callable[[list[int], int], bool]
"""(minuend digits, column): take a ten for `column` out of the digits to its left; False when that cannot be done."""

Write = Callable[[Sheet, int], int | None]
"""(sheet, column) → the digit written there instead of a subtraction; None to subtract."""


def _lend_rightly(top: list[int], column: int) -> bool:
    source = column + 1
    while source < len(top) and top[source] == 0:
        top[source] = 9
        source += 1
    if source >= len(top):
        return False
    top[source] -= 1
    return True


def _subtract(sheet: Sheet, lend: Lend = _lend_rightly, write: Write | None = None) -> int | None:
    """Column subtraction, ones first, with one step of it replaced; None where the procedure cannot go on."""
    if sheet.width == 1:
        return None
    top = list(sheet.top)
    places: list[int] = []
    for column, taken in enumerate(sheet.bottom):
        written = write(sheet, column) if write else None
        if written is None:
            if top[column] < taken:
                if not lend(top, column):
                    return None
                top[column] += 10
            written = top[column] - taken
        if written > 9:
            return None
        places.append(written)
    return number(places)


def _zero_above(sheet: Sheet, column: int) -> bool:
    """Whether something is taken from a 0 that no column to the right has borrowed through."""
    return sheet.top[column] == 0 < sheet.bottom[column] and column - 1 not in sheet.carries


# No borrowing at all.


@malrule(
    title="큰 숫자에서 작은 숫자를 뺀다",
    causes={"CONCEPT_L6_SUBTRACTION_COMMUTES": "borrow"},
    source=sources.BROWN_BURTON,
    example=(81, "-", 38, 57),
    working=lambda s: f"{short(s)} 대신 {turned(s)}",
)
def smaller_from_larger(sheet: Sheet) -> int | None:
    if sheet.width == 1:
        return None
    return number([abs(one - other) for one, other in zip(sheet.top, sheet.bottom, strict=True)])


@malrule(
    title="뺄 수 없으면 0을 쓴다",
    causes={"CONCEPT_L5_BORROW_EXCHANGE": "borrow"},
    source=sources.BROWN_BURTON,
    example=(42, "-", 16, 30),
    working=lambda s: f"{short(s)} 자리에 0을 썼어요",
)
def zero_instead_of_borrow(sheet: Sheet) -> int | None:
    if sheet.width == 1:
        return None
    return number([max(one - other, 0) for one, other in zip(sheet.top, sheet.bottom, strict=True)])


@malrule(
    title="0에서 빼면 빼는 수를 그대로 쓴다",
    causes={"CONCEPT_L5_ZERO_MINUS": "zero borrow"},
    source=sources.BROWN_BURTON,
    example=(80, "-", 27, 67),
    working=lambda s: f"{from_zero(s)} 자리에 빼는 수를 그대로 썼어요",
)
def zero_minus_n_is_n(sheet: Sheet) -> int | None:
    return _subtract(sheet, write=lambda of, column: of.bottom[column] if _zero_above(of, column) else None)


@malrule(
    title="0에서 빼면 0이라고 쓴다",
    causes={"CONCEPT_L5_ZERO_MINUS": "zero borrow"},
    source=sources.BROWN_BURTON,
    example=(40, "-", 21, 20),
    working=lambda s: f"{from_zero(s)} 자리에 0을 썼어요",
)
def zero_minus_n_is_zero(sheet: Sheet) -> int | None:
    return _subtract(sheet, write=lambda of, column: 0 if _zero_above(of, column) else None)


# Borrowing with a wrong change of the digits to the left.


@malrule(
    title="빌려준 자리에서 1을 빼지 않는다",
    causes={"EXECUTION_L5_BORROW_NOT_DECREMENTED": "borrow"},
    source=sources.BROWN_BURTON,
    example=(62, "-", 44, 28),
    working=lambda s: f"{borrowed(s)}를 그대로 두었어요",
)
def borrow_no_decrement(sheet: Sheet) -> int | None:
    return _subtract(sheet, lend=lambda _top, _column: True)


@malrule(
    title="빌려준 자리에 1을 더한다",
    causes={"EXECUTION_L5_BORROW_ADDED": "borrow"},
    source=sources.VANLEHN,
    example=(863, "-", 134, 749),
    working=lambda s: f"{borrowed(s)}에 1을 더했어요",
)
def borrow_adds_to_neighbour(sheet: Sheet) -> int | None:
    def lend(top: list[int], column: int) -> bool:
        # Digits only grow, so the leading column never needs a ten.
        top[column + 1] += 1
        return True

    return _subtract(sheet, lend=lend)


@malrule(
    title="빌려준 자리에서 십을 한 번 더 잃는다",
    causes={"EXECUTION_L5_BORROW_TWICE": "borrow"},
    source=sources.YOUNG_OSHEA,
    example=(31, "-", 6, 15),
    working=lambda s: f"{borrowed(s)}에서 1을 두 번 뺐어요",
)
def leftover_ten_lost(sheet: Sheet) -> int | None:
    def lend(top: list[int], column: int) -> bool:
        lent = _lend_rightly(top, column)
        if lent and top[column + 1] > 0:
            top[column + 1] -= 1
            return True
        return False

    return _subtract(sheet, lend=lend)


@malrule(
    title="필요 없어도 늘 받아내림한다",
    causes={"EXECUTION_L5_BORROW_UNNEEDED": "digits"},
    source=sources.VANLEHN,
    example=(57, "-", 32, 15),
    working=lambda s: f"빌릴 것이 없는 {plain(s)}에서도 빌렸어요",
)
def always_borrows(sheet: Sheet) -> int | None:
    last = sheet.width - 1
    if last == 0:
        return None
    places = [
        (one - other - (column > 0)) % 10
        for column, (one, other) in enumerate(zip(sheet.top[:last], sheet.bottom[:last], strict=True))
    ]
    leading = sheet.top[last] - sheet.bottom[last] - 1
    return number([*places, leading]) if leading >= 0 else None


@malrule(
    title="바로 옆이 아니라 맨 앞자리에서 빌려온다",
    causes={"SPATIAL_L5_BORROW_COLUMN": "borrow layout"},
    source=sources.VANLEHN,
    example=(733, "-", 216, 427),
    working=lambda s: f"{short(s)} 자리에 맨 앞자리({s.top[-1]})에서 빌려 왔어요",
)
def borrow_from_leftmost(sheet: Sheet) -> int | None:
    def lend(top: list[int], column: int) -> bool:
        if column + 1 == len(top) or top[-1] == 0:
            return False
        top[-1] -= 1
        return True

    return _subtract(sheet, lend=lend)


# Borrowing where the neighbour is 0. Without such a 0 each of these borrows rightly.


def _at_zero(act: Lend) -> Lend:
    """Borrow rightly from a neighbour that has something to lend, by `act` from one that is 0."""

    def lend(top: list[int], column: int) -> bool:
        if column + 1 == len(top):
            return False
        return act(top, column) if top[column + 1] == 0 else _lend_rightly(top, column)

    return lend


def _neighbour_becomes(digit: int) -> Lend:
    def act(top: list[int], column: int) -> bool:
        top[column + 1] = digit
        return True

    return act


def _first_beyond_zeros_lends(zero_becomes: int) -> Lend:
    def act(top: list[int], column: int) -> bool:
        top[column + 1] = zero_becomes
        source = column + 2
        while source < len(top) and top[source] == 0:
            source += 1
        if source >= len(top):
            return False
        top[source] -= 1
        return True

    return act


_BORROW_FROM_ZERO = _at_zero(_neighbour_becomes(9))
_ZERO_BECOMES_TEN = _at_zero(_neighbour_becomes(10))
_STOPS_AT_ZERO = _at_zero(_neighbour_becomes(0))
_ACROSS_ZERO = _at_zero(_first_beyond_zeros_lends(zero_becomes=0))
_ZERO_NOT_DECREMENTED = _at_zero(_first_beyond_zeros_lends(zero_becomes=10))


@malrule(
    title="0을 9로 고치고 그 앞자리는 그대로 둔다",
    causes={"CONCEPT_L5_BORROW_FROM_NOTHING": "borrow zero"},
    source=sources.BROWN_BURTON,
    example=(306, "-", 187, 219),
    working=lambda s: f"{by_a_zero(s)} 자리에 빌려줄 0을 9로만 고쳤어요",
)
def borrow_from_zero(sheet: Sheet) -> int | None:
    return _subtract(sheet, lend=_BORROW_FROM_ZERO)


@malrule(
    title="0을 10으로 고치고 그 앞자리는 그대로 둔다",
    causes={"CONCEPT_L5_BORROW_FROM_NOTHING": "borrow zero"},
    source=sources.VANLEHN,
    example=(604, "-", 235, 479),
    working=lambda s: f"{by_a_zero(s)} 자리에 빌려줄 0을 10으로만 고쳤어요",
)
def zero_becomes_ten(sheet: Sheet) -> int | None:
    return _subtract(sheet, lend=_ZERO_BECOMES_TEN)


@malrule(
    title="0을 건너뛰고 그 앞자리에서 빌려온다",
    causes={"EXECUTION_L5_BORROW_ACROSS_ZERO": "borrow zero"},
    source=sources.BROWN_BURTON,
    example=(904, "-", 7, 807),
    working=lambda s: f"{by_a_zero(s)} 자리에 0을 건너뛰고 빌려 왔어요",
)
def borrow_across_zero(sheet: Sheet) -> int | None:
    return _subtract(sheet, lend=_ACROSS_ZERO)


@malrule(
    title="빌려줄 자리가 0이면 아무 데서도 1을 빼지 않는다",
    causes={"EXECUTION_L5_BORROW_STOPS_AT_ZERO": "borrow zero"},
    source=sources.BROWN_BURTON,
    example=(404, "-", 187, 227),
    working=lambda s: f"{by_a_zero(s)} 자리에 빌려줄 0에서 아무것도 빼지 않았어요",
)
def stops_borrow_at_zero(sheet: Sheet) -> int | None:
    return _subtract(sheet, lend=_STOPS_AT_ZERO)


@malrule(
    title="0을 10으로 고치고 빌려준 1을 빼지 않는다",
    causes={"EXECUTION_L5_ZERO_NOT_DECREMENTED": "borrow zero"},
    source=sources.BROWN_BURTON,
    example=(506, "-", 318, 198),
    working=lambda s: f"{by_a_zero(s)} 자리에 빌려줄 0을 10으로 두고 1을 빼지 않았어요",
)
def zero_not_decremented(sheet: Sheet) -> int | None:
    return _subtract(sheet, lend=_ZERO_NOT_DECREMENTED)
