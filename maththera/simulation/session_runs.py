"""Runs children through the tutor: through the plain loop in parallel processes, or through the LangGraph graph."""

import asyncio
import os
from collections.abc import Callable, Iterator, Mapping, Sequence
from concurrent.futures import ProcessPoolExecutor, as_completed
from contextlib import contextmanager
from dataclasses import dataclass, field, replace
from functools import lru_cache, partial
from pathlib import Path
from signal import SIG_IGN, SIGINT, signal
from typing import Any, Final, Literal, Self, cast

from maththera.simulation.parameters import Kind, Parameters, load_parameters
from maththera.simulation.population import Population, Start
from maththera.simulation.simulated_learner import Input
from maththera.simulation.simulated_session import SessionRecord, SimulatedSession
from maththera.tutoring.content.session_rules import Rules, load_rules
from maththera.tutoring.graph import build
from maththera.tutoring.nodes import Nodes
from maththera.tutoring.session.in_memory_engine import InMemoryEngine
from maththera.tutoring.start import complete_start
from maththera.tutoring.state import SCHEMA_VERSION, TutoringState
from maththera.tutoring.turns.turn import TurnContext

Via = Literal["core", "graph"]
_CHUNK: Final = 50
"""Children per piece of work: small enough for a smooth bar, large enough to hide the cost of handing it over."""


@dataclass(frozen=True, slots=True)
class Setup:
    """One condition of an experiment. A rate of None is the configured one; empty `kinds` mean the whole population."""

    learners: int
    seed: int
    slip: float | None = None
    guess: float | None = None
    problems: int = 15
    input: Input = "typed"
    via: Via = "core"
    held_out: frozenset[str] = frozenset()
    kinds: tuple[Kind, ...] = ()
    policy: Mapping[str, Any] = field(default_factory=dict)
    transcript: bool = False


class SessionRunner:
    """The tutor and its children, loaded once for any number of sessions."""

    @classmethod
    def load(cls, home: Path, setup: Setup) -> Self:
        return cls(*loaded(home), setup)

    def __init__(self, rules: Rules, parameters: Parameters, setup: Setup) -> None:
        rates = {"slip": setup.slip, "guess": setup.guess, "guess_tap": setup.guess}
        parameters = parameters.model_copy(update={name: rate for name, rate in rates.items() if rate is not None})
        self.rules = replace(rules, held_out=setup.held_out)
        self.population = Population(
            self.rules,
            parameters,
            seed=setup.seed,
            input_kind=setup.input,
            held_out=setup.held_out,
            kinds=setup.kinds,
        )
        self._setup = setup
        self._engine = InMemoryEngine(Nodes(self.rules))

    def run(self, indices: Sequence[int]) -> list[SessionRecord]:
        """The sessions of these children."""
        if self._setup.via == "graph":
            return asyncio.run(self._through_graph(indices))
        return [self._through_core(index) for index in indices]

    def _prepared_session(self, index: int) -> tuple[Start, SimulatedSession, dict[str, Any]]:
        start = self.population.child(index)
        wanted = {**start.session, "problem_count": self._setup.problems, "policy": self._setup.policy}
        return (
            start,
            SimulatedSession(start, self.rules, transcript=self._setup.transcript),
            complete_start(wanted, self.rules),
        )

    def _through_core(self, index: int) -> SessionRecord:
        _, playing, wanted = self._prepared_session(index)
        state = self._engine.begin(wanted)
        while state["task"] is not None:
            after = self._engine.turn(state, playing.event(state))
            playing.note(state, after)
            state = after
        return playing.finish(state)

    async def _through_graph(self, indices: Sequence[int]) -> list[SessionRecord]:
        graph = build(Nodes(self.rules)).compile()
        records = []
        for index in indices:
            _, playing, wanted = self._prepared_session(index)
            given: Any = {"schema_version": SCHEMA_VERSION, "start": wanted, "event": None, "turn": 0,
                          "last_turn": None}  # fmt: skip
            state = cast("TutoringState", await graph.ainvoke(given, context=TurnContext()))
            while state["task"] is not None:
                waiting: Any = {key: value for key, value in state.items() if key != "__interrupt__"}
                event = playing.event(state)
                waiting["event"] = event
                after = cast("TutoringState", await graph.ainvoke(waiting, context=TurnContext()))
                playing.note(state, after)
                state = after
            records.append(playing.finish(state))
        return records


@lru_cache(maxsize=1)
def loaded(home: Path) -> tuple[Rules, Parameters]:
    """What every run of an experiment needs, read once in a process; those that are forked from it have it too."""
    rules = load_rules(home)
    return rules, load_parameters(home, rules)


def run(
    home: Path, setup: Setup, workers: int, progress: Callable[[int], None] = lambda _: None
) -> list[SessionRecord]:
    """The records of all children, by number. `progress` is called with the number of newly finished ones. One worker
    runs in this process, more in processes of their own; the results are the same."""
    pieces = [range(start, min(start + _CHUNK, setup.learners)) for start in range(0, setup.learners, _CHUNK)]
    records: list[SessionRecord] = []
    for found in _pieces(home, setup, workers, pieces):
        records.extend(found)
        progress(len(found))
    return sorted(records, key=lambda record: record.index)


def cores() -> int:
    """The processors that this process may use."""
    return len(os.sched_getaffinity(0)) if hasattr(os, "sched_getaffinity") else os.cpu_count() or 1


def _pieces(home: Path, setup: Setup, workers: int, pieces: Sequence[range]) -> Iterator[list[SessionRecord]]:
    if workers == 1:
        laboratory = SessionRunner.load(home, setup)
        yield from (laboratory.run(piece) for piece in pieces)
        return
    with processes(workers, partial(_load_runner, home, setup)) as pool:
        for done in as_completed([pool.submit(_run_chunk, piece) for piece in pieces]):
            yield done.result()


@contextmanager
def processes(workers: int, begin: Callable[[], None]) -> Iterator[ProcessPoolExecutor]:
    """Worker processes set up by `begin`. An interrupted run waits only for the pieces under way."""
    pool = ProcessPoolExecutor(workers, initializer=partial(_init_worker, begin))
    try:
        yield pool
    finally:
        pool.shutdown(cancel_futures=True)


def _init_worker(begin: Callable[[], None]) -> None:
    signal(SIGINT, SIG_IGN)  # Ctrl-C reaches all processes; the first one ends the others
    begin()


_WORKER_RUNNER: list[SessionRunner] = []
"""The `SessionRunner` of a worker process."""


def _load_runner(home: Path, setup: Setup) -> None:
    _WORKER_RUNNER[:] = [SessionRunner.load(home, setup)]


def _run_chunk(piece: Sequence[int]) -> list[SessionRecord]:
    return _WORKER_RUNNER[0].run(piece)
