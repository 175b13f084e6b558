"""What every screen owes to everybody: access, room in both themes and at every size, and no words of failure."""

import dataclasses
import json
import re
from collections.abc import Callable
from pathlib import Path
from typing import Any, Final, Literal

import pytest
from playwright.sync_api import Page, expect

from maththera.tutoring.number_sense.items import SKILLS, highest_level, item, item_id
from tests.web.conftest import Tablets
from tests.web.robot import Robot, begun, wants
from tests.web.scenes import SCENES, show
from tests.web.test_play import first_problem
from tests.web.test_room import TOUCHED
from tests.web.test_strategy import practising, slowly
from tests.web.test_trainings import TRAININGS, give, served, stand_at

pytestmark = pytest.mark.slow

SignIn = Callable[..., Page]
_WEB: Final = Path(__file__).parents[2] / "web"
_AXE: Final = _WEB / "node_modules" / "axe-core" / "axe.min.js"
_TAGS: Final = ["wcag2a", "wcag2aa", "wcag21a", "wcag21aa", "wcag22aa"]
_RUN: Final = """async (tags, theme) => {
    const colours = axe.getRules(tags).filter((one) => one.tags.includes("cat.color")).map((one) => one.ruleId);
    const runOnly = theme === "dark" ? tags : { type: "rule", values: colours };
    const { violations, incomplete } = await axe.run(document, { runOnly, resultTypes: ["violations", "incomplete"] });
    return JSON.stringify([violations, incomplete]);
}"""
"""All rules in the dark theme; in the light one those of colours, since a theme changes nothing else."""
_JUDGED: Final = frozenset(
    {"shortTextContent", "nonBmp", "imgNode", "bgOverlap", "bgImage", "outsideViewport", "elmPartiallyObscured"}
)
"""One sign, a sign of arithmetic, a number on a drawing: each in a colour whose contrast the design has computed. And
words on a drawn box or with a waved line, below a bar that stays, or outside of the window: axe finds no background."""
_SIZES: Final = {"phone": (360, 640), "tablet": (768, 1024), "at 200 %": (512, 384), "at 400 %": (320, 256)}
"""What is left of a window of 1024 by 768, or of 1280 by 1024, when the page is shown that large."""
_STANDS: Final = """() => Promise.allSettled(document.getAnimations()
    .filter((one) => one.effect.getComputedTiming().iterations !== Infinity)
    .map((one) => one.finished)).then(() => true)"""
"""What moves to its place has come there."""
_TOO_WIDE: Final = """async () => {
    let wide;
    for (let frame = 0; frame < 10; frame++) {
        await new Promise(requestAnimationFrame);
        wide = document.documentElement.scrollWidth - innerWidth;
        if (frame && !wide) break;
    }
    return wide;
}"""
"""What the frames that make a screen fit have left over."""


def faults(page: Page) -> list[str]:
    """Of WCAG 2.2 A and AA in both themes, as axe finds them or cannot tell; and the sizes at which something is wider
    than the window. Axe is run as the browser's own script, which no policy of the page stops."""
    session = page.context.new_cdp_session(page)
    session.send("Page.setBypassCSP", {"enabled": True})
    session.send("Runtime.evaluate", {"expression": f"if (!globalThis.axe) {{ {_AXE.read_text('utf-8')} }}"})
    page.evaluate(_STANDS)
    found = []
    themes: tuple[Literal["dark", "light"], ...] = ("dark", "light")
    for theme in themes:
        page.emulate_media(color_scheme=theme)
        run = f"({_RUN})({json.dumps(_TAGS)}, {json.dumps(theme)})"
        sent = session.send("Runtime.evaluate", {"expression": run, "awaitPromise": True, "returnByValue": True})
        violations, incomplete = json.loads(sent["result"]["value"])
        nodes = [(one["id"], node) for one in violations for node in one["nodes"]]
        nodes += [(one["id"], node) for one in incomplete for node in one["nodes"] if not _looked_at(one["id"], node)]
        found += [f"{theme}, {name}: {node['html'][:160]}" for name, node in nodes]
    session.detach()
    own = page.viewport_size
    for name, (width, height) in _SIZES.items():
        page.set_viewport_size({"width": width, "height": height})
        if wide := page.evaluate(_TOO_WIDE):
            found.append(f"{name}: {wide} px too wide")
    assert own is not None
    page.set_viewport_size(own)
    return found


def _looked_at(rule: str, node: dict[str, Any]) -> bool:
    """Whether axe cannot tell the contrast for a reason that a person has judged instead."""
    why = {check["data"].get("messageKey") for check in node["any"] if isinstance(check["data"], dict)}
    return rule == "color-contrast" and bool(why) and why <= _JUDGED


def test_a_theme_changes_colours_alone() -> None:
    """So that all but colours is looked at in one theme."""
    sources = [one for one in (_WEB / "src").rglob("*") if one.suffix in (".css", ".svelte", ".ts")]
    themed = [one for one in sources if re.search(r"prefers-color-scheme|data-theme", one.read_text("utf-8"))]
    assert [one.name for one in themed] == ["app.css"]
    rules = re.findall(r"^ *:root[^{]*data-theme[^{]*\{([^}]*)\}", themed[0].read_text("utf-8"), re.MULTILINE)
    assert len(rules) == 2
    for declaration in ";".join(rules).split(";"):
        assert not declaration.strip() or re.match(r"\s*(--[a-z-]+|color-scheme):", declaration), declaration


def test_every_screen_of_a_child(child: SignIn, tablets: Tablets) -> None:
    new = tablets.open()
    new.goto("/")
    new.get_by_label("선생님이 보여 준 코드").wait_for()
    assert faults(new) == []
    robot = Robot(child())
    page = robot.page
    assert faults(page) == []
    robot.press("바꾸기")
    page.locator(".settings").wait_for()
    assert faults(page) == []
    robot.press("다 했어")
    first_problem(robot)
    assert faults(page) == []
    robot.press("그림")
    page.locator(".picture").wait_for()
    assert faults(page) == []
    robot.answer(robot.right())
    page.locator(".words").wait_for()
    assert faults(page) == []
    robot.press("그만하기")
    page.get_by_role("button", name="내 길 보기").wait_for()
    assert faults(page) == []
    page.get_by_role("button", name="내 길 보기").click()
    page.get_by_role("heading", name="내 길").wait_for()
    assert faults(page) == []
    robot.press("처음으로")
    robot.press("놀이")
    page.locator(".tile").first.wait_for()
    assert faults(page) == []
    robot.press("처음으로")
    robot.press("다른 친구")
    page.get_by_text("누구야?").wait_for()
    assert faults(page) == []


def test_the_turtle_and_how_a_child_found_it(child: SignIn, tablets: Tablets) -> None:
    page = child()
    page.route("**/knowledge", lambda route: route.fulfill(status=403, json={"code": "consent_needed"}))
    page.goto("/path")
    page.get_by_text("선생님을 불러 줘.").wait_for()
    assert faults(page) == []
    page.route("**/knowledge", lambda route: route.fulfill(status=503, json={"code": "store_unavailable"}))
    page.reload()
    page.get_by_text("같이 기다리자.").wait_for()
    assert faults(page) == []
    page.unroute_all()
    robot = practising(child, tablets)
    slowly(robot.page)
    robot.start()
    for _ in range(40):
        shown = robot.look()
        if robot.page.get_by_text("어떻게 풀었어?").count():
            break
        robot.answer(robot.right()) if shown == "problem" else robot.next()
    robot.page.get_by_role("button", name="손가락으로").wait_for()
    assert faults(robot.page) == []


def test_the_pictures_of_the_lock(tablets: Tablets) -> None:
    client = tablets.service.client
    made = client.post("/api/v1/classes", json={"name": "반"}).json()["class_id"]
    client.post(f"/api/v1/classes/{made}/members", json={"nickname": "하늘"}).raise_for_status()
    page = tablets.enrolled(made)
    page.get_by_role("button", name="하늘").click()
    page.get_by_text("네 그림 두 개!").wait_for()
    assert faults(page) == []


def test_every_presentation_of_a_problem(child: SignIn, tablets: Tablets) -> None:
    """A gap, an aid, steps; large signs and columns; a worked example."""
    ways = {
        ("98+90", 8): (178, 2, 190, 1, 1),
        ("52-38", 10): (90,),
        ("1+10", 5): (1,),
        ("28+15", 8): (None, None, None),
    }
    for (problem, level), answers in ways.items():
        page = child()
        wants(page, wait=False)  # looking takes so long that a probe would take it for silence
        begun(tablets.service, page, first_problem=problem, c_position=level)
        page.reload()
        robot = Robot(page)
        robot.start()
        for answer in answers:
            shown = page.locator(".problem").element_handle()
            robot.press("모르겠어") if answer is None else robot.answer(answer)
            shown.wait_for_element_state("hidden")
            while robot.look() != "problem":
                robot.next()
            assert faults(page) == [], (problem, answer)


def test_every_widget_of_number_sense(child: SignIn) -> None:
    page = child()
    for number, (skill, level) in enumerate((one, level) for one in SKILLS for level in (1, highest_level(one))):
        shown = item(item_id(skill, level, number))
        stand_at(
            page,
            kind="widget",
            prompt=shown.prompt,
            widget=shown.widget,
            choices=shown.choices,
            answer_format="integer",
        )
        page.goto("/play")
        page.locator(".problem.shown").wait_for()
        assert faults(page) == [], shown.item_id


def test_every_widget_of_the_trainings(child: SignIn) -> None:
    """One training with an item of everything that can be asked; each step is looked at, the last also when shown."""
    page = child()
    everything = {(one.widget or each.widget, one.ask): (each, one) for each in TRAININGS for one in each.items}
    for (widget, ask), (training, one) in everything.items():
        if one.params.get("shown_as") == "voice":
            continue
        single = dataclasses.replace(training, items=(dataclasses.replace(one, widget=widget),))
        served(page, single)
        page.goto("/play")
        page.get_by_role("button", name="시작하자", exact=True).click()
        for number, step in enumerate(one.steps):
            page.locator(".hands:not(.closed)").wait_for()
            assert faults(page) == [], (widget, ask, number)
            give(page, single, one, step, step.answer, keys=True)


def test_every_screen_of_a_teacher(child: SignIn, tablets: Tablets) -> None:
    robot = Robot(child("루미"))
    robot.start()
    robot.play(wrong=frozenset({1, 2}))
    page = tablets.open()
    page.goto("/adult")
    page.get_by_label("토큰").wait_for()
    assert faults(page) == []
    page.get_by_label("토큰").fill(tablets.service.client.headers["authorization"].split()[1])
    page.get_by_role("button", name="들어가기").click()
    page.get_by_role("heading", name="아이들").wait_for()
    classes = tablets.service.client.get("/api/v1/classes").json()["classes"]
    page.goto(f"/adult/class/{next(one['class_id'] for one in classes if one['name'] == '루미네 반')}")
    page.get_by_label("별명").fill("서아")
    page.get_by_role("button", name="넣기").click()
    page.get_by_text("지금 적어 두세요").wait_for()
    page.get_by_role("button", name="태블릿 코드 만들기").click()
    page.locator(".code").wait_for()
    assert faults(page) == []
    page.get_by_role("row").get_by_role("button", name="보기").first.click()
    page.get_by_role("heading", name="지금 할 수 있는 것").wait_for()
    page.get_by_role("button", name="선생님 보고서 만들기").click()
    page.get_by_role("link", name="PDF 열기").wait_for()
    assert faults(page) == []


_SMALL: Final = """(least) => [...document.querySelectorAll("button, a[href], input, select, textarea, summary")]
    .filter((one) => one.checkVisibility() && !one.closest("[inert], .drawn"))
    .map((one) => [one, one.getBoundingClientRect()])
    .filter(([, { width, height }]) => Math.min(width, height) < least)
    .map(([one, { width, height }]) => `${one.ariaLabel ?? one.innerText}: ${width} x ${height}`)"""
"""What is smaller than a child's finger. The pieces of a drawing are as large as what they stand for, and the drawing
takes what room there is; each is also reached by keys."""


def small(page: Page) -> list[str]:
    """On a small phone, on one that lies, and on a low tablet."""
    found = []
    for width, height in ((360, 640), (844, 390), (1024, 600)):
        page.set_viewport_size({"width": width, "height": height})
        page.evaluate("() => new Promise(requestAnimationFrame)")
        found += [f"{width} x {height}, {one}" for one in page.evaluate(_SMALL, TOUCHED)]
    return found


def test_what_a_child_touches_is_large_on_every_screen(child: SignIn, tablets: Tablets) -> None:
    client = tablets.service.client
    made = client.post("/api/v1/classes", json={"name": "반"}).json()["class_id"]
    client.post(f"/api/v1/classes/{made}/members", json={"nickname": "하늘"}).raise_for_status()
    new = tablets.open(touch=True)
    new.goto("/")
    new.get_by_label("선생님이 보여 준 코드").wait_for()
    assert small(new) == []
    tiles = tablets.enrolled(made, touch=True)
    assert small(tiles) == []
    tiles.get_by_role("button", name="하늘").click()
    tiles.get_by_text("네 그림 두 개!").wait_for()
    assert small(tiles) == []
    page = child(touch=True)
    assert small(page) == []
    page.get_by_role("button", name="바꾸기").click()
    page.locator(".settings").wait_for()
    assert small(page) == []
    for path, seen in (
        ("/path", "main h1"),
        ("/train", ".tile"),
        ("/train/T01", ".main"),
        ("/lesson", ".below button:not([disabled])"),
        ("/talk", ".tiles button"),
    ):
        page.goto(path)
        page.locator(seen).first.wait_for()
        assert small(page) == [], path
    for name, shown in SCENES.items():
        show(page, shown)
        assert small(page) == [], name


def test_what_a_child_touches_beside_a_widget_is_large(child: SignIn) -> None:
    """One training of each widget, at its first step."""
    page = child(touch=True)
    for widget, (training, one) in {
        one.widget or each.widget: (each, one) for each in TRAININGS for one in each.items
    }.items():
        if one.params.get("shown_as") == "voice":
            continue
        served(page, dataclasses.replace(training, items=(dataclasses.replace(one, widget=widget),)))
        page.goto("/play")
        page.get_by_role("button", name="시작하자", exact=True).click()
        page.locator(".hands:not(.closed)").wait_for()
        assert small(page) == [], widget


@pytest.mark.parametrize(("width", "height"), [(360, 640), (640, 360), (768, 1024), (1024, 768)])
def test_the_way_out_of_the_settings_is_in_sight(child: SignIn, width: int, height: int) -> None:
    page = child(width=width, height=height, touch=True)
    page.get_by_role("button", name="바꾸기").click()
    expect(page.get_by_role("button", name="다 했어")).to_be_in_viewport(ratio=1)


def test_the_digits_of_a_training_are_as_large_as_those_of_a_problem(child: SignIn) -> None:
    page = child(width=360, height=640, touch=True)
    first_problem(robot := Robot(page))
    if page.get_by_role("button", name="직접 쓸래").count():
        robot.press("직접 쓸래")
    digit = page.locator(".pad").get_by_role("button", name="5", exact=True)
    wide = digit.evaluate("(one) => one.offsetWidth")
    page.goto("/train/T01")
    page.get_by_role("button", name="시작하자", exact=True).click()
    digit.wait_for()
    assert digit.evaluate("(one) => one.offsetWidth") >= 0.9 * wide
