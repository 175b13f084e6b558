"""Which choice a typed answer means."""

import pytest

from maththera.lessons.courses.answer_key_leaks import leaks_answer
from maththera.lessons.courses.course import Choice, MultipleChoice
from maththera.lessons.quiz.quiz_questions import chosen_place


def asked(*texts: str) -> MultipleChoice:
    return MultipleChoice(
        number=1,
        paragraphs=("somewhere",),
        question="모두 몇 개일까?",
        explanation="설명",
        hints=("하나", "둘"),
        choices=tuple(Choice(text=text, why="까닭", key=place == 0) for place, text in enumerate(texts)),
    )


COUNTED = asked("14개", "12개", "15개", "2개")
SAID = asked("더해서 확인해", "빼서 확인해", "그냥 믿어", "다시 세어 봐")


@pytest.mark.parametrize(
    "answer",
    [
        "3",
        "3번",
        "3 번이요",
        "③",
        "(3)",
        "3)",
        "삼 번",
        "삼번이요",
        "세 번째",
        "C",
        "c",
        "답은 3번이야",
        "정답은 3번입니다",
        "3번 같아요",
        "3,",
        "나는 3번",
        "음 3번 할래",
        "3번인가?",
        "세번째꺼",
        "2번 말고 3번",
        "1번은 아니고 3번이야",
        "2번이 아니라 3번",
    ],
)
def test_a_place_is_understood(answer: str) -> None:
    assert chosen_place(SAID, answer) == 2


@pytest.mark.parametrize(
    ("answer", "place"), [("그냥 믿어", 2), ("그냥믿어.", 2), ("3번 그냥 믿어", 2), (" 더해서  확인해 ", 0)]
)
def test_the_text_of_a_choice_is_understood(answer: str, place: int) -> None:
    assert chosen_place(SAID, answer) == place


@pytest.mark.parametrize(
    ("answer", "place"),
    [
        ("14", 0),
        ("14개요", 0),
        ("15개예요", 2),
        ("2개", 3),
        ("2", 1),
        ("4", 3),
        ("열네 개", 0),
        ("십오", 2),
        ("8+6=14", 0),
        ("12개 아니고 14개", 0),
        ("3번 12개", 2),
    ],
)
def test_a_number_that_is_no_place_is_the_choice_with_it(answer: str, place: int) -> None:
    assert chosen_place(COUNTED, answer) == place


def test_a_choice_that_is_just_a_number_comes_before_the_place() -> None:
    assert chosen_place(asked("3", "5", "1", "2"), "3") == 0


@pytest.mark.parametrize(
    "answer",
    [
        "",
        "5번",
        "⑤",
        "16",
        "14나 12",
        "몰라",
        "이",
        "e",
        "100점 줘",
        "1이랑 2",
        "2번 아니면 3번",
        "14개 아니면 15개",
        "이번 건 몰라",
    ],
)
def test_what_no_one_can_tell_is_none(answer: str) -> None:
    assert chosen_place(COUNTED, answer) is None


@pytest.mark.parametrize(
    "text", ["답은 3번이야.", "정답: ③", "세 번째를 골라 봐.", "3번이 맞아.", "아마 그냥 믿어 일 거야."]
)
def test_a_text_that_names_the_right_choice_gives_it_away(text: str) -> None:
    question = SAID.model_copy(
        update={"choices": tuple(one.model_copy(update={"key": place == 2}) for place, one in enumerate(SAID.choices))}
    )
    assert leaks_answer(text, question)
    assert not leaks_answer("3을 세 번 더해 볼까? 2번은 다시 읽어 봐.", question)


@pytest.mark.parametrize("text", ["2번은 왜 틀려?", "왜 2번이 아니야?", "2번이 뭐야?", "3번은 무슨 말이에요?"])
def test_a_question_about_a_choice_does_not_take_it(text: str) -> None:
    assert chosen_place(COUNTED, text) is None
