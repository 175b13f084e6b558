"""The guardian's page: what the child can do, five minutes at home, consents, and what can be asked of the school."""

import re

import pytest
from playwright.sync_api import Page, Response, expect

from tests.web.conftest import Tablets
from tests.web.test_looks import faults
from tests.web.test_teacher import Classroom, misses, room, section, sign_in

__all__ = ["room"]
pytestmark = pytest.mark.slow


@pytest.fixture
def home(room: Classroom, tablets: Tablets) -> Page:
    """On a phone, signed in for 하늘."""
    page = tablets.open(width=360, height=640, touch=True)
    sign_in(page, room.token("guardian", room.haneul))
    page.get_by_role("heading", name="이제 할 수 있어요").wait_for()
    page.get_by_role("heading", name="학교에 부탁하기").wait_for()
    return page


def test_it_says_what_the_letter_says_in_plain_words(home: Page, room: Classroom) -> None:
    letter = room.get(f"/students/{room.haneul}/letter")
    text = home.locator("main").inner_text()
    assert letter["greeting"] in text
    for name in [*(one["name"] for one in letter["able"]), *letter["learning"], *letter["following"]]:
        assert name in text
    activity = section(home, "집에서 5분, 이렇게 해 보세요")
    for step in letter["activity"]["steps"]:
        expect(activity).to_contain_text(step["say"])
        expect(activity).to_contain_text(step["expression"])
    assert not re.findall(r"[A-Za-z_]{2,}|%", text), "no code, no percentage, no English"
    assert faults(home) == []


def test_the_pictures_of_the_activity_are_drawn(home: Page, room: Classroom) -> None:
    letter = room.get(f"/students/{room.haneul}/letter")
    drawn = [one for one in letter["activity"]["steps"] if one["picture"]["mode"] != "columns"]
    assert drawn
    expect(section(home, "집에서 5분, 이렇게 해 보세요").locator("svg")).not_to_have_count(0)


def test_a_consent_is_given_and_taken_back(home: Page, room: Classroom) -> None:
    path = f"/students/{room.haneul}/consents"
    home.get_by_role("button", name="말로 답하기: 동의하기").click()
    home.get_by_role("button", name="말로 답하기: 동의 거두기").wait_for()
    assert room.get(path)["current"] == {"voice": True}
    home.get_by_role("button", name="말로 답하기: 동의 거두기").click()
    home.get_by_role("button", name="말로 답하기: 동의하기").wait_for()
    assert [(one["granted"], one["given_by"]) for one in room.get(path)["history"]] == [
        (False, "보호자"),
        (True, "보호자"),
    ]


def test_a_request_reaches_the_school_and_its_end_is_told(home: Page, room: Classroom) -> None:
    home.get_by_label("무엇을 부탁하시나요?").select_option(label="이름을 고쳐 주세요")
    home.get_by_role("button", name="부탁하기").click()
    expect(section(home, "학교에 부탁하기")).to_contain_text("학교에 전했어요")
    room.page.reload()
    asked = room.page.get_by_role("region", name="보호자의 부탁")
    expect(asked).to_contain_text("하늘: 이름을 고쳐 달라고 했어요.")
    asked.get_by_role("button", name="했어요").click()
    expect(asked).to_have_count(0)
    home.reload()
    expect(section(home, "학교에 부탁하기")).to_contain_text("학교가 했어요")


def test_who_has_read_the_records_is_said_by_role(home: Page, room: Classroom) -> None:
    misses(room.service, room.haneul)
    with home.expect_response("**/readers") as found:
        home.reload()
    readers = {one["role"]: one["days"] for one in found.value.json()["readers"]}
    assert {"guardian", "admin"} <= set(readers)
    kept = section(home, "무엇을 남기고 누가 보나요")
    expect(kept).to_contain_text(f"학교에서 운영하는 분: {readers['admin']}일")


def test_danger_is_nowhere_on_it(room: Classroom, tablets: Tablets) -> None:
    child = {"Authorization": f"Bearer {room.token('student', room.haneul)}"}
    said = {"message": "나는 죽고 싶어", "thread_id": f"g-{room.haneul}"}
    assert room.service.client.post("/api/v1/chat", json=said, headers=child).is_success
    page, answers = tablets.open(width=360, height=640), list[Response]()
    page.on("response", lambda one: answers.append(one) if "/api/" in one.url and one.status == 200 else None)
    sign_in(page, room.token("guardian", room.haneul))
    page.get_by_role("heading", name="학교에 부탁하기").wait_for()
    assert answers
    texts = [one.text() for one in answers]
    assert not [one for one in [*texts, page.content()] if "죽고" in one or "safety" in one]
    expect(page.get_by_role("region", name="먼저 봐 주세요")).to_have_count(0)
    for path in ("/adult/operator", f"/adult/student/{room.haneul}", f"/adult/session/{room.session}"):
        page.goto(path)
        page.get_by_role("heading", name="이제 할 수 있어요").wait_for()
