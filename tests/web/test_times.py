"""How long a child thinks, as the page measures it; and what a silence means."""

from collections.abc import Callable
from statistics import median
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.web.blocked import answer_while_blocked
from tests.web.conftest import Tablets, still
from tests.web.robot import Robot, begun, told, turns, wants

pytestmark = pytest.mark.slow

SignIn = Callable[..., Page]
TRIALS: Final = 50
SLOW_MS: Final = 30_000
"""Slow for every child and every sum of one digit."""
THOUGHT_MS: Final = 2_000
FRAMES_MS: Final = 100
"""By then the page has drawn what it shows, and its clock runs."""
_HIDE: Final = """(hidden) => {
    Object.defineProperty(document, "hidden", { configurable: true, get: () => hidden });
    document.dispatchEvent(new Event("visibilitychange"));
}"""


def test_the_time_ends_when_the_key_goes_down_however_busy_the_page_is(child: SignIn, tablets: Tablets) -> None:
    """Of each answer the last key comes while the page's thread is blocked."""
    page = child()
    begun(tablets.service, page, first_problem="3+2", c_position=2, problem_count=100)
    robot = Robot(page)
    robot.start()
    keys = page.context.new_cdp_session(page)
    errors: list[float] = []
    while len(errors) < TRIALS:
        match robot.look():
            case "problem" if not page.locator(".problem .widget").count():
                with page.expect_request("**/events") as sent:
                    pressed = answer_while_blocked(robot, keys)
                event: dict[str, Any] = sent.value.post_data_json or {}
                errors.append(abs(event["rt_ms"] - event["telemetry"]["first_input_ms"] - pressed))
                page.locator(".words").wait_for()
            case "problem":
                robot.answer(robot.right())
            case "training":
                robot.leave()
            case _:
                robot.next()
    assert median(errors) <= 20
    assert sorted(errors)[int(0.95 * TRIALS)] <= 20


@pytest.fixture
def slowly(child: SignIn, tablets: Tablets) -> Callable[[Callable[[Page], object]], dict[str, Any]]:
    """What is concluded from a right answer before which something happened."""

    def answered(happens: Callable[[Page], object]) -> dict[str, Any]:
        page = child()
        still(page)
        begun(tablets.service, page, first_problem="3+2", c_position=2)
        robot = Robot(page, keys=True, thinks=THOUGHT_MS)
        robot.start()
        robot.answer(robot.right())
        while robot.look() != "problem":
            robot.next()
        page.clock.run_for(FRAMES_MS)
        happens(page)
        robot.answer(robot.right())
        page.locator(".words").wait_for()
        return turns(tablets.service, page)[-1]

    return answered


def pattern(turn: dict[str, Any]) -> str:
    return str(told(turn, "adaptation_request")["response_pattern"])


def test_long_thinking_is_slow(slowly: Callable[..., dict[str, Any]]) -> None:
    turn = slowly(lambda page: page.clock.run_for(SLOW_MS))
    assert turn["event"]["rt_ms"] >= SLOW_MS
    assert pattern(turn) == "correct_slow"


def test_a_tab_that_was_hidden_makes_nobody_slow(slowly: Callable[..., dict[str, Any]]) -> None:
    def hidden(page: Page) -> None:
        page.evaluate(_HIDE, True)
        page.clock.run_for(SLOW_MS)
        page.evaluate(_HIDE, False)

    turn = slowly(hidden)
    assert turn["event"]["telemetry"]["hidden_ms"] >= SLOW_MS
    assert turn["event"]["telemetry"]["rt_reliable"] is False
    assert (pattern(turn), told(turn, "diagnostic_result")["cause_tag"]) == ("correct_fast", None)


def test_a_tablet_that_slept_makes_nobody_slow(slowly: Callable[..., dict[str, Any]]) -> None:
    twenty_minutes = 20 * 60_000
    turn = slowly(lambda page: page.clock.fast_forward(twenty_minutes))
    assert turn["event"]["rt_ms"] >= twenty_minutes
    assert (pattern(turn), told(turn, "diagnostic_result")["cause_tag"]) == ("correct_fast", None)


@pytest.fixture
def probe(child: SignIn, tablets: Tablets) -> Callable[..., Robot]:
    """A robot before a probe, on a tablet whose time stands until it is moved."""

    def shown(**prefs: Any) -> Robot:
        page = child()
        still(page)
        begun(tablets.service, page, first_problem="5+5", c_position=6)
        if prefs:
            wants(page, **prefs)
            page.reload()
        robot = Robot(page, keys=True, thinks=THOUGHT_MS)
        robot.start()
        robot.answer(0)
        while robot.look() != "problem":
            robot.next()
        assert robot.task()["kind"] == "probe"
        return robot

    return shown


def test_who_is_silent_at_a_probe_is_told_that_we_wait_then_it_is_over(
    probe: Callable[..., Robot], tablets: Tablets
) -> None:
    robot = probe()
    robot.page.clock.run_for(19_000)
    expect(robot.page.get_by_text("여기 있을게.")).to_have_count(0)
    robot.page.clock.run_for(2_000)
    robot.page.get_by_text("여기 있을게.").wait_for()
    robot.page.clock.run_for(10_000)
    robot.page.locator(".problem").wait_for(state="detached")
    event = turns(tablets.service, robot.page)[-1]["event"]
    assert (event["type"], "said" in event) == ("timeout", False)


def test_who_types_at_a_probe_is_not_silent(probe: Callable[..., Robot], tablets: Tablets) -> None:
    robot = probe()
    robot.page.clock.run_for(29_000)
    robot.page.keyboard.type("1")
    robot.page.clock.run_for(18_000)
    expect(robot.page.locator(".slot").last).to_have_text("1")
    assert turns(tablets.service, robot.page)[-1]["event"]["type"] == "answer_submitted"


def test_who_wants_to_be_waited_for_is(probe: Callable[..., Robot], tablets: Tablets) -> None:
    robot = probe(wait=False)
    robot.page.clock.run_for(120_000)
    expect(robot.page.get_by_text("여기 있을게.")).to_have_count(0)
    assert turns(tablets.service, robot.page)[-1]["event"]["type"] == "answer_submitted"
