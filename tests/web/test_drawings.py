"""What a child does with a drawing, by taps and by keys: pieces are opened, joined and moved, and nothing tells the
answer."""

import dataclasses
import re
from collections.abc import Callable
from functools import partial
from typing import Any, Final

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.support.service import until
from tests.web.robot import place_of, tab_to
from tests.web.scenes import SCENES, show, task
from tests.web.test_room import TOUCHED
from tests.web.test_trainings import TRAININGS, served

pytestmark = pytest.mark.slow

SignIn = Callable[..., Page]
_COUNT_MOTIONS: Final = """
    globalThis.motions = 0;
    for (const begun of ["animationstart", "transitionrun"])
        addEventListener(begun, () => { globalThis.motions += 1; }, true);
"""


def stands_at(page: Page, widget: str, ask: str, **params: Any) -> None:
    """A training whose first item is of this kind, with these numbers."""
    training = next(
        each for each in TRAININGS for one in each.items if (one.widget or each.widget, one.ask) == (widget, ask)
    )
    item = next(one for one in training.items if one.ask == ask)
    changed = dataclasses.replace(item, params={**item.params, **params})
    served(page, dataclasses.replace(training, items=(changed,)))
    page.goto("/play")
    page.get_by_role("button", name="시작하자", exact=True).click()


def pieces(page: Page, name: str) -> Locator:
    return page.get_by_role("group", name="수 모형").get_by_role("button", name=name)


def test_a_bar_is_opened_by_a_tap_and_closed_again(child: SignIn) -> None:
    page = child(touch=True)
    stands_at(page, "base_ten", "open_ten", tens=3, ones=4)
    expect(pieces(page, "십 막대")).to_have_count(3)
    pieces(page, "십 막대").first.tap()
    expect(pieces(page, "십 막대")).to_have_count(2)
    expect(pieces(page, "낱개")).to_have_count(14)
    pieces(page, "낱개").last.tap()
    expect(pieces(page, "십 막대")).to_have_count(3)
    expect(pieces(page, "낱개")).to_have_count(4)
    pieces(page, "낱개").first.tap()
    expect(pieces(page, "낱개")).to_have_count(4)


def test_a_bar_is_opened_by_keys_and_arrows_lead_between_pieces(child: SignIn) -> None:
    page = child()
    stands_at(page, "base_ten", "open_ten", tens=2, ones=3)
    tab_to(pieces(page, "십 막대").first)
    page.keyboard.press("ArrowRight")
    expect(pieces(page, "십 막대").last).to_be_focused()
    page.keyboard.press("ArrowRight")
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "낱개"
    page.keyboard.press("ArrowLeft")
    expect(pieces(page, "십 막대").last).to_be_focused()
    page.keyboard.press("Space")
    expect(pieces(page, "낱개")).to_have_count(13)
    assert page.evaluate("document.activeElement.getAttribute('aria-label')") == "낱개, 묶기"
    page.keyboard.press("Space")
    expect(pieces(page, "십 막대")).to_have_count(2)
    expect(pieces(page, "십 막대").last).to_be_focused()


@pytest.mark.parametrize("width", [1024, 360])
def test_hundreds_lie_in_rows_of_five_and_look_alike(child: SignIn, width: int) -> None:
    page = child(width=width)
    hundreds = {"mode": "base_ten", "model": "join", "shown": [959, 959], "movable": True}
    show(page, task("problem", 959, "+", 959, layout="vertical", visual_mode="base_ten", visual=hundreds))
    for number in page.locator(".of100").all():
        tops = number.locator(".piece").evaluate_all(
            "all => all.map((one) => Math.round(one.getBoundingClientRect().top))"
        )
        assert [tops.count(top) for top in dict.fromkeys(tops)] == [5, 4]
    assert page.locator(".of100 i").first.evaluate("one => getComputedStyle(one).backgroundImage") == "none"


def test_the_heading_of_an_example_has_its_blank(child: SignIn) -> None:
    page = child()
    steps = [{"prompt": ["2에서 3까지 채워."], "expression": "2+□=3"}]
    show(page, task("worked_example", 2, "+", None, result=3, presentation={"steps": steps}))
    expect(page.locator(".stage .whole")).to_have_text("2+□=3")


def test_an_aid_is_opened_and_joined_again(child: SignIn) -> None:
    page = child()
    show(page, SCENES["blocks"])
    page.get_by_role("button", name="막대 풀기").click()
    expect(pieces(page, "낱개")).to_have_count(17)
    page.get_by_role("button", name="막대로 묶기").click()
    expect(pieces(page, "낱개")).to_have_count(7)
    expect(pieces(page, "십 막대")).to_have_count(4)


@pytest.mark.parametrize(("width", "height"), [(1024, 768), (360, 640)])
def test_rings_are_moved_to_make_ten(child: SignIn, width: int, height: int) -> None:
    page = child(width=width, height=height, touch=True)
    stands_at(page, "ten_frame", "make_ten", filled=8, add=5)
    rings = page.get_by_role("group", name="열 칸 틀 두 개").get_by_role("button")
    expect(rings).to_have_count(5)
    before = place_of(rings.nth(1))
    rings.nth(1).tap()
    expect(rings.nth(1)).to_have_accessible_name("동그라미, 옮김")
    page.wait_for_timeout(400)
    assert place_of(rings.nth(1)) != before
    rings.nth(3).tap()
    rings.nth(4).tap()
    expect(page.get_by_role("button", name="동그라미, 옮김")).to_have_count(2)  # ten are enough
    rings.nth(1).tap()
    expect(rings.nth(1)).to_have_accessible_name("동그라미")
    page.wait_for_timeout(400)
    assert place_of(rings.nth(1)) == before


@pytest.mark.parametrize("reduced", [False, True])
def test_what_joins_is_seen_to_join_unless_the_child_wants_no_motion(child: SignIn, reduced: bool) -> None:
    page = child()
    page.emulate_media(reduced_motion="reduce" if reduced else "no-preference")
    page.add_init_script(_COUNT_MOTIONS)
    page.reload()
    stands_at(page, "base_ten", "open_ten", tens=3, ones=4)
    until(lambda: page.evaluate("document.getAnimations().length") == 0)
    changes = (
        pieces(page, "십 막대").first.click,
        pieces(page, "낱개").first.click,
        partial(show, page, SCENES["example"]),
    )
    for change in changes:
        page.evaluate("motions = 0")
        change()
        if reduced:
            page.wait_for_timeout(100)  # a motion begins with the next frame
            assert page.evaluate("motions") == 0
        else:
            until(lambda: page.evaluate("motions") > 0)
        until(lambda: page.evaluate("document.getAnimations().length") == 0)


_MODELS: Final = {
    "join": ((7, "+", 3), 10), "take": ((9, "-", 9), 0), "gap": ((15, "+", None), 5), "groups": ((5, "x", 4), 20),
    "share": ((72, "/", 9), 8),
}  # fmt: skip
_SHOWN: Final = {"join": (7, 3), "take": (9, 9), "gap": (15, 20), "groups": (4, 5), "share": (72, 9)}


@pytest.mark.parametrize("mode", ["number_line", "ten_frame", "array", "base_ten", "coin"])
def test_no_picture_tells_the_answer(child: SignIn, mode: str) -> None:
    page = child()
    for model, ((a, op, b), answer) in _MODELS.items():
        visual = {"mode": mode, "model": model, "shown": list(_SHOWN[model]), "movable": True}
        more = {"result": 20} if b is None else {}
        show(page, task("problem", a, op, b, visual_mode=mode, visual=visual, **more), lines=False)
        picture = page.locator(".picture")
        picture.wait_for()
        names = picture.locator("[aria-label]").evaluate_all("(all) => all.map((one) => one.ariaLabel)")
        texts = picture.locator("*:not(.token)").evaluate_all(
            """(all) => all.flatMap((one) => [...one.childNodes])
                .filter((one) => one.nodeType === 3).map((one) => one.data)"""
        )
        told = " ".join(one for one in (*names, *texts) if "토큰" not in one)
        assert not re.search(rf"\b{answer}\b", told), (mode, model, told)


def test_a_traced_digit_fills_its_points(child: SignIn) -> None:
    page = child()
    stands_at(page, "digit_write", "write", number=7, shown_as="outline")
    sheet = page.get_by_role("img", name="쓰는 자리")
    sheet.click(trial=True)
    box = sheet.bounding_box()
    assert box is not None
    unit = box["width"] / 200
    for number, (x, y) in enumerate([(60, 42), (138, 42), (112, 98), (86, 154)]):
        page.mouse.move(box["x"] + x * unit, box["y"] + y * unit, steps=4)
        if number == 0:
            page.mouse.down()
    page.mouse.up()
    page.get_by_role("img", name="쓰는 자리, 다 썼어").wait_for()
    expect(page.locator(".trace circle.passed")).to_have_count(4)
    page.get_by_role("button", name="다시 쓰기").click()
    expect(page.locator(".trace circle.passed")).to_have_count(0)


@pytest.mark.parametrize("ask", ["how_many", "copy"])
def test_what_was_covered_can_be_seen_again(child: SignIn, ask: str) -> None:
    page = child()
    if ask == "how_many":
        stands_at(page, "dot_flash", ask, dots=6, show_ms=1000)
        seen = page.locator(".flash circle, .flash .frame")
    else:
        stands_at(page, "copy", ask, source="28+15", hide_after_ms=1000)
        seen = page.get_by_text("28+15", exact=True)
    seen.first.wait_for()
    again = page.get_by_role("button", name="다시 보기")
    again.wait_for()
    expect(seen).to_have_count(0)
    again.click()
    seen.first.wait_for()


def test_a_training_shows_its_own_way(child: SignIn) -> None:
    page = child()
    stands_at(page, "base_ten", "value", hundreds=0, tens=3, ones=4)
    of = next(one for one in TRAININGS if any(item.ask == "value" for item in one.items)).done.of
    expect(page.locator(".training .stone")).to_have_count(of)
    expect(page.locator(".training .stone.done")).to_have_count(0)


def _size(found: Locator) -> tuple[float, float]:
    """Width and height."""
    box = found.bounding_box()
    assert box is not None
    return box["width"], box["height"]


def test_what_lies_between_two_near_numbers_is_drawn_one_by_one(child: SignIn) -> None:
    page = child()
    show(page, SCENES["line_between"])
    line = page.locator(".picture svg").first
    line.wait_for()
    assert {"90", "98", "100"} == {text.strip() for text in line.locator("text").all_text_contents()}


def test_both_sides_of_an_area_are_drawn_to_one_scale(child: SignIn) -> None:
    page = child()
    show(page, SCENES["area"])
    parts = page.locator(".area .part")
    parts.first.wait_for()
    (tens, high), (ones, _) = _size(parts.first), _size(parts.last)
    assert tens / ones == pytest.approx(5, rel=0.05)
    assert tens / high == pytest.approx(20 / 3, rel=0.05)


def test_an_empty_step_cannot_be_done(child: SignIn) -> None:
    page = child()
    show(page, SCENES["steps"])
    done = page.get_by_role("button", name="다 했어")
    expect(done).to_be_disabled()
    page.keyboard.press("3")
    expect(done).to_be_enabled()


def missed_twice(page: Page, widget: str, ask: str, **params: Any) -> Locator:
    """The drawing behind the first step of such an item, which was missed twice."""
    stands_at(page, widget, ask, **params)
    page.locator(".hands:not(.closed)").wait_for()
    for _ in range(2):
        choices = page.locator(".training .choices button")
        if choices.count():
            choices.first.click()
        else:
            page.keyboard.type("999")
            page.keyboard.press("Enter")
    page.locator(".asks .slot.right").wait_for()
    return page.locator(".training .stage")


_SHOWN_MOVES: Final[dict[str, tuple[tuple[str, str, dict[str, Any]], str, list[str]]]] = {
    "T11": (("ten_frame", "to_ten", {"filled": 7}), ".cell.b", ["", "", ""]),
    "T18": (("vertical", "where", {"a": 68, "b": 31, "digit": 1}), ".marked", ["1"]),
    "T25 borrows": (("vertical", "take_or_borrow", {"a": 42, "b": 27}), ".crossed", ["4", "2"]),
    "T25 takes": (("vertical", "take_or_borrow", {"a": 47, "b": 22}), ".slot", ["", "5"]),
    "T36": (("number_line", "missing", {"sequence": [2, 4, None, 8]}), "text", ["2", "4", "6", "8"]),
    "T06 other": (("number_line", "neighbour", {"number": 8, "step": -1}), "text", ["4", "7", "8", "12"]),
    "T37": (("array", "share", {"total": 12, "rows": 2}), ".plates i", [""] * 12),
    "T24 other": (("coin", "change", {"pay": 200, "price": 54}), ".token:not(.gone)", ["100", *["10"] * 4, *["1"] * 6]),
    "T26 other": (("coin", "change", {"pay": 100, "price": 97}), ".token:not(.gone)", ["1"] * 3),
    "jumps": (("number_line", "jump", {"low": 0, "high": 9, "start": 5, "jumps": [1, 1]}), "text", [*"05679"]),
    "T33": (("array", "total", {"rows": 3, "columns": 4}), ".end", ["4", "8", "12"]),
    "T16": (("base_ten", "digit_value", {"number": 64}), ".worth", ["60", "4"]),
}  # fmt: skip
"""Training → an item of it, and what its drawing has once the step is shown."""


@pytest.mark.parametrize("name", _SHOWN_MOVES)
def test_a_step_that_was_missed_twice_is_seen_to_go(child: SignIn, name: str) -> None:
    (widget, ask, params), found, texts = _SHOWN_MOVES[name]
    drawing = missed_twice(child(), widget, ask, **params)
    shown = [text.strip() for text in drawing.locator(found).all_text_contents()]
    assert [*filter(None, shown)] == [*filter(None, texts)]
    assert len(shown) >= len(texts)


def test_a_step_that_is_shown_tells_nothing_of_the_next(child: SignIn) -> None:
    drawing = missed_twice(child(), "array", "near_double", columns=6)
    expect(drawing.locator(".row i")).to_have_count(12)


def test_an_extreme_area_is_drawn_to_one_scale(child: SignIn) -> None:
    page = child()
    groups = {"mode": "array", "model": "groups", "shown": [91, 2], "movable": True}
    show(page, task("problem", 91, "x", 2, visual_mode="array", visual=groups))
    parts = page.locator(".area .part")
    parts.first.wait_for()
    (tens, high), (ones, _) = _size(parts.first), _size(parts.last)
    assert tens / high == pytest.approx(45, rel=0.05)
    assert ones < high


def test_columns_stand_beside_their_picture_and_its_buttons_are_large(child: SignIn) -> None:
    page = child(touch=True)
    show(page, SCENES["columns_grid"])
    page.get_by_role("button", name="그림").click()
    page.locator(".picture").wait_for()
    page.evaluate("() => new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
    columns, picture = page.locator(".columns").bounding_box(), page.locator(".picture").bounding_box()
    assert columns is not None
    assert picture is not None
    assert columns["x"] + columns["width"] <= picture["x"]
    assert _size(page.locator(".columns .digit").first)[0] >= 48
    for name in ("판 풀기", "막대 풀기"):
        assert min(_size(page.get_by_role("button", name=name))) >= TOUCHED, name
