"""`maththera play`: a child's session in the terminal, on the service itself, without HTTP."""

import sys
import termios
import time
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field, replace
from typing import Any, Final, TypeVar
from uuid import uuid4

from rich.console import Console

from maththera.api.services import OpenServices
from maththera.arithmetic.answer_parser import parse_answer
from maththera.cli.terminal import counting_pictures, play_screen, training_widgets
from maththera.cli.terminal.background_loop import Finish
from maththera.cli.terminal.dialogue import Ask, consented, open_service
from maththera.store.database import StoreUnavailable
from maththera.tutoring.content.training_results import is_right
from maththera.tutoring.session.service import TutoringService
from maththera.tutoring.session.session_start import NewSession
from maththera.words.danger.message_safety import MessageSafety, Place, SafetyResult, Sender

T = TypeVar("T")

_STOP: Final = frozenset({"그만", "끝", "그만할래"})
_WAIT: Final = "잠깐만 기다려 줘."
_TRIES: Final = 5
"""A turn that a busy disk did not take is sent again; its request_id keeps it from counting twice."""
_GO_ON: Final = ["아까 하던 데부터", "이어서 하자."]
_STEP_RIGHT: Final = ["맞았어!"]
_STEP_WRONG: Final = ["괜찮아.", "이어서 해 보자."]
_LONGEST: Final = 64
_CHOICES: Final = "아래에 보이는 수 가운데 답이 있어. 하나를 골라 그 수를 적으면 돼."
_HELP: Final = "숫자를 적고 Enter를 눌러. 모르겠으면 ? 를, 그만하고 싶으면 '그만'을 적어."


_WHICH_LETTER: Final = "글자: "
_LETTER_HELP: Final = "알맞은 자리의 글자를 적고 Enter를 눌러. 모르겠으면 ? 를 적어."


class _Stopped(Exception):
    """The child has had enough."""


def run(wanted: NewSession, *, resume: bool, show_diagnosis: bool) -> None:
    console = Console()
    with (
        open_service() as (finish, services),
        consented(console, finish, services.learners, wanted.student_id),
    ):
        game = PlaySession(
            console, finish, services.tutoring, services.safety, ask=_fresh_line, show_diagnosis=show_diagnosis
        )
        game.play(replace(wanted, grade=finish(_grade(services, wanted))), resume=resume)


async def _grade(services: OpenServices, wanted: NewSession) -> int | None:
    """The child's grade by its records, into which one that is said now goes first."""
    records, student_id = services.learners.records, wanted.student_id
    if wanted.grade is not None:
        await records.change(student_id, {"grade": wanted.grade})
    return (await records.profiles([student_id]))[student_id].grade


def _fresh_line(prompt: str) -> str:
    """A line typed from now on: keys pressed before the question was there are no answer to it, and no quick one."""
    if sys.stdin.isatty():
        termios.tcflush(sys.stdin, termios.TCIFLUSH)
    return input(prompt)


@dataclass(slots=True)
class PlaySession:
    """One session: shows a task, waits for the answer, says what the service answers, until there is no task. `clock`
    counts seconds, `sleep` lets them pass."""

    console: Console
    finish: Finish
    service: TutoringService
    safety: MessageSafety
    ask: Ask = input
    clock: Callable[[], float] = time.monotonic
    sleep: Callable[[float], None] = time.sleep
    show_diagnosis: bool = False
    session_id: str = field(init=False, default="")
    _student_id: str = field(init=False, default="")
    _problems: int = field(init=False, default=0)
    _choices_explained: bool = field(init=False, default=False)
    _started: float = field(init=False, default=0.0)

    def play(self, wanted: NewSession, *, resume: bool = False) -> None:
        """`resume`: go on with the child's open session, if there is one."""
        left_open = self.finish(self.service.open_session(wanted.student_id, wanted.capabilities)) if resume else None
        view = left_open or self.finish(self.service.create(wanted))
        self.session_id, self._student_id = view["session_id"], view["student_id"]
        self._problems = view["remaining"]
        self.console.print(_HELP, style="dim")
        if left_open:
            self.console.print(play_screen.said(_GO_ON))
        if words := view.get("words"):
            self.console.print(play_screen.said(words))
        turn: Mapping[str, Any] = view
        try:
            while task := turn["task"]:
                turn = self._send(self._training(task) if task["kind"] == "training" else self._answer(task))
                self._say(turn)
        except (_Stopped, EOFError, KeyboardInterrupt):
            self.console.print()
            turn = self._send({"type": "stop"})
            self._say(turn)
        if turn["summary"]:
            self.console.print(play_screen.summary(turn["summary"], show_diagnosis=self.show_diagnosis))

    def _answer(self, task: Mapping[str, Any]) -> dict[str, Any]:
        """The event of one question: the time runs from here, where the task has just been drawn, to Enter."""
        view, widget = self.finish(self.service.view(self.session_id)), task.get("widget")
        if widget is None and task["choices"] and not self._choices_explained:
            self.console.print(_CHOICES, style="dim")
            self._choices_explained = True
        number = min(self._problems - view["remaining"] + 1, self._problems) if view["phase"] != "warm_up" else None
        self.console.print(play_screen.task(task, number, self._problems))
        self._started = self.clock()
        if widget is not None and (show_ms := widget["params"].get("show_ms")):
            self.sleep(show_ms / 1000)
            self.console.clear()
        answer = self._letter(widget) if widget is not None and widget["ask"] == "place" else self._number("답: ")
        if answer is None:
            return {"type": "timeout", "task_id": task["task_id"], "said": True}
        rt_ms = round((self.clock() - self._started) * 1000)
        return {
            "type": "answer_submitted",
            "task_id": task["task_id"],
            "answer": answer,
            "rt_ms": rt_ms,
            "behavior_tags": [],
        }

    def _letter(self, widget: Mapping[str, Any]) -> int | None:
        """The place on a line that the child means by a letter; None when it doesn't know."""
        low, high = widget["params"]["low"], widget["params"]["high"]
        while True:
            text = self._line(_WHICH_LETTER)
            if (place := counting_pictures.place_of_letter(low, high, text.lower())) is not None:
                return place
            if self.safety.door.read(text).does_not_know:
                return None
            self.console.print(_LETTER_HELP, style="dim")

    def _number(self, prompt: str) -> int | None:
        """What the child means; None when it doesn't know."""
        while True:
            text = self._line(prompt)
            if (number := parse_answer(text)) is not None:
                return number
            if self.safety.door.read(text).does_not_know:
                return None
            self.console.print(_HELP, style="dim")

    def _line(self, prompt: str) -> str:
        """The next line that tells of no danger. What does is answered, and its time is not the task's."""
        while True:
            text = self.ask(prompt).encode(errors="ignore").decode().strip()  # what was typed may be no Unicode
            if text in _STOP:
                raise _Stopped
            if (answer := self._danger(text)) is None:
                return text
            self.console.print(play_screen.said(answer.split("\n")))
            self._started = self.clock()

    def _danger(self, text: str) -> str | None:
        if parse_answer(text) is not None:
            return None
        place, sender = Place("tutoring", self.session_id), Sender("student", self._student_id)
        heard: SafetyResult = self.finish(self.safety.check_message(text, sender, place, uuid4().hex))
        return heard.answer

    def _training(self, task: Mapping[str, Any]) -> dict[str, Any]:
        """The event of a training: items until its own rule says done, or there were enough of them."""
        content = task["training"]
        self.console.print(play_screen.training(content))
        items, rights, done_items = content["items"], list[bool](), list[dict[str, Any]]()
        while len(rights) < content["max_items"] and not _met(content["done"], rights):
            place = len(rights)
            item = items[place % len(items)]
            answers = self._item(content["widget"], item)
            rights.append(is_right(item["ask"], item["params"], answers[-1], item["steps"][-1]["answer"]))
            done_items.append({"item_id": item["id"], "answers": answers, "tries": [1] * len(answers)})
            words = content["prompts"]["right" if rights[-1] else "again"]
            self.console.print(play_screen.said(words[place % len(words)]))
        if _met(content["done"], rights):  # without it "성공!" would be no praise
            self.console.print(play_screen.said(content["prompts"]["done"], style="green"))
        return {
            "type": "training_done",
            "task_id": task["task_id"],
            "training_id": content["id"],
            "results": {"items": done_items},
        }

    def _item(self, widget: str, item: Mapping[str, Any]) -> list[str]:
        """The answer to each step. Each step shows the drawing anew, the first one the hint too, and what follows a
        step begins with how it went."""
        right: bool | None = None
        answers: list[str] = []
        for step in item["steps"]:
            if right is not None:
                self.console.print(play_screen.said(_STEP_RIGHT if right else _STEP_WRONG))
            self.console.print(training_widgets.draw(item.get("widget") or widget, item["ask"], item["params"]))
            self.console.print(play_screen.said(list(step["prompt"]), item.get("hint") if right is None else None))
            if choices := step.get("choices"):
                self.console.print("   ".join(map(str, choices)), style="cyan")
            while not (text := self._line("답: ")):
                pass  # Enter alone is no answer
            right = is_right(item["ask"], item["params"], text, step["answer"])
            answers.append(text[:_LONGEST])
        return answers

    def _send(self, event: dict[str, Any]) -> dict[str, Any]:
        sent = {"request_id": uuid4().hex, **event}
        for _ in range(_TRIES - 1):
            try:
                return self._turn(sent)
            except StoreUnavailable as down:
                self.console.print(_WAIT, style="dim")
                self.sleep(down.retry_after)
        return self._turn(sent)

    def _turn(self, event: dict[str, Any]) -> dict[str, Any]:
        body: dict[str, Any] = self.finish(self.service.handle(self.session_id, event)).body
        return body

    def _say(self, turn: Mapping[str, Any]) -> None:
        if turn["solution"]:
            self.console.print(play_screen.solution(turn["solution"]))
        self.console.print(play_screen.feedback(turn))
        if self.show_diagnosis:
            step = self.finish(self.service.steps(self.session_id))["steps"][-1]
            self.console.print(play_screen.diagnosis(step, turn["position"]["c"]))


def _met(done: Mapping[str, Any], rights: list[bool]) -> bool:
    """A training's rule: so many right of the last so many, or so many in a row."""
    if run := done.get("in_a_row"):
        return len(rights) >= run and all(rights[-run:])
    return sum(rights[-done["of"] :]) >= int(done["correct"])
