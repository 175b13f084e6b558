"""Whom to put into a group, a table of a class, and whether records may be published."""

import pytest

from maththera.chat.adults.class_questions import (
    class_table,
    columns_named,
    group_of,
    into_group,
    kinds_of_group,
    publishes,
    wants_group,
)
from tests.unit.chat.adults.test_child_questions import JIU, MINSU, SEOYEON


def test_a_group_is_named_with_the_figures_that_speak_for_it() -> None:
    assert wants_group("방과후 뺄셈 소그룹 짜는데 누구 넣을까요?")
    assert wants_group("받아올림 모둠에 누구를 넣으면 좋을까요")
    assert not wants_group("누가 제일 많이 틀렸어요?")
    kinds = kinds_of_group("뺄셈 모둠")
    lines = group_of(kinds, [SEOYEON, MINSU, JIU]).splitlines()
    assert lines[0] == "기록으로는 서연이부터예요."
    assert "7문제 가운데 7번" in lines[1]
    assert "지우" in lines[-1]
    assert "기록이 없어서" in into_group(kinds, JIU)
    assert "넣는 것이 맞아 보여요" in into_group(kinds, SEOYEON)


def test_a_table_has_a_dash_for_what_is_not_known() -> None:
    told = class_table([SEOYEON, JIU], columns_named("정답률 칸 추가"))
    assert told.splitlines()[2:] == ["| 서연 | 19 | 12 | 63% |", "| 지우 | – | – | – |"]


@pytest.mark.parametrize(
    ("message", "holds"),
    [("소식지에 점수 실어도 되나요", True), ("이름 빼면 괜찮지 않아요?", True), ("점수가 어떻게 되나요", False)],
)
def test_whether_records_may_be_published_is_heard(message: str, *, holds: bool) -> None:
    assert publishes(message) is holds


def test_a_table_without_names_numbers_the_children() -> None:
    told = class_table([SEOYEON, JIU], columns_named("이름은 가리고 정답률까지 표로"))
    assert "서연" not in told
    assert told.splitlines()[0] == "| 번호 | 푼 문제 | 맞힌 문제 | 정답률 |"
    assert told.splitlines()[2:] == ["| 1 | 19 | 12 | 63% |", "| 2 | – | – | – |"]
