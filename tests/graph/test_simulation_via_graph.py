"""A simulated child's session is the same through the plain loop and through the LangGraph graph, turn by turn.

Every third child plays, of which there is each kind; STRIDE=1 in the environment plays them all.
"""

import os
from dataclasses import replace
from typing import Any, Final, get_args

import pytest

from maththera.settings import home
from maththera.simulation.parameters import Kind, load_parameters
from maththera.simulation.session_runs import SessionRunner, Setup, run
from tests.support.tutoring import rules

STRIDE: Final = int(os.environ.get("STRIDE", "3"))
SETUP = Setup(learners=100, seed=21, problems=12, transcript=True)
CHILDREN: Final[list[Any]] = [
    range(10),
    *(pytest.param(range(start, start + 15), marks=pytest.mark.slow) for start in range(10, 100, 15)),
]


@pytest.mark.parametrize("children", CHILDREN, ids=str)
def test_a_session_is_the_same_turn_by_turn(children: range) -> None:
    parameters = load_parameters(home(), rules())
    core, graph = (SessionRunner(rules(), parameters, replace(SETUP, via=via)) for via in ("core", "graph"))
    played = core.run(children[::STRIDE])
    assert all(record.transcript for record in played)
    assert played == graph.run(children[::STRIDE])


def test_a_child_of_each_kind_plays() -> None:
    population = SessionRunner(rules(), load_parameters(home(), rules()), SETUP).population
    pieces = (one if isinstance(one, range) else one.values[0] for one in CHILDREN)
    playing = (population.child(index) for piece in pieces for index in piece[::STRIDE])
    assert {start.learner.defect.kind for start in playing} == {*get_args(Kind)}


@pytest.mark.slow
def test_processes_of_their_own_change_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr("maththera.simulation.session_runs._CHUNK", 10)  # three pieces for two processes
    setup = replace(SETUP, learners=24, problems=3)
    assert run(home(), setup, workers=2) == run(home(), setup, workers=1)
