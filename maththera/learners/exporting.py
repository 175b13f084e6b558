"""Everything that is kept of a child, as JSON-ready rows, table by table."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import Row, select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.access import Principal, sees_danger, within_reach
from maththera.learners.database import Database, dumps
from maththera.learners.guarded import shown, tells_of_danger
from maththera.learners.history import READ_S
from maththera.learners.holdings import HOLDINGS, TOKENS, Holding

_PAGE: Final = 100


class Export:
    """Raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def document(self, student_id: str, reader: Principal | None = None) -> AsyncIterator[bytes]:
        """One JSON object in pieces, a page of rows at a time: table → rows. Of what also tells of other children, the
        outline alone; without what adults other than `reader` asked, and for a guardian without danger. None, like an
        admin, reads all."""
        head = {"student_id": student_id, "exported_at": datetime.now(UTC).isoformat()}
        yield dumps(head)[:-1].encode() + b',"tables":{'
        for number, holding in enumerate((*HOLDINGS, TOKENS)):
            yield f"{',' if number else ''}{dumps(holding.name)}:[".encode()
            separator = ""
            async for row in self._rows(holding, student_id, reader):
                if reader is not None and not sees_danger(reader.role) and tells_of_danger(row):
                    continue
                yield f"{separator}{dumps(row if reader is None else shown(reader.role, row))}".encode()
                separator = ","
            yield b"]"
        yield b"}}\n"

    async def _rows(self, holding: Holding, student_id: str, reader: Principal | None) -> AsyncIterator[dict[str, Any]]:
        rows = holding.rows(student_id)
        if reader is not None and within_reach(reader) is not None and holding.others is not None:
            rows &= ~holding.others(reader.token_id)
        if reader is not None and not sees_danger(reader.role) and holding.danger is not None:
            rows &= ~holding.danger
        shared = set[Any]()
        key = tuple(holding.table.primary_key)
        if holding.shared is not None:
            query = select(*key).where(rows, holding.shared(student_id))
            shared = {tuple(row) for row in await self._read(query)}
        offset = 0
        while True:
            query = select(holding.table).where(rows).order_by(*key)
            page = await self._read(query.limit(_PAGE).offset(offset))
            for row in page:
                known = row._mapping
                outlined = tuple(known[column.name] for column in key) in shared
                yield {str(name): _plain(value) for name, value in known.items() if _shown(holding, name, outlined)}
            if len(page) < _PAGE:
                return
            offset += _PAGE

    async def _read(self, query: Any) -> list[Row[Any]]:
        async def read(connection: AsyncConnection) -> list[Row[Any]]:
            return list((await connection.execute(query)).all())

        return await self._database.run(read, deadline=READ_S)


def _shown(holding: Holding, name: str, outlined: bool) -> bool:
    return name in holding.outline if outlined else name not in holding.hidden


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
