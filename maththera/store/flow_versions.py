"""The texts of flows that runs use. A version is identified by the hash of its text. Versions that share
students are variants, compared by how their runs ended."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from datetime import datetime
from statistics import median
from typing import Any

from sqlalchemy import Executable, Row, Select, Text, select
from sqlalchemy.orm import Mapped, mapped_column

from maththera.store.schema import INSERT_BY_DIALECT, Record, utc_now


class FlowVersion(Record):
    """`hash`: of `text`, the flow as it was written."""

    __tablename__ = "flow_versions"

    hash: Mapped[str] = mapped_column(primary_key=True)
    name: Mapped[str]
    version: Mapped[str]
    text: Mapped[str] = mapped_column(Text)
    created_at: Mapped[datetime] = mapped_column(server_default=utc_now(), default=None, compare=False)


def insert_version(dialect: str, flow: FlowVersion) -> Executable:
    """Stores a version unless it is there already."""
    statement: Executable = INSERT_BY_DIALECT[dialect](FlowVersion).values(**flow.values()).on_conflict_do_nothing()
    return statement


def text_of_version(digest: str) -> Select[str]:
    return select(FlowVersion.text).where(FlowVersion.hash == digest)


@dataclass(frozen=True, slots=True)
class VariantRuns:
    """How the runs of a variant ended. `median_ms`: of the completed ones from beginning to end, including the time in
    which they waited for a process or a person."""

    version: str
    runs: int
    completed: int
    failed: int
    cancelled: int
    median_ms: int | None


def compare_variants(rows: Iterable[Row[Any]]) -> dict[str, VariantRuns]:
    """Variant → how its runs ended. A row has `variant`, `status`, `created_at` and `ended_at`."""
    found: dict[str, list[Row[Any]]] = {}
    for row in rows:
        found.setdefault(row.variant, []).append(row)
    return {variant: _variant_runs(variant, each) for variant, each in found.items()}


def _variant_runs(variant: str, rows: Sequence[Row[Any]]) -> VariantRuns:
    ended = {status: [row for row in rows if row.status == status] for status in ("completed", "failed", "cancelled")}
    seconds = [(row.ended_at - row.created_at).total_seconds() for row in ended["completed"]]
    counts = {status: len(each) for status, each in ended.items()}
    return VariantRuns(variant, len(rows), **counts, median_ms=round(median(seconds) * 1_000) if seconds else None)
