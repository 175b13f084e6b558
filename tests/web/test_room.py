"""Every kind of task fits on a small phone, with all that is needed to answer it."""

from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Request, expect

from tests.web.scenes import SCENES, show, task

pytestmark = pytest.mark.slow

TOUCHED: Final = 63.9
"""Pixels that a child's finger needs, 64, as they come out where a pixel is divided."""
_OVERFLOW: Final = """async () => {
    const stage = document.querySelector(".stage");
    const page = document.documentElement;
    let over;
    for (let frame = 0; frame < 10; frame++) {
        await new Promise(requestAnimationFrame);
        over = [page.scrollHeight - innerHeight, page.scrollWidth - innerWidth,
            stage.scrollHeight - stage.clientHeight, stage.scrollWidth - stage.clientWidth];
        if (frame && Math.max(...over) <= 1) break;
    }
    return over;
}"""
"""What the frames that make a task fit have left over."""


def assert_fits(page: Page, name: str) -> None:
    over = page.evaluate(_OVERFLOW)
    assert max(over) <= 1, f"{name}: {over}"
    for button in page.locator(".hands button, .below button").all():
        box = button.bounding_box()
        assert box is not None
        assert box["y"] + box["height"] <= page.viewport_size["height"], f"{name}: {button.inner_text()}"  # type: ignore[index]
        assert min(box["width"], box["height"]) >= TOUCHED, f"{name}: {button.inner_text()}"


@pytest.mark.parametrize(
    ("width", "height"), [(360, 640), (640, 360), (844, 390), (1024, 600), (768, 1024), (1024, 768)]
)
def test_every_task_fits_with_two_lines_above_it(child: Callable[..., Page], width: int, height: int) -> None:
    page = child(width=width, height=height, touch=True)
    for name, shown in SCENES.items():
        show(page, shown)
        assert_fits(page, name)


@pytest.mark.parametrize(("width", "height"), [(844, 390), (1024, 600), (1024, 768), (768, 1024)])
def test_the_ten_digits_stand_in_one_row_as_on_the_number_line(
    child: Callable[..., Page], width: int, height: int
) -> None:
    page = child(width=width, height=height, touch=True)
    for name in ("pad", "columns", "blocks"):
        show(page, SCENES[name])
        boxes = [page.get_by_role("button", name=digit, exact=True).bounding_box() for digit in "0123456789"]
        places = [(box["x"], box["y"]) for box in boxes if box]
        assert len({y for _, y in places}) == 1, name
        assert places == sorted(places), name
        assert all(box and box["width"] >= TOUCHED for box in boxes), name


def test_digits_as_on_a_telephone_fit_too(child: Callable[..., Page]) -> None:
    page = child(touch=True)
    page.get_by_role("button", name="바꾸기").click()
    page.get_by_role("button", name="전화기처럼").click()
    page.get_by_role("button", name="다 했어").click()
    for width, height in ((360, 640), (844, 390), (1024, 768)):
        page.set_viewport_size({"width": width, "height": height})
        show(page, SCENES["pad"])
        assert_fits(page, f"{width}")
        seven, zero, done = (
            page.get_by_role("button", name=name, exact=True).bounding_box() for name in ("8", "0", "다 했어")
        )
        assert seven
        assert zero
        assert done
        assert seven["x"] == zero["x"] < done["x"]
        assert zero["y"] == done["y"] > seven["y"]


def test_large_letters_fit_too(child: Callable[..., Page]) -> None:
    page = child(width=360, height=640, touch=True)
    page.get_by_role("button", name="바꾸기").click()
    page.get_by_role("button", name="크게").click()
    page.get_by_role("button", name="다 했어").click()
    for name, shown in SCENES.items():
        show(page, shown)
        assert_fits(page, name)


def answers(page: Page) -> list[dict[str, Any]]:
    """-> what the page sends from now on."""
    sent: list[dict[str, Any]] = []

    def heard(request: Request) -> None:
        if "/events" in request.url:
            sent.append(dict(request.post_data_json or {}))

    page.on("request", heard)
    return sent


def test_the_rows_of_a_product_are_notes(child: Callable[..., Page]) -> None:
    page = child()
    show(page, SCENES["product"], lines=False)
    sent = answers(page)
    page.get_by_role("button", name="1번째 줄 일의 자리").click()
    page.keyboard.type("27")  # 3 × 24, from the ones
    expect(page.get_by_role("button", name="1번째 줄 십의 자리 메모 7")).to_be_visible()
    page.get_by_role("button", name="일의 자리 빈칸").click()
    page.keyboard.type("213")
    with page.expect_request("**/events"):
        page.keyboard.press("Enter")
    assert sent[0]["answer"] == 312
    assert "27" not in str(sent[0].get("steps"))


def test_a_step_of_an_example_hides_the_ones_behind_it(child: Callable[..., Page]) -> None:
    page = child()
    steps = [
        {"prompt": ["8이 10이 되려면?"], "expression": "8+2=10"},
        {"prompt": ["6에서 2를 떼면?"], "expression": "6−2=□"},
        {"prompt": ["10과 남은 수를 모으면?"], "expression": "10+□=□"},
    ]
    show(page, task("worked_example", 8, "+", 6, presentation={"steps": steps}) | {"prompt": "6−2=□"})
    text = page.locator(".drawn").inner_text()
    assert "8+2=10" in text
    assert "6에서 2를 떼면?" in text
    assert "모으면" not in text
