"""Repairs of single rows of a text that is no YAML, so that the rest can be read and checked: a character that only
looks like another, a wrong indent, a value that needs quotes."""

import math
import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import yaml

from maththera.config_files import NestedDeeperError, YamlNodes

LOOKALIKE: Final = re.compile(r" *(?:(?:- )?\w+)?([\u00a0\u2000-\u200b\u3000\uff1a])")
"""Characters at the beginning of a row that look like a space or a colon."""

MOST_LEVELS: Final = 500
"""Levels of nesting that are read; more would overflow the parser's stack."""

_ROUNDS: Final = 5  # rows that are repaired
_OPENS: Final = re.compile(r"(:|[|>][-+]?) *$")  # the next row may be indented by any number of spaces
_FIELD: Final = re.compile(r"( *(?:- )?[\w-]+: +)(\S.*)")


@dataclass(frozen=True, slots=True)
class Indented:
    """A row, by its number from 0, that was read with so many spaces before it."""

    number: int
    spaces: int


@dataclass(slots=True)
class Repaired:
    """A text with repaired rows. `errors`: each with the rows in which it was found, after the repairs above it, and
    the row that was moved. `unread`: numbers of rows, from 1, whose values could not be read. `text`: all rows."""

    root: yaml.Node | None
    errors: list[tuple[yaml.MarkedYAMLError, list[str], Indented | None]] = field(default_factory=list)
    unread: set[int] = field(default_factory=set)
    text: str = ""


def repaired(text: str, error: yaml.MarkedYAMLError) -> Repaired | None:
    """The repaired text; None when no repair of single rows makes it YAML."""
    rows, found, current = text.splitlines(), Repaired(None, [(error, text.splitlines(), None)]), error
    for _ in range(_ROUNDS):
        if (best := _best_repair(rows, current)) is None:
            return None
        found.unread |= set() if best.read else {best.number + 1}
        if (spaces := indent_of(best.rows[best.number])) != indent_of(rows[best.number]):
            found.errors[-1] = (current, rows, Indented(best.number, spaces))
        if best.following is None:
            found.root, found.text = best.root, "\n".join(best.rows)
            return found
        rows, current = best.rows, best.following
        found.errors.append((current, rows, None))
    return None


@dataclass(frozen=True, slots=True)
class _Repair:
    """A repair of the row `number`: all rows after it, and what is in them or the next error. `read`: the row's value
    is kept."""

    number: int
    rows: list[str]
    read: bool
    root: yaml.Node | None
    following: yaml.MarkedYAMLError | None


def _best_repair(rows: list[str], error: yaml.MarkedYAMLError) -> _Repair | None:
    """The repair after which most rows are read; of several the likeliest. None when none helps."""
    best, reached = None, float(_line(error))
    for number, meant, read in _repairs(rows, error):
        tried = [*rows[:number], *meant, *rows[number + len(meant) :]]
        try:
            root, following = _composed("\n".join(tried))
        except NestedDeeperError:
            continue
        line = math.inf if following is None else _line(following)
        if line > reached:
            best, reached = _Repair(number, tried, read, root, following), line
    return best


def expected_indent(rows: list[str], number: int) -> int | None:
    """The spaces that a row needs to align with the fields, or list elements, above it; None when it is aligned."""
    row = rows[number]
    own, element = indent_of(row), row.lstrip().startswith("- ")
    fields: list[int] = []
    elements: list[int] = []
    written = [above for above in rows[:number] if above.strip()]
    if written and _OPENS.search(written[-1]) and own > indent_of(written[-1]):
        return None
    for above in written:
        indent = indent_of(above)
        fields = [each for each in fields if each <= indent]
        elements = [each for each in elements if each <= indent]
        if above.lstrip().startswith("- "):
            elements = [*elements, indent]
            indent += 2
        fields = [*fields, indent]
    known = elements if element else fields
    if not known or own in known:
        return None
    return min(known, key=lambda each: (abs(each - own), -each))


def _repairs(rows: list[str], error: yaml.MarkedYAMLError) -> Iterator[tuple[int, list[str], bool]]:
    """Possible repairs, the likeliest first: (row number, new rows from there on, whether their values are kept)."""
    marks = (error.problem_mark, error.context_mark)
    lines = [mark.line for mark in marks if mark is not None]
    beside = [number for number, row in enumerate(rows[: max(lines, default=0)]) if number and row[:1].isalpha()]
    near = dict.fromkeys([*beside[:1], *lines[:1], *(each - 1 for each in lines[:1]), *lines[1:]])
    numbers = [number for number in near if 0 <= number < len(rows)]
    for number in numbers:  # a strange character is likelier than a wrong indent
        row = rows[number]
        if sign := LOOKALIKE.match(row):
            yield number, [row[: sign.start(1)] + (": " if sign[1] == "\uff1a" else " ") + row[sign.end(1) :]], True
    for number in numbers:
        yield from ((number, meant, read) for meant, read in _possible_repairs(rows, number))


def _possible_repairs(rows: list[str], number: int) -> Iterator[tuple[list[str], bool]]:
    row = rows[number]
    if "\t" in row[: len(row) - len(row.lstrip())]:
        spaced = f" {row.lstrip()}"
        indent = expected_indent([*rows[:number], spaced], number)
        yield [" " * (1 if indent is None else indent) + row.lstrip()], True
    else:
        indents = (_indent_for_next(rows, number), expected_indent(rows, number))
        likely = sorted((each for each in indents if each is not None), key=lambda each: abs(each - indent_of(row)))
        for indent in dict.fromkeys(likely):
            yield _moved(rows, number, indent), True
            yield [" " * indent + row.lstrip()], True
    if value := _FIELD.fullmatch(row):
        quoted = "'" + value[2].replace("'", "''") + "'"
        yield [value[1] + quoted], value[2][0] not in "[{\"'"


def _indent_for_next(rows: list[str], number: int) -> int | None:
    """The spaces that a row needs for the row below it to be where it is; None when it has them."""
    row = rows[number]
    below = next((each for each in rows[number + 1 :] if each.strip()), None)
    if below is None:
        return None
    inside = _OPENS.search(row) or (row.lstrip().startswith("- ") and not below.lstrip().startswith("- "))
    indent = max(0, indent_of(below) - (2 if inside else 0))
    return indent if indent != indent_of(row) else None


def _moved(rows: list[str], number: int, indent: int) -> list[str]:
    """The row at another indent, with all rows under it."""
    own = indent_of(rows[number])
    beside = max(own, indent)
    below = range(number + 1, len(rows))
    end = next((at for at in below if rows[at].strip() and indent_of(rows[at]) <= beside), len(rows))
    return [" " * max(0, indent_of(row) + indent - own) + row.lstrip(" ") for row in rows[number:end]]


def _composed(text: str) -> tuple[yaml.Node | None, yaml.MarkedYAMLError | None]:
    try:
        return YamlNodes.of(text, deepest=MOST_LEVELS).root, None
    except yaml.MarkedYAMLError as error:
        return None, error


def _line(error: yaml.MarkedYAMLError) -> int:
    mark = error.problem_mark or error.context_mark
    return mark.line if mark else 0


def indent_of(row: str) -> int:
    return len(row) - len(row.lstrip(" "))
