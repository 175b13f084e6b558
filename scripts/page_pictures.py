"""Makes the pictures of docs/page.md: a class that is started, a child that plays, and what adults see, in a real
browser.

Run `.venv/bin/python -m scripts.page_pictures` after `scripts/web`. With a folder, such as `var/gallery`, it puts a
gallery there instead, to look at: every screen in both themes and at three widths.
"""

import io
import sys
import tempfile
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from PIL import Image
from playwright.sync_api import Page, sync_playwright

from tests.support.programs import chromium_program
from tests.support.service import service
from tests.web.conftest import Tablets, class_of
from tests.web.robot import Robot, begun, student_of
from tests.web.scenes import SCENES, show

PICTURES: Final = Path(__file__).parent.parent / "docs" / "pictures"
WIDTH: Final = 800
SIZES: Final = ((360, 640), (768, 1024), (1024, 768))
_CHILDREN: Final = ("하늘", "도윤", "서아", "지우")


@dataclass(frozen=True, slots=True)
class Camera:
    """Keeps what a page shows: for the guide, or in the folder of a gallery."""

    gallery: Path | None

    def keep(self, page: Page, name: str, width: int = WIDTH) -> None:
        """The window as a small picture."""
        page.wait_for_timeout(300)  # what moves has come to rest
        if self.gallery is not None:
            self.look(page, name)
            return
        shot = Image.open(io.BytesIO(page.screenshot())).convert("RGB")
        shot.resize((width, shot.height * width // shot.width), Image.Resampling.LANCZOS).save(
            PICTURES / f"{name}.webp", quality=80, method=6
        )

    def look(self, page: Page, name: str) -> None:
        """The whole page in every way, for the gallery alone."""
        if self.gallery is None:
            return
        for theme in ("light", "dark"):
            page.emulate_media(color_scheme="dark" if theme == "dark" else "light")
            for width, height in SIZES:  # the last one is the usual window
                page.set_viewport_size({"width": width, "height": height})
                page.wait_for_timeout(200)
                page.screenshot(path=self.gallery / f"{name}-{theme}-{width}.png", full_page=True)
        page.emulate_media(color_scheme="light")


def teacher(camera: Camera, tablets: Tablets) -> tuple[Page, str]:
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
        page.get_by_role("cell", name=nickname, exact=True).wait_for()
    page.get_by_role("button", name="태블릿 코드 만들기").click()
    page.locator(".code").wait_for()
    page.get_by_role("heading", name="아이들", exact=True).evaluate("(one) => one.scrollIntoView()")
    camera.keep(page, "class")
    return page, page.locator(".code").inner_text()


def sign_in(camera: Camera, tablets: Tablets, code: str) -> None:
    tablet = tablets.open()
    tablet.goto("/")
    tablet.get_by_label("선생님이 보여 준 코드").fill(code)
    camera.keep(tablet, "code")
    tablet.get_by_role("button", name="등록하기").click()
    tablet.get_by_text("누구야?").wait_for()
    camera.keep(tablet, "tiles")
    tablet.get_by_role("button", name=_CHILDREN[0]).click()
    tablet.get_by_text("네 그림 두 개!").wait_for()
    camera.keep(tablet, "lock")


def session(camera: Camera, tablets: Tablets) -> str:
    """Plays one. -> the child's id"""
    page = tablets.child()
    camera.keep(page, "home")
    begun(tablets.service, page, first_problem="28+15", c_position=8)
    page.clock.install()
    robot = Robot(page, thinks=2_000)
    robot.start()
    camera.keep(page, "problem")
    robot.press("그림")
    page.locator(".picture").wait_for()
    camera.keep(page, "picture")
    robot.answer(43)
    page.locator(".words").wait_for()
    camera.keep(page, "words")
    robot.next()
    robot.play(wrong=frozenset({4}))
    page.goto("/path")
    page.locator(".path li").first.wait_for()
    camera.keep(page, "path")
    return student_of(page)


def columns(camera: Camera, tablets: Tablets) -> None:
    page = tablets.child()
    begun(tablets.service, page, first_problem="1+10", c_position=5)
    robot = Robot(page)
    robot.start()
    robot.answer(1)
    while robot.look() != "problem":
        robot.next()
    camera.keep(page, "columns")


def learner(camera: Camera, tablets: Tablets, page: Page, student_id: str) -> None:
    """What the teacher sees of a child that has played, and what its guardian sees."""
    client = tablets.service.client
    page.goto(f"/adult/student/{student_id}")
    page.get_by_role("heading", name="지금 할 수 있는 것").wait_for()
    page.get_by_role("table").first.wait_for()
    camera.keep(page, "learner")
    newest = page.get_by_role("heading", name="지난 답", exact=True)
    newest.evaluate("(one) => one.scrollIntoView()")
    camera.keep(page, "answers")
    session = client.get(f"/api/v1/students/{student_id}/sessions").json()["sessions"][0]["session_id"]
    page.goto(f"/adult/session/{session}")
    page.locator(".screen .stage").wait_for()
    for _ in range(5):  # to an answer that was wrong
        page.keyboard.press("ArrowRight")
    camera.keep(page, "replay")
    token = client.post("/api/v1/tokens", json={"role": "guardian", "subject": [student_id], "label": "보호자"}).json()
    phone = tablets.open(width=360, height=640, touch=True)
    phone.goto("/adult")
    phone.get_by_label("토큰").fill(token["token"])
    phone.get_by_role("button", name="들어가기").click()
    phone.get_by_role("heading", name="이제 할 수 있어요").wait_for()
    camera.keep(phone, "guardian", width=360)


def adults(camera: Camera, page: Page) -> None:
    """The pages beside the class; the page is an admin's."""
    page.goto("/adult/chat")
    page.get_by_label("물어볼 것").fill("받아올림이 뭐야?")
    page.keyboard.press("Enter")
    page.locator(".said[aria-busy=false] article:not(.mine)").wait_for()
    camera.keep(page, "chat")
    page.goto("/adult/operator")
    page.get_by_role("heading", name="토큰과 태블릿").wait_for()
    camera.keep(page, "operator")
    page.goto("/author/진단_리포트_생성")
    page.locator(".picture svg").wait_for()
    page.wait_for_load_state("networkidle")
    camera.keep(page, "author")


def others(camera: Camera, tablets: Tablets, page: Page, student_id: str) -> None:
    """What only the gallery shows: the remaining pages, and those that can be in English."""
    for name in ("계획", "시험", "실행", "지난 글", "견주기"):
        page.get_by_role("tab", name=name).click()
        page.wait_for_load_state("networkidle")
        camera.look(page, f"author-{name}")
    classes = tablets.service.client.get("/api/v1/classes").json()["classes"]
    (made,) = [one["class_id"] for one in classes if one["name"] == "2학년 3반"]
    ways = {
        "reviews": ("/adult/reviews", "main > p"),
        "learned": ("/adult/learned", "#versions"),
        "describe": ("/adult/learned/new", "td [type=number]"),
        "sheet": (f"/adult/sheet/{made}/C8.tens", ".solved li"),
    }
    for name, (path, seen) in ways.items():
        page.goto(path)
        page.locator(seen).first.wait_for()
        camera.look(page, name)
    page.get_by_role("button", name="English").click()
    page.get_by_role("button", name="한국어").wait_for()  # kept from now on
    ways |= {
        "class": (f"/adult/class/{made}", "tbody tr"),
        "learner": (f"/adult/student/{student_id}", "tbody tr"),
        "operator": ("/adult/operator", "tbody tr"),
        "author": ("/author/진단_리포트_생성", ".picture svg"),
        "chat": ("/adult/chat", "textarea"),
    }
    for name, (path, seen) in ways.items():
        page.goto(path)
        page.locator(seen).first.wait_for()
        page.wait_for_load_state("networkidle")
        camera.look(page, f"{name}-english")


def small(camera: Camera, tablets: Tablets) -> None:
    """What else a child sees, for the gallery."""
    page = tablets.child()
    page.get_by_role("button", name="바꾸기").click()
    page.locator(".settings").wait_for()
    camera.look(page, "settings")
    page.goto("/talk")
    page.get_by_text("무슨 이야기를 할까?").wait_for()
    camera.look(page, "talk")
    page.locator(".tiles button").first.click()
    page.locator(".said[aria-busy=false] .bubble:last-child:not(.mine)").wait_for()
    camera.look(page, "talk-answered")
    for name in ("steps", "blocks", "line", "rows", "columns_grid", "operation", "example", "white_out"):
        show(page, SCENES[name])
        camera.look(page, f"problem-{name}")


def main(gallery: Path | None) -> None:
    (gallery or PICTURES).mkdir(parents=True, exist_ok=True)
    camera = Camera(gallery)
    with sync_playwright() as playwright, tempfile.TemporaryDirectory() as folder:
        browser = playwright.chromium.launch(executable_path=chromium_program(), args=["--no-sandbox"])
        with service(Path(folder), "") as running, class_of(browser, running) as tablets:
            page, code = teacher(camera, tablets)
            sign_in(camera, tablets, code)
            student_id = session(camera, tablets)
            columns(camera, tablets)
            learner(camera, tablets, page, student_id)
            adults(camera, page)
            if gallery is not None:
                others(camera, tablets, page, student_id)
                small(camera, tablets)
        browser.close()


if __name__ == "__main__":
    main(Path(sys.argv[1]) if sys.argv[1:] else None)
