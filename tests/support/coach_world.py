"""Two classes of three children with records, and threads of questions about them, played through the chat's service.

    PYTHONPATH=. .venv/bin/python -m tests.support.coach_world tests/data/strangers/coach_read.yaml [ID …]

하늘 drops carries and sometimes turns digits round, is right without a borrow, and practised on three of the last ten
days; 민수 has 24 right answers; 도윤 has none. In the other class 서연 takes the smaller digit from the larger, is
right in sums, and practised on four of the last twelve days; 준호 has 23 of 24 right; 지우 has none. The file holds
threads: `who` asks about which `child`, with which task open, and what is said. Every question is printed with its
answer; of a file whose name begins with `assistant` it is the assistant that is asked.
"""

import asyncio
import re
import sys
import tempfile
from collections.abc import AsyncIterator, Iterator, Sequence
from contextlib import asynccontextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from itertools import cycle, islice
from pathlib import Path
from typing import Final, Required, TypedDict
from uuid import uuid4

import yaml
from redis.asyncio import Redis
from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.arithmetic.malrules import malrules_giving
from maththera.arithmetic.problem import Problem, make_problem
from maththera.korean.dates import KOREA
from maththera.runtime.embedded_redis import EmbeddedRedis
from maththera.store.access.authorization import Principal, Role
from maththera.store.conversations import Profile
from maththera.store.database import Database
from maththera.store.students import StudentRecords
from maththera.store.tutoring_sessions import SessionRecords, TurnRow, sessions, turns
from tests.support.chatting import Chat, chat, text
from tests.support.databases import migrated

CLASSES: Final = (
    {"하늘": "c-sky", "민수": "c-min", "도윤": "c-doy"},
    {"서연": "c-seo", "준호": "c-jun", "지우": "c-jiw"},
)
CLASS_NAMES: Final = dict(zip(("2반", "3반"), CLASSES, strict=True))
CHILDREN: Final = {name: student_id for one in CLASSES for name, student_id in one.items()}
_DAYS_AGO: Final = (7, 4, 1)
_LEVELS: Final[dict[str, tuple[str | None, ...]]] = {"assistant": ("beginner", "intermediate", None), "coach": (None,)}
"""Of the two levels that the assistant makes, the one that adults are shown; one higher where more was asked for. What
is said to a greeting has none."""
_Sum = tuple[int, str, int]
_SUM: Final = re.compile(r"(\d+)([-−+×÷x])(\d+)")
_SIGNS: Final = {"−": "-", "×": "x", "÷": "/"}


class Line(TypedDict, total=False):
    """`good`: what a right answer must have, for a reader; `grade`: how a reader once judged the answer, for
    the next; `has`, `lacks`: texts, for a test."""

    say: Required[str]
    good: str
    grade: str
    has: list[str]
    lacks: list[str]


class Thread(TypedDict):
    """`child`: None where it is about none alone. `open_task`: the expression of the child's open task, if it has
    one. `class`: 2반 or 3반, of a teacher; without it, the class that most of what is said is about."""

    id: str
    who: Role
    child: str | None
    open_task: str | None
    lines: list[Line]


@dataclass(frozen=True)
class Heard:
    thread: Thread
    line: Line
    answer: str


def load_threads(path: Path) -> list[Thread]:
    found: list[Thread] = yaml.load(path.read_text(encoding="utf-8"), yaml.CSafeLoader)
    for thread in found:  # a teacher's or guardian's role is told by other words in sets of strangers
        if str(thread["who"]) == "child":
            thread["who"] = "student"
        thread.setdefault("child", None)
        thread.setdefault("open_task", None)
    return found


@asynccontextmanager
async def world() -> AsyncIterator[tuple[Chat, Database]]:
    """A chat over a database with the three children."""
    with tempfile.TemporaryDirectory() as folder, EmbeddedRedis(Path(folder)) as server:
        url = f"sqlite+aiosqlite:///{folder}/world.sqlite"
        await migrated(url)
        database = Database(url)
        await _fill(database)
        async with Redis.from_url(server.url) as redis, chat(url, redis) as open_chat:
            yield open_chat, database
        await database.close()


async def play(threads: Sequence[Thread], profile: Profile = "coach") -> AsyncIterator[Heard]:
    async with world() as (service, database):
        for thread in threads:
            if profile == "coach" and thread["who"] == "teacher" and not thread["child"]:
                continue  # a teacher of several says which one
            who = _principal(thread)
            child = CHILDREN[thread["child"]] if thread["child"] else None
            opened = await _open_task(database, child, thread["open_task"]) if child and thread["open_task"] else None
            thread_id = uuid4().hex
            for line in thread["lines"]:
                events = await service.say(
                    line["say"], who, thread_id=thread_id, student_id=child, profile=profile, difficulty=None
                )
                told = next(filter(None, (text(events, level) for level in _LEVELS[profile])), "")
                yield Heard(thread, line, told)
            if opened:
                await SessionRecords(database).end_session(opened)


def _principal(thread: Thread) -> Principal:
    """A child, its guardian, or the teacher of the class that most of what is said is about."""
    said = [thread["child"] or "", *(line["say"] for line in thread["lines"])]
    spoken_of = max(CLASSES, key=lambda one: sum(name in words for name in one for words in said))
    own = CLASS_NAMES.get(str(thread.get("class")), spoken_of)
    children = own.values() if thread["who"] == "teacher" else [CHILDREN[thread["child"] or next(iter(own))]]
    return Principal(f"token-{thread['who']}-{thread['child']}", thread["who"], frozenset(children))


async def _fill(database: Database) -> None:
    for name, student_id in CHILDREN.items():
        await StudentRecords(database).change(student_id, {"nickname": name})
    carries: list[tuple[_Sum, int | None]] = [
        ((47, "+", 36), 73), ((28, "+", 15), 33), ((56, "+", 27), 73), ((38, "+", 25), 63), ((19, "+", 44), 53),
        ((65, "+", 18), 73), ((46, "+", 37), None), ((29, "+", 53), 72),
    ]  # fmt: skip
    plain: list[tuple[_Sum, int | None]] = [
        ((58, "-", 23), None), ((47, "-", 15), None), ((69, "-", 34), None), ((76, "-", 42), None),
        ((35, "-", 12), None),
    ]  # fmt: skip
    borrows: list[tuple[_Sum, int | None]] = [((52, "-", 38), 26), ((63, "-", 27), None), ((71, "-", 46), None)]
    easy: list[tuple[_Sum, int | None]] = [((23, "+", 14), None), ((31, "+", 25), None), ((42, "+", 36), None)]
    tasks = [*islice(cycle([*carries, *plain, *borrows, *easy]), 60)]
    for number, ago in enumerate(_DAYS_AGO):
        await _session(database, CHILDREN["하늘"], tasks[20 * number : 20 * number + 20], ago)
    sums: list[tuple[_Sum, int | None]] = [
        ((8, "+", 6), None), ((9, "+", 5), None), ((23, "+", 14), None), ((28, "+", 15), None), ((13, "-", 6), None),
        ((45, "-", 22), None), ((52, "-", 38), None), ((37, "+", 26), None),
    ]  # fmt: skip
    for ago in (3, 0):
        await _session(database, CHILDREN["민수"], [*islice(cycle(sums), 12)], ago, seconds=2.4)

    rights: list[tuple[_Sum, int | None]] = [
        ((47, "+", 36), None), ((28, "+", 15), None), ((7, "+", 8), None), ((56, "+", 27), None), ((9, "+", 6), None),
        ((23, "+", 14), None), ((8, "+", 7), None), ((58, "-", 23), None), ((47, "-", 15), None),
    ]  # fmt: skip
    reversed_: list[tuple[_Sum, int | None]] = [
        ((52, "-", 38), 26), ((63, "-", 27), 44), ((71, "-", 46), 35), ((84, "-", 59), 35), ((45, "-", 18), 33),
        ((62, "-", 35), 33),
    ]  # fmt: skip
    for ago in (11, 8, 4, 1):
        await _session(database, CHILDREN["서연"], [*rights, *reversed_], ago, seconds=6.0)
    for ago, wrong in ((5, None), (0, 24)):
        done = [*islice(cycle(sums), 12)]
        done[6] = ((52, "-", 38), wrong)
        await _session(database, CHILDREN["준호"], done, ago, seconds=1.2)


async def _session(
    database: Database, student_id: str, tasks: Sequence[tuple[_Sum, int | None]], ago: int, seconds: float = 5.0
) -> None:
    records, session_id = SessionRecords(database), uuid4().hex
    await records.create_session(session_id, student_id, {})
    for number, ((a, op, b), wrong) in enumerate(tasks, start=1):
        problem = make_problem(a, op, b)
        given = problem.answer if wrong is None else wrong
        rt_ms = round(1000 * (seconds + number % 5 + (9 if (a, op, b) == (52, "-", 38) and seconds > 3 else 0)))
        await records.append_turn(_row(session_id, number, problem, given, rt_ms), ended=number == len(tasks))
    await _date_back(database, session_id, ago)


def _row(session_id: str, number: int, problem: Problem, given: int, rt_ms: int) -> TurnRow:
    right = given == problem.answer
    causes = [] if right else [cause.tag for rule in malrules_giving(problem, given) for cause in rule.causes]
    return TurnRow(
        session_id, number, uuid4().hex, {"answer": given}, [], {}, [],
        {
            "problem_id": problem.problem_id, "kind": "main", "c_level": problem.c_level, "w": problem.w_total,
            "correct": right, "pattern": "correct_fast" if right else "careful_wrong", "rt_ms": rt_ms,
            "input_kind": "typed", "cause_tag": next(iter(causes), None), "confidence": "high" if causes else None,
        },
    )  # fmt: skip


async def _date_back(database: Database, session_id: str, ago: int) -> None:
    today = datetime.now(KOREA).replace(hour=12, minute=0, second=0, microsecond=0)  # no session goes over midnight
    moment = (today - timedelta(days=ago)).astimezone(UTC)

    async def write(connection: AsyncConnection) -> None:
        own = sessions.c.session_id == session_id
        await connection.execute(update(sessions).where(own).values(created_at=moment, ended_at=moment))
        for turn in range(1, 61):
            at = moment + timedelta(seconds=10 * turn)
            row = (turns.c.session_id == session_id) & (turns.c.turn == turn)
            await connection.execute(update(turns).where(row).values(created_at=at))

    await database.transaction(write)


async def _open_task(database: Database, student_id: str, expression: str) -> str | None:
    """None for a task that is no sum: dots, a comparison, a gap."""
    if (read := _SUM.fullmatch(expression)) is None:
        return None
    a, sign, b = read.groups()
    session_id, problem = uuid4().hex, make_problem(int(a), _SIGNS.get(sign, sign), int(b))
    await SessionRecords(database).create_session(session_id, student_id, {}, [problem.problem_id])
    return session_id


def _printed(heard: Heard, last: str) -> Iterator[str]:
    thread = heard.thread
    if thread["id"] != last:
        yield f"\n## {thread['id']} {thread['who']} {thread['child']} open={thread['open_task']}"
    yield f"> {heard.line['say']}"
    yield f"    {heard.answer}".replace("\n", "\n    ")


async def _main(path: Path, only: Sequence[str]) -> None:
    last = ""
    threads = [one for one in load_threads(path) if not only or one["id"] in only]
    async for heard in play(threads, "assistant" if path.name.startswith("assistant") else "coach"):
        print("\n".join(_printed(heard, last)))
        last = heard.thread["id"]


if __name__ == "__main__":
    asyncio.run(_main(Path(sys.argv[1]), sys.argv[2:]))
