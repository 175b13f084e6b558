"""What an editor shows of a flow's text: marks with their ends and repairs, the steps, the names after a $."""

import re
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any, Final, Literal

import yaml

from maththera.flows.flow import Flow, FlowStep
from maththera.flows.language import messages, yaml_source
from maththera.flows.language.faults import Fault
from maththera.flows.language.messages import Message
from maththera.flows.language.schema_types import SchemaType, type_text
from maththera.flows.language.yaml_source import Source

Severity = Literal["error", "warning"]

_SUGGESTED: Final = re.compile(r"(?:; did you mean|; call it|depends_on names steps:) '([^']+)'")
_WRITE: Final = re.compile(r"; write (\$\w+)$")
_QUOTED: Final = re.compile(r"'([^']+)'")
_BRACES: Final = re.compile(r"\{\{.*?\}\}")
_INDENT: Final = re.compile(r"; the line is indented by \d+ spaces, (\d+) are expected$")
_VALUE: Final = re.compile(r"( *(?:- )?[\w-]+: +)(\S.*?) *$")
_WORD: Final = re.compile(r"\$?[\w.]+|\S")
_BLOCK: Final = ("|", ">")


@dataclass(frozen=True, slots=True)
class Span:
    """A piece of a text: lines and columns count characters from 1; the end is the place after the last one."""

    line: int
    column: int
    end_line: int
    end_column: int


@dataclass(frozen=True, slots=True)
class SuggestedRepair:
    """What would mend a fault: `text` instead of what stands at `span`."""

    title: str
    span: Span
    text: str


@dataclass(frozen=True, slots=True)
class MarkedFault:
    """A fault or a warning with the characters that it is about. `where`: the field; `korean`: the message."""

    severity: Severity
    span: Span
    where: str
    message: str
    korean: str
    repairs: list[SuggestedRepair]


@dataclass(frozen=True, slots=True)
class OutlinedStep:
    """A step as it is written, also where the flow has faults. `parent`: the step around it."""

    id: str
    name: str
    kind: str
    line: int
    parent: str | None


@dataclass(frozen=True, slots=True)
class KnownName:
    """What may stand after a $: a text such as `$inputs.student_id`, and what it is, in Korean too. What an author has
    said of it is the same in both languages."""

    text: str
    about: str
    korean: str

    @classmethod
    def of(cls, text: str, about: Message) -> "KnownName":
        return cls(text, about.english, about.korean)


@dataclass(slots=True)
class InspectedText:
    """A text, parsed once for all its marks."""

    source: Source
    rows: list[str]
    _scalars: dict[tuple[int, int], Span] = field(default_factory=dict)

    @classmethod
    def of(cls, text: str) -> "InspectedText":
        found = cls(yaml_source.read(text, ""), text.splitlines() or [""])
        for node in _scalars_of(found.source.nodes.root):
            start, end = node.start_mark, node.end_mark
            if start.line == end.line and getattr(node, "style", None) not in _BLOCK:
                span = Span(start.line + 1, start.column + 1, end.line + 1, end.column + 1)
                found._scalars.setdefault((span.line, span.column), span)
        return found

    def mark(self, fault: Fault, severity: Severity) -> MarkedFault:
        """The mark of a fault or of a warning."""
        span, said = self._span(fault.line, fault.column), fault.message.english
        repair = self._other_repair(fault, span)
        if (suggested := _SUGGESTED.search(said) or _WRITE.search(said)) is not None:
            span = self._named(span, said[: suggested.start()])
            text = suggested[1]
            if text.startswith("$") and not self.text(span).startswith("$"):
                text = text[1:]
            repair = SuggestedRepair(f"고치기: {text}", span, text)
        return MarkedFault(severity, span, fault.where, said, fault.message.korean, [repair] if repair else [])

    def text(self, span: Span) -> str:
        """What stands at a piece of one line."""
        return self._row(span.line)[span.column - 1 : span.end_column - 1]

    def steps(self) -> list[OutlinedStep]:
        """The steps in the order of the text."""
        flow = self.source.data.get("flow") if isinstance(self.source.data, Mapping) else None
        steps = flow.get("steps") if isinstance(flow, Mapping) else None
        return list(self._outlined(steps, ("flow", "steps"), None))

    def _row(self, line: int) -> str:
        return self.rows[line - 1] if line <= len(self.rows) else ""

    def _span(self, line: int, column: int) -> Span:
        """The value or the name that begins at a place, or the word there; at the end of a line its last sign."""
        if (scalar := self._scalars.get((line, column))) is not None and scalar.end_column > column:
            return scalar
        row = self._row(line)
        if (word := _WORD.match(row, column - 1)) is not None:
            return Span(line, column, line, word.end() + 1)
        last = max(1, min(column, len(row)))
        return Span(line, last, line, max(last, len(row)) + 1)

    def _named(self, span: Span, message: str) -> Span:
        """Within a piece, the word that the message puts in quotes; without the quotes of YAML."""
        written = self.text(span)
        for name in _QUOTED.findall(message):
            if (place := written.find(name)) >= 0:
                return Span(span.line, span.column + place, span.line, span.column + place + len(name))
        if len(written) > 1 and written[0] == written[-1] and written[0] in "'\"":
            return Span(span.line, span.column + 1, span.line, span.end_column - 1)
        return span

    def _other_repair(self, fault: Fault, span: Span) -> SuggestedRepair | None:
        """A repair of what YAML reads differently from what was meant."""
        row, line, said = self._row(fault.line), fault.line, fault.message.english
        own = len(row) - len(row.lstrip())
        if said.startswith("unquoted {{") and (found := _BRACES.search(row, span.column - 1)) is not None:
            meant = f"${found[0].strip('{} ')}"
            return SuggestedRepair(f"고치기: {meant}", Span(line, found.start() + 1, line, found.end() + 1), meant)
        if (wanted := _INDENT.search(said)) is not None:
            return SuggestedRepair(f"{wanted[1]}칸 들여쓰기", Span(line, 1, line, own + 1), " " * int(wanted[1]))
        if said.endswith("not with tabs"):
            return SuggestedRepair("탭을 빈칸으로 바꾸기", Span(line, 1, line, own + 1), row[:own].replace("\t", "  "))
        if said.endswith("put the value in quotes") and (pair := _VALUE.match(row)) is not None:
            quoted = "'" + pair[2].replace("'", "''") + "'"
            return SuggestedRepair("따옴표로 묶기", Span(line, pair.start(2) + 1, line, pair.end(2) + 1), quoted)
        return None

    def _outlined(self, steps: Any, loc: tuple[str | int, ...], parent: str | None) -> Iterator[OutlinedStep]:
        for place, step in enumerate(steps if isinstance(steps, list) else ()):
            if not isinstance(step, Mapping) or not isinstance(step.get("id"), str):
                continue
            here, kind = (*loc, place), step.get("action")
            line = self.source.nodes.position(here)[0]
            yield OutlinedStep(
                step["id"],
                str(step.get("name") or step["id"]),
                kind if isinstance(kind, str) else "mcp_call",
                line,
                parent,
            )
            for inner in ("steps", "tasks"):
                yield from self._outlined(step.get(inner), (*here, inner), step["id"])


def outline(flow: Flow) -> list[OutlinedStep]:
    """The steps of a flow without faults, in the order of the text."""
    return sorted(_outlined(flow.steps, None), key=lambda step: step.line)


def _outlined(steps: Sequence[FlowStep], parent: str | None) -> Iterator[OutlinedStep]:
    for step in steps:
        yield OutlinedStep(step.id, step.title, step.kind, step.line, parent)
        yield from _outlined(step.steps, step.id)


def names_of(flow: Flow) -> list[KnownName]:
    """The inputs and the steps' results with their fields."""
    kinds = {name: SchemaType.of(schema) for name, schema in flow.input_schema()["properties"].items()}
    found = [KnownName.of(f"$inputs.{name}", _about(kind)) for name, kind in kinds.items()]
    return [*found, *_results(flow)]


def _results(flow: Flow) -> Iterator[KnownName]:
    for step in flow.all_steps():
        yield KnownName.of(f"${step.result}", messages.ABOUT(what=step.title, reason=type_text(step.typed)))
        for name, typed in step.typed.properties().items():
            yield KnownName.of(f"${step.result}.{name}", _about(typed))


def _about(typed: SchemaType) -> Message:
    said = typed.schema.get("description")
    return Message.same(said) if said else type_text(typed)


def _scalars_of(node: yaml.Node | None) -> Iterator[yaml.ScalarNode]:
    """All keys and values that are no lists and no objects."""
    waiting = [node]
    while waiting:
        match waiting.pop():
            case yaml.ScalarNode() as scalar:
                yield scalar
            case yaml.SequenceNode(value=values):
                waiting += values
            case yaml.MappingNode(value=pairs):
                waiting += [each for pair in pairs for each in pair]
