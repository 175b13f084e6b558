"""The author's page: marks and picture while one writes, runs with live steps, questions to people, two authors."""

import re
from collections.abc import Iterator
from statistics import median
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.service import Service
from tests.web.conftest import Tablets, class_of, signed_in
from tests.web.test_looks import faults

pytestmark = pytest.mark.slow

ASKS: Final = """flow:
  name: 묻는_흐름
  description: "묻고 나서 셈한다"
  version: "1.0"
  inputs:
    - {name: count, type: int}
  steps:
    - id: ask
      name: 물어보기
      action: approve
      question: "$inputs.count 번 할까요?"
    - id: double
      name: 두 배
      condition: $ask_result.approved
      action: python
      code: |
        return {"n": $inputs.count * 2}
  outputs: {n: $double_result.n ?? 0}
"""
FAILS: Final = """flow:
  name: 못하는_흐름
  version: "1.0"
  inputs:
    - {name: by, type: int}
  steps:
    - id: before
      name: 먼저
      action: python
      code: |
        return {"n": 1}
    - id: divide
      name: 나누기
      action: python
      code: |
        return {"n": $before_result.n // $inputs.by}
  outputs: {n: $divide_result.n}
"""


@pytest.fixture(scope="module")
def running(own_service: Service) -> Service:
    """All alerts of a service stand above what its operator writes."""
    return own_service


@pytest.fixture
def desks(browser: Browser, running: Service) -> Iterator[Tablets]:
    with class_of(browser, running) as opened:
        yield opened


def saved(desks: Tablets, name: str, text: str) -> None:
    """The flow as this test needs it, whatever was saved before."""
    client = desks.service.client
    before = client.get(f"/api/v1/flows/{name}")
    body = {"text": text} | ({"hash": before.json()["hash"]} if before.status_code == 200 else {})
    client.put(f"/api/v1/flows/{name}", json=body).raise_for_status()


def author(desks: Tablets, name: str = "", **looks: Any) -> Page:
    """Signed in, at a flow."""
    page = desks.open(**({"width": 1440, "height": 900} | looks))
    page.on("dialog", lambda dialog: dialog.accept())
    signed_in(page, "sessions", token=desks.service.client.headers["authorization"].split()[1])
    page.goto(f"/author/{name}" if name else "/author")
    page.get_by_label("새 흐름의 이름").wait_for()
    if name:
        expect(page.get_by_role("region", name="고칠 곳")).to_contain_text("곳이 없어요")
    return page


def put(page: Page, text: str) -> None:
    """The whole text, as if it were pasted."""
    page.locator(".cm-content").click()
    page.keyboard.press("Control+a")
    page.keyboard.insert_text(text)


def test_a_slip_is_marked_explained_and_mended(desks: Tablets) -> None:
    saved(desks, "묻는_흐름", ASKS)
    page = author(desks, "묻는_흐름")
    put(page, ASKS.replace("$ask_result.approved", "$ask_result.aproved"))
    marks = page.get_by_role("region", name="고칠 곳")
    expect(marks.get_by_role("listitem")).to_contain_text("'aproved'라는 칸이 없어요. 혹시 'approved'인가요?")
    expect(page.locator(".cm-lintRange-error")).to_have_text("aproved")
    page.get_by_role("button", name="English").click()
    mended = page.get_by_role("region", name="To mend").get_by_role("listitem")
    expect(mended).to_contain_text("has no field 'aproved'; did you mean 'approved'?")
    page.locator(".cm-lintRange-error").hover()
    expect(page.locator(".cm-tooltip-lint")).to_contain_text("did you mean")
    page.get_by_role("button", name="한국어").click()
    page.locator(".cm-lintRange-error").hover()
    expect(page.locator(".cm-tooltip-lint")).to_contain_text("혹시 'approved'인가요?")
    marks.get_by_role("button").first.click()
    expect(page.locator(".cm-selectionBackground").first).to_be_attached()
    selected = page.locator(".cm-content").evaluate("(one) => one.getRootNode().getSelection().toString()")
    assert selected == "aproved"
    marks.get_by_role("button", name="고치기: approved").click()
    expect(marks).to_contain_text("고칠 곳이 없어요.")


@pytest.mark.parametrize(("role", "alerts"), [("teacher", 1), ("author", 0)])
def test_an_alert_stands_before_the_flows_for_those_who_may_see_it(desks: Tablets, role: str, alerts: int) -> None:
    client = desks.service.client
    made = client.post("/api/v1/classes", json={"name": "반"}).json()["class_id"]
    student = client.post(f"/api/v1/classes/{made}/members", json={"nickname": "하늘"}).json()["student_id"]
    tokens = [
        client.post("/api/v1/tokens", json={"role": one, "subject": [] if one == "author" else [student]}).json()
        for one in (role, "student")
    ]
    own, child = [{"Authorization": f"Bearer {one['token']}"} for one in tokens]
    said = {"message": "나는 죽고 싶어", "thread_id": f"t-{student}"}
    client.post("/api/v1/chat", json=said, headers=child).raise_for_status()
    page = desks.open(width=1440, height=900)
    page.goto("/author")
    page.get_by_label("토큰").fill(own["Authorization"].split()[1])
    page.get_by_role("button", name="들어가기").click()
    page.get_by_role("heading", name="흐름 쓰기").wait_for()
    page.wait_for_load_state("networkidle")
    expect(page.get_by_role("region", name="먼저 봐 주세요")).to_have_count(alerts)
    if alerts:
        page.get_by_role("button", name="말을 열어 보기").click()
        expect(page.get_by_role("region", name="먼저 봐 주세요")).to_contain_text("나는 죽고 싶어")
        assert faults(page) == []


def as_role(desks: Tablets, role: str, *students: str, **looks: Any) -> Page:
    """Signed in, at the flows."""
    body = {"role": role, "subject": students, "label": role}
    token = desks.service.client.post("/api/v1/tokens", json=body).json()["token"]
    page = desks.open(**({"width": 1440, "height": 900} | looks))
    signed_in(page, "sessions", token=token)
    page.goto("/author")
    page.get_by_role("navigation", name="흐름").wait_for()
    return page


def test_a_teacher_is_offered_what_a_teacher_may_do(desks: Tablets) -> None:
    page = as_role(desks, "teacher", "s1")
    refused = list[str]()
    page.on("response", lambda answer: refused.append(answer.url) if answer.status == 403 else None)
    page.get_by_role("button", name="유창성_훈련_계획 1.1").click()
    tabs = page.get_by_role("tab")
    expect(tabs).to_have_text(["그림", "계획", "실행", "지난 글"])
    for tab in tabs.all():
        tab.click()
        page.wait_for_load_state("networkidle")
    assert refused == []
    expect(page.get_by_role("alert")).to_have_count(0)


def test_an_author_runs_a_flow_with_a_sample_child(desks: Tablets) -> None:
    page = as_role(desks, "author")
    page.get_by_role("button", name="진단_리포트_생성 1.1").click()
    page.get_by_role("tab", name="실행").click()
    panel = page.get_by_role("tabpanel")
    expect(panel).to_contain_text("아이의 기록은 읽지도 바꾸지도 않아요.")
    page.get_by_label("아이", exact=True).select_option("예시 학생 (실제 아이가 아니에요)")
    page.get_by_role("button", name="실행하기").click()
    expect(panel.get_by_role("status")).to_contain_text("끝났어요")
    expect(panel.locator(".state.done")).to_have_count(4)


def test_a_teacher_picks_the_children_of_a_run(desks: Tablets) -> None:
    client = desks.service.client
    made = client.post("/api/v1/classes", json={"name": "반"}).json()["class_id"]
    ids = [
        client.post(f"/api/v1/classes/{made}/members", json={"nickname": name}).json()["student_id"]
        for name in ("노을", "바다")
    ]
    page = as_role(desks, "teacher", *ids)
    for name, flow in (("진단_리포트_생성 1.1", "진단_리포트_생성"), ("학급_리포트 1.0", "학급_리포트")):
        page.get_by_role("button", name=name).click()
        page.get_by_role("tab", name="실행").click()
        if flow == "학급_리포트":
            page.get_by_role("group", name="아이들").get_by_label("바다").check()
        else:
            page.get_by_label("아이", exact=True).select_option("바다")
        with page.expect_request(re.compile("/run$")) as sent:
            page.get_by_role("button", name="실행하기").click()
        asked: Any = sent.value.post_data_json
        assert asked["inputs"] in ({"student_id": ids[1]}, {"student_ids": [ids[1]]})
        expect(page.get_by_role("tabpanel").get_by_role("status")).to_contain_text("끝났어요")


def test_the_page_is_as_the_author_wants_it_and_leads_back(desks: Tablets) -> None:
    page = as_role(desks, "author")
    page.get_by_role("link", name="← 처음으로").click()
    page.wait_for_url("**/adult")
    with page.expect_response("**/me/prefs"):
        page.get_by_role("combobox", name="화면").select_option("dark")
    page.get_by_role("navigation").get_by_role("link", name="흐름 쓰기").click()
    page.get_by_role("link", name="← 처음으로").wait_for()
    expect(page.locator("html")).to_have_attribute("data-theme", "dark")
    home = page.get_by_role("link", name="← 처음으로")
    assert home.evaluate("(one) => getComputedStyle(one).color") == "rgb(143, 193, 245)"


def test_completion_and_explanation_come_from_the_tools_and_the_language(desks: Tablets) -> None:
    saved(desks, "묻는_흐름", ASKS)
    page = author(desks, "묻는_흐름")
    put(
        page,
        ASKS.partition("    - id: ask")[0]
        + "    - id: first\n      mcp_call:\n        server: logic-engine-mcp\n        tool: ",
    )
    page.keyboard.type("find")
    options = page.locator(".cm-tooltip-autocomplete li")
    expect(options.first).to_contain_text("find_concept_gap")
    page.wait_for_timeout(200)  # a key that comes with the choices is not meant for them
    page.keyboard.press("Enter")
    expect(page.locator(".cm-content")).to_contain_text("tool: find_concept_gap")
    page.get_by_text("find_concept_gap").last.hover()
    expect(page.locator(".cm-about")).to_contain_text("logic-engine-mcp")


def test_a_run_tells_its_steps_and_asks_a_person(desks: Tablets) -> None:
    saved(desks, "묻는_흐름", ASKS)
    page = author(desks, "묻는_흐름")
    page.get_by_role("tab", name="실행").click()
    page.get_by_label("count").fill("3")
    page.get_by_role("button", name="실행하기").click()
    question = page.get_by_role("region", name="사람에게 묻는 것")
    expect(question).to_contain_text("3 번 할까요?")
    expect(page.locator('[data-step="ask"] desc')).to_have_text("사람에게 묻기, 답을 기다림")
    question.get_by_label("허락해요").check()
    question.get_by_role("button", name="답하기").click()
    expect(page.get_by_role("status").filter(has_text="끝났어요")).to_be_visible()
    expect(page.locator('[data-step="double"] desc')).to_have_text("계산, 끝남")
    page.locator("summary", has_text="두 배").click()
    expect(page.locator("details", has_text="두 배").locator("pre").last).to_contain_text('"n": 6')


LISTS: Final = """flow:
  name: 목록_흐름
  version: "1.0"
  inputs:
    - {name: scores, type: list}
  steps:
    - id: ask
      action: approve
      question: "$len($inputs.scores)개를 더할까요?"
      form: {type: object, properties: {by: {type: object}}, required: [by]}
  outputs: {n: $ask_result.by}
"""


def test_a_wrong_type_in_a_form_is_told_in_korean_with_its_field(desks: Tablets) -> None:
    saved(desks, "목록_흐름", LISTS)
    page = author(desks, "목록_흐름")
    page.get_by_role("tab", name="계획").click()
    page.get_by_label("scores").fill('{"a": 1}')
    page.get_by_role("button", name="계획 다시 보기").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("scores: 목록이 와야 하는데 객체가 왔어요")
    page.get_by_role("tab", name="실행").click()
    page.get_by_label("scores").fill('{"a": 1}')
    page.get_by_role("button", name="실행하기").click()
    told = page.get_by_role("alert")
    expect(told).to_contain_text("scores: 목록이 와야 하는데 객체가 왔어요.")
    expect(told).not_to_contain_text("needs")
    page.get_by_label("scores").fill("[1, 2]")
    page.get_by_role("button", name="실행하기").click()
    question = page.get_by_role("region", name="사람에게 묻는 것")
    question.get_by_label("by").fill("[3]")
    question.get_by_role("button", name="답하기").click()
    expect(told).to_contain_text("ask: by: 객체가 와야 하는데 목록이 왔어요.")


def test_a_failed_run_goes_on_from_a_step(desks: Tablets) -> None:
    saved(desks, "못하는_흐름", FAILS)
    page = author(desks, "못하는_흐름")
    page.get_by_role("tab", name="실행").click()
    page.get_by_label("by").fill("0")
    page.get_by_role("button", name="실행하기").click()
    expect(page.get_by_role("status").filter(has_text="실패했어요")).to_be_visible()
    failed = page.locator("details", has_text="나누기")
    failed.get_by_role("button", name="여기부터 다시 하기").click()
    expect(failed.get_by_role("button", name="건너뛰고 이어 하기")).to_be_enabled()
    expect(page.get_by_role("status").filter(has_text="실패했어요")).to_be_visible()
    failed.get_by_role("button", name="건너뛰고 이어 하기").click()
    expect(page.get_by_role("status").filter(has_text="끝났어요")).to_be_visible()


def test_a_step_is_taken_for_done_with_the_value_that_it_gave(desks: Tablets) -> None:
    saved(desks, "못하는_흐름", FAILS)
    page = author(desks, "못하는_흐름")
    page.get_by_role("tab", name="실행").click()
    page.get_by_label("by").fill("0")
    page.get_by_role("button", name="실행하기").click()
    failed = page.locator("li > details", has_text="나누기")
    failed.get_by_text("이미 된 일이에요").click()
    value = failed.get_by_label("이 단계가 낸 값")
    value.fill("n: 7")
    failed.get_by_role("button", name="된 것으로 하고 이어 하기").click()
    expect(failed.get_by_role("alert")).to_contain_text("JSON으로 적어 주세요")
    value.fill('{"n": 7}')
    assert faults(page) == []
    failed.get_by_role("button", name="된 것으로 하고 이어 하기").click()
    expect(page.get_by_role("status").filter(has_text="끝났어요")).to_be_visible()
    expect(page.locator("pre").last).to_contain_text('"n": 7')


def test_two_authors_who_save_at_once_see_what_each_did(desks: Tablets) -> None:
    saved(desks, "묻는_흐름", ASKS)
    one, other = author(desks, "묻는_흐름"), author(desks, "묻는_흐름")
    first = ASKS.replace("물어보기", "먼저 묻기").replace("두 배", "곱절")
    put(one, first)
    one.get_by_role("button", name=re.compile("^저장")).click()
    expect(one.get_by_role("status").filter(has_text="저장했어요.")).to_be_visible()
    put(other, ASKS.replace("물어보기", "꼭 묻기").replace("* 2", "+ $inputs.count"))
    other.get_by_role("button", name=re.compile("^저장")).click()
    clash = other.get_by_role("region", name="다른 사람이 먼저 저장했어요")
    expect(clash).to_contain_text("1군데")
    expect(clash.get_by_role("button", name="합친 글로 이어 쓰기")).to_be_disabled()
    clash.get_by_role("button", name="저장된 것").click()
    clash.get_by_role("button", name="합친 글로 이어 쓰기").click()
    other.get_by_role("button", name=re.compile("^저장")).click()
    expect(other.get_by_role("status").filter(has_text="저장했어요.")).to_be_visible()
    now = desks.service.client.get("/api/v1/flows/묻는_흐름").json()["text"]
    assert now == first.replace("* 2", "+ $inputs.count")


def test_an_unsaved_text_is_planned_and_tested_with_a_sample_learner(desks: Tablets) -> None:
    saved(desks, "묻는_흐름", ASKS)
    page = author(desks, "묻는_흐름")
    put(page, ASKS.replace("* 2", "* 3"))
    page.get_by_role("tab", name="계획").click()
    page.get_by_label("count").fill("4")
    page.get_by_role("button", name="계획 다시 보기").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("4 번 할까요?")
    page.get_by_role("tab", name="시험").click()
    page.get_by_role("button", name="예시 학생으로 시험 만들기").click()
    expect(page.get_by_label("시험의 글")).to_have_value(re.compile("예시 학생"))
    page.get_by_role("button", name="시험하기").click()
    expect(page.get_by_role("tabpanel")).to_contain_text("모두 통과했어요.")
    assert desks.service.client.get("/api/v1/flows/묻는_흐름").json()["text"] == ASKS


def long_flow(steps: int) -> str:
    rows = ["flow:", "  name: 긴_흐름", "  inputs: [{name: count, type: int}]", "  steps:"]
    for number in range(steps):
        rows += [
            f"    - id: s{number}",
            f"      name: {number}번째",
            "      action: python",
            "      code: \"return {'n': $inputs.count}\"",
            *([f"      depends_on: [s{number - 1}]"] if number % 5 else []),
        ]
    return "\n".join([*rows, "  outputs: {n: $s0_result.n}", ""])


TIMED: Final = """
async (steps) => {
  const title = () => document.querySelector('.picture [data-step="s0"] .title')?.textContent;
  const before = title();
  const began = performance.now();
  document.execCommand("insertText", false, "가");
  while (title() === before) await new Promise(requestAnimationFrame);
  return performance.now() - began;
}
"""


def keystrokes_ms(page: Page, steps: int, times: int) -> list[float]:
    """From a keystroke in a flow of so many steps to the picture that shows it; the page is an author's."""
    page.get_by_label("새 흐름의 이름").fill("긴_흐름")
    page.get_by_role("button", name="새로 쓰기").click()
    put(page, long_flow(steps))
    page.locator(f'[data-step="s{steps - 1}"]').wait_for()
    page.keyboard.press("Control+Home")
    for _ in range(5):
        page.keyboard.press("ArrowDown")
    page.keyboard.press("End")
    return [page.evaluate(TIMED, steps) for _ in range(times)]


@pytest.mark.parametrize(("steps", "allowed_ms"), [(50, 1_000), (300, 2_000)])
def test_marks_and_picture_follow_a_keystroke(desks: Tablets, steps: int, allowed_ms: int) -> None:
    """The median beside whatever else runs; `python -m benchmarks author` measures it alone, against 200 and 400 ms."""
    assert median(keystrokes_ms(author(desks), steps, 12)) < allowed_ms


def test_a_text_that_is_too_long_is_told_and_kept(desks: Tablets) -> None:
    saved(desks, "묻는_흐름", ASKS)
    page = author(desks, "묻는_흐름")
    put(page, ASKS + "# " + "가" * 60_000)
    expect(page.get_by_role("region", name="고칠 곳")).to_contain_text("60,000자까지")
    expect(page.get_by_role("button", name=re.compile("^저장"))).to_be_disabled()


def test_an_earlier_text_comes_back(desks: Tablets) -> None:
    saved(desks, "묻는_흐름", ASKS)
    saved(desks, "묻는_흐름", ASKS.replace("두 배", "곱절"))
    page = author(desks, "묻는_흐름")
    page.get_by_role("tab", name="지난 글").click()
    page.get_by_role("tabpanel").get_by_role("button").nth(1).click()
    expect(page.locator(".changes")).to_contain_text("곱절")
    page.get_by_role("button", name="이 글을 편집기로 가져오기").click()
    expect(page.locator(".cm-content")).to_contain_text("두 배")


def test_a_tab_that_was_signed_out_keeps_its_text(desks: Tablets) -> None:
    saved(desks, "묻는_흐름", ASKS)
    page = author(desks, "묻는_흐름")
    page.context.clear_cookies()
    changed = ASKS.replace("* 2", "* 5")
    put(page, changed)
    page.get_by_role("button", name=re.compile("^저장")).click()
    expect(page.get_by_role("alert")).to_contain_text("쓰던 글은 이 화면에 그대로 있어요.")
    page.get_by_label("토큰").fill(desks.service.client.headers["authorization"].split()[1])
    page.get_by_role("button", name="들어가기").click()
    page.get_by_role("button", name=re.compile("^저장")).click()
    expect(page.get_by_role("status").filter(has_text="저장했어요.")).to_be_visible()
    assert desks.service.client.get("/api/v1/flows/묻는_흐름").json()["text"] == changed


def test_variants_stand_side_by_side(desks: Tablets) -> None:
    page = author(desks, "유창성_훈련_계획_1.1")
    page.get_by_role("tab", name="견주기").click()
    expect(page.get_by_role("tabpanel").get_by_role("row")).to_have_count(3)


def test_only_those_who_run_flows_see_them(desks: Tablets) -> None:
    page = desks.open()
    answer = page.goto("/author/묻는_흐름")
    assert answer is not None
    assert answer.status == 200
    expect(page.get_by_role("heading", name="흐름 작성자 로그인")).to_be_visible()
    assert "물어보기" not in page.content()


def test_every_part_can_be_used_by_everyone(desks: Tablets) -> None:
    saved(desks, "묻는_흐름", ASKS)
    page = desks.open(width=1440, height=900)
    page.goto("/author")
    page.get_by_label("토큰").wait_for()
    assert faults(page) == []
    page = author(desks, "묻는_흐름")
    for name in ("그림", "계획", "시험", "실행", "지난 글", "견주기"):
        page.get_by_role("tab", name=name).click()
        page.wait_for_timeout(150)
        assert faults(page) == [], name
    page.get_by_role("tab", name="실행").click()
    page.get_by_label("count").fill("3")
    page.get_by_role("button", name="실행하기").click()
    page.get_by_role("region", name="사람에게 묻는 것").wait_for()
    assert faults(page) == []
    put(page, ASKS.replace("approved", "aproved"))
    page.get_by_role("region", name="고칠 곳").get_by_role("listitem").first.wait_for()
    assert faults(page) == []
