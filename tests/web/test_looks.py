"""What every screen owes to every child: access, room, and no words of failure."""

import json
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page

from tests.web.conftest import Tablets
from tests.web.robot import Robot
from tests.web.test_play import first_problem

pytestmark = pytest.mark.slow

_AXE: Final = Path(__file__).parents[2] / "web" / "node_modules" / "axe-core" / "axe.min.js"
_TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]


def violations(page: Page) -> list[str]:
    """Of WCAG 2.2 A and AA, as axe finds them. Run as the browser's own script, which no policy of the page stops."""
    session = page.context.new_cdp_session(page)
    session.send("Page.setBypassCSP", {"enabled": True})
    session.send("Runtime.evaluate", {"expression": _AXE.read_text("utf-8")})
    run = f"axe.run(document, {{ runOnly: {json.dumps(_TAGS)} }}).then((found) => JSON.stringify(found.violations))"
    sent = session.send("Runtime.evaluate", {"expression": run, "awaitPromise": True, "returnByValue": True})
    found: list[dict[str, Any]] = json.loads(sent["result"]["value"])
    return [f"{one['id']}: {node['html'][:160]}" for one in found for node in one["nodes"]]


@pytest.mark.parametrize("dark", [False, True], ids=["light", "dark"])
def test_axe_finds_nothing_on_any_screen_of_a_child(child: Callable[..., Page], tablets: Tablets, dark: bool) -> None:
    new = tablets.open(dark=dark)
    new.goto("/")
    new.get_by_label("선생님이 보여 준 코드").wait_for()
    assert violations(new) == []
    robot = Robot(child(dark=dark))
    assert violations(robot.page) == []
    first_problem(robot)
    assert violations(robot.page) == []
    robot.press("그림")
    assert violations(robot.page) == []
    robot.answer(robot.right())
    robot.page.locator(".words").wait_for()
    assert violations(robot.page) == []
    robot.press("그만하기")
    robot.page.get_by_role("button", name="내 길 보기").click()
    robot.page.get_by_role("heading", name="내 길").wait_for()
    assert violations(robot.page) == []


@pytest.mark.parametrize(("width", "height"), [(360, 640), (768, 1024), (1024, 768)])
def test_no_screen_is_wider_than_its_window(child: Callable[..., Page], width: int, height: int) -> None:
    robot = Robot(child(width=width, height=height, touch=True))

    def fits() -> bool:
        return bool(robot.page.evaluate("document.documentElement.scrollWidth <= innerWidth"))

    assert fits()
    first_problem(robot)
    assert fits()
    for button in robot.page.locator("main button:visible").all():
        box = button.bounding_box()
        assert box is not None
        assert min(box["width"], box["height"]) >= 44, button.inner_text()
    robot.answer(robot.right())
    robot.page.locator(".words").wait_for()
    assert fits()
