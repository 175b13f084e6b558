"""What an author wrote: YAML text to data that still knows the line and column of each of its fields. Unlike the files
of `configs/`, it is read by rules of its own, and all that is wrong with it is told at once.

The values are those of YAML 1.2's core schema without octals: `on`, `yes` and `no` are texts, and so are dates, `12:30`
and numbers with leading zeros (a class `07`, a student's number). A key given twice, an alias, an anchor, a tag and an
unquoted `{{ x }}` are refused, because each of them reads differently from what its author meant.
"""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from maththera.documents import deeper_than
from maththera.flows.faults import Fault, Loc, field_name
from maththera.flows.operations import is_json_number

_INT: Final = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS: Final[dict[str, Any]] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_LOOKALIKE: Final = re.compile(r" *(?:(?:- )?\w+)?([\u00a0\u2000-\u200b\u3000\uff1a])")
_MOST_DIGITS: Final = 300  # beyond, Python's own conversion costs time or refuses; what JSON cannot carry is a text
_LONGEST: Final = 200_000  # characters of a flow: more than a thousand steps
_DEEPEST: Final = 60
_MOST_LEVELS: Final = 500
"""Of those beyond `_DEEPEST` so many are read to tell where they stand; with more the parser's stack would overflow."""


@dataclass(slots=True)
class Source:
    """`data` is None when the text is no YAML at all; `faults` says why."""

    path: str
    text: str
    data: Any = None
    root: yaml.Node | None = None
    faults: list[Fault] = field(default_factory=list)
    _fields: dict[int, dict[str, tuple[yaml.Node, yaml.Node]]] = field(default_factory=dict)

    def node(self, loc: Loc) -> tuple[yaml.Node | None, bool]:
        """The node of a field, or of the nearest field around it, and whether it is the field itself."""
        node = self.root
        for key in loc:
            child = self._child(node, key)
            if child is None:
                return node, False
            node = child
        return node, True

    def position(self, loc: Loc, *, key: bool = False) -> tuple[int, int]:
        """Line and column of a field's value, or of its key; of what should hold it, when it is absent."""
        node, found = self.node(loc)
        if key and found and loc and isinstance(loc[-1], str):
            node = self._key(self.node(loc[:-1])[0], loc[-1]) or node
        if not found:
            node = self._heading(loc) or node
        return _mark(node) if node is not None else (1, 1)

    def _heading(self, loc: Loc) -> yaml.Node | None:
        """A field that is absent belongs to the key of what should hold it; in a list, to the element."""
        while loc and not self.node(loc)[1]:
            loc = loc[:-1]
        if loc and isinstance(loc[-1], str):
            return self._key(self.node(loc[:-1])[0], loc[-1])
        return None

    def _child(self, node: yaml.Node | None, key: str | int) -> yaml.Node | None:
        if isinstance(node, yaml.MappingNode):
            return self._pairs(node).get(str(key), (None, None))[1]
        if isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
            child: yaml.Node = node.value[key]
            return child
        return None

    def _key(self, node: yaml.Node | None, name: str) -> yaml.Node | None:
        return self._pairs(node).get(name, (None, None))[0] if isinstance(node, yaml.MappingNode) else None

    def _pairs(self, node: yaml.MappingNode) -> Mapping[str, tuple[yaml.Node, yaml.Node]]:
        """Name → its node and that of its value, gathered once: there may be as many faults as fields."""
        if id(node) not in self._fields:
            pairs = reversed(node.value)  # the first of two keys wins
            self._fields[id(node)] = {key.value: (key, value) for key, value in pairs if isinstance(key.value, str)}
        return self._fields[id(node)]

    def raw(self, loc: Loc) -> str | None:
        """A scalar as it is written, without its quotes."""
        node, found = self.node(loc)
        return str(node.value) if found and isinstance(node, yaml.ScalarNode) else None

    def fault(self, loc: Loc, message: str, *, key: bool = False, offset: int | None = None) -> Fault:
        """`offset`: characters into the field's text, for mistakes inside an expression."""
        line, column = self.position(loc, key=key)
        if offset is not None:
            line, column = self._inside(loc, line, column, offset)
        return Fault(self.path, line, column, field_name(loc), message)

    def _inside(self, loc: Loc, line: int, column: int, offset: int) -> tuple[int, int]:
        node = self.node(loc)[0]
        if not isinstance(node, yaml.ScalarNode):
            return line, column
        if getattr(node, "style", None) in ("|", ">"):
            before = node.value[:offset]
            first = line + 1
            rows = self.text.splitlines()
            inner = rows[first - 1 + before.count("\n")] if first - 1 + before.count("\n") < len(rows) else ""
            indent = len(inner) - len(inner.lstrip())
            return first + before.count("\n"), indent + 1 + offset - (before.rfind("\n") + 1)
        return line, column + offset + (node.style in ("'", '"'))


def files_in(folder: Path) -> list[Path]:
    """The YAML files directly in a folder, without what editors and systems leave there: `.#x.yaml` leads nowhere."""
    return sorted(path for path in folder.glob("*.yaml") if not path.name.startswith(".") and path.is_file())


def read_file(path: Path, name: str | None = None) -> Source:
    """The document of a file, called `name` in what is told; raises OSError."""
    name = name or str(path)
    try:
        return read(path.read_text(encoding="utf-8"), name)
    except UnicodeDecodeError as error:
        return Source(name, "", faults=[Fault(name, 1, 1, "", f"not UTF-8: {error.reason} at byte {error.start}")])


def read(text: str, path: str) -> Source:
    """The document of `text`, with everything that is wrong with it as YAML."""
    document = Source(path, text)
    if len(text) > _LONGEST:
        document.faults.append(Fault(path, 1, 1, "", f"longer than {_LONGEST:,} characters"))
        return document
    if deeper_than(_MOST_LEVELS, text):
        document.faults.append(Fault(path, 1, 1, "", f"nested deeper than {_DEEPEST}"))
        return document
    try:
        _refuse_marks(document)
        document.root = None if document.faults else yaml.compose(text, yaml.CSafeLoader)
    except yaml.MarkedYAMLError as error:
        document.faults.append(_syntax(path, text, error))
    except yaml.YAMLError as error:
        document.faults.append(_unreadable(path, text, error))
    if document.faults:
        return document
    if document.root is None:
        document.faults.append(Fault(path, 1, 1, "", "the file is empty"))
        return document
    document.data = _value(document, document.root, (), 0)
    return document


def _refuse_marks(document: Source) -> None:
    """Aliases, anchors and tags."""
    if not any(sign in document.text for sign in "&*!"):
        return
    for event in yaml.parse(document.text, yaml.CSafeLoader):
        if isinstance(event, yaml.AliasEvent):
            message = f"aliases (*{event.anchor}) are not allowed; quote a text that begins with *"
        elif anchor := getattr(event, "anchor", None):
            message = f"anchors (&{anchor}) are not allowed; quote a text that begins with &"
        elif tag := getattr(event, "tag", None):
            message = f"tags ({tag}) are not allowed; quote the text"
        else:
            continue
        document.faults.append(Fault(document.path, *_mark(event), "", message))


def _syntax(path: str, text: str, error: yaml.MarkedYAMLError) -> Fault:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    rows = text.splitlines()
    row = rows[line - 1] if line <= len(rows) else ""
    hint = ""
    if found := next(_lookalikes(rows[max(0, line - 2) : line], max(1, line - 1)), None):
        line, column, hint = found
    elif "\t" in row[: len(row) - len(row.lstrip())]:
        hint = "; indent with spaces, not with tabs"
    elif "$" in row or ": " in row.partition(": ")[2]:
        hint = "; put the value in quotes"
    return Fault(path, line, column, "", f"not YAML: {error.problem or error.context}{hint}")


def _lookalikes(rows: list[str], first: int) -> Iterator[tuple[int, int, str]]:
    """Signs that look like a space or a colon and are none: line, column, hint."""
    for line, row in enumerate(rows, first):
        if found := _LOOKALIKE.match(row):
            meant = "a colon" if found[1] == "\uff1a" else "a space"
            hint = f"; U+{ord(found[1]):04X} is not {meant}, type it again"
            yield line, found.start(1) + 1, hint


def _unreadable(path: str, text: str, error: yaml.YAMLError) -> Fault:
    position = getattr(error, "position", 0) or 0
    before = text[:position]
    line, column = before.count("\n") + 1, position - (before.rfind("\n") + 1) + 1
    return Fault(path, line, column, "", f"not YAML: {str(error).splitlines()[0]}")


def _value(document: Source, node: yaml.Node, loc: Loc, depth: int) -> Any:
    if depth > _DEEPEST:
        document.faults.append(Fault(document.path, *_mark(node), field_name(loc), f"nested deeper than {_DEEPEST}"))
        return None
    if isinstance(node, yaml.MappingNode):
        if (meant := _in_braces(node)) is not None:
            document.faults.append(_bad_key(document, node.value[0][0], loc))
            return f"${meant}"
        return dict(_pairs(document, node, loc, depth))
    if isinstance(node, yaml.SequenceNode):
        return [_value(document, each, (*loc, place), depth + 1) for place, each in enumerate(node.value)]
    return _scalar(node)


def _pairs(document: Source, node: yaml.MappingNode, loc: Loc, depth: int) -> Iterator[tuple[str, Any]]:
    seen: dict[str, yaml.Node] = {}
    for key, value in node.value:
        if not isinstance(key, yaml.ScalarNode):
            document.faults.append(_bad_key(document, key, loc))
            continue
        name = str(key.value)
        if name in seen:
            line = _mark(seen[name])[0]
            where = field_name((*loc, name))
            message = f"'{name}' is given twice, first in line {line}"
            document.faults.append(Fault(document.path, *_mark(key), where, message))
            continue
        seen[name] = key
        yield name, _value(document, value, (*loc, name), depth + 1)


def _in_braces(node: yaml.MappingNode) -> str | None:
    """`x` of an unquoted `{{ x }}`, which YAML reads as an object whose key is an object."""
    keys = [key for key, _ in node.value]
    if len(keys) != 1 or not isinstance(keys[0], yaml.MappingNode) or len(keys[0].value) != 1:
        return None
    inner = keys[0].value[0][0]
    return str(inner.value).strip() if isinstance(inner, yaml.ScalarNode) else None


def _bad_key(document: Source, key: yaml.Node, loc: Loc) -> Fault:
    line, column = _mark(key)
    inner = key.value[0][0].value if isinstance(key, yaml.MappingNode) and key.value else ""
    if isinstance(inner, str) and inner:
        root = inner.strip()
        message = f"unquoted {{{{ {root} }}}} is not a text for YAML; references are written ${root}"
        return Fault(document.path, line, max(1, column - 1), field_name(loc), message)
    return Fault(document.path, line, column, field_name(loc), "a key must be a plain text")


def _scalar(node: yaml.Node) -> Any:
    text = str(node.value)
    if getattr(node, "style", None) in ("'", '"', "|", ">"):
        return text
    if text in _WORDS:
        return _WORDS[text]
    number = None
    if len(text) < _MOST_DIGITS:
        number = int(text) if _INT.fullmatch(text) else float(text) if _FLOAT.fullmatch(text) else None
    return text if number is None or not is_json_number(number) else number


def _mark(node: yaml.Node | yaml.Event) -> tuple[int, int]:
    mark = node.start_mark
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)
