"""What the page promises a child, each in a browser: nothing is told away, nothing is lost, help is free."""

import json
import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Response, Route, expect

from tests.support.service import until
from tests.web.conftest import SCHOOL, Tablets, still
from tests.web.robot import Robot, begun, turns
from tests.web.test_trainings import TRAININGS, served

pytestmark = pytest.mark.slow

SignIn = Callable[..., Page]
_VOICE: Final = """
globalThis.spoken = [];
const voice = { lang: "ko-KR", localService: true, name: "stub", default: true, voiceURI: "stub" };
globalThis.SpeechSynthesisUtterance = class { constructor(text) { this.text = text; } };
Object.defineProperty(globalThis, "speechSynthesis", { value: {
    getVoices: () => [voice], addEventListener() {}, cancel() {}, speak: (words) => spoken.push(words.text),
} });
"""
"""A tablet with a Korean voice: the browser of the tests has none."""


def test_the_answer_is_in_nothing_that_a_child_gets(child: SignIn, tablets: Tablets) -> None:
    page = child()
    begun(tablets.service, page, first_problem="28+15", c_position=8)
    received: list[str] = []

    def keep(response: Response) -> None:
        if "/api/v1/sessions" in response.url:
            received.append(response.url)

    page.on("response", keep)
    bodies: list[dict[str, Any]] = []

    def look(route: Route) -> None:
        answer = route.fetch()
        bodies.append(answer.json())
        route.fulfill(response=answer)

    page.route("**/api/v1/sessions", look)
    robot = Robot(page)
    robot.start()
    assert robot.prompt() == "28+15=□"
    if page.get_by_role("button", name="직접 쓸래").count():
        robot.press("직접 쓸래")
    assert received
    task = bodies[0]["task"]
    assert 43 in task.pop("choices"), "unmarked among others"
    assert not re.search(r"\b43\b", json.dumps(task))
    names = page.evaluate("[...document.querySelectorAll('[aria-label]')].map(e => e.ariaLabel).join(' ')")
    assert not re.search(r"\b43\b", page.locator("body").inner_text() + names)
    robot.press("그림")
    page.locator(".picture").wait_for()
    assert not re.search(r"\b43\b", page.locator("body").inner_text())


def test_columns_are_filled_from_the_ones_and_carries_are_the_childs_own(child: SignIn, tablets: Tablets) -> None:
    page = child()
    begun(tablets.service, page, first_problem="1+10", c_position=5)
    robot = Robot(page)
    robot.start()
    robot.answer(1)
    while robot.look() != "problem":
        robot.next()
    if page.get_by_role("button", name="직접 쓸래").count():
        robot.press("직접 쓸래")
    page.get_by_role("button", name="십의 자리 메모").click()
    page.locator(".pad").get_by_role("button", name="7", exact=True).click()
    expect(page.get_by_role("button", name="십의 자리 메모 7")).to_be_visible()
    page.get_by_role("button", name="일의 자리 빈칸").click()
    for digit in "21":
        page.locator(".pad").get_by_role("button", name=digit, exact=True).click()
    expect(page.get_by_role("button", name="일의 자리 2")).to_be_visible()
    expect(page.get_by_role("button", name="십의 자리 1")).to_be_visible()
    shown = page.locator(".problem").element_handle()
    robot.press("다 했어")
    shown.wait_for_element_state("hidden")
    event = turns(tablets.service, page)[-1]["event"]
    assert event["answer"] == 12
    assert set(event) == {
        *("type", "request_id", "task_id", "answer", "rt_ms", "input", "telemetry", "behavior_tags")
    }, "no note is sent"


def test_the_left_hand_moves_the_pad_and_nothing_else(child: SignIn, tablets: Tablets) -> None:
    page = child()
    begun(tablets.service, page, first_problem="98+90", c_position=8)

    def places() -> tuple[float, dict[str, float]]:
        Robot(page).start()
        if page.get_by_role("button", name="직접 쓸래").count():
            page.get_by_role("button", name="직접 쓸래").click()
        rest = {name: page.get_by_role("button", name=name).bounding_box() for name in ("그만하기", "모르겠어", "그림")}
        done = page.get_by_role("button", name="다 했어").bounding_box()
        assert done is not None
        return done["x"], {name: box["x"] for name, box in rest.items() if box}

    right, others = places()
    page.goto("/")
    for name in ("바꾸기", "왼쪽", "다 했어"):
        page.get_by_role("button", name=name, exact=True).click()
    left, same = places()
    assert left < 512 < right
    assert same == others


def test_a_device_without_a_voice_offers_none(child: SignIn) -> None:
    page = child()
    page.get_by_role("button", name="바꾸기").click()
    page.get_by_text("숫자판").wait_for()
    expect(page.get_by_text("읽어 줘")).to_have_count(0)


def test_a_voice_reads_numbers_as_they_are_counted(child: SignIn, tablets: Tablets) -> None:
    page = child()
    page.add_init_script(_VOICE)
    page.goto("/")
    begun(tablets.service, page, first_problem="28+15", c_position=8)
    for name in ("바꾸기", "읽어 줘", "다 했어"):
        page.get_by_role("button", name=name, exact=True).click()
    robot = Robot(page)
    robot.start()
    robot.press("읽어 주기")
    until(lambda: str(page.evaluate("spoken.at(-1) ?? ''")).endswith("스물여덟 더하기 열다섯은?"))
    robot.answer(43)
    page.locator(".words").wait_for()
    telemetry = turns(tablets.service, page)[-1]["event"]["telemetry"]
    assert (telemetry["helped"], telemetry["rt_reliable"]) == (["read_aloud"], False)


def test_the_pad_is_closed_while_a_child_shall_think(child: SignIn) -> None:
    page = child()
    training = next(one for one in TRAININGS if one.widget == "stop_think_go")
    served(page, training)
    still(page)
    page.goto("/play")
    page.get_by_role("button", name="시작하자", exact=True).click()
    waits = training.items[0].params["wait_ms"]
    assert isinstance(waits, int)
    page.clock.run_for(waits - 200)
    expect(page.locator(".hands.closed")).to_have_count(1)
    page.clock.run_for(400)
    page.locator(".hands:not(.closed)").wait_for()


def test_the_path_never_shrinks(child: SignIn, tablets: Tablets) -> None:
    page = child()
    begun(tablets.service, page, first_problem="3+2", c_position=2)

    def path() -> list[str]:
        page.goto("/path")
        page.locator(".path li, .path .none").first.wait_for()
        return page.locator(".path li > span").evaluate_all("(all) => all.map((one) => one.firstChild.textContent)")

    def session(wrong: range) -> None:
        page.goto("/")
        still(page)
        robot = Robot(page, thinks=2_000)
        robot.start()
        robot.play(wrong=frozenset(wrong))

    session(range(0))
    before = path()
    assert before
    session(range(100))
    assert set(before) <= set(path())


def test_a_child_finds_nothing_of_the_adults(child: SignIn, tablets: Tablets) -> None:
    page = child()
    other = tablets.service.client.post("/api/v1/classes", json={"name": "옆 반"}).json()["class_id"]
    member = {"nickname": "비밀이름", "pictures": None}
    student = tablets.service.client.post(f"/api/v1/classes/{other}/members", json=member).json()["student_id"]
    for address in (f"/class/{other}", f"/student/{student}", "/ops", "/people", "/reviews"):
        answer = page.goto(address)
        assert answer is not None
        assert answer.status == 404
    page.goto("/")
    for path in (
        "classes",
        f"classes/{other}",
        f"students/{student}/summary",
        f"students/{student}/sessions",
        "reviews",
    ):
        status, text = page.evaluate(
            "(path) => fetch(`/api/v1/${path}`).then(async (found) => [found.status, await found.text()])", path
        )
        assert status in (403, 404), path
        assert "비밀이름" not in text


def test_a_page_elsewhere_cannot_use_the_cookie(child: SignIn, tablets: Tablets) -> None:
    """A form sends what it likes without asking first; the browser keeps the cookie back, and the service refuses."""
    page = child()
    me = page.evaluate("fetch('/api/v1/me').then((found) => found.json())")["students"][0]["student_id"]
    target = f"{tablets.address}/api/v1/sessions"
    evil = page.context.new_page()
    body = f'{{"student_id": "{me}", "x": "'
    form = f"<form method=post enctype=text/plain action={target}><input name='{body}' value='\"}}'></form>"
    evil.route("http://evil.test/", lambda route: route.fulfill(body=form, content_type="text/html"))
    evil.goto("http://evil.test/")
    with evil.expect_response(target) as answered:
        evil.evaluate("document.forms[0].submit()")
    assert answered.value.status in (401, 403, 415, 422)
    assert "cookie" not in answered.value.request.all_headers()
    sent = page.request.post(
        target, data={"student_id": me}, headers={"Origin": f"http://{SCHOOL}", "X-Maththera": "1"}
    )
    assert (sent.status, sent.json()["code"]) == (403, "cross_site")
    assert tablets.service.client.get(f"/api/v1/students/{me}/sessions").json()["sessions"] == []


def test_wrong_pictures_are_locked_kindly_and_noted(tablets: Tablets) -> None:
    client = tablets.service.client
    made = client.post("/api/v1/classes", json={"name": "반"}).json()["class_id"]
    member = client.post(f"/api/v1/classes/{made}/members", json={"nickname": "하늘", "pictures": [1, 2]}).json()
    page = tablets.enrolled(made)
    page.get_by_role("button", name="하늘").click()

    def pick(*names: str) -> None:
        with page.expect_response("**/auth/child"):
            for name in names:
                page.get_by_role("button", name=name, exact=True).click()
        expect(page.get_by_role("button", pressed=True)).to_have_count(0)

    for _ in range(5):
        pick("별", "꽃")
        expect(page.get_by_text("그림을 다시 골라 볼래?")).to_be_visible()
    pick("해", "달")
    page.get_by_text("선생님을 불러 줘.").wait_for()
    log = client.get("/api/v1/access-log", params={"student_id": member["student_id"]}).json()
    assert [one["access"] for one in log["entries"]].count("locked") == 1
