"""Malrules of the problems that ask for a part: k+□=n, k×□=n, "n은 10이 □개"."""

from maththera.arithmetic.malrules import sources
from maththera.arithmetic.malrules.malrule import Sheet, malrule
from maththera.arithmetic.malrules.workings import calculated

# k+□=n: `a` is the whole, `b` the known part.


@malrule(
    title="보이는 두 수를 더한다",
    causes={"CONCEPT_L6_EQUALS_SIGN": ""},
    source=sources.BAROODY_GINSBURG,
    example=(100, "-", 98, 198),
    form="addend",
    working=lambda s: calculated(s.b, "+", s.a),
)
def gap_parts_added(sheet: Sheet) -> int | None:
    return sheet.a + sheet.b


@malrule(
    title="전체를 그대로 빈칸에 쓴다",
    causes={"CONCEPT_L3_PART_WHOLE": ""},
    source=sources.CARPENTER_MOSER,
    example=(6, "-", 2, 6),
    form="addend",
    working=lambda s: f"{s.a} 그대로 썼어요",
)
def gap_whole_repeated(sheet: Sheet) -> int | None:
    return sheet.a


@malrule(
    title="아는 부분을 그대로 빈칸에 쓴다",
    causes={"CONCEPT_L3_PART_WHOLE": ""},
    source=sources.CARPENTER_MOSER,
    example=(6, "-", 2, 2),
    form="addend",
    working=lambda s: f"{s.b} 그대로 썼어요",
)
def gap_part_repeated(sheet: Sheet) -> int | None:
    return sheet.b


@malrule(
    title="처음 수도 세어서 빈칸이 1 크다",
    causes={"STRATEGY_L2_GAP_COUNT_START": ""},
    source=sources.CARPENTER_MOSER,
    example=(100, "-", 98, 3),
    form="addend",
    working=lambda s: f"{s.b}부터 {s.a}까지 {s.answer + 1}번 세었어요",
)
def gap_start_counted(sheet: Sheet) -> int | None:
    return sheet.answer + 1


@malrule(
    title="마지막 수를 세지 않아 빈칸이 1 작다",
    causes={"EXECUTION_L2_COUNT_SLIP": ""},
    source=sources.CARPENTER_MOSER,
    example=(6, "-", 2, 3),
    form="addend",
    working=lambda s: f"{s.b} 다음부터 {s.a} 앞까지 {s.answer - 1}번 세었어요",
)
def gap_end_not_counted(sheet: Sheet) -> int | None:
    return sheet.answer - 1


@malrule(
    title="처음 수의 바로 다음 수를 빈칸에 쓴다",
    causes={"CONCEPT_L2_NUMBER_SEQUENCE": ""},
    source=sources.SIEGLER_SHRAGER,
    example=(6, "-", 2, 3),
    form="addend",
    working=lambda s: f"{s.b}의 바로 다음 수를 썼어요",
)
def gap_next_number(sheet: Sheet) -> int | None:
    return sheet.b + 1


# k×□=n: `a` is the product, `b` the known factor.


@malrule(
    title="곱한 수에서 아는 수를 뺀다",
    causes={"CONCEPT_L6_MULTIPLICATION_MEANING": ""},
    source=sources.KOUBA,
    example=(15, "/", 5, 10),
    form="factor",
    working=lambda s: f"빼기로 {calculated(s.a, '-', s.b)}",
)
def gap_factor_subtracted(sheet: Sheet) -> int | None:
    return sheet.a - sheet.b


@malrule(
    title="보이는 두 수를 곱한다",
    causes={"CONCEPT_L6_EQUALS_SIGN": ""},
    source=sources.BAROODY_GINSBURG,
    example=(15, "/", 5, 75),
    form="factor",
    working=lambda s: f"곱하기로 {calculated(s.b, 'x', s.a)}",
)
def gap_factors_multiplied(sheet: Sheet) -> int | None:
    return sheet.a * sheet.b


@malrule(
    title="곱한 수를 그대로 빈칸에 쓴다",
    causes={"CONCEPT_L6_DIVISION_INVERSE": ""},
    source=sources.KOUBA,
    example=(15, "/", 5, 15),
    form="factor",
    working=lambda s: f"{s.a} 그대로 썼어요",
)
def gap_product_repeated(sheet: Sheet) -> int | None:
    return sheet.a


@malrule(
    title="아는 수를 그대로 빈칸에 쓴다",
    causes={"CONCEPT_L6_DIVISION_INVERSE": ""},
    source=sources.KOUBA,
    example=(15, "/", 5, 5),
    form="factor",
    working=lambda s: f"{s.b} 그대로 썼어요",
)
def gap_factor_repeated(sheet: Sheet) -> int | None:
    return sheet.b


@malrule(
    title="한 묶음을 덜 센다",
    causes={"STRATEGY_L6_SKIP_COUNT": ""},
    source=sources.CAMPBELL_GRAHAM,
    example=(56, "/", 8, 6),
    form="factor",
    working=lambda s: f"{calculated(s.b, 'x', s.answer - 1)}까지만 세었어요",
)
def gap_one_group_less(sheet: Sheet) -> int | None:
    return sheet.answer - 1


@malrule(
    title="한 묶음을 더 센다",
    causes={"STRATEGY_L6_SKIP_COUNT": ""},
    source=sources.CAMPBELL_GRAHAM,
    example=(56, "/", 8, 8),
    form="factor",
    working=lambda s: f"{calculated(s.b, 'x', s.answer + 1)}까지 세었어요",
)
def gap_one_group_more(sheet: Sheet) -> int | None:
    return sheet.answer + 1


# "n은 10이 □개": `a` is n.


@malrule(
    title="수를 그대로 빈칸에 쓴다",
    causes={"CONCEPT_L4_TENS_IN_HUNDRED": ""},
    source=sources.FUSON_1990,
    example=(120, "/", 10, 120),
    form="tens",
    working=lambda s: f"{s.a} 그대로 썼어요",
)
def tens_number_repeated(sheet: Sheet) -> int | None:
    return sheet.a


@malrule(
    title="십의 자리 숫자만 읽는다",
    causes={"CONCEPT_L4_TENS_IN_HUNDRED": ""},
    source=sources.FUSON_1990,
    example=(120, "/", 10, 2),
    form="tens",
    working=lambda s: f"{s.a}의 십의 자리({s.top[1]})만 읽었어요",
)
def tens_digit_only(sheet: Sheet) -> int | None:
    return sheet.top[1] if sheet.a >= 100 else None


@malrule(
    title="맨 앞의 숫자만 읽는다",
    causes={"CONCEPT_L4_TENS_IN_HUNDRED": ""},
    source=sources.FUSON_1990,
    example=(120, "/", 10, 1),
    form="tens",
    working=lambda s: f"{s.a}의 맨 앞 숫자({s.top[s.lengths[0] - 1]})만 읽었어요",
)
def tens_leading_digit_only(sheet: Sheet) -> int | None:
    return sheet.top[sheet.lengths[0] - 1]


@malrule(
    title="10개씩 묶음의 10을 답한다",
    causes={"CONCEPT_L4_TEN_GROUPING": ""},
    source=sources.FUSON_1990,
    example=(40, "/", 10, 10),
    form="tens",
    working=lambda s: f"{s.a}에서 묶음의 크기 10을 답했어요",
)
def tens_size_repeated(sheet: Sheet) -> int | None:
    return sheet.b
