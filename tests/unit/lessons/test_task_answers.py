"""Typed answers as strangers wrote them, and what each way of writing means."""

import pytest

from maththera.lessons.task_answers import read_answer
from maththera.lessons.tasks import Answer
from tests.support.graded import question
from tests.support.typed import Read, lines, read

_BEYOND = {
    "많은 자료에서 비슷한걸 잘 찾고 처음 보는 상황을 판단하는건 못해요",
    "하얀 강아지 사진만 보여 준 건 이름표가 틀린 거고 고양이는 골고루 들어 있지 않은 거예요",
    "글을 주면 인터넷이 빨라지고 예시를 주면 안 지어내요",
    "재료를 주면 원하는 모양을 따라 하고 예시를 주면 지어내는 일이 줄어듭니다",
    "하얀 강아지만 있는건 골고루가 아니고 고양이한테 강아지라고 쓴건 이름표가 틀린거죠",
    "오늘의 날씨는 넣어도 되지만 친구 전화번호는 안 되고, 회사로 보내져 저장될 수 있어서입니다",
    "세기 어려워지는 게 아니라 쉬워져. 개수도 두 배가 되지 않고 그대로야",
    "2번이 맨 마지막이고 1번 전에 3번",
    "0 1",
}
"""Lines that are not read as they were meant; none of them passes wrongly."""


@pytest.mark.parametrize("each", [read(line) for line in lines("dev")], ids=lambda each: each.line.typed)
def test_what_strangers_typed_is_read_as_it_was_meant(each: Read) -> None:
    assert not each.passed_wrongly
    assert each.exact or each.line.typed in _BEYOND


@pytest.mark.parametrize(
    ("name", "typed", "answer"),
    [
        ("arithmetic/8/10", "3번은 아니고 2번", (1,)),
        ("arithmetic/8/10", "2번… 아니 3번", (2,)),
        ("arithmetic/8/10", "1번 아니면 2번", None),
        ("arithmetic/8/10", "2번은 아니야", None),
        ("arithmetic/8/10", "둘 다 낱개라서", (1,)),
        ("arithmetic/8/10", "둘 다 낱개가 아니라서", None),
        ("arithmetic/5/11", "나 나 아니고 나 가", (1, 0)),
        ("arithmetic/5/11", "새기 쉬어서 조아 달라지지아나", (1, 0)),
        ("arithmetic/9/11", "십까지 가고 세 칸을 더 가요", (1, 2)),
        ("arithmetic/13/11", "1을 곱하면 그대로, 0을 곱하면 0", (1, 2)),
        ("arithmetic/13/11", "1나 2가 아니고 2다", (1, 2)),
        ("arithmetic/7/9", "2번이 끝이고 그 앞이 1번이고 맨 앞이 3번", (2, 0, 1)),
        ("arithmetic/7/9", "3 1", None),
        ("arithmetic/12/10", "600에서 200을 빼면 400, 40 빼면 360, 5 빼면 355", (355,)),
        ("arithmetic/12/10", "삼배고시보", (355,)),
        ("arithmetic/12/10", "355는 아니야", None),
        ("arithmetic/12/10", "300보다 조금 커", None),
        ("arithmetic/12/10", "몰라", None),
    ],
)
def test_a_way_of_writing(name: str, typed: str, answer: Answer | None) -> None:
    assert read_answer(question(name).task, typed) == answer
