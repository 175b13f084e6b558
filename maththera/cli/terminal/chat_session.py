"""`maththera chat`: a conversation in the terminal, with its charts, on the service itself, without HTTP."""

import asyncio
from collections.abc import Callable, Mapping
from contextlib import aclosing, nullcontext
from dataclasses import dataclass
from typing import Any, Final
from uuid import uuid4

import typer
from redis.exceptions import RedisError
from rich import box
from rich.console import Console, Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

from maththera.chat.service import ChatService, NewTurn, ThreadBusy, ThreadNotFound
from maththera.cli.command_errors import EXIT_CODE
from maththera.cli.terminal.background_loop import Finish
from maththera.cli.terminal.dialogue import STORE_DOWN, Ask, consented, open_service, typed_line
from maththera.store.access.authorization import Principal
from maththera.store.conversations import Profile
from maththera.store.database import StoreUnavailable

_STOP: Final = frozenset({"그만", "끝", "종료"})
_HELP: Final = {
    "coach": "무엇이든 물어봐. 그만하고 싶으면 '그만'을 적어.",
    "assistant": "질문을 적고 Enter를 누르세요. '종료'를 적으면 끝납니다.",
}
_LATER: Final = "다음에 이어서 이야기하려면: --thread {thread}"
_NEW: Final = "'{thread}'라는 대화는 아직 없어서 새로 시작합니다."
_LEVELS: Final = {"elementary": "초등", "beginner": "입문", "intermediate": "중급", "advanced": "고급"}
_LONGEST: Final = 4_000
_TOO_LONG: Final = {
    "coach": "한 번에 4,000자까지 적을 수 있어. 조금씩 나누어 적어 줘.",
    "assistant": "한 번에 4,000자까지 적을 수 있습니다.",
}
_BUSY: Final = "이 대화에서 다른 질문에 답하는 중입니다. 잠시 뒤에 다시 적어 주세요."


def run(
    student: str, profile: Profile, difficulty: str | None, thread: str | None, *, both_levels: bool = False
) -> None:
    console = Console(highlight=False)
    # Whoever can start this can read the records anyway.
    who = (
        Principal("terminal", "student", frozenset({student})) if profile == "coach" else Principal("terminal", "admin")
    )
    with (
        open_service() as (finish, services),
        consented(console, finish, services.learners, student) if profile == "coach" else nullcontext(),
    ):
        level = None if both_levels else services.front_ends.levels.level_pair(difficulty)[1].name
        talk = ChatSession(console, finish, services.chat, who, level=level)
        if thread is not None and not finish(_is_known(services.chat, who, thread)):
            console.print(_NEW.format(thread=thread), style="dim", markup=False)
        try:
            talk.go_on(NewTurn("", profile, thread or uuid4().hex, difficulty=difficulty))
        except ThreadNotFound:
            typer.echo(f"no conversation {thread} of {student}", err=True)
            raise typer.Exit(EXIT_CODE) from None


async def _is_known(service: ChatService, who: Principal, thread: str) -> bool:
    try:
        await service.conversation(who, thread)
    except ThreadNotFound:
        return False
    return True


@dataclass(frozen=True, slots=True)
class ChatSession:
    """One conversation: reads a line and shows the answer, until the user ends it. `level`: the one that is shown of
    the assistant's two; None for both."""

    console: Console
    finish: Finish
    service: ChatService
    who: Principal
    ask: Ask = input
    level: str | None = None

    def go_on(self, wanted: NewTurn) -> None:
        """`wanted`: profile, thread and difficulty of every turn. Raises ThreadNotFound for somebody else's thread."""
        self.console.print(_HELP[wanted.profile], style="dim")
        try:
            while (line := typed_line(self.ask)) not in _STOP:
                if len(line) > _LONGEST:
                    self.console.print(_TOO_LONG[wanted.profile], style="red")
                elif line:
                    self.finish(self._turn(wanted, line))
        except (EOFError, KeyboardInterrupt):
            self.console.print()
        self.console.print(_LATER.format(thread=wanted.thread_id), style="dim", soft_wrap=True)

    async def _turn(self, wanted: NewTurn, line: str) -> None:
        """Ctrl-C ends the turn, and with it the conversation."""
        turn = NewTurn(line, wanted.profile, wanted.thread_id, difficulty=wanted.difficulty)
        try:
            run_id = await self.service.start(self.who, turn)
        except (RedisError, StoreUnavailable):
            heard = await self.service.heard(self.who, turn)
            self.console.print(heard.answer or STORE_DOWN, style=None if heard.answer else "red")
            return
        except ThreadBusy:
            self.console.print(_BUSY, style="red")
            return
        shown = ReplyPrinter(self.console, to_child=wanted.profile == "coach", level=self.level)
        try:
            async with aclosing(self.service.events(run_id)) as events:
                async for _, event in events:
                    shown.show(event)
        except asyncio.CancelledError:
            await self.service.cancel(self.who, run_id)
            raise


class ReplyPrinter:
    """The events of a turn as they come. Of the assistant's two levels one is shown; of both, the second after the
    first. A child sees no tool, no intent and no score."""

    def __init__(self, console: Console, *, to_child: bool, level: str | None = None) -> None:
        """`level`: the one that is shown; None for both."""
        self._console, self._to_child, self._both = console, to_child, level is None
        self._level = level
        self._waiting: dict[str, list[str]] = {}
        self._told = self._in_text = False

    def show(self, event: Mapping[str, Any]) -> None:
        kind = event["type"]
        if kind == "token":
            self._token(event["token"], event.get("level"))
            return
        if kind == "final":
            self._rest()
        self._end_of_text()
        if kind == "chart_data":
            if drawn := draw(event["chart"], figures=not self._to_child):
                self._console.print(drawn)
        elif line := (_TO_CHILD if self._to_child else _TO_ADULT).get(kind, _nothing)(event):
            self._console.print(line, style="red" if kind == "error" else "dim", markup=False)

    def _token(self, token: str, level: str | None) -> None:
        if self._both and self._level is None and level is not None:
            self._level = level
            self._console.print(f"[{_LEVELS.get(level, level)}]", style="bold", markup=False)
        if level in (None, self._level):
            self._console.print(token, end="", markup=False, soft_wrap=True)
            self._told = self._in_text = True
        else:
            self._waiting.setdefault(str(level), []).append(token)

    def _rest(self) -> None:
        """The other level; where one is shown, the higher of those that a message has asked for instead."""
        shown = self._waiting if self._both else {} if self._told else dict([*_by_level(self._waiting)][-1:])
        for level, tokens in shown.items():
            self._end_of_text()
            if self._both:
                self._console.print(f"[{_LEVELS.get(level, level)}]", style="bold", markup=False)
            self._console.print("".join(tokens), markup=False, soft_wrap=True)
        self._waiting = {}

    def _end_of_text(self) -> None:
        if self._in_text:
            self._console.print("\n")
        self._in_text = False


def _by_level(waiting: Mapping[str, list[str]]) -> list[tuple[str, list[str]]]:
    """The lower level first."""
    return sorted(waiting.items(), key=lambda pair: [*_LEVELS].index(pair[0]) if pair[0] in _LEVELS else 0)


def _nothing(_: Mapping[str, Any]) -> str:
    return ""


def _step(event: Mapping[str, Any]) -> str:
    arguments = ", ".join(f"{name}={value}" for name, value in event["arguments"].items())
    return f"  → {event['tool']}({arguments})"


_TO_CHILD: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {"error": lambda event: str(event["message"])}
_TO_ADULT: Final[Mapping[str, Callable[[Mapping[str, Any]], str]]] = {
    **_TO_CHILD,
    "thinking": lambda event: f"… {event['message']}",
    "step_start": _step,
    "fallback": lambda event: f"  ↷ {event['from']} → {event['to']}",
}


Data = Mapping[str, Any]

_LENGTH: Final = 24  # of the longest bar
_HEIGHT: Final = 6  # of a line's plot
_COLORS: Final = ("cyan", "magenta", "yellow")
_EIGHTHS: Final = " ▏▎▍▌▋▊▉"


def draw(chart: Mapping[str, Any], *, figures: bool = True) -> RenderableType | None:
    """Draws a chart of the event `chart_data`. Without `figures`, as for a child, it has lengths and heights alone; a
    table, which has nothing else, is left out."""
    data = chart["data"]
    if not figures:
        if data.get("columns"):
            return None
        data = {**data, "figures": False}
    drawn: RenderableType = Text("아직 그릴 것이 없어.", style="dim")
    if data.get("columns"):
        drawn = _table(data)
    elif data["labels"] and data["series"]:
        drawn = _DRAWN[chart["chart_type"]](data)
    return Padding(Panel(drawn, title=chart["title"], box=box.ROUNDED, expand=False), (0, 2))


def _bars(data: Data) -> RenderableType:
    """One bar for each value; a radar is drawn so too, as a terminal has no polygons."""
    grid = Table.grid(padding=(0, 1))
    several = len(data["series"]) > 1
    for place, label in enumerate(data["labels"]):
        for number, series in enumerate(data["series"]):
            value, color = series["values"][place], _COLORS[number % len(_COLORS)]
            named = [Text(label if number == 0 else ""), *([Text(series["name"], style=color)] if several else [])]
            grid.add_row(*named, Text(_bar(value, data["max"]), style=color), Text(_figure(value, data)))
    return grid


def _progress(data: Data) -> RenderableType:
    """As bars, with what is left to do."""
    grid = Table.grid(padding=(0, 1))
    for place, label in enumerate(data["labels"]):
        value = data["series"][0]["values"][place]
        done = round(_LENGTH * (value or 0) / data["max"])
        bar = Text("█" * done, style="green").append("░" * (_LENGTH - done), style="dim")
        grid.add_row(Text(label), bar, Text(_figure(value, data, "%")))
    return grid


def _line(data: Data) -> RenderableType:
    """Points over time, the oldest to the left."""
    values = data["series"][0]["values"]
    width = max(len(label) for label in data["labels"]) + 2
    heights = [None if value is None else round((_HEIGHT - 1) * value / data["max"]) for value in values]
    rows = [
        Text("".join(("●" if height == level else " ").rjust(width) for height in heights), style="cyan")
        for level in range(_HEIGHT - 1, -1, -1)
    ]
    under = Text("".join(label.rjust(width) for label in data["labels"]), style="dim")
    spread = Text("".join(_figure(value, data).rjust(width) for value in values))
    return Group(*rows, Text("─" * (width * len(values)), style="dim"), under, spread)


def _table(data: Data) -> RenderableType:
    table = Table(box=box.SIMPLE_HEAD)
    for column in data["columns"]:
        table.add_column(Text(str(column)), overflow="fold")
    for row in data["rows"]:
        table.add_row(*(Text(_number(cell)) for cell in row))
    return table


_DRAWN: Final = {"bar": _bars, "radar": _bars, "line": _line, "progress": _progress}


def _bar(value: float | None, most: float) -> str:
    eighths = round(8 * _LENGTH * (value or 0) / most)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _figure(value: float | None, data: Data, unit: str = "") -> str:
    return f"{_number(value)}{unit}" if data.get("figures", True) else ""


def _number(value: object) -> str:
    return "–" if value is None else str(value)
