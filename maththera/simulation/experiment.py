"""One experiment from start to end: run, measure, show, write."""

import time
from pathlib import Path

import orjson
from rich.console import Console
from rich.progress import BarColumn, MofNCompleteColumn, Progress, TextColumn, TimeRemainingColumn

from maththera.simulation import measures, tables
from maththera.simulation.measures import KEYS, Measured
from maththera.simulation.run import Setup, cores, run
from maththera.simulation.session import Record
from maththera.simulation.statistics import NOTHING, Estimate
from maththera.tutoring.catalogue import load_catalogue


def run_experiment(home: Path, setup: Setup, *, workers: int | None, json: Path | None) -> Measured:
    """Runs the children of `setup`, prints the table and writes what was asked for."""
    console = Console()
    started = time.monotonic()
    records = observed(home, setup, workers, console, "sessions")
    seconds = time.monotonic() - started
    catalogue = load_catalogue(home)
    found = measures.measure(records, catalogue.causes)
    speed = sum(record.turns for record in records) / seconds
    found["turns_per_second"] = Estimate(speed, speed, speed)
    console.print(tables.figures(found, f"{setup.learners:,} children, seed {setup.seed}"))
    console.print(tables.kinds(records))
    if json is not None:
        json.write_bytes(orjson.dumps(as_json(found), option=orjson.OPT_INDENT_2))
    return found


def observed(home: Path, setup: Setup, workers: int | None, console: Console, what: str) -> list[Record]:
    """The records, behind a progress bar."""
    with Progress(
        TextColumn(what), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn(), console=console, transient=True
    ) as bar:
        task = bar.add_task(what, total=setup.learners)
        return run(home, setup, workers or cores(), lambda done: bar.advance(task, done))


def as_json(found: Measured) -> dict[str, object]:
    """The named figures, and their intervals under `ci`; null where nothing was measured."""
    chosen = {key: found.get(key, NOTHING) for key in KEYS}
    return {
        **{key: estimate.value for key, estimate in chosen.items()},
        "ci": {key: [estimate.low, estimate.high] for key, estimate in chosen.items()},
    }
