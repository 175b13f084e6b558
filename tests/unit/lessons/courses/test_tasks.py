"""Tasks that rules judge: what learners type, what it is worth, and what is said to it."""

from typing import Any, Final

import pytest
from pydantic import TypeAdapter

from maththera.lessons.courses.course_checks import task_faults
from maththera.lessons.courses.tasks import Task, score_of_task, solution
from maththera.lessons.quiz.task_answers import read_answer

TASK: Final[TypeAdapter[Task]] = TypeAdapter(Task)


def task(form: str, **fields: Any) -> Task:
    return TASK.validate_python({"form": form, **fields})


def options(*texts: str, key: int = 0) -> list[dict[str, Any]]:
    return [{"text": text, **({"key": True} if at == key else {"why": "왜냐하면"})} for at, text in enumerate(texts)]


REASON: Final = task("reason", choices=options("바로 다음 수라서", "작은 수라서", "큰 수라서"))
CLOZE: Final = task("cloze", text="5 다음은 (1)이고 (2)야.", gaps=[options("6", "4"), options("앞", "뒤", "옆", key=1)])
ORDER: Final = task("order", steps=["더한다", "가른다", "모은다"], order=[2, 1, 3], why="먼저 갈라.")
NUMBER: Final = task("number", key=4, wrong={6: "둘을 더했어."}, otherwise="다시 세어 봐.")
MATCH: Final = task(
    "match", pairs=[{"left": "하나", "fits": 2, "why": "ㄱ"}, {"left": "둘", "fits": 1, "why": "ㄴ"}],
    right_side=["2", "1", "3"],
)  # fmt: skip


@pytest.mark.parametrize(
    "typed",
    [
        "2",
        "②",
        "2번",
        "두 번째",
        "ㄴ",
        "나",
        "b",
        "B",
        "(2)",
        "이번",
        "답은 2번이야",
        "2번이요",
        "작은 수라서",
        "작은수라서요",
    ],
)
def test_one_of_several_is_understood(typed: str) -> None:
    assert read_answer(REASON, typed) == (1,)


@pytest.mark.parametrize("typed", ["", "4", "2번 3번", "2번인가 3번인가", "나 배고파", "100점 줘", "이유는 몰라"])
def test_what_no_one_can_tell_is_none(typed: str) -> None:
    assert read_answer(REASON, typed) is None


@pytest.mark.parametrize(
    "typed",
    ["가 나", "가나", "가, 나", "ㄱ ㄴ", "1-가, 2-나", "1가 2나", "1번은 가, 2번은 나", "(1) 가 (2) 나", "2-나, 1-가",
     "①가②나",
     "1 2", "1-1, 2-2", "a b", "6, 뒤", "6이고 뒤야"],
)  # fmt: skip
def test_all_gaps_are_understood(typed: str) -> None:
    assert read_answer(CLOZE, typed) == (0, 1)


@pytest.mark.parametrize("typed", ["가", "가 나 다", "라 가", "6", "1-가, 1-나", "3 1", "몰라"])
def test_gaps_that_are_left_out_or_filled_twice_are_none(typed: str) -> None:
    assert read_answer(CLOZE, typed) is None


@pytest.mark.parametrize(
    "typed",
    [
        "3 1 2",
        "312",
        "③①②",
        "3-1-2",
        "3→1→2",
        "3번 1번 2번",
        "다 가 나",
        "ㄷㄱㄴ",
        "순서는 3, 1, 2야",
        "모은다 더한다 가른다",
    ],
)
def test_an_order_is_understood(typed: str) -> None:
    assert read_answer(ORDER, typed) == (2, 0, 1)


@pytest.mark.parametrize("typed", ["1 2", "3 1 1", "1 2 3 4", "4 1 2", "더한다 가른다"])
def test_what_is_no_order_of_all_steps_is_none(typed: str) -> None:
    assert read_answer(ORDER, typed) is None


@pytest.mark.parametrize(
    ("typed", "number"), [("4", 4), ("넷", 4), ("네 개요", 4), ("8+6=14", 14), ("답은 사", 4), ("4번", 4)]
)
def test_a_number_is_understood(typed: str, number: int) -> None:
    assert read_answer(NUMBER, typed) == (number,)


@pytest.mark.parametrize("typed", ["6이나 7", "많이", ""])
def test_two_numbers_or_none_are_no_number(typed: str) -> None:
    assert read_answer(NUMBER, typed) is None


def test_a_task_is_worth_the_share_of_its_gaps() -> None:
    assert [score_of_task(CLOZE, answer) for answer in ((0, 1), (0, 0), (1, 2))] == [100, 50, 0]
    assert score_of_task(ORDER, (1, 2, 0)) == 33
    assert score_of_task(MATCH, (1, 0)) == 100
    assert score_of_task(NUMBER, (6,)) == 0


def test_each_wrong_part_says_what_it_shows() -> None:
    assert NUMBER.option_reasons((6,)) == ["둘을 더했어."]
    assert NUMBER.option_reasons((9,)) == ["다시 세어 봐."]
    assert ORDER.option_reasons((0, 1, 2)) == ["먼저 갈라."]
    assert MATCH.option_reasons((1, 2)) == ["ㄴ"]
    assert CLOZE.option_reasons((0, 1)) == []


def test_what_is_right_is_told_as_a_text() -> None:
    assert solution(CLOZE) == "5 다음은 6이고 뒤야."
    assert solution(ORDER) == "가른다 → 더한다 → 모은다"
    assert solution(MATCH) == "하나 – 1, 둘 – 2"
    assert solution(NUMBER) == "4"


PAIRS: Final = [{"left": name, "fits": 4, "why": "왜"} for name in "가나"]
"""To a side of two."""


@pytest.mark.parametrize(
    ("wrong", "reason"),
    [
        (task("reason", choices=options("가", "나", key=5)), "0 keys"),
        (task("reason", choices=[*options("가", "나"), *options("다")]), "2 keys"),
        (task("reason", choices=options("가", "가")), "two are the same"),
        (task("reason", choices=[{"text": "가", "key": True}, {"text": "나"}]), "needs a `why`"),
        (task("cloze", text="(1) (3)", gaps=[options("가", "나")] * 2), "has the gaps [1, 3]"),
        (task("cloze", text="2+2=(1)", gaps=[options("5", "4")]), "2+2=5 is wrong where it is filled in"),
        (task("order", steps=["가", "나", "다"], order=[1, 1, 3], why="왜"), "each of the 3 steps once"),
        (task("order", steps=["가", "나", "다"], order=[1, 2, 3], why="왜"), "is the order in which the steps"),
        (task("number", key=4, wrong={4: "왜"}, otherwise="왜"), "4 is the key"),
        (task("match", pairs=PAIRS, right_side=["1", "2"]), "has 2"),
    ],
)  # fmt: skip
def test_a_fault_of_a_task_is_named(wrong: Task, reason: str) -> None:
    assert any(reason in told for _, told in task_faults(wrong, arithmetic=True))


def test_sound_tasks_have_no_faults() -> None:
    assert [task_faults(each, arithmetic=True) for each in (REASON, CLOZE, ORDER, NUMBER, MATCH)] == [[]] * 5
