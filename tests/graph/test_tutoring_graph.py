"""The picture of a session is the session: what is drawn is what runs, each node writes what its agent owns."""

import json
from itertools import pairwise
from typing import Any, Final

import pytest
from langchain_core.runnables import RunnableConfig
from langchain_core.runnables.graph import Graph
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from maththera.builtin_graphs import CompiledGraph, tutoring
from maththera.runtime.graph_input import InputError
from maththera.tutoring import transitions
from maththera.tutoring.graph import AGENTS, EDGES, Choice, build
from maththera.tutoring.nodes import Nodes
from maththera.tutoring.state import OWNERS, TutoringState
from tests.support.tutoring import Moods, answered, does_right, rules, task_of

THREAD: Final[RunnableConfig] = {"configurable": {"thread_id": "t"}}

SEED_NAMES: Final = (
    "diagnose", "probe", "adapt", "route_a", "route_b", "recovery_loop", "bridge_loop", "white_out", "feedback",
)  # fmt: skip

WIRING: Final = {
    (source, target, isinstance(edge, Choice))
    for source, edge in EDGES.items()
    for target in (edge.targets if isinstance(edge, Choice) else (edge,))
}


@pytest.fixture(scope="module")
def built_in() -> CompiledGraph:
    """As Studio has it. It is made once, since it loads the rules of the tutor."""
    return tutoring()


@pytest.fixture
def graph(built_in: CompiledGraph) -> CompiledGraph:
    """With an empty checkpointer, as the server gives it one."""
    built_in.checkpointer = InMemorySaver()
    return built_in


@pytest.fixture(scope="module")
def drawing(built_in: CompiledGraph) -> Graph:
    return built_in.get_graph()


def test_the_drawing_has_every_edge_and_no_other(drawing: Graph) -> None:
    assert {(edge.source, edge.target, edge.conditional) for edge in drawing.edges} == WIRING
    assert len(drawing.edges) == len(WIRING)


def test_the_only_ends_are_a_thread_that_is_not_there_and_a_finished_session() -> None:
    assert {source for source, target, _ in WIRING if target == "__end__"} == {"__start__", "record"}


def test_every_node_is_drawn_with_its_agent(drawing: Graph) -> None:
    named = {name: node for name, node in drawing.nodes.items() if not name.startswith("__")}
    agents = {name: (node.metadata or {}).get("agent") for name, node in named.items()}
    assert agents == AGENTS


@pytest.mark.parametrize("name", SEED_NAMES)
def test_the_drawing_speaks_the_terms_of_the_field(name: str, drawing: Graph) -> None:
    assert f"\t{name}(" in drawing.draw_mermaid()


@pytest.mark.parametrize("row", transitions.TABLE, ids=lambda row: row.number)
def test_every_row_goes_along_drawn_edges(row: transitions.Row) -> None:
    path = ["adapt", *(node for node in row.path if node != "adapt"), "select"]
    assert set(pairwise(path)) <= {(source, target) for source, target, _ in WIRING}


def test_the_graph_leaves_the_checkpointer_to_who_runs_it() -> None:
    assert tutoring().checkpointer is None


async def test_a_session_runs_from_nothing_but_its_start(graph: CompiledGraph) -> None:
    """As Studio runs it: no context, no records, a checkpointer of the server's own."""
    found = await graph.ainvoke({"start": {"student_id": "somebody", "problem_count": 3}}, THREAD)
    assert found["__interrupt__"][0].value == found["task"]
    for number in range(1, 4):
        event = does_right(task_of(found), f"r{number}")
        found = await graph.ainvoke(Command(resume=event), THREAD)
        assert found["last_turn"]["response"]["turn"] == number
    assert found["summary"]["right"] == 3


@pytest.mark.parametrize(
    "sent",
    [
        "14",
        [],
        {"type": "answer"},
        {"type": "answer_submitted", "request_id": "r", "task_id": "t1", "rt_ms": 2000},
        {"type": "answer_submitted", "request_id": "r", "task_id": "t1", "rt_ms": 2000, "answer": "많이"},
        {"type": "answer_submitted", "request_id": "r", "task_id": "t1", "rt_ms": "2 s", "answer": 14},
        {
            "type": "answer_submitted", "request_id": "r", "task_id": "t1", "rt_ms": 2000, "answer": 14,
            "behavior_tags": ["OBS_NOBODY_KNOWS"],
        },
        {"type": "timeout", "request_id": "r"},
        {"type": "training_done", "request_id": "r"},
        {"type": "stop"},
    ],
)  # fmt: skip
async def test_what_is_no_event_leaves_the_session_waiting(sent: Any, graph: CompiledGraph) -> None:
    begun = await graph.ainvoke({"start": {"first_problem": "8+6"}}, THREAD)
    still = await graph.ainvoke(Command(resume=sent), THREAD)
    assert still["__interrupt__"][0].value == begun["task"]
    assert still["turn"] == 0
    in_words = {**answered(task_of(still), 0, "r1"), "answer": "십사"}
    assert (await graph.ainvoke(Command(resume=in_words), THREAD))["last_turn"]["response"]["correct"] is True


@pytest.mark.parametrize(("c", "clamped"), [(0, 1), (-3, 1), (16, 15), (8, 8)])
async def test_a_start_off_the_ladder_is_brought_onto_it(c: int, clamped: int, graph: CompiledGraph) -> None:
    found = await graph.ainvoke({"start": {"c_position": c}}, THREAD)
    assert found["c_position"] == found["start"]["c_position"] == clamped


async def test_a_thread_that_is_not_there_ends_at_once(graph: CompiledGraph) -> None:
    """In the service, which then looks into the records; people are told."""
    served = build(Nodes(rules())).compile(checkpointer=InMemorySaver())
    assert not await served.ainvoke(Command(resume={"type": "stop", "request_id": "r"}), THREAD)
    with pytest.raises(InputError, match="nothing to resume"):
        await graph.ainvoke(Command(resume={"type": "stop", "request_id": "r"}), THREAD)


@pytest.mark.parametrize("seed", [*range(4), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(4, 40))])
async def test_every_node_returns_only_what_its_agent_owns_and_plain_json(seed: int) -> None:
    graph = build(Nodes(rules())).compile(checkpointer=InMemorySaver())
    moods = Moods(seed)
    given: Any = {"start": {"seed": seed, "c_position": 1 + seed % 15}}
    for number in range(60):
        async for update in graph.astream(given, THREAD, stream_mode="updates", durability="exit"):
            for node, written in update.items():
                if node != "__interrupt__":
                    assert set(written or {}) <= OWNERS[AGENTS[node]], node
        state = (await graph.aget_state(THREAD)).values
        assert json.loads(json.dumps(state)) == state
        if state["task"] is None:
            break
        given = Command(resume=moods.event(task_of(state), f"r{number}"))


def test_every_key_has_one_owner() -> None:
    keys = [key for owned in OWNERS.values() for key in owned]
    assert sorted(keys) == sorted(TutoringState.__annotations__)
