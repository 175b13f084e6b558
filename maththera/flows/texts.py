"""Where in a text there are references, and how far each goes: in `$inputs.grade학년` the name is `grade`."""

import re
from collections.abc import Collection
from dataclasses import dataclass
from typing import Final

from maththera.flows.expression_syntax import outside_quotes
from maththera.flows.expressions import Names
from maththera.flows.schemas import ANYTHING, NoSuchField, Typed, element, member

_RUN: Final = re.compile(r"\w+")
_ASCII: Final = re.compile(r"[A-Za-z_][A-Za-z0-9_]*")
_INDEX: Final = re.compile(r"\[-?\d+\]")
_FUNCTION_ROOTS: Final = ("len", "min", "max", "sum", "any", "all", "round", "sorted")


@dataclass(frozen=True, slots=True)
class Piece:
    """A reference inside a text, from `start` to `end`. `cut`: its last name goes on as plain text."""

    start: int
    end: int
    cut: bool


def pieces_of(raw: str, names: Names) -> list[Piece]:
    found, place = [], 0
    while (place := raw.find("$", place)) >= 0:
        if raw.startswith("$$", place):
            place += 2
            continue
        piece = _piece(raw, place, names)
        if piece is None:
            place += 1
            continue
        found.append(piece)
        place = piece.end
    return found


def _piece(raw: str, start: int, names: Names) -> Piece | None:
    run = _RUN.match(raw, start + 1)
    if run is None or run[0][0].isdigit():
        return None
    if call := _call_end(raw, run):
        return Piece(start, call, cut=False)
    root, cut = _name(run[0], names.known())
    end = start + 1 + len(root)
    try:
        typed = names.root(root)
    except NoSuchField:
        typed = ANYTHING
    while not cut:
        if index := _INDEX.match(raw, end):
            typed, end = _stepped(typed, 0), index.end()
        elif raw.startswith(".", end) and (run := _RUN.match(raw, end + 1)) and not run[0][0].isdigit():
            name, cut = _name(run[0], typed.properties())
            typed, end = _stepped(typed, name), end + 1 + len(name)
        else:
            break
    return Piece(start, end, cut)


def _name(run: str, known: Collection[str]) -> tuple[str, bool]:
    """The name at the start of a run of letters: a known one, or else its part before the first letter that is not
    ASCII, as in `grade학년`."""
    if run in known:
        return run, False
    prefixes = [name for name in known if run.startswith(name) and not run[len(name)].isascii()]
    if prefixes:
        return max(prefixes, key=len), True
    ascii_part = _ASCII.match(run)
    if ascii_part and ascii_part.end() < len(run):
        return ascii_part[0], True
    return run, False


def _stepped(typed: Typed, key: str | int) -> Typed:
    try:
        return member(typed, key) if isinstance(key, str) else element(typed)
    except NoSuchField:
        return ANYTHING


def _call_end(raw: str, run: re.Match[str]) -> int | None:
    """The end of `$len(…)` or `$date_utils.now()`, when it is one."""
    if run[0] == "date_utils":
        method = re.compile(r"\.\w+\(").match(raw, run.end())
        opening = method.end() - 1 if method else -1
    else:
        opening = run.end() if run[0] in _FUNCTION_ROOTS or raw.startswith("(", run.end()) else -1
    if opening < 0 or not raw.startswith("(", opening):
        return None
    depth = 0
    for offset, sign in outside_quotes(raw[opening:]):
        depth += (sign == "(") - (sign == ")")
        if depth == 0:
            return opening + offset + 1
    return len(raw)
