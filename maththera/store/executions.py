"""Runs of flows: who began each, with which inputs and version, its status and its result."""

from collections.abc import Callable, Collection, Iterable, Mapping, Sequence
from dataclasses import dataclass
from datetime import datetime
from typing import Any, Final, Literal, NotRequired

from sqlalchemy import (
    JSON,
    Column,
    ColumnElement,
    ForeignKey,
    Index,
    Integer,
    String,
    Table,
    Text,
    and_,
    case,
    insert,
    null,
    or_,
    select,
    true,
    update,
)
from sqlalchemy.exc import IntegrityError
from sqlalchemy.ext.asyncio import AsyncConnection
from typing_extensions import TypedDict

from maththera.json_types import JsonObject, JsonSchema
from maththera.store.access.authorization import Principal, Role
from maththera.store.database import Store
from maththera.store.flow_versions import FlowVersion, VariantRuns, compare_variants, insert_version, text_of_version
from maththera.store.schema import Utc, metadata, time_column, utc_now

Status = Literal["running", "waiting", "completed", "failed", "cancelled"]
ENDED: Final[frozenset[Status]] = frozenset({"completed", "failed", "cancelled"})
_MOST_COMPARED: Final = 20_000
"""Runs of a flow that a comparison of variants reads, the newest."""
_MOST_UNTOLD: Final = 100

executions: Final = Table(
    "executions",
    metadata,
    Column("execution_id", String, primary_key=True),
    Column("status", String, nullable=False),
    Column("flow_hash", String, ForeignKey("flow_versions.hash"), nullable=False),
    Column("flow_name", String, nullable=False),
    Column("owner_token", String, nullable=False),
    Column("owner", JSON, nullable=False),
    Column("student_id", String),
    Column("starts", Integer, nullable=False, server_default="0"),
    Column("variant", String),
    Column("request_digest", String),
    time_column(),
    Column("ended_at", Utc),
    Column("command", Text),
    Column("inputs", JSON, nullable=False),
    Column("waiting", JSON(none_as_null=True)),
    Column("answer", JSON(none_as_null=True)),
    Column("result", JSON(none_as_null=True)),
    Column("closing", Text),
    Column("error", JSON(none_as_null=True)),
    Column("completed_steps", JSON(none_as_null=True)),
    Column("error_log", JSON(none_as_null=True)),
    Column("steps", JSON(none_as_null=True)),
    Index("executions_by_status", "status"),
    Index("executions_by_flow", "flow_name", "created_at"),
    Index("executions_of_owner", "owner_token", "created_at"),
    Index("executions_of_student", "student_id"),
)


class ExecutionTaken(Exception):
    """There is an execution with this id already."""


class Owner(TypedDict):
    """The rights of the token that began a run, at that time."""

    role: Role
    subject: list[str]


class OpenQuestion(TypedDict):
    """What a step asks a person. `step`: its path. `form`: JSON Schema of the answer. `expires_at`: seconds since 1970,
    None without a limit. `errors`: why the last answer does not fit."""

    step: str
    question: Any
    form: JsonSchema
    expires_at: float | None
    errors: NotRequired[list[str]]


class RunFailure(TypedDict):
    """The step at which a run failed, its tool as `server.tool`, a code, and why."""

    step: str
    tool: str | None
    code: str
    message: str


@dataclass(frozen=True, slots=True)
class ExecutionRow:
    """`waiting`: path of a step → the question to a person, also while other steps work. `answer`: path → answer and
    time, until the run has used it. `starts`: how often a process has begun to work on it, without what was taken back
    again. `variant`: the version that was chosen for the student, None for a run outside of the comparison.
    `request_digest`: of the body that came with an idempotency key."""

    execution_id: str
    status: Status
    flow_hash: str
    flow_name: str
    flow_version: str
    owner_token: str
    owner: Owner
    student_id: str | None
    starts: int
    variant: str | None
    request_digest: str | None
    created_at: datetime
    ended_at: datetime | None
    command: str | None
    inputs: JsonObject
    waiting: dict[str, OpenQuestion] | None
    answer: Any
    result: JsonObject | None
    closing: str | None
    error: RunFailure | None
    completed_steps: list[str] | None
    error_log: list[str] | None

    @property
    def principal(self) -> Principal:
        """The owner, with the rights of the time when the run began."""
        return Principal(self.owner_token, self.owner["role"], frozenset(self.owner["subject"]))


@dataclass(frozen=True, slots=True)
class ExecutionFilter:
    """A page of runs, the newest first; None leaves a condition out. `owner`: the token that began them. `after`: time
    and id of the last run of the page before."""

    owner: str | None = None
    flow: str | None = None
    status: Status | None = None
    student_id: str | None = None
    variant: str | None = None
    since: datetime | None = None
    after: tuple[datetime, str] | None = None
    limit: int = 50

    def conditions(self) -> list[ColumnElement[bool]]:
        equal = {
            executions.c.owner_token: self.owner,
            executions.c.flow_name: self.flow,
            executions.c.status: self.status,
            executions.c.student_id: self.student_id,
            executions.c.variant: self.variant,
        }
        found = [column == value for column, value in equal.items() if value is not None]
        if self.since is not None:
            found.append(executions.c.created_at >= self.since)
        if self.after is not None:
            created_at, execution_id = self.after
            same = and_(executions.c.created_at == created_at, executions.c.execution_id > execution_id)
            found.append(or_(executions.c.created_at < created_at, same))
        return found


_ROWS: Final = select(
    *(column for column in executions.c if column.name != "steps"), FlowVersion.version.label("flow_version")
).join(FlowVersion, FlowVersion.hash == executions.c.flow_hash)


class ExecutionRecords(Store):
    async def create(  # noqa: PLR0913 - the columns, keyword-only
        self,
        execution_id: str,
        *,
        flow: FlowVersion,
        owner: Principal,
        inputs: Mapping[str, Any],
        student_id: str | None,
        command: str | None,
        variant: str | None = None,
        request_digest: str | None = None,
    ) -> None:
        """Records a run with the status running; ExecutionTaken if the id is taken."""
        row = {
            "execution_id": execution_id,
            "status": "running",
            "flow_hash": flow.hash,
            "flow_name": flow.name,
            "owner_token": owner.token_id,
            "owner": Owner(role=owner.role, subject=sorted(owner.subject)),
            "student_id": student_id,
            "command": command,
            "variant": variant,
            "request_digest": request_digest,
            "inputs": dict(inputs),
        }

        async def write(connection: AsyncConnection) -> None:
            await connection.execute(insert_version(connection.dialect.name, flow))
            await connection.execute(insert(executions), row)

        try:
            await self._database.transaction(write)
        except IntegrityError:
            raise ExecutionTaken(execution_id) from None

    async def find(self, execution_id: str) -> ExecutionRow | None:
        rows = await self._rows([executions.c.execution_id == execution_id], 1)
        return rows[0] if rows else None

    async def page(self, wanted: ExecutionFilter) -> Sequence[ExecutionRow]:
        """The newest first."""
        return await self._rows(wanted.conditions(), wanted.limit)

    async def steps(self, execution_id: str) -> Any:
        """The steps of a run that has ended; None if they were not recorded."""
        return await self._database.value(select(executions.c.steps).where(executions.c.execution_id == execution_id))

    async def save_steps(self, execution_id: str, steps: Iterable[Mapping[str, Any]]) -> None:
        statement = update(executions).where(executions.c.execution_id == execution_id).values(steps=list(steps))
        await self._database.execute(statement)

    async def untold(
        self, after: datetime, before: datetime, among: Collection[str] | None = None
    ) -> Sequence[ExecutionRow]:
        """Runs that ended between these times without recorded steps, which are recorded when the end is told; a few at
        a time, if they are not `among` given ones."""
        if among is not None and not among:
            return []
        ended = [executions.c.status.in_(ENDED), executions.c.ended_at.between(after, before)]
        own = [executions.c.execution_id.in_(among)] if among is not None else []
        return await self._rows([*own, *ended, executions.c.steps.is_(null())], len(among or ()) or _MOST_UNTOLD)

    async def unended(self, flow_name: str, owner_token: str) -> str | None:
        """The id of a run of this flow and owner that has not ended."""
        own = (executions.c.flow_name == flow_name, executions.c.owner_token == owner_token)
        query = select(executions.c.execution_id).where(*own, executions.c.status.not_in(ENDED)).limit(1)
        return await self._database.value(query)

    async def compare(self, flow_name: str) -> dict[str, VariantRuns]:
        """Variant → how its runs ended, of the runs for which a variant was chosen."""
        columns = (executions.c.variant, executions.c.status, executions.c.created_at, executions.c.ended_at)
        own = (executions.c.flow_name == flow_name, executions.c.variant.is_not(None))
        query = select(*columns).where(*own).order_by(executions.c.created_at.desc()).limit(_MOST_COMPARED)
        return compare_variants(await self._database.rows(query))

    async def running(self, limit: int) -> list[str]:
        """Ids of runs that a process should be working on."""
        query = select(executions.c.execution_id).where(executions.c.status == "running").limit(limit)
        return [row.execution_id for row in await self._database.rows(query)]

    async def asking(self, limit: int) -> dict[str, dict[str, OpenQuestion]]:
        """Id → its questions, of runs that ask a person, also while their other steps work."""
        columns = (executions.c.execution_id, executions.c.waiting)
        open_ = and_(executions.c.status.in_(("running", "waiting")), executions.c.waiting.is_not(None))
        return {
            row.execution_id: row.waiting
            for row in await self._database.rows(select(*columns).where(open_).limit(limit))
        }

    async def flow_text(self, digest: str) -> str:
        """The text of a version that a run uses."""
        ((text,),) = await self._database.rows(text_of_version(digest))
        return str(text)

    async def begin(self, execution_id: str) -> bool:
        """Counts a process that starts to work on it; False if the run is not running any more."""
        return await self._update_in_status(execution_id, ("running",), starts=executions.c.starts + 1)

    async def take_back(self, execution_id: str, starts: int) -> None:
        """Takes back what `begin` has counted. The first start stays: what has begun is not begun anew."""
        own = and_(executions.c.execution_id == execution_id, executions.c.status.in_(("running", "waiting")))
        left = executions.c.starts - starts
        fewer = case((left < 1, 1), else_=left)
        await self._database.execute(update(executions).where(own, executions.c.starts > 1).values(starts=fewer))

    async def ask(self, execution_id: str, question: OpenQuestion) -> None:
        """Adds the question of a step while other steps still work."""
        step = question["step"]

        def change(row: ExecutionRow) -> JsonObject:
            answered = step in (row.answer or {})
            return {} if answered else {"waiting": {**(row.waiting or {}), step: question}}

        await self._update_from_row(execution_id, ("running",), change)

    async def wait(
        self,
        execution_id: str,
        waiting: Mapping[str, OpenQuestion],
        taken: Collection[str],
        progress: Mapping[str, Any],
    ) -> bool:
        """Lets the run wait for a person; `taken`: the steps whose answers it has used. False if an answer has come
        meanwhile: then it goes on running."""

        def change(row: ExecutionRow) -> JsonObject:
            answers = {step: each for step, each in (row.answer or {}).items() if step in waiting.keys() - set(taken)}
            asked = {step: each for step, each in waiting.items() if step not in answers}
            status = "running" if answers else "waiting"
            return {"status": status, "waiting": asked, "answer": answers or None, **progress}

        changed = await self._update_from_row(execution_id, ("running",), change)
        return changed.get("status") == "waiting"

    async def answer(self, execution_id: str, answers: Mapping[str, Any]) -> bool:
        """Records answers of people, by step; False, and none recorded, unless all of these steps still ask."""

        def change(row: ExecutionRow) -> JsonObject:
            asked = row.waiting or {}
            if not answers.keys() <= asked.keys():
                return {}
            left = {step: each for step, each in asked.items() if step not in answers}
            return {"status": "running", "waiting": left or None, "answer": {**(row.answer or {}), **answers}}

        return bool(await self._update_from_row(execution_id, ("running", "waiting"), change))

    async def again(self, execution_id: str) -> bool:
        """Sets a failed or cancelled run to running; False if it is neither."""
        cleared = dict.fromkeys(("ended_at", "error", "result", "closing", "waiting", "answer", "steps"))
        return await self._update_in_status(
            execution_id, ("failed", "cancelled"), status="running", starts=0, **cleared
        )

    async def save_version(self, flow: FlowVersion) -> None:
        """Stores a version that a run goes on with, though there may be newer ones."""
        await self._database.execute(insert_version(self._database.dialect, flow))

    async def end(self, execution_id: str, status: Status, **values: Any) -> bool:
        """Ends a run; False if it has ended already."""
        return await self._update_in_status(
            execution_id, ("running", "waiting"), status=status, ended_at=utc_now(), waiting=None, answer=None, **values
        )

    async def _update_from_row(
        self, execution_id: str, before: tuple[Status, ...], change: Callable[[ExecutionRow], JsonObject]
    ) -> JsonObject:
        """Changes a row by a function of its values; returns the new values, none if its status is not in `before`."""
        query = _ROWS.where(executions.c.execution_id == execution_id).with_for_update(of=executions)

        async def write(connection: AsyncConnection) -> JsonObject:
            row = (await connection.execute(query)).first()
            values = change(ExecutionRow(**row._mapping)) if row is not None and row.status in before else {}
            if values:
                statement = update(executions).where(executions.c.execution_id == execution_id)
                await connection.execute(statement.values(**values))
            return values

        return await self._database.transaction(write)

    async def _update_in_status(self, execution_id: str, before: tuple[Status, ...], **values: Any) -> bool:
        this = and_(executions.c.execution_id == execution_id, executions.c.status.in_(before))
        done = await self._database.execute(update(executions).where(this).values(**values))
        return bool(done.rowcount)

    async def _rows(self, conditions: Sequence[ColumnElement[bool]], limit: int) -> list[ExecutionRow]:
        order = (executions.c.created_at.desc(), executions.c.execution_id)
        query = _ROWS.where(true(), *conditions).order_by(*order).limit(limit)
        return [ExecutionRow(**row._mapping) for row in await self._database.rows(query)]
