"""The tasks of the shipped courses: answered in every way that learners type, and never told by accident."""

import pytest

from maththera.lessons.agents.draft_texts import task_feedback
from maththera.lessons.agents.question_answers import tells_key
from maththera.lessons.courses.answer_key_leaks import leaks_answer
from maththera.lessons.courses.course import Subjective
from maththera.lessons.courses.tasks import CIRCLED, key_texts, score_of_task, solution
from maththera.lessons.quiz.task_answers import read_answer
from tests.support.graded import content, question
from tests.support.lessons import right, wrong

EVERY = [
    (f"{course.id}/{chapter.chapter}/{one.number}", one)
    for course in content().courses.values()
    for chapter in course.chapters.values()
    for one in chapter.subjective
]


@pytest.mark.parametrize("one", [one for _, one in EVERY], ids=[name for name, _ in EVERY])
def test_what_is_typed_is_read_as_it_was_meant(one: Subjective) -> None:
    task = one.task
    assert read_answer(task, right(one)) == task.right
    assert read_answer(task, ", ".join(key_texts(task))) == task.right
    if task.options:
        assert read_answer(task, " ".join(CIRCLED[place] for place in task.right)) == task.right
    given = read_answer(task, wrong(one))
    assert given is not None
    assert score_of_task(task, given) < 60
    words = content().config.words["casual"]
    assert solution(task) not in task_feedback(task, given, words)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("arithmetic/3/11", "답은 3번이야."),
        ("arithmetic/3/11", "③을 골라 봐."),
        ("arithmetic/3/11", "아무것도 더 담지 않으니까 수가 그대로야."),
        ("arithmetic/4/9", "9-2는 7이야."),
        ("arithmetic/1/9", "6이야. 바로 다음 수를 말하면 돼."),
        ("arithmetic/7/9", "3 1 2라고 쓰면 돼."),
        ("arithmetic/5/9", "나 다"),
    ],
)
def test_a_text_that_tells_what_is_asked_is_held_back(name: str, text: str) -> None:
    assert tells_key(text, question(name), content().config.qna)


@pytest.mark.parametrize(
    ("name", "text"),
    [
        ("arithmetic/3/11", "3번 세어 볼까?"),
        ("arithmetic/4/9", "17에서 시작해 볼까?"),
        ("arithmetic/1/9", "6보다 큰 수도 있어."),
        ("arithmetic/5/9", "나는 다 좋아."),
    ],
)
def test_a_text_that_does_not_tell_goes_out(name: str, text: str) -> None:
    assert not leaks_answer(text, question(name))
