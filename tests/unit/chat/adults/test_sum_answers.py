"""Sums of adults, worked out from the words that they are asked in."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from maththera.chat.adults.sum_answers import sum_told


@pytest.mark.parametrize(
    ("message", "before", "said", "value"),
    [
        ("60문제중에 45개 맞으면 몇프로?", None, "60 가운데 45는 75%예요.", 75),
        ("스물네 개 중에 스물세 개면 몇 프로죠", None, "24 가운데 23은 95.83%예요.", 96),
        ("80의 25%는요", None, "80의 25%는 20이에요.", 20),
        ("거기에 3 곱하면?", 369, "369×3=1107이에요.", 1107),
        ("거기서 9 빼면요", 40, "40−9=31이에요.", 31),
        ("그걸 4로 나누면요", 46, "46÷4=11이고 2가 남아요.", 11),
        ("하루 8문제씩 5일이면 모두 몇 개죠", None, "8문제씩 5일이면 8×5=40문제예요.", 40),
        ("하루 10분씩 2주면", None, "2주는 날마다 하면 140분, 한 주에 닷새면 100분이에요.", 140),
        ("사과가 한 상자에 24개씩 3상자 있는데 17개가 썩었어요. 성한 건 몇 개?", None, "24×3=72, 72−17=55예요.", 55),
        ("연필이 12자루 있는데 5자루를 더 샀어요. 모두 몇 자루예요?", None, "12+5=17이에요.", 17),
        ("피자 여덟 조각을 셋이 똑같이 먹으면 몇 개 남아", None, "8÷3=2이고 2가 남아요.", 2),
    ],
)
def test_a_sum_is_worked_out(message: str, before: int | None, said: str, value: int) -> None:
    assert sum_told(message, before) == (said, value)


@pytest.mark.parametrize(
    "message",
    [
        "거기에 3 곱하면?",  # to nothing
        "그럼 35 곱하기 16도 되나요",  # an expression of its own
        "시속 80으로 두 시간 반 가면 몇 키로고",
        "우리 반 평균이 몇 점쯤이죠",
        "45문제 중에 60개 맞으면 몇 프로?",
        "하루 8문제씩 시키면 될까요",
        "",
    ],
)
def test_what_is_no_sum_is_not_worked_out(message: str) -> None:
    assert sum_told(message, None) is None


@given(st.integers(1, 500), st.integers(1, 99))
def test_portions_are_products(each: int, days: int) -> None:
    told = sum_told(f"하루 {each}문제씩 {days}일이면 모두 몇 문제예요?", None)
    assert told is not None
    assert told[1] == each * days
    assert f"{each}×{days}={each * days}문제" in told[0]


@given(st.integers(1, 9_999), st.data())
def test_shares_are_of_the_whole(whole: int, data: st.DataObject) -> None:
    part = data.draw(st.integers(1, whole))
    told = sum_told(f"{whole}문제 중에 {part}개 맞으면 몇 퍼센트예요?", None)
    assert told is not None
    assert told[1] == round(100 * part / whole)
