"""Workers in processes of their own answer one session at once, with Redis and without: each turn is applied once.

As a program (`python -m tests.faults.test_tutoring_race REDIS DATABASE SESSION`) this module is all the workers.
"""

import asyncio
import json
import os
import sys
from itertools import count
from pathlib import Path
from typing import Any, Final

import pytest
from redis.asyncio import Redis

from maththera.tutoring.session.service import StaleTask
from tests.support.patience import be_patient
from tests.support.servers import RedisServer
from tests.support.tutoring import does_right, rules, stand

WORKERS: Final = 3
PROBLEMS: Final = 20


async def race(redis_url: str, database_url: str, session_id: str, name: str) -> None:
    """Does every task that it sees right, until the session ends; says which turns it was answered as its own."""
    async with stand(redis_url, database_url) as here:
        child = await here.resume(session_id)
        numbers = count(1)
        while child.task is not None:
            try:
                outcome = await child.send(does_right(child.task, f"{name}-{next(numbers)}"))
            except StaleTask as stale:
                child.task = stale.current_task
            else:
                os.write(1, json.dumps([outcome.body["turn"], outcome.body["request_id"]]).encode() + b"\n")


def main(redis_url: str, database_url: str, session_id: str) -> bool:
    """Whether all workers came to the session's end."""
    be_patient()
    rules()  # once for all forks
    workers = []
    for number in range(WORKERS):
        if not (process := os.fork()):
            asyncio.run(race(redis_url, database_url, session_id, f"worker-{number}"))
            os._exit(0)
        workers.append(process)
    return [os.waitpid(process, 0)[1] for process in workers] == [0] * WORKERS


async def told_to_the_workers(*arguments: str) -> list[list[Any]]:
    """Turn and request of every answer."""
    process = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, *arguments, stdout=asyncio.subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    output, _ = await process.communicate()
    assert process.returncode == 0
    return [json.loads(line) for line in output.splitlines()]


@pytest.mark.slow
@pytest.mark.parametrize("redis_is", ["there", "gone"])
async def test_workers_that_race_for_a_session_take_each_turn_once(
    redis_is: str, redis: Redis, redis_server: RedisServer, database_url: str
) -> None:
    async with stand(redis_server.url, database_url) as here:
        child = await here.begin(problem_count=PROBLEMS)
        if redis_is == "gone":
            redis_server.stop()
        told = await told_to_the_workers(redis_server.url, database_url, child.session_id)
        rows = await here.records.turns(child.session_id)
        assert [row.turn for row in rows] == list(range(1, PROBLEMS + 1))
        assert sorted(told) == [[row.turn, row.request_id] for row in rows]
        assert all(row.response["degraded"] == (redis_is == "gone") for row in rows)
        assert (await here.service.replay(child.session_id))["identical"]


if __name__ == "__main__":
    sys.exit(not main(*sys.argv[1:]))
