"""Workers are killed at every step of a turn, or fight for one session: what was acknowledged is there, once.

As a program (`python -m tests.faults.test_database_killed URL …`) this module is the worker.
"""

import asyncio
import os
import signal
import sys
from collections import Counter
from itertools import count
from pathlib import Path

import pytest

from maththera.store.database import Database
from maththera.store.learner_state import LearnerUpdate
from maththera.store.migrations import migrate
from maththera.store.tutoring_sessions import NewReview, SessionRecords, TurnFacts, TurnRow, TurnTaken
from tests.support.patience import be_patient
from tests.support.review_queue import review_queue

TURNS = 3
"""Answered by each worker that is killed: a plain turn, one with a review, and the last."""

RACERS, RACE_TURNS = 3, 40


def a_turn(session_id: str, turn: int, request_id: str) -> TurnRow:
    trace = [{"type": "diagnostic_result", "payload": {"reasoning": "한 자리만 더했다. " * 100}}]
    return TurnRow(session_id, turn, request_id, {"answer": turn}, [], {"turn": turn}, trace, TurnFacts(c_level=8))


class Mortal(asyncio.SelectorEventLoop):
    """Once armed, it kills its process, as `kill -9` does, before its n-th step."""

    left = -1

    def _run_once(self) -> None:
        if self.left == 0:
            os.kill(os.getpid(), signal.SIGKILL)
        self.left -= 1
        super()._run_once()  # type: ignore[misc]  # asyncio's own


async def answer_turns(url: str, steps: int) -> None:
    """Acknowledges each turn on standard output, as a worker answers its client: after the record."""
    database = Database(url)
    records = SessionRecords(database)
    session_id = f"killed-{steps}"
    await records.create_session(session_id, "student", {})
    acknowledge(session_id, 0)
    loop = asyncio.get_running_loop()
    assert isinstance(loop, Mortal)
    loop.left = steps
    for turn in range(1, TURNS + 1):
        found = [NewReview("unknown_answer", {"session_id": session_id})] if turn > 1 else []
        row = a_turn(session_id, turn, f"r-{turn}")
        await records.append_turn(row, learner=LearnerUpdate(8, 4.5), reviews=found, ended=turn == TURNS)
        acknowledge(session_id, turn)
    loop.left = -1
    await database.close()


def acknowledge(session_id: str, turn: int) -> None:
    os.write(1, f"{session_id} {turn}\n".encode())


async def race(url: str, me: str) -> None:
    """Takes every turn of one session that another worker has not taken first."""
    database = Database(url)
    records = SessionRecords(database)
    for turn in range(1, RACE_TURNS + 1):
        try:
            await records.append_turn(a_turn("race", turn, f"{me}-{turn}"))
        except TurnTaken:
            continue
        acknowledge("race", turn)
    await database.close()


def dies(url: str, steps: int) -> bool:
    """Whether a fork that answers turns is killed before it comes to its end."""
    child = os.fork()
    if child == 0:
        asyncio.Runner(loop_factory=Mortal).run(answer_turns(url, steps))
        os._exit(0)
    return os.WIFSIGNALED(os.waitpid(child, 0)[1])


def main(url: str, me: str) -> None:
    be_patient()
    Database(url)  # imports the driver, once for all forks
    if me == "mortal":
        next(steps for steps in count(1) if not dies(url, steps))
    else:
        asyncio.run(race(url, me))


async def run_worker(*arguments: str) -> list[tuple[str, int]]:
    """The acknowledged (session, turn) pairs."""
    worker = await asyncio.create_subprocess_exec(
        sys.executable, "-m", __name__, *arguments, stdout=asyncio.subprocess.PIPE, cwd=Path(__file__).parents[2]
    )
    output, _ = await worker.communicate()
    assert worker.returncode == 0
    return [(session, int(turn)) for session, turn in map(str.split, output.decode().splitlines())]


@pytest.mark.slow
async def test_a_killed_worker_loses_nothing_that_it_acknowledged(database_url: str) -> None:
    await migrate(database_url)
    acknowledged = await run_worker(database_url, "mortal")
    database = Database(database_url)
    records = SessionRecords(database)
    reviewed = Counter(review.payload["session_id"] for review in await review_queue(database))
    for session_id in {session_id for session_id, _ in acknowledged}:
        turns = [row.turn for row in await records.turns(session_id)]
        said = [turn for session, turn in acknowledged if session == session_id and turn > 0]
        session = await records.session(session_id)
        assert session is not None
        assert turns in (said, [*said, len(said) + 1]), "the last may be on record and not yet acknowledged"
        assert reviewed[session_id] == max(0, len(turns) - 1), "a turn and its review, or neither"
        assert (session.ended_at is not None) == (len(turns) == TURNS)
    await database.close()
    deaths_after = Counter(Counter(session_id for session_id, _ in acknowledged).values())
    assert set(deaths_after) == {1, 2, 3, 4}, "killed before and after each turn, and once not at all"


@pytest.mark.slow
async def test_processes_that_race_for_a_session_take_each_turn_once(database_url: str) -> None:
    await migrate(database_url)
    database = Database(database_url)
    records = SessionRecords(database)
    await records.create_session("race", "student", {})
    racers = await asyncio.gather(*(run_worker(database_url, f"racer-{n}") for n in range(RACERS)))
    taken = [turn for racer in racers for _, turn in racer]
    rows = await records.turns("race")
    await database.close()
    assert sorted(taken) == list(range(1, RACE_TURNS + 1))
    for number, racer in enumerate(racers):
        assert [row.turn for row in rows if row.request_id.startswith(f"racer-{number}-")] == [
            turn for _, turn in racer
        ]


if __name__ == "__main__":
    main(*sys.argv[1:])
