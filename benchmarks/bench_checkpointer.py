"""RedisSaver beside InMemorySaver and, where it is installed, ValkeySaver (langgraph-checkpoint-aws[valkey]).

All of them run the same graph at `durability="exit"`: seven nodes, a state of about 3 kB, an interrupt that ends every
turn. Turns alternate between the savers, so that a busy machine slows all alike; times are medians. A turn that waits
for Redis also waits for whoever else wants its core, so on a shared machine the CPU time of this process says more than
the clock.

    python -m benchmarks.bench_checkpointer [--redis-url URL] [--turns N]
"""

import argparse
import asyncio
import statistics
import sys
import tempfile
import time
from collections.abc import AsyncIterator, Awaitable
from contextlib import AsyncExitStack, asynccontextmanager
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, TypedDict

from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.base import BaseCheckpointSaver, CheckpointTuple
from langgraph.checkpoint.base.id import uuid6
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.checkpoint.serde.types import INTERRUPT
from langgraph.graph import START, StateGraph
from langgraph.types import Command, Interrupt, interrupt
from redis.asyncio import Redis
from uvicorn import Config

from maththera.runtime.checkpointer import WEEK_SECONDS, RedisSaver
from maththera.runtime.embedded_redis import EmbeddedRedis
from maththera.runtime.redis_client import open_redis

ROUNDS = 5
CALLS = 200  # loads and saves measured in a round
SHORT_SESSION, LONG_SESSION = 15, 200
NODES = ("observe", "diagnose", "adapt", "select", "word", "answer")
_GREETINGS = ("client", "hello", "config", "info", "select", "memory", "scan", "flushdb", "auth")


class Session(TypedDict, total=False):
    turn: int
    recent: list[dict[str, Any]]
    causes: dict[str, float]
    trace: list[dict[str, Any]]
    response: dict[str, Any]


@dataclass
class Figures:
    """What one saver costs. Bytes and commands are None for a saver without a server."""

    name: str
    load_us: float
    save_us: float
    turn_ms: float
    turn_cpu_ms: float
    commands: float | None = None
    wire_bytes: float | None = None
    stored_short: int | None = None
    stored_long: int | None = None


@dataclass
class _Times:
    load: list[float] = field(default_factory=list)
    save: list[float] = field(default_factory=list)
    turn: list[float] = field(default_factory=list)
    turn_cpu: list[float] = field(default_factory=list)


Graph = Any
Savers = dict[str, BaseCheckpointSaver[Any]]


def session_graph(saver: BaseCheckpointSaver[Any]) -> Graph:
    """A session of the size and shape of a tutoring session; `ask` waits for the next answer."""
    builder = StateGraph(Session)
    builder.add_node("ask", _ask)
    builder.add_edge(START, "ask")
    for before, node in zip(("ask", *NODES), NODES, strict=False):
        builder.add_node(node, _step(node))
        builder.add_edge(before, node)
    builder.add_edge(NODES[-1], "ask")
    return builder.compile(checkpointer=saver)


async def _ask(state: Session) -> Session:
    answer = interrupt({"task_id": f"t-{state.get('turn', 0)}", "prompt": "28+15=□", "c_level": 5, "input": "keypad"})
    return {"recent": [*state.get("recent", []), answer][-20:], "trace": [], "turn": state.get("turn", 0) + 1}


def _step(node: str) -> Any:
    async def step(state: Session) -> Session:
        entry = {"node": node, "rule": "F-04", "because": "받아올림을 두 번 빠뜨림", "w": 2.35, "confidence": 0.8125}
        return {
            "trace": [*state["trace"], entry],
            "causes": {f"SPATIAL_L4_CAUSE_{n}": state["turn"] / (n + 1) for n in range(12)},
            "response": {"text": "한 자리씩 다시 볼까요?", "visual": "base_ten", "steps": [node] * 3},
        }

    return step


async def measure(redis_url: str, turns: int = LONG_SESSION) -> list[Figures]:
    """Empties the database at `redis_url`, then measures every saver that can be had."""
    async with open_redis(redis_url) as redis, _savers(redis_url, redis) as savers:
        await redis.flushdb()
        times = {name: _Times() for name in savers}
        for number in range(ROUNDS):
            await _round(savers, f"round-{number}", turns, times)
        figures = [_figures(name, each) for name, each in times.items()]
        for each in figures:
            if each.name != "InMemorySaver":
                await _count(redis, savers[each.name], each)
        return figures


def table(figures: list[Figures]) -> str:
    """As Markdown, with each saver's turn beside InMemorySaver's."""
    floor = next(each for each in figures if each.name == "InMemorySaver")
    lines = [
        f"| saver | load µs | save µs | turn ms | × in memory | turn CPU ms | × in memory | commands a turn "
        f"| bytes on the wire a turn | bytes kept after {SHORT_SESSION} turns | after {LONG_SESSION} turns |",
        "|---|--:|--:|--:|--:|--:|--:|--:|--:|--:|--:|",
    ]
    for each in figures:
        counted = (each.commands, each.wire_bytes, each.stored_short, each.stored_long)
        cells = [
            each.name,
            f"{each.load_us:.0f}",
            f"{each.save_us:.0f}",
            f"{each.turn_ms:.2f}",
            f"{each.turn_ms / floor.turn_ms:.2f}",
            f"{each.turn_cpu_ms:.2f}",
            f"{each.turn_cpu_ms / floor.turn_cpu_ms:.2f}",
            *("–" if value is None else f"{value:,.0f}" for value in counted),
        ]
        lines.append(f"| {' | '.join(cells)} |")
    return "\n".join(lines)


@asynccontextmanager
async def _savers(redis_url: str, redis: Redis) -> AsyncIterator[Savers]:
    savers: Savers = {"InMemorySaver": InMemorySaver(), "RedisSaver": RedisSaver(redis)}
    async with AsyncExitStack() as stack:
        try:
            from langgraph_checkpoint_aws.checkpoint.valkey import AsyncValkeySaver  # type: ignore[import-not-found]
            from valkey.asyncio import Valkey  # type: ignore[import-not-found]
        except ImportError as error:
            print(f"ValkeySaver is left out: {error} (langgraph-checkpoint-aws[valkey] brings it)", file=sys.stderr)
        else:
            client = await stack.enter_async_context(Valkey.from_url(redis_url))
            savers["ValkeySaver"] = AsyncValkeySaver(client, ttl=WEEK_SECONDS)
        yield savers


async def _round(savers: Savers, thread_id: str, turns: int, times: dict[str, _Times]) -> None:
    graphs = {name: session_graph(saver) for name, saver in savers.items()}
    configs = {name: await _begin(graph, f"{name}-{thread_id}") for name, graph in graphs.items()}
    for number in range(turns):
        for name, graph in graphs.items():
            cpu = time.process_time()
            times[name].turn.append(await _timed(_turn(graph, configs[name], number)))
            times[name].turn_cpu.append(time.process_time() - cpu)
    for name, saver in savers.items():
        await _calls(saver, configs[name], times[name])


async def _calls(saver: BaseCheckpointSaver[Any], config: RunnableConfig, times: _Times) -> None:
    latest = await saver.aget_tuple(config)
    if latest is None:
        raise RuntimeError(f"{config} is not there")
    for _ in range(CALLS):
        times.load.append(await _timed(saver.aget_tuple(config)))
        times.save.append(await _timed(_save(saver, latest)))


async def _begin(graph: Graph, thread_id: str) -> RunnableConfig:
    config: RunnableConfig = {"configurable": {"thread_id": thread_id, "checkpoint_ns": ""}}
    await graph.ainvoke({"turn": 0}, config, durability="exit")
    return config


async def _turn(graph: Graph, config: RunnableConfig, number: int) -> None:
    answer = {"type": "answer", "request_id": f"r-{number}", "value": 43, "rt_ms": 5230, "focus_lost": False}
    await graph.ainvoke(Command(resume=answer), config, durability="exit")


async def _save(saver: BaseCheckpointSaver[Any], latest: CheckpointTuple) -> None:
    """What the end of a turn saves: a checkpoint after `latest`, and the interrupt that waits on it."""
    checkpoint = latest.checkpoint.copy()
    checkpoint["id"] = str(uuid6())
    written: RunnableConfig = {"configurable": {**latest.config["configurable"], "checkpoint_id": checkpoint["id"]}}
    waiting = [(INTERRUPT, [Interrupt(value={"task_id": "t-1", "prompt": "28+15=□"}, id="i-1")])]
    await asyncio.gather(
        saver.aput(latest.config, checkpoint, latest.metadata, checkpoint["channel_versions"]),
        saver.aput_writes(written, waiting, "task-1", "~__pregel_pull, ask"),
    )


async def _timed(call: Awaitable[object]) -> float:
    started = time.perf_counter()
    await call
    return time.perf_counter() - started


def _figures(name: str, times: _Times) -> Figures:
    load, save, turn, cpu = map(statistics.median, (times.load, times.save, times.turn, times.turn_cpu))
    return Figures(name, load * 1e6, save * 1e6, turn * 1e3, cpu * 1e3)


async def _count(redis: Redis, saver: BaseCheckpointSaver[Any], figures: Figures) -> None:
    await redis.flushdb()
    graph = session_graph(saver)
    config = await _begin(graph, "counted")
    for number in range(SHORT_SESSION):
        await _turn(graph, config, number)
    figures.stored_short = await _stored(redis)
    commands, wire = await _traffic(redis)
    for number in range(SHORT_SESSION, LONG_SESSION):
        await _turn(graph, config, number)
    turns = LONG_SESSION - SHORT_SESSION
    commands_after, wire_after = await _traffic(redis)
    figures.commands, figures.wire_bytes = (commands_after - commands) / turns, (wire_after - wire) / turns
    figures.stored_long = await _stored(redis)


async def _traffic(redis: Redis) -> tuple[int, int]:
    """Commands and bytes, both ways, since the server started; without what this module asks itself."""
    stats = await redis.info("commandstats")
    names = ((name.removeprefix("cmdstat_"), figures["calls"]) for name, figures in stats.items())
    wire = await redis.info("stats")
    return (
        sum(calls for name, calls in names if not name.startswith(_GREETINGS)),
        wire["total_net_input_bytes"] + wire["total_net_output_bytes"],
    )


async def _stored(redis: Redis) -> int:
    return sum([await redis.memory_usage(key, samples=0) or 0 async for key in redis.scan_iter()])


def main() -> None:
    parser = argparse.ArgumentParser(description="What checkpoints cost, saver by saver.")
    parser.add_argument("--redis-url", help="its database is emptied; default: a private server in a temporary folder")
    parser.add_argument("--turns", type=int, default=LONG_SESSION, help="turns in each of the rounds")
    arguments = parser.parse_args()
    with (
        tempfile.TemporaryDirectory() as folder,
        asyncio.Runner(
            loop_factory=Config(app="").get_loop_factory()  # the service's loop
        ) as runner,
    ):
        if arguments.redis_url:
            print(table(runner.run(measure(arguments.redis_url, arguments.turns))))
            return
        with EmbeddedRedis(Path(folder)) as server:
            print(table(runner.run(measure(server.url, arguments.turns))))


if __name__ == "__main__":
    main()
