"""Plays tutoring sessions: the real service on real stores, and children who answer it."""

import random
from collections.abc import AsyncIterator, Mapping, Sequence
from contextlib import asynccontextmanager
from dataclasses import asdict, dataclass, field
from functools import cache
from itertools import count
from types import SimpleNamespace
from typing import Any, Final, cast

from redis.asyncio import Redis
from sqlalchemy import select

from maththera.arithmetic.malrules import wrong_answers
from maththera.llm.model_client import Models
from maththera.runtime.redis_client import open_redis
from maththera.settings import home
from maththera.simulation.independent.sums import read
from maththera.store.answer_history import AnswerHistory
from maththera.store.database import Database
from maththera.store.learner_state import LEARNER_COLUMNS, LearnerRow, learner_from_turns
from maththera.store.review_queue import reviews
from maththera.store.tutoring_sessions import NewReview, SessionRecords
from maththera.tutoring.content.session_rules import Rules, load_rules
from maththera.tutoring.session.service import TurnOutcome, TutoringService
from maththera.tutoring.session.session_start import NewSession
from maththera.tutoring.turns import envelopes
from tests.support.databases import migrated

Json = dict[str, Any]

FAST_MS: Final = 2_000
UNEXPLAINED: Final = ("28+15", 77)
"""A problem and a wrong answer to it that no malrule explains."""


@cache
def rules() -> Rules:
    """Loaded once: nothing changes them."""
    return load_rules(home())


def task_of(state: Mapping[str, Any]) -> Json:
    """The current task of a graph's state, as the client sees it."""
    found = envelopes.task_view(state["task"], rules())
    assert found is not None
    return found


def right_answer(task: Json) -> int:
    """Of a step of an example, what its equation asks for."""
    if task["kind"] == "worked_example":
        step = read(task["prompt"])
        assert step is not None
        return step.answer
    return rules().bank.problem(task["problem"]["problem_id"]).answer


def wrong_answers_to(task: Json) -> list[int]:
    """What the malrules make of this task's problem."""
    return sorted(wrong_answers(rules().bank.problem(task["problem"]["problem_id"])).values())


def answered(task: Json, answer: int, request_id: str, rt_ms: int = FAST_MS) -> Json:
    """The event of an answer."""
    return {
        "type": "answer_submitted",
        "request_id": request_id,
        "task_id": task["task_id"],
        "answer": answer,
        "rt_ms": rt_ms,
    }


def trained(task: Json, request_id: str) -> Json:
    """The event of a training that was done."""
    training_id = task["training"]["id"]
    return {"type": "training_done", "request_id": request_id, "task_id": task["task_id"], "training_id": training_id}


def does_right(task: Json, request_id: str) -> Json:
    """What a child who knows everything sends."""
    return trained(task, request_id) if "training" in task else answered(task, right_answer(task), request_id)


class Moods:
    """A child whose answers are drawn: right and wrong, by malrules and by chance, fast and slow, or none at all."""

    def __init__(self, seed: int) -> None:
        self._random = random.Random(seed)  # noqa: S311 - a drawn child, not a secret
        self._right = self._random.choice((0.3, 0.6, 0.9))
        self._observations = sorted(rules().catalogue.observations)

    def event(self, task: Json, request_id: str) -> Json:
        """What the child sends for this task."""
        chance = self._random
        if chance.random() < 0.01:
            return {"type": "stop", "request_id": request_id}
        if chance.random() < 0.05:
            return {"type": "timeout", "request_id": request_id, "task_id": task["task_id"]}
        if "training" in task:
            return trained(task, request_id)
        event = answered(task, self._answer(task), request_id, chance.choice((400, 2_000, 4_000, 9_000)))
        if chance.random() < 0.2:
            event["behavior_tags"] = [chance.choice(self._observations)]
        return event

    def _answer(self, task: Json) -> int:
        chance = self._random
        if chance.random() < self._right:
            return right_answer(task)
        wrong = wrong_answers_to(task)
        return chance.choice(wrong) if wrong and chance.random() < 0.7 else chance.randrange(200)


@dataclass
class Child:
    """One session and who answers it. `task` is the current one, `outcomes` all that was answered."""

    service: TutoringService
    session_id: str
    task: Json | None
    outcomes: list[TurnOutcome] = field(default_factory=list)
    _numbers: Any = field(default_factory=lambda: count(1))

    def current(self) -> Json:
        assert self.task is not None
        return self.task

    async def send(self, event: Json) -> TurnOutcome:
        """One turn; raises what the service raises."""
        outcome = await self.service.handle(self.session_id, event)
        self.outcomes.append(outcome)
        self.task = outcome.body["task"]
        return outcome

    async def right(self) -> TurnOutcome:
        """One task done right."""
        return await self.send(does_right(self.current(), f"r{next(self._numbers)}"))

    async def answer(self, answer: int, rt_ms: int = FAST_MS) -> TurnOutcome:
        return await self.send(answered(self.current(), answer, f"r{next(self._numbers)}", rt_ms))


@dataclass
class Stand:
    """The service and what it stands on."""

    service: TutoringService
    records: SessionRecords
    redis: Redis
    database: Database

    async def begin(self, student: str = "s1", **wanted: Any) -> Child:
        """A new session; by default at C7 with a seed of its own."""
        place = {} if "first_problem" in wanted else {"c_position": 7, "w_position": 4.5}
        view = await self.service.create(NewSession(student, **{"seed": 7, **place, **wanted}))
        return Child(self.service, view["session_id"], view["task"])

    async def resume(self, session_id: str) -> Child:
        """A session that another service has begun."""
        view = await self.service.view(session_id)
        return Child(self.service, session_id, view["task"])


@asynccontextmanager
async def stand(
    redis_url: str, database_url: str, models: Models | None = None, known: Rules | None = None
) -> AsyncIterator[Stand]:
    """A service of its own, as in a process of its own: own client, own pool, own graph. `known`: other rules than
    those that are shipped."""
    await migrated(database_url)
    database = Database(database_url)
    records = SessionRecords(database)
    client = open_redis(redis_url)
    try:
        yield Stand(
            TutoringService(known or rules(), records, AnswerHistory(database), client, models),
            records,
            client,
            database,
        )
    finally:
        await client.aclose()
        await database.close()


async def review_queue(database: Database) -> list[NewReview]:
    """What waits for a person, the oldest first."""
    columns = select(reviews.c.kind, reviews.c.payload).order_by(reviews.c.review_id)
    return [NewReview(*row) for row in await database.run(lambda connection: connection.execute(columns))]


def learner_after(sessions: Sequence[Any]) -> LearnerRow | None:
    """The child as these sessions of `tests.support.sessions` leave it, the oldest first."""
    newest = (turn for session in reversed(sessions) for turn in reversed(session.turns))
    columns = dict.fromkeys(LEARNER_COLUMNS)
    rows = [SimpleNamespace(**{**columns, **turn.facts, "learner": asdict(turn.learner)}) for turn in newest]
    return learner_from_turns("s1", cast("Any", rows))
