"""The checker of flows: one pass that reports every mistake with its place, before anything runs."""

import hashlib
import keyword
import re
from collections.abc import Collection, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Final, cast

from maththera.flows.checker.call_checks import Callables, CallChecker, Callee, check_schema
from maththera.flows.checker.field_checks import ParsedFlow, parse_flow
from maththera.flows.checker.name_scopes import RESERVED, NameEntry, Scope
from maththera.flows.checker.step_order import check_reachable, choosers_by_step, dependencies_of, topological_order
from maththera.flows.cron import schedule_mistakes
from maththera.flows.flow import Flow, FlowStep, Way, inputs_schema
from maththera.flows.language import messages, yaml_source
from maththera.flows.language.expressions import Expression
from maththera.flows.language.faults import Fault, FlowError, Loc
from maththera.flows.language.flow_schema import (
    ApproveStep,
    FlowModel,
    ForeachStep,
    GraphStep,
    Input,
    LlmStep,
    ParallelStep,
    PythonStep,
    StepFields,
    ToolStep,
    kind_of_step,
)
from maththera.flows.language.messages import Message
from maththera.flows.language.python_steps import compile_code, inferred_result
from maththera.flows.language.schema_types import ANYTHING, NoSuchField, SchemaType, element, type_text
from maththera.flows.language.value_checks import value_mistakes
from maththera.flows.language.value_templates import FaultCollector, Value, compile_value, constant, expression
from maththera.runtime.tool_interface import Catalogue


def load(
    source: Path | str,
    *,
    catalogue: Catalogue | None,
    graphs: Collection[str] | Mapping[str, Callee] | None = (),
    prompts: Collection[str] | None = None,
    path: str | None = None,
) -> Flow:
    """The flow of a file, or of a text (then `path` is what the faults call it). Raises FlowError with all faults, and
    OSError for a file that cannot be read.

    `catalogue`: the tools as they are now. `graphs`: what graph steps may call, with or without schemas. `prompts`:
    names of prompt files. None leaves what is called unchecked.
    """
    named = path or "<text>"
    document = yaml_source.read_file(source, path) if isinstance(source, Path) else yaml_source.read(source, named)
    notes = FaultCollector(document, faults=document.faults)
    if document.data is None:
        raise FlowError(notes.faults)
    shaped = parse_flow(document, notes)
    if shaped.flow is None:
        raise FlowError(_without_consequences(document, notes.faults))
    checked = _Checker(shaped, notes, Callables(catalogue, graphs, prompts)).check(shaped.flow)
    if notes.faults:
        raise FlowError(_without_consequences(document, notes.faults))
    digest = hashlib.sha256(document.text.encode()).hexdigest()
    steps, outputs, called = checked
    warnings = sorted(set(notes.warnings))
    return Flow(document.path, document.text, digest, shaped.flow, steps, outputs, warnings, frozenset(called))


def _without_consequences(document: yaml_source.Source, faults: Sequence[Fault]) -> list[Fault]:
    """The faults without those that follow from a row that could not be read."""
    return [
        fault for fault in faults if fault.line not in document.unread or fault.message.english.startswith("not YAML")
    ]


class _Checker:
    """Checks one flow."""

    def __init__(self, shaped: ParsedFlow, notes: FaultCollector, known: Callables) -> None:
        self._broken = shaped.broken
        self._misspelt = shaped.misspelt
        self._notes = notes
        self._known = known
        self._calls = CallChecker(known, shaped.misspelt, notes)
        self._ids: dict[str, Loc] = {}

    def check(self, flow: FlowModel) -> tuple[tuple[FlowStep, ...], dict[str, Value], set[str]]:
        check_head(flow, self._notes)
        inputs = check_inputs(flow, self._broken, self._notes)
        scope = Scope({"inputs": NameEntry(inputs)}, inner=dict(_inner_results(flow.steps)))
        steps, inner = self._block(flow.steps, ("flow", "steps"), scope, top=True)
        outputs = {
            name: compile_value(raw, ("flow", "outputs", name), inner, self._notes)
            for name, raw in flow.outputs.items()
        }
        warn_of_unused(flow, self._broken, self._notes)
        return steps, outputs, self._calls.graphs

    # --- blocks -------------------------------------------------------------------------------------------------------

    def _block(
        self, steps: Sequence[StepFields], loc: Loc, outer: Scope, *, top: bool = False, parallel: bool = False
    ) -> tuple[tuple[FlowStep, ...], Scope]:
        """The steps of a block in an order in which they can run, and the scope with their results."""
        self._check_names(steps, loc)
        chosen = choosers_by_step(steps, loc, self._notes, parallel=parallel)
        scope = outer.inner_scope(results={step.id: step.result for step in steps})
        found: list[FlowStep] = []
        for place, step in enumerate(steps):
            here = (*loc, place)
            compiled = FlowStep(
                step.id, kind_of_step(step), step.result, self._line_number(here), step, self._result(step)
            )
            if step.result not in RESERVED:
                doubt = self._null_reason(step, step.id in chosen)
                scope.entries.setdefault(step.result, NameEntry(compiled.typed, step.id, doubt))
            found.append(compiled)
        siblings = {step.result: messages.MADE_MEANWHILE(name=step.result) for step in steps}
        for place, compiled in enumerate(found):
            own = {compiled.result: messages.OWN_RESULT(name=compiled.result)}
            forbidden = {**siblings, **own} if parallel else own
            view = scope.as_seen_by_step({name: why for name, why in forbidden.items() if name not in RESERVED})
            self._step(compiled, (*loc, place), view, top=top)
            compiled.chosen_by = frozenset(chosen.get(compiled.id, ()))
            compiled.needs = dependencies_of(compiled, (*loc, place), scope, self._notes, parallel=parallel)
        check_reachable(found, loc, self._notes)
        return topological_order(found, loc, self._notes), scope

    def _line_number(self, loc: Loc) -> int:
        return self._notes.document.nodes.position(loc)[0]

    def _check_names(self, steps: Sequence[StepFields], loc: Loc) -> None:
        results: dict[str, str] = {}
        for place, step in enumerate(steps):
            here = (*loc, place)
            twice = step.id in self._ids
            if twice:
                line = self._line_number(self._ids[step.id])
                self._notes.fault((*here, "id"), messages.ID_TAKEN(name=step.id, line=line))
            self._ids.setdefault(step.id, here)
            where = (*here, "output") if step.output else (*here, "id")
            if step.result in RESERVED:
                self._notes.fault(where, messages.RESERVED_NAME(name=step.result))
            elif keyword.iskeyword(step.result):
                self._notes.fault(where, messages.KEYWORD(name=step.result))
            elif step.result in results and not (twice and step.output is None):
                message = messages.OUTPUT_TAKEN(name=step.result, step=results[step.result])
                self._notes.fault(where, message)
            results.setdefault(step.result, step.id)

    def _null_reason(self, step: StepFields, chosen: bool) -> Message | None:
        if step.condition is not None and step.condition is not True:
            return messages.MAY_BE_SKIPPED(step=step.id)
        if chosen:
            return messages.MAY_BE_UNCHOSEN(step=step.id)
        if step.on_error is not None and step.on_error.action in ("continue", "goto"):
            return messages.MAY_FAIL(step=step.id)
        return None

    # --- results ------------------------------------------------------------------------------------------------------

    def _result(self, step: StepFields) -> SchemaType:
        """The type of a step's result, as far as it is known without the step's references."""
        if step.id in self._broken:
            return ANYTHING
        match step:
            case ToolStep(mcp_call=call):
                spec = self._known.spec(call.server, call.tool)
                return SchemaType.of(spec.output_schema) if spec is not None else ANYTHING
            case ForeachStep(steps=steps):
                last = self._result(steps[-1])
                return SchemaType({"type": "array", "items": last.schema}, last.root)
            case ParallelStep(tasks=tasks):
                return _object({task.id: self._result(task) for task in tasks})
            case GraphStep(graph=name):
                known = self._known.callee(name)
                return SchemaType.of(known.gives) if known is not None else ANYTHING
            case ApproveStep(form=form):
                return SchemaType.of(form)
            case LlmStep(output_schema=schema):
                return SchemaType.of(schema)
            case PythonStep(code=code):
                return inferred_result(code)
        return SchemaType.of({"type": "object", "properties": {"to": {"type": "string"}}})

    # --- steps --------------------------------------------------------------------------------------------------------

    def _step(self, compiled: FlowStep, loc: Loc, scope: Scope, *, top: bool) -> None:
        roots: set[str] = set()
        step = compiled.fields
        if isinstance(step.condition, str):
            compiled.condition = expression(step.condition, (*loc, "condition"), scope, self._notes)
            roots |= compiled.condition.roots if compiled.condition else set()
        check = {
            "mcp_call": self._calls.tool,
            "python": self._python,
            "foreach": self._foreach,
            "parallel": self._parallel,
            "graph": self._calls.graph,
            "approve": self._approve,
            "llm": self._calls.model,
        }.get(compiled.kind)
        if compiled.kind == "approve" and not top:
            self._notes.fault((*loc, "action"), messages.APPROVE_AT_TOP())
        if check is not None:
            roots |= check(compiled, loc, scope)
        elif compiled.kind == "route" and not step.route and step.id not in self._broken and loc not in self._misspelt:
            self._notes.fault(loc, messages.NEEDS_WAYS())
        compiled.ways = tuple(self._ways(compiled, loc, scope, roots))
        if step.idempotent is not None:
            compiled.repeatable = step.idempotent
        if isinstance(step, ToolStep) and step.retry is not None and not compiled.repeatable:
            self._warn_of_retry(step.mcp_call.tool, step.retry.attempts, (*loc, "retry"))
        self._check_fallback(compiled, loc)
        compiled.roots = frozenset(roots)

    def _ways(self, compiled: FlowStep, loc: Loc, scope: Scope, roots: set[str]) -> Iterator[Way]:
        own = Scope({compiled.result: NameEntry(compiled.typed)}, _scope_without(scope, compiled.result))
        for number, way in enumerate(compiled.fields.route):
            when: Expression | None = None
            if way.when is not None:
                when = expression(way.when, (*loc, "route", number, "when"), own, self._notes)
                roots |= (when.roots if when else set()) - {compiled.result}
            yield Way(when, way.to)

    def _warn_of_retry(self, tool: str, attempts: int, loc: Loc) -> None:
        """Warns of `retry` on a tool that must not run twice; without a catalogue it is not known whether it may."""
        if attempts > 1 and self._known.catalogue is not None:
            self._notes.warn(loc, messages.RETRIED_WRITE(tool=tool))

    def _check_fallback(self, compiled: FlowStep, loc: Loc) -> None:
        rule = compiled.on_error
        if rule is None or rule.action != "fallback":
            return
        for path, reason in value_mistakes(rule.fallback_value, compiled.typed, extra_allowed=True):
            self._notes.fault((*loc, "on_error", "fallback_value", *path), reason)

    def _python(self, compiled: FlowStep, loc: Loc, scope: Scope) -> frozenset[str]:
        code = cast("PythonStep", compiled.fields).code
        compiled.code = compile_code(code, (*loc, "code"), scope, self._notes)
        return compiled.code.roots if compiled.code else frozenset()

    def _foreach(self, compiled: FlowStep, loc: Loc, scope: Scope) -> frozenset[str]:
        step = cast("ForeachStep", compiled.fields)
        items = self._items(step, (*loc, "items"), scope)
        compiled.arguments = items
        try:
            each = element(items.typed)
        except NoSuchField:
            each = ANYTHING
            self._notes.fault((*loc, "items"), messages.NEEDS(wanted=messages.A_LIST, given=type_text(items.typed)))
        inside = scope.inner_scope({"item": NameEntry(each), "index": NameEntry(SchemaType.of({"type": "integer"}))})
        compiled.steps, inner = self._block(step.steps, (*loc, "steps"), inside)
        compiled.repeatable = True  # each inner step has its own
        return items.roots | _outer_roots(compiled.steps, {*inner.entries, "item", "index"})

    def _items(self, step: ForeachStep, loc: Loc, scope: Scope) -> Value:
        if not isinstance(step.items, str):
            return compile_value(step.items, loc, scope, self._notes)
        parsed = expression(step.items, loc, scope, self._notes)
        return Value(parsed.value, parsed.roots, parsed.typed) if parsed else constant([])

    def _parallel(self, compiled: FlowStep, loc: Loc, scope: Scope) -> frozenset[str]:
        tasks = cast("ParallelStep", compiled.fields).tasks
        compiled.steps, inner = self._block(tasks, (*loc, "tasks"), scope, parallel=True)
        return _outer_roots(compiled.steps, set(inner.entries))

    def _approve(self, compiled: FlowStep, loc: Loc, scope: Scope) -> frozenset[str]:
        step = cast("ApproveStep", compiled.fields)
        check_schema(step.form, (*loc, "form"), self._notes)
        compiled.arguments = compile_value(step.question, (*loc, "question"), scope, self._notes)
        return compiled.arguments.roots


def _object(fields: Mapping[str, SchemaType]) -> SchemaType:
    known = {name: each.schema if "$ref" not in repr(each.schema) else {} for name, each in fields.items()}
    return SchemaType.of({"type": "object", "properties": known})


def _inner_results(steps: Sequence[StepFields], around: str | None = None) -> Iterator[tuple[str, str]]:
    """The outputs of inner steps → the outputs of the foreach and parallel steps around them."""
    for step in steps:
        if around is not None:
            yield step.result, around
        inner: Sequence[StepFields] = getattr(step, "steps", getattr(step, "tasks", ()))
        yield from _inner_results(inner, around or step.result)


def _scope_without(scope: Scope, name: str) -> Scope:
    """The scope for the ways of a step, which read the step's own result."""
    forbidden = {each: why for each, why in scope.forbidden.items() if each != name}
    return scope.as_seen_by_step(forbidden)


def _outer_roots(steps: Sequence[FlowStep], own: Collection[str]) -> frozenset[str]:
    return frozenset(root for step in steps for root in step.roots if root not in own)


_REFERENCE: Final = re.compile(r"\$[^\W\d]")


def check_head(flow: FlowModel, notes: FaultCollector) -> None:
    """Checks schedule and variants."""
    if flow.schedule is not None:
        for reason in schedule_mistakes(flow.schedule):
            notes.fault(("flow", "schedule"), reason)
        for place, each in enumerate(flow.inputs):
            if each.needed:
                notes.fault(("flow", "inputs", place, "name"), messages.SCHEDULED_INPUT(name=each.name))
    seen: set[str] = set()
    for place, variant in enumerate(flow.variants):
        if variant.version in seen:
            notes.fault(("flow", "variants", place, "version"), messages.VARIANT_TWICE(version=variant.version))
        seen.add(variant.version)


def check_inputs(flow: FlowModel, broken: Collection[str], notes: FaultCollector) -> SchemaType:
    """The type of the inputs; a broken input has an unknown type."""
    seen: set[str] = set()
    for place, each in enumerate(flow.inputs):
        loc: Loc = ("flow", "inputs", place)
        if each.name in seen:
            notes.fault((*loc, "name"), messages.INPUT_TWICE(name=each.name))
        seen.add(each.name)
        if keyword.iskeyword(each.name):
            notes.fault((*loc, "name"), messages.KEYWORD(name=each.name))
        if "default" in each.model_fields_set:
            _check_default(each, (*loc, "default"), notes, broken=f"inputs.{each.name}" in broken)
    schema = inputs_schema(flow.inputs)
    for name in list(schema["properties"]):
        if f"inputs.{name}" in broken:
            schema["properties"][name] = {}
    return SchemaType.of(schema)


def _check_default(each: Input, loc: Loc, notes: FaultCollector, *, broken: bool) -> None:
    if each.required:
        notes.fault(loc, messages.REQUIRED_DEFAULT())
    if isinstance(each.default, str) and _REFERENCE.match(each.default):
        notes.fault(loc, messages.DEFAULT_IS_VALUE())
    if each.default is not None and not broken:
        own = SchemaType.of(inputs_schema([each])["properties"][each.name])
        for path, reason in value_mistakes(each.default, own):
            notes.fault((*loc, *path), reason)


def warn_of_unused(flow: FlowModel, broken: Collection[str], notes: FaultCollector) -> None:
    """Warns of inputs that nothing reads."""
    text = notes.document.text
    for place, each in enumerate(flow.inputs):
        used = f"$inputs.{each.name}" in text or f"$inputs['{each.name}']" in text
        if not used and f"inputs.{each.name}" not in broken:
            notes.warn(("flow", "inputs", place, "name"), messages.UNUSED_INPUT(name=each.name))
