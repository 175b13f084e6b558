"""Files under `configs/` and `prompts/`, read whole or refused with file, line, field and reason for every fault."""

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from difflib import get_close_matches
from pathlib import Path
from typing import Annotated, Final, Self, TypeVar

import yaml
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

T = TypeVar("T")
Loc = Sequence[str | int]

_MERGE: Final = "tag:yaml.org,2002:merge"
_TEXT: Final = "tag:yaml.org,2002:str"
_DEEPEST: Final = 60
_MOST_SHOWN: Final = 40  # characters of an unreadable value


class ConfigError(ValueError):
    """Each line of the message is one fault: `file:line: field: reason`."""


class NestedDeeperError(yaml.YAMLError):
    """A YAML text is nested deeper than it may be."""


@dataclass(slots=True)
class YamlNodes:
    """The nodes of a YAML text, found by the keys of a field's path, such as `("books", 0, "pages")`."""

    root: yaml.Node | None = None
    _pairs: dict[int, dict[str, tuple[yaml.Node, yaml.Node]]] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str, *, deepest: int) -> Self:
        """The nodes of a text, none of one that is empty; yaml.YAMLError for text that is not YAML, and
        NestedDeeperError for one of more than `deepest` levels. The levels are counted first: composing recurses with
        each of them and would overflow the stack of the process."""
        depth = 0
        for event in yaml.parse(text, yaml.CSafeLoader):
            depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
            if depth > deepest:
                raise NestedDeeperError(f"nested deeper than {deepest}")
        return cls(yaml.compose(text, yaml.CSafeLoader))

    def find(self, loc: Loc) -> tuple[yaml.Node | None, bool]:
        """The node of a field and True, or the node of the nearest field around it and False."""
        node = self.root
        for key in loc:
            child = self._child(node, key)
            if child is None:
                return node, False
            node = child
        return node, True

    def position(self, loc: Loc, *, key: bool = False) -> tuple[int, int]:
        """Line and column of a field's value, or with `key` of its key. An absent field has the place of the key that
        should hold it."""
        node, found = self.find(loc)
        if key and found and loc and isinstance(loc[-1], str):
            node = self._key(self.find(loc[:-1])[0], loc[-1]) or node
        if not found:
            node = self._heading(loc) or node
        return mark_of(node) if node is not None else (1, 1)

    def _heading(self, loc: Loc) -> yaml.Node | None:
        """The key of the object that should hold an absent field; None inside of a list, whose element holds it."""
        while loc and not self.find(loc)[1]:
            loc = loc[:-1]
        if loc and isinstance(loc[-1], str):
            return self._key(self.find(loc[:-1])[0], loc[-1])
        return None

    def _child(self, node: yaml.Node | None, key: str | int) -> yaml.Node | None:
        if isinstance(node, yaml.MappingNode):
            return self._pairs_of(node).get(str(key), (None, None))[1]
        if isinstance(node, yaml.SequenceNode) and isinstance(key, int) and key < len(node.value):
            child: yaml.Node = node.value[key]
            return child
        return (
            node if isinstance(node, yaml.ScalarNode) and key == 0 else None
        )  # a single value may stand for a list of one

    def _key(self, node: yaml.Node | None, name: str) -> yaml.Node | None:
        return self._pairs_of(node).get(name, (None, None))[0] if isinstance(node, yaml.MappingNode) else None

    def _pairs_of(self, node: yaml.MappingNode) -> Mapping[str, tuple[yaml.Node, yaml.Node]]:
        """Name → its node and its value's node, collected once per object: there may be as many faults as fields."""
        if id(node) not in self._pairs:
            named = ((key, value) for key, value, first in fields_of(node) if first is None)
            self._pairs[id(node)] = {key.value: (key, value) for key, value in named if isinstance(key.value, str)}
        return self._pairs[id(node)]

    def raw(self, loc: Loc) -> str | None:
        """A scalar as it is written, without its quotes."""
        node, found = self.find(loc)
        return str(node.value) if found and isinstance(node, yaml.ScalarNode) else None


def mark_of(node: yaml.Node | yaml.Event) -> tuple[int, int]:
    """Line and column where a node begins, from 1."""
    mark = node.start_mark
    return (mark.line + 1, mark.column + 1) if mark else (1, 1)


def fields_of(node: yaml.MappingNode) -> Iterator[tuple[yaml.Node, yaml.Node, yaml.Node | None]]:
    """Key and value of each field of an object, and the first key of the same name where the name is given again."""
    firsts: dict[str, yaml.Node] = {}
    for key, value in node.value:
        scalar = isinstance(key, yaml.ScalarNode)
        yield key, value, firsts.get(key.value) if scalar else None
        if scalar:
            firsts.setdefault(key.value, key)


@dataclass(frozen=True, slots=True)
class ConfigFile:
    """A parsed file that still knows the line of each of its fields."""

    path: Path
    data: object
    nodes: YamlNodes

    @classmethod
    def read(cls, path: Path) -> "ConfigFile":
        """ConfigError for a file that is missing, not YAML or empty, has a duplicate key or contains itself."""
        return cls.of(path, read_text(path))

    @classmethod
    def of(cls, path: Path, text: str) -> "ConfigFile":
        """As `read`; `text` is the YAML that the file `path` begins with."""
        try:
            nodes = YamlNodes.of(text, deepest=_DEEPEST)
            if nodes.root is None:
                raise ConfigError(f"{path}:1: the file is empty")
            loader = yaml.CSafeLoader("")
            faults = [*_faults(loader, nodes.root, set(), frozenset())]
            data = None if faults else loader.construct_document(nodes.root)
        except yaml.MarkedYAMLError as error:
            line = error.problem_mark.line + 1 if error.problem_mark else 1
            raise ConfigError(f"{path}:{line}: {error.problem}") from error
        except yaml.YAMLError as error:
            raise ConfigError(f"{path}: {error}") from error
        refuse(f"{path}:{fault}" for fault in faults)
        return cls(path, data, nodes)

    def parse(self, adapter: TypeAdapter[T]) -> T:
        """The data as the adapter's type; ConfigError names every field that does not fit."""
        try:
            return adapter.validate_python(self.data)
        except ValidationError as error:
            faults = [self.fault(detail["loc"], fault_reason(detail)) for detail in error.errors(include_url=False)]
            raise ConfigError("\n".join(faults)) from error

    def fault(self, loc: Loc, reason: str) -> str:
        """`file:line: field: reason`; list elements with an id are named by it. A field that is absent has the line of
        what should hold it."""
        data, name = self.data, ""
        for key in loc:
            data = _item(data, key)
            if isinstance(key, int):
                name += f"[{data.get('id', key) if isinstance(data, dict) else key}]"
            else:
                name += f".{key}" if name else key
        node = self.nodes.find(loc)[0]
        return f"{self.path}:{mark_of(node)[0] if node else 1}: {name or 'file'}: {reason}"


def nearest_name(name: str, known: Iterable[str]) -> str | None:
    """The known name that a mistyped one most resembles; None if none does. Case does not matter, and Korean names are
    compared by their letters, so that 연슴 is near 연습."""
    folded = {_letters(each): each for each in sorted(known)}
    close = get_close_matches(_letters(name), folded, n=1)
    return folded[close[0]] if close else None


def _letters(name: str) -> str:
    return unicodedata.normalize("NFD", name.lower())


def refuse(faults: Iterable[str]) -> None:
    """ConfigError with a line for each fault, if there is any."""
    if lines := "\n".join(faults):
        raise ConfigError(lines)


Text = Annotated[str, Field(min_length=1)]


class ConfigModel(BaseModel):
    """What a file holds, or a part of it. It has no other fields, and they do not change."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    @classmethod
    def from_file(cls, path: Path) -> Self:
        """ConfigError names every fault."""
        return ConfigFile.read(path).parse(TypeAdapter(cls))


def fault_reason(detail: Mapping[str, object]) -> str:
    """The message of a pydantic error without the words that pydantic puts before a validator's own."""
    return str(detail["msg"]).removeprefix("Value error, ")


def read_text(path: Path) -> str:
    """ConfigError for a file that is missing or not UTF-8."""
    try:
        return path.read_text(encoding="utf-8")
    except OSError as error:
        raise ConfigError(f"{path}: {error.strerror}") from error
    except UnicodeDecodeError as error:
        raise ConfigError(f"{path}: not UTF-8: {error.reason} at byte {error.start}") from error


def _item(data: object, key: str | int) -> object:
    if isinstance(data, dict):
        return data.get(key)
    return data[key] if isinstance(data, list) and isinstance(key, int) and key < len(data) else None


def _faults(loader: yaml.CSafeLoader, node: yaml.Node, seen: set[int], above: frozenset[int]) -> Iterator[str]:
    """`line: value: reason` of each fault. `seen`: nodes that are checked already, as aliases repeat them; `above`: the
    nodes around this one."""
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
        for key, value, first in fields_of(node):
            if first is not None:
                yield f"{key.start_mark.line + 1}: {key.value}: given twice"
            if key.tag != _MERGE:
                yield from _faults(loader, key, seen, above)
            yield from _faults(loader, value, seen, above)
    else:
        for value in node.value:
            yield from _faults(loader, value, seen, above)


def _unreadable(loader: yaml.CSafeLoader, node: yaml.ScalarNode) -> str:
    """Why a date or a number cannot be read; "" where it can."""
    try:
        loader.construct_object(node)
    except yaml.YAMLError:
        raise
    except ValueError as error:
        return str(error)
    return ""
