"""What a message asks, beside what was said before and the open task."""

import pytest

from maththera.arithmetic.problem import Problem, make_problem
from maththera.chat.coach.asks import AskReader
from maththera.chat.coach.basics import Basics
from maththera.chat.coach.drafts import Board
from maththera.chat.coach.task_questions import written_turned
from maththera.chat.coach.turn_reading import TurnReader
from maththera.settings import home

ASKS = AskReader.load(home())
READER = TurnReader(ASKS, Basics.load(home()))


def asked(message: str, board: Board | None = None, opened: list[Problem] | None = None, *, learning: bool) -> str:
    return READER.read(message, board or {}, opened or [], wants_open=False, learning=learning).ask


@pytest.mark.parametrize("name", ["which", "open_help"])
def test_a_reading_that_is_no_ask_is_not_of_records(name: str) -> None:
    assert not ASKS.asks.of_records(name)


def test_a_permission_that_is_not_clearly_asked_for_is_unclear(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(AskReader, "ranked", lambda *_, **__: [("allowed", 0.15), ("count", 0.1)])
    assert asked("계산 그거", learning=True) == "which"


@pytest.mark.parametrize("message", ["밖에 눈와!!", "그럼 몇번이야", "엄마한테 자랑해야지", "병원은 어디로 가야 해요"])
def test_nothing_is_counted_without_a_word_of_records(message: str) -> None:
    for learning in (True, False):
        assert READER.intent(asked(message, learning=learning), {}, ()) != "data_lookup"


@pytest.mark.parametrize(
    ("message", "before", "ask"),
    [
        ("한개만 더", "open_help", "open_help"),
        ("다음", "open_guess", "open_help"),
        ("그다음", "exercise_help", "exercise_help"),
        ("다음", "solve", "ordinal"),
    ],
)
def test_the_next_goes_on_with_what_was_told_last(message: str, before: str, ask: str) -> None:
    board: Board = {"ask": before, "expression": "9+8"}
    assert asked(message, board, [make_problem(47, "+", 36)], learning=True) == ask


@pytest.mark.parametrize("message", ["25÷4는?", "그럼 47+36은?"])
def test_another_sum_is_not_the_open_task(message: str) -> None:
    assert asked(message, {"ask": "open_help"}, [make_problem(24, "/", 4)], learning=True) == "solve"


@pytest.mark.parametrize(
    ("message", "before", "ask"),
    [
        ("맞아?", "open_guess", "open_guess"),
        ("왜 25야", "open_guess", "open_why"),
        ("어디가 틀렸는데", "open_guess", "open_why"),
        ("빼기지?", "open_help", "which_operation"),
        ("아니요", "open_help", "open_help"),
        ("아 맞다 25", "open_help", "open_guess"),
        ("사탕으로 해줘", "open_help", "as_story"),
        ("이거 몇개 남았어요", "open_help", "what_left"),
    ],
)
def test_what_is_said_of_the_open_task(message: str, before: str, ask: str) -> None:
    assert asked(message, {"ask": before}, [make_problem(52, "-", 27)], learning=True) == ask


@pytest.mark.parametrize("message", ["4 8 12 16 20 24", "6, 12, 18, 24"])
def test_counting_on_is_a_step(message: str) -> None:
    assert asked(message, {}, [make_problem(4, "x", 6)], learning=True) == "open_count"


def test_what_is_asked_after_an_exercise_may_be_the_open_task() -> None:
    board: Board = {"ask": "open_help", "problem": "92−64"}
    assert asked("25", board, [make_problem(71, "-", 46)], learning=True) == "open_guess"


@pytest.mark.parametrize(
    ("message", "guessed"), [("그럼 25겠네", True), ("25다!!", True), ("나 25문제 풀었어?", False)]
)
def test_the_answer_alone_is_a_guess_and_a_count_is_none(message: str, guessed: bool) -> None:
    board: Board = {"ask": "give_problem", "problem": "443−399"}
    ask = asked(message, board, [make_problem(52, "-", 27)], learning=True)
    assert (ask == "open_guess") == guessed


def test_help_that_is_meant_in_one_way_or_another_is_help(monkeypatch: pytest.MonkeyPatch) -> None:
    ranked = [("away", 0.15), ("give_answer", 0.14), ("hint", 0.14), ("solve", 0.13)]
    monkeypatch.setattr(AskReader, "ranked", lambda *_, **__: ranked)
    assert asked("제발 한 번만", {}, [make_problem(52, "-", 27)], learning=True) == "open_help"
    assert asked("제발 한 번만", learning=True) == "away"


@pytest.mark.parametrize(
    ("message", "problem", "turned"),
    [
        ("머릿속은 43인데 34로 썼네", make_problem(27, "+", 16), True),
        ("61에서 45 빼면 16이라고 썼어", make_problem(61, "-", 45), False),
        ("43인지 34인지 모르겠어", make_problem(27, "+", 16), False),
    ],
)
def test_an_answer_beside_its_digits_turned_round_was_only_written_so(
    message: str, problem: Problem, turned: bool
) -> None:
    assert written_turned(message, problem) is turned


@pytest.mark.parametrize(
    ("message", "before", "ask"),
    [
        ("그러니까 어디가 틀렸냐고 알려줘", "open_guess", "open_why"),
        ("뭐가 잘못됐어?", "open_guess", "open_why"),
        ("다른 힌트는 없어?", "open_help", "open_help"),
        ("두 가지 방법으로 보여줘", "open_help", "several_ways"),
        ("뒤로 가는 거 맞아?", "explain", "direction"),
        ("천천히 알려줘", "open_help", "explain"),
    ],
)
def test_what_is_asked_of_the_open_task(message: str, before: str, ask: str) -> None:
    assert asked(message, {"ask": before, "given": 73}, [make_problem(47, "+", 36)], learning=True) == ask


def test_a_number_alone_is_a_wrong_guess_unless_the_child_is_on_a_way() -> None:
    task = make_problem(62, "-", 35)
    assert asked("33", {"ask": "explain"}, [task], learning=True) == "open_guess"
    assert asked("33", {"ask": "step", "found": {task.expression: ["62−2=60"]}}, [task], learning=True) != "open_guess"
