"""Flows: reading and checking them, the cost of a step, and how close the runs come to what the tools alone take."""

import asyncio
import operator
import statistics
import time
from collections.abc import Awaitable, Callable, Mapping
from functools import partial
from typing import Annotated, Any, Final, TypedDict

from langgraph.checkpoint.memory import InMemorySaver
from langgraph.graph import START, StateGraph

from benchmarks import played
from benchmarks.report import Section, Target, at_most, table
from maththera.flows.checker.flow_checker import load
from maththera.flows.flow import Flow
from maththera.flows.runs.compiler import compile_flow
from maththera.flows.runs.flow_runner import run_flow
from maththera.flows.runs.step_services import StepServices
from maththera.runtime.tool_interface import ToolSpec

ROUNDS: Final = 9
STEPS: Final = 50
MANY_STEPS: Final = 1_000
ITEMS: Final = 1_000
AT_ONCE: Final = 20
CALL_SECONDS: Final = 0.02
FAST: Final = 0.05  # seconds of the steps of two independent chains
SLOW: Final = 0.4
CHAIN: Final = 3

_OBJECT: Final = {"type": "object", "properties": {"n": {"type": "integer"}}}
_SPEC: Final = ToolSpec("s", "t", "a tool", _OBJECT, {**_OBJECT, "required": ["n"]}, writes=False, idempotent=True)


class _Tools:
    """Answers after `seconds`."""

    def __init__(self, seconds: float = 0.0) -> None:
        self.seconds = seconds

    def catalogue(self) -> Mapping[str, Mapping[str, ToolSpec]]:
        return {"s": {"t": _SPEC}}

    async def call(
        self,
        server: str,  # noqa: ARG002
        tool: str,  # noqa: ARG002
        arguments: Mapping[str, Any],
        *,
        timeout: float | None = None,  # noqa: ARG002, ASYNC109
        attempts: int | None = None,  # noqa: ARG002
    ) -> dict[str, Any]:
        if self.seconds:
            await asyncio.sleep(self.seconds)
        return {"n": arguments.get("n", 0)}


_THREAD: Final[Any] = {"configurable": {"thread_id": "t"}, "recursion_limit": STEPS + 10}


def measure() -> Section:
    """Best of several rounds beside the median, as other work on the machine only ever adds."""
    reading = {count: _times(partial(_read, _chain(count))) for count in (STEPS, MANY_STEPS)}
    running = played.run(_running())
    overhead = running["flow"] / running["graph"]
    chains = running["chains"] / (CHAIN * SLOW)
    foreach = running["foreach"] / running["semaphore"]
    targets = [
        at_most(f"check and compile {STEPS} steps, warm", 1_000 * min(reading[STEPS]), 60, " ms"),
        at_most(f"check and compile {MANY_STEPS:,} steps", min(reading[MANY_STEPS]), 1, " s", 2),
        at_most("a step's cost beside a hand-written graph", overhead, 1.3, " ×", 2),
        Target(
            f"two chains of {CHAIN} steps ({FAST} s and {SLOW} s) beside the longer one",
            f"{chains:.2f} ×",
            "≤ 1.1 ×",
            chains <= 1.1,
        ),
        at_most(f"foreach over {ITEMS:,} items beside a bare semaphore", foreach, 1.2, " ×", 2),
    ]
    rows: list[tuple[str, float, float | None]] = [
        (f"check and compile {count:,} steps, best of {ROUNDS}", 1_000 * min(times), 1_000 * statistics.median(times))
        for count, times in reading.items()
    ]
    rows += [(what, 1_000 * running[name], None) for name, what in _ROWS.items()]
    return Section("Flows", _TEXT, targets, [table(("what", "best, ms", "median, ms"), rows)])


_ROWS: Final = {
    "flow": f"run of a chain of {STEPS} steps",
    "graph": f"the same, hand-written as a LangGraph graph of {STEPS} nodes",
    "chains": "two independent chains",
    "foreach": f"foreach over {ITEMS:,} items, {AT_ONCE} at once, {1_000 * CALL_SECONDS:g} ms each",
    "semaphore": "the same calls under an asyncio semaphore",
}
_TEXT: Final = (
    "Each flow calls a tool in the same process, so that nothing but the flow is measured. The hand-written graph has "
    "one node for each step, which calls the same tool with the same arguments. Both save"
    " to LangGraph's InMemorySaver."
)


def _chain(count: int) -> str:
    """Each step reads the result of the one before it."""
    steps = "\n".join(
        f"    - id: s{n}\n      mcp_call: {{server: s, tool: t, params: {{n: {f'$s{n - 1}_result.n' if n else 1}}}}}"
        for n in range(count)
    )
    return f"flow:\n  name: chain\n  steps:\n{steps}\n  outputs: {{n: $s{count - 1}_result.n}}\n"


def _read(text: str) -> Flow:
    flow = load(text, catalogue=_Tools().catalogue())
    compile_flow(flow, StepServices(_Tools()))
    return flow


def _times(work: Callable[[], object]) -> list[float]:
    work()
    found = []
    for _ in range(ROUNDS):
        started = time.perf_counter()
        work()
        found.append(time.perf_counter() - started)
    return found


async def _best(work: Callable[[], Awaitable[object]], rounds: int = ROUNDS) -> float:
    await work()
    found = []
    for _ in range(rounds):
        started = time.perf_counter()
        await work()
        found.append(time.perf_counter() - started)
    return min(found)


async def _running() -> dict[str, float]:
    """Seconds of each."""
    chain, services = _read(_chain(STEPS)), StepServices(_Tools())
    builder = _hand_written(_Tools())

    def hand_written() -> Any:
        return builder.compile(checkpointer=InMemorySaver())

    slow = StepServices(_Tools(CALL_SECONDS))
    foreach = _read(
        "flow:\n  name: foreach\n  inputs: [{name: all, type: list}]\n  steps:\n    - id: loop\n      action: foreach\n"
        f"      items: $inputs.all\n      max_concurrency: {AT_ONCE}\n"
        "      steps: [{id: each, mcp_call: {server: s, tool: t, params: {n: $item}}}]\n"
    )
    items = {"all": list(range(ITEMS))}
    return {
        "flow": await _best(lambda: run_flow(chain, {}, services, checkpointer=InMemorySaver())),
        "graph": await _best(lambda: hand_written().ainvoke({"n": 1}, _THREAD)),
        "chains": await _best(lambda: run_flow(_read(_two_chains()), {}, StepServices(_Chains())), 2),
        "foreach": await _best(lambda: run_flow(foreach, items, slow), 2),
        "semaphore": await _best(lambda: _semaphore(_Tools(CALL_SECONDS)), 2),
    }


class _State(TypedDict, total=False):
    n: int
    outputs: Annotated[dict[str, Any], operator.or_]
    completed_steps: Annotated[list[str], operator.add]


def _hand_written(tools: _Tools) -> Any:
    graph = StateGraph(_State)
    for n in range(STEPS):

        async def node(state: _State, name: str = f"s{n}", before: str = f"s{n - 1}") -> dict[str, Any]:
            given = state["outputs"][before]["n"] if name != "s0" else 1
            result = await tools.call("s", "t", {"n": given})
            return {"outputs": {name: result}, "completed_steps": [name]}

        graph.add_node(f"s{n}", node)
        graph.add_edge(f"s{n - 1}" if n else START, f"s{n}")
    return graph


class _Chains(_Tools):
    """0 is a fast call, 1 a slow one."""

    async def call(self, server: str, tool: str, arguments: Mapping[str, Any], **_: Any) -> dict[str, Any]:  # noqa: ARG002
        await asyncio.sleep(SLOW if arguments["n"] else FAST)
        return {"n": arguments["n"]}


def _two_chains() -> str:
    steps = "\n".join(
        f"    - {{id: {name}{n}, mcp_call: {{server: s, tool: t, params: {{n: {kind}}}}}"
        f"{f', depends_on: [{name}{n - 1}]' if n else ''}}}"
        for kind, name in enumerate(("fast", "slow"))
        for n in range(CHAIN)
    )
    return f"flow:\n  name: chains\n  steps:\n{steps}\n"


async def _semaphore(tools: _Tools) -> list[dict[str, Any]]:
    semaphore = asyncio.Semaphore(AT_ONCE)

    async def one(n: int) -> dict[str, Any]:
        async with semaphore:
            return await tools.call("s", "t", {"n": n})

    return await asyncio.gather(*(one(n) for n in range(ITEMS)))
