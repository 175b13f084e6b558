"""What is not among the problems of the service is declined by name; what is among them is not."""

from typing import Final

import pytest

from maththera.chat.adults.untaught_subjects import UntaughtSubjects
from maththera.chat.worksheets.new_sheets import is_of_sheet
from maththera.settings import home

UNTAUGHT: Final = UntaughtSubjects.load(home())


def declined(message: str) -> tuple[str, str] | None:
    return UNTAUGHT.declined(message, makes=is_of_sheet(message))


@pytest.mark.parametrize(
    ("message", "subject", "told"),
    [
        ("분수 문제 5개 만들어줘", "fraction", "문제나 수업도 만들어 드릴 수 없어요"),
        ("소수 덧셈 문제 있나요", "decimal", "소수는 이 서비스에서 다루지 않아요"),
        ("시계 보는 법 문제 만들어 주세요", "clock", "시계 보기와 시간 계산은"),
        ("도형은 어떻게 도와주나요", "shape", "가르치는 방법도 제가 가진 자료에는 없"),
        ("비와 비율도 배우나요 여기서", "ratio", "비와 비율은 이 서비스에서 다루지 않아요"),
        ("하늘이 분수 정답률 알려줘", "fraction", "기록도 없어요"),
        ("평균 구하는 문제", "mean", "평균 구하기는"),
        ("음수도 가르쳐요? 3-5 같은거", "negative", "0보다 작은 수는"),
        ("나머지 나오는 나눗셈도 앱에 있어요?", "rest", "연습에는 없어서 기록에도 남지 않아요"),
    ],
)
def test_a_subject_that_is_not_there_is_declined_by_name(message: str, subject: str, told: str) -> None:
    found = declined(message)
    assert found is not None
    assert found[0] == subject
    assert told in found[1]


@pytest.mark.parametrize(
    "message",
    [
        "뺄셈 문제 5개 만들어줘", "세 자리 덧셈은 되나요", "정답 비율은 어떻게 돼요?", "분수가 뭐예요?",
        "분수 논문 찾아줘",
        "우리반 평균 정답률", "분수 개념 어떻게 가르치나요", "소수의 아이들만 틀려요", "틀린 문제 그래프로 보여줘",
        "나머지가 있는 나눗셈 5문제 만들어 줘", "글 길이를 줄여줘",
    ],
)  # fmt: skip
def test_what_is_there_or_has_an_answer_of_its_own_is_not_declined(message: str) -> None:
    assert declined(message) is None


def test_more_of_what_was_declined_is_answered() -> None:
    assert UNTAUGHT.further("왜 안돼?", "mean").startswith("평균 구하기는 넣지 않았어요")
    assert "선생님한테 같이 물어보자" in UNTAUGHT.further("그럼 아이가 물어보면 뭐라해요", "negative")
    assert "곱셈구구" in UNTAUGHT.further("그럼 뭐가 되는데", "brackets")
    assert UNTAUGHT.further("민수는 몇 문제 풀었어?", "mean") == ""
    assert UNTAUGHT.further("왜 안돼?", "") == ""


@pytest.mark.parametrize("message", ["세자리수 덧셈 되나요", "구구단도 있나요?"])
def test_what_is_there_is_told_to_be_there(message: str) -> None:
    assert UNTAUGHT.offered_here(message).startswith("네, 다뤄요")


@pytest.mark.parametrize(
    "message", ["받아내림은 아직도 어려워하나요?", "받아내림 설명 동영상 있어요?", "뺄셈이 왜 있나요"]
)
def test_what_asks_for_something_else_of_it_is_left(message: str) -> None:
    assert UNTAUGHT.offered_here(message) == ""


@pytest.mark.parametrize(
    ("message", "subject"), [("도형은요?", "shape"), ("그럼 시계 보기도 안 배우나요", "clock"), ("무게는?", "measure")]
)
def test_what_is_named_after_another_is_declined_too(message: str, subject: str) -> None:
    found = UNTAUGHT.another(message)
    assert found is not None
    assert found[0] == subject


@pytest.mark.parametrize("message", ["시계는 집에서 어떻게 가르치면 좋을까요?", "덧셈은요?", "왜요?"])
def test_what_asks_more_is_not_declined_again(message: str) -> None:
    assert UNTAUGHT.another(message) is None
