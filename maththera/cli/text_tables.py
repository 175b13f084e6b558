"""Lists as tables of the terminal."""

from collections.abc import Iterable, Sequence

from rich.table import Column, Table
from rich.text import Text


def table(titles: Sequence[str | Column], rows: Iterable[Sequence[str]]) -> Table:
    """Every cell whole and as it stands: by itself rich puts "…" for a wide (Korean) letter at the end of a line, and
    takes [words in brackets] for orders."""
    columns = (Column(title, overflow="fold") if isinstance(title, str) else title for title in titles)
    drawn = Table(*columns)
    for cells in rows:
        drawn.add_row(*map(Text, cells))
    return drawn


def unbroken_column(title: str) -> Column:
    """A column for what is copied from the list, such as ids: it stays in one line where there is room."""
    return Column(title, no_wrap=True, overflow="fold")
