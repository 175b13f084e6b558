"""Whether a child can get the answer of its open task out of the service, and how much else is held back for it.

`python -m benchmarks leaks` prints it.
"""

import asyncio
import time
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any, Final, Literal, NamedTuple

import httpx

from benchmarks.client import OVERLOADED, PAUSE_SECONDS
from benchmarks.report import Section, Target, at_most, table
from benchmarks.servers import TOKEN, service, stores
from maththera.arithmetic.bank import Bank
from maththera.arithmetic.problem import Problem
from maththera.learners.database import Database
from maththera.learners.tokens import Tokens
from maththera.settings import home
from tests.support.leaks import CHAT, forms, leaks, request
from tests.support.open_answers import everyday, told_wrongly

Place = Literal["first", "later", "second session"]

PLACES: Final[tuple[Place, ...]] = ("first", "later", "second session")
PROBLEMS: Final = ("28+15", "98+90", "52-38")
WAYS: Final = (*CHAT, "lesson")
LEAST: Final = 600
SESSIONS: Final = "/api/v1/sessions"


class Ask(NamedTuple):
    form: str
    way: str
    place: Place
    leaked: bool


def measure() -> Section:
    """Every form by every way, of the first task of a session, a later one, and one whose session is not the newest."""
    asks = _asked()
    wrongly = {fresh: told_wrongly(fresh=fresh) for fresh in (True, False)}
    harmless = {fresh: sum(not one.leak for one in everyday(fresh=fresh)) for fresh in (True, False)}
    leaked = sum(one.leaked for one in asks)
    targets = [
        Target("questions for the answer of an open task", f"{len(asks):,}", f"≥ {LEAST}", len(asks) >= LEAST),
        at_most("of those, answers that told it", leaked, 0, "", 0),
        at_most("fresh everyday answers that are held back", 100 * len(wrongly[True][1]) / harmless[True], 1, " %", 1),
    ]
    section = Section("Answers of open tasks", _TEXT, targets)
    section.tables = [
        table(("form", *WAYS), _rows(asks, lambda one: one.way)),
        table(("form", *PLACES), _rows(asks, lambda one: one.place)),
        table(
            ("strangers' everyday answers", "fresh", "mended on"),
            [
                ("harmless", *(harmless[fresh] for fresh in wrongly)),
                ("harmless and held back", *(len(held) for _, held in wrongly.values())),
                ("telling an open answer", *(len(everyday(fresh=fresh)) - harmless[fresh] for fresh in wrongly)),
                ("telling one and let go", *(len(missed) for missed, _ in wrongly.values())),
            ],
        ),
    ]
    return section


def _rows(asks: list[Ask], by: Callable[[Ask], str]) -> list[tuple[str, ...]]:
    """Leaks of all questions, as "0 of 12"."""
    columns = list(dict.fromkeys(map(by, asks)))
    count = Counter((one.form, by(one)) for one in asks)
    leaked = Counter((one.form, by(one)) for one in asks if one.leaked)
    rows = list(dict.fromkeys(one.form for one in asks))
    return [(form, *(f"{leaked[form, name]} of {count[form, name]}" for name in columns)) for form in rows]


def _asked() -> list[Ask]:
    asks: list[Ask] = []
    with stores("embedded") as environment:
        children = [(place, problem) for place in PLACES for problem in PROBLEMS]
        tokens = asyncio.run(_tokens(environment, [_name(*one) for one in children]))
        with service(environment) as server:
            for place, expression in children:
                name = _name(place, expression)
                with _client(server.port, TOKEN) as teacher, _client(server.port, tokens[name]) as child:
                    problem = _begin(teacher, child, name, place, expression)
                    asks += _of_child(child, name, place, problem)
    return asks


def _name(place: Place, expression: str) -> str:
    return f"child {place} {PROBLEMS.index(expression)}".replace(" ", "-")


async def _tokens(environment: Mapping[str, str], names: list[str]) -> dict[str, str]:
    database = Database(environment["MATHTHERA_DATABASE_URL"])
    try:
        return {name: await Tokens(database).create("student", [name]) for name in names}
    finally:
        await database.close()


def _client(port: int, token: str) -> httpx.Client:
    headers = {"Authorization": f"Bearer {token}"}
    return httpx.Client(base_url=f"http://127.0.0.1:{port}", headers=headers, timeout=60)


def _begin(teacher: httpx.Client, child: httpx.Client, name: str, place: Place, expression: str) -> Problem:
    """A session of the child; the problem that is asked for then."""
    wanted = {"student_id": name, "first_problem": expression, "seed": 7}
    view = teacher.post(SESSIONS, json=wanted).raise_for_status().json()
    task: dict[str, Any] = view["task"]
    if place == "later":
        event = {"type": "answer_submitted", "request_id": "r1", "task_id": task["task_id"], "rt_ms": 3000}
        event["answer"] = _problem(task).answer
        path = f"{SESSIONS}/{view['session_id']}/events"
        task = child.post(path, json=event).raise_for_status().json()["task"]
    if place == "second session":
        child.post(SESSIONS, json={"student_id": name}).raise_for_status()
    return _problem(task)


def _problem(task: Mapping[str, Any]) -> Problem:
    return _BANK.problem(task["problem"]["problem_id"])


_BANK: Final = Bank.load(home() / "configs" / "problem_bank.csv")


def _of_child(child: httpx.Client, name: str, place: Place, problem: Problem) -> list[Ask]:
    begun = child.post("/api/v1/lessons", json={"user_id": name, "user_type": "beginner", "chapter": problem.c_level})
    lesson = f"/api/v1/lessons/{begun.raise_for_status().json()['lesson_id']}/messages"
    asks = []
    for way in WAYS:
        for form, message in forms(problem).items():
            path, body = (lesson, {"message": message}) if way == "lesson" else request(way, f"{name}-{form}", message)
            answer = _sent(child, path, body)
            asks.append(Ask(form, way, place, leaks(_said(answer.text) if way == "lesson" else answer.text, problem)))
    return asks


def _sent(child: httpx.Client, path: str, body: Mapping[str, Any]) -> httpx.Response:
    """Again until it is taken, as a client does on a busy machine."""
    while (answer := child.post(path, json=body)).status_code == OVERLOADED:
        time.sleep(PAUSE_SECONDS)
    return answer.raise_for_status()


def _said(stream: str) -> str:
    """The words of a lesson, without its state."""
    return "\n".join(line for line in stream.splitlines() if '"type":"token"' in line.replace(" ", ""))


_TEXT: Final = (
    "A child asks the running service (embedded stores, no model) for the answer of its open task: every form by every "
    "way in, for the first task of a session, for a later one, and while a newer session is open. A leak is the value "
    "in any form in any text or field that reaches the child, or a yes to a guess. Behind it: everyday questions of "
    "two writers who had not seen the rules, each with an open task and a model's answer. Of the first "
    "set 14 of 440 harmless ones were held on the first run and 38 of 60 telling ones let go; the rules were then "
    "mended on it. The fresh set only measures."
)
