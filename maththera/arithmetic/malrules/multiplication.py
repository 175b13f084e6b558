"""Malrules of multiplication."""

from maththera.arithmetic.malrules import sources
from maththera.arithmetic.malrules.malrule import Sheet, concatenated, malrule, shifted
from maththera.arithmetic.malrules.workings import calculated, from_the_left, longer_first, product_carried, tens


def _fact(sheet: Sheet) -> bool:
    """A fact of the times table without 0: the products that are recalled."""
    return sheet.width == 1 and sheet.a > 0 and sheet.b > 0


def _digit_products(sheet: Sheet) -> str:
    """Each digit of the longer number by the other number's ones: 2×4=8, 7×4=28."""
    multiplied, by = longer_first(sheet)
    return from_the_left([calculated(digit, "x", by[0]) for digit in multiplied])


def _by_each_digit(sheet: Sheet) -> str:
    """The first number by each digit of the second: 123×5=615, 123×4=492."""
    return ", ".join(calculated(sheet.a, "x", digit) for digit in sheet.bottom[: sheet.lengths[1]])


def _same_places(sheet: Sheet) -> str:
    """The products of digits that stand in one column: 2×2=4, 3×3=9."""
    return from_the_left([calculated(one, "x", other) for one, other in zip(sheet.top, sheet.bottom, strict=True)])


def _in_partial_products(sheet: Sheet, carry_dropped: bool, carry_first: bool) -> int | None:
    """Long multiplication whose partial products go wrong at every carry; their sum is right."""
    if sheet.width == 1:
        return None
    multiplied, by = longer_first(sheet)
    product = 0
    for shift, factor in enumerate(by):
        places: list[int] = []
        carry = 0
        for digit in multiplied:
            total = (digit + carry) * factor if carry_first else digit * factor + carry
            places.append(total % 10)
            carry = 0 if carry_dropped else total // 10
        places[-1] = total
        product += shifted(concatenated(places), shift)
    return product


# The times table.


@malrule(
    title="한 묶음을 더 센다 (곱하는 수가 1 큰 곱)",
    causes={"EXECUTION_L6_TABLE_NEIGHBOUR": "size", "STRATEGY_L6_SKIP_COUNT": ""},
    source=sources.CAMPBELL_GRAHAM,
    example=(7, "x", 8, 63),
    working=lambda s: calculated(s.a, "x", s.b + 1),
)
def one_group_more(sheet: Sheet) -> int | None:
    return sheet.a * (sheet.b + 1) if _fact(sheet) else None


@malrule(
    title="한 묶음을 덜 센다 (곱하는 수가 1 작은 곱)",
    causes={"EXECUTION_L6_TABLE_NEIGHBOUR": "size", "STRATEGY_L6_SKIP_COUNT": ""},
    source=sources.CAMPBELL_GRAHAM,
    example=(7, "x", 8, 49),
    working=lambda s: calculated(s.a, "x", s.b - 1),
)
def one_group_less(sheet: Sheet) -> int | None:
    return sheet.a * (sheet.b - 1) if _fact(sheet) else None


@malrule(
    title="이웃한 단의 곱을 답한다 (1 큰 단)",
    causes={"EXECUTION_L6_TABLE_NEIGHBOUR": "size"},
    source=sources.CAMPBELL_GRAHAM,
    example=(7, "x", 8, 64),
    working=lambda s: calculated(s.a + 1, "x", s.b),
)
def table_above(sheet: Sheet) -> int | None:
    return (sheet.a + 1) * sheet.b if _fact(sheet) else None


@malrule(
    title="이웃한 단의 곱을 답한다 (1 작은 단)",
    causes={"EXECUTION_L6_TABLE_NEIGHBOUR": "size"},
    source=sources.CAMPBELL_GRAHAM,
    example=(7, "x", 8, 48),
    working=lambda s: calculated(s.a - 1, "x", s.b),
)
def table_below(sheet: Sheet) -> int | None:
    return (sheet.a - 1) * sheet.b if _fact(sheet) else None


@malrule(
    title="곱보다 1 큰 수를 답한다",
    causes={"EXECUTION_L6_CLOSE_MISS": ""},
    source=sources.SIEGLER_1988,
    example=(6, "x", 7, 43),
    working=lambda s: f"{calculated(s.a, 'x', s.b)}보다 1 크게 답했어요",
)
def product_one_more(sheet: Sheet) -> int | None:
    return sheet.answer + 1 if _fact(sheet) else None


@malrule(
    title="곱보다 1 작은 수를 답한다",
    causes={"EXECUTION_L6_CLOSE_MISS": ""},
    source=sources.SIEGLER_1988,
    example=(6, "x", 7, 41),
    working=lambda s: f"{calculated(s.a, 'x', s.b)}보다 1 작게 답했어요",
)
def product_one_less(sheet: Sheet) -> int | None:
    return sheet.answer - 1 if _fact(sheet) else None


@malrule(
    title="곱하기를 더하기로 계산한다",
    causes={"ATTENTION_L0_OPERATION_SWITCH": "operation", "CONCEPT_L6_MULTIPLICATION_MEANING": ""},
    source=sources.MILLER_PAREDES,
    example=(6, "x", 3, 9),
    working=lambda s: f"더하기로 {calculated(s.a, '+', s.b)}",
)
def product_added(sheet: Sheet) -> int | None:
    return sheet.a + sheet.b


@malrule(
    title="두 수를 곱하지 않고 나란히 쓴다",
    causes={"CONCEPT_L1_QUANTITY": ""},
    source=sources.GINSBURG,
    example=(6, "x", 3, 63),
    breaks_quantity=True,
    working=lambda s: f"{s.a}, {s.b} 나란히 썼어요",
)
def product_concatenated(sheet: Sheet) -> int | None:
    return sheet.a * 10 + sheet.b if _fact(sheet) else None


@malrule(
    title="0을 곱해도 그대로라고 한다",
    causes={"CONCEPT_L6_TIMES_ZERO": "zero"},
    source=sources.CAMPBELL_GRAHAM,
    example=(7, "x", 0, 7),
    working=lambda s: f"{s.a}×{s.b}에서 0을 곱하고도 그대로 두었어요",
)
def times_zero_is_itself(sheet: Sheet) -> int | None:
    if sheet.width == 1:
        return max(sheet.a, sheet.b) if sheet.answer == 0 else None
    multiplied, by = longer_first(sheet)
    if len(by) > 1 or 0 not in multiplied:
        return None
    return sheet.answer + sum(shifted(by[0], column) for column, digit in enumerate(multiplied) if digit == 0)


@malrule(
    title="1을 곱하면 1이 커진다고 한다",
    causes={"CONCEPT_L6_TIMES_ONE": ""},
    source=sources.BAROODY,
    example=(7, "x", 1, 8),
    working=lambda s: f"1을 곱하지 않고 {calculated(max(s.a, s.b), '+', 1)}",
)
def times_one_is_one_more(sheet: Sheet) -> int | None:
    return sheet.answer + 1 if _fact(sheet) and 1 in (sheet.a, sheet.b) else None


# Written multiplication.


@malrule(
    title="받아올린 수를 더하지 않는다",
    causes={"EXECUTION_L5_PRODUCT_CARRY": "carry"},
    source=sources.COX,
    example=(27, "x", 4, 88),
    working=lambda s: f"{product_carried(s)}에서 올린 수를 더하지 않았어요",
)
def product_carry_dropped(sheet: Sheet) -> int | None:
    return _in_partial_products(sheet, carry_dropped=True, carry_first=False)


@malrule(
    title="받아올린 수를 먼저 더하고 곱한다",
    causes={"STRATEGY_L5_CARRY_ORDER": "carry"},
    source=sources.ASHLOCK,
    example=(27, "x", 4, 168),
    working=lambda s: f"{product_carried(s)}에서 올린 수를 먼저 더하고 곱했어요",
)
def carry_added_first(sheet: Sheet) -> int | None:
    return _in_partial_products(sheet, carry_dropped=False, carry_first=True)


@malrule(
    title="자리마다 곱한 값을 받아올림 없이 나란히 쓴다",
    causes={"STRATEGY_L4_PLACEVALUE": "carry"},
    source=sources.ASHLOCK,
    example=(27, "x", 4, 828),
    working=lambda s: f"{_digit_products(s)}, 나란히 썼어요",
)
def product_carry_in_full(sheet: Sheet) -> int | None:
    multiplied, by = longer_first(sheet)
    return concatenated([digit * by[0] for digit in multiplied]) if sheet.width > 1 and len(by) == 1 else None


@malrule(
    title="십의 자리는 곱하지 않고 그대로 내려 쓴다",
    causes={"CONCEPT_L5_EVERY_PLACE": "digits"},
    source=sources.ASHLOCK,
    example=(24, "x", 3, 32),
    working=lambda s: f"{_digit_products(s).rpartition(', ')[2]}만 곱하고 나머지는 그대로 썼어요",
)
def tens_not_multiplied(sheet: Sheet) -> int | None:
    multiplied, by = longer_first(sheet)
    if sheet.width == 1 or len(by) > 1:
        return None
    return max(sheet.a, sheet.b) + multiplied[0] * (by[0] - 1)


@malrule(
    title="한 자리의 곱만 답으로 쓴다",
    causes={"SPATIAL_L4_PLACE_VALUE": "digits layout"},
    source=sources.COX,
    example=(24, "x", 3, 12),
    working=lambda s: f"{calculated(s.top[0], 'x', s.bottom[0])}만 썼어요",
)
def product_of_ones(sheet: Sheet) -> int | None:
    return sheet.top[0] * sheet.bottom[0] if sheet.width > 1 else None


@malrule(
    title="같은 자리끼리만 곱한다",
    causes={"CONCEPT_L5_DISTRIBUTIVITY": "digits"},
    source=sources.ASHLOCK,
    example=(23, "x", 23, 409),
    working=lambda s: f"{_same_places(s)}만 곱했어요",
)
def no_cross_products(sheet: Sheet) -> int | None:
    if min(sheet.lengths) == 1:
        return None
    pairs = zip(sheet.top, sheet.bottom, strict=True)
    return sum(shifted(one * other, 2 * column) for column, (one, other) in enumerate(pairs))


@malrule(
    title="십의 자리를 곱한 값을 한 칸 옮겨 쓰지 않는다",
    causes={"SPATIAL_L5_PARTIAL_SHIFT": "digits layout"},
    source=sources.COX,
    example=(123, "x", 45, 1107),
    working=lambda s: f"{_by_each_digit(s)}, 한 칸 옮기지 않고 더했어요",
)
def partial_product_unshifted(sheet: Sheet) -> int | None:
    if min(sheet.lengths) == 1:
        return None
    return sheet.a * sum(sheet.bottom)


@malrule(
    title="곱하는 수의 일의 자리만 곱한다",
    causes={"EXECUTION_L5_PARTIAL_PRODUCT": "digits"},
    source=sources.COX,
    example=(23, "x", 45, 115),
    working=lambda s: f"{calculated(s.a, 'x', s.bottom[0])}까지만 했어요",
)
def only_ones_multiplied_by(sheet: Sheet) -> int | None:
    return sheet.a * sheet.bottom[0] if min(sheet.lengths) > 1 and sheet.bottom[0] else None


@malrule(
    title="곱하는 수의 십의 자리만 곱한다",
    causes={"EXECUTION_L5_PARTIAL_PRODUCT": "digits"},
    source=sources.COX,
    example=(23, "x", 45, 920),
    working=lambda s: f"{calculated(s.a, 'x', tens(s.b))}까지만 했어요",
)
def only_tens_multiplied_by(sheet: Sheet) -> int | None:
    return sheet.answer - sheet.a * sheet.bottom[0] if min(sheet.lengths) > 1 else None
