"""A child talks with the coach, also where the network breaks in the middle of an answer."""

import json
from collections.abc import Callable

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.conftest import Tablets
from tests.web.robot import student_of, wants
from tests.web.test_looks import faults

pytestmark = pytest.mark.slow


def talk(child: Callable[..., Page]) -> Page:
    page = child()
    page.get_by_role("button", name="이야기").click()
    page.get_by_text("무슨 이야기를 할까?").wait_for()
    return page


def say(page: Page, words: str) -> None:
    page.get_by_label("여기에 써 봐").fill(words)
    page.keyboard.press("Enter")
    answered(page)


def answered(page: Page) -> str:
    """The last answer, whole."""
    page.locator(".said[aria-busy=false] .bubble:last-child:not(.mine)").wait_for()
    return page.locator(".bubble").last.inner_text()


def test_three_beginnings_are_offered_and_answered_without_figures(child: Callable[..., Page]) -> None:
    page = talk(child)
    tiles = page.locator(".tiles button")
    expect(tiles).to_have_count(3)
    words = tiles.first.inner_text()
    tiles.first.click()
    assert len(answered(page)) > 10
    expect(page.locator(".bubble.mine")).to_have_text(words)
    expect(page.locator("svg.chart, canvas, table")).to_have_count(0)
    page.get_by_text("선생님과 보호자가 볼 수 있어").wait_for()
    assert faults(page) == []


@pytest.mark.parametrize("frames", [2, 5, 9])
def test_an_answer_that_breaks_off_is_completed_and_nothing_comes_twice(
    child: Callable[..., Page], frames: int
) -> None:
    page = talk(child)
    whole: list[str] = []

    def cut(route: Route) -> None:
        answer = route.fetch()
        parts = answer.text().replace("\r", "").split("\n\n")
        lines = [line for line in answer.text().splitlines() if line.startswith("data: {")]
        events = [json.loads(line.removeprefix("data: ")) for line in lines]
        whole.append("".join(event["token"] for event in events if event["type"] == "token"))
        route.fulfill(response=answer, body="\n\n".join(parts[:frames]) + "\n\n")

    page.route("**/api/v1/chat", cut)
    say(page, "8+6 어떻게 풀어?")
    shown = answered(page)
    assert "".join(shown.split()) == "".join(whole[0].split())


def test_a_talk_goes_on_after_a_reload(child: Callable[..., Page]) -> None:
    page = talk(child)
    say(page, "받아올림이 뭐야?")
    before = answered(page)
    page.reload()
    page.get_by_text("받아올림이 뭐야?").wait_for()
    assert answered(page) == before


def test_a_talk_is_fetched_again_once_the_network_is_back(child: Callable[..., Page]) -> None:
    page = talk(child)
    say(page, "받아올림이 뭐야?")
    before = answered(page)
    address = "**/api/v1/chat/*"
    page.route(address, lambda route: route.abort())
    page.reload()
    page.get_by_text("잠깐만 기다려 줘.").wait_for()
    page.unroute(address)
    assert answered(page) == before
    expect(page.get_by_text("잠깐만 기다려 줘.")).to_have_count(0)
    expect(page.get_by_label("여기에 써 봐")).to_be_enabled()


def test_an_answer_is_stopped_and_another_talk_begun(child: Callable[..., Page]) -> None:
    page = talk(child)
    say(page, "받아올림이 뭐야?")
    cancelled: list[str] = []
    page.on("request", lambda sent: cancelled.append(sent.url) if sent.url.endswith("/cancel") else None)

    def late(route: Route) -> None:
        page.wait_for_timeout(500)
        route.continue_()

    page.route("**/api/v1/chat", late)
    page.get_by_label("여기에 써 봐").fill("8+6 어떻게 풀어?")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="멈춰").click()
    assert answered(page)
    assert len(cancelled) == 1
    page.get_by_role("button", name="새 이야기").click()
    page.get_by_text("무슨 이야기를 할까?").wait_for()
    expect(page.locator(".bubble")).to_have_count(0)
    page.reload()
    page.get_by_text("무슨 이야기를 할까?").wait_for()
    expect(page.get_by_role("button", name="새 이야기")).to_have_count(0)
    assert faults(page) == []


def test_danger_is_answered_by_people_and_an_adult_can_be_called(child: Callable[..., Page], tablets: Tablets) -> None:
    page = talk(child)
    say(page, "나는 죽고 싶어")
    assert "109" in answered(page)
    page.get_by_role("button", name="어른 부르기").click()
    sign = page.get_by_role("dialog")
    expect(sign).to_contain_text("어른에게 보여 줘.")
    expect(sign).to_contain_text("109")
    assert faults(page) == []
    page.get_by_role("button", name="돌아갈래").click()
    expect(sign).to_have_count(0)
    before = answered(page)
    page.reload()
    page.get_by_role("button", name="어른 부르기").click()
    expect(sign).to_contain_text("109")
    page.get_by_role("button", name="돌아갈래").click()
    assert answered(page) == before
    alerts = tablets.service.client.get("/api/v1/reviews", params={"kind": "safety", "limit": 200}).json()["reviews"]
    assert {one["room"] for one in alerts if one["student_id"] == student_of(page)} == {"coach"}


_BROKEN = """() => {
    const found = [];
    const texts = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    while (texts.nextNode()) {
        const text = texts.currentNode;
        if (!text.parentElement.checkVisibility() || text.parentElement.closest(".seen-only-by-readers")) continue;
        for (const { 0: word, index } of text.data.matchAll(/\\S+/g)) {
            const range = document.createRange();
            range.setStart(text, index);
            range.setEnd(text, index + word.length);
            if (new Set([...range.getClientRects()].map((one) => Math.round(one.top))).size > 1) found.push(word);
        }
    }
    return found;
}"""
"""The words that stand on two lines."""


@pytest.mark.parametrize("font_scale", [1, 1.25])
def test_an_adult_can_be_called_on_a_small_phone(child: Callable[..., Page], font_scale: float) -> None:
    page = child(width=360, height=640, touch=True)
    wants(page, font_scale=font_scale)
    page.goto("/talk")
    say(page, "나는 죽고 싶어")
    call = page.get_by_role("button", name="어른 부르기")
    expect(call).to_be_in_viewport(ratio=1)
    place = call.bounding_box()
    assert place is not None
    below = page.locator(".hands").bounding_box()
    assert below is not None
    assert place["y"] + place["height"] <= below["y"], "nothing lies over it"
    assert page.evaluate(_BROKEN) == []
    call.click()
    expect(page.get_by_role("heading", name="어른에게 보여 줘.")).to_be_in_viewport(ratio=1)
    expect(page.get_by_role("button", name="돌아갈래")).to_be_in_viewport(ratio=1)
