"""A child that plays the page: it reads what is shown and answers by taps or by keys."""

import re
from collections.abc import Callable, Mapping
from typing import Any, Final
from weakref import WeakKeyDictionary

from playwright.sync_api import Locator, Page, Response
from playwright.sync_api import TimeoutError as NothingSeen

from maththera.tutoring.content.training_tasks import answers
from tests.support.service import Service, until
from tests.web.conftest import answer_of

_SHOWN: Final = ".problem.shown, .words, .training, .resting"
BEGIN: Final = re.compile("^(시작하자|이어서 하자)$")
"""At home: a new session, or the one that is open."""
_TABS: Final = 80
_SIDES: Final = {"왼쪽": 1, "오른쪽": 2}
_LOOK_MS: Final = 10_000
_LOOKS: Final = 12
_STUDENTS: Final[WeakKeyDictionary[Page, str]] = WeakKeyDictionary()


class Robot:
    """`seen` collects the text of every screen. With `keys` nothing is touched but the keyboard, and a page that can be
    touched is touched. `thinks`: milliseconds before each answer, on a page whose time stands; else it answers as fast
    as it can, which is hasty."""

    def __init__(self, page: Page, *, keys: bool = False, thinks: int = 0) -> None:
        self.page, self.keys, self.thinks = page, keys, thinks
        self.seen: list[str] = []
        self._turns: list[Response] = []
        page.on("response", self._hear)

    def _hear(self, answer: Response) -> None:
        if answer.request.method == "POST" and answer.url.endswith(("/v1/sessions", "/events")) and answer.ok:
            self._turns.append(answer)

    def start(self) -> None:
        self.use(self.page.get_by_role("button", name=BEGIN))
        self.look()

    def use(self, button: Locator) -> None:
        """As this child does: by keys, with a finger or with a mouse."""
        if self.keys:
            tab_to(button)
            self.page.keyboard.press("Enter")
        else:
            touch(button)

    def look(self) -> str:
        """Waits for something to do; -> its class."""
        found = self.page.locator(_SHOWN).first
        self._patiently(lambda most: found.wait_for(timeout=most))
        self.seen.append(self.page.locator("main").inner_text())
        return str(found.get_attribute("class")).split()[0]

    def play(self, *, wrong: frozenset[int] = frozenset(), most: int = 200) -> None:
        """To the closing. The problems whose numbers, counted from 0, are in `wrong` get a wrong answer."""
        problems = 0
        for _ in range(most):
            match self.look():
                case "problem":
                    self.answer(self.wrong() if problems in wrong else self.right())
                    problems += 1
                case "training":
                    self.leave()
                case _ if self.page.get_by_role("button", name="끝").count():
                    return
                case _:
                    self.next()
        raise AssertionError("the session does not end")

    def prompt(self) -> str:
        """The problem as one line, also where it is written in columns."""
        return str(self.page.locator(".problem").get_attribute("data-prompt"))

    def task(self) -> dict[str, Any]:
        """What is asked, as the service has sent it to the page."""
        sent = (answer.json().get("task") for answer in reversed(self._turns))
        return dict(next(one for one in sent if one))

    def right(self) -> int:
        """The answer of what is shown; of number sense what its drawing asks for."""
        if not self.page.locator(".problem .widget").count():
            return answer_of(self.prompt())
        widget = self.task()["widget"]
        (found,) = answers(widget["name"], widget["ask"], widget["params"])
        return found if isinstance(found, int) else _SIDES.get(found) or int(found.removesuffix("번"))

    def wrong(self) -> int:
        """Some other answer that can be given."""
        right, choices = self.right(), self.page.locator(".choices button").count()
        if not self.page.locator(".problem .widget").count():
            return right + 10
        if self.page.get_by_role("slider").count():
            line = self.task()["widget"]["params"]
            return int(line["low"] if 2 * right > line["low"] + line["high"] else line["high"])
        return right % choices + 1 if choices else right + 10

    def answer(self, value: int) -> None:
        if self.thinks:
            self.page.clock.run_for(self.thinks)
        shown = self.page.locator(".problem").element_handle()
        if self.page.get_by_role("slider").count():
            params = self.task()["widget"]["params"]
            place(self.page, params["low"], params["high"], value, keys=self.keys)
            self._done()
        elif self.page.locator(".problem .widget").count() and self.page.locator(".choices").count():
            self._choose(value)
        else:
            self._say(value)
        self._patiently(lambda most: shown.wait_for_element_state("hidden", timeout=most))

    def _patiently(self, wait: Callable[[float], object]) -> None:
        """`wait` gets the most milliseconds. Time that stands is moved where nothing comes: what the service was too
        busy for is sent again then."""
        for _ in range(_LOOKS - 1):
            try:
                wait(_LOOK_MS)
            except NothingSeen:
                if self.thinks:
                    self.page.clock.run_for(_LOOK_MS)
            else:
                return
        wait(_LOOK_MS)

    def _choose(self, number: int) -> None:
        """The choice with this number, counted from 1."""
        if self.keys:
            self.page.keyboard.press(f"Alt+{number}")
        else:
            self.use(self.page.locator(".choices").get_by_role("button").nth(number - 1))

    def _say(self, value: int) -> None:
        """A number: the choice, where it is one, else its digits, after those of the steps before it."""
        choice = self.page.locator(".choices").get_by_role("button", name=str(value), exact=True)
        if choice.count() and not self.keys:
            self.use(choice)
            return
        if self.page.locator(".steps .found").count():
            for step in self.task()["presentation"]["steps"]:
                if "□" in step["expression"]:
                    self._write(str(answer_of(step["expression"])))
        self._write(self.digits(value))

    def digits(self, value: int) -> str:
        """As they are written: in columns from the ones up."""
        return str(value)[::-1] if self.page.locator(".columns").count() else str(value)

    def _write(self, digits: str) -> None:
        if self.keys:
            self.page.keyboard.type(digits)
        else:
            if self.page.get_by_role("button", name="직접 쓸래").count():
                self.press("직접 쓸래")
            for digit in digits:
                self.use(self.page.locator(".pad").get_by_role("button", name=digit, exact=True))
        self._done()

    def _done(self) -> None:
        if self.keys:
            self.page.keyboard.press("Enter")
        else:
            self.press("다 했어")

    def next(self) -> None:
        button = self.page.locator(".words button.main")
        card = button.element_handle()
        if self.keys:
            self.page.keyboard.press("Enter")
        else:
            self.use(button)
        card.wait_for_element_state("hidden")

    def leave(self) -> None:
        """A training."""
        training = self.page.locator(".training").element_handle()
        self.press("그만할래")
        training.wait_for_element_state("hidden")

    def press(self, name: str) -> None:
        self.use(self.page.get_by_role("button", name=name))


def begun(service: Service, page: Page, *, capabilities: Mapping[str, bool] | None = None, **wanted: Any) -> None:
    """The teacher begins a session for the child of the page, which then goes on with it and can show all of it."""
    able = {"presentation": True, **(capabilities or {})}
    body = {"student_id": student_of(page), "seed": 7, "capabilities": able, **wanted}
    answer = service.client.post("/api/v1/sessions", json=body)
    assert answer.is_success, answer.text


def student_of(page: Page) -> str:
    """The child that was signed in when this was first asked of the page."""
    if page not in _STUDENTS:
        me = until(lambda: page.evaluate("fetch('/api/v1/me').then((answer) => answer.ok && answer.json())"))
        _STUDENTS[page] = str(me["students"][0]["student_id"])
    return _STUDENTS[page]


def wants(page: Page, **prefs: Any) -> None:
    """The child of the page sets it so; the page itself learns of it when it is loaded anew."""
    script = """(prefs) => fetch("/api/v1/me/prefs", { method: "PUT", body: JSON.stringify(prefs),
        headers: { "Content-Type": "application/json", "X-Maththera": "1" } }).then((answer) => answer.status)"""
    assert page.evaluate(script, prefs) == 200


def turns(service: Service, page: Page) -> list[dict[str, Any]]:
    """What the service has recorded of the session that the page plays, in order."""
    sessions = service.client.get(f"/api/v1/students/{student_of(page)}/sessions").json()["sessions"]
    trace = service.client.get(f"/api/v1/sessions/{sessions[0]['session_id']}/trace")
    assert trace.is_success, trace.text
    return list(trace.json()["turns"])


def told(turn: dict[str, Any], envelope: str) -> dict[str, Any]:
    """What an envelope of a recorded turn holds."""
    return next(one["payload"] for one in turn["envelopes"] if one["type"] == envelope)


def drawn(page: Page) -> None:
    """Waits until the page has drawn what it shows, and its clock runs: nobody answers earlier."""
    page.evaluate("async () => { for (let frame = 0; frame < 3; frame++) await new Promise(requestAnimationFrame); }")


def touch(found: Locator, **how: Any) -> None:
    """With a finger where the page can be touched, else with a mouse."""
    fingers = found.page.evaluate("navigator.maxTouchPoints > 0")
    (found.tap if fingers else found.click)(**how)


def tab_to(found: Locator) -> None:
    """With the tabulator alone."""
    found.wait_for()
    for _ in range(_TABS):
        if found.evaluate("(one) => one === document.activeElement"):
            return
        found.page.keyboard.press("Tab")
    raise AssertionError(f"no key leads to {found}")


def place_of(found: Locator) -> tuple[int, int]:
    box = found.bounding_box()
    assert box is not None
    return round(box["x"]), round(box["y"])


def twice(button: Locator) -> None:
    """Taps it twice before anything can have come of the first tap."""
    button.evaluate("(one) => { one.click(); one.click(); }")


def place(page: Page, low: int, high: int, value: int, *, keys: bool) -> None:
    line = page.get_by_role("slider")
    if not keys:
        line.click(trial=True)  # waits until it stands still
        box = line.bounding_box()
        assert box is not None
        edge = box["width"] * 40 / 720
        x = edge + (value - low) / (high - low) * (box["width"] - 2 * edge)
        touch(line, position={"x": x, "y": box["height"] * 0.6})
        return
    tab_to(line)
    page.keyboard.press("ArrowRight")
    for _ in range((value - low) // 10):
        page.keyboard.press("PageUp")
    for _ in range((value - low) % 10):
        page.keyboard.press("ArrowRight")
