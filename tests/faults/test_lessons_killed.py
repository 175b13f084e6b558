"""A worker is killed at steps all over a session's completion: the session is on record once, with its question and in
the statistics, and the lesson goes on behind it.

As a program (`python -m tests.faults.test_lessons_killed REDIS DATABASE STRIDE`) this module is the worker.
STRIDE=1 in the environment kills at every single step.
"""

import os
import sys
from functools import partial
from typing import Final

import pytest
from redis.asyncio import Redis

from maththera.lessons import service
from maththera.runtime import leases
from maththera.store.migrations import migrate
from tests.support.killing import die, die_at_every, output_of, running
from tests.support.lessons import Learner, Stand, content, right, stand
from tests.support.patience import be_patient

STRIDE: Final = int(os.environ.get("STRIDE", "11"))
"""From one step to the next. A completion has some 330."""

GO_ON: Final = {"message": "다음", "request_id": "go-on"}
"""The turn that completes the session."""


async def complete(redis_url: str, database_url: str, steps: int) -> None:
    """Tells on standard output when the client has the end of the turn."""
    async with stand(redis_url, database_url) as here:
        learner = await Learner.begin(here.service, f"s{steps}")
        await learner.to_question()
        await learner.answer(right(learner.question))
        os.write(1, f"{learner.lesson_id} began\n".encode())
        running().arm(steps, die)
        await learner.send(**GO_ON)
        os.write(1, f"{learner.lesson_id} answered\n".encode())
        running().arm(-1, die)


def main(redis_url: str, database_url: str, stride: str) -> None:
    be_patient()
    content()  # once for all forks
    vars(service)["prewarm"] = lambda: None  # a choice is judged without the analyser, which takes seconds
    die_at_every(int(stride), partial(complete, redis_url, database_url))


async def killed(redis_url: str, database_url: str, stride: int) -> dict[str, bool]:
    """Lesson id → whether its client had the end of the turn."""
    found: dict[str, bool] = {}
    for line in await output_of(__name__, redis_url, database_url, str(stride)):
        lesson_id, what = line.split()
        found[lesson_id] = what == "answered"
    return found


async def goes_on(here: Stand, lesson_id: str) -> int:
    """The client sends the request again, to another worker, which may find half of the turn. How many sessions were
    on record by then."""
    before = await here.records.sessions(lesson_id)
    learner = Learner(here.service, lesson_id, await here.service.state(lesson_id))
    state = await learner.send(**GO_ON)
    (session,) = await here.records.sessions(lesson_id)
    assert [one.session_id for one in before] in ([], [session.session_id])
    assert [one["session_id"] for one in state["recent_sessions_summary"]] == [session.session_id]
    assert (state["current_chapter"], state["current_session_count"]) == (1, 2)
    assert [one["message_type"] for one in session.conversations].count("user") > 2
    (statistics,) = await here.records.statistics(session.student_id)
    assert (statistics.learning_count, statistics.score_sum, statistics.passed_count) == (1, 100, 0)
    state = await learner.session()
    assert state["current_chapter"] == 2
    (statistics,) = await here.records.statistics(session.student_id)
    assert (statistics.learning_count, statistics.passed_count) == (2, 1)
    assert len(await here.records.sessions(lesson_id)) == 2
    return len(before)


@pytest.mark.slow
async def test_a_worker_killed_at_any_step_of_completion_leaves_exact_rows(
    redis: Redis, redis_url: str, database_url: str
) -> None:
    """PostgreSQL, where starting a worker takes long, has fewer steps tried."""
    await migrate(database_url)
    found = await killed(redis_url, database_url, STRIDE if database_url.startswith("sqlite") else 2 * STRIDE)
    async with stand(redis_url, database_url) as here:
        recorded = set()
        for lesson_id in found:
            await redis.delete(leases.PREFIX + lesson_id)
            recorded.add(await goes_on(here, lesson_id))
    assert recorded == {0, 1}, "killed before and after the record"
    assert set(found.values()) == {False, True}


if __name__ == "__main__":
    main(*sys.argv[1:])
