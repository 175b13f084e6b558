"""The page in a real browser: how much it loads, how soon a problem and words are seen; thirty tablets at once."""

import asyncio
import random
import statistics
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any, Final

import httpx
from playwright.sync_api import Browser, Page, Request, sync_playwright

from benchmarks.child import Child, Json
from benchmarks.report import Section, at_most, percentile, table
from benchmarks.servers import TOKEN, Running, service, stores
from maththera.api.page import DIST
from maththera.arithmetic.problem_bank import Bank
from maththera.settings import home
from tests.support.programs import chromium_program
from tests.web.blocked import answer_while_blocked
from tests.web.robot import BEGIN, Robot

SLOWED: Final = 4
LOADS: Final = 5
ANSWERS: Final = 50
TABLETS: Final = 30
THINK_SECONDS: Final = (2.0, 6.0)
"""Between the words of one answer and the next answer, as fast as children of a class may be."""
CLASS_SECONDS: Final = 60.0


def measure() -> Section:
    """With the stores of the embedded service, as a school starts with."""
    with stores("embedded") as environment, service(environment) as running:
        with _browser() as browser:
            pages = _Pages(browser, running)
            shown = [_first_problem_ms(pages) for _ in range(LOADS)]
            words, errors = _answers(pages)
        turns = asyncio.run(_class_at_once(running))
    own = f"http://127.0.0.1:{running.port}/"
    foreign = [one for one in pages.asked if not one.startswith((own, "data:", "blob:"))]
    kilobytes = _entry_kilobytes()
    targets = [
        at_most("first script of a child, gzip", kilobytes, 40, " kB"),
        at_most(f"first problem visible, CPU {SLOWED} × slower, median", statistics.median(shown), 1500, " ms", 0),
        at_most("answer → words, median", statistics.median(words), 100, " ms", 0),
        at_most("response time: error with a blocked thread, median", statistics.median(errors), 20, " ms"),
        at_most("response time: error with a blocked thread, p95", percentile(errors, 95), 20, " ms"),
        at_most(f"{TABLETS} tablets at once: a turn, p95", percentile(turns, 95), 150, " ms", 0),
        at_most("requests to other origins", len(foreign), 0, "", 0),
        at_most("reports of the content security policy", len(pages.reports), 0, "", 0),
    ]
    head = ("milliseconds", "times", "median", "p95", "most")
    measured = (("first problem visible", shown), ("answer → words", words), ("error", errors), ("turn", turns))
    rows: list[list[str | int | float | None]] = [
        [what, len(one), statistics.median(one), percentile(one, 95), max(one)] for what, one in measured
    ]
    return Section("The page", _TEXT, targets, [table(head, rows)])


@contextmanager
def _browser() -> Iterator[Browser]:
    with sync_playwright() as playwright:
        browser = playwright.chromium.launch(executable_path=chromium_program(), args=["--no-sandbox"])
        try:
            yield browser
        finally:
            browser.close()


def _entry_kilobytes() -> float:
    shell = (DIST / "index.html").read_text("utf-8")
    scripts = [one for one in (DIST / "assets").glob("*.js.gz") if one.name.removesuffix(".gz") in shell]
    return sum(one.stat().st_size for one in scripts) / 1000


def _client(running: Running) -> httpx.Client:
    headers = {"Authorization": f"Bearer {TOKEN}"}
    return httpx.Client(base_url=f"http://127.0.0.1:{running.port}/api/v1", headers=headers, timeout=60)


@dataclass
class _Pages:
    """Opens a signed-in page for a new child. `asked`: all addresses that the pages asked for; `reports`: what their
    content security policy has blocked."""

    browser: Browser
    running: Running
    asked: list[str] = field(default_factory=list)
    reports: list[str] = field(default_factory=list)

    def open(self, **start: Any) -> Page:
        """At home. `start`: of the session that goes on when the child begins."""
        with _client(self.running) as client:
            class_id = client.post("/classes", json={"name": "반"}).json()["class_id"]
            code = client.post(f"/classes/{class_id}/device-codes").json()["enrol_code"]
            member = {"nickname": "하늘", "pictures": None}
            child = client.post(f"/classes/{class_id}/members", json=member).json()
            client.post("/sessions", json={"student_id": child["student_id"], "seed": 7, **start}).raise_for_status()
        page = self.browser.new_context(base_url=f"http://127.0.0.1:{self.running.port}").new_page()
        page.on("request", lambda sent: self.asked.append(sent.url))
        page.on("console", lambda said: self.reports.append(said.text) if "security policy" in said.text else None)
        page.goto("/")
        page.get_by_label("선생님이 보여 준 코드").fill(code)
        page.get_by_role("button", name="등록하기").click()
        page.get_by_role("button", name="하늘", exact=True).click()
        page.get_by_role("button", name=BEGIN).wait_for()
        return page


def _first_problem_ms(pages: _Pages) -> float:
    """From the address to the problem, with nothing in the cache."""
    page = pages.open(first_problem="3+2", c_position=2)
    session = page.context.new_cdp_session(page)
    session.send("Network.enable")
    session.send("Network.setCacheDisabled", {"cacheDisabled": True})
    session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
    page.goto("/play", wait_until="commit")
    page.locator(".problem.shown").wait_for()
    seen = float(page.evaluate("performance.now()"))
    page.context.close()
    return seen


def _answers(pages: _Pages) -> tuple[list[float], list[float]]:
    """-> milliseconds from the last key of an answer to its words; and by how much the response times are wrong that
    the page sends, where its thread is blocked as that key goes down."""
    page = pages.open(first_problem="3+2", c_position=2, problem_count=100)
    keys, robot = page.context.new_cdp_session(page), Robot(page, keys=True)
    sent: list[Json] = []

    def keep(one: Request) -> None:
        if one.url.endswith("/events") and one.post_data_json is not None:
            sent.append(one.post_data_json)

    page.on("request", keep)
    robot.start()
    words: list[float] = []
    errors: list[float] = []
    while len(errors) < ANSWERS:
        if robot.look() != "problem":
            robot.leave() if page.locator(".training").count() else robot.next()
        elif len(words) == len(errors):
            page.evaluate(_UNTIL_WORDS)
            robot.answer(robot.right())
            words.append(float(page.evaluate("words")))
        else:
            pressed = answer_while_blocked(robot, keys)
            page.locator(".words").wait_for()
            errors.append(abs(sent[-1]["rt_ms"] - sent[-1]["telemetry"]["first_input_ms"] - pressed))
    page.context.close()
    return words, errors


_UNTIL_WORDS: Final = """() => {
    globalThis.words = new Promise((seen) => addEventListener("keydown", ({ key, timeStamp }) => {
        if (key !== "Enter") return;
        const look = () => document.querySelector(".words") ? seen(performance.now() - timeStamp)
            : requestAnimationFrame(look);
        look();
    }));
}"""
"""Counts from the key that ends an answer to the frame in which its words stand."""


async def _class_at_once(running: Running) -> list[float]:
    """Milliseconds of each turn."""
    bank = Bank.load(home() / "configs" / "arithmetic" / "problem_bank.csv")
    headers, limits = {"Authorization": f"Bearer {TOKEN}"}, httpx.Limits(max_connections=TABLETS)
    address = f"http://127.0.0.1:{running.port}/api/v1"
    async with httpx.AsyncClient(base_url=address, headers=headers, limits=limits, timeout=60) as client:
        played = await asyncio.gather(*(_tablet(client, Child(bank, seed), seed) for seed in range(TABLETS)))
    return [one for turns in played for one in turns]


async def _tablet(client: httpx.AsyncClient, child: Child, seed: int) -> list[float]:
    chance, until, turns = random.Random(seed), time.perf_counter() + CLASS_SECONDS, list[float]()  # noqa: S311
    await asyncio.sleep(chance.uniform(0, THINK_SECONDS[0]))
    while time.perf_counter() < until:
        wanted = {"student_id": f"tablet-{seed}", "seed": seed, "c_position": 1 + seed % 15}
        view = (await client.post("/sessions", json=wanted)).raise_for_status().json()
        path, task = f"/sessions/{view['session_id']}/events", view["task"]
        while task is not None and time.perf_counter() < until:
            await asyncio.sleep(chance.uniform(*THINK_SECONDS))
            began = time.perf_counter()
            answer = (await client.post(path, json=child.event(task))).raise_for_status()
            turns.append((time.perf_counter() - began) * 1000)
            task = answer.json()["task"]
    return turns


_TEXT: Final = f"""\
Debian's Chromium, without a window, beside the service on the same machine, so that each takes the other's time. First
problem: from the address to the painted problem, nothing cached, the processor slowed down {SLOWED} times. Words: from
the last key of an answer to the frame that shows the words. Error: the difference between the response time that the
page sends and the one that its keys had, where the page's thread is blocked for 300 ms when the last key goes down.
Tablets: {TABLETS} sessions for {CLASS_SECONDS:.0f} s over HTTP, without their browsers; each thinks
{THINK_SECONDS[0]:.0f} to {THINK_SECONDS[1]:.0f} s before an answer."""
