"""Comparison of the variants of a flow: how many runs of each ended in which way, and how long they took."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from statistics import median
from typing import Any

from sqlalchemy import Row


@dataclass(frozen=True, slots=True)
class VariantRuns:
    """How the runs of a variant ended. `median_ms`: of the completed ones from beginning to end, including the time in
    which they waited for a process or a person."""

    variant: str
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
