"""Side chains of any flow: every step is in one node, and runs after those it needs."""

import asyncio
from contextlib import suppress
from typing import Any

from hypothesis import given, settings
from hypothesis import strategies as st
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.errors import NodeCancelledError

from maththera.flows.runs.compiler import build
from maththera.flows.runs.flow_runner import run_flow
from maththera.flows.runs.parallel_branches import Branch, units
from maththera.flows.runs.step_services import StepServices
from tests.graph.test_flow_runs import call, read, tools


@st.composite
def flows(draw):
    """A flow of up to nine steps, and step → the steps it needs."""
    needs: dict[str, list[str]] = {}
    for number in range(draw(st.integers(1, 9))):
        before = list(needs)
        needs[f"s{number}"] = draw(st.lists(st.sampled_from(before), unique=True, max_size=3)) if before else []
    order = draw(st.permutations(list(needs)))
    lines = [
        f"    - {{id: {name}, {call('one', f'{{n: {name}}}')}, depends_on: [{', '.join(needs[name])}]}}"
        for name in order
    ]
    return read("  steps:\n" + "\n".join(lines)), needs


def every(parts):
    for part in parts:
        yield from every(part.units) if isinstance(part, Branch) else (part.id,)


@given(flows())
def test_every_step_is_in_one_node_behind_those_it_needs(given_flow):
    flow, needs = given_flow
    found = list(every(units(flow.steps)))

    assert sorted(found) == sorted(needs)
    for name in found:
        assert all(found.index(need) < found.index(name) for need in needs[name])


@settings(max_examples=60, deadline=None)
@given(flows(), st.sampled_from(["edited", "broken off", "stopped"]), st.data())
async def test_new_input_on_an_old_thread_begins_anew(given_flow, before, data):
    flow, needs = given_flow
    broken, ran = set(), []

    async def one(n):
        if n in broken:
            raise asyncio.CancelledError
        ran.append(n)
        return {"n": n}

    graph = build(flow, StepServices(tools(one=one))).compile(checkpointer=InMemorySaver())
    config: RunnableConfig = {"configurable": {"thread_id": "t"}}
    step = data.draw(st.sampled_from([name for name in needs if name in graph.nodes] or list(needs)))
    broken |= {step} if before == "broken off" else set()
    stops: Any = [step] if before == "stopped" and step in graph.nodes else None
    with suppress(NodeCancelledError):
        await graph.ainvoke({"inputs": {}}, config, interrupt_before=stops)
    if before == "edited" and step in graph.nodes:
        await graph.aupdate_state(config, {"steps": {step: {"status": "done", "value": {}}}}, as_node=step)
    broken.clear()
    ran.clear()

    state = await graph.ainvoke({"inputs": {}}, config)

    assert (state["status"], sorted(ran)) == ("completed", sorted(needs))
    for name in ran:
        assert all(ran.index(need) < ran.index(name) for need in needs[name])


@settings(max_examples=30, deadline=None)
@given(flows())
async def test_every_step_runs_once_after_those_it_needs(given_flow):
    flow, needs = given_flow
    fake = tools(one=lambda n: {"n": n})

    outcome = await run_flow(flow, {}, StepServices(fake), checkpointer=InMemorySaver())

    ran = [arguments["n"] for _, arguments in fake.calls]
    assert (outcome.status, sorted(ran)) == ("completed", sorted(needs))
    for name in ran:
        assert all(ran.index(need) < ran.index(name) for need in needs[name])
