"""A child that plays the page: it reads what is shown and answers by taps or by keys."""

from typing import Any, Final

from playwright.sync_api import Page

from tests.web.conftest import answer_of

_SHOWN: Final = ".problem.shown, .words, .training, .resting"


class Robot:
    """`seen` collects the text of every screen. With `keys` nothing is touched but the keyboard."""

    def __init__(self, page: Page, *, keys: bool = False) -> None:
        self.page, self.keys = page, keys
        self.seen: list[str] = []

    def start(self) -> None:
        button = self.page.get_by_role("button", name="시작하자")
        if self.keys:
            button.focus()
            self.page.keyboard.press("Enter")
        else:
            button.click()
        self.look()

    def look(self) -> str:
        """Waits for something to do; -> its class."""
        found = self.page.locator(_SHOWN).first
        found.wait_for()
        self.seen.append(self.page.locator("main").inner_text())
        return str(found.get_attribute("class")).split()[0]

    def play(self, *, wrong: frozenset[int] = frozenset(), most: int = 80) -> None:
        """To the closing. The problems whose numbers, counted from 0, are in `wrong` get a wrong answer."""
        problems = 0
        for _ in range(most):
            match self.look():
                case "problem":
                    self.answer(self.right() + (10 if problems in wrong else 0))
                    problems += 1
                case "training":
                    self.press("그만할래")
                case _ if self.page.get_by_role("button", name="끝").count():
                    return
                case _:
                    self.next()
        raise AssertionError("the session does not end")

    def prompt(self) -> str:
        """The problem as one line, also where it is written in columns."""
        return str(self.page.locator(".problem").get_attribute("data-prompt"))

    def right(self) -> int:
        """The answer of a problem; of number sense some answer that can be given."""
        widget = self.page.locator(".problem .widget")
        if not widget.count():
            return answer_of(self.prompt())
        if (source := widget.locator(".sheet")).count():
            return int(source.inner_text())
        return widget.locator("circle, .a i").count() or 1

    def answer(self, value: int) -> None:
        shown = self.page.locator(".problem").element_handle()
        if (line := self.page.get_by_role("slider")).count():
            line.focus()
            self.page.keyboard.press("ArrowRight")
            self.page.keyboard.press("Enter")
            shown.wait_for_element_state("hidden")
            return
        choice = self.page.locator(".choices").get_by_role("button", name=str(value), exact=True)
        if self.page.locator(".problem .widget").count() and self.page.locator(".choices").count():
            self.page.keyboard.press("Alt+1")
        elif self.keys:
            self.page.keyboard.type(str(value) if not self._from_the_ones() else str(value)[::-1])
            self.page.keyboard.press("Enter")
        elif choice.count():
            choice.click()
        else:
            if self.page.get_by_role("button", name="직접 쓸래").count():
                self.press("직접 쓸래")
            digits = str(value)[::-1] if self._from_the_ones() else str(value)
            for digit in digits:
                self.page.locator(".pad").get_by_role("button", name=digit, exact=True).click()
            self.press("다 했어")
        shown.wait_for_element_state("hidden")

    def next(self) -> None:
        button = self.page.locator(".words button.main")
        card = button.element_handle()
        if self.keys:
            self.page.keyboard.press("Enter")
        else:
            button.click()
        card.wait_for_element_state("hidden")

    def press(self, name: str) -> None:
        self.page.get_by_role("button", name=name).click()

    def _from_the_ones(self) -> bool:
        return self.page.locator(".columns").count() > 0


def turns(service: Any, page: Page) -> list[dict[str, Any]]:
    """What the service has recorded of the session that the page plays, in order."""
    student = page.evaluate("fetch('/api/v1/me').then(r => r.json()).then(me => me.students[0].student_id)")
    sessions = service.client.get(f"/api/v1/students/{student}/sessions").json()["sessions"]
    trace = service.client.get(f"/api/v1/sessions/{sessions[0]['session_id']}/trace")
    assert trace.is_success, trace.text
    return list(trace.json()["turns"])
