"""Malrules of subtraction outside written borrowing: counting, zero, making ten, place value.

Borrowing has a module of its own, `borrowing`.
"""

from maththera.arithmetic.malrules import sources
from maththera.arithmetic.malrules.malrule import Sheet, malrule, number
from maththera.arithmetic.malrules.workings import calculated, minus_zero, same_digits, tens

_LARGEST_MINUEND = 18
"""The largest minuend of a subtraction fact: 18−9."""


def _fact(sheet: Sheet) -> bool:
    """A subtraction that is counted or recalled, not written: one digit from at most 18."""
    return sheet.lengths[1] == 1 and sheet.a <= _LARGEST_MINUEND


def _from_ten(sheet: Sheet) -> bool:
    """A one-digit number taken from 10 or, with a borrow, from a teen number."""
    return bool(sheet.carries) and _fact(sheet)


# Counting and facts.


@malrule(
    title="첫 수부터 거꾸로 세어서 답이 1 크다",
    causes={"STRATEGY_L2_COUNT_BACK_START": ""},
    source=sources.FUSON_1992,
    example=(8, "-", 3, 6),
    working=lambda s: f"{s.a}부터 거꾸로 {s.b}번 세어 {s.answer + 1}에서 멈췄어요",
    spares=lambda s: s.bottom[0] == 1,  # most children know the number before without counting
)
def count_back_one_less(sheet: Sheet) -> int | None:
    return sheet.answer + 1 if sheet.bottom[0] else None


@malrule(
    title="하나 더 거꾸로 세어서 답이 1 작다",
    causes={"EXECUTION_L2_COUNT_SLIP": ""},
    source=sources.FUSON_1992,
    example=(8, "-", 3, 4),
    working=lambda s: f"{s.a}에서 거꾸로 한 번 더 세어 {s.answer - 1}까지 갔어요",
)
def count_back_one_more(sheet: Sheet) -> int | None:
    return sheet.answer - 1 if sheet.bottom[0] else None


@malrule(
    title="첫 수의 바로 앞 수를 답한다",
    causes={"CONCEPT_L2_NUMBER_SEQUENCE": ""},
    source=sources.SIEGLER_SHRAGER,
    example=(8, "-", 3, 7),
    working=lambda s: f"{s.a}의 바로 앞 수를 답했어요",
)
def number_before(sheet: Sheet) -> int | None:
    return sheet.a - 1 if _fact(sheet) and sheet.b else None


@malrule(
    title="처음 수를 그대로 답한다",
    causes={"CONCEPT_L2_TAKING_AWAY": ""},
    source=sources.BAROODY,
    example=(8, "-", 3, 8),
    working=lambda s: f"{s.a} 그대로 답했어요",
)
def minuend_repeated(sheet: Sheet) -> int | None:
    # 5−5→5 is n_minus_n_is_n.
    return sheet.a if sheet.a != sheet.b else None


@malrule(
    title="빼는 수를 그대로 답한다",
    causes={"CONCEPT_L2_TAKING_AWAY": ""},
    source=sources.BAROODY,
    example=(8, "-", 3, 3),
    working=lambda s: f"{s.b} 그대로 답했어요",
)
def subtrahend_repeated(sheet: Sheet) -> int | None:
    return sheet.b if sheet.b not in {0, sheet.a} else None


@malrule(
    title="손가락 한 손(5)을 빠뜨려 답이 5 작다",
    causes={"CONCEPT_L3_FIVE_ANCHOR": ""},
    source=sources.DOMAHS,
    example=(18, "-", 7, 6),
    working=lambda s: f"{s.answer}보다 한 손(5)만큼 작게 답했어요",
)
def difference_hand_missed(sheet: Sheet) -> int | None:
    return sheet.answer - 5 if _fact(sheet) and sheet.a > 5 else None


@malrule(
    title="손가락 한 손(5)을 더 남겨 답이 5 크다",
    causes={"CONCEPT_L3_FIVE_ANCHOR": ""},
    source=sources.DOMAHS,
    example=(9, "-", 6, 8),
    working=lambda s: f"{s.answer}보다 한 손(5)만큼 크게 답했어요",
)
def difference_hand_kept(sheet: Sheet) -> int | None:
    return sheet.answer + 5 if _fact(sheet) and sheet.b > 5 else None


@malrule(
    title="빼기를 더하기로 계산한다",
    causes={"ATTENTION_L0_OPERATION_SWITCH": "operation", "CONCEPT_L3_OPERATION_MEANING": ""},
    source=sources.BROWN_BURTON,
    example=(15, "-", 6, 21),
    working=lambda s: f"더하기로 {calculated(s.a, '+', s.b)}",
)
def difference_added(sheet: Sheet) -> int | None:
    return sheet.a + sheet.b


# Zero, and equal numbers.


@malrule(
    title="어떤 수에서 0을 빼면 0이라고 한다",
    causes={"CONCEPT_L3_ZERO_SUBTRACTION": "zero"},
    source=sources.VANLEHN,
    example=(57, "-", 20, 30),
    working=lambda s: f"{minus_zero(s)} 자리에 0을 썼어요",
)
def n_minus_zero_is_zero(sheet: Sheet) -> int | None:
    lost = 0
    for column in range(sheet.lengths[1]):
        if sheet.bottom[column] == 0 and column not in sheet.carries:
            lost += (sheet.answer // 10**column % 10) * 10**column
    return sheet.answer - lost if 0 in sheet.bottom[: sheet.lengths[1]] else None


@malrule(
    title="0을 빼도 1이 작아진다고 한다",
    causes={"CONCEPT_L3_ZERO_SUBTRACTION": "zero"},
    source=sources.BAROODY,
    example=(5, "-", 0, 4),
    working=lambda s: f"{s.a}−0에서 0을 1처럼 뺐어요",
)
def n_minus_zero_is_one_less(sheet: Sheet) -> int | None:
    return sheet.answer - 1 if sheet.b == 0 else None


@malrule(
    title="같은 수끼리 빼면 그 수라고 한다",
    causes={"CONCEPT_L3_SAME_MINUS_SAME": ""},
    source=sources.VANLEHN,
    example=(83, "-", 13, 73),
    working=lambda s: f"{same_digits(s)} 자리에 그 숫자를 썼어요",
)
def n_minus_n_is_n(sheet: Sheet) -> int | None:
    kept = 0
    for column in range(sheet.lengths[1]):
        # A column that has lent a ten no longer shows two equal digits.
        lent = column - 1 in sheet.carries
        if sheet.top[column] == sheet.bottom[column] and not lent:
            kept += sheet.top[column] * 10**column
    return sheet.answer + kept


# Taking from ten, compensating.


@malrule(
    title="10에서 빼고 남은 몇을 더하지 않는다",
    causes={"STRATEGY_L3_TAKE_FROM_TEN": "borrow"},
    source=sources.FUSON_1992,
    example=(15, "-", 8, 2),
    working=lambda s: f"{calculated(10, '-', s.b)}까지만 했어요",
)
def taken_from_ten_only(sheet: Sheet) -> int | None:
    return 10 - sheet.b if _from_ten(sheet) else None


@malrule(
    title="10의 짝꿍을 하나 작게 안다",
    causes={"CONCEPT_L3_TEN_PARTNERS": "borrow"},
    source=sources.BAROODY,
    example=(15, "-", 8, 6),
    working=lambda s: f"10에서 {s.b} 빼면 {9 - s.b} 남는다고 보았어요",
)
def ten_left_too_small(sheet: Sheet) -> int | None:
    return sheet.answer - 1 if _from_ten(sheet) else None


@malrule(
    title="10의 짝꿍을 하나 크게 안다",
    causes={"CONCEPT_L3_TEN_PARTNERS": "borrow"},
    source=sources.BAROODY,
    example=(15, "-", 8, 8),
    working=lambda s: f"10에서 {s.b} 빼면 {11 - s.b} 남는다고 보았어요",
)
def ten_left_too_large(sheet: Sheet) -> int | None:
    return sheet.answer + 1 if _from_ten(sheet) else None


def _rounded_up(sheet: Sheet) -> int:
    """By how much a subtrahend next to a ten (7, 8 or 9 ones) is rounded up to be taken away; else 0."""
    return 10 - sheet.bottom[0] if sheet.carries and sheet.width > 1 and sheet.bottom[0] >= 7 else 0


@malrule(
    title="몇십으로 올려 빼고 더 뺀 만큼 돌려주지 않는다",
    causes={"STRATEGY_L6_COMPENSATION": "borrow"},
    source=sources.BEISHUIZEN,
    example=(52, "-", 38, 12),
    working=lambda s: f"올려서 {calculated(s.a, '-', s.b + _rounded_up(s))}까지만 했어요",
)
def difference_not_compensated(sheet: Sheet) -> int | None:
    lent = _rounded_up(sheet)
    return sheet.answer - lent if lent else None


@malrule(
    title="몇십으로 올려 빼고 더 뺀 만큼 또 뺀다",
    causes={"STRATEGY_L6_COMPENSATION": "borrow"},
    source=sources.BEISHUIZEN,
    example=(52, "-", 38, 10),
    working=lambda s: f"올려서 {calculated(s.a, '-', s.b + _rounded_up(s))}, {_rounded_up(s)}만큼 또 뺐어요",
)
def difference_compensated_downwards(sheet: Sheet) -> int | None:
    lent = _rounded_up(sheet)
    return sheet.answer - 2 * lent if lent else None


# Place value: columns without a partner, columns left out.


@malrule(
    title="빼는 수의 맨 앞 숫자를 빈 자리에서 또 뺀다",
    causes={"SPATIAL_L4_COLUMN_REUSED": "length layout"},
    source=sources.VANLEHN,
    example=(4369, "-", 22, 2147),
    working=lambda s: f"빈 자리에서 {s.b}의 맨 앞 숫자({s.bottom[s.lengths[1] - 1]})를 또 뺐어요",
)
def stutter(sheet: Sheet) -> int | None:
    longer, shorter = sheet.lengths
    if longer == shorter:
        return None
    first = sheet.bottom[shorter - 1]
    return sheet.a - number([*sheet.bottom[:shorter], *[first] * (longer - shorter)])


@malrule(
    title="빈 자리에서 1을 뺀다",
    causes={"EXECUTION_L4_BLANK_COLUMN": "length"},
    source=sources.VANLEHN,
    example=(548, "-", 2, 436),
    working=lambda s: f"{s.b}의 빈 자리에서 1을 뺐어요",
)
def blank_takes_one(sheet: Sheet) -> int | None:
    longer, shorter = sheet.lengths
    return sheet.answer - number([0] * shorter + [1] * (longer - shorter)) if longer > shorter else None


@malrule(
    title="빈 자리가 나오면 멈춘다",
    causes={"SPATIAL_L4_COLUMN_SKIPPED": "length layout"},
    source=sources.VANLEHN,
    example=(439, "-", 4, 5),
    working=lambda s: f"{s.b}의 빈 자리에서 멈췄어요",
)
def quits_at_blank(sheet: Sheet) -> int | None:
    longer, shorter = sheet.lengths
    return sheet.answer % 10**shorter if longer > shorter else None


@malrule(
    title="자릿수가 다른 두 수를 왼쪽에 맞추어 뺀다",
    causes={"SPATIAL_L4_LEFT_ALIGNED": "length layout"},
    source=sources.ASHLOCK,
    example=(348, "-", 2, 148),
    working=lambda s: f"왼쪽에 맞추어 {calculated(s.a, '-', s.b * 10 ** (s.lengths[0] - s.lengths[1]))}",
)
def difference_left_aligned(sheet: Sheet) -> int | None:
    longer, shorter = sheet.lengths
    return sheet.a - sheet.b * 10 ** (longer - shorter) if longer > shorter else None


@malrule(
    title="한 자리의 차만 답으로 쓴다 (일의 자리)",
    causes={"SPATIAL_L4_PLACE_VALUE": "digits layout"},
    source=sources.FUSON_1990,
    example=(57, "-", 32, 5),
    working=lambda s: f"{s.answer}에서 일의 자리 {s.answer % 10}만 썼어요",
)
def partial_difference_of_ones(sheet: Sheet) -> int | None:
    return sheet.answer % 10 if sheet.lengths[1] > 1 else None


@malrule(
    title="한 자리의 차만 답으로 쓴다 (십의 자리부터)",
    causes={"SPATIAL_L4_PLACE_VALUE": "digits layout"},
    source=sources.FUSON_1990,
    example=(57, "-", 32, 20),
    working=lambda s: f"{calculated(tens(s.a), '-', tens(s.b))}까지만 했어요",
)
def partial_difference_of_tens(sheet: Sheet) -> int | None:
    return sheet.a - sheet.top[0] - sheet.b + sheet.bottom[0] if sheet.lengths[1] > 1 else None


@malrule(
    title="빼는 수의 십의 자리를 빠뜨린다",
    causes={"EXECUTION_L5_STEP_LOST": "digits"},
    source=sources.BEISHUIZEN,
    example=(52, "-", 38, 44),
    working=lambda s: f"{calculated(s.a, '-', s.bottom[0])}까지만 했어요",
)
def tens_never_taken(sheet: Sheet) -> int | None:
    return sheet.a - sheet.bottom[0] if sheet.lengths[1] > 1 and sheet.bottom[0] else None


@malrule(
    title="빼는 수의 일의 자리를 빠뜨린다",
    causes={"EXECUTION_L5_STEP_LOST": "digits"},
    source=sources.BEISHUIZEN,
    example=(52, "-", 38, 22),
    working=lambda s: f"{calculated(s.a, '-', tens(s.b))}까지만 했어요",
)
def ones_never_taken(sheet: Sheet) -> int | None:
    return sheet.answer + sheet.bottom[0] if sheet.lengths[1] > 1 else None
