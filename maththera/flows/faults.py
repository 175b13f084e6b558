"""What is wrong with a flow, told so that its author finds the place: file, line, column, field, reason."""

import unicodedata
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from difflib import get_close_matches
from typing import Final

Loc = tuple[str | int, ...]

_MOST_SHOWN: Final = 12  # names in a message; nobody reads more


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
    """A flow that cannot run. `faults` are all of them, in the order of the file."""

    def __init__(self, faults: Sequence[Fault]) -> None:
        self.faults = sorted(set(faults))
        super().__init__("\n".join(map(str, self.faults)))


def field_name(loc: Loc) -> str:
    """`("flow", "steps", 0, "id")` → `steps[0].id`."""
    name = ""
    for key in loc[1:] if loc[:1] == ("flow",) and len(loc) > 1 else loc:
        name += f"[{key}]" if isinstance(key, int) else f".{key}" if name else key
    return name


def _folded(name: str) -> str:
    """Korean syllables fall apart into their letters, so that 연슴 is near to 연습."""
    return unicodedata.normalize("NFD", name.lower())


def suggestion(name: str, known: Iterable[str]) -> str:
    """`; did you mean 'x'?` when something like it is known, otherwise what there is."""
    names = sorted(known)
    folded = {_folded(each): each for each in names}
    if close := get_close_matches(_folded(name), folded, n=1):
        return f"; did you mean '{folded[close[0]]}'?"
    if not names:
        return ""
    more = f" and {len(names) - _MOST_SHOWN} more" if len(names) > _MOST_SHOWN else ""
    return f"; there is {', '.join(names[:_MOST_SHOWN])}{more}"
