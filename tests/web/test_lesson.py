"""A child reads a lesson page by page and answers its questions, each in its form."""

import re
from collections.abc import Callable
from typing import Any, Final

import pytest
from playwright.sync_api import Page, Route, expect

from tests.web.test_looks import faults

pytestmark = pytest.mark.slow

SECOND_TAP_MS: Final = 400
"""So long a page takes no tap, as in lesson.svelte.ts."""


_TO_QUESTION: Final = """async () => {
    const headers = { "X-Maththera": "1", "Content-Type": "application/json" };
    const post = (path, body) =>
        fetch(`/api/v1/lessons${path}`, { method: "POST", headers, body: JSON.stringify(body) });
    const { students } = await (await fetch("/api/v1/me")).json();
    const open = { user_id: students[0].student_id, user_type: "beginner", chapter: 1, resume: true };
    const { lesson_id } = await (await post("", open)).json();
    let message = "다음";
    for (let told = 0; told < 60; told++) {
        const sent = { message, request_id: crypto.randomUUID() };
        const lines = (await (await post(`/${lesson_id}/messages`, sent)).text()).split("\\n");
        const events = lines.filter((one) => one.startsWith("data: {")).map((one) => JSON.parse(one.slice(6)));
        if (events.some((one) => one.type === "quiz")) return true;
        message = events.some((one) => one.type === "check") ? "몰라" : "다음";
    }
    return false;
}"""
"""A child that reads on and answers no small question, without its screens."""


def lesson(child: Callable[..., Page], **looks: Any) -> Page:
    page = child(**looks)
    page.get_by_role("button", name="배우기").click()
    page.locator(".bubble").wait_for()
    return page


def settled(page: Page) -> None:
    page.locator(".below button:not([disabled])").first.wait_for()


def go_on(page: Page) -> None:
    """A page, or a small question that the child cannot answer."""
    page.wait_for_timeout(SECOND_TAP_MS)
    check = page.locator(".quiz").count() > 0
    page.get_by_role("button", name="모르겠어" if check else "다음", exact=True).click()
    settled(page)


def to_question(page: Page) -> None:
    for _ in range(60):
        if page.get_by_role("button", name="힌트").count():
            return
        go_on(page)
    raise AssertionError("no question comes")


def at_question(child: Callable[..., Page]) -> Page:
    page = lesson(child)
    assert page.evaluate(_TO_QUESTION), "no question comes"
    page.reload()
    page.get_by_role("button", name="힌트").wait_for()
    return page


def test_a_lesson_is_told_in_small_pieces_with_a_picture_and_a_check(child: Callable[..., Page]) -> None:
    page = lesson(child)
    page.get_by_text("선생님과 보호자가 볼 수 있어").wait_for()
    words = ""
    for _ in range(20):
        if page.locator(".quiz").count():
            break
        words = page.locator(".bubble").inner_text()
        go_on(page)
    expect(page.locator(".picture"), "of an example with other numbers").to_have_count(0)
    question = page.locator(".question").inner_text()
    assert question not in words, "it is not told twice"
    expect(page.locator(".bubble")).to_have_count(0)
    assert faults(page) == []
    page.reload()
    page.locator(".bubble").wait_for()
    expect(page.locator(".bubble")).to_have_text(words, use_inner_text=True)
    expect(page.locator(".picture")).to_be_visible()
    go_on(page)
    expect(page.locator(".question")).to_have_text(question, use_inner_text=True)


def test_a_second_tap_does_not_skip_a_page(child: Callable[..., Page]) -> None:
    page = lesson(child)
    for _ in range(20):
        if page.get_by_role("img", name="쪽", exact=True).count():
            break
        go_on(page)
    read = page.locator(".below i.used")
    before = read.count()
    page.wait_for_timeout(SECOND_TAP_MS)
    page.get_by_role("button", name="다음", exact=True).dblclick()
    expect(read).to_have_count(before + 1)


def test_a_question_has_two_hints_and_no_score(child: Callable[..., Page]) -> None:
    page = lesson(child)
    to_question(page)
    expect(page.locator(".question")).to_have_count(1)
    hint = page.get_by_role("button", name="힌트")
    expect(hint.locator("i.used")).to_have_count(0)
    hint.click()
    page.locator(".bubble", has_text="힌트 1").wait_for()
    expect(hint.locator("i.used")).to_have_count(1)
    hint.click()
    page.locator(".bubble", has_text="힌트 2").wait_for()
    expect(hint).to_be_disabled()
    assert faults(page) == []
    for _ in range(3):  # a first try may be followed by another
        if not page.locator(".quiz").count():
            break
        page.locator(".choices button").first.click()
        settled(page)
    assert page.locator(".quiz").count() == 0
    assert not re.search(r"\d+\s*점", page.locator(".lesson").inner_text())


def test_a_question_is_still_there_after_a_reload(child: Callable[..., Page]) -> None:
    page = at_question(child)
    question, choices = page.locator(".question").inner_text(), page.locator(".choices").inner_text()
    page.reload()
    page.locator(".quiz").wait_for()
    expect(page.locator(".question")).to_have_text(question, use_inner_text=True)
    expect(page.locator(".choices")).to_have_text(choices, use_inner_text=True)


def test_the_child_may_ask_while_a_question_is_open(child: Callable[..., Page]) -> None:
    page = at_question(child)
    page.get_by_role("button", name="물어볼래").click()
    page.get_by_label("궁금한 걸 써 봐").fill("수직선이 뭐야?")
    page.keyboard.press("Enter")
    page.locator(".bubble").wait_for()
    expect(page.locator(".quiz")).to_have_count(1)


def to_check(page: Page) -> None:
    for _ in range(20):
        if page.locator(".quiz").count():
            return
        page.wait_for_timeout(SECOND_TAP_MS)
        page.get_by_role("button", name="다음", exact=True).click()
        settled(page)
    raise AssertionError("no check comes")


def test_a_question_at_a_check_is_answered_and_the_check_is_still_to_be_answered(child: Callable[..., Page]) -> None:
    page = lesson(child)
    to_check(page)
    check = page.locator(".quiz").inner_text()
    page.get_by_role("button", name="물어볼래").click()
    page.get_by_label("궁금한 걸 써 봐").fill("수직선이 뭐야?")
    page.keyboard.press("Enter")
    page.locator(".bubble", has_text="한 줄에 세워 놓은 선").wait_for()
    page.reload()
    page.locator(".bubble", has_text="한 줄에 세워 놓은 선").wait_for()
    page.wait_for_timeout(SECOND_TAP_MS)
    page.get_by_role("button", name="다음", exact=True).click()
    expect(page.locator(".quiz")).to_have_text(check, use_inner_text=True)
    page.get_by_role("button", name="모르겠어").wait_for()


def test_danger_in_a_lesson_is_answered_and_the_question_waits(child: Callable[..., Page]) -> None:
    page = at_question(child)
    page.get_by_role("button", name="물어볼래").click()
    page.get_by_label("궁금한 걸 써 봐").fill("나는 죽고 싶어")
    page.keyboard.press("Enter")
    page.get_by_role("button", name="어른 부르기").wait_for()
    expect(page.locator(".quiz")).to_have_count(1)
    before = [page.locator(".bubble").inner_text(), page.locator(".quiz").inner_text()]
    page.reload()
    page.get_by_role("button", name="어른 부르기").wait_for()
    assert [page.locator(".bubble").inner_text(), page.locator(".quiz").inner_text()] == before
    page.get_by_role("button", name="어른 부르기").click()
    expect(page.get_by_role("dialog")).to_contain_text("109")


_TASKS: Final[dict[str, tuple[dict[str, Any], list[str], str]]] = {
    "number": ({}, ["1", "4", "다 했어"], "14"),
    "reason": ({"choices": ["하나", "둘", "셋"]}, ["둘"], "2"),
    "cloze": ({"text": "8에 (1)를 더하면 (2).", "gaps": [["1", "2"], ["십", "백"]]}, ["2", "십", "다 했어"], "나 가"),
    "order": ({"steps": ["모으기", "가르기", "찾기"]}, ["찾기", "가르기", "모으기", "다 했어"], "3 2 1"),
    "match": ({"left": ["8+2", "7+2"], "right": ["아홉", "열"]}, ["열 of 8+2", "아홉 of 7+2", "다 했어"], "1-나, 2-가"),
}
"""Form → what the service offers, what is tapped, what is sent."""


@pytest.mark.parametrize("form", _TASKS)
def test_a_task_is_answered_by_taps_in_each_form(child: Callable[..., Page], form: str) -> None:
    offered, taps, sent = _TASKS[form]
    page = child(width=360, height=640, touch=True)
    quiz = {"number": 90, "type": "subjective", "question": "이 문제야.", "hints": 0, "step": "answer"}
    quiz |= {"task": {"form": form, **offered}, "choices": None}

    def asked_now(route: Route) -> None:
        answer = route.fetch()
        state = answer.json()["state"]
        said = {**state["current_session_conversations"][-1], "message": "이 문제야.", "shown": {"quiz": quiz}}
        shown = {**state, "ui_mode": "quiz", "current_session_conversations": [said]}
        route.fulfill(response=answer, json={**answer.json(), "state": shown})

    page.route("**/api/v1/lessons", asked_now)
    page.get_by_role("button", name="배우기").click()
    page.get_by_text("이 문제야.").wait_for()
    with page.expect_request("**/messages") as asked:
        for tap in taps:
            option, _, left = tap.partition(" of ")
            within = page.get_by_role("group", name=left, exact=True) if left else page.locator(".lesson")
            within.get_by_role("button", name=option, exact=True).first.click()
    body: dict[str, Any] = asked.value.post_data_json or {}
    assert str(body["answer"]) == sent
