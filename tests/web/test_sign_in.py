"""A class is started on the page alone, and children sign in on its tablets."""

import re
from pathlib import Path
from typing import Final

import pytest
from playwright.sync_api import expect

from tests.support.service import Service
from tests.web.conftest import Tablets
from tests.web.robot import Robot
from tests.web.test_looks import faults
from tests.web.test_play import first_problem
from tests.web.test_teacher import sign_in

pytestmark = pytest.mark.slow

_PICTURES: Final = ["해", "달", "별", "꽃", "나무", "집", "배", "사과", "우산"]


@pytest.fixture(scope="module")
def running(own_service: Service) -> Service:
    """The first class of a school is made."""
    return own_service


def test_a_teacher_starts_a_class_and_a_child_plays_in_it(tablets: Tablets, tmp_path: Path) -> None:
    page = tablets.open()
    page.goto("/adult")
    page.get_by_label("토큰").fill(tablets.service.client.headers["authorization"].split()[1])
    page.get_by_role("button", name="들어가기").click()
    page.get_by_label("반 이름").fill("2학년 3반")
    page.get_by_role("button", name="만들기").click()
    page.get_by_role("heading", name="2학년 3반").wait_for()
    page.get_by_label("별명").fill("하늘")
    page.get_by_label("학년", exact=True).select_option("2")
    page.get_by_role("button", name="넣기").click()
    row = page.get_by_role("row", name=re.compile("하늘"))
    pictures = [name for name in _PICTURES if name in row.get_by_role("cell").nth(2).inner_text().split("(")[0]]
    assert len(pictures) == 2
    page.get_by_role("button", name="태블릿 코드 만들기").click()
    code = page.locator(".code").inner_text()
    with page.expect_download() as cards:
        page.get_by_role("button", name="카드 인쇄").click()
    cards.value.save_as(tmp_path / "cards.pdf")
    assert (tmp_path / "cards.pdf").read_bytes().startswith(b"%PDF")
    row.get_by_role("button", name="보기").click()
    page.get_by_text("아직 물어본 것이 없어요.").wait_for()
    page.get_by_role("button", name="선생님 보고서 만들기").click()
    address = page.get_by_role("link", name="PDF 열기").get_attribute("href")
    assert page.request.get(str(address)).body().startswith(b"%PDF")

    tablet = tablets.open(touch=True)
    tablet.goto("/")
    tablet.get_by_label("선생님이 보여 준 코드").fill(code)
    tablet.get_by_role("button", name="등록하기").click()
    tablet.get_by_role("button", name="하늘").click()
    wrong = [name for name in _PICTURES if name not in pictures][:2]
    for name in wrong:
        tablet.get_by_role("button", name=name, exact=True).click()
    tablet.get_by_text("그림을 다시 골라 볼래?").wait_for()
    for name in pictures:
        tablet.get_by_role("button", name=name, exact=True).click()
    tablet.get_by_role("button", name="시작하자").wait_for()
    kept = tablet.evaluate(
        "JSON.stringify([{ ...localStorage }, { ...sessionStorage }, document.cookie, location.href])"
    )
    assert kept == f'[{{}},{{}},"","{tablets.address}/"]'

    tablet.goto("/adult")
    tablet.get_by_role("button", name="시작하자").wait_for()
    tablet.get_by_role("button", name="다른 친구").click()
    tablet.get_by_text("누구야?").wait_for()


def test_a_child_gets_other_pictures_and_another_name_and_leaves_a_class_that_is_renamed(tablets: Tablets) -> None:
    client = tablets.service.client
    made = client.post("/api/v1/classes", json={"name": "1학년 1반"}).json()["class_id"]
    member = {"nickname": "하늘", "grade": 1, "pictures": [1, 2]}
    student = client.post(f"/api/v1/classes/{made}/members", json=member).json()["student_id"]
    page = tablets.open()
    sign_in(page, client.headers["authorization"].split()[1])
    page.get_by_role("link", name="살피기").wait_for()
    page.goto(f"/adult/class/{made}")
    page.get_by_role("button", name="반 이름 고치기").click()
    page.get_by_label("반의 새 이름").fill("2학년 3반")
    page.get_by_role("button", name="저장").click()
    page.get_by_role("heading", name="2학년 3반").wait_for()
    assert client.get(f"/api/v1/classes/{made}").json()["name"] == "2학년 3반"

    row = page.get_by_role("row").filter(has=page.get_by_role("button", name="보기"))
    row.get_by_role("button", name="고치기").click()
    form = page.get_by_role("row").filter(has=page.get_by_role("button", name="저장"))
    assert faults(page) == []
    form.get_by_label("별명").fill("하나")
    form.get_by_label("학년").select_option("2")
    form.get_by_role("button", name="저장").click()
    expect(row).to_contain_text("하나")
    expect(row).to_contain_text("2학년")
    row.get_by_role("button", name="고치기").click()
    form.get_by_role("button", name="그림 새로").click()
    shown = row.get_by_role("cell").nth(2)
    expect(shown).to_contain_text("지금 적어 두세요")
    pictures = [name for name in _PICTURES if name in shown.inner_text().split("(")[0]]
    assert len(pictures) == 2
    page.reload()
    expect(shown).to_have_text("있음")

    tablet = tablets.enrolled(made)
    tablet.get_by_role("button", name="하나").click()
    for name in pictures:
        tablet.get_by_role("button", name=name, exact=True).click()
    tablet.get_by_role("button", name="시작하자").wait_for()

    row.get_by_role("button", name="고치기").click()
    form.get_by_role("button", name="반에서 빼기").click()
    expect(form).to_contain_text("아이의 기록은 그대로 남아요.")
    assert client.get(f"/api/v1/classes/{made}").json()["members"]
    form.get_by_role("button", name="정말 빼기").click()
    page.get_by_text("아직 아무도 없어요.").wait_for()
    assert client.get(f"/api/v1/classes/{made}").json()["members"] == []
    assert client.get(f"/api/v1/students/{student}").json()["nickname"] == "하나"


def test_a_lost_tablet_is_ended_on_the_class_page(tablets: Tablets) -> None:
    client = tablets.service.client
    made = client.post("/api/v1/classes", json={"name": "반"}).json()["class_id"]
    client.post(f"/api/v1/classes/{made}/members", json={"nickname": "하늘", "pictures": None}).raise_for_status()
    tablet = tablets.enrolled(made)
    tablet.get_by_role("button", name="하늘").click()
    tablet.get_by_role("button", name="시작하자").wait_for()
    page = tablets.open()
    sign_in(page, client.headers["authorization"].split()[1])
    page.get_by_role("link", name="살피기").wait_for()
    page.goto(f"/adult/class/{made}")
    page.get_by_text("등록한 태블릿", exact=True).click()
    row = page.get_by_role("listitem").filter(has_text="마지막으로 쓴 때")
    assert faults(page) == []
    row.get_by_role("button", name="끝내기").click()
    assert len(client.get(f"/api/v1/classes/{made}/devices").json()["devices"]) == 1
    row.get_by_role("button", name="정말 끝내기").click()
    page.get_by_text("등록한 태블릿이 없어요.").wait_for()
    tablet.reload()
    tablet.get_by_label("선생님이 보여 준 코드").wait_for()


def test_a_card_signs_in_and_its_secret_is_in_no_log(tablets: Tablets) -> None:
    client = tablets.service.client
    made = client.post("/api/v1/classes", json={"name": "반"}).json()["class_id"]
    student = client.post(f"/api/v1/classes/{made}/members", json={"nickname": "서아"}).json()["student_id"]
    card = client.post(f"/api/v1/students/{student}/cards").json()
    page = tablets.open()
    page.goto(card["path"])
    page.get_by_role("heading", name="서아").wait_for()
    assert card["secret"] not in page.url
    assert card["secret"] not in tablets.service.log.read_text()


def test_who_was_signed_out_comes_back_to_the_same_problem(tablets: Tablets) -> None:
    client = tablets.service.client
    made = client.post("/api/v1/classes", json={"name": "반"}).json()["class_id"]
    client.post(f"/api/v1/classes/{made}/members", json={"nickname": "지우", "pictures": None})
    page = tablets.enrolled(made)
    page.get_by_role("button", name="지우").click()
    first_problem(Robot(page))
    before = page.locator(".problem").get_attribute("data-prompt")
    page.context.clear_cookies(name=re.compile("session"))
    page.keyboard.type("7")
    page.keyboard.press("Enter")
    page.locator("main.who").get_by_role("button", name="지우").click()  # the pad has "지우기"
    page.locator(".words").wait_for()
    assert before is not None
    expect(page.locator(".was")).to_be_visible()
