"""The adults' page in a real browser: how soon a class of thirty and a learner with 5,000 turns are seen."""

import asyncio
import sqlite3
import statistics
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

import httpx
from playwright.sync_api import Browser, Page, sync_playwright

from benchmarks.child import Child
from benchmarks.report import Section, at_most, table
from benchmarks.servers import TOKEN, Running, service, stores
from maththera.arithmetic.problem_bank import Bank
from maththera.settings import home
from tests.support.programs import chromium_program

SLOWED: Final = 4
LOADS: Final = 5
CHILDREN: Final = 30
SCHOOL_DAYS: Final = 10
"""On which each child has answered a session of usual length: two weeks."""
LONG_TURNS: Final = 5_000
LONGEST: Final = "long"


def measure() -> Section:
    """With the stores of the embedded service, as a school starts with."""
    with stores("embedded") as environment, service(environment) as running:
        school = asyncio.run(_played(running))
        of_child, turns = _copied(Path(environment["MATHTHERA_DATA_DIR"]) / "maththera.db", school)
        with sync_playwright() as playwright:
            browser = playwright.chromium.launch(executable_path=chromium_program(), args=["--no-sandbox"])
            shown = _Shown(browser, running)
            of_class = [shown.load(f"/adult/class/{school.class_id}", _class_there) for _ in range(LOADS)]
            of_learner = [shown.load(f"/adult/student/{school.longest}", _learner_there) for _ in range(LOADS)]
            browser.close()
        routes = _route_ms(running, school)
    targets = [
        at_most(f"a class of {CHILDREN}: requests", max(one.asked for one in of_class), 3, "", 0),
        at_most(f"a class of {CHILDREN} visible, CPU {SLOWED} × slower, median", _median(of_class), 1000, " ms", 0),
        at_most(
            f"a learner with {turns:,} turns visible, CPU {SLOWED} × slower, median",
            _median(of_learner),
            1500,
            " ms",
            0,
        ),
    ]
    head = ("page", "requests", "median ms", "least", "most")
    pages: list[list[str | float]] = [
        [what, loads[0].asked, _median(loads), min(one.ms for one in loads), max(one.ms for one in loads)]
        for what, loads in (("class", of_class), ("learner", of_learner))
    ]
    text = f"{_TEXT} A child of the class had {of_child} turns."
    return Section("The adults' page", text, targets, [table(head, pages), table(("route", "median ms"), routes)])


@dataclass(frozen=True, slots=True)
class _School:
    """`longest`: the learner with the long history, who is in no class."""

    class_id: str
    students: list[str]
    longest: str


@dataclass(frozen=True, slots=True)
class _Load:
    """`asked`: requests to the API. `ms`: from the address to what has to be there."""

    asked: int
    ms: float


def _median(loads: list[_Load]) -> float:
    return statistics.median(one.ms for one in loads)


def _address(running: Running) -> str:
    return f"http://127.0.0.1:{running.port}/api/v1"


async def _played(running: Running) -> _School:
    """A class in which each child has answered a session."""
    bank = Bank.load(home() / "configs" / "arithmetic" / "problem_bank.csv")
    headers = {"Authorization": f"Bearer {TOKEN}"}
    async with httpx.AsyncClient(base_url=_address(running), headers=headers, timeout=120) as client:
        class_id = (await client.post("/classes", json={"name": "2학년 3반"})).raise_for_status().json()["class_id"]
        students = []
        for number in range(CHILDREN):
            member = {"nickname": f"아이 {number + 1}", "grade": 2, "pictures": None}
            made = (await client.post(f"/classes/{class_id}/members", json=member)).raise_for_status().json()
            students.append(made["student_id"])
        everybody = [*students, LONGEST]
        await asyncio.gather(*(_session(client, Child(bank, seed), one, seed) for seed, one in enumerate(everybody)))
    return _School(class_id, students, LONGEST)


async def _session(client: httpx.AsyncClient, child: Child, student: str, seed: int) -> None:
    wanted = {"student_id": student, "seed": seed, "c_position": 5 + seed % 8}
    view = (await client.post("/sessions", json=wanted)).raise_for_status().json()
    task: dict[str, Any] | None = view["task"]
    while task is not None:
        answer = await client.post(f"/sessions/{view['session_id']}/events", json=child.event(task))
        task = answer.raise_for_status().json()["task"]


def _copied(database: Path, school: _School) -> tuple[int, int]:
    """Writes each child's session again for earlier days, and the longest learner's until it has so many turns.
    -> the turns of a child of the class, and of that learner"""
    store = sqlite3.connect(database, timeout=60)
    with store:
        for student in school.students:
            for back in range(1, SCHOOL_DAYS):
                _copy(store, student, back)
        back = 0
        while (number := _turns(store, school.longest)) < LONG_TURNS:
            back += 1
            _copy(store, school.longest, back)
    of_child = round(statistics.mean(_turns(store, one) for one in school.students))
    store.close()
    return of_child, number


def _turns(store: sqlite3.Connection, student: str) -> int:
    query = "SELECT count(*) FROM turns JOIN sessions USING (session_id) WHERE student_id = ?"
    (number,) = store.execute(query, (student,)).fetchone()
    return int(number)


def _copy(store: sqlite3.Connection, student: str, days: int) -> None:
    """The child's own session once more, so many days earlier."""
    played = "SELECT session_id FROM sessions WHERE student_id = ? ORDER BY created_at DESC LIMIT 1"
    ((session,),) = store.execute(played, (student,)).fetchall()
    for name in ("sessions", "turns"):
        columns = [row[1] for row in store.execute(f"PRAGMA table_info({name})")]
        changed = {
            "session_id": "session_id || :mark",
            "created_at": "strftime('%Y-%m-%d %H:%M:%f000', created_at, :back)",
            "ended_at": "strftime('%Y-%m-%d %H:%M:%f000', ended_at, :back)",
        }
        chosen = ", ".join(changed.get(column, column) for column in columns)
        query = f"INSERT INTO {name} SELECT {chosen} FROM {name} WHERE session_id = :session"  # noqa: S608
        store.execute(query, {"mark": f"-{days}", "back": f"-{days} days", "session": session})


class _Shown:
    """Opens pages that are signed in as an admin."""

    def __init__(self, browser: Browser, running: Running) -> None:
        self._context = browser.new_context(base_url=f"http://127.0.0.1:{running.port}")
        page = self._context.new_page()
        page.goto("/adult")
        page.get_by_label("토큰").fill(TOKEN)
        page.get_by_role("button", name="들어가기").click()
        page.get_by_role("heading", name="아이들").wait_for()
        page.close()

    def load(self, address: str, there: Callable[[Page], None]) -> _Load:
        """With nothing in the cache."""
        page = self._context.new_page()
        asked: list[str] = []
        page.on("request", lambda sent: asked.append(sent.url) if "/api/v1/" in sent.url else None)
        session = self._context.new_cdp_session(page)
        session.send("Network.enable")
        session.send("Network.setCacheDisabled", {"cacheDisabled": True})
        session.send("Emulation.setCPUThrottlingRate", {"rate": SLOWED})
        page.goto(address, wait_until="commit")
        there(page)
        seen = float(page.evaluate("performance.now()"))
        page.wait_for_load_state("networkidle")
        page.close()
        return _Load(len(asked), seen)


def _class_there(page: Page) -> None:
    page.get_by_role("heading", name="오늘 함께 볼 아이").wait_for()
    page.get_by_role("row").nth(CHILDREN).wait_for()


def _learner_there(page: Page) -> None:
    """The whole page: its parts come from several requests."""
    for title in ("지금 할 수 있는 것", "확인된 원인", "걸어온 길", "주마다", "동의"):
        page.get_by_role("heading", name=title, exact=True).wait_for()


def _route_ms(running: Running, school: _School) -> list[list[str | float]]:
    """What the pages ask for, each alone."""
    own = f"/students/{school.longest}"
    paths: Mapping[str, str] = {
        "the class": f"/classes/{school.class_id}/overview",
        "skills": f"{own}/knowledge",
        "summary": f"{own}/summary",
        "sessions": f"{own}/sessions?limit=200",
        "weeks": f"{own}/heatmap?by=week&weeks=8",
        "goals": f"{own}/goals",
    }
    headers = {"Authorization": f"Bearer {TOKEN}"}
    rows: list[list[str | float]] = []
    with httpx.Client(base_url=_address(running), headers=headers, timeout=60) as client:
        for what, path in paths.items():
            taken = [client.get(path).raise_for_status().elapsed.total_seconds() * 1000 for _ in range(LOADS)]
            rows.append([what, statistics.median(taken)])
    return rows


_TEXT: Final = f"""\
As above. A class of {CHILDREN} children, each with a session of usual length played over HTTP, and the same written
again for earlier days until there are {SCHOOL_DAYS}; another learner's session until it has {LONG_TURNS:,} turns. From
the address to the last part of the page, nothing cached, the processor of the page (not of the service) slowed down
{SLOWED} times. Routes: what the pages ask for, each alone, over HTTP."""
