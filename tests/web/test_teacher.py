"""The teacher's pages: whom to sit with today, who can work together, what a child did, session by session and step by
step, its goals, and what it wrote that an adult has to look at."""

import csv
import re
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from pathlib import Path
from statistics import median
from typing import Any
from zoneinfo import ZoneInfo

import pytest
from playwright.sync_api import Locator, Page, Route, expect

from tests.support.service import Service
from tests.web.conftest import Tablets, signed_in
from tests.web.robot import Robot
from tests.web.test_looks import faults

pytestmark = pytest.mark.slow


def misses(service: Service, student_id: str) -> str:
    """The child answers a session of sums without the tens that it carries. -> the session"""
    client = service.client
    body = {"student_id": student_id, "c_position": 8, "mode": "practice", "problem_count": 5, "seed": 7}
    view = client.post("/api/v1/sessions", json=body).json()
    address, task, number = f"/api/v1/sessions/{view['session_id']}/events", view["task"], 0
    while task and number < 12:
        number += 1
        sent = {"type": "answer_submitted", "request_id": f"r{number}", "task_id": task["task_id"], "answer": 0}
        if task["kind"] == "training":
            sent = {"type": "stop", "request_id": f"r{number}"}
        task = client.post(address, json=sent | {"rt_ms": 4000} if "answer" in sent else sent).json()["task"]
    return str(view["session_id"])


def sign_in(page: Page, token: str) -> None:
    signed_in(page, "sessions", token=token)
    page.goto("/adult")


def section(page: Page, title: str) -> Locator:
    return page.locator("section", has=page.get_by_role("heading", name=title, exact=True))


def table_of(page: Page, name: str) -> list[list[str]]:
    """The lines of a table that a button gives as a file."""
    with page.expect_download() as download:
        page.get_by_role("button", name=name).click()
    return list(csv.reader(download.value.path().read_text(encoding="utf-8-sig").splitlines()))


@dataclass
class Classroom:
    """하늘 has answered a session, 도윤 has not begun; `teacher` stands for both."""

    page: Page
    service: Service
    class_id: str
    haneul: str
    doyun: str
    session: str

    def get(self, path: str) -> Any:
        answer = self.service.client.get(f"/api/v1{path}")
        assert answer.is_success, answer.text
        return answer.json()

    def token(self, role: str, *students: str) -> str:
        made = self.service.client.post("/api/v1/tokens", json={"role": role, "subject": students, "label": role})
        return str(made.json()["token"])


@pytest.fixture
def room(tablets: Tablets) -> Classroom:
    client = tablets.service.client
    made = client.post("/api/v1/classes", json={"name": "2학년 3반"}).json()["class_id"]
    ids = [
        client.post(f"/api/v1/classes/{made}/members", json={"nickname": one, "pictures": None}).json()["student_id"]
        for one in ("하늘", "도윤")
    ]
    session = misses(tablets.service, ids[0])
    haneul, doyun = ids
    found = Classroom(tablets.open(), tablets.service, made, haneul, doyun, session)
    sign_in(found.page, found.token("teacher", *ids))
    found.page.get_by_role("heading", name="오늘 함께 볼 아이").wait_for()
    return found


@pytest.fixture
def learner(room: Classroom) -> Classroom:
    """At 하늘's own page."""
    room.page.get_by_role("row").filter(has_text="하늘").get_by_role("button", name="보기").click()
    room.page.get_by_role("heading", name="하늘").wait_for()
    return room


def test_the_class_shows_whom_to_sit_with(room: Classroom) -> None:
    row = section(room.page, "오늘 함께 볼 아이").get_by_role("listitem").filter(has_text="도윤")
    expect(row).to_contain_text("아직 시작하지 않았어요.")
    expect(room.page.get_by_role("table").get_by_role("row").filter(has_text="도윤")).to_contain_text("–")
    overview = room.get(f"/classes/{room.class_id}/overview")
    titles, *rows = table_of(room.page, "2학년 3반 표 (CSV)")
    assert titles[4:9] == overview["standing_titles"]
    assert [row[4:9] for row in rows] == [[str(count) for count in one["standing"]] for one in overview["students"]]
    assert faults(room.page) == []


def test_the_class_shows_where_each_child_is_in_each_operation(room: Classroom) -> None:
    forgets_the_carry(room)
    overview = room.get(f"/classes/{room.class_id}/overview")
    one = next(each for each in overview["students"] if each["student_id"] == room.haneul)
    assert one["position"]
    assert one["causes"]
    row = room.page.get_by_role("table").get_by_role("row").filter(has_text="하늘")
    for place in one["position"]:
        expect(row).to_contain_text(f"{_STRANDS[place['strand']]}: {place['title']}")
    for text in (*one["causes"], *(each["name"] for each in one["next"])):
        expect(row).to_contain_text(text)
    titles, *rows = table_of(room.page, "2학년 3반 표 (CSV)")
    assert titles[-4:] == ["지금 하는 곳", "달라진 수", "확인된 원인", "다음에 할 것"]
    told = dict(zip(titles, next(each for each in rows if each[0] == "하늘"), strict=True))
    assert (told["달라진 수"], told["확인된 원인"]) == (str(one["moved"]), "; ".join(one["causes"]))


def test_children_stand_in_the_order_of_their_names(room: Classroom) -> None:
    """On the page, in the file, and behind the switch between children."""
    expect(room.page.get_by_role("table").last.locator("tbody tr td:first-child")).to_have_text(["도윤", "하늘"])
    overview = room.get(f"/classes/{room.class_id}/overview")
    assert [one["nickname"] for one in overview["students"]] == ["도윤", "하늘"]
    room.page.keyboard.press("Control+k")
    expect(room.page.get_by_role("dialog").get_by_role("listitem")).to_have_text(["도윤", "하늘"])


def test_a_child_is_found_by_its_name_from_any_page(learner: Classroom) -> None:
    page = learner.page
    page.keyboard.press("Control+k")
    dialog = page.get_by_role("dialog", name="아이 찾기")
    expect(dialog.get_by_label("아이 찾기")).to_be_focused()
    page.keyboard.type("도")
    expect(dialog.get_by_role("listitem")).to_have_text(["도윤"])
    assert faults(page) == []
    page.keyboard.press("Enter")
    page.get_by_role("heading", name="도윤").wait_for()
    expect(dialog).to_have_count(0)
    page.get_by_role("button", name="아이 찾기").click()
    page.keyboard.type("누구")
    expect(dialog).to_contain_text("그런 아이가 없어요.")
    page.keyboard.press("Escape")
    expect(dialog).to_have_count(0)


def test_a_class_that_is_not_there_is_said_to_be_none(room: Classroom) -> None:
    page = room.page
    for address in ("nope", "0" * 32):
        page.goto(f"/adult/class/{address}")
        expect(page.get_by_text("그런 반이 없어요.")).to_be_visible()
        expect(page.get_by_role("heading", name="2학년 3반")).to_have_count(0)
    page.get_by_role("link", name="내 반 보기").click()
    page.get_by_role("heading", name="2학년 3반").wait_for()


def test_each_button_says_of_whom_it_is(room: Classroom) -> None:
    page = room.page
    for does in ("보기", "고치기"):
        for name in ("하늘", "도윤"):
            expect(page.get_by_role("button", name=f"{name}: {does}", exact=True)).to_have_count(1)
    page.get_by_role("button", name="하늘: 보기", exact=True).click()
    page.get_by_role("heading", name="하늘").wait_for()
    links = page.get_by_role("link", name=re.compile(r"^\d+월 \d+일 \d+:\d\d: (과정|지금 옆에서) 보기$"))
    links.first.click()
    title = page.get_by_role("heading", level=1)
    expect(title).to_have_text(re.compile(r"(과정|지금 옆에서) \d+월 \d+일 \d+:\d\d"))


def test_a_report_on_the_class_is_made_for_some_days(room: Classroom) -> None:
    made = section(room.page, "반 보고서")
    made.get_by_label("첫날").fill("2026-01-02")
    made.get_by_role("button", name="반 보고서 만들기").click()
    address = made.get_by_role("link", name="PDF 열기").get_attribute("href")
    assert room.page.request.get(str(address)).body().startswith(b"%PDF")
    (report,) = room.get(f"/students/{room.doyun}/reports")["reports"]
    assert (report["kind"], report["title"], report["since"]) == ("class", "2학년 3반", "2026-01-02")
    assert {*report["student_ids"]} == {room.haneul, room.doyun}
    assert faults(room.page) == []


def test_a_new_child_comes_with_its_year_of_birth(room: Classroom) -> None:
    page = room.page
    page.get_by_label("별명").fill("서아")
    page.get_by_label("출생 연도").fill("2018")
    page.get_by_role("button", name="넣기", exact=True).click()
    page.get_by_role("row").filter(has_text="서아").get_by_role("button", name="보기").click()
    expect(page.get_by_text("2018년에 태어났어요.")).to_be_visible()
    expect(page.get_by_text("공부하기 동의가 없어서 아이가 시작할 수 없어요.")).to_be_visible()
    assert faults(page) == []


def test_the_year_of_birth_is_written_where_the_page_asks_for_it(learner: Classroom) -> None:
    page = learner.page
    asks = page.get_by_text("출생 연도를 적어 주세요.")
    expect(asks).to_be_visible()
    page.get_by_label("출생 연도").fill("2010")
    page.locator("form", has=page.get_by_label("출생 연도")).get_by_role("button", name="저장").click()
    expect(asks).to_have_count(0)
    expect(page.get_by_text("2010년에 태어났어요.")).to_be_visible()
    assert learner.get(f"/students/{learner.haneul}")["birth_year"] == 2010
    page.get_by_role("button", name="고치기").click()
    expect(page.get_by_label("출생 연도")).to_have_value("2010")


def test_a_report_that_fails_says_so_in_sight_and_is_made_again(learner: Classroom) -> None:
    page = learner.page
    busy = {"type": "about:blank", "title": "Busy", "status": 503, "detail": "", "code": "unavailable"}
    reports = re.compile(r"/students/[^/]+/reports$")
    page.route(
        reports,
        lambda route: route.fulfill(status=503, json=busy) if route.request.method == "POST" else route.continue_(),
    )
    page.set_viewport_size({"width": 1024, "height": 500})
    page.get_by_role("button", name="가정 통신문 만들기").click()
    told = page.get_by_role("alert")
    expect(told).to_contain_text("서비스가 바빠요.")
    expect(told).to_be_in_viewport(ratio=1)
    assert page.evaluate("scrollY") > 0
    assert faults(page) == []
    page.unroute_all()
    page.get_by_role("button", name="다시", exact=True).click()
    page.get_by_role("link", name="PDF 열기").wait_for()
    expect(told).to_have_count(0)


def test_what_takes_long_says_so_and_is_not_begun_twice(learner: Classroom) -> None:
    page = learner.page
    waiting: list[Route] = []
    page.route(
        re.compile(r"/students/[^/]+/reports$"),
        lambda route: waiting.append(route) if route.request.method == "POST" else route.continue_(),
    )
    page.get_by_role("button", name="선생님 보고서 만들기").click()
    expect(page.get_by_role("button", name="만드는 중…")).to_be_disabled()
    expect(page.get_by_role("button", name="가정 통신문 만들기")).to_be_disabled()
    expect(page.locator(".busy")).to_have_text("하고 있어요…")
    expect(page.locator(".busy")).to_be_in_viewport(ratio=1)
    waiting[0].continue_()
    page.get_by_role("link", name="PDF 열기").wait_for()
    expect(page.locator(".busy")).to_have_text("")
    assert len(waiting) == 1


def test_a_report_is_on_the_days_and_with_the_names_that_were_written(learner: Classroom) -> None:
    page = learner.page
    page.get_by_text("기간과 적을 것").click()
    for label, value in (("첫날", "2026-03-02"), ("학년과 반", "2학년 3반"), ("선생님", "김 선생님")):
        section(page, "보고서").get_by_label(label).fill(value)
    with page.expect_request(re.compile(r"/reports$")) as sent:
        page.get_by_role("button", name="선생님 보고서 만들기").click()
    assert sent.value.post_data_json == {
        "kind": "teacher", "from": "2026-03-02", "name": "하늘", "grade": "2학년 3반", "teacher": "김 선생님",
    }  # fmt: skip
    page.get_by_role("link", name="PDF 열기").wait_for()
    (report,) = learner.get(f"/students/{learner.haneul}/reports")["reports"]
    assert report["since"] == "2026-03-02"
    assert faults(page) == []


def test_a_page_that_could_not_be_loaded_is_loaded_again(room: Classroom) -> None:
    page = room.page
    page.route("**/overview?weeks=8", lambda route: route.abort())
    page.get_by_role("row").filter(has_text="하늘").get_by_role("button", name="보기").click()
    expect(page.get_by_role("alert")).to_contain_text("서비스에 닿지 않아요.")
    page.unroute_all()
    page.get_by_role("button", name="다시", exact=True).click()
    page.get_by_role("heading", name="하늘").wait_for()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_the_page_of_an_erased_child_says_so(learner: Classroom) -> None:
    """And the next page no more, even while something is still asked for."""
    learner.page.route("**/attention", lambda _: None)
    learner.service.client.delete(f"/api/v1/students/{learner.haneul}").raise_for_status()
    learner.page.reload()
    expect(learner.page.get_by_role("alert")).to_contain_text("찾을 수 없어요. 이미 지워졌을지도 몰라요.")
    expect(learner.page.get_by_role("button", name="다시", exact=True)).to_have_count(0)
    learner.page.get_by_role("link", name="← 2학년 3반").click()
    learner.page.get_by_role("heading", name="오늘 함께 볼 아이").wait_for()
    expect(learner.page.get_by_role("alert")).to_have_count(0)


def test_a_tab_that_was_signed_out_signs_in_at_the_same_page(learner: Classroom) -> None:
    page = learner.page
    page.context.clear_cookies()
    page.get_by_role("button", name="가정 통신문 만들기").click()
    page.get_by_label("토큰").fill(learner.token("teacher", learner.haneul, learner.doyun))
    page.get_by_role("button", name="들어가기").click()
    page.get_by_role("heading", name="하늘").wait_for()
    expect(page.get_by_role("alert")).to_have_count(0)


def test_who_begins_to_play_is_shown_with_a_way_beside_it(room: Classroom) -> None:
    page = room.page
    page.clock.install()
    page.reload()
    row = page.get_by_role("table").get_by_role("row").filter(has_text="도윤")
    row.wait_for()
    plays = row.get_by_role("link", name="지금 하고 있어요")
    expect(plays).to_have_count(0)
    body = {"student_id": room.doyun, "mode": "practice", "seed": 7}
    session = room.service.client.post("/api/v1/sessions", json=body).json()["session_id"]
    page.clock.fast_forward(15_000)
    plays.click()
    page.wait_for_url(f"**/adult/session/{session}")
    page.get_by_role("heading", name="무엇을 보셨나요?").wait_for()


def test_trainings_are_shown_with_what_changed_after_them(learner: Classroom) -> None:
    effect = {"title": "올린 수 적기", "goal": "적고 더한다.", "times": 2, "first_day": "2026-11-12", "skill": "덧셈",
              "before": {"right": 1, "tries": 6}, "after": {"right": 7, "tries": 8}}  # fmt: skip

    def trained(route: Route) -> None:
        answer = route.fetch()
        route.fulfill(response=answer, json=answer.json() | {"trainings": [effect]})

    expect(section(learner.page, "훈련")).to_contain_text("아직 하지 않았어요.")
    learner.page.route("**/overview?weeks=8", trained)
    learner.page.reload()
    row = section(learner.page, "훈련").locator("tbody tr")
    expect(row).to_have_text(re.compile(r"올린 수 적기\s*2\s*11/12\s*덧셈\s*1 / 6\s*7 / 8"))
    _, told = table_of(learner.page, "하늘 훈련 표 (CSV)")
    assert told == ["올린 수 적기", "적고 더한다.", "2", "2026-11-12", "덧셈", "1", "6", "7", "8"]
    assert faults(learner.page) == []


def far_round(service: Service, student_id: str) -> None:
    """Three White-outs, of which a teacher is told."""
    client = service.client
    for _ in range(3):
        view = client.post("/api/v1/sessions", json={"student_id": student_id, "first_problem": "98+90"}).json()
        address, seen, given = f"/api/v1/sessions/{view['session_id']}/events", view, 178
        for number in range(10):
            if seen["phase"] == "white_out":
                break
            sent = {"type": "answer_submitted", "request_id": f"r{number}", "task_id": seen["task"]["task_id"]}
            seen = client.post(address, json=sent | {"answer": given, "rt_ms": 3_000}).json()
            given = 9_000 if seen["task"]["kind"] != "diagnostic_question" else 2
        client.post(address, json={"type": "stop", "request_id": "stop"}).raise_for_status()


def test_what_is_to_be_looked_at_is_decided_by_keys(room: Classroom) -> None:
    for student in (room.haneul, room.doyun):
        far_round(room.service, student)
    page = room.page
    page.get_by_role("link", name="살피기").click()
    items = page.locator("main ol > li")
    items.nth(1).wait_for()
    count = items.count()
    assert faults(page) == []
    current = page.locator("li[aria-current]")
    first, second = (items.nth(place).inner_text() for place in (0, 1))
    page.keyboard.press("j")
    expect(current).to_have_text(second, use_inner_text=True)
    page.keyboard.press("k")
    expect(current).to_have_text(first, use_inner_text=True)
    page.keyboard.press("j")
    page.keyboard.press("1")
    expect(items).to_have_count(count - 1)
    assert second not in items.all_inner_texts()
    items.first.get_by_role("link", name="과정 보기").click()
    page.locator(".screen .stage").wait_for()
    decided = room.get("/reviews?status=decided&limit=200")["reviews"]
    assert {one["decision"]["verdict"] for one in decided if one["student_id"] in (room.haneul, room.doyun)} == {"seen"}


def test_what_is_alike_is_one_card_and_decided_at_once(room: Classroom) -> None:
    page = room.page
    far_round(room.service, room.doyun)
    kept = room.get("/reviews?kind=white_outs&limit=200")["reviews"]
    (own,) = [one for one in kept if one["student_id"] == room.doyun]
    more = [
        {**own, "review_id": 900_000 + place, "payload": {**own["payload"], "says": ["또요."]}} for place in range(3)
    ]
    page.route(
        "**/reviews?kind=white_outs*",
        lambda route: route.fulfill(json={"reviews": [own, *more], "next": None}),
    )
    page.get_by_role("link", name="살피기").click()
    card = page.locator("main ol > li").filter(has_text="도윤").filter(has_text="멀리 돌아가기가 잦아요")
    expect(card).to_have_count(1)
    expect(card).to_contain_text("같은 것 4개, 한꺼번에 정해요")
    expect(card).to_contain_text("또요.")
    assert faults(page) == []
    with page.expect_request("**/reviews/decide") as sent:
        card.get_by_role("button").first.click()
    asked: Any = sent.value.post_data_json
    assert {*asked["review_ids"]} == {own["review_id"], *(one["review_id"] for one in more)}


def test_what_a_child_can_do_is_what_the_service_says(learner: Classroom) -> None:
    asked = [
        one for one in learner.get(f"/students/{learner.haneul}/knowledge")["skills"] if one["tries"] + one["aided"]
    ]
    shown = section(learner.page, "지금 할 수 있는 것").locator("tbody tr")
    expect(shown).to_have_count(len(asked))
    assert [row.split("\t") for row in shown.all_inner_texts()] == [
        [one["name"], one["says"], f"{one['right']} / {one['tries']}"] for one in asked
    ]
    _, *rows = table_of(learner.page, "하늘 능력 표 (CSV)")
    assert [(row[0], row[2], row[3], float(row[6])) for row in rows] == [
        (one["name"], str(one["right"]), str(one["tries"]), one["chance"]) for one in asked
    ]


_STRANDS = {"+": "덧셈", "-": "뺄셈", "x": "곱셈", "/": "나눗셈"}


def forgets_the_carry(learner: Classroom) -> None:
    """Four answers that show a cause for certain, and the page anew."""
    for number, (problem, answer) in enumerate((("28+15", 33), ("47+26", 63), ("58+17", 65), ("36+28", 54))):
        body = {"student_id": learner.haneul, "first_problem": problem, "seed": number, "c_position": 8}
        view = learner.service.client.post("/api/v1/sessions", json=body).json()
        sent = {"type": "answer_submitted", "request_id": "r", "task_id": view["task"]["task_id"], "answer": answer}
        address = f"/api/v1/sessions/{view['session_id']}/events"
        assert learner.service.client.post(address, json=sent | {"rt_ms": 6_000}).is_success
    learner.page.reload()


def test_repeated_errors_are_shown_by_the_childs_own_answers(learner: Classroom) -> None:
    forgets_the_carry(learner)
    expect(section(learner.page, "확인된 원인")).to_contain_text("47+26 → 63")
    patterns = learner.get(f"/students/{learner.haneul}/summary")["patterns"]
    overview = learner.get(f"/classes/{learner.class_id}/overview")
    (reason,) = [
        need["says"]
        for one in overview["students"]
        for need in one["needs"]
        if (one["student_id"], need["code"]) == (learner.haneul, "same_cause")
    ]
    cause = next(one for one in patterns if one["kind"] == "cause")
    expect(section(learner.page, "확인된 원인")).to_contain_text(f"{cause['name']} (보인 답 {cause['count']}개)")
    assert f"보인 답이 {cause['count']}개" in reason
    examples = [each for one in patterns for each in one["examples"]]
    assert examples
    _, *rows = table_of(learner.page, "하늘 틀린 답 표 (CSV)")
    assert [(row[2].lstrip("'"), row[3], row[4]) for row in rows] == [
        (one["expression"], str(one["given"]), str(one["right"])) for one in examples
    ]


def test_the_newest_answers_equal_the_service_and_the_files(learner: Classroom) -> None:
    forgets_the_carry(learner)
    page = learner.page
    turns = learner.get(f"/students/{learner.haneul}/turns?limit=120")["turns"]
    answers = [one for one in turns if one["correct"] is not None]
    told = section(page, "지난 답")
    expect(told).to_contain_text(f"가장 새로운 답 {len(answers)}개예요.")
    told.get_by_text("표로 보기").click()
    _, *rows = table_of(page, "하늘 지난 답 표 (CSV)")
    assert [[row[1], *row[2:4], row[8], row[9]] for row in rows] == [
        [str("" if one[name] is None else one[name]) for name in ("expression", "given", "right", "c")]
        + [f"{one['w']:g}"]
        for one in answers
    ]
    shown = [row.split("\t") for row in told.locator("details tbody tr").all_inner_texts()]
    assert [[*row[1:4], *row[8:10]] for row in shown] == [[row[1], *row[2:4], row[8], row[9]] for row in rows]
    _, *groups = table_of(page, "하늘 시간 표 (CSV)")
    timed = [one for one in answers if one["rt_ms"] is not None and one["expression"]]
    assert sum(int(count) for _, _, count, _ in groups) == len(timed)
    for operation, way, count, middle in groups:
        sign, kind = {"덧셈": "+", "뺄셈": "−"}[operation], {"고르기": "tap", "쓰기": "typed"}[way]
        own = [one["rt_ms"] for one in timed if sign in one["expression"] and one["input"] == kind]
        assert (count, middle) == (str(len(own)), f"{median(own) / 1000:.1f}")
    unsure = sum(one["correct"] is False and one["confidence"] != "high" for one in answers)
    expect(told).to_contain_text(f"틀린 답 {unsure}개는 원인을 아직 몰라요.")
    assert faults(page) == []


def test_a_week_that_was_not_asked_is_hatched_in_forced_colours_too(learner: Classroom) -> None:
    learner.page.emulate_media(forced_colors="active")
    unasked = section(learner.page, "주마다").locator("td.none").first
    assert "gradient" in unasked.evaluate("(one) => getComputedStyle(one).backgroundImage")


def test_a_certain_cause_leads_to_the_step_that_showed_it(learner: Classroom) -> None:
    forgets_the_carry(learner)
    page = learner.page
    turns = learner.get(f"/students/{learner.haneul}/turns?limit=120")["turns"]
    certain = [one for one in turns if one["confidence"] == "high" and one["cause_tag"]]
    told = section(page, "지난 답")
    _, *rows = table_of(page, "하늘 원인 표 (CSV)")
    assert [(row[2], row[3], row[4]) for row in rows] == [
        (one["expression"], str(one["given"]), str(one["right"])) for one in certain
    ]
    told.locator("table").filter(has_text="원인").locator("tbody a").first.click()
    page.wait_for_url(f"**/session/{certain[0]['session_id']}/{certain[0]['turn']}")
    page.locator(".screen .stage").wait_for()
    expect(page.locator(".replay [aria-current=step]")).to_have_text(re.compile(rf"^\s*{certain[0]['turn']}\."))


def test_what_the_class_page_says_is_in_its_files(room: Classroom) -> None:
    misses(room.service, room.doyun)
    room.page.reload()
    overview = room.get(f"/classes/{room.class_id}/overview")
    names = {one["student_id"]: one["nickname"] for one in overview["students"]}
    _, *needs = table_of(room.page, "오늘 함께 볼 아이 표 (CSV)")
    assert {(name, why) for name, why, _ in needs} == {
        (one["nickname"], " ".join(need["says"] for need in one["needs"]))
        for one in overview["students"]
        if one["needs"]
    }
    _, *groups = table_of(room.page, "함께 할 모둠 표 (CSV)")
    assert [row[:3] for row in groups] == [
        [group["skill"], names[one["student_id"]], one["why"]]
        for group in overview["groups"]
        for one in group["members"]
    ]


def test_sessions_and_steps_come_as_tables(learner: Classroom) -> None:
    page = learner.page
    played = learner.get(f"/students/{learner.haneul}/sessions")["sessions"]
    _, *rows = table_of(page, "하늘 활동 표 (CSV)")
    here = ZoneInfo(page.evaluate("Intl.DateTimeFormat().resolvedOptions().timeZone"))
    began = [datetime.fromisoformat(one["started_at"]).astimezone(here) for one in played]
    assert [row[:3] for row in rows] == [
        [f"{at:%Y-%m-%d %H:%M:%S}", str(one["answered"]), str(one["right"])]
        for at, one in zip(began, played, strict=True)
    ]
    page.get_by_role("link", name="보기", exact=False).last.click()
    page.locator(".screen .stage").wait_for()
    steps = learner.get(f"/sessions/{learner.session}/steps")["steps"]
    _, *rows = table_of(page, "하늘 과정 표 (CSV)")
    assert [(row[0], row[2], row[5]) for row in rows] == [
        (str(number), one["task"]["prompt"], " ".join(one["seen"])) for number, one in enumerate(steps, start=1)
    ]


def test_weeks_in_which_nothing_was_asked_are_drawn_as_such(learner: Classroom) -> None:
    weeks = section(learner.page, "주마다")
    expect(weeks.get_by_role("cell", name="묻지 않음").first).to_be_attached()
    found = learner.get(f"/students/{learner.haneul}/heatmap?by=week&weeks=8")
    unasked = sum(cell is None for row in found["cells"] for cell in row)
    expect(weeks.get_by_role("cell", name="묻지 않음")).to_have_count(unasked)
    _, *rows = table_of(learner.page, "주마다 표 (CSV)")
    told = [[part for cell in row for part in (cell or ("", ""))] for row in found["cells"]]
    assert [[part and float(part) for part in row[1:]] for row in rows] == told


def test_all_answers_come_as_a_table(learner: Classroom) -> None:
    titles, *rows = table_of(learner.page, "모든 답을 표로 받기 (CSV)")
    shown = learner.get(f"/students/{learner.haneul}/turns")["turns"]
    assert [row[titles.index("expression")] for row in rows] == [one["expression"] or "" for one in shown]
    (session,) = learner.get(f"/students/{learner.haneul}/sessions")["sessions"]
    cells = section(learner.page, "걸어온 길").locator("tbody tr").get_by_role("cell")
    expect(cells.nth(1)).to_have_text(str(session["answered"]))
    expect(cells.nth(2)).to_have_text(str(session["right"]))


def test_a_goal_is_set_with_the_way_to_it_and_taken_back(learner: Classroom) -> None:
    goals, page = section(learner.page, "목표"), learner.page
    due = (datetime.now(UTC) + timedelta(days=40)).date().isoformat()
    (wanted,) = goals.get_by_label("능력").select_option(index=12)
    expect(goals.get_by_role("listitem").nth(1)).to_be_visible()
    goals.get_by_label("언제까지").fill("2020-01-31")
    goals.get_by_role("button", name="목표 세우기").click()
    expect(page.get_by_role("alert")).to_contain_text("언제까지: 오늘이나 그 뒤의 날로 정해 주세요.")
    goals.get_by_label("언제까지").fill(due)
    goals.get_by_role("button", name="목표 세우기").click()
    expect(goals.get_by_text("가는 중")).to_be_visible()
    (goal,) = learner.get(f"/students/{learner.haneul}/goals")["goals"]
    assert (goal["skill_id"], goal["due"]) == (wanted, due)
    expect(goals.get_by_text(goal["text"])).to_be_visible()
    page.get_by_role("button", name="목표 거두기").click()
    expect(goals.get_by_text("아직 없어요.")).to_be_visible()
    assert learner.get(f"/students/{learner.haneul}/goals")["goals"] == []


def test_all_consents_of_a_paper_are_recorded_at_once(learner: Classroom) -> None:
    """Who gave them and on what paper is said once."""
    page = learner.page
    page.get_by_label("말로 답하기").check()
    page.get_by_label("연구에 쓰기").check()
    record = page.get_by_role("button", name="적기", exact=True)
    expect(record).to_be_disabled()
    page.get_by_label("누가 했나요?").fill("어머니")
    expect(record).to_be_disabled()
    page.get_by_label("무엇으로 확인했나요?").fill("3월 2일 동의서")
    assert faults(page) == []
    record.click()
    expect(page.get_by_role("listitem").filter(has_text="말로 답하기")).to_contain_text("어머니, 3월 2일 동의서")
    kept = learner.get(f"/students/{learner.haneul}/consents")["history"]
    paper = {"granted": True, "given_by": "어머니", "note": "3월 2일 동의서"}
    assert {one["purpose"]: {name: one[name] for name in paper} for one in kept} == {"voice": paper, "research": paper}
    page.get_by_label("말로 답하기").uncheck()
    page.get_by_label("누가 했나요?").fill("어머니")
    page.get_by_label("무엇으로 확인했나요?").fill("전화")
    record.click()
    expect(page.get_by_role("listitem").filter(has_text="말로 답하기")).to_contain_text("동의를 거둠")
    assert learner.get(f"/students/{learner.haneul}/consents")["current"] == {"voice": False, "research": True}


def test_the_page_says_which_consents_the_service_acts_on(learner: Classroom) -> None:
    consents = section(learner.page, "동의")
    expect(consents.get_by_role("list")).to_have_count(2)
    acting, kept = consents.get_by_role("list").all()
    assert [re.split("[:\n]", text.strip())[0] for text in acting.get_by_role("listitem").all_inner_texts()] == [
        "공부하기",
        "언어 모델 쓰기",
        "말로 답하기",
    ]
    expect(kept).to_contain_text("보고서 만들기")
    expect(consents).to_contain_text("서비스가 하는 일은 달라지지 않아요.")


def test_the_class_says_who_may_not_begin_and_leads_to_the_consent(room: Classroom) -> None:
    page = room.page
    year = datetime.now(UTC).year - 9
    assert room.service.client.patch(f"/api/v1/students/{room.doyun}", json={"birth_year": year}).is_success
    page.reload()
    waiting = section(page, "아직 시작할 수 없는 아이")
    expect(waiting).to_contain_text("‘공부하기’ 동의가 없어서")
    expect(waiting.get_by_role("listitem")).to_have_count(1)
    assert faults(page) == []
    waiting.get_by_role("button", name="동의 적기").click()
    page.get_by_label("공부하기").check()
    page.get_by_label("누가 했나요?").fill("어머니")
    page.get_by_label("무엇으로 확인했나요?").fill("3월 2일 동의서")
    expect(page.get_by_text("공부하기 동의가 없어서")).to_be_visible()
    page.get_by_role("button", name="적기", exact=True).click()
    expect(page.get_by_text("공부하기 동의가 없어서")).to_have_count(0)
    page.get_by_role("link", name="2학년 3반").click()
    expect(page.get_by_role("heading", name="오늘 함께 볼 아이")).to_be_visible()
    expect(page.get_by_role("heading", name="아직 시작할 수 없는 아이")).to_have_count(0)


def test_a_nickname_that_is_taken_or_too_long_is_refused_with_what_to_do(room: Classroom) -> None:
    page = room.page
    for written, told in (
        ("하늘", "이 반에 이미 하늘이 있어요. 성이나 숫자를 붙여 구별해 주세요 (예: 김하늘)."),
        ("abcdefghijklmnopqrstuvwxyz", "12자까지 적을 수 있어요"),
        ("🐰", "한글, 영어, 숫자와 빈칸만 쓸 수 있어요"),
    ):
        page.get_by_label("별명").fill(written)
        page.get_by_role("button", name="넣기", exact=True).click()
        expect(page.get_by_role("alert")).to_contain_text(told)
    assert len(room.get(f"/classes/{room.class_id}")["members"]) == 2


def test_the_code_of_a_tablet_comes_with_the_address_to_open(room: Classroom) -> None:
    page = room.page
    page.get_by_role("button", name="태블릿 코드 만들기").click()
    tablets = section(page, "태블릿과 카드")
    expect(tablets).to_contain_text(
        f"태블릿에서 이 주소를 열고 위의 코드를 적어 주세요: http://127.0.0.1:{room.service.port}/"
    )
    expect(tablets).to_contain_text("지금 주소는 이 컴퓨터에서만 열려요.")


def test_namesakes_of_two_classes_are_told_apart_where_an_adult_names_them(room: Classroom) -> None:
    """Also in an alert, which leads to the child."""
    client = room.service.client
    made = client.post("/api/v1/classes", json={"name": "2학년 4반"}).json()["class_id"]
    for student_id, animal in ((room.haneul, "fox"), (room.doyun, "owl")):
        assert client.patch(f"/api/v1/students/{student_id}", json={"animal": animal}).is_success
    body = {"nickname": "하늘", "animal": "bear", "pictures": None}
    other = client.post(f"/api/v1/classes/{made}/members", json=body).json()["student_id"]
    child = {"Authorization": f"Bearer {room.token('student', other)}"}
    said = {"message": "나는 죽고 싶어", "thread_id": f"t-{other}"}
    assert client.post("/api/v1/chat", json=said, headers=child).is_success
    page = room.page
    sign_in(page, room.token("teacher", room.haneul, room.doyun, other))
    alert = page.get_by_role("region", name="먼저 봐 주세요")
    expect(alert).to_contain_text("곰 하늘")
    expect(alert).to_contain_text("· 곰 · 2학년 4반")
    page.goto("/adult/chat")
    offered = page.locator("fieldset select option")
    for name in ("여우 하늘", "곰 하늘", "도윤"):
        expect(offered.filter(has_text=re.compile(f"^{name}$"))).to_have_count(1)
    page.goto("/adult")
    alert.get_by_role("link", name="곰 하늘").click()
    expect(page.get_by_role("heading", name="하늘")).to_be_visible()
    assert page.url.endswith(f"/adult/student/{other}")


def test_a_link_to_a_report_is_ended_and_another_given(learner: Classroom, tablets: Tablets) -> None:
    page = learner.page
    page.get_by_role("button", name="선생님 보고서 만들기").click()
    first = page.get_by_role("link", name="열기", exact=False).last
    expect(first).to_have_attribute("href", re.compile("signature="))
    address = str(first.get_attribute("href"))
    stranger = tablets.open()
    assert stranger.request.get(address).body().startswith(b"%PDF")
    page.get_by_role("button", name="새 링크", exact=False).click()
    expect(page.get_by_text("아직 열지 않음")).to_be_visible()
    ends = page.get_by_role("button", name="링크 끝내기", exact=False)
    expect(ends).to_have_count(2)
    page.get_by_role("listitem").filter(has_text="마지막으로 연 때").last.get_by_role("button").last.click()
    expect(ends).to_have_count(1)
    assert stranger.request.get(address).status == 404
    (report,) = learner.get(f"/students/{learner.haneul}/reports")["reports"]
    (left,) = report["links"]
    assert stranger.request.get(left["url"]).body().startswith(b"%PDF")
    ends.click()
    expect(page.get_by_text("열 수 있는 링크가 없어요.")).to_be_visible()
    assert faults(page) == []


def test_a_session_is_gone_through_by_arrow_keys(learner: Classroom) -> None:
    page = learner.page
    page.get_by_role("link", name="보기", exact=False).last.click()
    steps = learner.get(f"/sessions/{learner.session}/steps")["steps"]
    page.get_by_role("button", name="1. ", exact=False).first.click()
    for number, step in enumerate(steps, start=1):
        expect(page.locator(".look [aria-live]")).to_contain_text(f"{number} /")
        expect(page.locator(".screen")).to_have_attribute("data-prompt", step["task"]["prompt"])
        row = [f"정한 규칙: {step['row']}번 줄"] if step["row"] else []
        told = [*step["seen"], *step["why"], *step["follows"], *step["said"], *row]
        expect(page.locator(".told p")).to_have_text(told)
        page.keyboard.press("ArrowRight")
    assert faults(page) == []


def test_a_replay_shows_what_the_child_saw(room: Classroom, tablets: Tablets) -> None:
    """The same task on the child's screen and on the adult's: its numbers, choices and words are the same."""
    child = tablets.child("서아")
    student = child.evaluate("fetch('/api/v1/me').then(r => r.json()).then(me => me.students[0].student_id)")
    body = {"student_id": student, "seed": 7, "first_problem": "28+15", "c_position": 8}
    session = room.service.client.post("/api/v1/sessions", json=body).json()["session_id"]
    child.reload()
    child.get_by_role("button", name="이어서 하자").click()
    seen = child.locator(".problem.shown")
    seen.wait_for()
    sign_in(beside := tablets.open(), room.service.client.headers["authorization"].split()[1])
    beside.get_by_role("heading", name="아이들").wait_for()
    beside.goto(f"/adult/session/{session}")
    beside.locator(".screen .stage").wait_for()
    for part in (".stage", ".choices"):
        here = seen.locator(part).inner_text().split()
        expect(beside.locator(".screen").locator(part)).to_contain_text(re.compile(r"\s*".join(map(re.escape, here))))


def test_a_replay_has_all_screens_of_the_child(room: Classroom, tablets: Tablets) -> None:
    """Lines, hints, steps with what stands in them, the picture that the child opened, the band of a White-out, and
    what was solved together: each as it was on the child's own screen."""
    child = tablets.child("서아")
    student = child.evaluate("fetch('/api/v1/me').then(r => r.json()).then(me => me.students[0].student_id)")
    body = {"student_id": student, "seed": 5, "first_problem": "98+90", "c_position": 8, "w_position": None}
    session = room.service.client.post("/api/v1/sessions", json=body).json()["session_id"]
    child.get_by_role("button", name="이어서 하자").or_(child.get_by_role("button", name="시작하자")).click()
    robot, screens, first = Robot(child), list[dict[str, Any]](), [178, 2, 7]  # as a White-out wants it
    for _ in range(60):
        kind = robot.look()
        if kind == "problem":
            if child.get_by_role("button", name="직접 쓸래").count():
                robot.press("직접 쓸래")
            picture = child.get_by_role("button", name="그림", exact=True)
            if len(screens) == 1 and picture.count():
                picture.click()
                child.locator(".picture").wait_for()
            screens.append(drawn(child.locator(".problem.shown")) | {"solved": []})
            later = robot.right() if screens[-1]["band"] else robot.wrong()
            robot.answer(first.pop(0) if first else later)
        elif kind == "training":
            robot.leave()
        elif child.get_by_role("button", name="끝", exact=True).count():
            break
        else:
            screens[-1]["solved"] += [" ".join(one.split()) for one in child.locator(".solution li").all_inner_texts()]
            robot.next()
    sign_in(beside := tablets.open(), room.service.client.headers["authorization"].split()[1])
    beside.get_by_role("heading", name="아이들").wait_for()
    beside.goto(f"/adult/session/{session}")
    steps = room.get(f"/sessions/{session}/steps")["steps"]
    beside.get_by_role("button", name="1. ", exact=False).first.click()
    found = []
    for number, step in enumerate(steps, start=1):
        expect(beside.locator(".look [aria-live]")).to_contain_text(f"{number} /")
        screen = beside.locator(".screen")
        expect(screen).to_have_attribute("data-prompt", step["task"]["prompt"])
        if step["task"]["kind"] != "training" and step["given"] is not None:
            if step["task"]["visual"] or step["aid"]:
                screen.locator(".picture").wait_for()
            solved = [" ".join(one.split()) for one in beside.locator(".solved li").all_inner_texts()]
            found.append(drawn(screen) | {"solved": solved})
            slots = screen.locator(".steps .found").all_inner_texts()
            assert slots == ["" if one is None else str(one) for one in step["found"]]
        beside.keyboard.press("ArrowRight")
    assert found == screens
    assert any(one["beside"] for one in screens)
    assert any(one["band"] for one in screens)
    assert any(one["solved"] for one in screens)


def drawn(screen: Locator) -> dict[str, Any]:
    """What stands on a child's screen, its own or the one that an adult sees."""
    return {
        "prompt": screen.get_attribute("data-prompt"),
        "beside": screen.locator(".beside span").all_inner_texts(),
        "steps": screen.locator(".steps li > span:first-child").all_inner_texts(),
        "choices": [one.strip() for one in screen.locator(".choices > *").all_inner_texts()],
        "picture": screen.locator(".picture").count(),
        "band": "band" in str(screen.get_attribute("class")).split(),
    }


def test_the_items_of_a_training_are_drawn_with_their_answers(room: Classroom) -> None:
    client, page = room.service.client, room.page
    body = {"student_id": room.doyun, "first_problem": "47+26", "c_position": 8, "w_position": None, "seed": 7}
    view = client.post("/api/v1/sessions", json=body).json()
    address = f"/api/v1/sessions/{view['session_id']}/events"
    hasty = {
        "type": "answer_submitted",
        "request_id": "r1",
        "task_id": view["task"]["task_id"],
        "answer": 5,
        "rt_ms": 400,
    }
    training = client.post(address, json=hasty).json()["task"]["training"]
    item = training["items"][0]
    answers = [step["answer"] for step in item["steps"]]
    played = {"item_id": item["id"], "answers": answers, "tries": [2 for _ in answers], "shown": True}
    done = {"type": "training_done", "request_id": "r2", "training_id": training["id"], "results": {"items": [played]}}
    client.post(address, json=done).raise_for_status()
    page.goto(f"/adult/session/{view['session_id']}/2")
    shown = page.locator(".screen .item")
    expect(shown).to_have_count(1)
    expect(shown).to_contain_text(f"아이의 답: {answers[0]}")
    expect(shown).to_contain_text("2번 해 보았어요.")
    expect(shown).to_contain_text("풀이를 보여 주었어요.")
    expect(shown.locator(".widget")).to_be_visible()
    assert faults(page) == []


def test_a_replay_names_what_decided_and_the_procedures_it_ran_under(learner: Classroom) -> None:
    page = learner.page
    page.goto(f"/adult/session/{learner.session}/1")
    steps = learner.get(f"/sessions/{learner.session}/steps")["steps"]
    expect(page.get_by_text(f"정한 규칙: {steps[0]['row']}번 줄")).to_be_visible()
    learner.service.client.post(
        f"/api/v1/sessions/{learner.session}/events", json={"type": "stop", "request_id": "end"}
    )
    page.reload()
    page.get_by_role("button", name="다시 계산하기").click()
    expect(page.get_by_role("status").filter(has_text="기록과 똑같이 나와요.")).to_contain_text(
        "배운 방식 없이 한 활동이에요."
    )


def test_what_is_seen_beside_a_child_reaches_its_answer(room: Classroom) -> None:
    client, page = room.service.client, room.page
    body = {"student_id": room.doyun, "c_position": 7, "w_position": 4.5, "seed": 7, "mode": "practice"}
    view = client.post("/api/v1/sessions", json=body).json()
    page.goto(f"/adult/session/{view['session_id']}")
    page.get_by_role("heading", name="무엇을 보셨나요?").wait_for()
    tag = page.get_by_role("button", name="손가락이나 소리로 하나씩 세어 답을 찾는다")
    tag.click()
    expect(tag).to_have_attribute("aria-pressed", "true")
    assert faults(page) == []
    problem = view["task"]["problem"]
    sent = {"type": "answer_submitted", "request_id": "r1", "task_id": view["task"]["task_id"], "rt_ms": 12_000,
            "answer": problem["a"] + (problem["b"] if problem["op"] == "+" else -problem["b"])}  # fmt: skip
    assert client.post(f"/api/v1/sessions/{view['session_id']}/events", json=sent).is_success
    (turn,) = room.get(f"/sessions/{view['session_id']}/trace")["turns"]
    assert turn["event"]["observed"] == ["OBS_OVERRELIANCE_COUNTING"]
    expect(page.get_by_role("button", name="1. ", exact=False)).to_be_visible()
    page.get_by_role("button", name="1. ", exact=False).click()
    expect(page.locator(".told")).to_contain_text("옆에서 본 것: 손가락이나 소리로 하나씩 세어 답을 찾는다.")


def test_a_group_has_a_sheet_of_problems_with_their_steps(room: Classroom, tmp_path: Path) -> None:
    misses(room.service, room.doyun)
    room.page.reload()
    room.page.get_by_role("link", name="문제와 풀이 인쇄").first.click()
    room.page.get_by_role("button", name="인쇄").wait_for()
    skill = room.page.url.rpartition("/")[2]
    sheet = room.get(f"/classes/{room.class_id}/sheet?skill_id={skill}")
    solved = room.page.locator(".solved li p:first-child")
    expect(solved).to_have_count(len(sheet["problems"]))
    assert [one.replace("−", "-") for one in solved.all_inner_texts()] == [
        f"{one['expression'].replace('−', '-')} = {one['answer']}" for one in sheet["problems"]
    ]
    assert faults(room.page) == []
    room.page.emulate_media(media="print")
    expect(room.page.get_by_role("button", name="인쇄")).to_be_hidden()
    expect(room.page.get_by_role("button", name="로그아웃")).to_be_hidden()


def test_an_alert_stands_before_all_else_and_its_opening_is_logged(room: Classroom) -> None:
    words = "나는 죽고 싶어"
    child = {"Authorization": f"Bearer {room.token('student', room.haneul)}"}
    said = {"message": words, "thread_id": f"t-{room.haneul}"}
    assert room.service.client.post("/api/v1/chat", json=said, headers=child).is_success
    page = room.page
    page.goto(f"/adult/student/{room.doyun}")
    alert = page.get_by_role("region", name="먼저 봐 주세요")
    expect(alert).to_contain_text("하늘")
    assert words not in page.content()
    alert.get_by_role("button", name="말을 열어 보기").click()
    expect(alert).to_contain_text(words)
    expect(alert).to_contain_text("선생님이 열어 보았어요.")
    assert faults(page) == []
    for name in ("살폈어요", "걱정할 일이 아니에요"):
        expect(alert.get_by_role("button", name=name)).to_be_disabled()
    alert.get_by_label("무엇을 했는지").fill("어머니와 이야기했어요")
    alert.get_by_role("button", name="살폈어요").click()
    expect(alert).to_have_count(0)
    reviews = room.get("/reviews?kind=safety&status=decided")["reviews"]
    (review,) = [one for one in reviews if one["student_id"] == room.haneul]
    assert review["decision"]["note"] == "어머니와 이야기했어요"
    assert [one["role"] for one in review["alert"]["openings"]] == ["teacher"]


def test_an_authors_first_page_says_what_there_is_to_do(room: Classroom) -> None:
    page = room.page
    sign_in(page, room.token("author"))
    page.get_by_role("heading", name="무엇을 할까요?").wait_for()
    assert faults(page) == []
    page.get_by_role("navigation").get_by_role("link", name="흐름 쓰기").click()
    page.wait_for_url("**/author")
