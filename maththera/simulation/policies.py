"""Steps to mastery: the tutor, the same tutor told the cause, and a fixed ladder without any diagnosis, for the same
children. The oracle is given the child's cause at every wrong answer; the informed tutor only if the defect caused the
answer, and diagnoses others itself; random is given any cause.

A step is a task, a training included. A policy sees a child session after session until its defect counts as mastered.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Mapping, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

from maththera.arithmetic.malrules import CATALOGUE
from maththera.simulation.population import Population, Start
from maththera.simulation.session_runs import SessionRunner, Setup, processes
from maththera.simulation.simulated_learner import ShownTask
from maththera.simulation.simulated_session import SimulatedSession
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.diagnosis.error_diagnosis import diagnosis_of_cause
from maththera.tutoring.nodes import Nodes, Update
from maththera.tutoring.session.in_memory_engine import InMemoryEngine
from maththera.tutoring.start import complete_start
from maththera.tutoring.state import TutoringState

Policy = Literal["tutor", "oracle", "informed", "random", "ladder"]
POLICIES: Final[tuple[Policy, ...]] = ("tutor", "oracle", "informed", "random", "ladder")

LIMIT: Final = 300
"""The steps (about ten sessions) after which a child counts as not helped."""
_LADDER_STEP: Final = 3
"""Right answers in a row that take the fixed ladder one level up, and problems between two of its trainings."""


class _ToldCauses(Nodes):
    """The tutor's nodes, with the cause of a wrong answer taken from `cause` if that gives one."""

    def __init__(self, rules: Rules, cause: Callable[[], str | None]) -> None:
        super().__init__(rules)
        self._cause = cause

    def diagnose(self, state: TutoringState) -> Update:
        found = super().diagnose(state)
        diagnosis, observation = found["diagnosis"], found["observation"]
        told = self._cause()
        if told is None or observation is None or observation["correct"] is not False or observation["impulsive"]:
            return found
        return {**found, "diagnosis": {**diagnosis_of_cause(self.rules, told), "pairs": diagnosis["pairs"]}}


class Course:
    """Leads children to mastery by one policy, for at most `limit` tasks. `session`: the policy of its sessions."""

    def __init__(
        self, rules: Rules, population: Population, policy: Policy, *, limit: int, session: Mapping[str, Any]
    ) -> None:
        self._rules, self._population, self._policy, self._limit = rules, population, policy, limit
        self._session = session
        self._told: str | None = None
        nodes = Nodes(rules) if policy == "tutor" else _ToldCauses(rules, lambda: self._told)
        self._engine = InMemoryEngine(nodes)
        self._tags = sorted({cause.tag for rule in CATALOGUE.values() for cause in rule.causes})

    def steps(self, index: int) -> int:
        """The tasks until this child has mastered its defect, at most the limit."""
        start = self._population.child(index)
        if self._policy == "ladder":
            return self._up_the_ladder(start)
        chance, taken = Random(index), 0  # noqa: S311 - repeatable on purpose
        stated: Counter[str] = Counter()
        wanted: dict[str, Any] = {**start.session, "policy": self._session}
        while taken < self._limit and not start.learner.mastered:
            playing = SimulatedSession(start, self._rules)
            state = self._engine.begin(complete_start(wanted, self._rules))
            while state["task"] is not None and taken < self._limit and not start.learner.mastered:
                event = playing.event(state)
                self._told = self._told_cause(start, playing, chance)
                after = self._engine.turn(state, event)
                playing.note(state, after)
                state, taken = after, taken + 1
            taken += self._training_at_the_end(state, playing)
            stated.update(state["stated"])
            wanted = _next_session(wanted, state, stated)
        return min(taken, self._limit)

    def _told_cause(self, start: Start, playing: SimulatedSession, chance: Random) -> str | None:
        if self._policy == "random":
            return chance.choice(self._tags)
        if self._policy == "informed" and playing.origin != "defect":
            return None
        return start.learner.defect.accepts[0]

    def _training_at_the_end(self, state: TutoringState, playing: SimulatedSession) -> int:
        """The child takes the first training that it is offered."""
        if state["task"] is not None or not state["offered"]:
            return 0
        playing.trained(state["offered"][0])
        return 1

    def _up_the_ladder(self, start: Start) -> int:
        """The fixed ladder: level by level from the child's own, each training in turn, without diagnosis."""
        learner, chance = start.learner, Random(start.index)  # noqa: S311
        trainings, c, run = sorted(self._rules.catalogue.trainings), start.session["c_position"], 0
        playing = SimulatedSession(start, self._rules)
        for step in range(self._limit):
            if learner.mastered:
                return step
            if step % (_LADDER_STEP + 1) == _LADDER_STEP:
                playing.trained(trainings[step // (_LADDER_STEP + 1) % len(trainings)])
                continue
            problem = chance.choice(self._rules.bank.level(c))
            right = learner.respond(ShownTask(problem, (), None)).answer == problem.answer
            learner.practise(problem, matched=False)
            run = run + 1 if right else 0
            if run == _LADDER_STEP:
                c, run = min(15, c + 1), 0
        return self._limit


def _next_session(wanted: dict[str, Any], state: TutoringState, stated: Counter[str]) -> dict[str, Any]:
    """The start of the next session: the first problem again, as a teacher would choose it, and the cause stated in
    most sessions."""
    return {
        **wanted,
        "seed": wanted["seed"] + 1,
        "again": state["again"],
        "frequent_cause": next((tag for tag, _ in stated.most_common(1)), None),
    }


def steps_to_mastery(
    home: Path, setup: Setup, policy: Policy, workers: int, progress: Callable[[int], None] = lambda _: None
) -> list[int]:
    """The steps of each child of `setup`, by number. `progress` is called with the number of newly finished ones."""
    pieces = [range(start, min(start + _CHUNK, setup.learners)) for start in range(0, setup.learners, _CHUNK)]
    steps: list[int] = []
    for found in _pieces(home, setup, policy, workers, pieces):
        steps.extend(found)
        progress(len(found))
    return steps


def _pieces(home: Path, setup: Setup, policy: Policy, workers: int, pieces: Sequence[range]) -> Iterator[list[int]]:
    if workers == 1:
        _init_worker(home, setup, policy)
        yield from map(_run_piece, pieces)
        return
    with processes(workers, partial(_init_worker, home, setup, policy)) as pool:
        yield from pool.map(_run_piece, pieces)


_CHUNK: Final = 10
_WORKER_COURSE: list[Course] = []
"""The `Course` of a worker process."""


def _init_worker(home: Path, setup: Setup, policy: Policy) -> None:
    runner = SessionRunner.load(home, setup)
    _WORKER_COURSE[:] = [Course(runner.rules, runner.population, policy, limit=LIMIT, session=setup.policy)]


def _run_piece(piece: Sequence[int]) -> list[int]:
    return [_WORKER_COURSE[0].steps(index) for index in piece]
