"""F-01 to F-16 beside the seed's budgets, and the five stages of its 40 ms path."""

import statistics
import time
from collections import defaultdict
from collections.abc import AsyncIterator, Iterator
from contextlib import asynccontextmanager, contextmanager
from dataclasses import dataclass, field
from itertools import count, pairwise
from typing import Any, Final, cast

from langgraph.types import Command

from benchmarks import played
from benchmarks.child import Child, Json
from benchmarks.report import Cell, Section, Target, at_most, percentile, table
from benchmarks.servers import Client, service, stores
from maththera.arithmetic.malrules import malrules_giving
from maththera.runtime.checkpointer import RedisSaver, ThreadHold
from maththera.runtime.redis_client import open_redis
from maththera.store.database import Database
from maththera.store.tutoring_sessions import SessionRecords, TurnRow
from maththera.tutoring import transitions
from maththera.tutoring.diagnosis.answer_observation import observe
from maththera.tutoring.diagnosis.error_diagnosis import diagnose
from maththera.tutoring.graph import AGENTS, EDGES, Choice, build, pure_nodes
from maththera.tutoring.moves.transition_facts import gather_facts
from maththera.tutoring.nodes import Nodes
from maththera.tutoring.problems.problem_selection import next_practice
from maththera.tutoring.session.in_memory_engine import InMemoryEngine
from maththera.tutoring.state import Event, TutoringState
from maththera.tutoring.turns import envelopes
from maththera.tutoring.turns.turn import Turn, TurnContext, finish_turn

TURNS: Final = 3_000
STAGED_SECONDS: Final = 8.0
HTTP_SECONDS: Final = 4.0
RIGHT: Final = 0.45  # enough goes wrong here for every function to be needed

BUDGETS_MS: Final = {
    "F-01": ("problem: level, tags, strategy", 50),
    "F-02": ("observation: right or wrong, times, behaviour", 10),
    "F-03": ("cause of the answer, all malrules", 500),
    "F-04": ("trainings of a cause", 50),
    "F-05": ("training with its content", 200),
    "F-06": ("adaptive branch, Route A or B", 100),
    "F-07": ("response pattern and the table's row", 100),
    "F-08": ("recovery loop", 100),
    "F-09": ("Bridge Loop", 100),
    "F-10": ("White-out", 100),
    "F-11": ("probe with one variable removed", 200),
    "F-12": ("feedback in the tone guide", 200),
    "F-13": ("diagnostic question with its problem", 200),
    "F-14": ("selection of the next problem", 50),
    "F-15": ("next task, with down- and upscaling", 100),
    "F-16": ("session state: lock, load, save, record", 100),
}
"""The seed's sections 2.1 and 2.4."""

STAGES_MS: Final = {
    "diagnostic": ("diagnostic agent", 5),
    "analysis": ("analysis agent", 10),
    "tutor": ("tutor agent", 5),
    "store": ("session storage", 10),
    "answer": ("assembling and sending the answer", 5),
}
"""The seed's section 4.3.2; 40 ms together."""
PATH_MS: Final = 40.0

Samples = dict[str, list[float]]  # milliseconds by function or stage


def measure() -> Section:
    """The pure functions on the plain loop, the store and the stages on the graph with Redis and PostgreSQL."""
    functions = _functions()
    with stores("postgres") as environment:
        stages = played.run(_stages(environment["MATHTHERA_REDIS_URL"], environment["MATHTHERA_DATABASE_URL"]))
        with service(environment) as tutor, Client() as client:
            client.load(tutor, 1, HTTP_SECONDS / 4)
            http = client.load(tutor, 1, HTTP_SECONDS)
    functions["F-16"] = stages["store"]
    inside = statistics.median(stages["turn"])
    shown: dict[str, tuple[float, float | None]] = {
        stage: (statistics.median(stages[stage]), percentile(stages[stage], 99))
        for stage in STAGES_MS
        if stage in stages
    }
    shown["answer"] = (max(0.0, http.ms(50) - inside), None)
    over = [name for name, (_, budget) in BUDGETS_MS.items() if percentile(functions[name], 99) > budget]
    targets = [
        Target("F-01 to F-16: p99 within the seed's budget", f"{16 - len(over)} of 16", "16 of 16", not over),
        at_most("the whole path, p95 over HTTP with one client", http.ms(95), PATH_MS, " ms"),
    ]
    return Section(
        "Functions and stages", _TEXT, targets, [_function_table(functions), _stage_table(shown, http.ms(50))]
    )


# --- the pure functions -----------------------------------------------------------------------------------------------


def _functions() -> Samples:
    """Plays sessions on the graph's nodes and edges and times what each function does in them."""
    found: Samples = defaultdict(list)
    nodes, turns = Nodes(played.rules()), 0
    engine = InMemoryEngine(nodes)
    for seed in count():
        state = engine.begin(_start(seed))
        child = Child(played.rules().bank, seed, RIGHT)
        while (task := _shown(state, found)) is not None:
            state = _walk({**state, "event": cast("Event", child.event(task))}, nodes, found)
            if (turns := turns + 1) >= TURNS:
                return found
    return found


def _start(seed: int) -> Json:
    return {"seed": seed, "c_position": 1 + seed % 15}


def _shown(state: TutoringState, found: Samples) -> Json | None:
    task = state["task"]
    with _timed(found, "F-05" if task is not None and task["kind"] == "training" else None):
        return envelopes.task_view(task, played.rules())


_BY_NODE: Final = {
    "route_a": "F-06",
    "route_b": "F-06",
    "recovery_loop": "F-08",
    "bridge_loop": "F-09",
    "white_out": "F-10",
    "probe": "F-11",
    "feedback": "F-12",
    "select": "F-15",
}


def _walk(state: TutoringState, nodes: Nodes, found: Samples) -> TutoringState:
    """From a child's answer to the next wait for one; `found` gets the milliseconds."""
    pure, node = pure_nodes(nodes), "diagnose"
    while node in pure:
        _extra(node, nodes, state, found)
        with _timed(found, _BY_NODE.get(node)):
            update = pure[node](state)
        state = cast("TutoringState", {**state, **update})
        edge = EDGES[node]
        node = edge.route(nodes, state) if isinstance(edge, Choice) else edge
    return cast("TutoringState", {**state, **finish_turn(nodes, state, TurnContext())})


def _extra(node: str, nodes: Nodes, state: TutoringState, found: Samples) -> None:
    """The functions that are less or more than a node; calling one more often changes nothing."""
    rules = nodes.rules
    if node == "diagnose":
        _diagnosis(nodes, state, found)
    if node == "adapt":
        with _timed(found, "F-07"):
            transitions.match(gather_facts(state, rules))
        diagnosis = state["diagnosis"]
        if diagnosis is not None and diagnosis["cause_tag"] is not None:
            with _timed(found, "F-04"):
                _ = rules.catalogue.causes[diagnosis["cause_tag"]].trainings
    if node == "select" and (move := state["move"]) is not None:
        if move["show"] == "select" and state["current_step"] == "normal":
            with _timed(found, "F-14"):
                next_practice(state, rules)
        if state["current_step"] == "diagnostic_question":
            with _timed(found, "F-13"):
                nodes.select(state)


def _diagnosis(nodes: Nodes, state: TutoringState, found: Samples) -> None:
    """What the node does in one: the observation, and the causes of a wrong answer."""
    rules = nodes.rules
    with _timed(found, "F-02"):
        observation = observe(state, rules)
    if observation["problem_id"] is None:
        return
    with _timed(found, "F-01"):
        problem = rules.bank.problem(observation["problem_id"])
    if observation["answer"] is not None and not observation["correct"]:
        seen = cast("TutoringState", {**state, "observation": observation, "diagnosis": None})
        with _timed(found, "F-03"):
            malrules_giving(problem, observation["answer"])
            diagnose(seen, rules)


@contextmanager
def _timed(found: Samples, name: str | None) -> Iterator[None]:
    began = time.perf_counter()
    yield
    if name is not None:
        found[name].append((time.perf_counter() - began) * 1e3)


# --- the stages -------------------------------------------------------------------------------------------------------


@dataclass
class _Clock(TurnContext):
    """Notes when each node began."""

    begun: list[tuple[str, float]] = field(default_factory=list)

    @contextmanager
    def stage(self, name: str) -> Iterator[None]:
        self.begun.append((name, time.perf_counter()))
        yield


async def _stages(redis_url: str, database_url: str) -> Samples:
    """A turn belongs to an agent from the beginning of its first node to the beginning of the next agent's, with all
    that LangGraph does in between; what is left before and behind is storage."""
    found: Samples = defaultdict(list)
    until = time.perf_counter() + STAGED_SECONDS
    async with _stand(redis_url, database_url) as (graph, saver, records):
        for seed in count():
            session_id = f"staged-{seed}"
            config = {"configurable": {"thread_id": session_id}}
            await records.create_session(session_id, "staged", {})
            begun = {"start": _start(seed), "event": None, "turn": 0, "last_turn": None}
            state = await graph.ainvoke(begun, config, context=TurnContext(), durability="exit")
            child = Child(played.rules().bank, seed)
            while (task := envelopes.task_view(state["task"], played.rules())) is not None:
                if time.perf_counter() > until:
                    return found
                began = time.perf_counter()
                async with saver.hold(session_id) as hold:
                    clock = _Clock(save=_saving(records, session_id, hold))
                    state = await graph.ainvoke(
                        Command(resume=child.event(task)), hold.config, context=clock, durability="exit"
                    )
                _share(found, began, clock.begun, time.perf_counter())
    return found


def _share(found: Samples, began: float, nodes: list[tuple[str, float]], ended: float) -> None:
    moments = [("", began), *nodes, ("", ended)]
    shares: dict[str, float] = defaultdict(float)
    for (name, moment), (_, after) in pairwise(moments):
        agent = AGENTS.get(name, "orchestrator")
        shares["store" if agent == "orchestrator" else agent] += (after - moment) * 1e3
    for stage, share in shares.items():
        found[stage].append(share)
    found["turn"].append((ended - began) * 1e3)


@asynccontextmanager
async def _stand(redis_url: str, database_url: str) -> AsyncIterator[tuple[Any, RedisSaver, SessionRecords]]:
    redis, database = open_redis(redis_url), Database(database_url)
    saver = RedisSaver(redis)
    try:
        yield build(Nodes(played.rules())).compile(checkpointer=saver), saver, SessionRecords(database)
    finally:
        await redis.aclose()
        await database.close()


def _saving(records: SessionRecords, session_id: str, hold: ThreadHold) -> Any:
    async def save(turn: Turn) -> None:
        row = TurnRow(session_id, turn.number, turn.request_id, turn.event, turn.llm, turn.response, turn.trace,
                      turn.facts)  # fmt: skip
        await records.append_turn(row, learner=turn.learner, reviews=turn.reviews, ended=turn.ended)
        hold.close_with_save()

    return save


# --- tables -----------------------------------------------------------------------------------------------------------


def _function_table(found: Samples) -> str:
    rows: list[list[Cell]] = []
    for name, (what, budget) in BUDGETS_MS.items():
        times = found[name]
        rows.append([f"{name} {what}", budget, f"{statistics.median(times):.4f}", f"{percentile(times, 99):.4f}",
                     len(times)])  # fmt: skip
    return table(("function", "budget ms", "median ms", "p99 ms", "times measured"), rows)


def _stage_table(shown: dict[str, tuple[float, float | None]], whole: float) -> str:
    rows: list[list[Cell]] = [
        [what, budget, *shown[stage]] for stage, (what, budget) in STAGES_MS.items() if stage in shown
    ]
    rows.append(["together, over HTTP", PATH_MS, whole, None])
    return table(("stage", "the seed's estimate ms", "median ms", "p99 ms"), rows)


_TEXT: Final = f"""\
{TURNS:,} turns of children who are right {RIGHT:.0%} of the time, each function timed where the session needs it. The
stages are those of whole turns in one process on Redis and PostgreSQL: an agent's stage reaches from its first node to
the next agent's, with all that LangGraph does between; storage is lock, load, record and checkpoint, with the steps of
the graph that do them; the answer is what the median of a turn over HTTP has more."""
