"""Numbers in running Korean text: which they are, what is told with them, and what only looks like one."""

import pytest

from maththera.korean.numbers import Number, counted, counted_in, numbers_in, parse_number, written


def sure(text: str) -> list[Number]:
    return [number for number in numbers_in(text) if not number.doubtful]


@pytest.mark.parametrize(
    ("text", "value"),
    [
        ("20", 20),
        ("스무", 20),
        ("스물다섯", 25),
        ("열두", 12),
        ("한", 1),
        ("십오", 15),
        ("백이십", 120),
        ("영", 0),
        ("공", 0),
        ("일십사", 14),
        ("스물", 20),
        ("백스물셋", 123),
        ("천이백오", 1205),
        ("구백구십구만 구천구백구십구", 9_999_999),
        ("3백 20", 320),
        ("2만 5천", 25_000),
        ("5만", 50_000),
        ("20만5천", 205_000),
        ("6십2", 62),
        ("1,200", 1200),
        ("１８８", 188),
        ("−3", -3),
        ("마이너스 삼", -3),
        ("예순 둘", 62),
        ("이만 오천", 25_000),
        ("일억", 100_000_000),
    ],
)
def test_a_whole_text_is_a_number(text: str, value: int) -> None:
    assert parse_number(text) == value


@pytest.mark.parametrize(
    "text",
    [
        "",
        "나무",
        "십나",
        "나십",
        "이삼",
        "하나둘",
        "두세",
        "십백",
        "열십",
        "이열",
        "넷십",
        "열가",
        "문제",
        "3.5",
        "3 5",
        "일이삼",
        "쉰이",
        "삼십다섯열",
        "만만",
        "영십",
        "12백",
        "2만30000",
        "1,20",
        "- -3",
        "9" * 13,
    ],
)
def test_or_it_is_none(text: str) -> None:
    assert parse_number(text) is None


@pytest.mark.parametrize(
    ("text", "value", "counter"),
    [
        ("쉰두 개요", 52, "개"),
        ("두 번째", 2, "번째"),
        ("둘째가 헷갈려", 2, "째"),
        ("첫 번째 줄", 1, "번째"),
        ("9살이야", 9, "살"),
        ("삼 학년", 3, "학년"),
        ("네 명", 4, "명"),
        ("스무 문제", 20, "문제"),
        ("천오백 원", 1500, "원"),
        ("3만원", 30_000, "원"),
        ("백스물세 마리", 123, "마리"),
        ("14이야?", 14, ""),
        ("이십이에서", 22, ""),
        ("다섯에서", 5, ""),
        ("답은십사", 14, ""),
        ("마이너스 3", -3, ""),
        ("값이 −3이다", -3, ""),
        ("5천이야", 5000, ""),
        ("1,234,567원", 1_234_567, "원"),
    ],
)
def test_a_number_with_its_counter(text: str, value: int, counter: str) -> None:
    assert [(number.value, number.counter) for number in sure(text)] == [(value, counter)]


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("사십이요", (42, 40)),
        ("이십일까", (20,)),
        ("사십이 맞지?", (42, 40)),
        ("두세 개", (2, 3)),
        ("서너 명쯤", (3, 4)),
        ("1 8 8", (188, 1, 8, 8)),
        ("1 000", (1000, 1, 0)),
        ("- 3", (-3, 3)),
    ],
)
def test_what_can_be_read_in_two_ways_is_told_so(text: str, values: tuple[int, ...]) -> None:
    assert [number.values for number in numbers_in(text)] == [values]


@pytest.mark.parametrize("text", ["14.5", "3²", "½3", "십십", "백스물백", "99999999999999"])
def test_what_cannot_be_read_is_told_apart_from_nothing(text: str) -> None:
    found = numbers_in(text)
    assert [number.values for number in found] == [()]
    assert numbers_in("글쎄요") == []


@pytest.mark.parametrize(
    "text",
    [
        "이 문제 풀어 줘",
        "일이 있어",
        "내가 사는 집",
        "네 알겠어",
        "열심히 할게",
        "만점 받았어",
        "칠판에 써",
        "천천히",
        "이만 갈게",
        "팔이 아파",
        "오이 먹을래",
        "이번에는 꼭",
        "공원에 갔어",
        "네가 해",
        "만일 그렇다면",
        "P-00847",
        "C7 단원",
        "X:52",
        "사과는 빨개",
    ],
)
def test_other_words_are_no_certain_numbers(text: str) -> None:
    assert sure(text) == []


@pytest.mark.parametrize(
    ("text", "values"),
    [
        ("3에서 5까지", [3, 5]),
        ("5-3", [5, 3]),
        ("5 -3", [5, 3]),
        ("3x4", [3, 4]),
        ("아홉 열하나", [9, 11]),
        ("사과3개와 배 둘", [3, 2]),
        ("2026-03-02", [2026, 3, 2]),
        ("여덟 명이 두 줄로", [8, 2]),
        ("3, −5", [3, -5]),
        ("14. 15", [14, 15]),
        ("100 20", [100, 20]),
    ],
)
def test_several_numbers(text: str, values: list[int]) -> None:
    assert [number.value for number in sure(text)] == values


def test_where_a_number_stands() -> None:
    text = "나는 쉰두 개예요"
    number = numbers_in(text)[0]
    assert (text[number.start : number.end], text[number.end : number.stop]) == ("쉰두", " 개예요")
    assert number.after == "예요"


@pytest.mark.parametrize("number", range(1, 101))
def test_a_number_of_things_is_read_in_both_systems(number: int) -> None:
    texts = [f"받아올림 문제 {number}개 만들어줘", f"{number} 문제만", f"덧셈 {number}문항이요"]
    if number < 100:
        texts += [f"받아올림 문제 {counted(number, '개')} 만들어줘", counted(number, "").strip() + "문제만들어"]
    if number > 9:
        texts += [f"덧셈 {written(number, 'sino')} 문제", f"{written(number, 'sino')}문제만들어줘"]
    for text in texts:
        assert [one.value for one in counted_in(text, ("개", "문제", "문항"))] == [number], text


@pytest.mark.parametrize(
    "text", ["첫 문제", "이 문제", "덧셈 만 문제로", "3개월", "받아올림이 개인 문제", "2.5개", "몇 개", "문제 3번"]
)
def test_what_counts_nothing_is_no_number_of_things(text: str) -> None:
    assert counted_in(text, ("개", "문제")) == []
