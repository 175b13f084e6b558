"""The figures as tables of the terminal."""

from collections.abc import Mapping, Sequence

from rich.table import Column, Table

from maththera.arithmetic.problem import SIGNS
from maththera.simulation.estimates import NOTHING, Estimate
from maththera.simulation.human_data import HumanData, explained
from maththera.simulation.knowing.experiment import Found
from maththera.simulation.knowing.figures import LINES
from maththera.simulation.measures import WANTED, Measured, by_kind, top1
from maththera.simulation.simulated_session import SessionRecord


def figures(found: Measured, title: str) -> Table:
    """One row per figure."""
    table = Table("figure", "value", "95 %", "wanted", title=title)
    for key, estimate in found.items():
        table.add_row(words(key), number(estimate.value), interval(estimate), WANTED.get(key, ""))
    return table


def kinds(records: Sequence[SessionRecord]) -> Table:
    """How each kind of child fared."""
    table = Table("kind of child", "children", "concluded rightly", "95 %", title="By kind of child")
    for kind, group in by_kind(records).items():
        estimate = top1(group)
        table.add_row(words(kind), f"{len(group):,}", number(estimate.value), interval(estimate))
    return table


def compared(found: Mapping[str, Measured], title: str) -> list[Table]:
    """One row per figure, one column per condition, in two halves that fit a terminal."""
    names = list(found)
    half = -(-len(names) // 2)
    tables = []
    for columns in (names[:half], names[half:]):
        table = Table(Column("figure", no_wrap=True), *columns, title=title)
        for key in found[columns[0]]:
            table.add_row(words(key), *(number(found[name][key].value) for name in columns))
        tables.append(table)
    return tables


def validity(reality: HumanData, predicted: Mapping[tuple[str, str, str], Estimate], title: str) -> Table:
    """Spearman's ρ of each predictor, by operation, with success and with response time."""
    wrong = explained(reality)
    table = Table("operation", "seen", "predictor", "ρ", "95 %", title=title)
    for (group, seen, name), estimate in predicted.items():
        table.add_row(SIGNS.get(group, group), seen, name, number(estimate.value), interval(estimate))
    trials = sum(item.trials for item in reality.items)
    table.caption = f"{len(reality.items):,} problems, {trials:,} rows"
    if reality.left_out:
        table.caption += f", {reality.left_out:,} more without a number"
    if wrong.value is not None:
        table.caption += f"; of {reality.wrong:,} wrong answers a malrule gives {wrong.value:.0%} ({interval(wrong)})"
    return table


def knowing(found: Found, before: Mapping[str, float | None], title: str) -> Table:
    """What the tutor knows and teaches: one row per figure, beside the tutor as it was and the oracle."""
    table = Table("figure", "before", "now", "95 %", "oracle", "wanted", title=title)
    for key, line in LINES.items():
        estimate, oracle = found.tutor.get(key, NOTHING), found.oracle.get(key)
        table.add_row(
            line.words,
            number(before[key]) if key in before else "",
            number(estimate.value),
            interval(estimate),
            number(oracle.value) if oracle is not None else "",
            line.wanted,
        )
    return table


def words(key: str) -> str:
    """A key in words."""
    return key.replace("_", " ")


def number(value: float | None) -> str:
    """Three significant places, and a dash where nothing was measured."""
    if value is None:
        return "–"
    return f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"


def interval(estimate: Estimate) -> str:
    """low – high"""
    if estimate.low is None or estimate.low == estimate.high:
        return ""
    return f"{number(estimate.low)} – {number(estimate.high)}"
