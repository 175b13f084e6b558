"""A conversation in the terminal: steps, charts, words as they come."""

import asyncio
import io
from collections.abc import AsyncIterator, Iterator
from typing import Any

import pytest
from redis.exceptions import ConnectionError as RedisConnectionError
from rich.console import Console

from maththera.chat.service import NewTurn, ThreadBusy
from maththera.cli.terminal.chat_session import ChatSession, ReplyPrinter
from maththera.store.access.authorization import Principal
from maththera.words.danger.message_safety import Place, SafetyResult, Sender
from tests.support.words import safety

CHILD = Principal("terminal", "student", frozenset({"s1"}))
BARS = {"labels": ["C7", "C8"], "series": [{"name": "평균", "values": [50, 100]}], "max": 100}
TURN: list[dict[str, Any]] = [
    {"type": "intent_detected", "intent_type": "A", "intent_name": "데이터 조회형", "confidence": 0.9},
    {"type": "thinking", "message": "생각 중..."},
    {"type": "step_start", "tool": "get_user_scores", "arguments": {"unit_id": "Cur-C7"}},
    {"type": "step_result", "tool": "get_user_scores", "result": {}, "cached": False},
    {"type": "chart_data", "chart": {"chart_type": "bar", "title": "점수", "data": BARS}},
    {"type": "token", "token": "잘하고 "},
    {"type": "token", "token": "있어 [점수]."},
    {"type": "final"},
]


class FakeService:
    """Plays `events` for every message."""

    def __init__(self, events: list[dict[str, Any]] | None = None, refuses: Exception | None = None) -> None:
        self.events_, self.refuses = TURN if events is None else events, refuses
        self.said: list[NewTurn] = []

    async def start(self, who: Principal, wanted: NewTurn) -> str:  # noqa: ARG002
        if self.refuses:
            raise self.refuses
        self.said.append(wanted)
        return "r1"

    async def heard(self, who: Principal, wanted: NewTurn) -> SafetyResult:
        return await safety(None).check_message(wanted.message, Sender(who.role, "s1"), Place("coach", "t1"), "m1")

    async def events(self, run_id: str, last_id: str = "0-0") -> AsyncIterator[Any]:  # noqa: ARG002
        for number, event in enumerate(self.events_):
            yield f"1-{number}", event


def talk(service: FakeService, *lines: str, profile: Any = "coach") -> str:
    typed: Iterator[str] = iter(lines)

    def ask(_: str) -> str:
        try:
            return next(typed)
        except StopIteration:
            raise EOFError from None

    console = Console(file=io.StringIO(), width=80, highlight=False)
    with asyncio.Runner() as runner:
        ChatSession(console, runner.run, service, CHILD, ask=ask).go_on(NewTurn("", profile, "t1"))  # type: ignore[arg-type]
    shown: str = console.file.getvalue()  # type: ignore[attr-defined]
    return shown


def test_a_turn() -> None:
    service = FakeService()
    shown = talk(service, "내 성적은?", "", "  ", "그만", "안 읽는 말")
    assert [one.message for one in service.said] == ["내 성적은?"]
    assert service.said[0].thread_id == "t1"
    assert "잘하고 있어 [점수]." in shown
    assert shown.index("C8") < shown.index("잘하고")
    assert "다음에 이어서 이야기하려면: --thread t1" in shown


def test_a_child_sees_no_tool_no_intent_and_no_score() -> None:
    shown = talk(FakeService(), "내 성적은?")
    for hidden in ("데이터 조회형", "90%", "get_user_scores", "unit_id", "50", "100", "생각 중"):
        assert hidden not in shown


def test_an_adult_sees_the_steps_and_the_figures() -> None:
    shown = talk(FakeService(), "성적은?", profile="assistant")
    for part in ("… 생각 중...", "→ get_user_scores(unit_id=Cur-C7)", "50", "100"):
        assert part in shown


def test_who_says_thank_you_is_not_told_that_it_is_out_of_scope() -> None:
    kind = {"type": "intent_detected", "intent_type": "D", "intent_name": "범위 밖", "confidence": 1.0}
    shown = talk(FakeService([kind, {"type": "token", "token": "나도 고마워!"}, {"type": "final"}]), "고마워")
    assert "나도 고마워!" in shown
    assert "범위 밖" not in shown


def test_both_levels() -> None:
    tokens = [("elementary", "쉬운 "), ("beginner", "입문 "), ("elementary", "말."), ("beginner", "말.")]
    events = [{"type": "token", "token": token, "level": level} for level, token in tokens] + [{"type": "final"}]
    shown = talk(FakeService(events), "자릿값이 뭐야?", profile="assistant")
    assert "[초등]\n쉬운 말.\n" in shown
    assert "[입문]\n입문 말." in shown


@pytest.mark.parametrize(
    ("refuses", "said"), [(RedisConnectionError(), "저장소에 닿지"), (ThreadBusy("r0"), "다른 질문에 답하는")]
)
def test_what_cannot_begin_is_said(refuses: Exception, said: str) -> None:
    assert said in talk(FakeService(refuses=refuses), "안녕")


def test_danger_is_answered_also_where_no_turn_can_begin() -> None:
    assert "109" in talk(FakeService(refuses=RedisConnectionError()), "나는 죽고 싶어")


def test_too_long_a_line_is_not_sent() -> None:
    service = FakeService()
    assert "4,000자" in talk(service, "가" * 4001)
    assert service.said == []


@pytest.mark.parametrize(
    ("chart_type", "data"),
    [
        ("bar", BARS),
        ("radar", {**BARS, "series": [{"name": "가", "values": [1, 2]}, {"name": "나", "values": [3, None]}]}),
        ("line", BARS),
        ("progress", BARS),
        ("table", {"columns": ["단원", "점수"], "rows": [["C7", 50], ["C8", None]]}),
    ],
)
def test_every_chart_is_drawn(chart_type: str, data: dict[str, Any]) -> None:
    assert "C8" in drawn(chart_type, data)


@pytest.mark.parametrize("chart_type", ["bar", "radar", "line", "progress"])
def test_a_frame_without_values(chart_type: str) -> None:
    assert "아직 그릴 것이 없어." in drawn(chart_type, {"labels": ["정확도"], "series": [], "max": 100})


@pytest.mark.parametrize("chart_type", ["bar", "radar", "line", "progress"])
def test_what_a_child_sees_of_a_chart_has_no_figures(chart_type: str) -> None:
    data = {"labels": ["합", "차"], "series": [{"name": "평균", "values": [50, 100]}], "max": 100}
    shown = drawn(chart_type, data, to_child=True)
    assert "차" in shown
    assert not any(char.isdigit() or char == "%" for char in shown)


def test_a_child_sees_no_table_of_scores() -> None:
    console = Console(file=io.StringIO(), width=100)
    table = {"columns": ["단원", "점수"], "rows": [["C7", 50]]}
    event = {"type": "chart_data", "chart": {"chart_type": "table", "title": "제목", "data": table}}
    ReplyPrinter(console, to_child=True).show(event)
    assert console.file.getvalue() == ""  # type: ignore[attr-defined]


def drawn(chart_type: str, data: dict[str, Any], *, to_child: bool = False) -> str:
    console = Console(file=io.StringIO(), width=100)
    ReplyPrinter(console, to_child=to_child).show(
        {"type": "chart_data", "chart": {"chart_type": chart_type, "title": "제목", "data": data}}
    )
    shown: str = console.file.getvalue()  # type: ignore[attr-defined]
    assert "제목" in shown
    return shown
