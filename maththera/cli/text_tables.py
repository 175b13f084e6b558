"""Lists as tables of the terminal."""

import os
from collections.abc import Iterable, Sequence
from typing import Final

from rich.console import Console
from rich.table import Column, Table
from rich.text import Text

_WIDEST: Final = 100_000  # characters of a line


def list_console() -> Console:
    """Prints lists. In a pipe or a file a line is as long as what it says: the next program wants it whole. rich itself
    breaks it at 80 letters."""
    console = Console(highlight=False)
    return console if console.is_terminal or "COLUMNS" in os.environ else Console(highlight=False, width=_WIDEST)


def table(titles: Sequence[str | Column], rows: Iterable[Sequence[str]]) -> Table:
    """Every cell whole and as it stands: by itself rich puts "…" for a wide (Korean) letter at the end of a line, and
    takes [words in brackets] for orders."""
    columns = (Column(title, overflow="fold") if isinstance(title, str) else title for title in titles)
    drawn = Table(*columns)
    for cells in rows:
        drawn.add_row(*map(Text, cells))
    return drawn


def print_table(titles: Sequence[str | Column], rows: Iterable[Sequence[str]]) -> None:
    list_console().print(table(titles, rows))


def unbroken_column(title: str) -> Column:
    """A column for what is copied from the list, such as ids: it stays in one line where there is room."""
    return Column(title, no_wrap=True, overflow="fold")
