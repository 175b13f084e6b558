"""The adults' pages in English: what the page itself says, everywhere that adults come by."""

import re
from typing import Final

import pytest
from playwright.sync_api import Page, expect

from tests.support.service import Service
from tests.web.conftest import Tablets
from tests.web.test_author import ASKS, put, saved
from tests.web.test_learned import CHILDREN, TAG, TITLE, School
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

_NAMES: Final = ("하늘", "도윤", "2학년 3반", "김 선생님")
"""What the school has named."""


@pytest.fixture(scope="module")
def running(own_service: Service) -> Service:
    """The operator's page holds all tokens; what was taught is tried on all sessions."""
    return own_service


def korean(page: Page) -> list[str]:
    found: list[str] = page.evaluate(_KOREAN)
    for name in _NAMES:
        found = [one.replace(name, "") for one in found]
    return [one for one in found if re.search("[가-힣]", one)]


def in_english(tablets: Tablets, token: str, path: str = "/adult") -> Page:
    """Signed in at a page that is in English from the door on."""
    page = tablets.open(width=1440, height=900)
    page.goto(path)
    page.get_by_role("button", name="English").click()
    page.get_by_label("Token").fill(token)
    assert korean(page) == []
    page.get_by_role("button", name="Sign in").click()
    page.get_by_role("button", name="Sign out").wait_for()
    return page


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


def test_an_operator_reads_its_page_in_english(room: Classroom, tablets: Tablets) -> None:
    page = in_english(tablets, room.service.client.headers["authorization"].split()[1])
    page.get_by_role("link", name="Operation").click()
    for heading in ("Tokens and tablets", "Who looked at records"):
        page.locator("section", has=page.get_by_role("heading", name=heading)).locator("tbody tr").first.wait_for()
    assert korean(page) == []
    assert faults(page) == []


def test_an_author_reads_every_part_in_english(tablets: Tablets) -> None:
    saved(tablets, "묻는_흐름", ASKS)
    page = in_english(tablets, tablets.service.client.headers["authorization"].split()[1], "/author/묻는_흐름")
    marks = page.get_by_role("region", name="To mend")
    expect(marks).to_contain_text("Nothing to mend.")
    expect(page.locator(".cm-content")).to_have_attribute("aria-label", re.compile("^Text of the flow"))
    for name in ("Picture", "Plan", "Tests", "Run", "Earlier texts", "Compare"):
        page.get_by_role("tab", name=name).click()
        page.wait_for_load_state("networkidle")
        assert korean(page) == [], name
        assert faults(page) == [], name
    page.get_by_role("tab", name="Run").click()
    page.get_by_label("count").fill("3")
    page.get_by_role("button", name="Run", exact=True).click()
    page.get_by_role("region", name="Question to a person").wait_for()
    assert korean(page) == []
    put(page, ASKS.replace("approved", "aproved"))
    marks.get_by_role("listitem").first.wait_for()
    assert korean(page) == []
    saved(tablets, "묻는_흐름", ASKS.replace("두 배", "곱절"))
    put(page, ASKS.replace("두 배", "갑절"))
    page.get_by_role("button", name="Save (Ctrl+S)").click()
    page.get_by_role("region", name="Somebody else saved first").wait_for()
    assert korean(page) == []
    page.get_by_role("button", name="Back to my text, without saving").click()
    page.get_by_role("button", name="한국어").click()
    expect(page.locator(".cm-content")).to_have_attribute("aria-label", re.compile("^흐름의 글"))


def test_a_way_of_working_is_taught_in_english(tablets: Tablets) -> None:
    school = School(tablets.service)
    for child in school.children:
        school.play(child)
    page = in_english(tablets, school.token("김 선생님"))
    page.get_by_role("link", name="Learn", exact=True).click()
    card = page.get_by_role("listitem").filter(has_text="Subtraction").filter(has_text=CHILDREN[2]).first
    card.get_by_role("button", name="One way of working").click()
    assert korean(page) == []
    assert faults(page) == []
    card.get_by_label("What does the child do?").fill(TITLE)
    card.get_by_label("Cause").select_option(TAG)
    card.get_by_role("button", name="Decide and describe it").click()
    page.get_by_label("The digit written there").fill("9 if strange < 0 else value")
    expect(page.get_by_role("alert")).to_contain_text("The name strange cannot be used.")
    page.get_by_label("The digit written there").fill("9 if value < 0 else value")
    page.get_by_label("When it is done").fill("carries > 0 and width > 1")
    for folded in page.locator("summary").all():
        folded.click()
    page.get_by_role("button", name="Try it on the bank").click()
    page.get_by_text("no known way has explained").wait_for()
    assert korean(page) == []
    page.get_by_role("button", name="Propose it").click()
    page.get_by_role("button", name="Try it on the recorded sessions").click()
    page.get_by_text("It was tried on the recorded sessions.").wait_for(timeout=60_000)
    assert korean(page) == []
    assert faults(page) == []
    page.get_by_role("link", name="← Learn").click()
    page.get_by_role("link", name=TITLE).wait_for()
    assert korean(page) == []
