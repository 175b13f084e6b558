"""What guardians ask the school for: that something of their child is corrected, or erased. They choose from a list and
write nothing, so that a request holds no words."""

from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final, Literal
from uuid import uuid4

from sqlalchemy import Index, String, insert, select, update
from sqlalchemy.orm import Mapped, mapped_column

from maththera.store.database import Store
from maththera.store.schema import Record, table_of, utc_now

RequestKind = Literal["correction", "erasure"]
Subject = Literal["name", "age", "answers", "consents", "everything"]

_MOST: Final = 200


class GuardianRequest(Record):
    """`about`: which of the child's records. `asked_by`, `done_by`: token ids. Open until `done_at`."""

    __tablename__ = "guardian_requests"
    __table_args__ = (Index("guardian_requests_of_student", "student_id", "created_at"),)

    request_id: Mapped[str] = mapped_column(primary_key=True)
    student_id: Mapped[str]
    kind: Mapped[RequestKind] = mapped_column(String)
    about: Mapped[Subject] = mapped_column(String)
    asked_by: Mapped[str]
    created_at: Mapped[datetime] = mapped_column(server_default=utc_now())
    done_at: Mapped[datetime | None]
    done_by: Mapped[str | None]


class GuardianRequests(Store):
    async def add(self, student_id: str, kind: RequestKind, about: Subject, asked_by: str) -> GuardianRequest:
        """The same request that is still open is not added again."""
        for one in await self.of_students([student_id], open_only=True):
            if (one.kind, one.about) == (kind, about):
                return one
        row = {"request_id": uuid4().hex, "student_id": student_id, "kind": kind, "about": about, "asked_by": asked_by}
        added = insert(GuardianRequest).values(row).returning(*table_of(GuardianRequest).columns)
        return GuardianRequest.from_row((await self._database.execute(added)).one())

    async def find(self, request_id: str) -> GuardianRequest | None:
        rows = await self._database.rows(select(GuardianRequest).where(GuardianRequest.request_id == request_id))
        return GuardianRequest.from_row(rows[0]) if rows else None

    async def of_students(self, student_ids: Collection[str] | None, *, open_only: bool) -> Sequence[GuardianRequest]:
        """The newest first. `student_ids`: None for all."""
        query = select(GuardianRequest).order_by(GuardianRequest.created_at.desc(), GuardianRequest.request_id)
        if student_ids is not None:
            query = query.where(GuardianRequest.student_id.in_(student_ids))
        if open_only:
            query = query.where(GuardianRequest.done_at.is_(None))
        return [GuardianRequest.from_row(row) for row in await self._database.rows(query.limit(_MOST))]

    async def done(self, request_id: str, done_by: str) -> None:
        """What is done already stays as it is."""
        statement = update(GuardianRequest).where(
            GuardianRequest.request_id == request_id, GuardianRequest.done_at.is_(None)
        )
        await self._database.execute(statement.values(done_at=utc_now(), done_by=done_by))
