"""Erasure of a child, and of records past retention.

The caller then removes the data outside the database: working state in Redis and report files. Until that is done, the
receipt lists it (`pending`), so another process can finish it if this one dies.
"""

import uuid
from collections.abc import Mapping
from dataclasses import asdict, dataclass, field
from datetime import datetime, timedelta
from typing import Final, Literal

from sqlalchemy import JSON, Column, ColumnElement, String, Table, delete, func, insert, null, select, update
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.store.access.access_log import AccessEntry
from maththera.store.access.access_tokens import tokens
from maththera.store.access.sign_ins import sign_ins
from maththera.store.classes import class_members
from maththera.store.conversations import messages, threads
from maththera.store.database import Store
from maththera.store.executions import executions
from maththera.store.personal_data.data_inventory import PERSONAL_TABLES, PersonalTable, json_contains_id
from maththera.store.schema import metadata, time_column
from maththera.store.student_locks import lock_for_erasure
from maththera.store.students import students

Reason = Literal["request", "retention"]

_ERASE_S: Final = 60.0
_LATE: Final = timedelta(minutes=2)
"""Longer than any turn of a conversation."""
_BATCH: Final = 100
"""Sessions, runs or reports that retention erases in one transaction; children's turns have to wait for it."""
_MOST_PENDING: Final = 100

erasures: Final = Table(
    "erasures",
    metadata,
    Column("receipt_id", String, primary_key=True),
    Column("reason", String, nullable=False),
    time_column("erased_at"),
    Column("records", JSON, nullable=False),
    Column("pending", JSON(none_as_null=True)),
)


@dataclass(slots=True)
class ExternalData:
    """Data to remove outside the database: `threads`: ids of sessions and runs; `files`: ids of reports. `student_id`:
    a child whose open conversations could not be ended, as Redis was away; their turns may still be recorded."""

    threads: list[str] = field(default_factory=list)
    files: list[str] = field(default_factory=list)
    student_id: str | None = None


@dataclass(frozen=True, slots=True)
class ErasureReceipt:
    """`records`: table → number of rows. A receipt does not name the child."""

    receipt_id: str
    records: Mapping[str, int]
    outside: ExternalData


class ErasureRecords(Store):
    async def tokens(self, student_id: str) -> int:
        """Ends everything by which somebody acts as the child or for it: deletes its own tokens and sign-ins, its card
        and its places in classes, and removes it from adults' tokens; returns how many tokens and sign-ins."""
        return await self._database.transaction(lambda connection: _remove_from_tokens(connection, student_id))

    async def student(self, student_id: str, ended: int = 0, *, talks: bool = False) -> ErasureReceipt:
        """Erases all records of a child, all or nothing. `ended`: tokens that were deleted before, for the receipt.
        `talks`: open conversations are still to be ended."""

        async def work(connection: AsyncConnection) -> ErasureReceipt:
            await lock_for_erasure(connection, student_id)
            chosen = [(personal, personal.rows(student_id)) for personal in PERSONAL_TABLES]
            outside, records = ExternalData(student_id=student_id if talks else None), {}
            for personal, rows in chosen:
                records[personal.name] = await _count(connection, personal, rows)
                await _collect_external_data(connection, personal, rows, outside)
            for personal, rows in chosen:
                if not personal.cascades:
                    await connection.execute(delete(personal.table).where(rows))
            records["tokens"] = ended + await _remove_from_tokens(connection, student_id)
            await _remove_from_execution_owners(connection, student_id)
            own = AccessEntry.student_id == student_id
            await connection.execute(update(AccessEntry).where(own).values(student_id=null()))
            return await _receipt(connection, "request", records, outside)

        return await self._database.transaction(work, deadline=_ERASE_S)

    async def late(self, receipt_id: str, student_id: str) -> ExternalData:
        """Erases conversations whose first turn was recorded only after the child was erased."""

        async def work(connection: AsyncConnection) -> ExternalData:
            when = select(erasures.c.erased_at).where(erasures.c.receipt_id == receipt_id)
            erased_at = (await connection.execute(when)).scalar_one()
            own = (threads.c.student_id == student_id) & (threads.c.created_at <= erased_at + _LATE)
            found = list((await connection.scalars(select(threads.c.thread_id).where(own))).all())
            of_these = messages.c.thread_id.in_(found)
            runs = (await connection.scalars(select(messages.c.run_id).distinct().where(of_these))).all()
            await connection.execute(delete(threads).where(threads.c.thread_id.in_(found)))
            return ExternalData([*found, *runs])

        return await self._database.transaction(work, deadline=_ERASE_S)

    async def older_than(self, before: datetime) -> ErasureReceipt | None:
        """Erases one batch of records past retention; None if there are none."""
        for personal in PERSONAL_TABLES:
            if personal.age is not None and (erased := await self._batch(personal, personal.age < before)):
                return erased
        return None

    async def pending(self) -> list[tuple[str, ExternalData]]:
        """Receipt ids with their data outside the database that is still to be removed."""
        query = select(erasures.c.receipt_id, erasures.c.pending).where(erasures.c.pending.is_not(None))
        found = await self._database.rows(query.limit(_MOST_PENDING))
        return [(row.receipt_id, ExternalData(**row.pending)) for row in found]

    async def done(self, receipt_id: str) -> None:
        await self._database.execute(update(erasures).where(erasures.c.receipt_id == receipt_id).values(pending=null()))

    async def _batch(self, personal: PersonalTable, old: ColumnElement[bool]) -> ErasureReceipt | None:
        key = next(iter(personal.table.primary_key))

        async def work(connection: AsyncConnection) -> ErasureReceipt | None:
            found = (await connection.scalars(select(key).where(old).limit(_BATCH))).all()
            if not found:
                return None
            rows, outside = old & key.in_(found), ExternalData()
            await _collect_external_data(connection, personal, rows, outside)
            done = await connection.execute(delete(personal.table).where(rows))
            return await _receipt(connection, "retention", {personal.name: done.rowcount}, outside)

        return await self._database.transaction(work, deadline=_ERASE_S)


async def _count(connection: AsyncConnection, personal: PersonalTable, rows: ColumnElement[bool]) -> int:
    return await connection.scalar(select(func.count()).select_from(personal.table).where(rows)) or 0


async def _collect_external_data(
    connection: AsyncConnection, personal: PersonalTable, rows: ColumnElement[bool], outside: ExternalData
) -> None:
    for column, ids in ((personal.redis_id, outside.threads), (personal.file, outside.files)):
        if column is not None:
            ids.extend((await connection.scalars(select(column).where(rows))).all())


async def _remove_from_tokens(connection: AsyncConnection, student_id: str) -> int:
    """As `ErasureRecords.tokens`."""
    await connection.execute(delete(class_members).where(class_members.c.student_id == student_id))
    await connection.execute(update(students).where(students.c.student_id == student_id).values(card=null()))
    signed_in = await connection.execute(delete(sign_ins).where(sign_ins.c.student_id == student_id))
    query = select(tokens.c.token_id, tokens.c.role, tokens.c.subject).where(
        json_contains_id(tokens.c.subject, student_id)
    )
    found = (await connection.execute(query)).all()
    for row in found:
        this = tokens.c.token_id == row.token_id
        if row.role == "student":
            await connection.execute(delete(tokens).where(this))
        else:
            others = [each for each in row.subject if each != student_id]
            await connection.execute(update(tokens).where(this).values(subject=others))
    return len(found) + signed_in.rowcount


async def _remove_from_execution_owners(connection: AsyncConnection, student_id: str) -> None:
    """Removes the child from the students that owners of runs stood for."""
    query = select(executions.c.execution_id, executions.c.owner).where(
        json_contains_id(executions.c.owner, student_id)
    )
    for row in (await connection.execute(query)).all():
        owner = {**row.owner, "subject": [each for each in row.owner["subject"] if each != student_id]}
        this = executions.c.execution_id == row.execution_id
        await connection.execute(update(executions).where(this).values(owner=owner))


async def _receipt(
    connection: AsyncConnection, reason: Reason, records: Mapping[str, int], outside: ExternalData
) -> ErasureReceipt:
    receipt_id = uuid.uuid4().hex
    row = {"receipt_id": receipt_id, "reason": reason, "records": dict(records), "pending": asdict(outside)}
    await connection.execute(insert(erasures), row)
    return ErasureReceipt(receipt_id, records, outside)
