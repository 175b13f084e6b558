"""Files under `configs/` and `prompts/`, read whole or refused with file, line, field and reason for every fault."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final, TypeVar

import yaml
from pydantic import TypeAdapter, ValidationError

T = TypeVar("T")
Loc = Sequence[str | int]

_MERGE: Final = "tag:yaml.org,2002:merge"
_TEXT: Final = "tag:yaml.org,2002:str"
_DEEPEST: Final = 60
_MOST_SHOWN: Final = 40  # characters of a value that is none


class ConfigError(ValueError):
    """Each line of the message is one fault: `file:line: field: reason`."""


@dataclass(frozen=True, slots=True)
class Document:
    """A parsed file that still knows the line of each of its fields."""

    path: Path
    data: object
    root: yaml.Node

    @classmethod
    def read(cls, path: Path) -> "Document":
        """ConfigError for a file that is missing, is no YAML, is empty, has a key twice or holds itself."""
        return cls.of(path, read_text(path))

    @classmethod
    def of(cls, path: Path, text: str) -> "Document":
        """As `read`; `text` is the YAML that the file `path` begins with."""
        if deeper_than(_DEEPEST, text):
            raise ConfigError(f"{path}: nested deeper than {_DEEPEST}")
        try:
            loader = yaml.CSafeLoader(text)
            root = loader.get_single_node()
            if root is None:
                raise ConfigError(f"{path}:1: the file is empty")
            faults = [*_faults(loader, root, set(), frozenset())]
            data = None if faults else loader.construct_document(root)
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else 1
            raise ConfigError(f"{path}:{line}: {error.problem}") from error
        except yaml.YAMLError as error:
            raise ConfigError(f"{path}: {error}") from error
        if faults:
            raise ConfigError("\n".join(f"{path}:{fault}" for fault in faults))
        return cls(path, data, root)

    def parse(self, adapter: TypeAdapter[T]) -> T:
        """The data as the adapter's type; ConfigError names every field that does not fit."""
        try:
            return adapter.validate_python(self.data)
        except ValidationError as error:
            faults = [self.fault(detail["loc"], detail["msg"]) for detail in error.errors(include_url=False)]
            raise ConfigError("\n".join(faults)) from error

    def fault(self, loc: Loc, reason: str) -> str:
        """`file:line: field: reason`; list elements with an id are named by it. A field that is absent has the line of
        what should hold it."""
        node, data, name = self.root, self.data, ""
        for key in loc:
            node, data = _child(node, data, key)
            if isinstance(key, int):
                name += f"[{data.get('id', key) if isinstance(data, dict) else key}]"
            else:
                name += f".{key}" if name else key
        return f"{self.path}:{node.start_mark.line + 1}: {name or 'file'}: {reason}"


def deeper_than(levels: int, text: str) -> bool:
    """Whether more levels than these stand within each other. Asked before a text is composed: that goes down a level
    with each, and the end of the stack is the end of the process. What is no YAML is told when it is read."""
    depth = 0
    try:
        for event in yaml.parse(text, yaml.CSafeLoader):
            if isinstance(event, yaml.CollectionStartEvent):
                depth += 1
            elif isinstance(event, yaml.CollectionEndEvent):
                depth -= 1
            if depth > levels:
                return True
    except yaml.YAMLError:
        return False
    return False


def read_text(path: Path) -> str:
    """ConfigError for a file that is missing or not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from error


def _child(node: yaml.Node, data: object, key: str | int) -> tuple[yaml.Node, object]:
    if isinstance(node, yaml.MappingNode) and isinstance(data, dict):
        child = next((value for name, value in node.value if str(name.value) == str(key)), node)
        return child, data.get(key)
    if isinstance(node, yaml.SequenceNode) and isinstance(data, list) and isinstance(key, int) and key < len(data):
        return node.value[key], data[key]
    return node, None


def _faults(loader: yaml.CSafeLoader, node: yaml.Node, seen: set[int], above: frozenset[int]) -> Iterator[str]:
    """`line: what: why` of each thing that is no data. `seen`: nodes that need no second look, as aliases would make
    for any number of them; `above`: those that this one stands in."""
    line = node.start_mark.line + 1
    if isinstance(node, yaml.ScalarNode):
        if node.tag != _TEXT and (reason := _unreadable(loader, node)):
            yield f"{line}: {node.value[:_MOST_SHOWN]}: {reason}"
        return
    if id(node) in above:
        yield f"{line}: stands within itself"
    if id(node) in seen:
        return
    seen.add(id(node))
    above |= {id(node)}
    if isinstance(node, yaml.MappingNode):
        names: set[str] = set()
        for key, value in node.value:
            if str(key.value) in names:
                yield f"{key.start_mark.line + 1}: {key.value}: given twice"
            names.add(str(key.value))
            if key.tag != _MERGE:
                yield from _faults(loader, key, seen, above)
            yield from _faults(loader, value, seen, above)
    else:
        for value in node.value:
            yield from _faults(loader, value, seen, above)


def _unreadable(loader: yaml.CSafeLoader, node: yaml.ScalarNode) -> str:
    """Why a date or a number is none; "" where it is."""
    try:
        loader.construct_object(node)
    except yaml.YAMLError:
        raise
    except ValueError as error:
        return str(error)
    return ""
