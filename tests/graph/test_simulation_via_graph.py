"""A simulated child's session is the same through the plain loop and through the LangGraph graph, turn by turn."""

from dataclasses import replace

import pytest

from maththera.settings import home
from maththera.simulation.parameters import load_parameters
from maththera.simulation.session_runs import SessionRunner, Setup, run
from tests.support.tutoring import rules

SETUP = Setup(learners=100, seed=21, problems=12, transcript=True)
CHILDREN = [
    range(10),
    *(pytest.param(range(start, start + 15), marks=pytest.mark.slow) for start in range(10, 100, 15)),
]


@pytest.mark.parametrize("children", CHILDREN, ids=str)
def test_a_session_is_the_same_turn_by_turn(children: range) -> None:
    parameters = load_parameters(home(), rules())
    core, graph = (SessionRunner(rules(), parameters, replace(SETUP, via=via)) for via in ("core", "graph"))
    played = core.run(children)
    assert all(record.transcript for record in played)
    assert played == graph.run(children)


@pytest.mark.slow
def test_processes_of_their_own_change_nothing() -> None:
    setup = replace(SETUP, learners=120, problems=3)
    assert run(home(), setup, workers=2) == run(home(), setup, workers=1)
