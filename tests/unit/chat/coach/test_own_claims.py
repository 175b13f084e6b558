"""The small calculations that are heard in a child's own words."""

import pytest

from maththera.chat.coach.own_claims import claims_in, in_digits


@pytest.mark.parametrize(
    ("said", "heard"),
    [
        ("5에서 2 써버렸으니까 3 남지", [("5−2", 3)]),
        ("팔오사십, 팔이십육", [("8×5", 40), ("8×2", 16)]),
        ("칠팔 54", [("7×8", 54)]),
        ("48 반은 22?", [("48÷2", 22)]),
        ("58에서 두칸 가면 60이야", [("58+2", 60)]),
        ("13에서 세칸 가면 10", [("13−3", 10)]),
        ("7이 열번이면 70이니까 14 남네", [("7×10", 70)]),
        ("6은 5로 줄었고", [("6−1", 5)]),
        ("30x8 7x8 쪼개기", [("30×8", None), ("7×8", None)]),
        ("두개는 14니까 14 더하기 14 하면?", [("14+14", None)]),
        ("500에서 267 빼고 3 더해도 돼요?", [("500−267", None)]),
        ("7에서 2를 주면 7은 뭐가 돼요", [("7−2", None)]),
        ("둘 다 맞아?", []),
    ],
)
def test_calculations_are_heard_with_the_result_that_is_told(said: str, heard: list[tuple[str, int | None]]) -> None:
    assert [(one.part, one.value) for one in claims_in(said)] == heard


@pytest.mark.parametrize(
    ("said", "written"),
    [("네개폈어 여기", "4개폈어 여기"), ("십 먼저 빼써 30", "10 먼저 빼써 30"), ("둘 다 십의 자리", "둘 다 십의 자리")],
)
def test_numbers_are_written_in_digits_where_they_count(said: str, written: str) -> None:
    assert in_digits(said) == written
