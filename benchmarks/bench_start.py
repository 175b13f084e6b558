"""How long the service takes from the start of its process until it is ready."""

import statistics
import tempfile
from collections.abc import Mapping, Sequence
from typing import Final

from benchmarks.report import Cell, Section, Target, at_most, table
from benchmarks.servers import service, stores

STARTS: Final = 5
LIMIT_SECONDS: Final = 3.0


def measure() -> Section:
    """Median of five starts each."""
    with stores("postgres") as environment:
        connected = [_start(environment) for _ in range(STARTS)]
    fresh = []
    for _ in range(STARTS):
        with tempfile.TemporaryDirectory(prefix="maththera-bench-") as folder:
            fresh.append(_start({"MATHTHERA_DATA_DIR": folder}))
    names = ("Redis + PostgreSQL", "embedded, empty data directory")
    targets: list[Target] = []
    rows: list[Sequence[Cell]] = []
    for name, times in zip(names, (connected, fresh), strict=True):
        targets.append(at_most(f"{name}: cold start", statistics.median(times), LIMIT_SECONDS, " s", 2))
        rows.append([name, *sorted(times)])
    head = ("seconds", "fastest", "", "median", "", "slowest")
    return Section("Cold start", _TEXT, targets, [table(head, rows)])


def _start(environment: Mapping[str, str]) -> float:
    with service(environment) as running:
        return running.started


_TEXT: Final = """\
From the start of `maththera serve` until `/readyz` answers 200. The embedded service makes its tables and starts its
own Redis in that time; the other one finds both."""
