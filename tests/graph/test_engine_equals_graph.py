"""The plain loop and the graph are one machine: the same events lead to the same answers, traces and states."""

import json
from typing import Any, Final, cast

import pytest
from langchain_core.runnables import RunnableConfig
from langgraph.checkpoint.memory import InMemorySaver
from langgraph.types import Command

from maththera.llm.model_client import Models
from maththera.settings import home
from maththera.tutoring.graph import build
from maththera.tutoring.nodes import Nodes
from maththera.tutoring.session.in_memory_engine import InMemoryEngine
from maththera.tutoring.start import complete_start
from maththera.tutoring.state import SCHEMA_VERSION, Event, TutoringState
from maththera.tutoring.turns.turn import Turn, TurnContext
from tests.support.fake_llm import FakeLlm
from tests.support.tutoring import Moods, rules, task_of

THREAD: Final[RunnableConfig] = {"configurable": {"thread_id": "t"}}
MOST_TURNS: Final = 60
SEEDS: Final = [*range(12), *(pytest.param(seed, marks=pytest.mark.slow) for seed in range(12, 40))]
"""The first thirty meet every kind of step, message and decision that the first 120 meet."""


def start_of(seed: int) -> dict[str, Any]:
    return complete_start({"seed": seed, "student_id": "s", "c_position": 1 + seed % 15, "problem_count": 12}, rules())


def shown(turn: Turn) -> dict[str, Any]:
    """All of a turn but the times of its stages."""
    return {
        "number": turn.number,
        "response": turn.response,
        "trace": [one for one in turn.trace if one["type"] != "stages"],
        "facts": turn.facts,
        "learner": turn.learner,
        "reviews": turn.reviews,
        "ended": turn.ended,
    }


async def run_graph(seed: int, models: Models | None = None) -> list[tuple[Turn, TutoringState]]:
    """A whole session; every turn with the state after it."""
    graph = build(Nodes(rules(), models)).compile(checkpointer=InMemorySaver())
    moods, turns = Moods(seed), []
    given: Any = {"schema_version": SCHEMA_VERSION, "start": start_of(seed), "event": None, "turn": 0,
                  "last_turn": None}  # fmt: skip
    state = await graph.ainvoke(given, THREAD, context=TurnContext(), durability="exit")
    for number in range(MOST_TURNS):
        if state["task"] is None:
            break
        context = TurnContext()
        event = moods.event(task_of(state), f"r{number}")
        state = await graph.ainvoke(Command(resume=event), THREAD, context=context, durability="exit")
        assert context.turn is not None
        kept = {key: value for key, value in state.items() if key not in ("__interrupt__", "schema_version")}
        turns.append((context.turn, cast("TutoringState", kept)))
    return turns


def rerun(seed: int, turns: list[Turn], engine: InMemoryEngine) -> list[tuple[Turn, TutoringState]]:
    """The same events through the plain loop, what a model said taken from the record."""
    state, found = engine.begin(start_of(seed)), []
    for turn in turns:
        context = TurnContext()
        before = json.dumps(state)
        after = engine.turn(state, cast("Event", {**turn.event, "llm": turn.llm}), context)
        assert json.dumps(state) == before, "a node changed what it was given"
        assert context.turn is not None
        state = after
        found.append((context.turn, state))
    return found


@pytest.mark.parametrize("seed", SEEDS)
async def test_a_session_is_the_same_turn_by_turn(seed: int) -> None:
    ran = await run_graph(seed)
    again = rerun(seed, [turn for turn, _ in ran], InMemoryEngine(Nodes(rules())))
    assert len(ran) >= 1
    for (turn, state), (repeated, state_again) in zip(ran, again, strict=True):
        assert shown(turn) == shown(repeated)
        assert state == state_again


@pytest.mark.parametrize("seed", [1, pytest.param(2, marks=pytest.mark.slow), pytest.param(3, marks=pytest.mark.slow)])
async def test_the_same_inputs_give_the_same_bytes(seed: int) -> None:
    first, second = [
        json.dumps([(turn.response, turn.trace[:-1]) for turn, _ in await run_graph(seed)], ensure_ascii=False)
        for _ in range(2)
    ]
    assert first == second


@pytest.mark.slow
async def test_a_session_that_asked_a_model_is_repeated_without_one() -> None:
    with FakeLlm() as llm:
        models = Models.load(home(), llm.base_url, "key", "gpt-4o", "gpt-4o")
        ran = [(seed, await run_graph(seed, models)) for seed in range(104, 110)]
        await models.aclose()
    asked = [ask["kind"] for _, turns in ran for turn, _ in turns for ask in turn.llm]
    assert "diagnosis" in asked
    for seed, turns in ran:
        again = rerun(seed, [turn for turn, _ in turns], InMemoryEngine(Nodes(rules())))
        assert [shown(turn) for turn, _ in again] == [shown(turn) for turn, _ in turns]
        assert [state for _, state in again] == [state for _, state in turns]
