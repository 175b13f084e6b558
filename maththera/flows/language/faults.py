"""Faults of a flow with their place: file, line, column, field, reason."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Final

from maththera.config_files import nearest_name
from maththera.flows.language import messages
from maththera.flows.language.messages import Message

Loc = tuple[str | int, ...]

_MOST_SHOWN: Final = 12  # names listed in a message


@dataclass(frozen=True, slots=True, order=True)
class Fault:
    """One mistake. `line` and `column` count from 1; `where` is the field, such as `steps[0].mcp_call.tool`."""

    path: str
    line: int
    column: int
    where: str
    message: Message

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


def suggestion(name: str, known: Iterable[str]) -> Message:
    """`; did you mean 'x'?` when a similar name is known, otherwise a list of the known names."""
    names = sorted(known)
    if (meant := nearest_name(name, names)) is not None:
        return messages.DID_YOU_MEAN(name=meant)
    if not names:
        return messages.NOTHING_NEAR
    shown: Message | str = ", ".join(names[:_MOST_SHOWN])
    if len(names) > _MOST_SHOWN:
        shown = messages.AND_MORE(names=shown, more=len(names) - _MOST_SHOWN)
    return messages.THERE_IS(names=shown)
