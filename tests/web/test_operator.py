"""The operator's page: how the service is, and who may use it."""

from datetime import UTC, datetime, timedelta

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
    """Its numbers, tokens and tablets are those of the whole service."""
    return own_service


@pytest.fixture
def desk(room: Classroom, tablets: Tablets) -> Page:
    """Signed in as an admin; one class has answered."""
    page = tablets.open()
    sign_in(page, room.service.client.headers["authorization"].split()[1])
    page.get_by_role("link", name="운영").click()
    page.get_by_role("heading", name="토큰과 태블릿").wait_for()
    return page


def test_its_numbers_are_those_of_the_service(desk: Page, room: Classroom) -> None:
    with desk.expect_response("**/api/v1/operations") as answer:
        desk.reload()
    found = answer.value.json()
    answers = found["answers"]
    told = section(desk, "이해하지 못한 답 지난 7일")
    expect(told).to_contain_text(f"답 {answers['answered']}개 가운데 틀린 답 {answers['wrong']}개")
    expect(told).to_contain_text(f"{100 * answers['share']:.1f} %")
    assert answers["wrong"] >= sum(answers["unexplained"].values()) > 0
    rows = section(desk, "빠르기").locator("tbody tr")
    expect(rows).to_have_count(len(found["latency"]))
    assert [row.split("\t")[1:] for row in rows.all_inner_texts()] == [
        [str(one["count"]), f"{one['p50_ms']:g} ms", f"{one['p95_ms']:g} ms"] for one in found["latency"].values()
    ]
    _, *servers = table_of(desk, "도구 서버 표 (CSV)")
    assert [row[:3] for row in servers] == [
        [name, one["state"], str(one["calls"])] for name, one in found["servers"].items()
    ]
    _, *needed = table_of(desk, "할 수 있는 일 표 (CSV)")
    assert [row[0] for row in needed] == list(found["readiness"]["dependencies"])
    assert all(row[1] in ("up", "slow", "down") for row in needed), needed
    _, *measured = table_of(desk, "빠르기 표 (CSV)")
    assert [(row[0], int(row[1])) for row in measured] == [
        (what, one["count"]) for what, one in found["latency"].items()
    ]
    assert faults(desk) == []


def test_every_table_comes_as_a_file(desk: Page) -> None:
    desk.get_by_role("heading", name="기록을 본 사람").wait_for()
    desk.locator("section").last.locator("tbody tr").first.wait_for()
    assert desk.get_by_role("button", name="표 (CSV)").count() == desk.get_by_role("table").count() == 5


def test_a_look_at_several_children_is_one_line_with_whose_it_was(desk: Page, room: Classroom) -> None:
    client = room.service.client
    body = {"pictures": None}
    more = [
        client.post(f"/api/v1/classes/{room.class_id}/members", json=body | {"nickname": one}).json()["student_id"]
        for one in ("라온", "도담", "가온", "너울")
    ]
    made = {"role": "teacher", "subject": more, "label": "이 선생님"}
    token = client.post("/api/v1/tokens", json=made).json()["token"]
    client.get("/api/v1/students", headers={"Authorization": f"Bearer {token}"}).raise_for_status()
    desk.reload()
    line = section(desk, "기록을 본 사람").get_by_role("row").filter(has_text="이 선생님")
    expect(line).to_have_count(1)
    expect(line).to_contain_text("가온 외 3명")
    line.get_by_text("외 3명").click()
    expect(line).to_contain_text("가온, 너울, 도담, 라온")
    assert faults(desk) == []


def test_a_token_shows_when_it_was_used_gets_another_secret_and_ends(desk: Page, room: Classroom) -> None:
    room.service.client.post("/api/v1/tokens", json={"role": "author", "label": "흐름 담당"}).raise_for_status()
    desk.reload()
    row = desk.get_by_role("row").filter(has_text="흐름 담당")
    expect(row).to_contain_text("아직")
    row.get_by_role("button", name="새 토큰으로").click()
    secret = desk.get_by_role("status").locator("code").inner_text()
    me = room.service.client.get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    assert me.json()["role"] == "author"
    desk.reload()
    expect(row).not_to_contain_text("아직")
    row.get_by_role("button", name="끝내기").click()
    row.get_by_role("button", name="정말 끝내기").click()
    expect(row).to_have_count(0)
    me = room.service.client.get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"})
    assert me.status_code == 401


def test_a_token_is_made_for_the_children_that_are_named_and_shown_once(desk: Page, room: Classroom) -> None:
    form = desk.locator("form").filter(has=desk.get_by_label("이름표"))
    make = form.get_by_role("button", name="만들기")
    form.get_by_label("누가 쓰나요?").select_option("guardian")
    form.get_by_label("이름표").fill("하늘이 어머니")
    expect(make).to_be_disabled()
    form.locator(f"input[value='{room.haneul}']").check()
    form.get_by_label("며칠 동안 쓰나요?").fill("30")
    assert faults(desk) == []
    make.click()
    secret = desk.get_by_role("status").locator("code").inner_text()
    me = room.service.client.get("/api/v1/me", headers={"Authorization": f"Bearer {secret}"}).json()
    assert (me["role"], [one["student_id"] for one in me["students"]]) == ("guardian", [room.haneul])
    left = datetime.fromisoformat(me["expires_at"]) - datetime.now(UTC)
    assert timedelta(days=29) < left <= timedelta(days=30)
    expect(desk.get_by_role("row").filter(has_text="하늘이 어머니").first).to_contain_text("보호자")
    form.get_by_label("누가 쓰나요?").select_option("author")
    expect(form.get_by_role("checkbox")).to_have_count(0)
    desk.reload()
    desk.get_by_role("row").filter(has_text="하늘이 어머니").first.wait_for()
    assert secret not in desk.content()


def test_a_teacher_finds_no_such_page(room: Classroom) -> None:
    room.page.goto("/adult/operator")
    room.page.get_by_role("heading", name="오늘 함께 볼 아이").wait_for()
    expect(room.page.get_by_role("link", name="운영")).to_have_count(0)
    assert room.page.evaluate("fetch('/api/v1/operations').then((answer) => answer.status)") == 403
