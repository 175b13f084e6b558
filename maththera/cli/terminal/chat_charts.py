"""The chat's charts in characters. Each function draws one kind and returns it."""

from collections.abc import Mapping
from typing import Any, Final

from rich import box
from rich.console import Group, RenderableType
from rich.padding import Padding
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

Data = Mapping[str, Any]

_LENGTH: Final = 24  # of the longest bar
_HEIGHT: Final = 6  # of a line's plot
_COLORS: Final = ("cyan", "magenta", "yellow")
_EIGHTHS: Final = " ▏▎▍▌▋▊▉"


def draw(chart: Mapping[str, Any], *, figures: bool = True) -> RenderableType | None:
    """A chart of the event `chart_data`. Without `figures`, as a child sees it, lengths and heights alone tell; a table
    has nothing else to tell, so there is none."""
    data = chart["data"]
    if not figures:
        if data.get("columns"):
            return None
        data = {**data, "figures": False}
    drawn: RenderableType = Text("아직 그릴 것이 없어.", style="dim")
    if data.get("columns"):
        drawn = _table(data)
    elif data["labels"] and data["series"]:
        drawn = _DRAWN[chart["chart_type"]](data)
    return Padding(Panel(drawn, title=chart["title"], box=box.ROUNDED, expand=False), (0, 2))


def _bars(data: Data) -> RenderableType:
    """One bar for each value; a radar is drawn so too, as a terminal has no polygons."""
    grid = Table.grid(padding=(0, 1))
    several = len(data["series"]) > 1
    for place, label in enumerate(data["labels"]):
        for number, series in enumerate(data["series"]):
            value, color = series["values"][place], _COLORS[number % len(_COLORS)]
            named = [Text(label if number == 0 else ""), *([Text(series["name"], style=color)] if several else [])]
            grid.add_row(*named, Text(_bar(value, data["max"]), style=color), Text(_figure(value, data)))
    return grid


def _progress(data: Data) -> RenderableType:
    """As bars, with what is left to do."""
    grid = Table.grid(padding=(0, 1))
    for place, label in enumerate(data["labels"]):
        value = data["series"][0]["values"][place]
        done = round(_LENGTH * (value or 0) / data["max"])
        bar = Text("█" * done, style="green").append("░" * (_LENGTH - done), style="dim")
        grid.add_row(Text(label), bar, Text(_figure(value, data, "%")))
    return grid


def _line(data: Data) -> RenderableType:
    """Points over time, the oldest to the left."""
    values = data["series"][0]["values"]
    width = max(len(label) for label in data["labels"]) + 2
    heights = [None if value is None else round((_HEIGHT - 1) * value / data["max"]) for value in values]
    rows = [
        Text("".join(("●" if height == level else " ").rjust(width) for height in heights), style="cyan")
        for level in range(_HEIGHT - 1, -1, -1)
    ]
    under = Text("".join(label.rjust(width) for label in data["labels"]), style="dim")
    spread = Text("".join(_figure(value, data).rjust(width) for value in values))
    return Group(*rows, Text("─" * (width * len(values)), style="dim"), under, spread)


def _table(data: Data) -> RenderableType:
    table = Table(box=box.SIMPLE_HEAD)
    for column in data["columns"]:
        table.add_column(Text(str(column)), overflow="fold")
    for row in data["rows"]:
        table.add_row(*(Text(_number(cell)) for cell in row))
    return table


_DRAWN: Final = {"bar": _bars, "radar": _bars, "line": _line, "progress": _progress}


def _bar(value: float | None, most: float) -> str:
    eighths = round(8 * _LENGTH * (value or 0) / most)
    return "█" * (eighths // 8) + _EIGHTHS[eighths % 8].strip()


def _figure(value: float | None, data: Data, unit: str = "") -> str:
    return f"{_number(value)}{unit}" if data.get("figures", True) else ""


def _number(value: object) -> str:
    return "–" if value is None else str(value)
