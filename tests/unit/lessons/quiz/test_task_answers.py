"""Typed answers as strangers wrote them, and what each way of writing means."""

import pytest

from maththera.lessons.courses.tasks import Answer
from maththera.lessons.quiz.task_answers import read_answer
from tests.support.graded import question
from tests.support.typed import lines, read

_BEYOND = {
    "많은 자료에서 비슷한걸 잘 찾고 처음 보는 상황을 판단하는건 못해요",
    "하얀 강아지 사진만 보여 준 건 이름표가 틀린 거고 고양이는 골고루 들어 있지 않은 거예요",
    "재료를 주면 원하는 모양을 따라 하고 예시를 주면 지어내는 일이 줄어듭니다",
    "오늘의 날씨는 넣어도 되지만 친구 전화번호는 안 되고, 회사로 보내져 저장될 수 있어서입니다",
    "0 1",
    "둘 다 나",
    "잘하는 건 많은 자료에서 비슷한 모습을 찾는 일이고요, 새로운 상황 판단은 못하는 일이에요",
    "새로운 상황을 잘 판단하고 비슷한 모습은 못 찾아요",
    "강아지는 골고루 없는 거고 고양이는 이름표가 잘못됐어요",
    "사진이 선명한 게 아니라 골고루 들어 있지 않은 거고, 고양이 쪽은 이름표가 틀렸네요",
    "첫째 받는 사람 둘째 모양 셋째 지킬 것",
    "인터넷이 빨라지진 않고 1은 가 2는 다",
    "말투만 듣고는 지어낸 건지 알 수가 없잖아요",
    "요리 이름은 괜찮고 전화번호가 안 돼. 저장될 수 있어서",
    "보낼지 정하기 전에 다시 걸어 확인하고, 그 전에 전화를 끊습니다",
    "하나도 없다 큰",
    "모두 먹으면 하나도 안 남지 뭐 0개. 안 먹으면 그대로 5개",
    "1가 2다 아니 바꿔서 1다 2가",
    "3번 먼저 하고 2번은 1번 뒤에",
    "영을 곱하면 영, 일을 곱하면 안 변해",
    "부분을 다 모으면 전체, 부분 하나는 전체보다 작지",
    "십의 자리를 안 더했어. 올린 1을 적어두면",
    "1을 두 번 올린 게 아니라 올린 1을 더하지 않은 거고, 작게 적어 두면 좋아",
    "십 원짜리를 바꾸고 백 원짜리를 바꾸면 9개가 남아",
    "5를 한 번만 뺐고 답은 7이고 곱해 보면 돼",
    "틀려도 자신 있게 말해서 사람이 한 번 확인해요",
    "다른 나라 말이 아니고 자신 있게, 고맙다고 하는 것 말고 확인합니다",
    "배울 때까지만 알아서 새 시간표를 같이 넣어요",
    "별로라고만 하지 말고 초등학생도 알게 바꿔 달라고 합니다",
    "책이 진짜 있는지 찾아보고 펼쳐서 보고 다른 자료하고 나란히 봅니다",
    "0개 더했으니까 그냥 5개",
    "1은 열 개 묶음이고 6은 낱개 여섯 개",
    "1은 묶음 하나 6은 낱개 6개",
    "앞의 1은 열 개짜리 한 묶음, 뒤의 6은 낱개 여섯",
    "1은 낱개 한 개 6은 묶음 여섯",
    "6은 낱개 여섯 개고 1은 열 개 묶음 하나",
    "9를 10으로! 하나만 더 있으면 되거든",
    "3이 앞에 있어도 9를 10으로 만들어야지 1만 있으면 되니까",
    "가르고 빼고 더하기",
    "답을 두 번 안 쓴 게 아니라 십의 자리를 하나 줄이지 않은 거야",
    "첫째는 사람 수고 둘째는 봉지에 담는 개수",
    "3명은 사람 수, 3개씩은 한 봉지 개수",
    "나누어 가지는 사람의 수, 한 봉지에 담는 수",
    "봉지에 담은 건 한 봉지 개수고 3명이 나눈 건 사람 수",
}
"""Lines that are not read as they were meant; none of them passes wrongly."""


def test_what_strangers_typed_is_read_as_it_was_meant() -> None:
    found = [read(line) for line in lines("dev")]
    assert [each.line.typed for each in found if each.passed_wrongly] == []
    assert [each for each in found if not each.exact and each.line.typed not in _BEYOND] == []
    assert [each.line.typed for each in found if each.exact and each.line.typed in _BEYOND] == []


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
        ("arithmetic/12/10", "445는 틀렸고 355가 맞아", (355,)),
        ("arithmetic/4/9", "9, 8, 7 그래서 7", (7,)),
        ("arithmetic/7/9", "2번 전에 1번, 1번 전에 3번", (2, 0, 1)),
        ("arithmetic/7/9", "1번 전에 3번", None),
        ("arithmetic/7/9", "8에 2를 주기 전에 6을 2와 4로 갈라. 마지막에 10에 4를 더해", (2, 0, 1)),
        ("arithmetic/7/9", "삼일이", (2, 0, 1)),
        ("arithmetic/7/10", "16이라고 하는 게 아니라 5에서 1을 떼어 4를 더해야지", (2,)),
        ("arithmetic/5/11", "세기 편하고 개수는 그대로야", (1, 0)),
        ("arithmetic/5/11", "세기 편하고 개수는 그대로가 아니야", None),
        ("arithmetic/8/11", "올린 1을 안 더했어. 작게 적어 두면 돼", (1, 0)),
        ("arithmetic/8/11", "올린 1을 더했어", None),
        ("ai_basics/2/9", "이어 붙여서, 사실인지 안 따져요", (1, 0)),
    ],
)
def test_a_way_of_writing(name: str, typed: str, answer: Answer | None) -> None:
    assert read_answer(question(name).task, typed) == answer
