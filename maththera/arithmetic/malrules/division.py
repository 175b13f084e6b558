"""Malrules of division within the times table."""

from maththera.arithmetic.malrules import sources
from maththera.arithmetic.malrules.malrule import Sheet, malrule
from maththera.arithmetic.malrules.workings import calculated

_ANCHOR = 5
"""The quotient children know best and stop at: five times the divisor."""


@malrule(
    title="이웃한 곱을 떠올려 몫이 1 작다",
    causes={"EXECUTION_L6_TABLE_NEIGHBOUR": "size", "STRATEGY_L6_SKIP_COUNT": ""},
    source=sources.CAMPBELL_GRAHAM,
    example=(56, "/", 8, 6),
    working=lambda s: f"{calculated(s.b, 'x', s.answer - 1)}까지만 세었어요",
)
def quotient_one_less(sheet: Sheet) -> int | None:
    return sheet.answer - 1


@malrule(
    title="이웃한 곱을 떠올려 몫이 1 크다",
    causes={"EXECUTION_L6_TABLE_NEIGHBOUR": "size", "STRATEGY_L6_SKIP_COUNT": ""},
    source=sources.CAMPBELL_GRAHAM,
    example=(56, "/", 8, 8),
    working=lambda s: f"{calculated(s.b, 'x', s.answer + 1)}까지 세었어요",
)
def quotient_one_more(sheet: Sheet) -> int | None:
    return sheet.answer + 1


@malrule(
    title="다섯 번까지만 나누고 남은 수를 버린다",
    causes={"CONCEPT_L6_REMAINDER": "size"},
    source=sources.KOUBA,
    example=(56, "/", 8, 5),
    working=lambda s: f"{calculated(s.b, 'x', _ANCHOR)}에서 멈췄어요",
)
def remainder_dropped(sheet: Sheet) -> int | None:
    return _ANCHOR if sheet.answer > _ANCHOR else None


@malrule(
    title="다섯 번까지만 나누고 남은 수를 답한다",
    causes={"CONCEPT_L6_REMAINDER": "size"},
    source=sources.KOUBA,
    example=(56, "/", 8, 16),
    working=lambda s: f"{calculated(s.b, 'x', _ANCHOR)}에서 멈추고 남은 수를 답했어요",
)
def remainder_kept(sheet: Sheet) -> int | None:
    return sheet.a - _ANCHOR * sheet.b if sheet.answer > _ANCHOR else None


@malrule(
    title="나누는 수와 나누어지는 수를 바꾼다 (작은 수는 나눌 수 없어 0)",
    causes={"CONCEPT_L6_EQUAL_SHARING": ""},
    source=sources.COX,
    example=(56, "/", 8, 0),
    working=lambda s: f"{s.b}÷{s.a}, 거꾸로 나누었어요",
)
def operands_swapped(sheet: Sheet) -> int | None:
    return sheet.b // sheet.a if sheet.a else None


@malrule(
    title="나누는 수를 그대로 답한다",
    causes={"CONCEPT_L6_EQUAL_SHARING": ""},
    source=sources.BAROODY,
    example=(54, "/", 6, 6),
    working=lambda s: f"{s.b} 그대로 답했어요",
)
def divisor_repeated(sheet: Sheet) -> int | None:
    return sheet.b


@malrule(
    title="나누기를 빼기로 계산한다",
    causes={"ATTENTION_L0_OPERATION_SWITCH": "operation", "CONCEPT_L6_DIVISION_MEANING": ""},
    source=sources.KOUBA,
    example=(56, "/", 8, 48),
    working=lambda s: f"빼기로 {calculated(s.a, '-', s.b)}",
)
def quotient_subtracted(sheet: Sheet) -> int | None:
    return sheet.a - sheet.b


@malrule(
    title="나누기를 곱하기로 계산한다",
    causes={"ATTENTION_L0_OPERATION_SWITCH": "operation", "CONCEPT_L6_DIVISION_INVERSE": ""},
    source=sources.CAMPBELL_GRAHAM,
    example=(8, "/", 2, 16),
    working=lambda s: f"곱하기로 {calculated(s.a, 'x', s.b)}",
)
def quotient_multiplied(sheet: Sheet) -> int | None:
    return sheet.a * sheet.b


@malrule(
    title="같은 수로 나누면 0이라고 한다",
    causes={"CONCEPT_L6_DIVISION_ONE": ""},
    source=sources.BAROODY,
    example=(6, "/", 6, 0),
    working=lambda s: f"빼기처럼 {calculated(s.a, '-', s.b)}",
)
def divided_by_itself_is_zero(sheet: Sheet) -> int | None:
    return 0 if sheet.answer == 1 else None


@malrule(
    title="1로 나누면 1이라고 한다",
    causes={"CONCEPT_L6_DIVISION_ONE": ""},
    source=sources.BAROODY,
    example=(7, "/", 1, 1),
    working=lambda s: f"{s.a}÷1을 1로 답했어요",
)
def divided_by_one_is_one(sheet: Sheet) -> int | None:
    return 1 if sheet.b == 1 else None
