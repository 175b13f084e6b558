"""Malrules of written addition: place value, carrying, steps that get lost, and the other operation.

Sums in the head have a module of their own, `addition_facts`.
"""

from maththera.arithmetic.malrules import sources
from maththera.arithmetic.malrules.malrule import Sheet, concatenated, malrule, number, shifted
from maththera.arithmetic.malrules.workings import calculated, carried, column_sums, from_the_left, leading, plain, tens


def _one_digit(sheet: Sheet) -> bool:
    return sheet.width == 1


def _left_aligned(sheet: Sheet) -> tuple[int, str, int]:
    """The sum as it is done where both numbers begin in the same column."""
    ahead = sheet.lengths[0] - sheet.lengths[1]
    return shifted(sheet.a, max(0, -ahead)), "+", shifted(sheet.b, max(0, ahead))


def _both_digits(sheet: Sheet) -> str:
    """Both digits of the longer number with the other one: 3+5=8, 4+5=9."""
    longer, single = (sheet.top, sheet.b) if sheet.lengths[0] == 2 else (sheet.bottom, sheet.a)
    return from_the_left([calculated(digit, "+", single) for digit in longer])


def _carried(sheet: Sheet, handed_on: int) -> int:
    """Column addition that adds `handed_on` to the next column where a one belongs; the last sum is written whole."""
    places: list[int] = []
    carry = 0
    for one, other in zip(sheet.top, sheet.bottom, strict=True):
        total = one + other + carry
        places.append(total % 10)
        carry = handed_on if total >= 10 else 0
    places[-1] = total
    return concatenated(places)


# Place value: which digits belong together.


@malrule(
    title="한 자리의 합만 답으로 쓴다 (일의 자리)",
    causes={"SPATIAL_L4_PLACE_VALUE": "digits layout"},
    source=sources.FUSON_1990,
    example=(28, "+", 15, 13),
    working=lambda s: f"{s.top[0]}+{s.bottom[0]}만 썼어요",
)
def partial_sum_of_ones(sheet: Sheet) -> int | None:
    return None if _one_digit(sheet) else sheet.top[0] + sheet.bottom[0]


@malrule(
    title="한 자리의 합만 답으로 쓴다 (십의 자리부터)",
    causes={"SPATIAL_L4_PLACE_VALUE": "digits layout"},
    source=sources.FUSON_1990,
    example=(28, "+", 15, 30),
    working=lambda s: f"{tens(s.a)}+{tens(s.b)}만 썼어요",
)
def partial_sum_of_tens(sheet: Sheet) -> int | None:
    return None if _one_digit(sheet) else sheet.a - sheet.top[0] + sheet.b - sheet.bottom[0]


@malrule(
    title="자리마다 더한 값을 받아올림 없이 나란히 쓴다",
    causes={"STRATEGY_L4_PLACEVALUE": "carry", "SPATIAL_L4_ALIGNMENT": "digits layout"},
    source=sources.FUSON_1990,
    example=(28, "+", 15, 313),
    working=lambda s: f"{column_sums(s)}, 나란히 썼어요",
)
def carry_in_full(sheet: Sheet) -> int | None:
    if _one_digit(sheet):
        return None
    return concatenated([one + other for one, other in zip(sheet.top, sheet.bottom, strict=True)])


@malrule(
    title="자릿수가 다른 두 수를 왼쪽에 맞추어 더한다",
    causes={"SPATIAL_L4_LEFT_ALIGNED": "length layout"},
    source=sources.ASHLOCK,
    example=(34, "+", 5, 84),
    working=lambda s: f"왼쪽에 맞추어 {calculated(*_left_aligned(s))}",
)
def sum_left_aligned(sheet: Sheet) -> int | None:
    ahead = sheet.lengths[0] - sheet.lengths[1]
    if ahead == 0:
        return None
    return sheet.a + shifted(sheet.b, ahead) if ahead > 0 else shifted(sheet.a, -ahead) + sheet.b


@malrule(
    title="한 자리 수를 십의 자리와 일의 자리에 모두 더한다",
    causes={"CONCEPT_L4_DIGIT_AS_NUMBER": "length digits"},
    source=sources.ASHLOCK,
    example=(34, "+", 5, 89),
    working=lambda s: f"{_both_digits(s)}, 두 자리에 모두 더했어요",
)
def added_to_both_digits(sheet: Sheet) -> int | None:
    if sorted(sheet.lengths) != [1, 2]:
        return None
    longer, single = (sheet.top, sheet.b) if sheet.lengths[0] == 2 else (sheet.bottom, sheet.a)
    return concatenated([digit + single for digit in longer])


@malrule(
    title="자리와 관계없이 모든 숫자를 더한다",
    causes={"CONCEPT_L1_MAGNITUDE": "digits"},
    source=sources.ASHLOCK,
    example=(28, "+", 15, 16),
    breaks_quantity=True,
    working=lambda s: f"{'+'.join([*str(s.a), *str(s.b)])} 했어요",
)
def all_digits_added(sheet: Sheet) -> int | None:
    return None if _one_digit(sheet) else sum(sheet.top) + sum(sheet.bottom)


@malrule(
    title="두 수를 더하지 않고 나란히 쓴다",
    causes={"CONCEPT_L1_QUANTITY": ""},
    source=sources.GINSBURG,
    example=(4, "+", 3, 43),
    breaks_quantity=True,
    working=lambda s: f"{s.a}, {s.b} 나란히 썼어요",
)
def sum_concatenated(sheet: Sheet) -> int | None:
    # Children put a digit beside a number, but never two long numbers together.
    return int(f"{sheet.a}{sheet.b}") if sheet.a and sheet.lengths in {(1, 1), (2, 1), (1, 2)} else None


# Carrying.


@malrule(
    title="받아올린 수를 더하지 않는다",
    causes={"EXECUTION_L4_CARRY_FORGOTTEN": "carry"},
    source=sources.COX,
    example=(47, "+", 26, 63),
    working=lambda s: f"{carried(s)}에서 올린 1을 더하지 않았어요",
)
def sum_carry_dropped(sheet: Sheet) -> int | None:
    return None if _one_digit(sheet) else _carried(sheet, 0)


@malrule(
    title="받아올린 수를 두 번 더한다",
    causes={"EXECUTION_L4_CARRY_TWICE": "carry"},
    source=sources.COX,
    example=(28, "+", 15, 53),
    working=lambda s: f"{carried(s)}에서 올린 1을 두 번 더했어요",
)
def carry_added_twice(sheet: Sheet) -> int | None:
    return None if _one_digit(sheet) else _carried(sheet, 2)


@malrule(
    title="받아올림이 없는데도 1을 올린다",
    causes={"EXECUTION_L4_CARRY_UNNEEDED": "digits"},
    source=sources.COX,
    example=(23, "+", 14, 47),
    working=lambda s: f"올릴 것이 없는 {plain(s)}에서 1을 올렸어요",
)
def always_carries(sheet: Sheet) -> int | None:
    if _one_digit(sheet):
        return None
    places: list[int] = []
    for column, (one, other) in enumerate(zip(sheet.top, sheet.bottom, strict=True)):
        total = one + other + (column > 0)
        places.append(total % 10)
    places[-1] = total
    return concatenated(places)


@malrule(
    title="일의 자리 숫자를 올리고 십의 자리 숫자를 쓴다",
    causes={"EXECUTION_L4_CARRY_DIGIT": "carry"},
    source=sources.ASHLOCK,
    example=(28, "+", 17, 81),
    working=lambda s: f"{carried(s)}에서 1을 쓰고 뒤의 숫자를 올렸어요",
)
def wrong_digit_carried(sheet: Sheet) -> int | None:
    places: list[int] = []
    carry = 0
    for one, other in zip(sheet.top, sheet.bottom, strict=True):
        total = one + other + carry
        written, carry = (total // 10, total % 10) if total >= 10 else (total, 0)
        places.append(written)
    return number([*places, carry])


@malrule(
    title="맨 앞자리에서 받아올린 수를 쓰지 않는다",
    causes={"EXECUTION_L4_LEADING_CARRY": "carry"},
    source=sources.COX,
    example=(98, "+", 90, 88),
    working=lambda s: f"{leading(s)}에서 앞의 1을 쓰지 않았어요",
)
def leading_carry_lost(sheet: Sheet) -> int | None:
    return None if _one_digit(sheet) else sheet.answer % 10**sheet.width


# Steps that get lost, and the other operation.


@malrule(
    title="더하는 수의 십의 자리를 빠뜨린다",
    causes={"EXECUTION_L5_STEP_LOST": "digits"},
    source=sources.BEISHUIZEN,
    example=(47, "+", 26, 53),
    working=lambda s: f"{calculated(s.a, '+', s.bottom[0])}까지만 했어요",
)
def tens_never_added(sheet: Sheet) -> int | None:
    return sheet.a + sheet.bottom[0] if sheet.lengths[1] > 1 and sheet.bottom[0] else None


@malrule(
    title="더하는 수의 일의 자리를 빠뜨린다",
    causes={"EXECUTION_L5_STEP_LOST": "digits"},
    source=sources.BEISHUIZEN,
    example=(47, "+", 26, 67),
    working=lambda s: f"{calculated(s.a, '+', tens(s.b))}까지만 했어요",
)
def ones_never_added(sheet: Sheet) -> int | None:
    return sheet.answer - sheet.bottom[0] if sheet.lengths[1] > 1 else None


@malrule(
    title="더하기를 빼기로 계산한다",
    causes={"ATTENTION_L0_OPERATION_SWITCH": "operation", "CONCEPT_L3_OPERATION_MEANING": ""},
    source=sources.COX,
    example=(8, "+", 5, 3),
    working=lambda s: f"빼기로 {calculated(max(s.a, s.b), '-', min(s.a, s.b))}",
)
def sum_subtracted(sheet: Sheet) -> int | None:
    difference = abs(sheet.a - sheet.b)
    # 28+15→13 is both 28−15 and 8+5. A sum of one place shown in full says more than a chance difference: where the
    # two meet, only partial_sum_of_ones speaks.
    return None if difference == partial_sum_of_ones(sheet) else difference
