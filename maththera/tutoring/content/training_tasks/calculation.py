"""Tasks of calculation: column by column, and with rows of dots for multiplication and division."""

from pydantic import NonNegativeInt

from maththera.tutoring.content.training_tasks.task import PLACES, Answer, require, task

# --- written calculation ----------------------------------------------------------------------------------------------


def _digits(number: int, columns: int) -> list[int]:
    """From the ones up, filled with zeros."""
    return [number // 10**column % 10 for column in range(columns)]


@task("vertical", "where")
def _where(a: NonNegativeInt, b: NonNegativeInt, digit: NonNegativeInt) -> tuple[Answer, ...]:
    """The column in which this digit of b is written."""
    places = [place for place, own in zip(PLACES, _digits(b, len(str(b))), strict=False) if own == digit]
    require(len(places) == 1, "digit", "must stand in b exactly once")
    return (places[0],)


@task("vertical", "add_columns")
def _add_columns(a: NonNegativeInt, b: NonNegativeInt) -> tuple[Answer, ...]:
    """The sum of each column from the ones up, without carries, then the result."""
    columns = len(str(max(a, b)))
    sums = [x + y for x, y in zip(_digits(a, columns), _digits(b, columns), strict=True)]
    require(max(sums) < 10, "b", "a column carries")
    return (*sums, a + b)


@task("vertical", "carry")
def _carry(a: NonNegativeInt, b: NonNegativeInt) -> tuple[Answer, ...]:
    """Two digits each: the sum of the ones, what is carried, the sum of the tens with it, the result."""
    ones = a % 10 + b % 10
    require(max(a, b) < 100 and ones >= 10, "b", "two numbers below 100 whose ones carry are needed")
    return (ones, ones // 10, a // 10 + b // 10 + 1, a + b)


@task("vertical", "carry_all")
def _carry_all(a: NonNegativeInt, b: NonNegativeInt) -> tuple[Answer, ...]:
    """The sum of each column from the ones up with what was carried into it, then the result."""
    columns, sums, carried = len(str(max(a, b))), [], 0
    for x, y in zip(_digits(a, columns), _digits(b, columns), strict=True):
        sums.append(x + y + carried)
        carried = sums[-1] // 10
    return (*sums, a + b)


@task("vertical", "lend")
def _lend(a: NonNegativeInt, b: NonNegativeInt) -> tuple[Answer, ...]:
    """Two digits each: the tens after lending, the ones after taking away, the result."""
    require(b < a < 100 and a % 10 < b % 10, "b", "a number below a < 100 with larger ones is needed")
    return (a // 10 - 1, a % 10 + 10 - b % 10, a - b)


@task("vertical", "take_or_borrow")
def _take_or_borrow(a: NonNegativeInt, b: NonNegativeInt) -> tuple[Answer, ...]:
    """Whether the ones can be taken away, top less bottom; then the result."""
    require(b <= a, "b", "more than a")
    return ("빌려 오기" if a % 10 < b % 10 else "그냥 빼기", a - b)


# --- multiplication and division --------------------------------------------------------------------------------------


@task("array", "total")
def _array_total(rows: NonNegativeInt, columns: NonNegativeInt) -> tuple[Answer, ...]:
    return (rows * columns,)


@task("array", "groups")
def _groups(rows: NonNegativeInt, columns: NonNegativeInt) -> tuple[Answer, ...]:
    """How many groups, how many in each, how many in all."""
    return (rows, columns, rows * columns)


@task("array", "double")
def _double(columns: NonNegativeInt) -> tuple[Answer, ...]:
    return (2 * columns,)


@task("array", "near_double")
def _near_double(columns: NonNegativeInt) -> tuple[Answer, ...]:
    """Two equal rows, then one more dot in the second."""
    return (2 * columns, 2 * columns + 1)


@task("array", "share")
def _share(total: NonNegativeInt, rows: NonNegativeInt) -> tuple[Answer, ...]:
    require(rows > 0 and total % rows == 0, "rows", "cannot be shared evenly")
    return (total // rows,)


@task("array", "family")
def _times_family(rows: NonNegativeInt, columns: NonNegativeInt) -> tuple[Answer, ...]:
    """The product, the product by the rows, the product by the columns."""
    require(rows > 0 and columns > 0, "rows", "division by zero")
    return (rows * columns, columns, rows)


@task("array", "split")
def _split(a: NonNegativeInt, b: NonNegativeInt) -> tuple[Answer, ...]:
    """Two digits times one: the tens times b, the ones times b, both together."""
    require(10 < a < 100 and a % 10 > 0 and b < 10, "a", "needs tens and ones")
    return (a // 10 * 10 * b, a % 10 * b, a * b)
