"""Steps to mastery: the tutor, the same tutor told the cause, and a fixed ladder without any diagnosis, for the same
children. The oracle is told the child's cause at every wrong answer, whatever was behind it; the informed tutor only
where the defect was behind it, and looks for itself what a slip or a level not learnt yet may be; random is told any
cause.

A step is a task, a training included. A policy sees a child session after session until its defect counts as mastered.
"""

from collections import Counter
from collections.abc import Callable, Iterator, Sequence
from functools import partial
from pathlib import Path
from random import Random
from typing import Any, Final, Literal

from maththera.arithmetic.malrules import CATALOGUE
from maththera.simulation.learners import Shown
from maththera.simulation.population import Population, Start
from maththera.simulation.run import Laboratory, Setup, processes
from maththera.simulation.session import Playing
from maththera.tutoring.diagnosis import named
from maththera.tutoring.engine import Engine
from maththera.tutoring.nodes import Nodes, Update, complete_start
from maththera.tutoring.rules import Rules
from maththera.tutoring.state import TutoringState

Policy = Literal["tutor", "oracle", "informed", "random", "ladder"]
POLICIES: Final[tuple[Policy, ...]] = ("tutor", "oracle", "informed", "random", "ladder")

LIMIT: Final = 300
"""Steps, some ten sessions, after which a child counts as not helped."""
_LADDER_STEP: Final = 3
"""Right answers in a row that take the fixed ladder one level up, and problems between two of its trainings."""


class _ToldCauses(Nodes):
    """The tutor's nodes, but the cause of a wrong answer is not looked for where `cause` tells one."""

    def __init__(self, rules: Rules, cause: Callable[[], str | None]) -> None:
        super().__init__(rules)
        self._cause = cause

    def diagnose(self, state: TutoringState) -> Update:
        found = super().diagnose(state)
        diagnosis, observation = found["diagnosis"], state["observation"]
        told = self._cause()
        if told is None or observation is None or observation["correct"] is not False or observation["impulsive"]:
            return found
        return {"diagnosis": {**named(self.rules, told), "pairs": diagnosis["pairs"]}}


class Course:
    """Leads children to mastery by one policy, at most `limit` tasks long; `session`: the policy of its sessions."""

    def __init__(
        self, rules: Rules, population: Population, policy: Policy, *, limit: int, session: dict[str, Any]
    ) -> None:
        self._rules, self._population, self._policy, self._limit = rules, population, policy, limit
        self._session = session
        self._told: str | None = None
        nodes = Nodes(rules) if policy == "tutor" else _ToldCauses(rules, lambda: self._told)
        self._engine = Engine(nodes)
        self._tags = sorted({cause.tag for rule in CATALOGUE.values() for cause in rule.causes})

    def steps(self, index: int) -> int:
        """Tasks until this child has mastered its defect; the limit where it has not."""
        start = self._population.child(index)
        if self._policy == "ladder":
            return self._up_the_ladder(start)
        chance, taken = Random(index), 0  # noqa: S311 - repeatable on purpose
        stated: Counter[str] = Counter()
        wanted: dict[str, Any] = {**start.session, "policy": self._session}
        while taken < self._limit and not start.learner.mastered:
            playing = Playing(start, self._rules)
            state = self._engine.begin(complete_start(wanted, self._rules))
            while state["task"] is not None and taken < self._limit and not start.learner.mastered:
                event = playing.event(state)
                self._told = self._tell(start, playing, chance)
                after = self._engine.turn(state, event)
                playing.note(state, after)
                state, taken = after, taken + 1
            taken += self._training_at_the_end(state, playing)
            stated.update(state["stated"])
            wanted = _next_session(wanted, state, stated)
        return min(taken, self._limit)

    def _tell(self, start: Start, playing: Playing, chance: Random) -> str | None:
        if self._policy == "random":
            return chance.choice(self._tags)
        if self._policy == "informed" and playing.origin != "defect":
            return None
        return start.learner.defect.accepts[0]

    def _training_at_the_end(self, state: TutoringState, playing: Playing) -> int:
        """The child takes the first training that it is offered."""
        if state["task"] is not None or not state["offered"]:
            return 0
        playing.trained(state["offered"][0])
        return 1

    def _up_the_ladder(self, start: Start) -> int:
        """Level by level from the child's own on, every training in its turn, nothing diagnosed."""
        learner, chance = start.learner, Random(start.index)  # noqa: S311
        trainings, c, run = sorted(self._rules.catalogue.trainings), start.session["c_position"], 0
        playing = Playing(start, self._rules)
        for step in range(self._limit):
            if learner.mastered:
                return step
            if step % (_LADDER_STEP + 1) == _LADDER_STEP:
                playing.trained(trainings[step // (_LADDER_STEP + 1) % len(trainings)])
                continue
            problem = chance.choice(self._rules.bank.level(c))
            right = learner.respond(Shown(problem, (), None)).answer == problem.answer
            learner.practise(problem, matched=False)
            run = run + 1 if right else 0
            if run == _LADDER_STEP:
                c, run = min(15, c + 1), 0
        return self._limit


def _next_session(wanted: dict[str, Any], state: TutoringState, stated: Counter[str]) -> dict[str, Any]:
    """Where the records would let the child go on: at its first problem again, as the teacher who sent it would, and
    with the cause that was stated in most sessions."""
    return {
        **wanted,
        "seed": wanted["seed"] + 1,
        "parked": [{"problem_id": entry["problem_id"], "c": entry["c"]} for entry in state["parked"]],
        "frequent_cause": next((tag for tag, _ in stated.most_common(1)), None),
    }


def steps_to_mastery(
    home: Path, setup: Setup, policy: Policy, workers: int, progress: Callable[[int], None] = lambda _: None
) -> list[int]:
    """The steps of each of the children of `setup`, by number; `progress` is told how many more are done."""
    pieces = [range(start, min(start + _CHUNK, setup.learners)) for start in range(0, setup.learners, _CHUNK)]
    steps: list[int] = []
    for found in _pieces(home, setup, policy, workers, pieces):
        steps.extend(found)
        progress(len(found))
    return steps


def _pieces(home: Path, setup: Setup, policy: Policy, workers: int, pieces: Sequence[range]) -> Iterator[list[int]]:
    if workers == 1:
        _open(home, setup, policy)
        yield from map(_work, pieces)
        return
    with processes(workers, partial(_open, home, setup, policy)) as pool:
        yield from pool.map(_work, pieces)


_CHUNK: Final = 10
_OPEN: list[Course] = []
"""A process's own course."""


def _open(home: Path, setup: Setup, policy: Policy) -> None:
    laboratory = Laboratory.load(home, setup)
    _OPEN[:] = [Course(laboratory.rules, laboratory.population, policy, limit=LIMIT, session=setup.policy)]


def _work(piece: Sequence[int]) -> list[int]:
    return [_OPEN[0].steps(index) for index in piece]
