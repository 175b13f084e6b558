"""`maththera chat`: a conversation in the terminal, on the service itself, without HTTP."""

import asyncio
from collections.abc import Callable, Iterator, Mapping
from contextlib import aclosing, contextmanager, nullcontext
from typing import Any, Final
from uuid import uuid4

import typer
from redis.exceptions import RedisError
from rich.console import Console

from maththera.api.composition import Content, open_resources
from maththera.api.services import Resources
from maththera.chat.service import ChatService, NewTurn, ThreadBusy, ThreadNotFound
from maththera.cli.command_errors import EXIT_CODE, exit_on_user_error
from maththera.cli.consents import consented
from maththera.cli.store_setup import stores
from maththera.cli.terminal import chat_charts
from maththera.cli.terminal.background_loop import Finish, running_loop
from maththera.settings import Settings
from maththera.store.access.authorization import Principal
from maththera.store.conversations import Profile
from maththera.store.database import StoreUnavailable

Ask = Callable[[str], str]
"""Shows a prompt and reads one line; EOFError or KeyboardInterrupt when there is nothing more to say."""

_STOP: Final = frozenset({"그만", "끝", "종료"})
_HELP: Final = {
    "coach": "무엇이든 물어봐. 그만하고 싶으면 '그만'을 적어.",
    "assistant": "질문을 적고 Enter를 누르세요. '종료'를 적으면 끝납니다.",
}
_LATER: Final = "다음에 이어서 이야기하려면: --thread {thread}"
_LEVELS: Final = {"elementary": "초등", "beginner": "입문", "intermediate": "중급", "advanced": "고급"}
_LONGEST: Final = 4_000
_TOO_LONG: Final = {
    "coach": "한 번에 4,000자까지 적을 수 있어. 조금씩 나누어 적어 줘.",
    "assistant": "한 번에 4,000자까지 적을 수 있습니다.",
}
_DOWN: Final = "지금은 저장소에 닿지 않습니다. 잠시 뒤에 다시 적어 주세요."
_BUSY: Final = "이 대화에서 다른 질문에 답하는 중입니다. 잠시 뒤에 다시 적어 주세요."


def run(student: str, profile: Profile, difficulty: str | None, thread: str | None) -> None:
    console = Console(highlight=False)
    # Whoever can start this can read the records anyway.
    who = (
        Principal("terminal", "student", frozenset({student})) if profile == "coach" else Principal("terminal", "admin")
    )
    with (
        exit_on_user_error(),
        stores(Settings.from_environment(), join=True) as settings,
        running_loop() as finish,
        _opened(finish, settings) as resources,
        consented(console, finish, resources.learners, student) if profile == "coach" else nullcontext(),
    ):
        talk = ChatSession(console, finish, resources.chat, who)
        try:
            talk.go_on(NewTurn("", profile, thread or uuid4().hex, difficulty=difficulty))
        except ThreadNotFound:
            typer.echo(f"no conversation {thread} of {student}", err=True)
            raise typer.Exit(EXIT_CODE) from None


@contextmanager
def _opened(finish: Finish, settings: Settings) -> Iterator[Resources]:
    opening = open_resources(settings, Content.load(settings))
    resources = finish(opening.__aenter__())
    try:
        yield resources
    finally:
        finish(opening.__aexit__(None, None, None))


class ChatSession:
    """One conversation: reads a line, shows what comes of it, until there is nothing more to say."""

    def __init__(
        self,
        console: Console,
        finish: Finish,
        service: ChatService,
        who: Principal,
        *,
        ask: Ask = input,
    ) -> None:
        self._console, self._finish, self._service, self._who, self._ask = console, finish, service, who, ask

    def go_on(self, wanted: NewTurn) -> None:
        """`wanted`: profile, thread and difficulty of every turn. Raises ThreadNotFound for somebody else's thread."""
        self._console.print(_HELP[wanted.profile], style="dim")
        try:
            while (line := self._line()) not in _STOP:
                if len(line) > _LONGEST:
                    self._console.print(_TOO_LONG[wanted.profile], style="red")
                elif line:
                    self._finish(self._turn(wanted, line))
        except (EOFError, KeyboardInterrupt):
            self._console.print()
        self._console.print(_LATER.format(thread=wanted.thread_id), style="dim", soft_wrap=True)

    def _line(self) -> str:
        return self._ask("> ").encode(errors="replace").decode().strip()  # what was typed may be no Unicode

    async def _turn(self, wanted: NewTurn, line: str) -> None:
        """Ctrl-C ends the turn, and with it the conversation."""
        turn = NewTurn(line, wanted.profile, wanted.thread_id, difficulty=wanted.difficulty)
        try:
            run_id = await self._service.start(self._who, turn)
        except (RedisError, StoreUnavailable):
            heard = await self._service.heard(self._who, turn)
            self._console.print(heard.answer or _DOWN, style=None if heard.answer else "red")
            return
        except ThreadBusy:
            self._console.print(_BUSY, style="red")
            return
        shown = ReplyPrinter(self._console, to_child=wanted.profile == "coach")
        try:
            async with aclosing(self._service.events(run_id)) as events:
                async for _, event in events:
                    shown.show(event)
        except asyncio.CancelledError:
            await self._service.cancel(self._who, run_id)
            raise


class ReplyPrinter:
    """The events of a turn as they come. Of two levels, the first is shown at once, the other after it. A child sees no
    tool, no intent and no score."""

    def __init__(self, console: Console, *, to_child: bool) -> None:
        self._console, self._to_child = console, to_child
        self._level: str | None = None
        self._waiting: dict[str, list[str]] = {}
        self._in_text = False

    def show(self, event: Mapping[str, Any]) -> None:
        kind = event["type"]
        if kind == "token":
            self._token(event["token"], event.get("level"))
            return
        if kind == "final":
            self._rest()
        self._end_of_text()
        if kind == "chart_data":
            if drawn := chat_charts.draw(event["chart"], figures=not self._to_child):
                self._console.print(drawn)
        elif line := (_TO_CHILD if self._to_child else _TO_ADULT).get(kind, _nothing)(event):
            self._console.print(line, style="red" if kind == "error" else "dim", markup=False)

    def _token(self, token: str, level: str | None) -> None:
        if self._level is None and level is not None:
            self._level = level
            self._console.print(f"[{_LEVELS.get(level, level)}]", style="bold", markup=False)
        if level == self._level:
            self._console.print(token, end="", markup=False, soft_wrap=True)
            self._in_text = True
        else:
            self._waiting.setdefault(str(level), []).append(token)

    def _rest(self) -> None:
        for level, tokens in self._waiting.items():
            self._end_of_text()
            self._console.print(f"[{_LEVELS.get(level, level)}]", style="bold", markup=False)
            self._console.print("".join(tokens), markup=False, soft_wrap=True)
        self._waiting = {}

    def _end_of_text(self) -> None:
        if self._in_text:
            self._console.print("\n")
        self._in_text = False


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
