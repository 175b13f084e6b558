"""A whole session in a terminal whose child is scripted, on the real service."""

import asyncio
import re
from collections.abc import Callable, Iterator
from contextlib import nullcontext
from io import StringIO
from pathlib import Path
from typing import Any

import pytest
from rich.console import Console

from maththera.api.composition import open_services
from maththera.app.content import Content
from maththera.cli.terminal.play_session import PlaySession
from maththera.settings import Settings
from maththera.simulation.independent.sums import read
from maththera.store.database import StoreUnavailable
from maththera.tutoring.content.training_results import fits, judged
from maththera.tutoring.number_sense.screening_profile import SCREENING_ITEMS
from maththera.tutoring.session.service import TutoringService
from maththera.tutoring.session.session_start import Capabilities, NewSession
from tests.support.databases import migrated
from tests.support.tutoring import rules
from tests.support.words import safety

Child = Callable[[str], str]
"""What is on the screen since its last answer → its next line."""


class Terminal:
    """A screen that a scripted child reads; each answer takes `seconds`."""

    def __init__(self, child: Child, seconds: float = 2.0) -> None:
        self.screen, self.now, self._child, self._seconds = StringIO(), 0.0, child, seconds
        self._seen = 0

    def ask(self, _: str) -> str:
        text = self.screen.getvalue()
        new, self._seen = text[self._seen :], len(text)
        self.now += self._seconds
        return self._child(new)


@pytest.fixture(scope="module")
def content() -> Content:
    return Content.load(Settings())


@pytest.fixture
def play(tmp_path: Path, redis_url: str, content: Content) -> Iterator[Callable[..., tuple[str, dict[str, Any]]]]:
    settings = Settings(data_dir=tmp_path, redis_url=redis_url)
    with asyncio.Runner() as runner:
        runner.run(migrated(settings.database_url))
        opening = open_services(settings, content)
        resources = runner.run(opening.__aenter__())
        service: TutoringService = resources.tutoring

        def played(
            child: Child, *, show: bool = False, seconds: float = 2.0, resume: bool = False, **wanted: Any
        ) -> Any:
            terminal = Terminal(child, seconds)
            console = Console(file=terminal.screen, width=100)
            game = PlaySession(
                console,
                runner.run,
                service,
                resources.safety,
                ask=terminal.ask,
                clock=lambda: terminal.now,
                sleep=lambda _: None,
                show_diagnosis=show,
            )
            game.play(NewSession("s1", seed=7, **wanted), resume=resume)
            return terminal.screen.getvalue(), runner.run(service.trace(game.session_id))

        yield played
        runner.run(opening.__aexit__(None, None, None))


def solve(screen: str) -> str:
    """Reads the last question and answers it."""
    question = screen.rsplit("│", 1)[0]
    left, sign, right = next(
        line.strip("│ \n").removesuffix("= □").split()[:3] for line in question.splitlines() if "= □" in line
    )
    a, b = int(left), int(right)
    return str({"+": a + b, "−": a - b, "×": a * b, "÷": a // max(b, 1)}[sign])


def test_a_perfect_child_plays_to_the_end(play: Any) -> None:
    text, trace = play(solve, c_position=7, problem_count=3)
    assert len(trace["turns"]) == 3
    assert {turn["event"]["rt_ms"] for turn in trace["turns"]} == {2000}
    assert "오늘 여기까지" in text
    assert "푼 문제     3" in text
    assert [f"3문제 가운데 {number}번째" in text for number in (1, 2, 3)] == [True] * 3
    assert text.count("아래에 보이는 수 가운데") == 1, "the choices are explained once"
    assert "진단" not in text


@pytest.mark.parametrize("words", ["나는 죽고 싶어", "죽고 싶어 \ud83d"])
def test_danger_is_answered_and_the_task_waits(play: Any, words: str) -> None:
    """Its time is not the task's, either."""
    told: list[str] = []

    def child(screen: str) -> str:
        told.append(screen)
        return words if len(told) == 1 else solve("".join(told[:2]) if len(told) == 2 else screen)

    text, trace = play(child, c_position=7, problem_count=2)
    assert "109" in told[1]
    assert [(turn["event"]["type"], turn["event"]["rt_ms"]) for turn in trace["turns"]] == [
        ("answer_submitted", 2000)
    ] * 2
    assert "푼 문제     2" in text


@pytest.mark.parametrize("words", ["모르겠어요", "몰라", "모름"])
def test_who_does_not_know_may_say_so(play: Any, words: str) -> None:
    lines = iter([words])
    _, trace = play(lambda _: next(lines, "그만"), c_position=7, problem_count=3)
    assert [turn["event"]["type"] for turn in trace["turns"]] == ["timeout", "stop"]


@pytest.mark.parametrize("words", ["", "가" * 4001, "\x00\x07", "\ud83d", "Ich weiß nicht, was das heißt"])
def test_what_nobody_can_read_is_asked_for_again_kindly(play: Any, words: str) -> None:
    lines = iter([words])
    text, trace = play(lambda _: next(lines, "그만"), c_position=7, problem_count=3)
    assert text.count("숫자를 적고 Enter를 눌러") == 2
    assert [turn["event"]["type"] for turn in trace["turns"]] == ["stop"]


def test_a_session_whose_window_was_closed_goes_on(play: Any) -> None:
    """What was solved is not asked again, and a session that has ended is not gone on with."""
    lines = 0

    def closes(screen: str) -> str:
        nonlocal lines
        lines += 1
        if lines == 2:
            raise ConnectionResetError
        return solve(screen)

    with pytest.raises(ConnectionResetError):
        play(closes, c_position=7, problem_count=3)
    text, trace = play(solve, resume=True)
    assert "이어서 하자." in text
    assert len(trace["turns"]) == 3
    assert "푼 문제     3" in text
    text, trace = play(solve, resume=True, c_position=7, problem_count=1)
    assert ("이어서" in text, len(trace["turns"])) == (False, 1)


def test_an_adult_sees_the_diagnosis(play: Any) -> None:
    text, _ = play(solve, show=True, c_position=1, problem_count=6)
    assert "이 아이에게 빠른 답이에요." in text
    assert "다음 단계로 나아가요." in text


def test_an_adult_sees_names_and_no_codes(play: Any) -> None:
    """A child that drops each carry, and one that does nothing but err."""

    def dropping(screen: str) -> str:
        right = solve(screen) if "= □" in screen.rsplit("╭", 1)[-1] else "1"
        question = next((line for line in screen.splitlines()[::-1] if "= □" in line), "")
        return str(int(right) - 10) if "+" in question and int(right) > 20 else right

    for child in (dropping, lambda _: "1"):
        text, _ = play(child, show=True, c_position=8, first_problem="28+15", problem_count=4)
        assert "원인: " in text
        assert "권하는 놀이: " in text
        assert "다음 시간: " in text
        assert not re.search(r"[A-Z]+_L\d|\bT\d\d\b|\b[a-z]+_[a-z_]+", text), text


def test_a_child_may_not_know(play: Any) -> None:
    lines = iter(["?", "몰라", "그만"])
    _, trace = play(lambda _: next(lines), c_position=7, problem_count=3)
    assert [turn["event"]["type"] for turn in trace["turns"]] == ["timeout", "timeout", "stop"]


@pytest.mark.parametrize(("failures", "lost"), [(4, False), (5, True)])
def test_a_store_that_hesitates_costs_no_answer(
    play: Any, monkeypatch: pytest.MonkeyPatch, failures: int, *, lost: bool
) -> None:
    handle, left = TutoringService.handle, iter(range(failures))

    async def hesitating(self: TutoringService, session_id: str, event: Any) -> Any:
        outcome = await handle(self, session_id, event)
        if next(left, None) is not None:
            raise StoreUnavailable(TimeoutError())  # after the row was written: the answer got lost on its way
        return outcome

    monkeypatch.setattr(TutoringService, "handle", hesitating)
    with pytest.raises(StoreUnavailable) if lost else nullcontext():
        text, trace = play(solve, c_position=7, problem_count=2)
        assert len(trace["turns"]) == 2
        assert text.count("잠깐만 기다려 줘.") == failures


def test_what_is_no_number_is_asked_again_while_the_time_runs(play: Any) -> None:
    lines = iter(["", "토끼", "십이 아니 십삼", "14"])
    text, trace = play(lambda _: next(lines), c_position=7, first_problem="8+6", problem_count=1)
    assert trace["turns"][0]["event"]["rt_ms"] == 8000
    assert text.count("숫자를 적고") == 4


@pytest.mark.parametrize("leave", [KeyboardInterrupt, EOFError])
def test_leaving_is_a_kind_stop(play: Any, leave: type[BaseException]) -> None:
    def gone(_: str) -> str:
        raise leave

    text, trace = play(gone, problem_count=3)
    assert [turn["event"]["type"] for turn in trace["turns"]] == ["stop"]
    assert "오늘 여기까지" in text
    assert "끝까지" not in text


def test_the_last_answer_gets_its_word(play: Any) -> None:
    text, _ = play(lambda _: "14", seconds=3.0, c_position=7, first_problem="8+6", problem_count=1)
    words = text.rsplit("가운데 1번째", 1)[1].split("오늘 여기까지")[0]
    assert re.search("맞았어|정답|완벽|딱 맞아|바로 그거", words)


def test_an_impulsive_child_gets_a_training_that_can_be_played(play: Any) -> None:
    """Two steps an item: the sign or the size first, then the result; a child that knows neither ends it too."""
    answers = iter(["5", *["커"] * 100])
    text, trace = play(
        lambda _: next(answers, "그만"), seconds=0.3, c_position=8, first_problem="47+26", problem_count=2
    )
    kinds = [turn["event"]["type"] for turn in trace["turns"]]
    assert kinds[:2] == ["answer_submitted", "training_done"]
    results = trace["turns"][1]["event"]["results"]
    assert judged(rules().catalogue.trainings["T30"], results["items"]) == [False] * len(results["items"])
    assert kinds[2] == "training_done", "below its rule it comes once more"
    assert "연습 · " in text
    assert not any(praise in text for praise in ("성공", "멋지게 멈췄어", "푼 문제"))
    assert text.count("2문제 가운데 1번째") == 2, "the same problem comes again after the training"


@pytest.mark.parametrize(("first", "said"), [("나누기", "맞았어!"), ("빼기", "괜찮아.")])
def test_each_step_says_how_it_went_and_shows_the_problem_again(first: str, said: str) -> None:
    answers = iter([first, "4"])
    terminal = Terminal(lambda _: next(answers))
    console = Console(file=terminal.screen, width=100)
    game = PlaySession(console, asyncio.run, None, safety(None), ask=terminal.ask)  # type: ignore[arg-type]
    item = {
        "ask": "sign",
        "params": {"a": 12, "op": "/", "b": 3, "wait_ms": 1500},
        "steps": [
            {"prompt": ["기호는 무엇일까?"], "answer": "나누기", "choices": ["빼기", "나누기"]},
            {"prompt": ["이제 해 볼까?"], "answer": 4},
        ],
        "hint": "손으로 짚어 봐.",
    }
    assert game._item("stop_think_go", item) == [first, "4"]
    one, two = terminal.screen.getvalue().split(said)
    assert "힌트" in one
    assert "12 ÷ 3" in one
    assert "힌트" not in two
    assert two.index("12 ÷ 3") < two.index("이제 해 볼까?")


@pytest.mark.parametrize(
    ("line", "answer", "right"),
    [
        ("빌려 오기", "빌려 오기", True),
        ("빌려오기", "빌려 오기", True),
        ("그냥 빼기", "빌려 오기", False),
        ("2", "2번", True),
        ("52-38", "52−38", True),
        ("7*8", "7×8", True),
        ("7X8", "7×8", True),
        ("7+8", "7×8", False),
        ("12", 12, True),
        ("1", 12, False),
    ],
)
def test_words_count_as_a_keyboard_writes_them_and_enter_alone_is_no_answer(
    line: str,
    answer: int | str,
    right: bool,
) -> None:
    answers = iter(["", "", line])
    terminal = Terminal(lambda _: next(answers))
    game = PlaySession(Console(file=terminal.screen), asyncio.run, None, safety(None), ask=terminal.ask)  # type: ignore[arg-type]
    step = {"prompt": ["1에서 8을 빼려면?"], "answer": answer}
    given = game._item("vertical", {"ask": "lend", "params": {"a": 81, "b": 38}, "steps": [step]})
    assert fits(given[-1], answer) is right


def test_a_training_that_goes_well_ends_by_its_own_rule(play: Any) -> None:
    begun = False

    def child(screen: str) -> str:
        """Reads the sum that is drawn, and what is asked about it."""
        nonlocal begun
        drawn = read(re.findall(r"\d+ [+−×÷] \d+", screen)[-1])
        assert drawn is not None
        if "얼마일까" in screen:
            return str(drawn.answer)
        if size := re.search(r"(\d+)보다", screen):
            return "커" if drawn.answer > int(size[1]) else "작아"
        begun, first = True, not begun
        return "5" if first else "그만"

    _, trace = play(child, seconds=0.3, c_position=8, first_problem="47+26", problem_count=1)
    results, training = trace["turns"][1]["event"]["results"], rules().catalogue.trainings["T30"]
    assert judged(training, results["items"]) == [True] * training.done.of
    assert trace["turns"][2]["event"]["type"] != "training_done"


def test_a_screening_is_played_in_the_terminal(play: Any) -> None:
    """A child that says how many dots it sees and "모르겠어" to all else."""

    def child(screen: str) -> str:
        return str(screen.count("●")) if "몇 개일까?" in screen else "모르겠어"

    screen, trace = play(child, mode="number_sense", capabilities=Capabilities(widgets=True))
    assert "오늘 여기까지" in screen
    assert len(trace["turns"]) == SCREENING_ITEMS


def test_a_place_on_a_line_is_a_letter(play: Any) -> None:
    answers = iter(["7", "c"])

    def child(screen: str) -> str:
        if "글자" in screen or " a b c " in screen:
            return next(answers, "c")
        return "모르겠어"

    screen, trace = play(child, mode="number_sense", capabilities=Capabilities(widgets=True))
    placed = [turn["event"]["answer"] for turn in trace["turns"] if turn["event"]["type"] == "answer_submitted"]
    assert "알맞은 자리의 글자를" in screen
    assert {*placed} == {2, 8}  # the third letter of 0 to 10, and of 0 to 100
