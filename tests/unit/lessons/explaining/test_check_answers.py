"""What a reply to a check is."""

import pytest

from maththera.lessons.courses.course import Check
from maththera.lessons.explanation_turns import Reply, Turn
from maththera.lessons.quiz.check_answers import is_right, reply_to
from tests.support.lessons import content

READER = content().reader
TWELVE = Check(ask="모두 몇 개야?", key=12)
FIVE = Check(ask="십의 자리는?", key=5, also=(50,))
CAN = Check(ask="2에서 5를 뺄 수 있어?", key="아니", choices=("응", "아니"))
MORE = Check(ask="어느 쪽이 더 많아?", key="빨대", choices=("컵", "빨대"))


@pytest.mark.parametrize(
    ("check", "reply", "right"),
    [
        (TWELVE, "12", True), (TWELVE, "열두개", True), (TWELVE, "12!!!!", True), (TWELVE, "10개", False),
        (TWELVE, "12요 근데 십모형은 그럼 5개죠?", True), (TWELVE, "11 아 아니 12", True),
        (TWELVE, "11인가 12인가", None),
        (TWELVE, "", None), (TWELVE, "ㅁㄴㅇㄹ", None), (FIVE, "오", True), (FIVE, "50?", True),
        (FIVE, "그대로 6", False),
        (CAN, "ㄴㄴ", True), (CAN, "못빼요 10 가져와야해요", True), (CAN, "응 3", False), (CAN, "네니오", None),
        (CAN, "2", True), (MORE, "빨대", True), (MORE, "①", False), (MORE, "2번", True), (MORE, "구름", None),
    ],
)  # fmt: skip
def test_a_reply_is_right_or_wrong_or_none(check: Check, reply: str, right: bool | None) -> None:
    assert is_right(check, reply) is right


@pytest.mark.parametrize(
    ("check", "message", "reply"),
    [
        (TWELVE, "12", "right"), (TWELVE, "13", "wrong"), (TWELVE, "몰라요ㅠ", "help"), (TWELVE, "힌트", "help"),
        (TWELVE, "먼소린지 하나도 모르겟어", "help"), (TWELVE, "그림으로 보여주면 안대?", "help"),
        (TWELVE, "ㅇㅇ 다음", "go_on"),
        (TWELVE, "다시 처음부터 해줘", "restart"), (TWELVE, "왜 12야?", None),
        (TWELVE, "13은 갑자기 어디서나옴?", None),
        (TWELVE, "나 화장실", None), (TWELVE, "잠만 손가락으로 세볼게", None), (TWELVE, "응", None),
        (CAN, "응", "wrong"),
        (CAN, "아니", "right"), (CAN, "왜 못 빼?", None),
    ],
)  # fmt: skip
def test_what_a_message_is_to_a_turn(check: Check, message: str, reply: Reply | None) -> None:
    assert reply_to(Turn("one", "말", None, check, "다른 말", None), message, READER) == reply
