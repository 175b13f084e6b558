"""The text of a flow as data with the line and column of each field. Unlike the files of `configs/`, it follows rules
for authors, and all its faults are reported at once.

The values are those of YAML 1.2's core schema without octals: `on`, `yes` and `no` are texts, and so are dates, `12:30`
and numbers with leading zeros (a class `07`, a student's number). A duplicate key, an alias, an anchor, a tag and an
unquoted `{{ x }}` are refused, because YAML reads them differently from what the author meant.
"""

import re
import unicodedata
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final

import yaml

from maththera.config_files import NestedDeeperError, YamlNodes, fields_of, mark_of
from maththera.flows.language import messages
from maththera.flows.language.expression_evaluation import is_json_number
from maththera.flows.language.faults import Fault, Loc, field_name
from maththera.flows.language.messages import Message
from maththera.flows.language.yaml_repairs import (
    LOOKALIKE,
    MOST_LEVELS,
    Indented,
    expected_indent,
    indent_of,
    repaired,
)
from maththera.json_types import JsonObject

_INT: Final = re.compile(r"[-+]?(0|[1-9][0-9]*)")
_FLOAT: Final = re.compile(r"[-+]?(\.[0-9]+|(0|[1-9][0-9]*)(\.[0-9]*)?)([eE][-+]?[0-9]+)?")
_WORDS: Final[JsonObject] = {
    **dict.fromkeys(("", "~", "null", "Null", "NULL"), None),
    **dict.fromkeys(("true", "True", "TRUE"), True),
    **dict.fromkeys(("false", "False", "FALSE"), False),
}
_MOST_DIGITS: Final = 300  # longer numbers are texts: JSON cannot carry them, and converting them takes time
_LONGEST: Final = 200_000  # characters of a flow: more than a thousand steps
_DEEPEST: Final = 60  # of up to MOST_LEVELS levels the place is reported


@dataclass(slots=True)
class Source:
    """A flow's text, parsed. `data` is None when the text is no YAML at all; `faults` says why. `unread`: rows whose
    values could not be read. `moved`: rows were read as if they were indented otherwise, so it is not sure which field
    belongs where."""

    path: str
    text: str
    data: Any = None
    nodes: YamlNodes = field(default_factory=YamlNodes)
    faults: list[Fault] = field(default_factory=list)
    unread: set[int] = field(default_factory=set)
    moved: bool = False

    def fault(self, loc: Loc, message: Message, *, key: bool = False, offset: int | None = None) -> Fault:
        """A fault at a field. `offset`: characters into the field's text, for mistakes inside an expression."""
        line, column = self.nodes.position(loc, key=key)
        if offset is not None:
            line, column = self._inside(loc, line, column, offset)
        return Fault(self.path, line, column, field_name(loc), message)

    def _inside(self, loc: Loc, line: int, column: int, offset: int) -> tuple[int, int]:
        node = self.nodes.find(loc)[0]
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
    """The YAML files directly in a folder, without the hidden files of editors, such as `.#x.yaml`."""
    return sorted(path for path in folder.glob("*.yaml") if not path.name.startswith(".") and path.is_file())


def files_of(folders: Iterable[Path]) -> list[Path]:
    """The YAML files of all folders; of two files with one name that of the first folder. Names are compared in normal
    form, as some file systems decompose Korean syllables."""
    found: dict[str, Path] = {}
    for path in (path for folder in folders for path in files_in(folder)):
        found.setdefault(normalized_name(path.stem), path)
    return list(found.values())


def normalized_name(name: str) -> str:
    """The name in the Unicode form in which people type it (NFC)."""
    return unicodedata.normalize("NFC", name)


def read_file(path: Path, name: str | None = None) -> Source:
    """The source in a file, called `name` in faults; raises OSError."""
    name = name or str(path)
    try:
        return read(path.read_text(encoding="utf-8"), name)
    except UnicodeDecodeError as error:
        message = messages.NOT_UTF8(reason=error.reason, byte=error.start)
        return Source(name, "", faults=[Fault(name, 1, 1, "", message)])


def read(text: str, path: str) -> Source:
    """The source in `text`, with all its faults as YAML."""
    document = Source(path, text)
    if len(text) > _LONGEST:
        document.faults.append(Fault(path, 1, 1, "", messages.TOO_LONG(most=f"{_LONGEST:,}")))
        return document
    try:
        document.faults += _anchors_and_tags(path, text)
        if not document.faults:
            document.nodes = YamlNodes.of(text, deepest=MOST_LEVELS)
    except NestedDeeperError:
        document.faults.append(Fault(path, 1, 1, "", messages.TOO_DEEP(most=_DEEPEST)))
    except yaml.MarkedYAMLError as error:
        _read_despite_errors(document, error)
    except yaml.YAMLError as error:
        document.faults.append(_unreadable(path, text, error))
    if document.nodes.root is None and document.faults:
        return document
    if document.nodes.root is None:
        document.faults.append(Fault(path, 1, 1, "", messages.EMPTY_FILE()))
        return document
    document.data = _value(document, document.nodes.root, (), 0)
    return document


def _anchors_and_tags(path: str, text: str) -> Iterator[Fault]:
    """A fault for each alias, anchor and tag."""
    if not any(sign in text for sign in "&*!"):
        return
    for event in yaml.parse(text, yaml.CSafeLoader):
        if isinstance(event, yaml.AliasEvent):
            message = messages.ALIAS(name=event.anchor)
        elif anchor := getattr(event, "anchor", None):
            message = messages.ANCHOR(name=anchor)
        elif tag := getattr(event, "tag", None):
            message = messages.TAG(name=tag)
        else:
            continue
        yield Fault(path, *mark_of(event), "", message)


def _read_despite_errors(document: Source, error: yaml.MarkedYAMLError) -> None:
    """Reports the rows that are not YAML, and reads the others."""
    found = repaired(document.text, error)
    if found:
        document.faults = [*_anchors_and_tags(document.path, found.text)]
        document.nodes.root = None if document.faults else found.root
        document.unread = found.unread
        document.moved = any(meant is not None for _, _, meant in found.errors)
    errors = found.errors if found else [(error, document.text.splitlines(), None)]
    document.faults += [_syntax(document.path, rows, each, meant) for each, rows, meant in errors]


def _syntax(path: str, rows: list[str], error: yaml.MarkedYAMLError, meant: Indented | None) -> Fault:
    mark = error.problem_mark or error.context_mark
    line, column = (mark.line + 1, mark.column + 1) if mark else (1, 1)
    if meant is not None and meant.number != line - 1:
        line, column = meant.number + 1, indent_of(rows[meant.number]) + 1
    row = rows[line - 1] if line <= len(rows) else ""
    hint = messages.NOTHING_NEAR
    if found := next(_lookalikes(rows[max(0, line - 2) : line], max(1, line - 1)), None):
        line, column, hint = found
    elif "\t" in row[: len(row) - len(row.lstrip())]:
        hint = messages.TABS()
    elif meant is not None:
        hint = messages.INDENT(own=indent_of(row), expected=meant.spaces)
    elif line <= len(rows) and (expected := expected_indent(rows, line - 1)) is not None:
        hint = messages.INDENT(own=len(row) - len(row.lstrip()), expected=expected)
    elif "$" in row or ": " in row.partition(": ")[2]:
        hint = messages.QUOTE_IT()
    return Fault(path, line, column, "", _not_yaml(error.problem or error.context or "", hint))


def _not_yaml(said: str, hint: Message = messages.NOTHING_NEAR) -> Message:
    return messages.NOT_YAML(problem=messages.problem(said), hint=hint)


def _lookalikes(rows: list[str], first: int) -> Iterator[tuple[int, int, Message]]:
    """Characters that look like a space or a colon: line, column, hint."""
    for line, row in enumerate(rows, first):
        if found := LOOKALIKE.match(row):
            meant = messages.A_COLON if found[1] == "\uff1a" else messages.A_SPACE
            hint = messages.LOOKALIKE(code=f"{ord(found[1]):04X}", meant=meant)
            yield line, found.start(1) + 1, hint


def _unreadable(path: str, text: str, error: yaml.YAMLError) -> Fault:
    position = getattr(error, "position", 0) or 0
    before = text[:position]
    line, column = before.count("\n") + 1, position - (before.rfind("\n") + 1) + 1
    return Fault(path, line, column, "", _not_yaml(str(error).splitlines()[0]))


def _value(document: Source, node: yaml.Node, loc: Loc, depth: int) -> Any:
    if depth > _DEEPEST:
        message = messages.TOO_DEEP(most=_DEEPEST)
        document.faults.append(Fault(document.path, *mark_of(node), field_name(loc), message))
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
    for key, value, first in fields_of(node):
        if not isinstance(key, yaml.ScalarNode):
            document.faults.append(_bad_key(document, key, loc))
            continue
        name = str(key.value)
        if first is not None:
            if not document.moved:
                line = mark_of(first)[0]
                where = field_name((*loc, name))
                message = messages.GIVEN_TWICE(name=name, line=line)
                document.faults.append(Fault(document.path, *mark_of(key), where, message))
            continue
        yield name, _value(document, value, (*loc, name), depth + 1)


def _in_braces(node: yaml.MappingNode) -> str | None:
    """The `x` of an unquoted `{{ x }}`, which YAML reads as an object whose key is an object."""
    keys = [key for key, _ in node.value]
    if len(keys) != 1 or not isinstance(keys[0], yaml.MappingNode) or len(keys[0].value) != 1:
        return None
    inner = keys[0].value[0][0]
    return str(inner.value).strip() if isinstance(inner, yaml.ScalarNode) else None


def _bad_key(document: Source, key: yaml.Node, loc: Loc) -> Fault:
    line, column = mark_of(key)
    inner = key.value[0][0].value if isinstance(key, yaml.MappingNode) and key.value else ""
    if isinstance(inner, str) and inner:
        message = messages.UNQUOTED_BRACES(root=inner.strip())
        return Fault(document.path, line, max(1, column - 1), field_name(loc), message)
    return Fault(document.path, line, column, field_name(loc), messages.PLAIN_KEY())


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
