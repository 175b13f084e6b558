"""What a benchmark says, as Markdown: targets with what was measured, and tables."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from math import ceil

Cell = str | int | float | None


@dataclass(frozen=True, slots=True)
class Target:
    """One thing that was promised. `measured` and `limit` are shown as they are written."""

    what: str
    measured: str
    limit: str
    met: bool


@dataclass(slots=True)
class Section:
    """One part of the report. `text` says what was done and how to read it."""

    title: str
    text: str
    targets: list[Target] = field(default_factory=list)
    tables: list[str] = field(default_factory=list)

    def markdown(self) -> str:
        """Targets first, then what they come from."""
        parts = [f"## {self.title}", self.text]
        if self.targets:
            parts.append(target_table(self.targets))
        return "\n\n".join([*parts, *self.tables])


def at_most(what: str, value: float, limit: float, unit: str, digits: int = 1) -> Target:
    """Met when `value` does not exceed `limit`."""
    return Target(what, f"{value:,.{digits}f}{unit}", f"≤ {limit:,g}{unit}", value <= limit)


def at_least(what: str, value: float, limit: float, unit: str, digits: int = 0) -> Target:
    """Met when `value` reaches `limit`."""
    return Target(what, f"{value:,.{digits}f}{unit}", f"≥ {limit:,g}{unit}", value >= limit)


def target_table(targets: Iterable[Target]) -> str:
    """What was promised, what was measured, and plainly whether it was kept."""
    rows = [(one.what, one.measured, one.limit, "met" if one.met else "**missed**") for one in targets]
    return table(("target", "measured", "limit", ""), rows, left=4)


def table(head: Sequence[str], rows: Iterable[Sequence[Cell]], *, left: int = 1) -> str:
    """A Markdown table; the first `left` columns are words, the others figures. None is shown as a dash."""
    lines = [_row(head), _row(["---" if number < left else "--:" for number in range(len(head))])]
    return "\n".join([*lines, *(_row([_cell(cell) for cell in row]) for row in rows)])


def _row(cells: Sequence[str]) -> str:
    return f"| {' | '.join(cells)} |"


def _cell(cell: Cell) -> str:
    if cell is None:
        return "–"
    if isinstance(cell, float):
        return f"{cell:,.0f}" if abs(cell) >= 100 else f"{cell:.1f}" if abs(cell) >= 10 else f"{cell:.2f}"
    return f"{cell:,}" if isinstance(cell, int) else cell


def percentile(values: Iterable[float], percent: float) -> float:
    """The smallest value that at least `percent` of all values do not exceed."""
    ordered = sorted(values)
    return ordered[max(1, ceil(len(ordered) * percent / 100)) - 1]
