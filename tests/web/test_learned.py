"""Learning from what nobody understood, by two adults on the real page: answers that look alike are called a pattern,
described, tried, approved by somebody else, met in the next session, and switched off again."""

import re
from collections.abc import Iterator
from typing import Any, Final

import pytest
from playwright.sync_api import Browser, Page, expect

from tests.support.service import Service
from tests.web.conftest import Tablets, class_of
from tests.web.test_looks import faults
from tests.web.test_teacher import sign_in, table_of

pytestmark = pytest.mark.slow

CHILDREN: Final = ("하늘", "도윤", "서아")
TITLE: Final = "뺄 수 없는 자리에 9를 쓴다"
TAG: Final = "CONCEPT_L5_BORROW_EXCHANGE"
_SUM: Final = re.compile(r"(\d+)([+−×÷])(\d+)=□")


def nines(prompt: str) -> int | None:
    """What a child answers who writes 9 where it cannot subtract; None for another task."""
    found = _SUM.fullmatch(prompt)
    if found is None:
        return None
    a, sign, b = found.groups()
    if sign != "−":
        return {"+": int(a) + int(b), "×": int(a) * int(b), "÷": int(a) // int(b)}[sign]
    pairs = zip(a, b.rjust(len(a), "0"), strict=True)
    written = "".join("9" if one < other and len(a) > 1 else str(int(one) - int(other)) for one, other in pairs)
    return int(written)


class School:
    """Three children who write 9 where they cannot subtract; a teacher and a colleague, each with a token of their
    own."""

    def __init__(self, running: Service) -> None:
        self.client = running.client
        made = self.post("/classes", {"name": "3학년 2반"})["class_id"]
        self.children = [
            self.post(f"/classes/{made}/members", {"nickname": one, "pictures": None})["student_id"] for one in CHILDREN
        ]

    def post(self, path: str, body: Any) -> Any:
        answer = self.client.post(f"/api/v1{path}", json=body)
        assert answer.is_success, answer.text
        return answer.json()

    def token(self, name: str, role: str = "teacher") -> str:
        subject = self.children if role == "teacher" else []
        return str(self.post("/tokens", {"role": role, "subject": subject, "label": name})["token"])

    def play(self, child: str) -> tuple[str, list[str | None]]:
        """A session, and the causes that were found."""
        body = {"student_id": child, "first_problem": "52-38", "c_position": 10, "problem_count": 8, "seed": 7}
        view = self.post("/sessions", body)
        task, causes = view["task"], []
        for number in range(14):
            if task is None:
                break
            sent: dict[str, Any] = {"request_id": f"r{number}", "type": "stop"}
            given = nines(task["prompt"])
            if task["kind"] != "training" and given is not None and task["answer_format"] == "integer":
                sent |= {"type": "answer_submitted", "task_id": task["task_id"], "answer": given, "rt_ms": 5_000}
            told = self.post(f"/sessions/{view['session_id']}/events", sent)
            causes.append(told["diagnosis"]["cause_tag"])
            task = told["task"]
        return str(view["session_id"]), causes


@pytest.fixture(scope="module")
def running(own_service: Service) -> Service:
    """What its children answer is all that there is to learn from."""
    return own_service


@pytest.fixture
def desks(browser: Browser, running: Service) -> Iterator[Tablets]:
    with class_of(browser, running) as opened:
        yield opened


@pytest.fixture(scope="module")
def school(running: Service) -> School:
    found = School(running)
    for child in found.children:
        _, causes = found.play(child)
        assert TAG not in causes
    return found


def at_learning(desks: Tablets, token: str, **looks: Any) -> Page:
    page = desks.open(**looks)
    sign_in(page, token)
    page.get_by_role("link", name="배우기").click()
    page.get_by_role("heading", name="아이들의 답에서 배우기").wait_for()
    return page


def test_two_adults_teach_the_service_what_nobody_knew(desks: Tablets, school: School) -> None:
    teacher = at_learning(desks, school.token("김 선생님"))
    shown = teacher.locator("section", has=teacher.get_by_role("heading", name="까닭을 모르는 답"))
    card = shown.get_by_role("listitem").filter(has_text="뺄셈").first
    for child in CHILDREN:
        expect(card.get_by_role("cell", name=child).first).to_be_visible()
    assert {row[2] for row in table_of(teacher, "까닭을 모르는 답 표 (CSV)")[1:]} != set()
    assert faults(teacher) == []
    card.get_by_role("button", name="같은 방식이에요").click()
    card.get_by_label("아이가 어떻게 하나요?").fill(TITLE)
    card.get_by_label("원인").select_option(TAG)
    card.get_by_role("button", name="정하고 방식 적기").click()

    described(teacher)
    teacher.get_by_role("button", name="제안하기").click()
    teacher.get_by_text("다른 분이 살펴보고 승인해야 해요").wait_for()
    expect(teacher.get_by_role("button", name="승인하기")).to_be_disabled()
    expect(teacher.locator(".address")).to_have_text(teacher.url)
    again = desks.open()
    sign_in(again, school.token("김  선생님", "author"))
    again.get_by_role("button", name="로그아웃").wait_for()
    again.goto(teacher.url)
    expect(again.get_by_text("제안한 분은 승인할 수 없어요")).to_be_visible()
    approved(desks, school, teacher.url)


def approved(desks: Tablets, school: School, address: str) -> None:
    """A colleague tries what was proposed, approves it, finds what began under it, and switches it off while another
    looks."""
    colleague = at_learning(desks, school.token("박 선생님"))
    colleague.get_by_role("link", name=TITLE).click()
    expect(colleague.get_by_text("먼저 기록된 세션에 해 보세요")).to_be_visible()
    colleague.get_by_role("button", name="기록된 세션에 해 보기").click()
    colleague.get_by_text("기록된 세션에 해 보았어요.").wait_for(timeout=60_000)
    expect(colleague.get_by_text(re.compile("까닭을 모르던 답이에요"))).to_contain_text("아이 3명")
    expect(colleague.get_by_role("row").filter(has_text="모르는 원인")).to_be_visible()
    expect(colleague.get_by_text("잘하는 아이의 세션이 아직 없어서")).to_be_visible()
    assert faults(colleague) == []
    colleague.get_by_role("button", name="승인하기").click()
    colleague.get_by_text("지금부터 시작하는 세션은 1판을 써요").wait_for()

    _, causes = school.play(school.children[0])
    assert TAG in causes
    colleague.get_by_role("link", name="← 배우기").click()
    version = colleague.get_by_role("row").filter(has_text="박 선생님")
    expect(version).to_contain_text(TITLE)
    colleague.get_by_role("button", name="1판의 세션 보기").click()
    expect(colleague.get_by_role("link", name=re.compile(f"{CHILDREN[0]} · "))).to_be_visible()
    assert faults(colleague) == []

    other = at_learning(desks, school.token("최 선생님"))
    other.get_by_role("link", name=TITLE).click()
    other.get_by_role("button", name="끄기", exact=True).wait_for()
    colleague.goto(address)
    colleague.get_by_role("button", name="끄기", exact=True).click()
    colleague.get_by_role("button", name="정말 끄기").click()
    colleague.get_by_text("지금부터 시작하는 세션은 2판을 써요").wait_for()
    other.get_by_role("button", name="끄기", exact=True).click()
    other.get_by_role("button", name="정말 끄기").click()
    expect(other.get_by_role("alert")).to_contain_text("다른 분이 먼저 바꿨어요")
    expect(other.get_by_text("박 선생님 끔")).to_be_visible()
    _, causes = school.play(school.children[1])
    assert TAG not in causes


def described(page: Page) -> None:
    """Writes the way down by keys, with its answers beside it, and tries it on the bank."""
    expect(page.get_by_label("아이가 어떻게 하나요?")).to_have_value(TITLE)
    expect(page.locator("td [type=number]").first).not_to_have_value("")
    answers = page.locator("tbody tr td:last-child")
    expect(answers.first).to_contain_text("답 없음")
    page.get_by_label("그 자리에 적는 숫자").fill("9 if strange < 0 else value")
    expect(page.get_by_role("alert")).to_contain_text("strange라는 이름은 쓸 수 없어요")
    page.get_by_label("그 자리에 적는 숫자").fill("9 if value < 0 else value")
    page.get_by_label("언제 이렇게 하나요").fill("carries > 0 and width > 1")
    page.get_by_label("받아내림", exact=True).focus()
    page.keyboard.press("Space")
    expect(answers.first).to_contain_text("아이와 같아요")
    for place, given in ((1, "답 없음"), (2, "399")):
        expect(answers.nth(place)).to_contain_text(given)
    page.get_by_role("button", name="문제 은행에서 해 보기").click()
    page.get_by_text("지금까지 아무 방식도 설명하지 못했어요").wait_for()
    assert faults(page) == []


def test_an_answer_that_somebody_has_decided_meanwhile(desks: Tablets, school: School) -> None:
    school.play(school.children[2])
    first, second = (at_learning(desks, school.token(name)) for name in ("정 선생님", "한 선생님"))
    for page in (first, second):
        page.get_by_role("button", name="실수예요").first.wait_for()
    first.get_by_role("button", name="실수예요").first.click()
    expect(first.get_by_role("status")).to_contain_text("개를 정했어요")
    second.get_by_role("button", name="실수예요").first.click()
    expect(second.get_by_role("alert")).to_contain_text("다른 분이 먼저 마쳤어요")


def test_an_author_describes_and_sees_no_child(desks: Tablets, school: School) -> None:
    page = desks.open()
    sign_in(page, school.token("흐름 담당", "author"))
    page.get_by_role("link", name="아이들의 답에서 배우기").click()
    page.get_by_role("heading", name="판", exact=True).wait_for()
    page.get_by_role("button", name="방식 새로 적기").click()
    expect(page.get_by_role("heading", name="까닭을 모르는 답")).to_have_count(0)
    page.get_by_role("button", name="예외 (본 답만)").click()
    page.get_by_label("아이가 어떻게 하나요?").fill("7×8을 54로 외웠다")
    page.get_by_label("원인").select_option("EXECUTION_L6_TABLE_NEIGHBOUR")
    page.get_by_label("연산", exact=True).select_option("x")
    for label, number in (("앞의 수", "7"), ("뒤의 수", "8"), ("아이의 답", "56")):
        page.get_by_label(f"1번 {label}").fill(number)
    page.get_by_role("button", name="제안하기").click()
    expect(page.get_by_role("alert")).to_contain_text("7×8의 답이 맞아요")
    page.get_by_label("1번 아이의 답").fill("54")
    assert faults(page) == []
    page.get_by_role("button", name="제안하기").click()
    page.get_by_text("이 답들만 알아봐요").wait_for()
    page.goto("/adult/learned/procedure/99")
    expect(page.get_by_role("alert")).to_contain_text("찾을 수 없어요")
