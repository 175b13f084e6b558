"""Whatever fails, a child sees the turtle with its words: never an empty page, and never that nothing was learnt."""

from collections.abc import Callable
from pathlib import Path
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.support.service import service
from tests.web.conftest import Tablets, class_of
from tests.web.robot import BEGIN, Robot, student_of
from tests.web.test_free_play import ended_with_offers, games, tile, turns
from tests.web.test_play import first_problem
from tests.web.test_trainings import play

pytestmark = pytest.mark.slow

SignIn = Callable[..., Page]
_REFUSAL: Final[dict[str, Any]] = {"status": 403, "json": {"code": "consent_needed", "title": "A guardian …"}}


def rests(page: Page) -> None:
    """The turtle says whom to call, and leads home."""
    resting = page.locator(".resting")
    expect(resting).to_contain_text("선생님을 불러 줘.")
    page.get_by_role("button", name="처음으로").last.click()
    expect(page.get_by_role("button", name=BEGIN)).to_be_visible()


def test_a_child_whose_guardian_has_not_agreed_is_told_whom_to_call(browser: Any, tmp_path: Path) -> None:
    with service(tmp_path, "", MATHTHERA_UNKNOWN_AGE="consent") as strict, class_of(browser, strict) as tablets:
        page = tablets.child()
        page.get_by_role("button", name=BEGIN).click()
        rests(page)
        page.get_by_role("button", name="배우기").click()
        rests(page)
        client, address = tablets.service.client, f"/api/v1/students/{student_of(page)}/consents"
        agreed = {"purpose": "learning", "given_by": "보호자"}
        client.post(address, json=agreed | {"granted": True}).raise_for_status()
        robot = Robot(page)
        first_problem(robot)
        client.post(address, json=agreed | {"granted": False}).raise_for_status()
        page.keyboard.type("7")
        page.keyboard.press("Enter")
        rests(page)


def test_a_path_that_cannot_be_had_is_not_an_empty_one(child: SignIn) -> None:
    page = child()
    page.route("**/knowledge", lambda route: route.fulfill(status=503, json={"code": "store_unavailable"}))
    page.goto("/path")
    expect(page.locator(".resting")).to_contain_text("잠깐만 기다려 줘.")
    expect(page.get_by_text("여기에 네 길이 생겨.")).to_have_count(0)
    page.unroute_all()
    page.get_by_text("여기에 네 길이 생겨.").wait_for()
    expect(page.locator(".resting")).to_have_count(0)
    page.route("**/knowledge", lambda route: route.fulfill(**_REFUSAL))
    page.reload()
    rests(page)


@pytest.mark.parametrize(
    ("room", "part", "comes"),
    [
        ("내 길", "Path", ".path"),
        ("놀이", "Games", ".games"),
        ("이야기", "Talk", ".talk"),
        ("배우기", "Lesson", ".lesson"),
    ],
)
def test_a_room_that_cannot_be_fetched_comes_later(tablets: Tablets, room: str, part: str, comes: str) -> None:
    page = tablets.open()
    lost: list[str] = []

    def lose(route: Route) -> None:
        lost.append(route.request.url)
        route.abort()

    page.route(f"**/assets/{part}-*.js", lose)
    page.add_init_script("delete Navigator.prototype.serviceWorker")  # it would have the part
    at_home(tablets, page)
    page.get_by_role("button", name=room, exact=True).click()
    page.locator(".resting").wait_for()
    assert lost
    page.unroute_all()
    page.locator(comes).wait_for()


def at_home(tablets: Tablets, page: Page) -> None:
    client = tablets.service.client
    made = client.post("/api/v1/classes", json={"name": "반"}).json()["class_id"]
    client.post(f"/api/v1/classes/{made}/members", json={"nickname": "하늘", "pictures": None}).raise_for_status()
    code = client.post(f"/api/v1/classes/{made}/device-codes").json()["enrol_code"]
    page.goto("/")
    page.get_by_label("선생님이 보여 준 코드").fill(code)
    page.get_by_role("button", name="등록하기").click()
    page.get_by_role("button", name="하늘").click()
    page.get_by_role("button", name=BEGIN).wait_for()


def test_what_was_played_without_a_network_is_told_of_when_the_child_comes_back(
    child: SignIn, tablets: Tablets
) -> None:
    page = child()
    first = ended_with_offers(tablets, page)["summary"]["trainings"][0]
    offered = games(tablets, page)[first]
    page.get_by_role("button", name="놀이").click()
    tile(page, offered).click()
    page.route("**/events", lambda route: route.abort())
    play(page, offered, keys=False)
    page.goto("about:blank")
    page.unroute_all()
    with page.expect_response("**/events") as sent:
        page.goto("/")
    assert sent.value.ok
    last = turns(tablets.service, page)[-1]["event"]
    assert (last["type"], last["training_id"]) == ("training_done", offered.id)
