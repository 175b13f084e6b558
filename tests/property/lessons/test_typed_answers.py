"""Any option of any shipped task is read back, in whatever way it is named."""

from random import Random
from typing import Final

from hypothesis import assume, given
from hypothesis import strategies as st

from maththera.lessons.courses.tasks import CIRCLED, LETTERS, Answer, Match, Order, Task
from maththera.lessons.quiz.task_answers import read_answer
from tests.support.graded import content

TASKS: Final[list[Task]] = [
    question.task
    for course in content().courses.values()
    for chapter in course.chapters.values()
    for question in chapter.subjective
    if question.task.options
]
ORDINALS: Final = ("첫 번째", "두 번째", "세 번째", "네 번째", "다섯 번째")
SHORT: Final = ("첫째", "둘째", "셋째", "넷째")
SETS: Final[tuple[tuple[str, ...], ...]] = (
    tuple("12345"), tuple(CIRCLED), tuple(LETTERS), tuple("ㄱㄴㄷㄹㅁ"), tuple("abcde"), tuple("ABCDE"), ORDINALS,
    tuple(f"{name}번" for name in "12345"), tuple(f"({name})" for name in "12345"),
)  # fmt: skip
ENDINGS: Final = ("", ".", "요", "이요", "이에요", "입니다", " 같아요", "!", "이야")
BETWEEN: Final = (" ", ", ", ",", " / ", " 그리고 ", ". ", " → ", "-")


@st.composite
def answered(draw: st.DrawFn) -> tuple[Task, Answer]:
    task = draw(st.sampled_from(TASKS))
    if isinstance(task, Order):
        return task, tuple(draw(st.permutations(range(len(task.steps)))))
    return task, tuple(draw(st.integers(0, len(texts) - 1)) for texts in task.options)


@given(answered(), st.sampled_from(SETS), st.sampled_from(BETWEEN), st.sampled_from(ENDINGS))
def test_names_in_order_are_read_back(
    given_answer: tuple[Task, Answer], names: tuple[str, ...], between: str, ending: str
) -> None:
    task, answer = given_answer
    assert read_answer(task, between.join(names[place] for place in answer) + ending) == answer


@given(
    answered().filter(lambda one: one[0].letters and len(one[1]) > 1),
    st.sampled_from(["{gap}{name}", "{gap}-{name}", "({gap}) {name}", "{gap}번은 {name}", "{gap}은 {name}",
                     "{gap}→{name}", "{gap}: {name}", "{gap}번 {name}요", "{short}는 {name}", "{ordinal} {name}"]),
    st.sampled_from(BETWEEN[:-2]),
    st.randoms(),
)  # fmt: skip
def test_pairs_are_read_back_in_any_order(
    given_answer: tuple[Task, Answer], form: str, between: str, random: Random
) -> None:
    task, answer = given_answer
    pairs = [
        form.format(gap=gap + 1, short=SHORT[gap], ordinal=ORDINALS[gap], name=LETTERS[place])
        for gap, place in enumerate(answer)
    ]
    random.shuffle(pairs)
    assert read_answer(task, between.join(pairs)) == answer


@given(answered(), st.sampled_from(SETS[:6]))
def test_what_is_denied_is_no_answer(given_answer: tuple[Task, Answer], names: tuple[str, ...]) -> None:
    task, answer = given_answer
    assert read_answer(task, " ".join(names[place] for place in answer) + "은 아니야") is None


@given(answered(), st.sampled_from([" 아니 ", "… 아니 ", " 아니다 ", " 취소 ", " 아 잠깐만 "]))
def test_the_last_of_two_answers_counts(given_answer: tuple[Task, Answer], change: str) -> None:
    task, answer = given_answer
    before = "1" if len(answer) == 1 else " ".join("12345"[place] for place in reversed(range(len(answer))))
    assert read_answer(task, before + change + " ".join(CIRCLED[place] for place in answer)) == answer


@given(answered(), st.sampled_from([", ", " / ", ". "]), st.sampled_from(["", "요", "."]))
def test_the_options_own_words_are_read_back(given_answer: tuple[Task, Answer], between: str, ending: str) -> None:
    task, answer = given_answer
    assume(not isinstance(task, Match) or len(set(answer)) == len(answer))
    texts = [texts[place].rstrip(".") for texts, place in zip(task.options, answer, strict=True)]
    assert read_answer(task, between.join(texts) + ending) == answer
