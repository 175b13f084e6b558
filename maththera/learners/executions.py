"""Runs of flows as they are recorded: what was asked, by whom, with which version, and what came of it."""

from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal

from sqlalchemy import ColumnElement, Row, and_, insert, select, update
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.access import Principal
from maththera.learners.database import Database
from maththera.learners.heatmaps import INSERT
from maththera.learners.tables import executions, flow_versions, utc_now

Status = Literal["running", "waiting", "completed", "failed", "cancelled"]
ENDED: Final[frozenset[Status]] = frozenset({"completed", "failed", "cancelled"})


class ExecutionTaken(Exception):
    """There is an execution of this id."""


@dataclass(frozen=True, slots=True)
class FlowVersion:
    hash: str
    name: str
    version: str
    text: str


@dataclass(frozen=True, slots=True)
class ExecutionRow:
    """`waiting`: step → what a person is asked. `answer`: what they said, until the run has taken it. `starts`: how
    often a process has begun to work on it."""

    execution_id: str
    status: Status
    flow_hash: str
    flow_name: str
    owner_token: str
    owner: dict[str, Any]
    student_id: str | None
    starts: int
    created_at: datetime
    ended_at: datetime | None
    command: str | None
    inputs: dict[str, Any]
    waiting: dict[str, Any] | None
    answer: Any
    result: dict[str, Any] | None
    closing: str | None
    error: dict[str, Any] | None
    completed_steps: list[str] | None
    error_log: list[str] | None

    @property
    def principal(self) -> Principal:
        """Who it runs for, as they were when they began it."""
        return Principal(self.owner_token, self.owner["role"], frozenset(self.owner["subject"]))


class ExecutionRecords:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def create(  # noqa: PLR0913 - the columns, keyword-only
        self,
        execution_id: str,
        *,
        flow: FlowVersion,
        owner: Principal,
        inputs: Mapping[str, Any],
        student_id: str | None,
        command: str | None,
    ) -> None:
        """A running execution; ExecutionTaken if the id is taken."""
        version = INSERT[self._database.dialect](flow_versions).on_conflict_do_nothing()
        row = {
            "execution_id": execution_id,
            "status": "running",
            "flow_hash": flow.hash,
            "flow_name": flow.name,
            "owner_token": owner.token_id,
            "owner": {"role": owner.role, "subject": sorted(owner.subject)},
            "student_id": student_id,
            "command": command,
            "inputs": dict(inputs),
        }

        async def write(connection: AsyncConnection) -> None:
            values = {"hash": flow.hash, "name": flow.name, "version": flow.version, "text": flow.text}
            await connection.execute(version, values)
            await connection.execute(insert(executions), row)

        try:
            await self._database.transaction(write)
        except IntegrityError:
            raise ExecutionTaken(execution_id) from None

    async def find(self, execution_id: str) -> ExecutionRow | None:
        rows = await self._rows(executions.c.execution_id == execution_id)
        return rows[0] if rows else None

    async def of_owner(self, token_id: str, limit: int) -> list[ExecutionRow]:
        """The newest first."""
        return await self._rows(executions.c.owner_token == token_id, limit)

    async def all(self, limit: int) -> list[ExecutionRow]:
        """The newest first."""
        return await self._rows(executions.c.execution_id.is_not(None), limit)

    async def running(self, limit: int) -> list[str]:
        """Ids of those that some process should be working on."""
        query = select(executions.c.execution_id).where(executions.c.status == "running").limit(limit)

        async def read(connection: AsyncConnection) -> list[str]:
            return list((await connection.execute(query)).scalars())

        return await self._database.run(read)

    async def waiting(self, limit: int) -> dict[str, dict[str, Any]]:
        """Id → what is asked, of those that stand still until a person answers."""
        columns = (executions.c.execution_id, executions.c.waiting)
        query = select(*columns).where(executions.c.status == "waiting").limit(limit)

        async def read(connection: AsyncConnection) -> dict[str, dict[str, Any]]:
            return {row.execution_id: row.waiting or {} for row in (await connection.execute(query)).all()}

        return await self._database.run(read)

    async def flow_text(self, digest: str) -> str:
        """The text of a version that some execution runs."""
        query = select(flow_versions.c.text).where(flow_versions.c.hash == digest)

        async def read(connection: AsyncConnection) -> str:
            return str((await connection.execute(query)).scalar_one())

        return await self._database.run(read)

    async def begin(self, execution_id: str) -> bool:
        """A process starts to work on it. Whether it may: another may have ended it meanwhile."""
        return await self._change(execution_id, ("running",), starts=executions.c.starts + 1)

    async def wait(self, execution_id: str, waiting: Mapping[str, Any], progress: Mapping[str, Any]) -> bool:
        """It stands still until a person answers; the answer before has been taken."""
        values = {"status": "waiting", "waiting": dict(waiting), "answer": None, **progress}
        return await self._change(execution_id, ("running",), **values)

    async def answer(self, execution_id: str, answer: object) -> bool:
        """A person's answer, with which it runs on. Whether it waited for one."""
        values = {"status": "running", "answer": {"value": answer}, "waiting": None}
        return await self._change(execution_id, ("waiting",), **values)

    async def end(self, execution_id: str, status: Status, **values: Any) -> bool:
        """Whether it had not ended before, whoever ended it."""
        return await self._change(
            execution_id, ("running", "waiting"), status=status, ended_at=utc_now(), waiting=None, answer=None, **values
        )

    async def _change(self, execution_id: str, before: tuple[Status, ...], **values: Any) -> bool:
        statement = update(executions).where(
            and_(executions.c.execution_id == execution_id, executions.c.status.in_(before))
        )
        done = await self._database.run(lambda connection: connection.execute(statement.values(**values)))
        return bool(done.rowcount)

    async def _rows(self, which: ColumnElement[bool], limit: int = 1) -> list[ExecutionRow]:
        order = (executions.c.created_at.desc(), executions.c.execution_id)
        query = select(executions).where(which).order_by(*order).limit(limit)

        async def read(connection: AsyncConnection) -> list[Row[Any]]:
            return list((await connection.execute(query)).all())

        return [ExecutionRow(**row._mapping) for row in await self._database.run(read)]
