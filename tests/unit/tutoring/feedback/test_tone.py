from pathlib import Path

import pytest

from maththera.config_files import ConfigError
from maththera.settings import home
from maththera.tutoring.feedback import tone
from maththera.tutoring.feedback.tone import check


def rules(*lines: str, hint: str | None = None, answer: int | None = None, revealed: bool = False) -> list[str]:
    return [violation.rule for violation in check(lines, hint, answer=answer, revealed=revealed)]


@pytest.mark.parametrize(
    "line",
    [
        *["괜찮아.", "다시 해볼까?", "한번 더!", "천천히 해봐.", "할 수 있어!", "거의 다 왔어!", "자리만 봐!"],
        *["하나씩 하자.", "같이 해볼까?", "8이 10 되려면?", "몇 개 더 필요해?", "정답이야!", "완벽해!", "대단해!"],
        *["필요해?", "중요해!", "요리해 볼까?", "빨간색이야.", "조용히 해보자.", "토요일에 보자.", "요만큼 더!"],
        *["시작해 볼까?", "다시 시도해!", "시계를 봐.", "모시조개야.", "이 수는 커.", "네가 해봐.", "저 수를 봐."],
        *["만들어서 세 봐.", "아니면 이것?", "틀려도 괜찮아.", "느려도 괜찮아.", "10보다 클까?", "3등분 해봐."],
        *["내용을 봐.", "사용해 봐.", "친구랑 해볼까?", "몇 번 뛰었어?", "또 해볼까?", "못해도 괜찮아."],
    ],
)
def test_warm_plain_speech_passes(line: str) -> None:
    assert rules(line) == []


@pytest.mark.parametrize(
    "line",
    [
        *["틀렸어.", "틀 렸 어", "틀-렸어", "틀\u200b렸네", "틀린 답이야.", "답이 틀려.", "땡!"],
        *["아니야.", "아니 야!", "아냐.", "그게 아니지.", "아니거든?", "그건 아니다."],
        *["왜 못해?", "왜 못 해?", "왜 못하니?", "왜 이래?", "왜 안 해?", "왜 몰라?", "왜 그래?"],
        *["정신 차려!", "정신차려", "정신 좀 차려", "집중 좀 해.", "똑바로 해!"],
        *["빨리!", "빨리빨리 해", "더 빨리 해봐.", "더 빠르게!", "서둘러!", "얼른 해.", "어서 해봐.", "시간 없어."],
        *[
            "당연히 알지?",
            "당연한 거야.",
            "바보야.",
            "못하네.",
            "쉬운 건데.",
            "엉망이네.",
            "포기할래?",
            "너무 쉬워.",
            "못난이!",
        ],
        *["다른 친구는 해.", "누구보다 잘해.", "다들 하는데.", "네가 1등이야!", "동생도 알아.", "너만 못 해."],
        *["참 잘도 하네.", "잘한다 잘해.", "그럴 줄 알았어", "아직도 몰라?", "겨우 이거야?", "또 틀리네."],
        *["그것도 몰라?", "이것도 못해?", "이런 것도 못 해", "실망이야.", "답답해.", "또 실수야."],
    ],
)
def test_blame_verdict_hurry_comparison_and_sarcasm_are_banned(line: str) -> None:
    assert "banned" in rules(line)


@pytest.mark.parametrize(
    "line",
    [
        *["해요.", "해 봐요!", "맞아요?", "좋습니다.", "정답입니다!", "하세요.", "해보세요.", "맞죠?", "그렇지요?"],
        *["하나 더요.", "갑시다!", "하십시오.", "잘하셨어!", "앉으셔.", "오시네!", "보실까?", "아니에요?", "이거예요."],
        *[
            "해용",
            "하세용",
            "합니당",
            "해여",
            "맞았어염",
            "네, 맞아.",
            "예!",
            "그럼요!",
            "제가 할게.",
            "도와드릴게.",
            "할머니께 물어.",
        ],
    ],
)
def test_polite_speech_is_refused(line: str) -> None:
    assert "honorific" in rules(line)


def test_length_counts_spaces_and_punctuation() -> None:
    assert rules("가나다라마바사아자.") == []
    assert rules("가나다라마바사아자차.") == ["length"]


def test_a_number_or_a_hint_may_take_fifteen() -> None:
    line = "가나다 라마바 사아자 차카"
    assert len(line) == 14
    assert rules(line) == ["length"]
    assert rules("괜찮아.", hint=line) == []
    assert rules("98이 100 되려면 몇?") == []
    assert rules("괜찮아.", hint="가나다 라마바 사아자 차카타파") == ["length"]
    assert rules("98이랑 더하면 100이 되지?") == ["length"]


def test_decomposed_letters_count_as_written() -> None:
    assert rules("\u1100\u116b\u11ab\u110e\u1161\u11ad\u110b\u1161.") == []  # 괜찮아. in conjoining letters
    assert rules("\u1110\u1173\u11af\u1105\u1167\u11bb\u110b\u1165.") == ["banned"]  # 틀렸어.


def test_at_most_three_sentences_hint_included() -> None:
    assert rules("괜찮아.", "한번 더!", "해볼까?") == []
    assert rules("괜찮아.", "한번 더!", "해볼까?", hint="그림을 봐.") == ["sentences"]
    assert rules("좋아! 맞았어!", "음. 또 할까?") == ["sentences"]
    assert rules("좋아!!", "음... 그래.") == []


def test_one_hint() -> None:
    assert rules("괜찮아.", hint="그림 봐. 자리 봐.") == ["hint"]


def test_a_hint_among_the_lines_is_said_once() -> None:
    assert rules("괜찮아.", "자리를 맞춰 써 볼까?", "다시!", hint="자리를 맞춰 써 볼까?") == []


def test_nothing_said() -> None:
    assert rules() == ["empty"]
    assert rules("괜찮아.", " ") == ["empty"]


@pytest.mark.parametrize("line", ["Good 좋아!", "좋아 😊", "很好 좋아"])
def test_only_korean_and_numbers(line: str) -> None:
    assert rules(line) == ["language"]


@pytest.mark.parametrize(
    "line",
    ["14야!", "십사야!", "열넷이지.", "열네 개야.", "정답은 십사!", "8+6=14", "답은 십 사야."],
)
def test_the_open_answer_is_not_told(line: str) -> None:
    assert "answer" in rules(line, answer=14)
    assert rules(line, answer=14, revealed=True) == []
    assert rules(line, answer=15) == []


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("답은 사야.", 4),
        ("답은 이야.", 2),
        ("세 개지.", 3),
        ("백팔십팔이야.", 188),
        ("정답은 오", 5),
        ("모두 열 둘", 12),
        ("백 팔십팔이야.", 188),
        ("스물셋이야.", 23),
        ("스무 개야.", 20),
        ("1,024야.", 1024),
        ("１４야.", 14),
        ("영이야.", 0),
    ],
)
def test_the_answer_in_every_reading(line: str, answer: int) -> None:
    assert "answer" in rules(line, answer=answer)


@pytest.mark.parametrize(
    ("line", "answer"),
    [
        ("정답이야!", 2),
        ("하나씩 하자.", 1),
        ("한번 더!", 1),
        ("하나만 봐!", 1),
        ("이 수를 봐.", 2),
        ("다시 세 봐.", 3),
        ("네가 해봐.", 4),
        ("오, 좋아!", 5),
        ("구구단을 봐.", 9),
        ("8이 10 되려면?", 1),
        ("십의 자리를 봐.", 10),
        ("두 배를 해봐.", 2),
    ],
)
def test_words_that_only_look_like_the_answer(line: str, answer: int) -> None:
    assert rules(line, answer=answer) == []


def test_the_quick_mode_never_loads_the_analyser(monkeypatch: pytest.MonkeyPatch) -> None:
    def refuse(text: str) -> None:
        raise AssertionError("loaded")

    monkeypatch.setattr(tone, "morphemes", refuse)
    found = check(["8이 10 되려면?", "틀렸어."], None, answer=10, revealed=False, mode="quick")
    assert [violation.rule for violation in found] == ["answer", "banned"]


def test_violations_say_line_and_reason() -> None:
    (violation,) = check(["빨리 해봐."], None, answer=None, revealed=False)
    assert (violation.rule, violation.line, violation.why) == ("banned", "빨리 해봐.", "재촉: 빨리")


def test_a_broken_guide_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "tone.yaml"
    text = (home() / "configs" / "tutoring" / "tone.yaml").read_text(encoding="utf-8")
    path.write_text(text.replace("sentences: 3", "sentences: many"), encoding="utf-8")
    with pytest.raises(ConfigError, match=r"tone\.yaml:4: limits\.sentences: Input should be a valid integer"):
        tone.Guide.from_file(path)
