"""Rules on the full bank, the memory of a worker, and what a session keeps in Redis."""

import statistics
import tempfile
import time
from collections.abc import Callable, Sequence
from functools import partial
from itertools import count, cycle, islice
from pathlib import Path
from typing import Any, Final, cast

from redis.asyncio import Redis

from benchmarks import played
from benchmarks.child import Child
from benchmarks.report import Cell, Section, at_most, percentile, table
from benchmarks.servers import Client, service, stores
from maththera.arithmetic.malrules import CATALOGUE, wrong_answers
from maththera.runtime.checkpointer import PREFIX
from maththera.runtime.embedded_redis import EmbeddedRedis
from maththera.runtime.redis_client import open_redis
from maththera.store.answer_history import AnswerHistory
from maththera.store.database import Database
from maththera.store.migrations import migrate
from maththera.store.tutoring_sessions import SessionRecords
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.answer_observation import observe
from maththera.tutoring.diagnosis.error_diagnosis import diagnose
from maththera.tutoring.diagnosis.hypotheses import predictions
from maththera.tutoring.nodes import Nodes, Update, is_over
from maththera.tutoring.problems.problem_selection import next_practice, select_problem
from maththera.tutoring.session.in_memory_engine import InMemoryEngine
from maththera.tutoring.session.service import TutoringService
from maththera.tutoring.session.session_start import NewSession
from maththera.tutoring.state import Event, TutoringState
from maththera.tutoring.turns.envelopes import task_view

CALLS: Final = 5_000
PLACES: Final = 300  # positions of children that the calls go round
SHORT, LONG = 15, 200  # turns
LOAD_SECONDS: Final = 2.0
LIMIT_SELECTION_US, LIMIT_DIAGNOSIS_US, LIMIT_RSS_MB = 60.0, 200.0, 200.0
LIMIT_GROWTH: Final = 1.5  # of what a session keeps, from SHORT to LONG turns: bounded, not growing with them


def measure() -> Section:
    """Everything but the memory in this process."""
    selection, fallback = _selections()
    diagnosis = _timed(_diagnoses())
    resident = _resident_mb()
    short, long = played.run(_kept())
    targets = [
        at_most("the next ordinary problem, median", statistics.median(selection), LIMIT_SELECTION_US, " µs"),
        at_most("diagnosis with all malrules, median", statistics.median(diagnosis), LIMIT_DIAGNOSIS_US, " µs"),
        at_most("memory of a worker with the bank", resident, LIMIT_RSS_MB, " MB", 0),
        at_most(f"a session in Redis after {LONG} turns ÷ after {SHORT}", long / short, LIMIT_GROWTH, "", 2),
    ]
    rows: list[Sequence[Cell]] = [
        ["next ordinary problem µs", statistics.median(selection), percentile(selection, 99)],
        ["by C and W alone µs", statistics.median(fallback), percentile(fallback, 99)],
        ["diagnosis µs", statistics.median(diagnosis), percentile(diagnosis, 99)],
    ]
    kept = table(
        ("bytes in Redis a session", f"after {SHORT} turns", f"after {LONG} turns"), [["checkpoint", short, long]]
    )
    return Section("Rules, memory, size", _text(), targets, [table(("", "median", "p99"), rows), kept])


def _timed(calls: list[Callable[[], object]]) -> list[float]:
    """Microseconds of each call, after a first round that warms up."""
    for call in calls:
        call()
    found = []
    for call in islice(cycle(calls), CALLS):
        began = time.perf_counter_ns()
        call()
        found.append((time.perf_counter_ns() - began) / 1e3)
    return found


def _states() -> list[TutoringState]:
    """Children somewhere in their sessions, on all levels."""
    rules = played.rules()
    engine, found = InMemoryEngine(Nodes(rules)), []
    for seed in range(PLACES):
        state = engine.begin({"seed": seed, "c_position": 1 + seed % 15})
        child = Child(rules.bank, seed)
        for _ in range(seed % 8):
            task = state["task"]
            if task is None or task["problem_id"] is None:
                break
            event: Any = child.event({**task, "problem": {"problem_id": task["problem_id"]}})
            state = engine.turn(state, event)
        found.append(state)
    return found


class _TimedNodes(Nodes):
    """The tutor's nodes, with the microseconds of each choice of an ordinary problem, made where a turn makes it, and
    of one by C and W alone."""

    def __init__(self, rules: Rules) -> None:
        super().__init__(rules)
        self.chosen_us: list[float] = []
        self.by_place_us: list[float] = []

    def select(self, state: TutoringState) -> Update:
        move = state["move"]
        chooses = move is not None and move["show"] == "select" and state["current_step"] == "normal"
        if chooses and not is_over(state, self.rules):
            for choose, found in ((next_practice, self.chosen_us), (select_problem, self.by_place_us)):
                began = time.perf_counter_ns()
                choose(state, self.rules)
                found.append((time.perf_counter_ns() - began) / 1e3)
        return super().select(state)


def _selections() -> tuple[list[float], list[float]]:
    """Microseconds of the choices in sessions on all levels, with the malrules' answers at hand."""
    rules = played.rules()
    for problem in rules.bank:
        predictions(problem, None, rules.held_out, rules.learned)
    nodes = _TimedNodes(rules)
    engine = InMemoryEngine(nodes)
    for seed in count():
        state = engine.begin({"seed": seed, "c_position": 1 + seed % 15})
        child = Child(rules.bank, seed)
        while (task := task_view(state["task"], rules)) is not None:
            state = engine.turn(state, cast("Event", child.event(task)))
            if len(nodes.chosen_us) >= CALLS:
                return nodes.chosen_us, nodes.by_place_us
    raise AssertionError("there is a session for every seed")


def _diagnoses() -> list[Callable[[], object]]:
    """Wrong answers: what was seen, which malrules give it, which cause it has."""
    rules = played.rules()
    calls: list[Callable[[], object]] = []
    for state in _states():
        task = state["task"]
        if task is None or task["problem_id"] is None:
            continue
        wrong = sorted(wrong_answers(rules.bank.problem(task["problem_id"])).values())
        answer = wrong[len(calls) % len(wrong)] if wrong and len(calls) % 4 else 7_777
        event: Any = {"type": "answer_submitted", "request_id": "x", "answer": answer, "rt_ms": 3_000}
        calls.append(partial(_diagnose, cast("TutoringState", {**state, "event": event})))
    return calls


def _diagnose(state: TutoringState) -> object:
    rules = played.rules()
    observed: TutoringState = {**state, "observation": observe(state, rules)}
    return diagnose(observed, rules)


def _resident_mb() -> float:
    """After it has worked for a while."""
    with stores("postgres") as environment, service(environment) as tutor, Client() as client:
        client.load(tutor, 16, LOAD_SECONDS)
        return tutor.resident_bytes() / 2**20


async def _kept() -> tuple[int, int]:
    """Bytes of a session's checkpoint after SHORT and after LONG turns."""
    with tempfile.TemporaryDirectory(prefix="maththera-bench-") as name, EmbeddedRedis(Path(name)) as server:
        url = f"sqlite+aiosqlite:///{name}/maththera.db"
        await migrate(url)
        database, redis = Database(url), open_redis(server.url)
        service_ = TutoringService(played.rules(), SessionRecords(database), AnswerHistory(database), redis)
        seeds = count()
        while (found := await _session(service_, redis, next(seeds))) is None:
            pass
        await redis.aclose()
        await database.close()
    return found


async def _session(service_: TutoringService, redis: Redis, seed: int) -> tuple[int, int] | None:
    """None for a session that ended before LONG turns."""
    most = played.rules().numbers.session.problem_count_max
    view = await service_.create(NewSession(f"child-{seed}", c_position=1, problem_count=most, seed=seed))
    child, task, sizes = Child(played.rules().bank, seed), view["task"], []
    for number in range(1, LONG + 1):
        if task is None:
            return None
        task = (await service_.handle(view["session_id"], child.event(task))).body["task"]
        if number in (SHORT, LONG):
            sizes.append(await redis.memory_usage(PREFIX + view["session_id"], samples=0) or 0)
    return sizes[0], sizes[1]


def _text() -> str:
    return f"""\
On {len(played.rules().bank):,} problems. The next ordinary problem is chosen {CALLS:,} times in sessions on all levels,
each where a turn chooses it, once the malrules' answers to all problems are kept, as they are after some hours. By C
and W alone one is chosen where no skill is left to ask, and in a White-out. Diagnosis: {len(CATALOGUE)} malrules, for
children at {PLACES} places on all levels; what was observed, the malrules that explain it and the cause. Memory is the
resident set of a service with one worker after two seconds with 16 sessions."""
