"""The adults' pages in English: what the page itself says, everywhere that a teacher or a guardian comes by."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.web.conftest import Tablets
from tests.web.test_looks import faults
from tests.web.test_teacher import Classroom, room

__all__ = ["room"]
pytestmark = pytest.mark.slow

_KOREAN: Final = """() => {
    const walker = document.createTreeWalker(document.body, NodeFilter.SHOW_TEXT);
    const found = [];
    while (walker.nextNode()) {
        const node = walker.currentNode;
        const shown = node.parentElement.checkVisibility() && !node.parentElement.closest('[lang="ko"]');
        if (shown && /[가-힣]/.test(node.textContent)) found.push(node.textContent.trim());
    }
    for (const one of document.querySelectorAll("[aria-label], [placeholder], [title]"))
        for (const name of ["aria-label", "placeholder", "title"])
            if (/[가-힣]/.test(one.getAttribute(name) ?? "") && !one.closest('[lang="ko"]'))
                found.push(one.getAttribute(name));
    return found;
}"""
"""The texts with Korean in them that are not said to be Korean."""

_NAMES: Final = ("하늘", "도윤", "2학년 3반")
"""What the school has named."""


def korean(page: Page) -> list[str]:
    found: list[str] = page.evaluate(_KOREAN)
    for name in _NAMES:
        found = [one.replace(name, "") for one in found]
    return [one for one in found if re.search("[가-힣]", one)]


def test_a_teacher_reads_every_page_in_english(room: Classroom) -> None:
    page = room.page
    page.get_by_role("button", name="English").click()
    expect(page.get_by_role("button", name="한국어")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "en"
    for path, last in (
        ("/adult", "tbody tr"),
        (f"/adult/student/{room.haneul}", "h2"),
        (f"/adult/session/{room.session}", ".screen .stage"),
        (f"/adult/sheet/{room.class_id}/C8.tens", ".solved li"),
        ("/adult/reviews", "main p"),
        ("/adult/chat", "textarea"),
    ):
        page.goto(path)
        page.locator(last).first.wait_for()
        assert korean(page) == [], path
        assert faults(page) == [], path
    page.goto("/adult")
    page.get_by_role("button", name="한국어").click()
    expect(page.get_by_role("heading", name="오늘 함께 볼 아이")).to_be_visible()
    assert page.evaluate("document.documentElement.lang") == "ko"


def test_a_guardian_reads_its_page_in_english(room: Classroom, tablets: Tablets) -> None:
    page = tablets.open(width=360, height=640, touch=True)
    page.goto("/adult")
    page.get_by_role("button", name="English").click()
    page.get_by_label("Token").fill(room.token("guardian", room.haneul))
    assert korean(page) == []
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("heading", name="Ask the school").wait_for()
    assert korean(page) == []
    assert faults(page) == []
