"""Checkpoints of our saver beside InMemorySaver and ValkeySaver; `bench_checkpointer` holds what is done."""

from typing import Final

from benchmarks import bench_checkpointer, played
from benchmarks.bench_checkpointer import Figures
from benchmarks.report import Section, Target, at_most
from tests.support.servers import RedisServer

TURNS: Final = 100
LIMIT_OF_MEMORY, LIMIT_COMMANDS = 1.15, 4.0


def measure() -> Section:
    """On a Redis of its own."""
    server = RedisServer()
    try:
        server.start()
        figures = played.run(bench_checkpointer.measure(server.url, TURNS))
    finally:
        server.remove()
    by_name = {one.name: one for one in figures}
    ours, memory, valkey = (by_name.get(name) for name in ("RedisSaver", "InMemorySaver", "ValkeySaver"))
    if ours is None or memory is None:
        raise RuntimeError("RedisSaver and InMemorySaver are always measured")
    targets = [
        at_most("turn with RedisSaver ÷ with InMemorySaver, CPU", ours.turn_cpu_ms / memory.turn_cpu_ms,
                LIMIT_OF_MEMORY, "", 2),
        at_most("commands of RedisSaver a turn", ours.commands or 0, LIMIT_COMMANDS, ""),
        *(_ahead(ours, valkey) if valkey else [Target("ahead of ValkeySaver", "not measured", "–", met=False)]),
    ]  # fmt: skip
    return Section("Save and load of a checkpoint", _TEXT, targets, [bench_checkpointer.table(figures)])


def _ahead(ours: Figures, valkey: Figures) -> list[Target]:
    pairs = {
        "time of a turn, ms": (ours.turn_ms, valkey.turn_ms),
        "commands a turn": (ours.commands or 0, valkey.commands or 0),
        "bytes on the wire a turn": (ours.wire_bytes or 0, valkey.wire_bytes or 0),
        f"bytes kept after {bench_checkpointer.LONG_SESSION} turns": (ours.stored_long or 0, valkey.stored_long or 0),
    }
    return [
        Target(f"{what}: ahead of ValkeySaver", f"{own:,.1f}", f"< {other:,.1f}", own < other)
        for what, (own, other) in pairs.items()
    ]


_TEXT: Final = """\
The same graph of seven nodes with a state of about 3 kB and `durability="exit"`, on one Redis; the savers alternate
after every turn. ValkeySaver is measured where `langgraph-checkpoint-aws[valkey]` is installed
(`.venv/bin/python -m pip install` it)."""
