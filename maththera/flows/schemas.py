"""JSON Schema as far as a flow needs it before it runs: what a path leads to, and whether a value can fit.

A schema is a mapping; `{}` says nothing and fits everything. What cannot be decided counts as fitting: an author is
told only what is certainly wrong.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Any, Final

from pydantic_core import SchemaError, SchemaValidator, core_schema

from maththera.flows.faults import suggestion

Schema = Mapping[str, Any]

ANY: Final[Schema] = {}
_DEEPEST: Final = 12
_NAMES: Final = {
    "string": "a text",
    "integer": "a whole number",
    "number": "a number",
    "boolean": "true or false",
    "array": "a list",
    "object": "an object",
    "null": "null",
}


@dataclass(frozen=True, slots=True)
class Typed:
    """A schema with the document its `$ref`s point into."""

    schema: Schema
    root: Schema

    @classmethod
    def of(cls, schema: Schema) -> "Typed":
        return cls(schema, schema)

    def inner(self, schema: Any) -> "Typed":
        return Typed(schema if isinstance(schema, Mapping) else ANY, self.root)

    def branches(self, depth: int = 0) -> Iterator["Typed"]:
        """The alternatives of a schema, references followed; at least one."""
        schema = self.schema
        if depth > _DEEPEST:
            yield self.inner(ANY)
        elif "$ref" in schema:
            yield from self.inner(_pointed(self.root, str(schema["$ref"]))).branches(depth + 1)
        elif choices := schema.get("anyOf") or schema.get("oneOf"):
            for choice in choices:
                yield from self.inner(choice).branches(depth + 1)
        elif (parts := schema.get("allOf")) and len(parts) == 1:
            yield from self.inner(parts[0]).branches(depth + 1)
        elif isinstance(kinds := schema.get("type"), list):
            for kind in kinds:
                yield self.inner({**schema, "type": kind})
        else:
            yield self

    def kinds(self) -> set[str] | None:
        """The JSON types a value may have; None when that is open."""
        found: set[str] = set()
        for branch in self.branches():
            kind = branch.schema.get("type") or _kind_of_enum(branch.schema)
            if kind is None:
                return None
            found.add(str(kind))
        return found

    def properties(self) -> dict[str, "Typed"]:
        return {
            name: branch.inner(schema)
            for branch in self.branches()
            for name, schema in branch.schema.get("properties", {}).items()
        }


ANYTHING: Final = Typed.of(ANY)


def _pointed(root: Schema, pointer: str) -> Schema:
    found: Any = root
    for part in pointer.removeprefix("#").split("/")[1:]:
        found = found.get(part.replace("~1", "/").replace("~0", "~"), ANY) if isinstance(found, Mapping) else ANY
    return found if isinstance(found, Mapping) else ANY


def _kind_of_enum(schema: Schema) -> str | None:
    values = schema.get("enum", [schema["const"]] if "const" in schema else [])
    kinds = {kind_of(value) for value in values}
    return kinds.pop() if len(kinds) == 1 else None


def kind_of(value: Any) -> str:
    """The JSON type of a value."""
    if value is None:
        return "null"
    for kind, python in (("boolean", bool), ("integer", int), ("number", float), ("string", str)):
        if isinstance(value, python):
            return kind
    return "object" if isinstance(value, Mapping) else "array"


def union(one: Typed, other: Typed) -> Typed:
    """Either of two; what is written inside keeps its own references only when both come from one document."""
    if one == other or not one.schema:
        return one
    if not other.schema:
        return other
    if one.root is other.root or "$ref" not in repr(other.schema):
        return Typed({"anyOf": [one.schema, other.schema]}, one.root)
    return ANYTHING


def without_null(typed: Typed) -> Typed:
    kept = [branch for branch in typed.branches() if branch.schema.get("type") != "null"]
    if len(kept) == 1:
        return kept[0]
    return Typed({"anyOf": [branch.schema for branch in kept]}, typed.root) if kept else ANYTHING


def may_be_null(typed: Typed) -> bool:
    kinds = typed.kinds()
    return kinds is not None and "null" in kinds


class NoSuchField(Exception):
    """The message says what there is instead."""


def member(typed: Typed, name: str) -> Typed:
    """What `.name` leads to. NoSuchField when no value of this type can have it."""
    known: set[str] = set()
    found: Typed | None = None
    open_ended = False
    for branch in typed.branches():
        schema = branch.schema
        properties = schema.get("properties", {})
        known |= set(properties)
        if name in properties:
            found = branch.inner(properties[name]) if found is None else union(found, branch.inner(properties[name]))
        elif _open(schema):
            open_ended = True
            extra = schema.get("additionalProperties")
            if isinstance(extra, Mapping) and found is None:
                found = branch.inner(extra)
    if found is not None:
        return found
    if open_ended:
        return ANYTHING
    kinds = typed.kinds()
    if kinds is not None and "object" not in kinds:
        raise NoSuchField(f"has no fields: it is {described(typed)}")
    raise NoSuchField(f"has no field '{name}'{suggestion(name, known)}")


def _open(schema: Schema) -> bool:
    """Whether fields beyond the listed ones can be there. A listed set is taken as complete: servers describe what
    they send, and few of them say `additionalProperties: false`."""
    kind = schema.get("type") or _kind_of_enum(schema)
    if kind is not None and kind != "object":
        return False
    return "properties" not in schema or bool(schema.get("additionalProperties"))


def element(typed: Typed) -> Typed:
    """What `[0]` leads to. NoSuchField when it is no list."""
    found: Typed | None = None
    open_ended = False
    for branch in typed.branches():
        kind = branch.schema.get("type")
        if kind == "array":
            items = branch.inner(branch.schema.get("items", ANY))
            found = items if found is None else union(found, items)
        elif kind is None and not branch.schema.get("properties"):
            open_ended = True
    if found is not None:
        return found
    if open_ended:
        return ANYTHING
    raise NoSuchField(f"is not a list: it is {described(typed)}")


def described(typed: Typed) -> str:
    """`a text or null`."""
    kinds = typed.kinds()
    return " or ".join(_NAMES.get(kind, kind) for kind in sorted(kinds, key=_order)) if kinds else "anything"


def _order(kind: str) -> int:
    return list(_NAMES).index(kind) if kind in _NAMES else len(_NAMES)


def misfit(given: Typed, wanted: Typed) -> str | None:
    """Why no value of type `given` fits `wanted`; None when one may. Null is left to the run: a skipped step's output
    is null, and whether a tool minds, its own answer says."""
    have, want = given.kinds(), wanted.kinds()
    if have is None or want is None:
        return None
    usable = (have - {"null"}) or have
    if any(_fits(kind, want) for kind in usable):
        return None
    return f"needs {described(wanted)}, not {described(given)}"


def _fits(kind: str, want: set[str]) -> bool:
    return kind in want or (kind == "integer" and "number" in want) or (kind == "number" and "integer" in want)


Path = tuple[str | int, ...]


def mistakes(value: Any, typed: Typed, *, extra_allowed: bool = False) -> Iterator[tuple[Path, str]]:
    """Everything in `value` that its schema forbids: where in it, and why."""
    branches = list(typed.branches())
    if len(branches) == 1:
        yield from _mistakes(value, branches[0], extra_allowed=extra_allowed)
        return
    results = [list(_mistakes(value, branch, extra_allowed=extra_allowed)) for branch in branches]
    if any(not found for found in results):
        return
    kind = kind_of(value)
    same = [found for branch, found in zip(branches, results, strict=True) if branch.schema.get("type") == kind]
    if same:
        yield from min(same, key=len)
    else:
        yield (), f"needs {described(typed)}, not {_NAMES[kind]}"


def _mistakes(value: Any, typed: Typed, *, extra_allowed: bool) -> Iterator[tuple[Path, str]]:
    schema, kind = typed.schema, kind_of(value)
    wanted = schema.get("type")
    whole = isinstance(value, float) and value.is_integer()
    fits = kind == wanted or (wanted == "number" and kind == "integer") or (wanted == "integer" and whole)
    if wanted is not None and not fits:
        yield (), f"needs {_NAMES.get(str(wanted), str(wanted))}, not {_NAMES[kind]}"
        return
    if (reason := _not_listed(value, schema)) is not None:
        yield (), reason
    elif kind in ("integer", "number"):
        yield from (((), reason) for reason in _number_mistakes(value, schema))
    elif kind == "string":
        yield from (((), reason) for reason in _text_mistakes(value, schema))
    elif kind == "object":
        yield from _object_mistakes(value, typed, extra_allowed=extra_allowed)
    elif kind == "array":
        yield from _list_mistakes(value, typed, extra_allowed=extra_allowed)


def _not_listed(value: Any, schema: Schema) -> str | None:
    if "const" in schema and value != schema["const"]:
        return f"must be {schema['const']!r}"
    if "enum" in schema and value not in schema["enum"]:
        if isinstance(value, str):
            return f"'{value}' is not one of the allowed values{suggestion(value, map(str, schema['enum']))}"
        return f"must be one of {', '.join(map(repr, schema['enum']))}"
    return None


def _number_mistakes(value: float, schema: Schema) -> Iterator[str]:
    if (low := schema.get("minimum")) is not None and value < low:
        yield f"{value:g} is below the least allowed, {low:g}"
    if (low := schema.get("exclusiveMinimum")) is not None and value <= low:
        yield f"must be above {low:g}"
    if (high := schema.get("maximum")) is not None and value > high:
        yield f"{value:g} is above the most allowed, {high:g}"
    if (high := schema.get("exclusiveMaximum")) is not None and value >= high:
        yield f"must be below {high:g}"


def _text_mistakes(value: str, schema: Schema) -> Iterator[str]:
    if len(value) < (least := schema.get("minLength", 0)):
        yield f"needs at least {least} characters" if least > 1 else "must not be empty"
    if len(value) > schema.get("maxLength", len(value)):
        yield f"has more than {schema['maxLength']} characters"
    pattern = matcher(schema["pattern"]) if isinstance(schema.get("pattern"), str) else None
    if pattern is not None and not pattern.isinstance_python(value):
        yield f"'{value:.60}' does not match {schema['pattern']}"


@lru_cache(maxsize=256)
def matcher(pattern: str) -> SchemaValidator | None:
    """By an engine whose time grows with the text only: patterns come from authors and from servers of others, and
    Python's own would stop the whole process for some of them. None for one that it cannot read."""
    try:
        return SchemaValidator(core_schema.str_schema(pattern=pattern, regex_engine="rust-regex"))
    except SchemaError:
        return None


def _object_mistakes(value: Mapping[str, Any], typed: Typed, *, extra_allowed: bool) -> Iterator[tuple[Path, str]]:
    schema = typed.schema
    properties = schema.get("properties", {})
    extra = schema.get("additionalProperties", not properties)
    for name in schema.get("required", ()):
        if name not in value:
            yield (), f"'{name}' is missing"
    for name, each in value.items():
        if name in properties:
            inner = typed.inner(properties[name])
        elif isinstance(extra, Mapping):
            inner = typed.inner(extra)
        elif extra or extra_allowed:
            continue
        else:
            yield (name,), f"unknown field '{name}'{suggestion(name, properties)}"
            continue
        yield from (((name, *path), why) for path, why in mistakes(each, inner, extra_allowed=extra_allowed))


def _list_mistakes(value: Sequence[Any], typed: Typed, *, extra_allowed: bool) -> Iterator[tuple[Path, str]]:
    schema = typed.schema
    if len(value) < (least := schema.get("minItems", 0)):
        yield (), f"needs at least {least} elements"
    if len(value) > schema.get("maxItems", len(value)):
        yield (), f"has more than {schema['maxItems']} elements"
    items = typed.inner(schema.get("items", ANY))
    for place, each in enumerate(value):
        yield from (((place, *path), why) for path, why in mistakes(each, items, extra_allowed=extra_allowed))
