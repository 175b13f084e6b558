"""`maththera lesson`: a lesson in the terminal, on the service itself, without HTTP."""

import time
from collections.abc import Callable, Coroutine, Iterator, Mapping
from dataclasses import dataclass
from itertools import takewhile
from typing import Any, Final, TypeVar, cast

import typer
from redis.exceptions import RedisError
from rich.console import Console

from maththera.cli.command_errors import EXIT_CODE
from maththera.cli.terminal import counting_pictures
from maththera.cli.terminal.background_loop import Finish
from maththera.cli.terminal.dialogue import STORE_DOWN, Ask, consented, open_service, typed_line
from maththera.lessons.courses.course import UserType
from maththera.lessons.lesson_requests import LONGEST, LessonMessage, NewLesson
from maththera.lessons.service import InvalidLesson, LessonService, WrongStage
from maththera.lessons.state import SPEAKER, TutorState
from maththera.runtime.leases import LeaseTimeout
from maththera.store.database import RETRY_AFTER_S, StoreUnavailable

T = TypeVar("T")

_STOP: Final = frozenset({"그만", "끝", "그만할래", "종료", "exit", "quit"})
_HELP: Final = (
    "하고 싶은 말을 적고 Enter를 누르세요. 문제에는 번호나 답을 적고, '힌트'를 부탁하거나 질문할 수 있습니다. "
    "'그만'을 적으면 끝납니다."
)
_GOES_ON: Final = "지난번에 하던 곳에서 이어서 합니다. 처음부터 하려면 --chapter 1로 시작하세요."
_WAIT: Final = "잠깐만 기다려 주세요."
_TOO_LONG: Final = f"한 번에 {LONGEST:,}자까지 적을 수 있습니다."
_TRIES: Final = 5
"""How often a turn is sent while a store is busy; its request id keeps it from counting twice."""


class TurnLost(RuntimeError):
    """A turn was broken off."""


_AWAY: Final = (StoreUnavailable, RedisError, LeaseTimeout, TurnLost)


def run(student: str, user_type: UserType, course: str | None, chapter: int | None) -> None:
    console = Console(highlight=False)
    wanted = NewLesson(user_id=student, user_type=user_type, course=course, chapter=chapter)
    with open_service() as (finish, resources):
        try:
            with consented(console, finish, resources.learners, student):
                LessonSession(console, finish, resources.lessons).begin(wanted)
        except InvalidLesson as error:
            typer.echo(f"{error.loc.removeprefix('body.')}: {error.msg}", err=True)
            raise typer.Exit(EXIT_CODE) from None
        except _AWAY:
            typer.echo(STORE_DOWN, err=True)
            raise typer.Exit(EXIT_CODE) from None


def _said_last(state: TutorState) -> Iterator[str]:
    """The last words that wait for the learner's reply, the open question first."""
    said = [*takewhile(lambda one: one["message_type"] != "user", reversed(state["current_session_conversations"]))]
    messages = [one["message"] for one in reversed(said) if one["message_type"] == "system"]
    if state["ui_mode"] == "quiz" and state["current_question_content"] not in messages:
        yield state["current_question_content"]
    yield from messages


@dataclass(frozen=True, slots=True)
class LessonSession:
    """One lesson: shows the sentences as they come, sends what the learner writes. `sleep` lets seconds pass."""

    console: Console
    finish: Finish
    service: LessonService
    ask: Ask = input
    sleep: Callable[[float], None] = time.sleep

    def begin(self, wanted: NewLesson) -> None:
        """The learner's last lesson goes on, unless a chapter is named. Raises InvalidLesson, and
        _AWAY where no store can be reached."""
        going_on = self._patiently(lambda: self.service.unfinished(wanted)) if wanted.chapter is None else None
        lesson_id, state = going_on or self._patiently(lambda: self.service.create(wanted))
        self.console.print(_HELP, style="dim")
        if going_on:
            self.console.print(_GOES_ON, style="dim")
        for message in _said_last(state):
            self.console.print(message, end="\n\n", markup=False)
        try:
            while (line := typed_line(self.ask)) not in _STOP:
                if len(line) > LONGEST:
                    self.console.print(_TOO_LONG, style="red")
                elif line and not self._send(lesson_id, LessonMessage(message=line)):
                    return
        except (EOFError, KeyboardInterrupt):
            self.console.print()

    def _send(self, lesson_id: str, said: LessonMessage) -> bool:
        """Whether the lesson goes on."""
        inbox = said.inbox()
        try:
            self._patiently(lambda: self._follow(lesson_id, inbox))
        except WrongStage:
            return False
        except _AWAY:
            self.console.print(STORE_DOWN, style="red")
        return True

    def _patiently(self, work: Callable[[], Coroutine[Any, Any, T]]) -> T:
        """Repeats a call while a store is busy; the error of the last try is raised."""
        for _ in range(_TRIES - 1):
            try:
                return cast("T", self.finish(work()))
            except _AWAY:
                self.console.print(_WAIT, style="dim")
                self.sleep(RETRY_AFTER_S)
        return cast("T", self.finish(work()))

    async def _follow(self, lesson_id: str, inbox: Any) -> None:
        """Shows the events of a turn. Raises TurnLost if the turn breaks off."""
        last: Mapping[str, Any] = {"type": "error"}
        async for _, event in self.service.events(await self.service.begin(lesson_id, inbox)):
            last = event
            if event["type"] == "agent" and event["agent"] != SPEAKER:
                self.console.print(f"· {event['title']}", style="dim")
            elif event["type"] == "picture":
                self.console.print(counting_pictures.draw(event["picture"]), end="\n\n")
            elif event["type"] == "token":
                self.console.print(event["text"], end="", markup=False, soft_wrap=True)
        self.console.print("\n")
        if last["type"] != "final":
            raise TurnLost(last)
