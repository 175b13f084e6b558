"""The adults' chat: asked and answered, found again, named, stopped, taken up after a lost connection, and saved."""

import json
import re
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.web.conftest import Tablets
from tests.web.test_looks import faults
from tests.web.test_teacher import Classroom, room, sign_in, table_of

__all__ = ["room"]
pytestmark = pytest.mark.slow

TERM = "받아올림이 뭐야?"


@pytest.fixture
def chat(room: Classroom) -> Page:
    """A teacher's, where nothing was asked yet."""
    room.page.get_by_role("link", name="묻기").click()
    room.page.get_by_text("아직 나눈 대화가 없어요.").wait_for()
    return room.page


def ask(page: Page, words: str) -> None:
    page.get_by_label("물어볼 것").fill(words)
    page.keyboard.press("Enter")


def answered(page: Page, number: int = 1) -> Locator:
    """The last answer, as soon as so many are there and nothing is on its way."""
    answers = page.locator(".said[aria-busy=false] article:not(.mine)")
    answers.nth(number - 1).wait_for()  # the first one of a service takes its time
    expect(answers).to_have_count(number)
    expect(page.get_by_role("button", name="다시 답하기")).to_be_visible()
    return answers.last


def own_threads(page: Page) -> list[dict[str, Any]]:
    found: list[dict[str, Any]] = page.evaluate(
        "fetch('/api/v1/chat').then((one) => one.json()).then((all) => all.threads)"
    )
    return found


def test_an_answer_has_one_level_at_a_time_and_says_how_it_was_found(chat: Page) -> None:
    ask(chat, TERM)
    answer = answered(chat)
    (thread,) = own_threads(chat)
    detail = chat.evaluate(f"fetch('/api/v1/chat/{thread['thread_id']}').then((one) => one.json())")["messages"][1][
        "detail"
    ]
    simple, deeper = detail["final_answers"].values()
    expect(answer.locator(".text")).to_have_text(simple)
    answer.get_by_role("button", name="쉽게").click()
    expect(answer.locator(".text")).to_have_text(deeper)
    answer.get_by_text("어떻게 찾았나 (1)").click()
    expect(answer.get_by_role("listitem")).to_contain_text("용어집을 찾아봄")
    expect(answer.get_by_role("listitem")).to_contain_text("찾은 곳: 용어집: 받아올림")
    assert faults(chat) == []


def test_a_chart_has_its_numbers_as_a_table_and_a_file(chat: Page, room: Classroom) -> None:
    chat.get_by_label("한 아이의 공부").check()
    chat.get_by_label("어느 아이").select_option(label="하늘")
    ask(chat, "약점 보여줘")
    answer = answered(chat)
    expect(chat.get_by_text("열어 본 사람과 때는 기록으로 남아요", exact=False)).to_be_visible()
    (thread,) = own_threads(chat)
    chart = room.get(f"/chat/{thread['thread_id']}")["messages"][1]["detail"]["chart"]
    answer.get_by_text("표로 보기").click()
    rows = answer.locator("tbody tr")
    wanted = [
        [label, *(one["values"][at] for one in chart["data"]["series"])]
        for at, label in enumerate(chart["data"]["labels"])
    ]
    expect(rows).to_have_count(len(wanted))
    assert [row.split("\t") for row in rows.all_inner_texts()] == [[str(cell) for cell in row] for row in wanted]
    _, *saved = table_of(chat, f"{chart['title']} 표 (CSV)")
    assert saved == [[str(cell) for cell in row] for row in wanted]
    assert faults(chat) == []


def test_conversations_are_found_named_and_deleted(chat: Page) -> None:
    ask(chat, TERM)
    answered(chat)
    chat.get_by_role("button", name="새 대화").click()
    ask(chat, "자릿값이 뭐야?")
    answered(chat)
    threads = chat.get_by_role("navigation", name="지난 대화")
    expect(threads.get_by_role("link")).to_have_count(2)
    threads.get_by_label("지난 대화에서 찾기").fill("받아올림")
    expect(threads.get_by_role("link")).to_have_count(1)
    threads.get_by_role("link").click()
    expect(chat.locator(".asked")).to_have_text(TERM)
    threads.get_by_role("button", name="이름 바꾸기").click()
    threads.get_by_label("대화의 새 이름").fill("받아올림 이야기")
    threads.get_by_role("button", name="저장").click()
    expect(threads.get_by_role("link")).to_contain_text("받아올림 이야기")
    assert faults(chat) == []
    threads.get_by_role("button", name="지우기").click()
    threads.get_by_role("button", name="정말 지우기").click()
    expect(threads.get_by_text("‘받아올림’이 든 대화가 없어요.")).to_be_visible()
    expect(chat.locator(".asked")).to_have_count(0)
    assert [one["title"] for one in own_threads(chat)] == ["자릿값이 뭐야?"]


@pytest.mark.parametrize("frames", [1, 3, 6])
def test_an_answer_that_breaks_off_is_completed_and_nothing_comes_twice(chat: Page, frames: int) -> None:
    whole: dict[str, str] = {}

    def cut(route: Route) -> None:
        answer = route.fetch()
        events = [json.loads(line[6:]) for line in answer.text().splitlines() if line.startswith("data: {")]
        for event in events:
            if event["type"] == "token":
                whole[event["level"]] = whole.get(event["level"], "") + event["token"]
        parts = answer.text().replace("\r", "").split("\n\n")
        route.fulfill(response=answer, body="\n\n".join(parts[:frames]) + "\n\n")

    chat.route("**/api/v1/chat", lambda route: cut(route) if route.request.method == "POST" else route.fallback())
    ask(chat, TERM)
    answer = answered(chat)
    expect(answer.locator(".text")).to_have_text(whole["elementary"])
    assert len(own_threads(chat)) == 1


def test_a_message_whose_answer_is_lost_is_not_sent_twice(chat: Page) -> None:
    """The service has it, but the connection broke before its first word."""
    lost: list[str] = []

    def lose(route: Route) -> None:
        if route.request.method != "POST" or lost:
            route.fallback()
            return
        lost.append(route.fetch().text())
        route.abort()

    chat.route("**/api/v1/chat", lose)
    ask(chat, TERM)
    expect(answered(chat).locator(".text")).to_contain_text("열이 되면")
    (thread,) = own_threads(chat)
    assert thread["turns"] == 1


def test_a_reload_shows_the_conversation_again(chat: Page) -> None:
    ask(chat, TERM)
    before = answered(chat).locator(".text").inner_text()
    expect(chat).to_have_url(re.compile(r"/adult/chat/\w+"))
    chat.reload()
    expect(answered(chat).locator(".text")).to_have_text(before)
    expect(chat.locator(".asked")).to_have_text(TERM)


def test_an_answer_is_given_anew_in_place_of_the_last(chat: Page) -> None:
    ask(chat, TERM)
    answered(chat)
    with chat.expect_response("**/regenerate"):
        chat.get_by_role("button", name="다시 답하기").click()
    expect(answered(chat).locator(".text")).to_contain_text("열이 되면")
    (thread,) = own_threads(chat)
    assert thread["turns"] == 1


def test_an_answer_is_stopped(chat: Page) -> None:
    """The service answers at once: what comes after the first frame is held back here."""
    held: list[Route] = []

    def first(route: Route) -> None:
        if route.request.method != "POST":
            route.fallback()
            return
        answer = route.fetch()
        route.fulfill(response=answer, body=answer.text().replace("\r", "").split("\n\n")[0] + "\n\n")

    chat.route("**/api/v1/chat", first)

    def hold(route: Route) -> None:
        held.append(route)

    chat.route("**/api/v1/chat/runs/*/events", hold)
    ask(chat, TERM)
    with chat.expect_response("**/cancel") as answer:
        chat.get_by_role("button", name="멈춤").click()
    assert answer.value.status == 202
    while not held:
        chat.wait_for_timeout(100)
    held[0].fallback()
    answered(chat)


def test_what_is_not_sent_stays_in_its_field(chat: Page) -> None:
    refusal = {"status": 422, "code": "invalid_input", "title": "Invalid", "type": "about:blank"}
    chat.route(
        "**/api/v1/chat",
        lambda route: route.fulfill(status=422, json=refusal) if route.request.method == "POST" else route.fallback(),
    )
    ask(chat, TERM)
    expect(chat.get_by_role("alert")).to_contain_text("적은 것을 다시 확인해 주세요.")
    expect(chat.get_by_label("물어볼 것")).to_have_value(TERM)
    expect(chat.locator(".asked")).to_have_count(0)


def test_a_conversation_that_is_gone_says_so_and_what_to_do(chat: Page) -> None:
    chat.goto("/adult/chat/nobody")
    expect(chat.get_by_role("alert")).to_contain_text("새 대화를 시작해 주세요.")


def test_a_conversation_is_saved_as_text(chat: Page, tmp_path: Path) -> None:
    chat.get_by_label("한 아이의 공부").check()
    chat.get_by_label("어느 아이").select_option(label="하늘")
    ask(chat, "약점 보여줘")
    lines = answered(chat).locator(".text p")
    lines.first.wait_for()
    shown = lines.all_inner_texts()
    assert shown
    with chat.expect_download() as download:
        chat.get_by_role("button", name="Markdown").click()
    saved = download.value.path().read_text("utf-8")
    assert saved.startswith("# 약점 보여줘\n\n## 약점 보여줘\n")
    assert all(line.removeprefix("· ") in saved for line in shown)
    assert "| --- |" in saved


def test_everything_is_done_by_keys(chat: Page) -> None:
    field = chat.get_by_label("물어볼 것")
    field.focus()
    chat.keyboard.type("받아올림이")
    chat.keyboard.press("Shift+Enter")
    chat.keyboard.type("뭐야?")
    expect(field).to_have_value("받아올림이\n뭐야?")
    chat.keyboard.press("Enter")
    answer = answered(chat)
    answer.get_by_role("button", name="쉽게").focus()
    chat.keyboard.press("Enter")
    expect(answer.get_by_role("button", name="쉽게")).to_have_attribute("aria-pressed", "true")


def test_a_guardian_asks_about_its_child_alone(room: Classroom, tablets: Tablets) -> None:
    page = tablets.open(width=360, height=640, touch=True)
    sign_in(page, room.token("guardian", room.haneul))
    page.get_by_role("link", name="묻기").click()
    children = page.get_by_label("어느 아이").locator("option")
    expect(children).to_have_text(["아이를 정하지 않음", "하늘"])
    ask(page, TERM)
    answered(page)
    assert faults(page) == []


def test_what_was_said_is_in_nobody_elses_list(chat: Page, room: Classroom, tablets: Tablets) -> None:
    ask(chat, TERM)
    answered(chat)
    other = tablets.open()
    sign_in(other, room.token("teacher", room.haneul))
    other.get_by_role("heading", name="오늘 함께 볼 아이").or_(
        other.get_by_role("heading", name="반을 만들어 주세요")
    ).wait_for()
    other.goto("/adult/chat")
    expect(other.get_by_text("아직 나눈 대화가 없어요.")).to_be_visible()


def test_its_words_are_english_where_that_was_chosen_and_stay_so(chat: Page) -> None:
    chat.get_by_role("button", name="English").click()
    chat.get_by_role("heading", name="Ask and answer").wait_for()
    chat.reload()
    chat.get_by_role("heading", name="Ask and answer").wait_for()
    shown = chat.locator(".chat").inner_text()
    for example in ("받아올림이 뭐야?", "수 감각 논문 찾아줘", "지난달 단원별 정답률 알려줘"):
        shown = shown.replace(example, "")
    assert {*re.findall("[가-힣]+", shown)} == {"하늘", "도윤"}, "children's names alone, in the order of their ids"
    assert faults(chat) == []
    chat.get_by_role("button", name="한국어").click()
    chat.get_by_role("heading", name="묻고 답하기").wait_for()
