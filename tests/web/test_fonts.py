"""The fonts of the page have every character that a child reads."""

import runpy
from collections.abc import Callable
from pathlib import Path

import pytest
from fontTools.ttLib import TTFont
from playwright.sync_api import Page

HOME = Path(__file__).parents[2]


def signs(part: str, weight: int) -> set[str]:
    with TTFont(HOME / "web" / "fonts" / f"{part}-{weight}.woff2") as font:
        return {chr(point) for point in font.getBestCmap()}


@pytest.mark.parametrize("weight", [500, 700])
def test_no_text_for_a_child_has_a_character_outside_of_the_fonts(weight: int) -> None:
    needed = runpy.run_path(str(HOME / "scripts" / "web_fonts.py"))["child_characters"]()
    for part in ("child", "rest"):
        needed -= signs(part, weight)
    assert not needed, "scripts/web_fonts.py chooses the characters; scripts/web fonts .venv/bin writes the fonts"


@pytest.mark.slow
def test_the_larger_font_comes_with_the_first_word_that_needs_it(child: Callable[..., Page]) -> None:
    asked: list[str] = []
    page = child()
    page.on("request", lambda request: asked.append(request.url))
    page.reload()
    page.get_by_role("button", name="시작하자").wait_for()
    page.evaluate("document.fonts.ready.then(() => true)")
    assert not [one for one in asked if "/rest-" in one]
    page.get_by_role("button", name="이야기").click()
    with page.expect_request("**/rest-500*"):
        page.get_by_label("여기에 써 봐").fill(min(signs("rest", 500) - signs("child", 500)))
