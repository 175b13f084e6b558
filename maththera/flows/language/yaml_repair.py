"""Repairs of rows that are not YAML, so that a slip in one row hides no mistake in another."""

import re
from collections.abc import Iterator
from dataclasses import dataclass, field
from typing import Final

import yaml

LOOKALIKE: Final = re.compile(r" *(?:(?:- )?\w+)?([\u00a0\u2000-\u200b\u3000\uff1a])")
"""Characters at the beginning of a row that look like a space or a colon."""

_ROUNDS: Final = 5  # rows that are repaired
_OPENS: Final = re.compile(r"(:|[|>][-+]?) *$")  # the next row may be indented by any number of spaces
_FIELD: Final = re.compile(r"( *(?:- )?[\w-]+: +)(\S.*)")


@dataclass(slots=True)
class Repaired:
    """A text with repaired rows. `errors`: each with the rows in which it was found, after the repairs above it.
    `unread`: numbers of rows, from 1, whose values could not be read."""

    root: yaml.Node | None
    errors: list[tuple[yaml.MarkedYAMLError, list[str]]] = field(default_factory=list)
    unread: set[int] = field(default_factory=set)


def repaired(text: str, error: yaml.MarkedYAMLError) -> Repaired | None:
    """The repaired text; None when no repair of single rows makes it YAML."""
    rows, found, current = text.splitlines(), Repaired(None, [(error, text.splitlines())]), error
    for _ in range(_ROUNDS):
        for number, meant, read in _repairs(rows, current):
            tried = [*rows[:number], *meant, *rows[number + len(meant) :]]
            root, following = _composed("\n".join(tried))
            if following is not None and _line(following) <= _line(current):
                continue
            rows = tried
            found.unread |= set() if read else {number + 1}
            if following is None:
                found.root = root
                return found
            found.errors.append((following, rows))
            current = following
            break
        else:
            return None
    return None


def expected_indent(rows: list[str], number: int) -> int | None:
    """The spaces that a row needs to align with the fields, or list elements, above it; None when it is aligned."""
    row = rows[number]
    own, element = _indent(row), row.lstrip().startswith("- ")
    fields: list[int] = []
    elements: list[int] = []
    written = [above for above in rows[:number] if above.strip()]
    if written and _OPENS.search(written[-1]) and own > _indent(written[-1]):
        return None
    for above in written:
        indent = _indent(above)
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
    near = dict.fromkeys([*lines[:1], *(each - 1 for each in lines[:1]), *lines[1:]])
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
    elif (indent := expected_indent(rows, number)) is not None:
        yield _moved(rows, number, indent), True
        yield [" " * indent + row.lstrip()], True
    if value := _FIELD.fullmatch(row):
        quoted = "'" + value[2].replace("'", "''") + "'"
        yield [value[1] + quoted], value[2][0] not in "[{\"'"


def _moved(rows: list[str], number: int, indent: int) -> list[str]:
    """The row at another indent, with all rows under it."""
    own = _indent(rows[number])
    beside = max(own, indent)
    below = range(number + 1, len(rows))
    end = next((at for at in below if rows[at].strip() and _indent(rows[at]) <= beside), len(rows))
    return [" " * max(0, _indent(row) + indent - own) + row.lstrip(" ") for row in rows[number:end]]


def _composed(text: str) -> tuple[yaml.Node | None, yaml.MarkedYAMLError | None]:
    try:
        return yaml.compose(text, yaml.CSafeLoader), None
    except yaml.MarkedYAMLError as error:
        return None, error


def _line(error: yaml.MarkedYAMLError) -> int:
    mark = error.problem_mark or error.context_mark
    return mark.line if mark else 0


def _indent(row: str) -> int:
    return len(row) - len(row.lstrip(" "))
