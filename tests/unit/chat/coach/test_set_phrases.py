"""Words that are nearly always meant alike: which ask they are, and which words are none."""

import pytest

from maththera.arithmetic.problem import make_problem
from maththera.chat.coach.drafts import Board
from maththera.chat.coach.set_phrases import asks_answer, on_shown, set_phrase, written_answer

OPENED = [make_problem(83, "-", 57)]


@pytest.mark.parametrize(
    ("message", "ask"),
    [
        ("여기는 모하는데야", "can_do"),
        ("나 뭐하는지 봐봐", ""),
        ("곱하기만 할래", "only_kind"),
        ("곱하기만 틀렸어", ""),
        ("우리 다른 거 하자", "other"),
        ("다른 거 있어?", ""),
        ("나는 민수야", "introduces"),
        ("나 서연이야", ""),
        ("민수야 나랑 놀자", ""),
        ("이제 문제 풀래", "give_problem"),
        ("그런 거 말고 문제 풀래?", ""),
        ("아 아깝다 다 맞을 수 있었는데", "annoyed"),
        ("짜증나", ""),
        ("5+3 문제 할래", ""),
        ("다른 문제로 바꿔줘", "give_problem"),
        ("더 쉬운 문제로 바꿔줘", ""),
        ("십을 낱개로 바꿔", ""),
        ("어느 단원에서 점수가 낮아?", "weak"),
        ("5번 문제 답을 모르겠어요", "not_seen"),
        ("2번째 모르겠어", ""),
        ("나눗셈 얼마나 했는지 확인하고 싶어", "count"),
        ("나눗셈이 어려워", "hard_kind"),
        ("나눗셈이 왜 어려워?", ""),
        ("2에서 8을 어떻게 빼?", "take_more"),
        ("8에서 2를 어떻게 빼?", ""),
    ],
)
def test_what_a_child_means(message: str, ask: str) -> None:
    assert set_phrase(message, {}, [], ["민수"], adult=False) == ask


def test_a_child_that_wants_a_problem_is_shown_the_one_that_is_open() -> None:
    assert set_phrase("이제 문제 풀래", {}, OPENED, [], adult=False) == "my_task"


def test_a_kind_that_is_hard_is_helped_with_where_a_problem_of_it_waits() -> None:
    assert set_phrase("뺄셈이 어려워", {}, OPENED, [], adult=False) == "open_help"
    assert set_phrase("뺄셈이 어려워", {"problem": "13-5"}, [], [], adult=False) == "exercise_help"
    assert set_phrase("곱셈이 어려워", {"problem": "13-5"}, [], [], adult=False) == "hard_kind"


def test_a_number_of_a_list_that_was_shown_is_no_page_of_a_book() -> None:
    board: Board = {"items": [{"what": "step", "id": "13−7=6"}]}
    assert set_phrase("2번 모르겠어", board, [], [], adult=False) == ""


@pytest.mark.parametrize(
    ("message", "board", "ask"),
    [
        ("세로셈으로 보여줘", {"expression": "23x4"}, "in_columns"),
        ("52-38 세로로 써줘", {}, "in_columns"),
        ("세로셈으로 보여줘", {}, ""),
        ("선생님이 세로셈으로만 하래", {"expression": "23x4"}, ""),
        ("더하기로 해도 돼?", {"expression": "6x4"}, "other_operation"),
        ("더하기로 해도 돼?", {}, ""),
    ],
)
def test_what_is_asked_of_a_problem_that_is_shown(message: str, board: Board, ask: str) -> None:
    assert on_shown(message, board, []) == ask


@pytest.mark.parametrize(
    ("message", "before", "ask"),
    [
        ("너무 적은 거죠?", "days", "minutes"),
        ("너무 적은 거죠?", "solve", ""),
        ("기록 좀 보여 주세요", "", "how_am_i"),
        ("기록은 누가 볼 수 있나요", "", ""),
        ("제가 소리를 질렀는데 괜찮을까요", "", "own_scolding"),
        ("제가 혼냈어요", "", ""),
    ],
)
def test_what_an_adult_means(message: str, before: str, ask: str) -> None:
    board: Board = {"ask": before}
    assert set_phrase(message, board, [], [], adult=True) == ask


@pytest.mark.parametrize(
    ("message", "given"),
    [("34라고 썼어요", 34), ("40으로 적었대요", 40), ("83-57을 34라고 썼어요", None), ("3번 썼어요", None)],
)
def test_the_answer_that_a_child_is_said_to_have_written(message: str, given: int | None) -> None:
    assert written_answer(message) == given


@pytest.mark.parametrize(
    ("message", "asks"), [("그냥 답만 알려주세요", True), ("47+36 답 알려 주세요", False), ("답답하네요", False)]
)
def test_the_answer_of_a_problem_that_is_not_named(message: str, asks: bool) -> None:
    assert asks_answer(message) is asks
