"""Numbers spelled by an independent reader come back; anything else is taken calmly."""

from hypothesis import given
from hypothesis import strategies as st

from maththera.arithmetic.answer_parser import parse_answer

DIGITS = ("", "일", "이", "삼", "사", "오", "육", "칠", "팔", "구")
TENS = ("", "열", "스물", "서른", "마흔", "쉰", "예순", "일흔", "여든", "아흔")
ONES = ("", "하나", "둘", "셋", "넷", "다섯", "여섯", "일곱", "여덟", "아홉")
COUNTED = ("", "한", "두", "세", "네", *ONES[5:])


def _sino(number: int) -> str:
    if number >= 10_000:
        return ("" if number < 20_000 else _sino(number // 10_000)) + "만" + _sino(number % 10_000)
    places = zip(f"{number:04d}", ("천", "백", "십", ""), strict=True)
    return "".join(
        (place if digit == "1" and place else DIGITS[int(digit)] + place) for digit, place in places if digit != "0"
    )


@given(st.integers(1, 99_999))
def test_sino_korean(number: int) -> None:
    assert parse_answer(_sino(number)) == number
    assert parse_answer(f"답은 {_sino(number)}입니다") == number
    assert parse_answer(f"마이너스 {_sino(number)}") == -number


@given(st.integers(1, 9), st.integers(0, 9))
def test_two_readings_are_no_answer(tens: int, ones: int) -> None:
    read = parse_answer(f"{_sino(tens * 10 + ones)}이요")
    assert read == (tens * 10 + ones if ones else None)


@given(st.integers(1, 99))
def test_native_korean(number: int) -> None:
    tens, ones = divmod(number, 10)
    assert parse_answer(TENS[tens] + ONES[ones]) == number
    counted = "스무" if number == 20 else TENS[tens] + COUNTED[ones]
    assert parse_answer(f"{counted} 개요") == number


@given(st.integers(-99_999, 99_999), st.sampled_from(["{}", " {} ", "{}요", "{} 이요", "답은 {}", "정답은 {}이에요!"]))
def test_digits_with_words_around_them(number: int, frame: str) -> None:
    assert parse_answer(frame.format(number)) == number


@given(st.integers(0, 999), st.integers(0, 999), st.sampled_from([" ", ", ", " 아니면 ", "랑 ", "/", "."]))
def test_two_numbers_are_no_answer(one: int, other: int, between: str) -> None:
    assert parse_answer(f"{one}{between}{other}") is None


@given(st.text(max_size=60) | st.text(alphabet="일이삼십백천만열한두네개요답은 -−3１²,", max_size=45))
def test_any_text_is_taken_calmly(text: str) -> None:
    value = parse_answer(text)
    assert value is None or isinstance(value, int)
