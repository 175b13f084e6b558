"""Each kind of task is played by taps and by keys: probes, loops, worked examples, number sense, the placement."""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from maththera.tutoring.number_sense.items import SKILLS
from tests.web.conftest import Tablets, still
from tests.web.robot import Robot, begun, told, turns

pytestmark = [pytest.mark.slow, pytest.mark.parametrize("keys", [False, True], ids=["taps", "keys"])]

_FAILURE: Final = re.compile("틀렸|틀린|실패|못했|못 했|돌아가자")
THOUGHT_MS: Final = 2_000
"""Neither hasty nor slow."""
LINE: Final = "N5.line"
"""Asked in the screening alone."""
Begin = Callable[..., Robot]

PROBES: Final = {
    "operation": ("52-38", 10, 90),
    "layout": ("1+10", 5, 1),
    "sibling": ("1+2", 2, 2),
    "carry": ("5+5", 6, 0),
    "size": ("6+5", 7, 6),
    "zero": ("45+20", 8, 60),
    "length": ("50+9", 8, 9),
    "digits": ("36+11", 8, 11),
    "borrow": ("12-3", 9, 8),
}
"""What a probe leaves out → a problem, its level, and the wrong answer after which it comes."""


@pytest.fixture
def begin(tablets: Tablets, keys: bool) -> Begin:
    """A robot at the first task of a session that its teacher has begun."""

    def at(**wanted: Any) -> Robot:
        page = tablets.child()
        still(page)
        begun(tablets.service, page, **wanted)
        robot = Robot(page, keys=keys, thinks=THOUGHT_MS)
        robot.start()
        return robot

    return at


def give(robot: Robot, *answers: int) -> None:
    """One after the other, each to the next problem."""
    for answer in answers:
        to_a_problem(robot)
        robot.answer(answer)
    to_a_problem(robot)


def to_a_problem(robot: Robot) -> None:
    while (shown := robot.look()) != "problem":
        robot.leave() if shown == "training" else robot.next()


def rows(tablets: Tablets, page: Page) -> list[str]:
    """Of the transition table, in order."""
    return [told(turn, "adaptation_result")["row"] for turn in turns(tablets.service, page)]


def colour(one: Locator) -> str:
    return str(one.evaluate("(node) => getComputedStyle(node).color"))


def size(one: Locator) -> float:
    return float(one.evaluate("(node) => parseFloat(getComputedStyle(node).fontSize)"))


@pytest.mark.parametrize("removed", PROBES)
def test_a_probe_shows_what_it_leaves_out(begin: Begin, tablets: Tablets, removed: str) -> None:
    problem, level, wrong = PROBES[removed]
    robot = begin(first_problem=problem, c_position=level)
    before = robot.prompt()
    give(robot, wrong)
    diagnosis = told(turns(tablets.service, robot.page)[-1], "diagnostic_result")
    assert diagnosis["probe"]["removed_variable"] == removed
    if removed == "operation":
        assert robot.prompt() == before
        sign, number = robot.page.locator(".problem .sign").first, robot.page.locator(".problem .number").first
        assert size(sign) >= 1.5 * size(number)
        assert colour(sign) != colour(number)
    elif removed == "layout":
        assert robot.prompt() == before
        expect(robot.page.locator(".columns.grid .place").nth(-2)).to_have_text("십")
        expect(robot.page.locator(".columns.grid .place").last).to_have_text("일")
    else:
        assert robot.prompt() != before
    robot.answer(robot.right())
    to_a_problem(robot)


def test_a_bridge(begin: Begin, tablets: Tablets) -> None:
    robot = begin(first_problem="98+90", c_position=8, w_position=7.0)
    give(robot, 178)
    assert robot.prompt() == "98+□=100"
    slot = robot.page.locator(".problem .slot")
    sign = robot.page.get_by_text("=", exact=True)
    left, right = slot.bounding_box(), sign.bounding_box()
    assert left is not None
    assert right is not None
    assert left["x"] < right["x"], "the slot stands where the number is missing"
    give(robot, 2, 190, 2)
    expect(robot.page.get_by_text("아까 그 문제")).to_be_visible()
    give(robot, 178)
    assert robot.task()["kind"] == "bridge"
    give(robot, 2, 188, 188)
    assert rows(tablets, robot.page)[-4:] == ["26a", "27g", "27m", "27"]


def test_steps_are_filled_in_one_by_one(begin: Begin, tablets: Tablets, keys: bool) -> None:
    robot = begin(first_problem="98+90", c_position=8, w_position=7.0)
    give(robot, 178, 2, 190, 1, 1)
    give(robot, robot.right())
    expect(robot.page.locator(".steps li")).to_have_count(len(robot.task()["presentation"]["steps"]))
    if not keys and robot.page.get_by_role("button", name="직접 쓸래").count():
        robot.press("직접 쓸래")
    robot.answer(2)
    to_a_problem(robot)
    assert turns(tablets.service, robot.page)[-1]["event"]["steps"] == [2]
    assert rows(tablets, robot.page)[-1] == "23"


def test_a_white_out_shows_its_aid_and_speaks_of_no_failure(begin: Begin, tablets: Tablets) -> None:
    robot = begin(first_problem="98+90", c_position=8, w_position=7.0)
    give(robot, 178, 2, 7)
    assert rows(tablets, robot.page)[-1] == "22"
    expect(robot.page.locator(".problem.band .picture")).to_be_visible()
    for screen in (*robot.seen, robot.page.locator("main").inner_text()):
        assert not _FAILURE.search(screen), screen
    give(robot, robot.right())
    give(robot, robot.right())
    assert rows(tablets, robot.page)[-2:] == ["30", "30n"]
    expect(robot.page.locator(".problem.band")).to_have_count(0)


def test_a_worked_example_is_gone_through(begin: Begin, tablets: Tablets) -> None:
    robot = begin(first_problem="28+15", c_position=8)
    for _ in range(12):
        if robot.task()["kind"] == "worked_example":
            break
        shown, unknown = (
            robot.page.locator(".problem").element_handle(),
            robot.page.get_by_role("button", name="모르겠어"),
        )
        unknown.press("Enter") if robot.keys else unknown.click()
        shown.wait_for_element_state("hidden")
        to_a_problem(robot)
    expect(robot.page.locator(".stage .whole")).to_be_visible()
    while robot.task()["kind"] == "worked_example":
        give(robot, robot.right())
    assert rows(tablets, robot.page)[-1] == "38"


def test_the_skills_of_number_sense(begin: Begin, tablets: Tablets) -> None:
    """A child that fails at the first level comes to number sense, where it knows everything."""
    robot = begin(first_problem="1+2", c_position=1, problem_count=40, capabilities={"widgets": True})
    left = set(SKILLS) - {LINE}
    for _ in range(80):
        if robot.task().get("widget"):
            robot.answer(robot.right())
            left -= skills(tablets, robot.page)
        else:
            robot.answer(robot.right() + 7)
        if not left:
            return
        to_a_problem(robot)
    raise AssertionError(f"never asked: {left}")


def test_a_screening_of_number_sense(begin: Begin, tablets: Tablets) -> None:
    robot = begin(mode="number_sense", capabilities={"widgets": True})
    robot.play()
    answered = turns(tablets.service, robot.page)
    assert {turn["event"]["type"] for turn in answered} == {"answer_submitted"}
    assert LINE in skills(tablets, robot.page)
    assert rows(tablets, robot.page)[-1] == "se"


def skills(tablets: Tablets, page: Page) -> set[str]:
    """Of number sense, those that were asked."""
    requests = [told(turn, "diagnostic_request") for turn in turns(tablets.service, page)]
    return {one["item_id"].split(":")[0] for one in requests if "item_id" in one}


def test_a_placement(begin: Begin, tablets: Tablets) -> None:
    robot = begin(mode="placement", c_position=8, capabilities={"widgets": True})
    robot.play(wrong=frozenset({4, 5, 6, 7, 8}))
    assert rows(tablets, robot.page)[-1] == "0e"
