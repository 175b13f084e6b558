"""What has been agreed to for a child, and when it was taken back: a record of every word, of which the last counts."""

from dataclasses import dataclass
from datetime import datetime
from typing import Any, Literal

from sqlalchemy import Row, insert, select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.learners.database import Database
from maththera.learners.tables_keeping import consents

Purpose = Literal["records", "reports", "model", "research"]


@dataclass(frozen=True, slots=True)
class Consent:
    """`given_by`: in which capacity, such as 보호자; `recorded_by`: the id of the token that said so."""

    student_id: str
    purpose: Purpose
    granted: bool
    given_by: str
    note: str | None
    recorded_by: str
    created_at: datetime


class Consents:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, database: Database) -> None:
        self._database = database

    async def record(  # noqa: PLR0913 - the columns, keyword-only
        self, student_id: str, *, purpose: Purpose, granted: bool, given_by: str, note: str | None, recorded_by: str
    ) -> None:
        row = {"student_id": student_id, "purpose": purpose, "granted": granted, "given_by": given_by, "note": note,
               "recorded_by": recorded_by}  # fmt: skip
        await self._database.write(lambda connection: connection.execute(insert(consents), row))

    async def history(self, student_id: str) -> list[Consent]:
        """The newest first."""
        columns = [consents.c[name] for name in Consent.__dataclass_fields__]
        query = select(*columns).where(consents.c.student_id == student_id).order_by(consents.c.consent_id.desc())

        async def read(connection: AsyncConnection) -> list[Row[Any]]:
            return list((await connection.execute(query)).all())

        return [Consent(**row._mapping) for row in await self._database.run(read)]


def current(history: list[Consent]) -> dict[str, bool]:
    """Purpose → whether it is agreed to now; purposes nobody has spoken about are left out."""
    return {consent.purpose: consent.granted for consent in reversed(history)}
