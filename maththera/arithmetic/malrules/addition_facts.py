"""Malrules of addition in the head: counting, facts, zero, making ten, compensating."""

from maththera.arithmetic.malrules import sources
from maththera.arithmetic.malrules.malrule import Sheet, malrule, shifted
from maththera.arithmetic.malrules.workings import calculated


def _one_digit(sheet: Sheet) -> bool:
    return sheet.width == 1


def _with_small_steps(sheet: Sheet) -> bool:
    """Whether the ones make an addition fact without 0: the sums that children count out."""
    return sheet.top[0] > 0 and sheet.bottom[0] > 0


def _counted_on(sheet: Sheet) -> bool:
    """Whether the ones, or a one-digit number, are counted on."""
    return _with_small_steps(sheet) or 0 < min(sheet.a, sheet.b) < 10


def _one_step(sheet: Sheet) -> bool:
    """Whether one more is all that is counted: most children know the next number without counting."""
    return min(sheet.top[0], sheet.bottom[0]) <= 1 and not 1 < min(sheet.a, sheet.b) < 10


def _has_full_hand(sheet: Sheet) -> bool:
    return sheet.width == 1 and sheet.a > 0 and sheet.b > 0 and max(sheet.a, sheet.b) > 5


def _near_double(sheet: Sheet) -> bool:
    return sheet.width == 1 and sheet.a > 0 and sheet.b > 0 and abs(sheet.a - sheet.b) == 1


def _makes_ten(sheet: Sheet) -> bool:
    return sheet.width == 1 and sheet.answer >= 10


# Counting and facts.


@malrule(
    title="첫 수부터 세어서 답이 1 작다",
    causes={"STRATEGY_L2_COUNT_ON_START": ""},
    source=sources.FUSON_1992,
    example=(8, "+", 5, 12),
    working=lambda s: f"{s.a}부터 {s.b}번 세어 {s.answer - 1}에서 멈췄어요",
    spares=_one_step,
)
def count_on_one_less(sheet: Sheet) -> int | None:
    return sheet.answer - 1 if _counted_on(sheet) else None


@malrule(
    title="하나 더 세어서 답이 1 크다",
    causes={"EXECUTION_L2_COUNT_SLIP": ""},
    source=sources.FUSON_1992,
    example=(8, "+", 5, 14),
    working=lambda s: f"{s.a}에서 한 번 더 세어 {s.answer + 1}까지 갔어요",
)
def count_on_one_more(sheet: Sheet) -> int | None:
    return sheet.answer + 1 if _with_small_steps(sheet) else None


@malrule(
    title="첫 수의 바로 다음 수를 답한다",
    causes={"CONCEPT_L2_NUMBER_SEQUENCE": ""},
    source=sources.SIEGLER_SHRAGER,
    example=(6, "+", 3, 7),
    working=lambda s: f"{s.a}의 바로 다음 수를 답했어요",
)
def next_number(sheet: Sheet) -> int | None:
    return sheet.a + 1 if _one_digit(sheet) and _with_small_steps(sheet) else None


@malrule(
    title="더하는 수의 바로 다음 수를 답한다",
    causes={"CONCEPT_L2_NUMBER_SEQUENCE": ""},
    source=sources.SIEGLER_SHRAGER,
    example=(3, "+", 4, 5),
    working=lambda s: f"{s.b}의 바로 다음 수를 답했어요",
)
def next_after_second(sheet: Sheet) -> int | None:
    return sheet.b + 1 if _one_digit(sheet) and _with_small_steps(sheet) else None


@malrule(
    title="첫 수를 그대로 답한다",
    causes={"CONCEPT_L2_JOINING": ""},
    source=sources.BAROODY,
    example=(7, "+", 5, 7),
    working=lambda s: f"{s.a} 그대로 답했어요",
)
def addend_repeated(sheet: Sheet) -> int | None:
    return sheet.a or None


@malrule(
    title="더하는 수를 그대로 답한다",
    causes={"CONCEPT_L2_JOINING": ""},
    source=sources.BAROODY,
    example=(7, "+", 5, 5),
    working=lambda s: f"{s.b} 그대로 답했어요",
)
def second_addend_repeated(sheet: Sheet) -> int | None:
    return sheet.b or None


@malrule(
    title="손가락 한 손(5)을 빠뜨려 답이 5 작다",
    causes={"CONCEPT_L3_FIVE_ANCHOR": ""},
    source=sources.DOMAHS,
    example=(8, "+", 6, 9),
    working=lambda s: f"{s.answer}보다 한 손(5)만큼 작게 답했어요",
)
def sum_hand_missed(sheet: Sheet) -> int | None:
    return sheet.answer - 5 if _has_full_hand(sheet) else None


@malrule(
    title="손가락 한 손(5)을 더 세어 답이 5 크다",
    causes={"CONCEPT_L3_FIVE_ANCHOR": ""},
    source=sources.DOMAHS,
    example=(8, "+", 6, 19),
    working=lambda s: f"{s.answer}보다 한 손(5)만큼 크게 답했어요",
)
def sum_hand_added(sheet: Sheet) -> int | None:
    return sheet.answer + 5 if _has_full_hand(sheet) else None


@malrule(
    title="이웃수의 두 배를 그대로 답한다 (작은 쪽)",
    causes={"STRATEGY_L3_DOUBLE_NEIGHBOUR": ""},
    source=sources.BAROODY,
    example=(6, "+", 7, 12),
    working=lambda s: f"두 배로 {calculated(min(s.a, s.b), '+', min(s.a, s.b))}",
)
def double_of_smaller(sheet: Sheet) -> int | None:
    return 2 * min(sheet.a, sheet.b) if _near_double(sheet) else None


@malrule(
    title="이웃수의 두 배를 그대로 답한다 (큰 쪽)",
    causes={"STRATEGY_L3_DOUBLE_NEIGHBOUR": ""},
    source=sources.BAROODY,
    example=(6, "+", 7, 14),
    working=lambda s: f"두 배로 {calculated(max(s.a, s.b), '+', max(s.a, s.b))}",
)
def double_of_larger(sheet: Sheet) -> int | None:
    return 2 * max(sheet.a, sheet.b) if _near_double(sheet) else None


# Zero.


@malrule(
    title="0과 더하면 0이라고 한다",
    causes={"CONCEPT_L3_ZERO_ADDITION": "zero"},
    source=sources.COX,
    example=(5, "+", 0, 0),
    working=lambda s: f"{s.a}+{s.b}에서 0과 더한 자리를 0으로 썼어요",
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
    working=lambda s: f"{s.a}+{s.b}에서 0을 1처럼 더했어요",
)
def zero_adds_one(sheet: Sheet) -> int | None:
    return sheet.answer + 1 if _one_digit(sheet) and not (sheet.a and sheet.b) else None


# Making ten, compensating.


@malrule(
    title="10을 만들고 남은 수를 더하지 않는다",
    causes={"STRATEGY_L3_MAKE10_REMAINDER": "carry"},
    source=sources.FUSON_1992,
    example=(8, "+", 5, 10),
    working=lambda s: f"{calculated(max(s.a, s.b), '+', 10 - max(s.a, s.b))}에서 멈췄어요",
)
def make_ten_rest_lost(sheet: Sheet) -> int | None:
    return 10 if _makes_ten(sheet) else None


@malrule(
    title="십몇에서 십을 빠뜨린다",
    causes={"CONCEPT_L3_TEEN_STRUCTURE": "carry"},
    source=sources.FUSON_1990,
    example=(8, "+", 6, 4),
    working=lambda s: f"{s.answer}에서 십을 빠뜨렸어요",
)
def ten_dropped(sheet: Sheet) -> int | None:
    return sheet.answer - 10 if _makes_ten(sheet) else None


@malrule(
    title="10의 짝꿍을 하나 작게 알고 10을 만든다",
    causes={"CONCEPT_L3_TEN_PARTNERS": "carry"},
    source=sources.BAROODY,
    example=(8, "+", 5, 14),
    working=lambda s: f"10이 되려면 {max(s.a, s.b)}에 {9 - max(s.a, s.b)}만 있으면 된다고 보았어요",
)
def ten_partner_too_small(sheet: Sheet) -> int | None:
    return sheet.answer + 1 if _makes_ten(sheet) else None


@malrule(
    title="10의 짝꿍을 하나 크게 알고 10을 만든다",
    causes={"CONCEPT_L3_TEN_PARTNERS": "carry"},
    source=sources.BAROODY,
    example=(8, "+", 5, 12),
    working=lambda s: f"10이 되려면 {max(s.a, s.b)}에 {11 - max(s.a, s.b)}만큼 있어야 한다고 보았어요",
)
def ten_partner_too_large(sheet: Sheet) -> int | None:
    return sheet.answer - 1 if _makes_ten(sheet) else None


def _rounded_up(sheet: Sheet) -> int:
    """By how much the addend next to a ten (7, 8 or 9 ones) is rounded up; 0 where neither is."""
    ones = max(sheet.top[0], sheet.bottom[0])
    return 10 - ones if ones >= 7 else 0


def _rounded(sheet: Sheet) -> tuple[int, str, int]:
    """The sum with the addend next to a ten rounded up."""
    lent = _rounded_up(sheet)
    return (sheet.a + lent, "+", sheet.b) if sheet.top[0] >= sheet.bottom[0] else (sheet.a, "+", sheet.b + lent)


@malrule(
    title="몇십으로 올려 더하고 더 준 만큼 빼지 않는다",
    causes={"STRATEGY_L6_COMPENSATION": "carry"},
    source=sources.BEISHUIZEN,
    example=(8, "+", 5, 15),
    working=lambda s: f"올려서 {calculated(*_rounded(s))}까지만 했어요",
)
def sum_not_compensated(sheet: Sheet) -> int | None:
    lent = _rounded_up(sheet)
    return sheet.answer + lent if lent and sheet.carries else None


@malrule(
    title="몇십으로 올려 더하고 더 준 만큼 또 더한다",
    causes={"STRATEGY_L6_COMPENSATION": "carry"},
    source=sources.BEISHUIZEN,
    example=(98, "+", 90, 192),
    working=lambda s: f"올려서 {calculated(*_rounded(s))}, {_rounded_up(s)}만큼 또 더했어요",
)
def sum_compensated_upwards(sheet: Sheet) -> int | None:
    lent = _rounded_up(sheet)
    return sheet.answer + 2 * lent if lent and sheet.carries and sheet.width > 1 else None
