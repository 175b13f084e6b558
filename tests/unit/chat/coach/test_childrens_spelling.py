import pytest

from maththera.chat.coach.childrens_spelling import as_usually_spelt


@pytest.mark.parametrize(
    ("typed", "usual"),
    [
        ("다마자써?", "다맞았어?"),
        ("74마찌", "74맞지"),
        ("빌려오면 8은 머가대", "빌려오면 8은 뭐가돼"),
        ("모르게써ㅠㅠ", "모르겠어ㅠㅠ"),
        ("왜 아무거또업써", "왜 아무것도없어"),
        ("8에서2빼면6이자나", "8에서 2빼면 6이잖아"),
        ("빼기도 이러케 쉬우면 조케따", "빼기도 이렇게 쉬우면 좋겠다"),
        ("문재 하나 조", "문제 하나 줘"),
        ("2개머겄어", "2개먹었어"),
        ("밥먹고 할께", "밥먹고 할게"),
        ("하기시러", "하기싫어"),
    ],
)
def test_what_sounds_alike_is_spelt_as_usual(typed: str, usual: str) -> None:
    assert as_usually_spelt(typed) == usual


@pytest.mark.parametrize(
    "typed",
    [
        "젤리 14개",
        "1은 어따 둬?",
        "엄마 자",
        "보자마자 알았어",
        "몇 대 남았어",
        "그림 크게 써 줘",
        "가치가 뭐야",
        "조각이 3개",
        "강조",
        "혼자나 풀래",
    ],
)
def test_other_words_are_left_alone(typed: str) -> None:
    assert as_usually_spelt(typed) == typed
