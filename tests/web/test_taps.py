"""Taps that come twice, and windows that hear of each other late: nothing is lost by them, and nothing counts twice."""

from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import Page, Route, expect

from maththera.api.session_turns import EXAMPLE_TURN
from tests.support.service import until
from tests.web.conftest import SCHOOL, Tablets
from tests.web.robot import Robot, begun, drawn, turns, twice
from tests.web.scenes import SCENES, show
from tests.web.test_play import first_problem

pytestmark = pytest.mark.slow

SignIn = Callable[..., Page]
_LATE: Final = """
    const post = BroadcastChannel.prototype.postMessage;
    BroadcastChannel.prototype.postMessage = function (word) {
        setTimeout(() => post.call(this, word), word === "here" || word.says === "here" ? 1500 : 0);
    };
"""
"""A window that is busy for a while when another one asks whether anybody plays."""
_HELD: Final = """async () => {
    const { held } = await navigator.locks.query();
    const { name } = held.find((one) => one.name.startsWith("session:"));
    const stays = () => new Promise((goes) => { globalThis.goes = goes; });
    void navigator.locks.request(name, { steal: true }, stays);
}"""
"""The window holds the session's lock from now on, until `goes` is called."""
_ASKED_FOR: Final = "navigator.locks.query().then(({ pending }) => pending.length > 0)"


def test_a_second_tap_on_next_costs_neither_the_words_nor_the_time(child: SignIn, tablets: Tablets) -> None:
    page = child()
    begun(tablets.service, page, first_problem="98+90", c_position=8, w_position=7.0)
    robot = Robot(page)
    robot.start()
    robot.answer(178)
    page.locator(".words").wait_for()
    twice(page.get_by_role("button", name="다음"))
    page.locator(".problem.shown").wait_for()
    expect(page.locator(".beside")).to_contain_text("98")
    drawn(page)
    page.wait_for_timeout(50)
    robot.answer(2)
    event = turns(tablets.service, page)[-1]["event"]
    assert event["rt_ms"] > 0
    assert event["telemetry"]["rt_reliable"] is True


def test_a_digit_that_is_tapped_behind_the_answer_is_none(child: SignIn, tablets: Tablets) -> None:
    page = child()
    begun(tablets.service, page, first_problem="28+15", c_position=8)
    robot = Robot(page)
    robot.start()
    robot.press("직접 쓸래")
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/events", hold)
    pad = page.locator(".pad")
    for name in ("4", "3", "다 했어", "9"):
        pad.get_by_role("button", name=name, exact=True).click()
    until(lambda: page.evaluate("true") and held)
    held[0].continue_()
    page.locator(".words").wait_for()
    expect(page.locator(".was")).to_contain_text("28+15=43")
    expect(page.locator(".was")).not_to_contain_text("9")


def test_a_tile_that_is_tapped_twice_signs_in_once(tablets: Tablets) -> None:
    client = tablets.service.client
    made = client.post("/api/v1/classes", json={"name": "반"}).json()["class_id"]
    client.post(f"/api/v1/classes/{made}/members", json={"nickname": "지우", "pictures": None}).raise_for_status()
    page, asked = tablets.enrolled(made), list[str]()
    page.on("request", lambda one: asked.append(one.url) if one.url.endswith("/auth/child") else None)
    twice(page.get_by_role("button", name="지우"))
    page.get_by_role("button", name="시작하자").wait_for()
    assert len(asked) == 1


def test_a_window_that_is_closed_late_keeps_nobody_from_playing(child: SignIn) -> None:
    """As the one that is reloaded, where the browser puts it away after the new one has asked."""
    robot = Robot(child())
    first_problem(robot)
    leaving = robot.page.context.new_page()
    leaving.goto("/path")
    leaving.evaluate(_HELD)
    robot.page.get_by_text("다른 창에서").wait_for()
    robot.page.goto("/play", wait_until="commit")
    until(lambda: leaving.evaluate(_ASKED_FOR))
    leaving.evaluate("goes()")
    robot.page.locator(".problem.shown").wait_for()


def test_a_window_that_hears_late_of_another_one_leaves_it_the_session(child: SignIn, tablets: Tablets) -> None:
    robot = Robot(child(address=f"http://{SCHOOL}:{tablets.service.port}"))
    robot.page.add_init_script(_LATE)
    robot.page.reload()
    first_problem(robot)
    other = robot.page.context.new_page()
    other.goto("/play")
    other.locator(".problem.shown").wait_for()
    other.get_by_role("button", name="여기서 할래").wait_for()
    expect(robot.page.locator(".problem.shown")).to_be_visible()


def test_who_writes_is_not_told_to_choose(child: SignIn) -> None:
    page = child()
    show(page, SCENES["choices"])
    expect(page.locator(".beside")).to_be_visible()
    page.get_by_role("button", name="직접 쓸래").click()
    expect(page.locator(".pad")).to_be_visible()
    expect(page.locator(".beside")).to_have_count(0)


_STEPS: Final = [
    {"prompt": ["8이 10이 되려면?"], "expression": "8+2=10"},
    {"prompt": ["10과 4를 모으면?"], "expression": "10+4=14"},
]


@pytest.mark.parametrize(("equation", "told"), [("8+6=14", 1), ("10+4=14", 0)])
def test_what_was_solved_together_is_said_once(child: SignIn, equation: str, told: int) -> None:
    page = child()
    show(page, SCENES["example"])
    words = ["이렇게 돼.", "10+4=14"]
    turn = {
        **EXAMPLE_TURN,
        "solution": {"problem": "8+6", "steps": _STEPS, "equation": equation},
        "feedback": {
            **EXAMPLE_TURN["feedback"],
            "feedback_text": words,
            "lines": [{"text": one, "about": "answer"} for one in words],
        },
    }
    page.route("**/events", lambda route: route.fulfill(json=turn))
    page.keyboard.type("14")
    page.keyboard.press("Enter")
    page.locator(".solution").wait_for()
    said = page.locator("main").inner_text().replace(" ", "")
    assert said.count("10+4=14") == 1
    assert page.locator(".solution .whole").count() == told
    expect(page.locator(".was")).to_have_count(0)
