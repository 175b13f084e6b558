"""Statements of measures and parts."""

import pytest

from maththera.words.output_gate.false_statements import find_false_statements


@pytest.mark.parametrize(
    "text",
    [
        "한 시간은 100분이야.",
        "하루는 스무 시간이야.",
        "일주일은 여덟 날이지.",
        "1미터는 10센티미터야.",
        "사각형의 꼭짓점은 다섯 개야.",
        "강아지 두 마리의 다리는 모두 여섯 개야.",
    ],
)
def test_wrong_measures_and_parts_are_untrue(text: str) -> None:
    assert [*find_false_statements(text)]


@pytest.mark.parametrize(
    "text",
    [
        "두 시간은 120분이야.",
        "하루는 24시간이야.",
        "일주일은 7일이니까 2주일은 14일이야.",
        "코알라는 하루에 20시간쯤 잔대.",
        "네모는 꼭짓점이 네 개, 세모는 세 개야.",
        "2시에서 40분이 지나면 2시 40분이야.",
        "강아지 세 마리의 다리는 모두 열두 개야.",
    ],
)
def test_right_measures_and_parts_are_not(text: str) -> None:
    assert not [*find_false_statements(text)]
