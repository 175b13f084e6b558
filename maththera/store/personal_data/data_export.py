"""The export of all records of a child, as one JSON document."""

from collections.abc import AsyncIterator
from datetime import UTC, datetime
from typing import Any, Final

from sqlalchemy import select

from maththera.json_types import JsonObject
from maththera.store.access.authorization import (
    Principal,
    has_safety_mark,
    may_see_danger,
    redact_for_role,
    visible_students,
)
from maththera.store.database import Store, dumps
from maththera.store.personal_data.data_inventory import EXPORTED_TOKENS, PERSONAL_TABLES, PersonalTable

_PAGE: Final = 100


class DataExport(Store):
    async def document(self, student_id: str, reader: Principal | None = None) -> AsyncIterator[bytes]:
        """One JSON object in pieces, a page of rows at a time: table → rows. Records that are also about other children
        appear as outlines. Threads of other adults than `reader` are left out, and for a guardian messages about
        danger. `reader`: None for the rights of an admin."""
        head = {"student_id": student_id, "exported_at": datetime.now(UTC).isoformat()}
        yield dumps(head)[:-1].encode() + b',"tables":{'
        for number, personal in enumerate((*PERSONAL_TABLES, EXPORTED_TOKENS)):
            yield f"{',' if number else ''}{dumps(personal.name)}:[".encode()
            separator = ""
            async for row in self._rows(personal, student_id, reader):
                if reader is not None and not may_see_danger(reader.role) and has_safety_mark(row):
                    continue
                yield f"{separator}{dumps(row if reader is None else redact_for_role(reader.role, row))}".encode()
                separator = ","
            yield b"]"
        yield b"}}\n"

    async def _rows(
        self, personal: PersonalTable, student_id: str, reader: Principal | None
    ) -> AsyncIterator[JsonObject]:
        rows = personal.rows(student_id)
        if reader is not None and visible_students(reader) is not None and personal.others is not None:
            rows &= ~personal.others(reader.token_id)
        if reader is not None and not may_see_danger(reader.role) and personal.danger is not None:
            rows &= ~personal.danger
        shared = set[Any]()
        key = tuple(personal.table.primary_key)
        if personal.shared is not None:
            query = select(*key).where(rows, personal.shared(student_id))
            shared = {tuple(row) for row in await self._database.report(query)}
        offset = 0
        while True:
            query = select(personal.table).where(rows).order_by(*key)
            page = await self._database.report(query.limit(_PAGE).offset(offset))
            for row in page:
                known = row._mapping
                outlined = tuple(known[column.name] for column in key) in shared
                yield {
                    str(name): _plain(value) for name, value in known.items() if _is_exported(personal, name, outlined)
                }
            if len(page) < _PAGE:
                return
            offset += _PAGE


def _is_exported(personal: PersonalTable, name: str, outlined: bool) -> bool:
    return name in personal.outline if outlined else name not in personal.hidden


def _plain(value: Any) -> Any:
    return value.isoformat() if isinstance(value, datetime) else value
