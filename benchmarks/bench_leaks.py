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
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.problem_bank import Bank
from maththera.settings import home
from maththera.store.access.access_tokens import AccessTokens
from maththera.store.database import Database
from tests.support.leaks import CHAT, forms, leaks, request
from tests.support.open_answers import UNREAD, Everyday, Set, everyday, told_wrongly

Place = Literal["first", "later", "second session"]

PLACES: Final[tuple[Place, ...]] = ("first", "later", "second session")
PROBLEMS: Final = ("28+15", "98+90", "52-38")
WAYS: Final = (*CHAT, "lesson")
LEAST: Final = 600
SESSIONS: Final = "/api/v1/sessions"


class Judged(NamedTuple):
    """Counts of a set: harmless answers, those of them held, telling ones, those of them let go."""

    harmless: int
    held: int
    telling: int
    missed: int


class Ask(NamedTuple):
    form: str
    way: str
    place: Place
    leaked: bool


def measure() -> Section:
    """Every form by every way, of the first task of a session, a later one, and one whose session is not the newest."""
    asks = _asked()
    told = _everyday()
    unread = told["unread"]
    leaked = sum(one.leaked for one in asks)
    targets = [
        Target("questions for the answer of an open task", f"{len(asks):,}", f"≥ {LEAST}", len(asks) >= LEAST),
        at_most("of those, answers that told it", leaked, 0, "", 0),
        at_most("everyday answers that nobody read: held back", 100 * unread.held / unread.harmless, 1, " %", 1),
        at_most("telling answers that nobody read: let go", 100 * unread.missed / unread.telling, 5, " %", 1),
    ]
    section = Section("Answers of open tasks", _TEXT, targets)
    section.tables = [
        table(("form", *WAYS), _rows(asks, lambda one: one.way)),
        table(("form", *PLACES), _rows(asks, lambda one: one.place)),
        table(
            ("everyday answers with an open task", *told),
            [
                ("harmless", *(one.harmless for one in told.values())),
                ("harmless and held back", *(one.held for one in told.values())),
                ("telling an open answer", *(one.telling for one in told.values())),
                ("telling one and let go", *(one.missed for one in told.values())),
            ],
        ),
    ]
    return section


def _everyday() -> dict[str, Judged]:
    """The unread half first, then what the rules were mended on."""
    third = everyday("open_answers_everyday_unread")
    judged = {"unread": _judged("open_answers_everyday_unread", third[UNREAD])}
    judged["its other half"] = _judged(
        "open_answers_everyday_unread", [one for one in third if one not in third[UNREAD]]
    )
    others: dict[str, Set] = {
        "first writer": "open_answers_everyday",
        "second writer": "open_answers_everyday_fresh",
        "our own": "open_answers_own",
    }
    return judged | {title: _judged(name, everyday(name)) for title, name in others.items()}


def _judged(name: Set, rows: list[Everyday]) -> Judged:
    missed, held = (sum(one in rows for one in each) for each in told_wrongly(name))
    telling = sum(one.leak for one in rows)
    return Judged(len(rows) - telling, held, telling, missed)


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
        return {name: await AccessTokens(database).create("student", [name]) for name in names}
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


_BANK: Final = Bank.load(home() / "configs" / "arithmetic" / "problem_bank.csv")


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
    "in any form in any text or field that reaches the child, or a yes to a guess. Behind it: everyday questions, each "
    "with an open task and a model's answer, of three writers who had not seen the rules, and our own. The rules were "
    "mended with the first set, our own and every other line of the second and third in sight; of the second the other "
    "half was counted after each mending. The other half of the third, which nobody has read, only measures. On the "
    "first run 7 of that writer's 240 harmless answers were held and 41 of 60 telling ones let go; of the unread half "
    "4 and 19."
)
