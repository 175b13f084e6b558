"""What an operator does with records: who looked at them, all of a child as a file, and the end of them."""

import json

import pytest
from playwright.sync_api import Page, expect

from tests.support.service import Service
from tests.web.conftest import Tablets
from tests.web.test_looks import faults
from tests.web.test_teacher import Classroom, room, section, sign_in, table_of

__all__ = ["room"]
pytestmark = pytest.mark.slow


@pytest.fixture(scope="module")
def running(own_service: Service) -> Service:
    """The operator's page holds all tokens and all children."""
    return own_service


@pytest.fixture
def admin(room: Classroom, tablets: Tablets) -> Page:
    page = tablets.open()
    sign_in(page, room.service.client.headers["authorization"].split()[1])
    page.get_by_role("heading", name="아이들").wait_for()
    return page


def test_who_looked_is_told_for_one_child(admin: Page, room: Classroom) -> None:
    room.get(f"/students/{room.haneul}/letter")
    admin.get_by_role("link", name="운영").click()
    log = section(admin, "기록을 본 사람")
    log.get_by_role("row").filter(has_text="도윤").first.wait_for()
    log.get_by_label("아이").select_option(value=room.haneul)
    expect(log.get_by_role("row").filter(has_text="도윤")).to_have_count(0)
    expect(log.get_by_role("row").filter(has_text="가정 통신").first).to_contain_text("운영하는 분")
    titles, *rows = table_of(admin, "기록을 본 사람 표 (CSV)")
    entries = {one["entry_id"]: one for one in room.get(f"/access-log?student_id={room.haneul}&limit=200")["entries"]}
    assert titles[:2] == ["언제", "누가"]
    told = [
        [one["at"], one["role"], one["access"], one["what"], "하늘", one["label"] or one["token_id"]]
        for one in entries.values()
    ]
    assert rows == told[-len(rows) :]
    assert faults(admin) == []


def test_all_records_of_a_child_come_as_a_file(room: Classroom) -> None:
    page = room.page
    page.goto(f"/adult/student/{room.haneul}")
    with page.expect_download() as download:
        page.get_by_role("button", name="모든 기록 받기 (JSON)").click()
    saved = json.loads(download.value.path().read_text("utf-8"))
    assert saved["student_id"] == room.haneul
    assert saved["tables"]["turns"]
    expect(page.get_by_role("button", name="모든 기록 지우기"), "that is for an operator").to_have_count(0)


def test_a_child_is_erased_when_its_name_was_typed(admin: Page, room: Classroom) -> None:
    admin.goto(f"/adult/student/{room.haneul}")
    admin.get_by_role("button", name="모든 기록 지우기").click()
    last = admin.get_by_role("button", name="되돌릴 수 없이 지우기")
    expect(last).to_be_disabled()
    name = admin.get_by_label("지우려면 아이의 이름")
    name.fill("도윤")
    expect(last).to_be_disabled()
    assert faults(admin) == []
    name.fill("하늘")
    last.click()
    expect(section(admin, "모든 기록").get_by_role("status")).to_contain_text("모두 지웠어요.")
    assert faults(admin) == []
    assert room.service.client.get(f"/api/v1/students/{room.haneul}/summary").status_code == 404
    admin.get_by_role("button", name="반으로 돌아가기").click()
    admin.get_by_role("heading", name="아이들").wait_for()


def test_a_class_is_there_after_three_requests(room: Classroom) -> None:
    asked: list[str] = []
    room.page.on("request", lambda sent: asked.append(sent.url) if "/api/v1/" in sent.url else None)
    room.page.goto(f"/adult/class/{room.class_id}")
    room.page.get_by_role("row").filter(has_text="하늘").wait_for()
    room.page.get_by_role("heading", name="오늘 함께 볼 아이").wait_for()
    room.page.wait_for_load_state("networkidle")
    assert len(asked) <= 3, asked
