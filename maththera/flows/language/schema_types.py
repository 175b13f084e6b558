"""The types of values before a run, as JSON Schema: the type behind a path, and whether one type fits another.

A schema is a mapping; `{}` allows everything. What cannot be decided counts as fitting, so that only certain mistakes
are reported.
"""

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from typing import Any, Final

from maththera.flows.language import messages
from maththera.flows.language.faults import suggestion
from maththera.flows.language.messages import Message, joined

Schema = Mapping[str, Any]

ANY: Final[Schema] = {}
_DEEPEST: Final = 12
_NAMES: Final = {
    "string": messages.A_TEXT,
    "integer": messages.WHOLE_NUMBER,
    "number": messages.A_NUMBER,
    "boolean": messages.TRUE_OR_FALSE,
    "array": messages.A_LIST,
    "object": messages.AN_OBJECT,
    "null": messages.NULL,
}


@dataclass(frozen=True, slots=True)
class SchemaType:
    """A schema with the document that its `$ref`s point into."""

    schema: Schema
    root: Schema

    @classmethod
    def of(cls, schema: Schema) -> "SchemaType":
        return cls(schema, schema)

    def inner(self, schema: Any) -> "SchemaType":
        return SchemaType(schema if isinstance(schema, Mapping) else ANY, self.root)

    def branches(self, depth: int = 0) -> Iterator["SchemaType"]:
        """The alternatives of a schema with references resolved; at least one."""
        schema = self.schema
        if depth > _DEEPEST:
            yield self.inner(ANY)
        elif "$ref" in schema:
            yield from self.inner(_resolve_pointer(self.root, str(schema["$ref"]))).branches(depth + 1)
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
        """The JSON types that a value may have; None when any is possible."""
        found: set[str] = set()
        for branch in self.branches():
            kind = branch.schema.get("type") or _kind_of_enum(branch.schema)
            if kind is None:
                return None
            found.add(str(kind))
        return found

    def properties(self) -> dict[str, "SchemaType"]:
        return {
            name: branch.inner(schema)
            for branch in self.branches()
            for name, schema in branch.schema.get("properties", {}).items()
        }


ANYTHING: Final = SchemaType.of(ANY)


def _resolve_pointer(root: Schema, pointer: str) -> Schema:
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


def union(one: SchemaType, other: SchemaType) -> SchemaType:
    """The type of a value that has one of two types. Where the two come from different documents with references, it is
    ANYTHING."""
    if one == other or not one.schema:
        return one
    if not other.schema:
        return other
    if one.root is other.root or "$ref" not in repr(other.schema):
        return SchemaType({"anyOf": [one.schema, other.schema]}, one.root)
    return ANYTHING


def without_null(typed: SchemaType) -> SchemaType:
    kept = [branch for branch in typed.branches() if branch.schema.get("type") != "null"]
    if len(kept) == 1:
        return kept[0]
    return SchemaType({"anyOf": [branch.schema for branch in kept]}, typed.root) if kept else ANYTHING


def may_be_null(typed: SchemaType) -> bool:
    kinds = typed.kinds()
    return kinds is not None and "null" in kinds


class NoSuchField(Exception):
    """The field does not exist; the message lists those that do."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.english)
        self.message = message


def member(typed: SchemaType, name: str) -> SchemaType:
    """The type of the field `.name`. NoSuchField when no value of this type has it."""
    known: set[str] = set()
    found: SchemaType | None = None
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
        raise NoSuchField(messages.NO_FIELDS(kind=type_text(typed)))
    raise NoSuchField(messages.NO_FIELD(name=name, near=suggestion(name, known)))


def _open(schema: Schema) -> bool:
    """Whether fields beyond the listed ones are possible. Listed fields are taken as all fields: servers list what they
    send, and few of them write `additionalProperties: false`."""
    kind = schema.get("type") or _kind_of_enum(schema)
    if kind is not None and kind != "object":
        return False
    return "properties" not in schema or bool(schema.get("additionalProperties"))


def element(typed: SchemaType) -> SchemaType:
    """The type of `[0]`. NoSuchField when it is not a list."""
    found: SchemaType | None = None
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
    raise NoSuchField(messages.NO_LIST(kind=type_text(typed)))


def type_text(typed: SchemaType) -> Message:
    """The type in words, such as `a text or null`."""
    kinds = typed.kinds()
    return joined([kind_text(kind) for kind in sorted(kinds, key=_order)]) if kinds else messages.ANYTHING_AT_ALL


def kind_text(kind: str) -> Message:
    """`a text` for the JSON type `string`."""
    return _NAMES.get(kind, Message.same(kind))


def _order(kind: str) -> int:
    return list(_NAMES).index(kind) if kind in _NAMES else len(_NAMES)


def misfit(given: SchemaType, wanted: SchemaType) -> Message | None:
    """Why no value of type `given` fits `wanted`; None when one may. Null is accepted here: the result of a skipped
    step is null, and only the tool knows whether it accepts that."""
    have, want = given.kinds(), wanted.kinds()
    if have is None or want is None:
        return None
    usable = (have - {"null"}) or have
    if any(_fits(kind, want) for kind in usable):
        return None
    return messages.NEEDS(wanted=type_text(wanted), given=type_text(given))


def _fits(kind: str, want: set[str]) -> bool:
    return kind in want or (kind == "integer" and "number" in want) or (kind == "number" and "integer" in want)


# --- types of operations ----------------------------------------------------------------------------------------------

NUMBER, INTEGER, BOOLEAN, TEXT = (SchemaType.of({"type": kind}) for kind in ("number", "integer", "boolean", "string"))
_NUMBERS: Final = {"integer", "number"}


def not_a_number(typed: SchemaType, sign: str) -> Message | None:
    """Why `sign` cannot take a value of this type."""
    kinds = typed.kinds()
    if kinds is not None and not kinds & {*_NUMBERS, "null"}:
        return messages.NEEDS_NUMBERS(sign=sign, kind=type_text(typed))
    return None


def cannot_join(one: SchemaType, other: SchemaType) -> Message | None:
    """Why '+' cannot take these two."""
    kinds, others = one.kinds(), other.kinds()
    if not kinds or not others or "null" in kinds | others or kinds & others or kinds | others <= _NUMBERS:
        return None
    return messages.CANNOT_JOIN(one=type_text(one), other=type_text(other))


def sum_type(one: SchemaType, other: SchemaType) -> SchemaType:
    """The type of a sum."""
    kinds, others = one.kinds(), other.kinds()
    if kinds and others and kinds | others <= _NUMBERS:
        return INTEGER if kinds == others == {"integer"} else NUMBER
    return TEXT if kinds == others == {"string"} else one if kinds == others else ANYTHING


def cannot_be_in(one: SchemaType, other: SchemaType) -> Message | None:
    """Why nothing of type `one` can be `in` a value of type `other`."""
    kinds, others = one.kinds(), other.kinds()
    if kinds and others and not others & {"array", "string", "object", "null"}:
        return messages.IN_NEEDS_LIST(kind=type_text(other))
    return None


def not_comparable(one: SchemaType, other: SchemaType, *, equal: bool) -> Message | None:
    """Why `==` (`equal`), or an order, makes no sense between these two."""
    kinds, others = one.kinds(), other.kinds()
    if not kinds or not others or "null" in kinds | others:
        return None
    if kinds & others or (kinds & _NUMBERS and others & _NUMBERS):
        return None
    said = messages.NEVER_TRUE if equal else messages.NO_ORDER
    return said(one=type_text(one), other=type_text(other))


def list_type(items: Sequence[SchemaType]) -> SchemaType:
    """The type of a list that is written out."""
    typed = items[0] if items else ANYTHING
    for each in items[1:]:
        typed = union(typed, each)
    widened = {key: value for key, value in typed.schema.items() if key != "const"}
    return SchemaType({"type": "array", "items": widened}, typed.root)


def items_of(typed: SchemaType) -> SchemaType | None:
    """The type of a list's items; None for what has none."""
    try:
        return element(typed)
    except NoSuchField:
        return None


def type_of_call(name: str, arguments: Sequence[SchemaType]) -> SchemaType:
    """The type of what a function of expressions gives for arguments of these types."""
    if name == "len":
        return INTEGER
    if name in ("any", "all"):
        return BOOLEAN
    if name == "round":
        return INTEGER if len(arguments) == 1 else NUMBER
    if name == "sum":
        return NUMBER
    return arguments[0] if name == "sorted" else ANYTHING
