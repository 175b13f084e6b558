"""The page that a tablet keeps: it opens without a network, and changes only between sessions."""

import json
import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, expect

from tests.support.service import until
from tests.web.conftest import SCHOOL, Tablets
from tests.web.robot import Robot
from tests.web.test_play import first_problem

pytestmark = pytest.mark.slow


_NEWEST: Final = "/sw.js?newer"
_NEWER: Final = f"""() => {{
    const policy = trustedTypes.createPolicy("test", {{ createScriptURL: (address) => address }});
    return navigator.serviceWorker.register(policy.createScriptURL("{_NEWEST}")).then(() => true);
}}"""
"""For the browser a worker of another address is another version."""


def true(page: Page, expression: str) -> None:
    """Waits for it. The page's policy forbids what Playwright's own waiting does."""
    until(lambda: page.evaluate(expression))


def installed(page: Page) -> None:
    true(page, "navigator.serviceWorker.ready.then(() => caches.keys()).then((names) => names.length === 1)")
    page.reload()
    true(page, "navigator.serviceWorker.controller !== null")


def renewed(page: Page, go_home: Callable[[], None]) -> set[str]:
    """Waits until the page, once at home, began anew; -> the addresses of the workers that took over. A browser stops a
    worker that idles; while a debugger is attached it does not, and the version before would stay for ever."""
    loaded = False
    active: dict[str, str] = {}
    workers = page.context.new_cdp_session(page)

    def began(_: Page) -> None:
        nonlocal loaded
        loaded = True

    def changed(event: dict[str, Any]) -> None:
        active.update({one["versionId"]: one["scriptURL"] for one in event["versions"] if one["status"] == "activated"})

    def stopped() -> bool:
        page.wait_for_timeout(500)
        before = [version for version, address in active.items() if not address.endswith(_NEWEST)]
        for version in [] if loaded else before:  # the one that takes over hands out the page that begins anew
            workers.send("ServiceWorker.stopWorker", {"versionId": version})
        return loaded

    page.on("load", began)
    workers.on("ServiceWorker.workerVersionUpdated", changed)
    workers.send("ServiceWorker.enable")
    go_home()
    until(stopped)
    return set(active.values())


def test_the_page_opens_without_a_network(child: Callable[..., Page]) -> None:
    page = child()
    installed(page)
    page.context.set_offline(True)
    page.reload()
    page.locator(".resting").wait_for()
    page.context.set_offline(False)
    page.get_by_role("button", name="시작하자").wait_for()


def test_without_a_network_the_next_child_does_not_play_as_the_one_before(child: Callable[..., Page]) -> None:
    page = child()
    page.get_by_role("button", name="시작하자").wait_for()
    page.context.set_offline(True)
    page.get_by_role("button", name="다른 친구").click()
    page.get_by_text("지금은 바꿀 수 없어.").wait_for()
    page.context.set_offline(False)
    page.get_by_role("button", name="다른 친구").click()
    expect(page.get_by_role("button", name="시작하자")).to_have_count(0)


def test_all_that_shall_be_kept_is_there(tablets: Tablets) -> None:
    """One file that is missing, and nothing at all is kept."""
    worker = tablets.service.client.get("/sw.js").text
    kept = json.loads(worker[len("const KEPT = ") : worker.index(";\n")])["files"]
    assert [one for one in kept if tablets.service.client.get(one).status_code != 200] == []


def test_nothing_of_the_api_or_of_adults_is_kept(child: Callable[..., Page]) -> None:
    page = child()
    installed(page)
    kept = page.evaluate(
        "caches.keys().then(([name]) => caches.open(name)).then((cache) => cache.keys())"
        ".then((requests) => requests.map((one) => new URL(one.url).pathname))"
    )
    assert "/" in kept
    assert not [one for one in kept if re.match(r"/api|/assets/(Adult|rest)", one)]
    assert any("Training" in one for one in kept)


def test_a_new_version_waits_for_the_end_of_the_session(child: Callable[..., Page], tablets: Tablets) -> None:
    page = child()
    installed(page)
    robot = Robot(page)
    first_problem(robot)
    page.evaluate("window.mine = true")
    page.evaluate(_NEWER)
    true(page, "navigator.serviceWorker.ready.then((registered) => registered.waiting !== null)")
    robot.look()
    assert page.evaluate("window.mine") is True
    robot.press("그만하기")
    took_over = renewed(page, lambda: robot.press("끝"))
    page.get_by_role("button", name="시작하자").wait_for()
    assert page.evaluate("window.mine") is None
    assert [one for one in took_over if one.endswith(_NEWEST)]


def test_over_plain_http_there_is_none_and_no_word_about_it(child: Callable[..., Page], tablets: Tablets) -> None:
    page = child(address=f"http://{SCHOOL}:{tablets.service.port}")
    assert page.evaluate("'serviceWorker' in navigator") is False
    page.get_by_role("button", name="시작하자").wait_for()
