"""The drawings that help to count, in characters: frames, coins, blocks, lines and columns."""

from collections.abc import Iterable
from typing import Final

from rich import box
from rich.console import Group, RenderableType
from rich.panel import Panel
from rich.table import Table
from rich.text import Text

_FRAME: Final = 10
_MOST_DRAWN: Final = 12  # of one kind; nobody counts thirty coins, so more are written as a number
_MARKS: Final = 10
_STEPS: Final = (1, 2, 5, 10, 20, 50, 100)


def side_by_side(pictures: Iterable[RenderableType]) -> RenderableType:
    row = Table.grid(padding=(0, 4))
    row.add_row(*pictures)
    return row


def dots(count: int) -> Text:
    return Text(" ".join("●" * count) or "·", style="red")


def ten_frame(number: int) -> RenderableType:
    """Two rows of five, and a second frame from 11 on; numbers that need a third are blocks."""
    if number > 2 * _FRAME:
        return blocks(*_places(number))
    frames = []
    for start in range(0, max(number, 1), _FRAME):
        cells = ["●" if start + place < number else "○" for place in range(_FRAME)]
        frames.append(f"{' '.join(cells[:5])}\n{' '.join(cells[5:])}")
    return _boxed("\n\n".join(frames), "red")


def coins(number: int) -> RenderableType:
    return _boxed(_pieces(zip(("(100)", "(10)", "(1)"), _places(number), strict=True)), "yellow")


def blocks(hundreds: int, tens: int, ones: int) -> RenderableType:
    return _boxed(_pieces(zip(("▦", "┃", "▪"), (hundreds, tens, ones), strict=True)), "blue")


def columns(a: int, sign: str, b: int) -> RenderableType:
    """One number below the other, place under place."""
    width = max(len(str(a)), len(str(b))) + 2
    return Text(f"{a:>{width}}\n{sign}{b:>{width - 1}}\n{'─' * width}", style="bold")


def number_line(low: int, high: int, mark: int | None = None) -> RenderableType:
    """From `low` to `high` or a little beyond, every mark labelled; with an arrow at `mark` only the ends are."""
    step = next((step for step in _STEPS if step * _MARKS >= high - low), _STEPS[-1])
    marks = range(low, high + step, step)
    width = len(str(marks[-1])) + 2
    line = Text("┼".rjust(width, "─") * len(marks))
    if mark is None:
        return Group(line, Text("".join(str(each).rjust(width) for each in marks), style="green"))
    arrow = " " * (round((mark - low) / step * width) + width - 1) + "▼"
    ends = str(low).rjust(width) + str(marks[-1]).rjust(width * (len(marks) - 1))
    return Group(Text(arrow, style="red"), line, Text(ends, style="green"))


def _places(number: int) -> tuple[int, int, int]:
    return number // 100, number // 10 % 10, number % 10


def _pieces(counted: Iterable[tuple[str, int]]) -> str:
    lines = []
    for sign, count in counted:
        if count > _MOST_DRAWN:
            lines.append(f"{sign} × {count}")
        elif count:
            lines.append(" ".join([sign] * count))
    return "\n".join(lines) or "0"


def _boxed(text: str, style: str) -> RenderableType:
    return Panel(Text(text, style=style), box=box.SQUARE, expand=False)
