"""Faults of a flow with their place: file, line, column, field, reason."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

Loc = tuple[str | int, ...]

_MOST_SHOWN: Final = 12  # names listed in a message


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One mistake. `line` and `column` count from 1; `where` is the field, such as `steps[0].mcp_call.tool`."""

    path: str
    line: int
    column: int
    where: str
    message: str

    def __str__(self) -> str:
        where = f" {self.where}" if self.where else ""
        return f"{self.path}:{self.line}:{self.column}{where}: {self.message}"


class FlowError(Exception):
    """A flow that cannot run, with all its faults in the order of the file."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = sorted(set(faults))
        super().__init__("\n".join(map(str, self.faults)))


def field_name(loc: Loc) -> str:
    """`("flow", "steps", 0, "id")` → `steps[0].id`."""
    name = ""
    for key in loc[1:] if loc[:1] == ("flow",) and len(loc) > 1 else loc:
        name += f"[{key}]" if isinstance(key, int) else f".{key}" if name else key
    return name


def _comparison_key(name: str) -> str:
    """A key that compares Korean names by their letters, so that 연슴 is near 연습."""
    return unicodedata.normalize("NFD", name.lower())


def suggestion(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` when a similar name is known, otherwise a list of the known names."""
    names = sorted(known)
    folded = {_comparison_key(each): each for each in names}
    if close := get_close_matches(_comparison_key(name), folded, n=1):
        return f"; did you mean '{folded[close[0]]}'?"
    if not names:
        return ""
    more = f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    return f"; there is {', '.join(names[:_MOST_SHOWN])}{more}"
