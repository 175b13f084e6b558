"""A real browser on the real page of a real service."""

import os
import re
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from datetime import UTC, datetime, timedelta
from pathlib import Path
from typing import Final

import psutil
import pytest
from playwright.sync_api import Browser, BrowserContext, ConsoleMessage, Page, Playwright, expect, sync_playwright

from maththera.api.page import DIST
from maththera.settings import home
from tests.support.programs import ProgramMissing, chromium_program
from tests.support.service import PATIENCE_SECONDS, Service, service

expect.set_options(timeout=PATIENCE_SECONDS * 1000)

HERE: Final = Path(__file__).parent
LONGEST_SECONDS: Final = 1_200
SCHOOL: Final = "school.test"
"""A host that leads to this machine and is no secure context, as a service in a school's own network."""
_SUM: Final = re.compile(r"(\d+)([+−×÷])(\d+)=□")
_GAP: Final = re.compile(r"(\d+)([+−×])□=(\d+)")
_TENS: Final = re.compile(r"(\d+)은 10이 □개|(\d+)는 10이 □개")


def pytest_collection_modifyitems(items: list[pytest.Item]) -> None:
    """Some look at a hundred screens, on a machine that others keep busy."""
    for item in items:
        if item.path.parent == HERE:
            item.add_marker(pytest.mark.timeout(LONGEST_SECONDS))


@pytest.fixture(scope="package")
def playwright() -> Iterator[Playwright]:
    """Ended with the folder: while it lives, it runs an event loop, beside which no asynchronous test can."""
    with sync_playwright() as started:
        yield started


@pytest.fixture(scope="package")
def browser(playwright: Playwright, request: pytest.FixtureRequest) -> Iterator[Browser]:
    """Skipped where Node's packages or Chromium cannot be had; a page that cannot be built is a failure."""
    if not (DIST / "index.html").is_file():
        could = request.config.getoption("--require-servers") and (home() / "web" / "node_modules").is_dir()
        (pytest.fail if could else pytest.skip)("the page is not built: scripts/web")
    try:
        program = chromium_program()
    except ProgramMissing as missing:
        pytest.skip(str(missing))
    rules = f"--host-resolver-rules=MAP {SCHOOL} 127.0.0.1"
    started = playwright.chromium.launch(
        executable_path=HERE / "chromium", env={**os.environ, "CHROMIUM": str(program)}, args=["--no-sandbox", rules]
    )
    yield started
    started.close()


@pytest.fixture(scope="package")
def running(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """One for all files of a process. A file that looks at all that its service holds has one of its own."""
    with service(tmp_path_factory.mktemp("service"), "") as found:
        yield found


@pytest.fixture(scope="module")
def own_service(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Service]:
    """The `running` of such a file."""
    with service(tmp_path_factory.mktemp("own"), "") as found:
        yield found


@dataclass
class Tablets:
    """Opens pages as tablets of one class do, and notes whatever a page must never do."""

    browser: Browser
    service: Service
    faults: list[str] = field(default_factory=list)
    contexts: list[BrowserContext] = field(default_factory=list)
    hosts: list[str] = field(default_factory=lambda: ["127.0.0.1", SCHOOL])

    @property
    def address(self) -> str:
        return f"http://127.0.0.1:{self.service.port}"

    def open(
        self, *, width: int = 1024, height: int = 768, dark: bool = False, touch: bool = False, address: str = ""
    ) -> Page:
        context = self.browser.new_context(
            viewport={"width": width, "height": height},
            color_scheme="dark" if dark else "light",
            has_touch=touch,
            locale="ko-KR",
            base_url=address or self.address,
            ignore_https_errors=address.startswith("https:"),  # a test's own authority is in no browser
        )
        context.set_default_timeout(PATIENCE_SECONDS * 1000)
        self.contexts.append(context)
        page = context.new_page()
        hosts = "|".join(map(re.escape, self.hosts))
        own = re.compile(rf"(https?://({hosts}):{self.service.port}/|data:|blob:)")
        page.on("request", lambda sent: self._fault(None if own.match(sent.url) else f"asked {sent.url}"))
        page.on("pageerror", lambda error: self._fault(str(error)))
        page.on("console", lambda said: self._fault(said.text if _is_fault(said) else None))
        return page

    def _fault(self, words: str | None) -> None:
        if words is not None:
            self.faults.append(words)

    def enrolled(self, class_id: str, **looks: bool | int | str) -> Page:
        """A tablet of the class, at the tiles."""
        page = self.open(**looks)  # type: ignore[arg-type]
        code = self.service.client.post(f"/api/v1/classes/{class_id}/device-codes").json()["enrol_code"]
        page.goto("/")
        page.get_by_label("선생님이 보여 준 코드").fill(code)
        page.get_by_role("button", name="등록하기").click()
        page.get_by_text("누구야?").wait_for()
        return page

    def child(self, nickname: str = "하늘", **looks: bool | int | str) -> Page:
        """A new child on a tablet of its own, at home; without a picture lock."""
        client = self.service.client
        made = client.post("/api/v1/classes", json={"name": f"{nickname}네 반"}).json()["class_id"]
        member = {"nickname": nickname, "pictures": None}
        client.post(f"/api/v1/classes/{made}/members", json=member).raise_for_status()
        if SCHOOL in str(looks.get("address")):  # of which the browser alone knows where it leads
            page = self.enrolled(made, **looks)
            page.get_by_role("button", name=nickname).click()
        else:
            page = self.open(**looks)  # type: ignore[arg-type]
            code = client.post(f"/api/v1/classes/{made}/device-codes").json()["enrol_code"]
            signed_in(page, "devices", enrol_code=code)
            (tile,) = page.request.get("/api/v1/auth/tiles").json()["tiles"]
            signed_in(page, "child", tile_id=tile["tile_id"])
            page.goto("/")
        page.get_by_role("button", name="시작하자").wait_for()
        return page


def signed_in(page: Page, way: str, **sent: str) -> None:
    """Gets the page's cookie as the page itself would, without its screens. `way`: of those below `/auth`."""
    asked = page.request.get("/healthz")
    headers = {"Origin": asked.url.removesuffix("/healthz"), "X-Maththera": "1"}
    assert page.request.post(f"/api/v1/auth/{way}", data=sent, headers=headers).ok


def _is_fault(said: ConsoleMessage) -> bool:
    """Whatever the browser or the page reports; but for requests that fail, which tests let happen, and for a header
    that counts on no plain HTTP."""
    passing = ("Failed to load resource:", "The Cross-Origin-Opener-Policy header has been ignored")
    return "maththera:" in said.text or (said.type == "error" and not said.text.startswith(passing))


@contextmanager
def class_of(browser: Browser, running: Service) -> Iterator[Tablets]:
    """Its tablets; whatever a page must never do is a failure at the end."""
    opened = Tablets(browser, running)
    try:
        yield opened
    finally:
        for context in opened.contexts:
            context.close()
    assert opened.faults == []


@pytest.fixture
def tablets(browser: Browser, running: Service) -> Iterator[Tablets]:
    with class_of(browser, running) as opened:
        yield opened


@pytest.fixture
def child(tablets: Tablets) -> Callable[..., Page]:
    """Signs a new child in on a tablet of its own, at home; without a picture lock."""
    return tablets.child


def still(page: Page) -> None:
    """From now on the page's time goes on only where it is moved."""
    page.clock.install()
    page.clock.pause_at(datetime.now(UTC) + timedelta(hours=1))


def own_address() -> str:
    """Of this machine in its network."""
    found = [
        one.address
        for name, addresses in psutil.net_if_addrs().items()
        for one in addresses
        if one.family.name == "AF_INET" and not one.address.startswith("127.") and psutil.net_if_stats()[name].isup
    ]
    if not found:
        pytest.skip("this machine is in no network")
    return found[0]


def answer_of(prompt: str) -> int:
    """To what the page shows."""
    if found := _SUM.fullmatch(prompt):
        a, b = int(found[1]), int(found[3])
        return {"+": a + b, "−": a - b, "×": a * b, "÷": a // b if b else 0}[found[2]]
    if found := _GAP.fullmatch(prompt):
        a, whole = int(found[1]), int(found[3])
        return {"+": whole - a, "−": a - whole, "×": whole // a if a else 0}[found[2]]
    if found := _TENS.fullmatch(prompt):
        return int(found[1] or found[2]) // 10
    raise AssertionError(f"no answer to {prompt}")
