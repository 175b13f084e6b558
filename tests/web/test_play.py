"""A child plays a session in a real browser, by taps and by keys, also where the network fails it."""

import re
from collections.abc import Callable
from typing import Final

import pytest
from playwright.sync_api import APIResponse, Page, Route, expect

from tests.support.service import until
from tests.web.conftest import SCHOOL, Tablets
from tests.web.robot import Robot, begun, turns

pytestmark = pytest.mark.slow

SignIn = Callable[..., Page]
_DRAFTS: Final = """() => new Promise((found) => {
    const opened = indexedDB.open("maththera", 1);
    opened.onsuccess = () => {
        const drafts = opened.result.transaction("drafts").objectStore("drafts").getAll();
        drafts.onsuccess = () => {
            opened.result.close();
            found(drafts.result.map((one) => one.typed));
        };
    };
})"""
"""What the browser has written down of what was typed."""
_NEVER: Final = re.compile(r"%|점수|틀렸|빨리|\d+\s*/\s*\d+|초 남|\d점|문제\S* 맞")


def test_a_session_by_taps_alone(child: SignIn) -> None:
    robot = Robot(child(touch=True))
    assert robot.page.evaluate("navigator.maxTouchPoints > 0")
    robot.start()
    robot.play(wrong=frozenset({2, 5}))
    for screen in robot.seen:
        assert not _NEVER.search(screen), screen
    robot.press("끝")
    robot.page.get_by_role("button", name="시작하자").wait_for()


def test_the_way_back_to_a_session_that_is_over_leads_home(child: SignIn) -> None:
    robot = Robot(child())
    first_problem(robot)
    robot.page.get_by_role("button", name="그만하기").click()
    robot.press("내 길 보기")
    robot.page.wait_for_url("**/path")
    robot.page.go_back()
    robot.page.get_by_role("button", name="시작하자").wait_for()
    first_problem(robot)
    robot.page.get_by_role("button", name="그만하기").click()
    robot.press("끝")
    robot.page.get_by_role("button", name="시작하자").wait_for()
    robot.page.go_back()
    robot.page.get_by_role("button", name="시작하자").wait_for()
    assert robot.page.url.endswith("/")


def test_the_way_back_to_a_session_that_is_open_goes_on_there(child: SignIn) -> None:
    robot = Robot(child())
    first_problem(robot)
    before = robot.prompt()
    robot.page.go_back()
    robot.page.get_by_role("button", name="이어서 하자").wait_for()
    robot.page.go_forward()
    robot.look()
    assert robot.prompt() == before


def test_a_session_by_keys_alone(child: SignIn) -> None:
    robot = Robot(child(), keys=True)
    robot.start()
    robot.play(wrong=frozenset({1}))


def test_the_page_says_what_it_can_show(child: SignIn) -> None:
    """Without it no probe would lie in the sign or in the places."""
    robot = Robot(child())
    with robot.page.expect_request(lambda sent: sent.method == "POST" and sent.url.endswith("/sessions")) as sent:
        robot.start()
    able = (sent.value.post_data_json or {})["capabilities"]
    assert able["presentation"]
    assert able["widgets"]


def test_no_equation_stands_behind_an_answer_of_a_placement(child: SignIn, tablets: Tablets) -> None:
    robot = Robot(child())
    begun(tablets.service, robot.page, mode="placement")
    first_problem(robot)
    wrong = robot.right() + 1
    robot.answer(wrong)
    robot.page.locator(".words").wait_for()
    expect(robot.page.locator(".was")).to_have_text(str(wrong), use_inner_text=True)


def test_words_never_stand_beside_the_next_problem(child: SignIn) -> None:
    robot = Robot(child())
    first_problem(robot)
    robot.answer(robot.right() + 1)
    robot.page.locator(".words").wait_for()
    expect(robot.page.locator(".problem")).to_have_count(0)
    expect(robot.page.get_by_role("button", name="다음")).to_be_focused()
    robot.next()
    robot.page.locator(".problem.shown").wait_for()
    expect(robot.page.locator(".words")).to_have_count(0)


def first_problem(robot: Robot) -> None:
    """To a problem that is written."""
    robot.start()
    while robot.look() != "problem" or robot.page.locator(".problem .widget").count():
        if robot.page.locator(".problem").count():
            robot.answer(robot.right())
        else:
            robot.next()


def test_what_is_typed_survives_a_reload(child: SignIn, tablets: Tablets) -> None:
    robot = Robot(child(), keys=True)
    first_problem(robot)
    before = robot.prompt()
    robot.page.keyboard.type("12")
    until(lambda: robot.page.evaluate(_DRAFTS) in (["12"], ["21"]))  # in columns it is written from the ones
    robot.page.reload()
    robot.page.locator(".problem.shown").wait_for()
    assert robot.prompt() == before
    expect(robot.page.locator(".slot").last).to_have_text(re.compile("[12]"))
    robot.page.keyboard.press("Enter")
    robot.page.locator(".words").wait_for()
    turn = turns(tablets.service, robot.page)[-1]
    assert turn["event"]["telemetry"]["reloaded"] is True
    assert turn["event"]["telemetry"]["rt_reliable"] is False


def test_an_answer_without_a_network_arrives_once(child: SignIn, tablets: Tablets) -> None:
    robot = Robot(child())
    first_problem(robot)
    before = len(turns(tablets.service, robot.page))
    robot.page.context.set_offline(True)
    robot.page.keyboard.type("7")
    robot.page.keyboard.press("Enter")
    robot.page.locator(".resting").wait_for()
    robot.page.context.set_offline(False)
    robot.page.locator(".words").wait_for()
    assert len(turns(tablets.service, robot.page)) == before + 1


def test_an_answer_whose_reply_is_lost_counts_once(child: SignIn, tablets: Tablets) -> None:
    robot = Robot(child())
    first_problem(robot)
    before = len(turns(tablets.service, robot.page))
    lost: list[APIResponse] = []

    def lose(route: Route) -> None:
        if lost:
            route.continue_()
        else:
            lost.append(route.fetch())
            route.abort()

    robot.page.route("**/events", lose)
    robot.page.keyboard.type("7")
    robot.page.keyboard.press("Enter")
    robot.page.locator(".words").wait_for()
    assert lost[0].ok
    assert len(turns(tablets.service, robot.page)) == before + 1


def test_an_answer_that_was_kept_is_sent_after_a_reload(child: SignIn, tablets: Tablets) -> None:
    robot = Robot(child())
    first_problem(robot)
    before = len(turns(tablets.service, robot.page))
    robot.page.route("**/events", lambda route: route.abort())
    robot.page.keyboard.type("7")
    robot.page.keyboard.press("Enter")
    robot.page.locator(".resting").wait_for()
    robot.page.reload()
    robot.page.locator(".resting").wait_for()
    robot.page.unroute("**/events")
    robot.page.locator(".words").wait_for()
    assert len(turns(tablets.service, robot.page)) == before + 1


@pytest.mark.parametrize("host", ["127.0.0.1", SCHOOL])
def test_one_window_plays_at_a_time(child: SignIn, tablets: Tablets, host: str) -> None:
    robot = Robot(child(address=f"http://{host}:{tablets.service.port}"))
    first_problem(robot)
    assert robot.page.evaluate("isSecureContext") is (host != SCHOOL)
    other = robot.page.context.new_page()
    other.goto("/play")
    other.get_by_role("button", name="여기서 할래").click()
    other.locator(".problem.shown").wait_for()
    robot.page.get_by_text("다른 창에서").wait_for()


def test_i_do_not_know_is_always_there(child: SignIn, tablets: Tablets) -> None:
    robot = Robot(child())
    first_problem(robot)
    robot.press("모르겠어")
    robot.page.locator(".words").wait_for()
    turn = turns(tablets.service, robot.page)[-1]
    assert turn["event"]["type"] == "timeout"


def test_a_picture_is_free_and_is_told(child: SignIn, tablets: Tablets) -> None:
    robot = Robot(child())
    first_problem(robot)
    robot.press("그림")
    robot.page.locator(".picture").wait_for()
    robot.answer(7)
    robot.page.locator(".words").wait_for()
    turn = turns(tablets.service, robot.page)[-1]
    assert turn["event"]["telemetry"]["helped"] == ["aid"]
    assert turn["event"]["input"] == "typed"


def test_the_house_ends_kindly(child: SignIn) -> None:
    robot = Robot(child())
    first_problem(robot)
    robot.press("그만하기")
    robot.page.get_by_role("button", name="내 길 보기").click()
    robot.page.get_by_role("heading", name="내 길").wait_for()


def test_no_room_counts_or_speaks_of_failure(child: SignIn) -> None:
    robot = Robot(child())
    first_problem(robot)
    robot.answer(robot.right())
    page = robot.page
    for path, seen in {
        "/path": "li",
        "/train": ".tile",
        "/talk": ".begin",
        "/lesson": ".below button",
        "/": "nav",
    }.items():
        page.goto(path)
        page.locator(f"main {seen}").first.wait_for()
        screen = page.locator("main").inner_text()
        assert not _NEVER.search(screen), screen
        names = page.locator("main [aria-label]").evaluate_all("(all) => all.map((one) => one.ariaLabel).join(' ')")
        assert not _NEVER.search(names), names


def test_home_says_how_it_begins_only_when_it_is_known(child: SignIn) -> None:
    robot = Robot(child())
    first_problem(robot)
    page = robot.page
    held: list[Route] = []

    def hold(route: Route) -> None:
        held.append(route)

    page.route("**/sessions?limit=1", hold)
    page.goto("/")
    start = page.locator(".start")
    start.wait_for()
    height = start.evaluate("(one) => one.offsetHeight")
    until(lambda: page.evaluate("true") and bool(held))
    expect(start).to_have_text("")
    held.pop().continue_()
    expect(start).to_have_text("이어서 하자")
    assert start.evaluate("(one) => one.offsetHeight") == height, "nothing moves"
    page.unroute_all()
    page.route("**/sessions?limit=1", lambda route: route.abort())
    page.goto("/")
    expect(start).to_have_text("시작하자")


def test_home_goes_on_with_the_session_that_is_open(child: SignIn) -> None:
    robot = Robot(child())
    first_problem(robot)
    before = robot.prompt()
    robot.page.goto("/")
    robot.page.get_by_role("button", name="이어서 하자").click()
    robot.page.locator(".problem.shown").wait_for()
    assert robot.prompt() == before
    robot.press("그만하기")
    robot.press("끝")
    robot.page.get_by_role("button", name="시작하자").wait_for()
    robot.page.reload()
    robot.page.get_by_role("button", name="시작하자").wait_for()


def test_the_path_shows_what_was_hard_once(child: SignIn) -> None:
    page = child()

    def missed_once(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json={**answer.json(), "once_hard": ["28+15=43", "43−15=28"]})

    page.route("**/knowledge", missed_once)
    robot = Robot(page)
    first_problem(robot)
    robot.answer(robot.right())
    robot.next()
    robot.look()
    robot.press("그만하기")
    page.get_by_role("button", name="내 길 보기").click()
    page.get_by_role("heading", name="예전엔 어려웠는데 이제 돼").wait_for()
    expect(page.locator(".once li")).to_have_text(["28+15=43", "43−15=28"])
