"""Erasing a child, and what is older than may be kept.

What lies outside the database (working state in Redis, report files) is removed by the caller afterwards. Until that is
done the receipt names it, so that a process that dies in between leaves nothing behind: `pending` tells.
"""

import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime
from typing import Final, Literal

from sqlalchemy import ColumnElement, delete, func, insert, null, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.database import Database
from maththera.learners.holdings import HOLDINGS, Holding, names
from maththera.learners.tables import executions, tokens
from maththera.learners.tables_keeping import erasures

Reason = Literal["request", "retention"]

_ERASE_S: Final = 60.0
_BATCH: Final = 100
"""Sessions, runs or reports that retention erases in one transaction: children answer meanwhile."""
_MOST_PENDING: Final = 100


@dataclass(slots=True)
class Outside:
    """What is to be removed outside the database: ids of sessions and runs, and of report files."""

    threads: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)


@dataclass(frozen=True, slots=True)
class Erased:
    """`records`: table → rows. Nothing here says whose they were."""

    receipt_id: str
    records: Mapping[str, int]
    outside: Outside


class Erasing:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def tokens(self, student_id: str) -> int:
        """Ends the child's own tokens, and takes the child out of the adults'. How many there were."""
        return await self._database.transaction(lambda connection: _forget_in_tokens(connection, student_id))

    async def student(self, student_id: str, ended: int = 0) -> Erased:
        """Everything of a child, all of it or nothing. `ended`: tokens that ended before, for the receipt."""

        async def work(connection: AsyncConnection) -> Erased:
            chosen = [(holding, holding.rows(student_id)) for holding in HOLDINGS]
            outside, records = Outside(), {}
            for holding, rows in chosen:
                records[holding.name] = await _count(connection, holding, rows)
                await _note(connection, holding, rows, outside)
            for holding, rows in chosen:
                if not holding.cascades:
                    await connection.execute(delete(holding.table).where(rows))
            records["tokens"] = ended + await _forget_in_tokens(connection, student_id)
            await _forget_in_owners(connection, student_id)
            return await _receipt(connection, "request", records, outside)

        return await self._database.transaction(work, deadline=_ERASE_S)

    async def older_than(self, before: datetime) -> Erased | None:
        """One batch of what has come of age; None when nothing has."""
        for holding in HOLDINGS:
            if holding.age is not None and (erased := await self._batch(holding, holding.age < before)):
                return erased
        return None

    async def pending(self) -> list[tuple[str, Outside]]:
        """Receipts whose outside part is not done: by this process, or by one that died."""
        query = select(erasures.c.receipt_id, erasures.c.pending).where(erasures.c.pending.is_not(None))
        found = await self._database.run(lambda connection: connection.execute(query.limit(_MOST_PENDING)))
        return [(row.receipt_id, Outside(**row.pending)) for row in found]

    async def done(self, receipt_id: str) -> None:
        statement = update(erasures).where(erasures.c.receipt_id == receipt_id).values(pending=null())
        await self._database.write(lambda connection: connection.execute(statement))

    async def _batch(self, holding: Holding, old: ColumnElement[bool]) -> Erased | None:
        key = next(iter(holding.table.primary_key))

        async def work(connection: AsyncConnection) -> Erased | None:
            found = (await connection.scalars(select(key).where(old).limit(_BATCH))).all()
            if not found:
                return None
            rows, outside = old & key.in_(found), Outside()
            await _note(connection, holding, rows, outside)
            done = await connection.execute(delete(holding.table).where(rows))
            return await _receipt(connection, "retention", {holding.name: done.rowcount}, outside)

        return await self._database.transaction(work, deadline=_ERASE_S)


async def _count(connection: AsyncConnection, holding: Holding, rows: ColumnElement[bool]) -> int:
    return await connection.scalar(select(func.count()).select_from(holding.table).where(rows)) or 0


async def _note(connection: AsyncConnection, holding: Holding, rows: ColumnElement[bool], outside: Outside) -> None:
    for column, ids in ((holding.thread, outside.threads), (holding.file, outside.files)):
        if column is not None:
            ids.extend((await connection.scalars(select(column).where(rows))).all())


async def _forget_in_tokens(connection: AsyncConnection, student_id: str) -> int:
    """The child's own tokens end to be; the adults' stand for one child less. How many there were."""
    query = select(tokens.c.token_id, tokens.c.role, tokens.c.subject).where(names(tokens.c.subject, student_id))
    found = (await connection.execute(query)).all()
    for row in found:
        this = tokens.c.token_id == row.token_id
        if row.role == "student":
            await connection.execute(delete(tokens).where(this))
        else:
            others = [each for each in row.subject if each != student_id]
            await connection.execute(update(tokens).where(this).values(subject=others))
    return len(found)


async def _forget_in_owners(connection: AsyncConnection, student_id: str) -> None:
    """Each run keeps whom its owner stood for."""
    query = select(executions.c.execution_id, executions.c.owner).where(names(executions.c.owner, student_id))
    for row in (await connection.execute(query)).all():
        owner = {**row.owner, "subject": [each for each in row.owner["subject"] if each != student_id]}
        this = executions.c.execution_id == row.execution_id
        await connection.execute(update(executions).where(this).values(owner=owner))


async def _receipt(connection: AsyncConnection, reason: Reason, records: Mapping[str, int], outside: Outside) -> Erased:
    receipt_id = uuid.uuid4().hex
    row = {"receipt_id": receipt_id, "reason": reason, "records": dict(records), "pending": asdict(outside)}
    await connection.execute(insert(erasures), row)
    return Erased(receipt_id, records, outside)
