"""Sessions played in this process, on the graph itself."""

import asyncio
import time
from collections.abc import AsyncIterator, Coroutine
from functools import cache
from itertools import count
from typing import Any, TypeVar

import uvloop

from benchmarks.child import Child, Json
from maththera.settings import home
from maththera.tutoring.content.session_rules import Rules, load_rules
from maththera.tutoring.graph import build
from maththera.tutoring.nodes import Nodes
from maththera.tutoring.turns import envelopes
from maththera.tutoring.turns.turn import TurnContext

Result = TypeVar("Result")


@cache
def rules() -> Rules:
    """Loaded once."""
    return load_rules(home())


def run(work: Coroutine[Any, Any, Result]) -> Result:
    """On the service's event loop."""
    with asyncio.Runner(loop_factory=uvloop.new_event_loop) as runner:
        return runner.run(work)


async def graph_turns(seconds: float, first_seed: int) -> list[float]:
    """The graph floor: the seconds of each turn on the same graph, without a checkpointer, records or HTTP."""
    graph: Any = build(Nodes(rules())).compile(name="tutoring")
    found: list[float] = []
    until = time.perf_counter() + seconds
    async for state, event in _turns(graph, until, first_seed):
        started = time.perf_counter()
        left = await graph.ainvoke({**state, "event": event}, context=TurnContext())
        found.append(time.perf_counter() - started)
        state.clear()
        state.update({key: value for key, value in left.items() if key != "__interrupt__"})
    return found


async def _turns(graph: Any, until: float, first_seed: int) -> AsyncIterator[tuple[Json, Json]]:
    """A state to go on from and what the child sends; whoever takes them leaves the next state in the first."""
    for seed in count(first_seed):
        start = {"seed": seed, "c_position": 1 + seed % 15}
        begun = await graph.ainvoke({"start": start, "event": None, "turn": 0, "last_turn": None})
        state = {key: value for key, value in begun.items() if key != "__interrupt__"}
        child = Child(rules().bank, seed)
        while (task := envelopes.task_view(state["task"], rules())) is not None:
            if time.perf_counter() > until:
                return
            yield state, child.event(task)
