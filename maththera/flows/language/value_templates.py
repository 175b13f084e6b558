"""Values in a flow file that may hold references: a reference (`$inputs.id`), a text with references inside
(`"$inputs.grade학년"`), lists and objects of them. They are checked against the schema of their parameter."""

import json
import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from typing import Any, Final

from maththera.flows.language import expressions, messages
from maththera.flows.language.expression_evaluation import Evaluation
from maththera.flows.language.expression_syntax import (
    FUNCTIONS,
    Findings,
    TextReference,
    VisibleNames,
    is_expression,
    references_in,
)
from maththera.flows.language.expressions import Closure, Expression
from maththera.flows.language.faults import Fault, Loc, suggestion
from maththera.flows.language.messages import Message
from maththera.flows.language.schema_types import NoSuchField, SchemaType, element, kind_of, member, misfit, type_text
from maththera.flows.language.value_checks import value_mistakes
from maththera.flows.language.yaml_source import Source

_BARE_CALL: Final = re.compile(rf"^({'|'.join(FUNCTIONS)})\(.*\$.*\)$", re.DOTALL)
_EVERY: Final = re.compile(r"\[\*?\]")
_BARE_PATH: Final = re.compile(r"([^\W\d]\w*)((?:\.[^\W\d]\w*|\[\d+\])+)")
_BRACES: Final = re.compile(r"(?<!\$)\$\{\s*[^\W\d]")
_LONGEST_TEXT: Final = 200_000
_TEXT: Final = SchemaType.of({"type": "string"})


@dataclass(slots=True)
class FaultCollector:
    """Collects the faults and warnings of a document."""

    document: Source
    faults: list[Fault] = field(default_factory=list)
    warnings: list[Fault] = field(default_factory=list)

    def fault(self, loc: Loc, message: Message, *, key: bool = False, offset: int | None = None) -> None:
        self.faults.append(self.document.fault(loc, message, key=key, offset=offset))

    def warn(self, loc: Loc, message: Message, *, offset: int | None = None) -> None:
        self.warnings.append(self.document.fault(loc, message, offset=offset))

    def take(self, loc: Loc, findings: Findings, shift: int = 0) -> None:
        for offset, message in findings.faults:
            self.fault(loc, message, offset=shift + offset)
        for offset, message in findings.warnings:
            self.warn(loc, message, offset=shift + offset)


@dataclass(frozen=True, slots=True)
class Value:
    """A compiled value. `literal`: it is the same in every run. `roots`: the names it reads."""

    evaluate: Closure
    roots: frozenset[str]
    typed: SchemaType
    literal: bool = False


def constant(value: Any) -> Value:
    return Value(lambda _: value, frozenset(), _literal_type(value), literal=True)


def _literal_type(value: Any) -> SchemaType:
    kind = kind_of(value)
    if kind == "object":
        return SchemaType.of(
            {"type": "object", "properties": {name: _literal_type(each).schema for name, each in value.items()}}
        )
    if kind == "array":
        return SchemaType.of({"type": "array", "items": _literal_type(value[0]).schema if value else {}})
    return SchemaType.of({"type": kind})


NULL_VALUE: Final = constant(None)


def expression(raw: str, loc: Loc, names: VisibleNames, notes: FaultCollector) -> Expression | None:
    """Compiles a field that is always an expression."""
    findings = Findings()
    parsed = expressions.parse(raw, names, findings)
    notes.take(loc, findings)
    return parsed


def compile_value(
    raw: Any, loc: Loc, names: VisibleNames, notes: FaultCollector, wanted: SchemaType | None = None
) -> Value:
    """Compiles a value. Faults go into the notes; a faulty value becomes null."""
    if isinstance(raw, Mapping):
        return _object(raw, loc, names, notes, wanted)
    if isinstance(raw, list):
        return _list(raw, loc, names, notes, wanted)
    if isinstance(raw, str) and "$" in raw:
        return _text(raw, loc, names, notes, wanted)
    if isinstance(raw, str) and "{{" in raw and "}}" in raw:
        notes.fault(loc, messages.NOT_REPLACED())
        return NULL_VALUE
    if isinstance(raw, str) and _is_unmarked_reference(raw, names):
        notes.fault(loc, messages.TEXT_NOT_VALUE(raw=raw))
        return NULL_VALUE
    if wanted is not None:
        for path, reason in value_mistakes(raw, wanted):
            notes.fault((*loc, *path), reason)
    return constant(raw)


def _is_unmarked_reference(raw: str, names: VisibleNames) -> bool:
    """Whether a text is a reference whose $ was forgotten: the path of a field that exists."""
    path = _BARE_PATH.fullmatch(raw)
    if path is None or path[1] not in names.known():
        return False
    try:
        typed = names.root(path[1])
        for part in re.findall(r"[^\W\d]\w*|\d+", path[2]):
            if not typed.schema:
                return False
            typed = element(typed) if part.isdigit() else member(typed, part)
    except NoSuchField:
        return False
    return bool(typed.schema)


def _object(
    raw: Mapping[str, Any], loc: Loc, names: VisibleNames, notes: FaultCollector, wanted: SchemaType | None
) -> Value:
    branch = _branch(raw, wanted, "object")
    if branch is not None:
        if not _right_kind(raw, loc, notes, branch):
            return NULL_VALUE
        for name in branch.schema.get("required", ()):
            if name not in raw:
                notes.fault(loc, messages.MISSING(name=name), key=True)
    fields: dict[str, Value] = {}
    for name, each in raw.items():
        inner = _field(name, (*loc, name), notes, branch)
        fields[name] = compile_value(each, (*loc, name), names, notes, inner)
    roots = frozenset().union(*(each.roots for each in fields.values()))
    typed = SchemaType.of({"type": "object", "properties": {name: each.typed.schema for name, each in fields.items()}})
    if all(each.literal for each in fields.values()):
        return Value(lambda _: dict(raw), roots, typed, literal=True)
    evaluate = {name: each.evaluate for name, each in fields.items()}
    return Value(lambda evaluation: {name: each(evaluation) for name, each in evaluate.items()}, roots, typed)


def _field(name: str, loc: Loc, notes: FaultCollector, branch: SchemaType | None) -> SchemaType | None:
    if branch is None:
        return None
    properties = branch.schema.get("properties", {})
    if name in properties:
        return branch.inner(properties[name])
    extra = branch.schema.get("additionalProperties", not properties)
    if isinstance(extra, Mapping):
        return branch.inner(extra)
    if not extra:
        notes.fault(loc, messages.UNKNOWN_PARAMETER(name=name, near=suggestion(name, properties)), key=True)
    return None


def _list(raw: list[Any], loc: Loc, names: VisibleNames, notes: FaultCollector, wanted: SchemaType | None) -> Value:
    branch = _branch(raw, wanted, "array")
    if branch is not None and not _right_kind(raw, loc, notes, branch):
        return NULL_VALUE
    inner = branch.inner(branch.schema.get("items", {})) if branch is not None else None
    if branch is not None and len(raw) < (least := branch.schema.get("minItems", 0)):
        notes.fault(loc, messages.ENOUGH_ELEMENTS(bound=least))
    values = [compile_value(each, (*loc, place), names, notes, inner) for place, each in enumerate(raw)]
    roots = frozenset().union(*(each.roots for each in values))
    typed = SchemaType.of({"type": "array", "items": values[0].typed.schema if values else {}})
    if all(each.literal for each in values):
        return Value(lambda _: list(raw), roots, typed, literal=True)
    evaluate = [each.evaluate for each in values]
    return Value(lambda evaluation: [each(evaluation) for each in evaluate], roots, typed)


def _branch(raw: Any, wanted: SchemaType | None, kind: str) -> SchemaType | None:
    if wanted is None:
        return None
    branches = list(wanted.branches())
    same = [branch for branch in branches if branch.schema.get("type", kind) == kind]
    if len(same) > 1:
        known = [
            branch
            for branch in same
            if isinstance(raw, Mapping) and set(raw) <= set(branch.schema.get("properties", {}))
        ]
        return known[0] if known else None
    return same[0] if same else branches[0]


def _right_kind(raw: Any, loc: Loc, notes: FaultCollector, branch: SchemaType) -> bool:
    kind, wanted = kind_of(raw), branch.schema.get("type")
    if wanted is None or wanted == kind:
        return True
    given = messages.AN_OBJECT if kind == "object" else messages.A_LIST
    notes.fault(loc, messages.NEEDS(wanted=type_text(branch), given=given))
    return False


# --- texts ------------------------------------------------------------------------------------------------------------


def _text(raw: str, loc: Loc, names: VisibleNames, notes: FaultCollector, wanted: SchemaType | None) -> Value:
    if _BARE_CALL.match(raw):
        notes.fault(loc, messages.TEXT_NOT_VALUE(raw=raw))
        return NULL_VALUE
    if braces := _BRACES.search(raw):
        notes.fault(loc, messages.NOT_REPLACED(), offset=braces.start())
        return NULL_VALUE
    pieces = list(references_in(raw, names))
    if (every := next((piece.end for piece in pieces if _EVERY.match(raw, piece.end)), None)) is not None:
        notes.fault(loc, messages.EVERY_ELEMENT(), offset=every)
        return NULL_VALUE
    if raw.startswith("$") and not raw.startswith("$$") and _is_expression(raw, pieces):
        parsed = expression(raw, loc, names, notes)
        if parsed is None:
            return NULL_VALUE
        if wanted is not None and (reason := misfit(parsed.typed, wanted)) is not None:
            what = raw if len(raw) < 60 else messages.THE_VALUE
            notes.fault(loc, messages.ABOUT(what=what, reason=reason))
        return Value(parsed.value, parsed.roots, parsed.typed)
    if wanted is not None and (reason := misfit(_TEXT, wanted)) is not None:
        notes.fault(loc, messages.TEMPLATE_IS_TEXT(reason=reason))
    return _template(raw, pieces, loc, names, notes)


def _is_expression(raw: str, pieces: list[TextReference]) -> bool:
    if not pieces:
        return False
    first = pieces[0]
    if first.start == 0 and first.end == len(raw):
        return True
    if first.cut:
        return False
    return is_expression(raw)


def _template(raw: str, pieces: list[TextReference], loc: Loc, names: VisibleNames, notes: FaultCollector) -> Value:
    parts: list[str | Closure] = []
    roots: set[str] = set()
    place = 0
    for piece in pieces:
        parts.append(raw[place : piece.start].replace("$$", "$"))
        findings = Findings()
        parsed = expressions.parse(raw[piece.start : piece.end], names, findings)
        notes.take(loc, findings, piece.start)
        if parsed is not None:
            parts.append(parsed.value)
            roots |= parsed.roots
        place = piece.end
    parts.append(raw[place:].replace("$$", "$"))
    return Value(lambda evaluation: _joined(parts, evaluation), frozenset(roots), _TEXT, literal=not pieces)


def _joined(parts: list[str | Closure], evaluation: Evaluation) -> str:
    text = "".join(part if isinstance(part, str) else as_text(part(evaluation)) for part in parts)
    evaluation.spend(len(text) // 100)
    return text[:_LONGEST_TEXT]


def as_text(value: Any) -> str:
    """The text that stands for a value inside of a text."""
    if value is None:
        return ""
    if isinstance(value, str):
        return value
    if isinstance(value, float) and value.is_integer():
        return str(int(value))
    return json.dumps(value, ensure_ascii=False)
