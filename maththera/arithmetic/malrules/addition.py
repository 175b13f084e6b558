"""Malrules of addition."""

from maththera.arithmetic.malrules import sources
from maththera.arithmetic.malrules.malrule import Sheet, concatenated, malrule, number, shifted


def _one_digit(sheet: Sheet) -> bool:
    return sheet.width == 1


def _with_small_steps(sheet: Sheet) -> bool:
    """A fact without 0, or ones that make such a fact: the sums that children count out."""
    return sheet.top[0] > 0 and sheet.bottom[0] > 0


def _has_full_hand(sheet: Sheet) -> bool:
    return sheet.width == 1 and sheet.a > 0 and sheet.b > 0 and max(sheet.a, sheet.b) > 5


def _near_double(sheet: Sheet) -> bool:
    return sheet.width == 1 and sheet.a > 0 and sheet.b > 0 and abs(sheet.a - sheet.b) == 1


def _makes_ten(sheet: Sheet) -> bool:
    return sheet.width == 1 and sheet.answer >= 10


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
)
def partial_sum_of_ones(sheet: Sheet) -> int | None:
    return None if _one_digit(sheet) else sheet.top[0] + sheet.bottom[0]


@malrule(
    title="한 자리의 합만 답으로 쓴다 (십의 자리부터)",
    causes={"SPATIAL_L4_PLACE_VALUE": "digits layout"},
    source=sources.FUSON_1990,
    example=(28, "+", 15, 30),
)
def partial_sum_of_tens(sheet: Sheet) -> int | None:
    return None if _one_digit(sheet) else sheet.a - sheet.top[0] + sheet.b - sheet.bottom[0]


@malrule(
    title="자리마다 더한 값을 받아올림 없이 나란히 쓴다",
    causes={"STRATEGY_L4_PLACEVALUE": "carry", "SPATIAL_L4_ALIGNMENT": "digits layout"},
    source=sources.FUSON_1990,
    example=(28, "+", 15, 313),
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
)
def all_digits_added(sheet: Sheet) -> int | None:
    return None if _one_digit(sheet) else sum(sheet.top) + sum(sheet.bottom)


@malrule(
    title="두 수를 더하지 않고 나란히 쓴다",
    causes={"CONCEPT_L1_QUANTITY": ""},
    source=sources.GINSBURG,
    example=(4, "+", 3, 43),
    breaks_quantity=True,
)
def sum_concatenated(sheet: Sheet) -> int | None:
    # Two long numbers are never run together; a digit is put beside a number.
    return int(f"{sheet.a}{sheet.b}") if sheet.a and sheet.lengths in {(1, 1), (2, 1), (1, 2)} else None


# Carrying.


@malrule(
    title="받아올린 수를 더하지 않는다",
    causes={"EXECUTION_L4_CARRY_FORGOTTEN": "carry"},
    source=sources.COX,
    example=(47, "+", 26, 63),
)
def sum_carry_dropped(sheet: Sheet) -> int | None:
    return None if _one_digit(sheet) else _carried(sheet, 0)


@malrule(
    title="받아올린 수를 두 번 더한다",
    causes={"EXECUTION_L4_CARRY_TWICE": "carry"},
    source=sources.COX,
    example=(28, "+", 15, 53),
)
def carry_added_twice(sheet: Sheet) -> int | None:
    return None if _one_digit(sheet) else _carried(sheet, 2)


@malrule(
    title="받아올림이 없는데도 1을 올린다",
    causes={"EXECUTION_L4_CARRY_UNNEEDED": "digits"},
    source=sources.COX,
    example=(23, "+", 14, 47),
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
)
def leading_carry_lost(sheet: Sheet) -> int | None:
    return None if _one_digit(sheet) else sheet.answer % 10**sheet.width


# Counting and facts.


@malrule(
    title="첫 수부터 세어서 답이 1 작다",
    causes={"STRATEGY_L2_COUNT_ON_START": ""},
    source=sources.FUSON_1992,
    example=(8, "+", 5, 12),
)
def count_on_one_less(sheet: Sheet) -> int | None:
    return sheet.answer - 1 if _with_small_steps(sheet) else None


@malrule(
    title="하나 더 세어서 답이 1 크다",
    causes={"EXECUTION_L2_COUNT_SLIP": ""},
    source=sources.FUSON_1992,
    example=(8, "+", 5, 14),
)
def count_on_one_more(sheet: Sheet) -> int | None:
    return sheet.answer + 1 if _with_small_steps(sheet) else None


@malrule(
    title="첫 수의 바로 다음 수를 답한다",
    causes={"CONCEPT_L2_NUMBER_SEQUENCE": ""},
    source=sources.SIEGLER_SHRAGER,
    example=(6, "+", 3, 7),
)
def next_number(sheet: Sheet) -> int | None:
    return sheet.a + 1 if _one_digit(sheet) and _with_small_steps(sheet) else None


@malrule(
    title="더하는 수의 바로 다음 수를 답한다",
    causes={"CONCEPT_L2_NUMBER_SEQUENCE": ""},
    source=sources.SIEGLER_SHRAGER,
    example=(3, "+", 4, 5),
)
def next_after_second(sheet: Sheet) -> int | None:
    return sheet.b + 1 if _one_digit(sheet) and _with_small_steps(sheet) else None


@malrule(
    title="첫 수를 그대로 답한다",
    causes={"CONCEPT_L2_JOINING": ""},
    source=sources.BAROODY,
    example=(7, "+", 5, 7),
)
def addend_repeated(sheet: Sheet) -> int | None:
    return sheet.a or None


@malrule(
    title="더하는 수를 그대로 답한다",
    causes={"CONCEPT_L2_JOINING": ""},
    source=sources.BAROODY,
    example=(7, "+", 5, 5),
)
def second_addend_repeated(sheet: Sheet) -> int | None:
    return sheet.b or None


@malrule(
    title="손가락 한 손(5)을 빠뜨려 답이 5 작다",
    causes={"CONCEPT_L3_FIVE_ANCHOR": ""},
    source=sources.DOMAHS,
    example=(8, "+", 6, 9),
)
def sum_hand_missed(sheet: Sheet) -> int | None:
    return sheet.answer - 5 if _has_full_hand(sheet) else None


@malrule(
    title="손가락 한 손(5)을 더 세어 답이 5 크다",
    causes={"CONCEPT_L3_FIVE_ANCHOR": ""},
    source=sources.DOMAHS,
    example=(8, "+", 6, 19),
)
def sum_hand_added(sheet: Sheet) -> int | None:
    return sheet.answer + 5 if _has_full_hand(sheet) else None


@malrule(
    title="이웃수의 두 배를 그대로 답한다 (작은 쪽)",
    causes={"STRATEGY_L3_DOUBLE_NEIGHBOUR": ""},
    source=sources.BAROODY,
    example=(6, "+", 7, 12),
)
def double_of_smaller(sheet: Sheet) -> int | None:
    return 2 * min(sheet.a, sheet.b) if _near_double(sheet) else None


@malrule(
    title="이웃수의 두 배를 그대로 답한다 (큰 쪽)",
    causes={"STRATEGY_L3_DOUBLE_NEIGHBOUR": ""},
    source=sources.BAROODY,
    example=(6, "+", 7, 14),
)
def double_of_larger(sheet: Sheet) -> int | None:
    return 2 * max(sheet.a, sheet.b) if _near_double(sheet) else None


# Zero.


@malrule(
    title="0과 더하면 0이라고 한다",
    causes={"CONCEPT_L3_ZERO_ADDITION": "zero"},
    source=sources.COX,
    example=(5, "+", 0, 0),
)
def zero_wipes_out(sheet: Sheet) -> int | None:
    if 0 not in (*sheet.top[: sheet.lengths[0]], *sheet.bottom[: sheet.lengths[1]]):
        return None
    shared = min(sheet.lengths)
    lost = 0
    for column in range(shared):
        one, other = sheet.top[column], sheet.bottom[column]
        if not one or not other:
            lost += shifted(one + other, column)
    return sheet.answer - lost


@malrule(
    title="0을 더해도 1이 커진다고 한다",
    causes={"CONCEPT_L3_ZERO_ADDITION": "zero"},
    source=sources.BAROODY,
    example=(5, "+", 0, 6),
)
def zero_adds_one(sheet: Sheet) -> int | None:
    return sheet.answer + 1 if _one_digit(sheet) and not (sheet.a and sheet.b) else None


# Making ten, compensating.


@malrule(
    title="10을 만들고 남은 수를 더하지 않는다",
    causes={"STRATEGY_L3_MAKE10_REMAINDER": "carry"},
    source=sources.FUSON_1992,
    example=(8, "+", 5, 10),
)
def make_ten_rest_lost(sheet: Sheet) -> int | None:
    return 10 if _makes_ten(sheet) else None


@malrule(
    title="십몇에서 십을 빠뜨린다",
    causes={"CONCEPT_L3_TEEN_STRUCTURE": "carry"},
    source=sources.FUSON_1990,
    example=(8, "+", 6, 4),
)
def ten_dropped(sheet: Sheet) -> int | None:
    return sheet.answer - 10 if _makes_ten(sheet) else None


@malrule(
    title="10의 짝꿍을 하나 작게 알고 10을 만든다",
    causes={"CONCEPT_L3_TEN_PARTNERS": "carry"},
    source=sources.BAROODY,
    example=(8, "+", 5, 14),
)
def ten_partner_too_small(sheet: Sheet) -> int | None:
    return sheet.answer + 1 if _makes_ten(sheet) else None


@malrule(
    title="10의 짝꿍을 하나 크게 알고 10을 만든다",
    causes={"CONCEPT_L3_TEN_PARTNERS": "carry"},
    source=sources.BAROODY,
    example=(8, "+", 5, 12),
)
def ten_partner_too_large(sheet: Sheet) -> int | None:
    return sheet.answer - 1 if _makes_ten(sheet) else None


def _rounded_up(sheet: Sheet) -> int:
    """By how much the addend next to a ten (7, 8 or 9 ones) is rounded up; 0 where neither is."""
    ones = max(sheet.top[0], sheet.bottom[0])
    return 10 - ones if ones >= 7 else 0


@malrule(
    title="몇십으로 올려 더하고 더 준 만큼 빼지 않는다",
    causes={"STRATEGY_L6_COMPENSATION": "carry"},
    source=sources.BEISHUIZEN,
    example=(8, "+", 5, 15),
)
def sum_not_compensated(sheet: Sheet) -> int | None:
    lent = _rounded_up(sheet)
    return sheet.answer + lent if lent and sheet.carries else None


@malrule(
    title="몇십으로 올려 더하고 더 준 만큼 또 더한다",
    causes={"STRATEGY_L6_COMPENSATION": "carry"},
    source=sources.BEISHUIZEN,
    example=(98, "+", 90, 192),
)
def sum_compensated_upwards(sheet: Sheet) -> int | None:
    lent = _rounded_up(sheet)
    return sheet.answer + 2 * lent if lent and sheet.carries and sheet.width > 1 else None


# Steps that get lost, and the other operation.


@malrule(
    title="더하는 수의 십의 자리를 빠뜨린다",
    causes={"EXECUTION_L5_STEP_LOST": "digits"},
    source=sources.BEISHUIZEN,
    example=(47, "+", 26, 53),
)
def tens_never_added(sheet: Sheet) -> int | None:
    return sheet.a + sheet.bottom[0] if sheet.lengths[1] > 1 and sheet.bottom[0] else None


@malrule(
    title="더하는 수의 일의 자리를 빠뜨린다",
    causes={"EXECUTION_L5_STEP_LOST": "digits"},
    source=sources.BEISHUIZEN,
    example=(47, "+", 26, 67),
)
def ones_never_added(sheet: Sheet) -> int | None:
    return sheet.answer - sheet.bottom[0] if sheet.lengths[1] > 1 else None


@malrule(
    title="더하기를 빼기로 계산한다",
    causes={"ATTENTION_L0_OPERATION_SWITCH": "operation", "CONCEPT_L3_OPERATION_MEANING": ""},
    source=sources.COX,
    example=(8, "+", 5, 3),
)
def sum_subtracted(sheet: Sheet) -> int | None:
    difference = abs(sheet.a - sheet.b)
    # 28+15→13 is both 28−15 and 8+5. A sum of one place shown in full says more than a chance difference: where the
    # two meet, only partial_sum_of_ones speaks.
    return None if difference == partial_sum_of_ones(sheet) else difference
