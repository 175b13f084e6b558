"""A worker is killed, or a turn cancelled, at every step of a turn: what was acknowledged is there, once, and the
session goes on.

As a program (`python -m tests.faults.test_tutoring_killed REDIS DATABASE STRIDE`) this module is the worker.
STRIDE=1 in the environment kills at every single step.
"""

import asyncio
import json
import os
import sys
from collections import Counter
from contextlib import suppress
from functools import partial
from itertools import count
from typing import Any, Final

import pytest
from redis.asyncio import Redis

from maththera.runtime import leases
from maththera.store.migrations import migrate
from maththera.tutoring.session import service
from maththera.tutoring.session.service import StaleTask, TurnOutcome
from tests.support.killing import Stepping, die, die_at_every, output_of, running
from tests.support.patience import be_patient
from tests.support.tutoring import UNEXPLAINED, Child, Stand, answered, does_right, review_queue, rules, stand

STRIDE: Final = int(os.environ.get("STRIDE", "3"))
"""From one step to the next."""

TURNS: Final = 2
"""Sent by each worker that is killed: one with a review, and a plain one."""


def event_of(turn: int, task: dict[str, Any]) -> dict[str, Any]:
    request_id = f"turn-{turn}"
    return answered(task, UNEXPLAINED[1], request_id) if turn == 1 else does_right(task, request_id)


async def send_turns(redis_url: str, database_url: str, steps: int) -> None:
    """Acknowledges each turn on standard output, as a worker answers its client: after the checkpoint and the lock."""
    async with stand(redis_url, database_url) as here:
        child = await here.begin(first_problem=UNEXPLAINED[0])
        acknowledge(child, None)
        running().arm(steps, die)
        for turn in range(1, TURNS + 1):
            acknowledge(child, await child.send(event_of(turn, child.current())))
        running().arm(-1, die)


def acknowledge(child: Child, outcome: TurnOutcome | None) -> None:
    body = outcome.body if outcome else None
    os.write(1, json.dumps({"session_id": child.session_id, "task": child.task, "body": body}).encode() + b"\n")


def main(redis_url: str, database_url: str, stride: str) -> None:
    be_patient()
    rules()  # once for all forks
    die_at_every(int(stride), partial(send_turns, redis_url, database_url))


async def acknowledged(redis_url: str, database_url: str, stride: int) -> dict[str, list[dict[str, Any]]]:
    """What the killed workers answered their clients, by session, the begun session first."""
    found: dict[str, list[dict[str, Any]]] = {}
    for line in map(json.loads, await output_of(__name__, redis_url, database_url, str(stride))):
        found.setdefault(line["session_id"], []).append(line)
    return found


async def goes_on(here: Stand, session_id: str, said: list[dict[str, Any]]) -> None:
    """The client, who has these answers, sends the next request again, to another worker."""
    answers = [one["body"] for one in said if one["body"] is not None]
    rows = [row.response for row in await here.records.turns(session_id)]
    assert rows[: len(answers)] == answers
    assert len(rows) - len(answers) in (0, 1), "the last may be on record and not yet acknowledged"
    child = Child(here.service, session_id, said[-1]["task"])
    for turn in range(len(answers) + 1, TURNS + 1):
        outcome = await child.send(event_of(turn, child.current()))
        assert (outcome.body["turn"], outcome.body["request_id"]) == (turn, f"turn-{turn}")
        assert outcome.replayed == (turn <= len(rows))
    assert [row.turn for row in await here.records.turns(session_id)] == list(range(1, TURNS + 1))
    replay = await here.service.replay(session_id)
    assert replay["identical"], replay


@pytest.mark.slow
async def test_a_worker_killed_at_any_step_loses_no_answer_and_doubles_none(
    redis: Redis, redis_url: str, database_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Every other session goes on while the dead worker's lock still stands. PostgreSQL, where starting a worker takes
    long, has fewer steps tried; `test_database_killed` tries those between the service and the database."""
    monkeypatch.setattr(leases, "WAIT_SECONDS", 0.02)
    await migrate(database_url)
    found = await acknowledged(redis_url, database_url, STRIDE if database_url.startswith("sqlite") else 3 * STRIDE)
    async with stand(redis_url, database_url) as here:
        for number, (session_id, said) in enumerate(found.items()):
            if number % 2:
                await redis.delete(leases.PREFIX + session_id)
            await goes_on(here, session_id, said)
        reviews = Counter(review.kind for review in await review_queue(here.database))
    assert reviews == {"unknown_answer": len(found)}, "each once"
    deaths_after = Counter(len(said) for said in found.values())
    assert set(deaths_after) == {1, 2, 3}, "killed before and after each turn, and once not at all"


async def cancelled_everywhere(redis_url: str, database_url: str, again: str) -> set[int]:
    """A turn is cancelled at each step in turn and sent once more; the turns that were on record by then."""
    await migrate(database_url)
    recorded = set()
    async with stand(redis_url, database_url) as here:
        for steps in count():
            child = await here.begin(first_problem=UNEXPLAINED[0])
            event = event_of(1, child.current())
            turn = asyncio.create_task(here.service.handle(child.session_id, event))
            running().arm(steps, turn.cancel)
            with suppress(asyncio.CancelledError):
                await turn
            if running().left >= 0:
                break  # the turn came to its end first
            on_record = await here.records.last_turn_number(child.session_id)
            recorded.add(on_record)
            await sent_again(child, event if again == "the same" else event | {"request_id": "new"}, on_record)
            outcome = await child.right()
            assert outcome.body["turn"] == 2
            assert not outcome.body["degraded"]
            assert (await here.service.replay(child.session_id))["identical"]
        running().arm(-1, die)
    return recorded


async def sent_again(child: Child, event: dict[str, Any], on_record: int) -> None:
    """Applied if the cancelled turn was not; else the recorded answer, or for another request the current task."""
    try:
        outcome = await child.send(event)
    except StaleTask as stale:
        assert event["request_id"] == "new"
        child.task = stale.current_task
    else:
        assert (outcome.body["turn"], outcome.body["request_id"]) == (1, event["request_id"])
        assert outcome.replayed or not on_record


@pytest.mark.slow
@pytest.mark.parametrize("again", ["the same", "another"])
def test_a_turn_cancelled_at_any_step_counts_wholly_or_not_at_all(
    again: str, redis_url: str, sqlite_url: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(service, "LEASE_SECONDS", 0.2)
    with asyncio.Runner(loop_factory=Stepping) as runner:
        recorded = runner.run(cancelled_everywhere(redis_url, sqlite_url, again))
    assert recorded == {0, 1}, "cancelled before and after the record"


if __name__ == "__main__":
    main(*sys.argv[1:])
