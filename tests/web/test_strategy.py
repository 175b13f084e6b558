"""What a child tells of how it found an answer, and what follows from hasty taps."""

import json
import re
from collections.abc import Callable
from typing import Any

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import Tablets
from tests.web.robot import Robot, student_of, turns, twice

pytestmark = pytest.mark.slow


def practising(child: Callable[..., Page], tablets: Tablets, **more: Any) -> Robot:
    """A child at its second problem: a session that goes on from the first one."""
    robot = Robot(child())
    body = {"student_id": student_of(robot.page), "mode": "practice", "c_position": 7, "seed": 7, **more}
    tablets.service.client.post("/api/v1/sessions", json=body).raise_for_status()
    return robot


def slowly(page: Page) -> None:
    """From now on every answer has taken twenty seconds."""

    def slow(route: Route) -> None:
        event = route.request.post_data_json or {}
        if event["type"] == "answer_submitted":
            telemetry = event["telemetry"] | {"rt_reliable": True, "reloaded": False}
            event |= {"rt_ms": 20_000, "telemetry": telemetry}
        route.continue_(post_data=json.dumps(event))

    page.route("**/events", slow)


def test_a_slow_right_answer_is_asked_about_twice_in_a_session(child: Callable[..., Page], tablets: Tablets) -> None:
    robot = practising(child, tablets)
    slowly(robot.page)
    robot.start()
    asked, told = 0, 0
    for _ in range(40):
        kind = robot.look()
        if kind == "problem":
            robot.answer(robot.right())
        elif robot.page.get_by_text("어떻게 풀었어?").count():
            asked += 1
            if asked == 1:
                task = turns(tablets.service, robot.page)[-1]["event"]["task_id"]
                with robot.page.expect_response("**/events") as answer:
                    robot.press("손가락으로")
                assert answer.value.json()["task_id"] == task
                told += 1
                robot.page.locator(".problem.shown").wait_for()
            else:
                robot.next()
        elif robot.page.get_by_role("button", name="끝").count() or robot.page.locator(".training").count():
            break
        else:
            robot.next()
    assert (asked, told) == (2, 1)


def test_a_way_that_is_tapped_twice_is_told_once(child: Callable[..., Page], tablets: Tablets) -> None:
    robot = practising(child, tablets)
    page, told = robot.page, list[str]()
    slowly(page)
    page.on("request", lambda one: told.append(one.url) if "strategy_told" in (one.post_data or "") else None)
    robot.start()
    ways = page.get_by_text("어떻게 풀었어?")
    for _ in range(40):
        shown = robot.look()
        if ways.count():
            break
        robot.answer(robot.right()) if shown == "problem" else robot.next()
    twice(page.get_by_role("button", name="손가락으로"))
    page.locator(".problem.shown").wait_for()
    assert len(told) == 1


def test_three_hasty_taps_bring_the_pad(child: Callable[..., Page], tablets: Tablets) -> None:
    robot = practising(child, tablets)

    def hasty(route: Route) -> None:
        """The browser's own clock says 100 ms: taps of a test come when the machine has time."""
        event = route.request.post_data_json or {}
        if event["type"] == "answer_submitted":
            taps.append(event["input"])
            event |= {"rt_ms": 100}
        route.continue_(post_data=json.dumps(event))

    taps: list[str] = []
    robot.page.route("**/events", hasty)
    robot.page.add_init_script("Object.defineProperty(Event.prototype, 'timeStamp', { get: () => 0 })")
    robot.page.reload()
    robot.start()
    for _ in range(20):
        kind = robot.look()
        if kind == "training":
            robot.leave()
            continue
        if kind != "problem":
            robot.next()
            continue
        if len(taps) == 3:
            break
        shown = robot.page.locator(".problem").element_handle()
        choices = robot.page.locator(".choices").get_by_role("button")
        choices.filter(has_text=re.compile(rf"^{robot.right()}$")).click()
        shown.wait_for_element_state("hidden")
    assert taps == ["tap", "tap", "tap"]
    expect(robot.page.locator(".pad")).to_be_visible()
