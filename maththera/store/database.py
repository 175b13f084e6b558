"""The connection pool. A database that cannot be reached is always a StoreUnavailable to the rest of the program."""

import asyncio
import json
import sqlite3
from collections.abc import AsyncIterator, Awaitable, Callable, Mapping, Sequence
from contextlib import AbstractAsyncContextManager, asynccontextmanager, suppress
from typing import Any, Final, Self, TypeVar

import orjson
from pydantic_core import from_json
from sqlalchemy import CursorResult, Executable, Row, Table, event, make_url, text
from sqlalchemy.exc import DBAPIError, IntegrityError, SQLAlchemyError
from sqlalchemy.exc import TimeoutError as PoolTimeout
from sqlalchemy.ext.asyncio import AsyncConnection, AsyncEngine, create_async_engine

Result = TypeVar("Result")
Work = Callable[[AsyncConnection], Awaitable[Result]]
Connect = Callable[[], AbstractAsyncContextManager[AsyncConnection]]

RETRY_AFTER_S: Final = 2
"""What a client is told to wait: a server that was restarted is usually back by then."""

REPORT_DEADLINE_S: Final = 30.0
"""A report reads every turn of a child, or of a class; it may take longer than a child's own turn."""

_DEADLINE_S: Final = 2.0
"""Waiting for a connection, connecting and executing together; a hung server must not hang the child. Dropping the
first connection that hangs takes the driver two seconds more."""

_BUSY_MS: Final = 1500
"""How long SQLite waits for another process' lock: shorter than the deadline, so that the error is SQLite's own."""

_POOL: Final = 10
"""Connections of one process to PostgreSQL. More of them are not faster on few cores."""

_READERS: Final = 3
"""Connections of one process that read SQLite. One more writes: SQLite takes one writer at a time."""

_PRAGMAS: Final = (
    f"busy_timeout={_BUSY_MS}",
    "journal_mode=WAL",
    "synchronous=FULL",
    "foreign_keys=ON",
    "secure_delete=ON",  # overwrites deleted rows with zeros; else an erased child stays readable in free pages
)

_QUEUE_S: Final = 30.0
"""How long SQLite's callers wait for a connection before their deadline begins: enough for hundreds at once."""

_TRANSIENT_SQLSTATES: Final = ("08", "53", "57P", "58", "25006", "40001", "40P01")
"""PostgreSQL's states of a connection lost, no resources, shutdown or start, system error, read-only standby, and a
conflict of transactions."""

_TRANSIENT_SQLITE: Final = frozenset({5, 6, 8, 10, 13, 14, 15})
"""Primary result codes: busy, locked, read-only, I/O error, disk full, cannot open, locking protocol."""

_LOCKED_SQLITE: Final = frozenset({5, 6})
"""Busy and locked."""

_SQLITE_FOREIGN_KEY: Final = 787
_SAME_VERSION: Final = text("UPDATE alembic_version SET version_num = version_num")


class StoreUnavailable(Exception):
    """The database cannot be used now. A write was carried out as a whole or not at all."""

    def __init__(self, error: Exception, retry_after: int = RETRY_AFTER_S) -> None:
        reason = error.orig if isinstance(error, DBAPIError) else error  # without the statement's text
        super().__init__(f"the learner records cannot be reached: {str(reason) or 'no answer in time'}")
        self.retry_after = retry_after


def dumps(value: Any) -> str:
    """JSON text as it is stored. The standard library takes over where orjson refuses: integers over 64 bits and lone
    surrogates."""
    try:
        return orjson.dumps(value, option=_PLAIN).decode()
    except TypeError:
        return json.dumps(value, separators=(",", ":"), allow_nan=False)


def loads(text: str | bytes) -> Any:
    """What `dumps` wrote. The standard library, which is six times slower, reads lone surrogates."""
    try:
        return from_json(text)
    except ValueError:
        return json.loads(text)


_PLAIN: Final = orjson.OPT_PASSTHROUGH_DATACLASS | orjson.OPT_PASSTHROUGH_DATETIME | orjson.OPT_PASSTHROUGH_SUBCLASS
"""Anything but plain JSON types is an error: it would come back as another type."""


class Database:
    """A pool on `url` (sqlite+aiosqlite:// file or postgresql+asyncpg://). Connects when first used.

    Connections are in autocommit: a single statement, which is what a turn needs, costs one round trip instead of
    three. Several statements are one `transaction`. On SQLite the writes of a process queue for one connection here:
    SQLite itself would let them race until some have waited too long.
    """

    def __init__(self, url: str) -> None:
        self.dialect = make_url(url).get_backend_name()
        sqlite = self.dialect == "sqlite"
        self._readers = asyncio.Semaphore(_READERS) if sqlite else None
        self._writer = asyncio.Semaphore(1) if sqlite else None
        self.engine: AsyncEngine = create_async_engine(
            url,
            isolation_level="AUTOCOMMIT",
            skip_autocommit_rollback=True,
            json_serializer=dumps,
            json_deserializer=loads,
            hide_parameters=True,  # what a child answered does not belong into a log
            pool_size=_READERS + 1 if sqlite else _POOL,
            max_overflow=0,
            pool_timeout=_DEADLINE_S,
            connect_args={"factory": _SqliteConnection} if sqlite else {},
        )
        if sqlite:
            event.listen(self.engine.sync_engine, "connect", _prepare_sqlite)

    async def run(self, work: Work[Result], *, deadline: float = _DEADLINE_S) -> Result:
        """Does `work`, which only reads, on a connection; once more on a fresh one if the first is found dead."""
        async with _queue_place(self._readers):
            return await self._attempt(work, self.engine.connect, deadline)

    async def write(self, work: Work[Result]) -> Result:
        """As `run`, for one statement that writes. It may be carried out twice, so it needs a unique key or must be
        idempotent."""
        async with _queue_place(self._writer):
            return await self._attempt(work, self.engine.connect, _DEADLINE_S)

    async def transaction(self, work: Work[Result], *, deadline: float = _DEADLINE_S) -> Result:
        """As `write`, for several statements: all or nothing. On SQLite it holds the write lock from the start."""
        async with _queue_place(self._writer):
            return await self._attempt(work, self._begin, deadline)

    async def rows(
        self, query: Executable, parameters: Mapping[str, Any] | None = None, *, deadline: float = _DEADLINE_S
    ) -> Sequence[Row[Any]]:
        """All rows of a query. One that is often made is built once, with a `bindparam` for each of `parameters`: to
        build it takes as long as to run it."""
        found: CursorResult[Any] = await self.run(
            lambda connection: connection.execute(query, parameters), deadline=deadline
        )
        return found.all()

    async def value(self, query: Executable) -> Any | None:
        """The first value of the first row of a query; None without a row."""
        found = await self.rows(query)
        return found[0][0] if found else None

    async def report(self, query: Executable) -> Sequence[Row[Any]]:
        """All rows of a query that goes through many records, and may take so long."""
        return await self.rows(query, deadline=REPORT_DEADLINE_S)

    async def execute(self, statement: Executable) -> CursorResult[Any]:
        """Carries out one statement that writes; see `write`."""
        return await self.write(lambda connection: connection.execute(statement))

    async def truncate_wal(self) -> None:
        """Empties SQLite's write-ahead file, which still holds earlier versions of rows. Raises StoreUnavailable if a
        reader keeps it in use for too long."""
        if self.dialect == "sqlite":
            done = await self.execute(text("PRAGMA wal_checkpoint(TRUNCATE)"))
            if done.one()[0]:
                raise StoreUnavailable(TimeoutError("the write-ahead file is in use"))

    async def ping(self) -> None:
        """Raises StoreUnavailable unless the database answers."""
        await self.run(lambda connection: connection.exec_driver_sql("SELECT 1"))

    async def try_writing(self) -> None:
        """Raises StoreUnavailable unless a row can be written: the schema's version, unchanged."""
        await self.execute(_SAME_VERSION)

    async def __aenter__(self) -> Self:
        return self

    async def __aexit__(self, *_: object) -> None:
        await self.close()

    async def close(self) -> None:
        """Closes all connections; gives up on those that a hung server keeps open."""
        with suppress(TimeoutError):
            async with asyncio.timeout(_DEADLINE_S):
                await self.engine.dispose()

    async def _attempt(self, work: Work[Result], connect: Connect, deadline: float, *, again: bool = True) -> Result:
        try:
            async with asyncio.timeout(deadline), connect() as connection:
                return await work(connection)
        except (SQLAlchemyError, OSError) as error:  # OSError: also TimeoutError
            if not _is_transient(error):
                raise
            if not again or not (isinstance(error, DBAPIError) and error.connection_invalidated):
                raise StoreUnavailable(error) from error
        return await self._attempt(work, connect, deadline, again=False)

    @asynccontextmanager
    async def _begin(self) -> AsyncIterator[AsyncConnection]:
        async with self.engine.connect() as connection:
            await connection.exec_driver_sql("BEGIN IMMEDIATE" if self.dialect == "sqlite" else "BEGIN")
            try:
                yield connection
                await connection.exec_driver_sql("COMMIT")
            except BaseException:
                await connection.invalidate()  # autocommit mode does not roll back by itself
                raise


class Store:
    """What is kept of one noun. Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database


class _SqliteConnection(sqlite3.Connection):
    """A connection that rolls back when it is closed. Otherwise SQLite keeps the transaction and its write lock as long
    as a statement is referred to, for example by the traceback of the error that led to closing."""

    def close(self) -> None:
        if self.in_transaction:
            self.rollback()
        super().close()


@asynccontextmanager
async def _queue_place(queue: asyncio.Semaphore | None) -> AsyncIterator[None]:
    """Holds one of the connections that `queue` counts."""
    if queue is None:
        yield
        return
    try:
        async with asyncio.timeout(_QUEUE_S):
            await queue.acquire()
    except TimeoutError as error:
        raise StoreUnavailable(error) from error
    try:
        yield
    finally:
        queue.release()


async def lock_for_writing(connection: AsyncConnection, table: Table) -> None:
    """Until the transaction ends, no other one writes to the table. On SQLite it holds the only write lock already."""
    if connection.dialect.name == "postgresql":
        await connection.execute(text(f"LOCK TABLE {table.name} IN SHARE ROW EXCLUSIVE MODE"))


def foreign_key_missing(error: IntegrityError) -> bool:
    """True if the row refers to one that does not exist, False if a unique key was taken."""
    origin = error.orig
    return (
        getattr(origin, "sqlite_errorcode", None) == _SQLITE_FOREIGN_KEY or getattr(origin, "sqlstate", "") == "23503"
    )


def is_locked(error: BaseException | None) -> bool:
    """True if another connection held SQLite's lock until the time was over."""
    code = getattr(getattr(error, "orig", None), "sqlite_errorcode", 0) & 0xFF
    return code in _LOCKED_SQLITE or isinstance(error, TimeoutError)


def _is_transient(error: Exception) -> bool:
    if isinstance(error, OSError | PoolTimeout):
        return True
    if not isinstance(error, DBAPIError):
        return False
    if error.connection_invalidated or error.statement is None:  # no statement: there was no connection yet
        return True
    state = getattr(error.orig, "sqlstate", None) or ""
    code = getattr(error.orig, "sqlite_errorcode", 0) & 0xFF
    return state.startswith(_TRANSIENT_SQLSTATES) or code in _TRANSIENT_SQLITE


def _prepare_sqlite(connection: Any, _record: object) -> None:
    cursor = connection.cursor()
    for pragma in _PRAGMAS:
        cursor.execute(f"PRAGMA {pragma}")
    cursor.close()
