"""Children whose records mean something: sessions really played through the tutoring engine and recorded."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from random import Random
from typing import Final
from uuid import uuid4

from sqlalchemy import update
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.arithmetic.malrules import wrong_answers
from maththera.store.database import Database
from maththera.store.tutoring_sessions import SessionRecords, TurnRow, sessions, turns
from tests.support.databases import migrated, new_file, whole, write
from tests.support.sessions import Session, begin
from tests.support.tutoring import rules

_played: Final[dict[tuple[object, ...], tuple[int, bytes]]] = {}
"""What was played → the turns, and the database file."""


@dataclass(frozen=True)
class Pupil:
    """A child who errs by `malrules` wherever they show, slips at the rate `slip` and is slow at the rate `slow`."""

    student_id: str
    malrules: Sequence[str] = ()
    slip: float = 0.0
    slow: float = 0.0
    c: int = 8
    seed: int = 1

    def act(self, session: Session, chance: Random) -> None:
        if session.task["kind"] == "training":
            session.train()
            return
        problem = session.problem
        rt_ms = 9_000 if chance.random() < self.slow else chance.randrange(1_500, 4_500)
        wrong = wrong_answers(problem)
        answer = next((wrong[name] for name in self.malrules if name in wrong), problem.answer)
        if chance.random() < self.slip:
            answer = problem.answer + chance.choice((1, 3, 4))
        session.answer(answer, rt_ms)


async def learn(database_url: str, pupil: Pupil, *, days_ago: Sequence[float] = (0,), problems: int = 10) -> int:
    """Plays and records one session for each of `days_ago`, the oldest first; how many turns that were. The first child
    of a new SQLite database is played once in each process, and then copied."""
    path, known = new_file(database_url), (repr(pupil), *days_ago, problems)
    if path is not None and known in _played:
        count, content = _played[known]
        write(path, content)
        return count
    await migrated(database_url)
    count = await _play_all(database_url, pupil, days_ago, problems)
    if path is not None:
        _played[known] = (count, whole(path))
    return count


async def _play_all(database_url: str, pupil: Pupil, days_ago: Sequence[float], problems: int) -> int:
    database = Database(database_url)
    chance, count = Random(pupil.seed), 0  # noqa: S311 - a drawn child
    try:
        for number, days in enumerate(days_ago):
            count += await _play(database, pupil, chance, pupil.seed * 100 + number, days, problems)
    finally:
        await database.close()
    return count


async def _play(database: Database, pupil: Pupil, chance: Random, seed: int, days: float, problems: int) -> int:
    records = SessionRecords(database)
    across = {"advance": "streak"}  # up the whole ladder, not one strand of it: the records shall have every operation
    session = begin(rules(), c=pupil.c, student_id=pupil.student_id, seed=seed, problem_count=problems, policy=across)
    session_id = uuid4().hex
    await records.create_session(session_id, pupil.student_id, session.state["start"])
    while not session.ended:
        pupil.act(session, chance)
        turn = session.turns[-1]
        row = TurnRow(
            session_id, turn.number, turn.request_id, turn.event, turn.llm, turn.response, turn.trace, turn.facts
        )
        await records.append_turn(row, learner=turn.learner, ended=turn.ended)
    await _date_back(database, session_id, len(session.turns), datetime.now(UTC) - timedelta(days=days))
    return len(session.turns)


async def _date_back(database: Database, session_id: str, count: int, ended: datetime) -> None:
    """The database's clock dates everything now; a history needs sessions of other days."""

    began = ended - timedelta(seconds=20 * count)

    async def write(connection: AsyncConnection) -> None:
        own = sessions.c.session_id == session_id
        await connection.execute(update(sessions).where(own).values(created_at=began, ended_at=ended))
        for number in range(1, count + 1):
            this = (turns.c.session_id == session_id) & (turns.c.turn == number)
            moment = began + timedelta(seconds=20 * number)
            await connection.execute(update(turns).where(this).values(created_at=moment))

    await database.transaction(write)
