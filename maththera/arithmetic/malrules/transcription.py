"""Malrules of any operation: how numbers are read, copied and written down."""

from maththera.arithmetic.malrules import sources
from maththera.arithmetic.malrules.malrule import Sheet, malrule
from maththera.arithmetic.malrules.workings import calculated

_SIX_NINE = str.maketrans("69", "96")


def _computed(a: int, op: str, b: int) -> int:
    if op == "+":
        return a + b
    return a - b if op == "-" else a * b


def _six_nine(sheet: Sheet) -> tuple[int, str, int]:
    """The calculation with 6 and 9 in each other's place."""
    a, b = (int(str(one).translate(_SIX_NINE)) for one in (sheet.a, sheet.b))
    return a, sheet.op, b


def _swapped(sheet: Sheet) -> tuple[int, str, int]:
    """The calculation with the digits of a two-digit number in each other's place."""
    if sheet.lengths[0] == 2:
        return int(str(sheet.a)[::-1]), sheet.op, sheet.b
    return sheet.a, sheet.op, int(str(sheet.b)[::-1])


@malrule(
    title="답의 숫자 순서를 거꾸로 쓴다",
    causes={"TRANSCRIPTION_L4_DIGIT_REVERSAL": ""},
    source=sources.GINSBURG,
    example=(28, "+", 15, 34),
    ops="+-x",
    working=lambda s: f"{s.answer}의 숫자를 거꾸로 썼어요",
)
def digits_reversed(sheet: Sheet) -> int | None:
    return int(str(sheet.answer)[::-1]) if sheet.answer >= 10 else None


@malrule(
    title="답을 소리 나는 대로 쓴다 (사십삼 → 403)",
    causes={"TRANSCRIPTION_L4_SPOKEN_NUMBER": ""},
    source=sources.POWER_DAL_MARTELLO,
    example=(28, "+", 15, 403),
    ops="+-x",
    working=lambda s: f"{s.answer}, 소리 나는 대로 썼어요",
)
def written_as_spoken(sheet: Sheet) -> int | None:
    # Longer numbers are beyond what these children hear.
    if not 10 <= sheet.answer <= 999:
        return None
    text = str(sheet.answer)
    spoken = "".join(digit + "0" * (len(text) - 1 - place) for place, digit in enumerate(text) if digit != "0")
    return int(spoken)


@malrule(
    title="답에 있는 0을 쓰지 않는다",
    causes={"TRANSCRIPTION_L4_ZERO_OMITTED": ""},
    source=sources.GINSBURG,
    example=(100, "+", 90, 19),
    ops="+-x",
    working=lambda s: f"{s.answer}의 0을 빼고 썼어요",
)
def zero_left_out(sheet: Sheet) -> int | None:
    text = str(sheet.answer)
    return int(text.replace("0", "")) if "0" in text and sheet.answer else None


@malrule(
    title="6과 9를 바꾸어 읽는다",
    causes={"TRANSCRIPTION_L0_SIX_NINE": "size"},
    source=sources.GINSBURG,
    example=(8, "+", 6, 17),
    ops="+-x",
    working=lambda s: f"6과 9를 바꾸어 {calculated(*_six_nine(s))}",
)
def six_read_as_nine(sheet: Sheet) -> int | None:
    written = f"{sheet.a} {sheet.b}"
    return _computed(*_six_nine(sheet)) if "6" in written or "9" in written else None


@malrule(
    title="두 자리 수의 숫자를 바꾸어 옮겨 쓴다",
    causes={"TRANSCRIPTION_L4_OPERAND_COPY": "digits"},
    source=sources.COX,
    example=(28, "+", 15, 97),
    ops="+-x",
    working=lambda s: f"숫자를 바꾸어 {calculated(*_swapped(s))}",
)
def operand_digits_swapped(sheet: Sheet) -> int | None:
    return _computed(*_swapped(sheet)) if 2 in sheet.lengths else None
