"""Every training is played to its end, with the items as the service sends them: in its first representation by taps,
in the other by keys. What is asked in either is answered both ways; STRIDE=1 in the environment plays all both ways.
"""

import dataclasses
import os
from collections.abc import Callable, Iterable, Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route

from maththera.settings import home
from maththera.tutoring.content.training_patterns import Item
from maththera.tutoring.content.training_results import is_right
from maththera.tutoring.content.trainings import Training, load_trainings
from tests.web.robot import place, touch

pytestmark = pytest.mark.slow

_FILES: Final = home() / "configs" / "tutoring"
PLANS: Final = load_trainings(_FILES / "trainings.yaml", _FILES / "drawings.yaml")


def trainings(earlier: int, level: int) -> list[Training]:
    """Every training that has such a representation, with items for a level."""
    plans = [plan for plan in PLANS.values() if earlier < len(plan.representations)]
    return [plan.training(plan.draw(earlier=earlier, seed=1, level=level, limit=None)) for plan in plans]


FIRST: Final = trainings(0, 8)
OTHER: Final = trainings(1, 12)
TRAININGS: Final = [*FIRST, *OTHER]


def asked(training: Training) -> set[tuple[str, str, bool]]:
    """Widget, question and whether there are choices, of every step that the page shows."""
    items = (one for one in training.items if one.params.get("shown_as") != "voice")
    return {(one.widget or training.widget, one.ask, bool(step.choices)) for one in items for step in one.steps}


def adding(to: Iterable[Training], more: Iterable[Training]) -> Iterator[Training]:
    """Those of `more` in which something is asked that is not in `to`, nor in one before."""
    known = set[tuple[str, str, bool]]().union(*map(asked, to))
    for training in more:
        if not asked(training) <= known:
            known |= asked(training)
            yield training


BOTH_WAYS: Final = os.environ.get("STRIDE") == "1"
BY_TAPS: Final = {"first": FIRST, "other": OTHER if BOTH_WAYS else [*adding(FIRST, OTHER)]}
BY_KEYS: Final = {"first": FIRST if BOTH_WAYS else [*adding(OTHER, FIRST)], "other": OTHER}

_KEYS: Final = str.maketrans("−×÷", "-*/")
"""Signs that no keyboard has."""
_OVER: Final[dict[str, Any]] = {"status": 409, "json": {"code": "stale_task", "task": None}}
"""What the page hears when it tells of a training: that there is nothing to do any more."""


def served(page: Page, training: Training) -> list[dict[str, Any]]:
    """The session stands at this training; -> what the page sends, as it does."""
    return stand_at(page, kind="training", answer_format="training", training=dataclasses.asdict(training))


def stand_at(page: Page, **of_task: Any) -> list[dict[str, Any]]:
    """The session stands at a task that the service has not chosen; -> what the page sends, as it does."""
    sent: list[dict[str, Any]] = []
    task: dict[str, Any] = {
        "task_id": "t-chosen", "prompt": "", "problem": None, "choices": [], "visual_mode": "none", "visual": None,
        "presentation": {"emphasis": None, "grid": False, "steps": None}, **of_task,
    }  # fmt: skip
    view = page.evaluate(
        """async () => {
            const { students } = await (await fetch("/api/v1/me")).json();
            const body = JSON.stringify({ student_id: students[0].student_id, resume: true });
            const headers = { "X-Maththera": "1", "Content-Type": "application/json" };
            return (await fetch("/api/v1/sessions", { method: "POST", headers, body })).json();
        }"""
    )

    def hear(route: Route) -> None:
        sent.append(dict(route.request.post_data_json or {}))
        route.fulfill(**_OVER)

    page.unroute_all()
    page.route("**/api/v1/sessions", lambda route: route.fulfill(json={**view, "task": task, "words": None}))
    page.route("**/events", hear)
    return sent


def play(page: Page, training: Training, *, keys: bool) -> None:
    """Each step right at once, but for the first, which is missed twice and shown."""

    def press(name: str) -> None:
        if keys:
            page.keyboard.press("Enter")
        else:
            touch(page.get_by_role("button", name=name, exact=True))

    press("시작하자")
    items = [one for one in training.items if one.params.get("shown_as") != "voice"]
    rounds, right = 0, []
    while True:
        item = items[rounds % len(items)]
        for number, step in enumerate(item.steps):
            page.locator(".hands:not(.closed)").wait_for()
            if rounds == 0 and number == len(item.steps) - 1:
                for _ in range(2):
                    wrong = next((one for one in step.choices or () if one != step.answer), _wrong(item, step.answer))
                    give(page, training, item, step, wrong, keys=keys)
                page.locator(".slot.right").wait_for()
                press("다음")
            else:
                give(page, training, item, step, step.answer, keys=keys)
        right.append(rounds > 0)
        rounds += 1
        if right[-1]:
            page.locator(".words").wait_for()
            press("다음")
        enough = sum(right[-training.done.of :]) >= training.done.correct
        if enough or rounds >= training.max_items:
            break
    page.get_by_text(training.prompts.done[0], exact=True).wait_for()
    press("다음")


def _wrong(item: Any, answer: int | str) -> int | str:
    if item.ask == "place":
        return int(item.params["low"] if answer != item.params["low"] else item.params["high"])
    return answer + 1 if isinstance(answer, int) else f"{answer}0"


def give(page: Page, training: Training, item: Any, step: Any, answer: int | str, *, keys: bool) -> None:
    if step.choices:
        if keys:
            page.keyboard.press(f"Alt+{step.choices.index(answer) + 1}")
        else:
            touch(page.locator(".choices").get_by_role("button", name=str(answer), exact=True))
        return
    if item.ask == "place":
        place(page, item.params["low"], item.params["high"], int(answer), keys=keys)
    elif keys:
        page.keyboard.type(str(answer).translate(_KEYS))
    else:
        for sign in str(answer):
            touch(page.locator(".pad").get_by_role("button", name=sign, exact=True))
    if keys:
        page.keyboard.press("Enter")
    else:
        touch(page.get_by_role("button", name="다 했어"))


@pytest.mark.parametrize("keys", [False, True], ids=["taps", "keys"])
@pytest.mark.parametrize("representation", ["first", "other"])
def test_every_training_can_be_played_to_its_end(child: Callable[..., Page], representation: str, keys: bool) -> None:
    page = child(touch=not keys)
    for training in (BY_KEYS if keys else BY_TAPS)[representation]:
        sent = served(page, training)
        page.goto("/play")
        page.get_by_role("button", name="시작하자", exact=True).wait_for()
        play(page, training, keys=keys)
        page.get_by_text("오늘은 여기까지!").wait_for()
        assert sent, training.id
        assert sent[0]["training_id"] == training.id
        results = sent[0]["results"]["items"]
        assert [one["shown"] for one in results] == [True] + [False] * (len(results) - 1), training.id
        items = {item.id: item for item in training.items}
        for one in results[1:]:
            assert all(_fits(items[one["item_id"]], place, given) for place, given in enumerate(one["answers"])), one


@pytest.mark.parametrize("played", [BY_TAPS, BY_KEYS], ids=["taps", "keys"])
def test_whatever_is_asked_is_played_in_this_way(played: dict[str, list[Training]]) -> None:
    found = set[tuple[str, str, bool]]().union(*(asked(one) for part in played.values() for one in part))
    assert found == set[tuple[str, str, bool]]().union(*map(asked, TRAININGS))


def _fits(item: Item, step: int, given: int | str) -> bool:
    return is_right(item.ask, item.params, given, item.steps[step].answer)
