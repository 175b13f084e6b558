"""Column arithmetic: the digits of a number and the columns that carry or borrow (column 0 is the ones)."""


def digits(number: int) -> tuple[int, ...]:
    """The digits of a natural number, ones first: 305 is (5, 0, 3)."""
    return tuple(int(digit) for digit in reversed(str(number)))


def addition_carries(a: int, b: int) -> tuple[int, ...]:
    """Columns of a + b whose sum reaches ten, a carry into the column counted: 28+15 has (0,), 98+90 has (1,)."""
    columns: list[int] = []
    column = carry = 0
    while a or b:
        carry = int(a % 10 + b % 10 + carry >= 10)
        if carry:
            columns.append(column)
        a, b, column = a // 10, b // 10, column + 1
    return tuple(columns)


def subtraction_borrows(a: int, b: int) -> tuple[int, ...]:
    """Columns of a − b, a ≥ b, that need a ten from their left neighbour: 503−278 has (0, 1)."""
    columns: list[int] = []
    column = borrow = 0
    while a or b:
        borrow = int(a % 10 - borrow < b % 10)
        if borrow:
            columns.append(column)
        a, b, column = a // 10, b // 10, column + 1
    return tuple(columns)


def multiplication_carries(a: int, b: int) -> tuple[int, ...]:
    """Columns that carry anywhere in the written a × b: in a partial product or in the sum of the partial products.

    The times table itself (one digit × one digit) is recalled, not written, and has none.
    """
    if a < 10 and b < 10:
        return ()
    top, bottom = (a, b) if a >= b else (b, a)
    columns: set[int] = set()
    total = 0
    for shift, factor in enumerate(digits(bottom)):
        columns.update(shift + column for column in _partial_product_carries(top, factor))
        partial = top * factor * 10**shift
        columns.update(addition_carries(total, partial))
        total += partial
    return tuple(sorted(columns))


def carry_columns(a: int, op: str, b: int) -> tuple[int, ...]:
    """Columns of `a op b` (op one of + - x /) that carry or borrow; division within the times table has none."""
    if op == "+":
        return addition_carries(a, b)
    if op == "-":
        return subtraction_borrows(a, b)
    if op == "x":
        return multiplication_carries(a, b)
    return ()


def _partial_product_carries(number: int, factor: int) -> list[int]:
    columns: list[int] = []
    carry = 0
    for column, digit in enumerate(digits(number)):
        carry = (digit * factor + carry) // 10
        if carry:
            columns.append(column)
    return columns
