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


@pytest.mark.parametrize(
    ("typed", "plain"),
    [
        ("쌤 저 이거 뭐에요", "나 이거 뭐야"),
        ("선생님 힌트 주세요", "힌트 줘"),
        ("쌤은 몇살이에요?", "너는 몇살이야?"),
        ("쌤 화났어요?", "너 화났어?"),
        ("제가 한 거 봐주세요", "내가 한 거 봐줘"),
        ("5이요", "5이야"),
        ("모르겠여", "모르겠어"),
    ],
)
def test_polite_speech_is_heard_as_plain_speech(typed: str, plain: str) -> None:
    assert as_usually_spelt(typed) == plain


@pytest.mark.parametrize("typed", ["선생님이 이렇게 하래", "저 문제 뭐야", "필요", "금요일", "쌤", "제일 쉬운 거"])
def test_what_only_looks_polite_is_left_alone(typed: str) -> None:
    assert as_usually_spelt(typed) == typed
