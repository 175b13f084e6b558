"""Makes the pictures of docs/page.md: a class that is started, and a child that plays, in a real browser.

Run `.venv/bin/python -m scripts.page_pictures` after `scripts/web`.
"""

import io
import tempfile
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.support.programs import chromium_program
from tests.support.service import service
from tests.web.conftest import Tablets, class_of
from tests.web.robot import Robot, begun, student_of

PICTURES: Final = Path(__file__).parent.parent / "docs" / "pictures"
WIDTH: Final = 800
_CHILDREN: Final = ("하늘", "도윤", "서아", "지우")


def keep(page: Page, name: str, width: int = WIDTH) -> None:
    """The window as a small picture."""
    page.wait_for_timeout(300)  # what moves has come to rest
    shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
    shot.resize((width, shot.height * width // shot.width), Image.Resampling.LANCZOS).save(
        PICTURES / f"{name}.webp", quality=80, method=6
    )


def teacher(tablets: Tablets) -> tuple[Page, str]:
    """Starts a class. -> the teacher's page, and the code for its tablets"""
    page = tablets.open()
    page.goto("/adult")
    page.get_by_label("토큰").fill(tablets.service.client.headers["authorization"].split()[1])
    page.get_by_role("button", name="들어가기").click()
    page.get_by_label("반 이름").fill("2학년 3반")
    page.get_by_role("button", name="만들기", exact=True).click()
    page.get_by_role("heading", name="2학년 3반").wait_for()
    for nickname in _CHILDREN:
        page.get_by_label("별명").fill(nickname)
        page.get_by_label("학년", exact=True).select_option("2")
        page.get_by_role("button", name="넣기").click()
        page.get_by_role("cell", name=nickname).wait_for()
    page.get_by_role("button", name="태블릿 코드 만들기").click()
    page.locator(".code").wait_for()
    keep(page, "class")
    return page, page.locator(".code").inner_text()


def sign_in(tablets: Tablets, code: str) -> None:
    tablet = tablets.open()
    tablet.goto("/")
    tablet.get_by_label("선생님이 보여 준 코드").fill(code)
    keep(tablet, "code")
    tablet.get_by_role("button", name="등록하기").click()
    tablet.get_by_text("누구야?").wait_for()
    keep(tablet, "tiles")
    tablet.get_by_role("button", name=_CHILDREN[0]).click()
    tablet.get_by_text("네 그림 두 개!").wait_for()
    keep(tablet, "lock")


def session(tablets: Tablets) -> str:
    """Plays one. -> the child's id"""
    page = tablets.child()
    keep(page, "home")
    begun(tablets.service, page, first_problem="28+15", c_position=8)
    page.clock.install()
    robot = Robot(page, thinks=2_000)
    robot.start()
    keep(page, "problem")
    robot.press("그림")
    page.locator(".picture").wait_for()
    keep(page, "picture")
    robot.answer(43)
    page.locator(".words").wait_for()
    keep(page, "words")
    robot.next()
    robot.play(wrong=frozenset({4}))
    page.goto("/path")
    page.locator(".path li").first.wait_for()
    keep(page, "path")
    return student_of(page)


def columns(tablets: Tablets) -> None:
    page = tablets.child()
    begun(tablets.service, page, first_problem="1+10", c_position=5)
    robot = Robot(page)
    robot.start()
    robot.answer(1)
    while robot.look() != "problem":
        robot.next()
    keep(page, "columns")


def learner(tablets: Tablets, page: Page, student_id: str) -> None:
    """What the teacher sees of a child that has played, and what its guardian sees."""
    client = tablets.service.client
    page.goto(f"/adult/student/{student_id}")
    page.get_by_role("heading", name="지금 할 수 있는 것").wait_for()
    page.get_by_role("table").first.wait_for()
    keep(page, "learner")
    session = client.get(f"/api/v1/students/{student_id}/sessions").json()["sessions"][0]["session_id"]
    page.goto(f"/adult/session/{session}")
    page.locator(".screen .stage").wait_for()
    for _ in range(5):  # to an answer that was wrong
        page.keyboard.press("ArrowRight")
    keep(page, "replay")
    token = client.post("/api/v1/tokens", json={"role": "guardian", "subject": [student_id], "label": "보호자"}).json()
    phone = tablets.open(width=360, height=640, touch=True)
    phone.goto("/adult")
    phone.get_by_label("토큰").fill(token["token"])
    phone.get_by_role("button", name="들어가기").click()
    phone.get_by_role("heading", name="이제 할 수 있어요").wait_for()
    keep(phone, "guardian", width=360)


def main() -> None:
    PICTURES.mkdir(exist_ok=True)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium_program(), args=["--no-sandbox"])
        with service(Path(folder), "") as running, class_of(browser, running) as tablets:
            page, code = teacher(tablets)
            sign_in(tablets, code)
            student_id = session(tablets)
            columns(tablets)
            learner(tablets, page, student_id)
        browser.close()


if __name__ == "__main__":
    main()
