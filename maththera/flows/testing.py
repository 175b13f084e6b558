"""`flows/tests/*.yaml`: a flow run with mocked tools, and what is expected of it.

    flow: 진단_리포트_생성            # name, or name and version: {name: …, version: …}
    tests:
      - name: 갭이 있는 학생
        inputs: {student_id: s1}
        now: 2026-03-02T09:00:00+09:00
        mocks:
          find_concept_gap: {gaps: [{concept_id: Cur-C7, …}]}      # tool → result, always the same
          generate_picket_problem:                                  # or one after the other; the last one stays
            - error: timeout
            - {problem: …, problems: []}
          approve: …                                                # step id → the answer of a person, or of a model
        expect:
          status: completed
          outputs: {problem_count: 3}                               # of the result, these fields
          called: [find_concept_gap]                                # tools, or step ids
          skipped: [generate_problems]
          calls: {find_concept_gap: {student_id: s1}}               # with these arguments, among others
          error: 문구                                                # is in the error

Mocked results are checked against the tools' real output schemas, so that a test cannot pass with data that no server
would send.
"""

import asyncio
from collections import defaultdict
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from maththera.flows import documents
from maththera.flows.catalog import Catalog, UnknownFlow
from maththera.flows.checker import Catalogue
from maththera.flows.documents import Document
from maththera.flows.faults import Fault, Loc
from maththera.flows.flow import Flow, FlowStep, InputError
from maththera.flows.outcomes import StepError
from maththera.flows.runner import Event, Outcome, run
from maththera.flows.schemas import Typed, mistakes
from maththera.flows.services import Services
from maththera.runtime.tools import ToolError, ToolSpec

_ERRORS: Final = ("failed", "timeout", "died", "bad_output", "bad_arguments", "unknown_tool")
_LONGEST: Final = 30.0  # seconds of one test
_MOST_QUESTIONS: Final = 20


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Expected(_Strict):
    status: str = Field("completed", pattern="^(completed|failed|waiting)$")
    outputs: dict[str, Any] = {}
    called: list[str] = []
    not_called: list[str] = []
    skipped: list[str] = []
    calls: dict[str, dict[str, Any]] = {}
    error: str | None = None


class Case(_Strict):
    name: str
    inputs: dict[str, Any] = {}
    now: datetime | None = None
    mocks: dict[str, Any] = {}
    expect: Expected = Field(default_factory=Expected)


class Named(_Strict):
    name: str
    version: str | None = None


class Suite(_Strict):
    flow: str | Named
    tests: list[Case] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Verdict:
    """Of one test. `failures` say what was expected and what came; none: it passed."""

    file: str
    flow: str
    name: str
    line: int
    failures: list[str]
    ran: frozenset[str]


@dataclass(slots=True)
class Report:
    """Of all tests. `faults` are mistakes in the test files themselves."""

    verdicts: list[Verdict] = field(default_factory=list)
    faults: list[Fault] = field(default_factory=list)
    covered: dict[str, set[str]] = field(default_factory=lambda: defaultdict(set))
    steps: dict[str, list[str]] = field(default_factory=dict)

    @property
    def passed(self) -> bool:
        return not self.faults and all(not verdict.failures for verdict in self.verdicts)

    def coverage(self, flow: str) -> float:
        """The share of a flow's steps, inner ones included, that ran in some test."""
        steps = self.steps[flow]
        return len([step for step in steps if step in self.covered[flow]]) / len(steps)

    def uncovered(self, flow: str) -> list[str]:
        return [step for step in self.steps[flow] if step not in self.covered[flow]]


async def run_tests(paths: Iterable[Path], flows: Catalog, services: Services) -> Report:
    """The tests of these files; `services` gives the tools' schemas and the sandbox, its tools are never called."""
    report = Report()
    for path in paths:
        document = documents.read(path.read_text(encoding="utf-8"), str(path))
        suite = _suite(document, report)
        if suite is None:
            continue
        named = suite.flow if isinstance(suite.flow, Named) else Named(name=suite.flow)
        try:
            flow = flows.best(named.name, named.version)
        except UnknownFlow as error:
            report.faults.append(document.fault(("flow",), str(error)))
            continue
        report.steps.setdefault(_label(flow), list(_ids(flow.steps)))
        for place, case in enumerate(suite.tests):
            await _run_case(document, place, case, flow, flows, services, report)
    return report


def _suite(document: Document, report: Report) -> Suite | None:
    report.faults += document.faults
    if document.faults:
        return None
    try:
        return TypeAdapter(Suite).validate_python(document.data)
    except ValidationError as error:
        for detail in error.errors(include_url=False):
            loc = tuple(key for key in detail["loc"] if key not in ("Named", "str"))
            report.faults.append(document.fault(loc, detail["msg"]))
    return None


def _label(flow: Flow) -> str:
    return f"{flow.name} {flow.version}"


def _ids(steps: Iterable[FlowStep]) -> Iterable[str]:
    for step in steps:
        yield step.id
        yield from _ids(step.steps)


async def _run_case(  # noqa: PLR0913
    document: Document, place: int, case: Case, flow: Flow, flows: Catalog, services: Services, report: Report
) -> None:
    loc: Loc = ("tests", place)
    tools = MockedTools(services.tools.catalogue(), flow, case.mocks)
    before = len(report.faults)
    for name, path, reason in tools.mistakes():
        report.faults.append(document.fault((*loc, "mocks", name, *path), reason))
    if len(report.faults) > before:
        return
    events: list[Event] = []
    own = replace(services, tools=tools, ask=tools.ask, flows=flows.latest(), shelf=type(services.shelf)())
    try:
        async with asyncio.timeout(_LONGEST):
            outcome: Outcome | Exception = await _play(flow, case, own, tools, events)
    except (InputError, TimeoutError) as error:
        outcome = error
    ran = frozenset(_plain_id(event["step"]) for event in events if event["type"] in ("step_started", "progress"))
    ran |= tools.steps
    report.covered[_label(flow)] |= ran
    failures = list(_compare(case.expect, outcome, events, tools))
    report.verdicts.append(Verdict(document.path, _label(flow), case.name, document.position(loc)[0], failures, ran))


async def _play(flow: Flow, case: Case, services: Services, tools: "MockedTools", events: list[Event]) -> Outcome:
    async def hear(event: Event) -> None:
        events.append(event)

    services = replace(services, **tools.mocked_graphs(services))
    saver, thread = InMemorySaver(), case.name
    answers: Any = None
    for _ in range(_MOST_QUESTIONS):
        outcome = await run(
            flow,
            case.inputs,
            services,
            checkpointer=saver,
            execution_id=thread,
            on_event=hear,
            answer=answers,
            now=case.now,
            inner_events=True,
        )
        answers = {step: case.mocks[step] for step in outcome.waiting if step in case.mocks}
        if outcome.status != "waiting" or not answers:
            break
    return outcome


class MockedTools:
    """Tools that answer as a test says; one that it does not mention fails."""

    def __init__(self, catalogue: Catalogue, flow: Flow, mocks: Mapping[str, Any]) -> None:
        self.calls: list[tuple[str, dict[str, Any]]] = []
        self.steps: set[str] = set()
        self._catalogue = catalogue
        self._mocks = mocks
        self._asked: dict[str, int] = defaultdict(int)
        self._by_id = {step.id: step for step in _all_steps(flow.steps)}

    def catalogue(self) -> Catalogue:
        return self._catalogue

    def mistakes(self) -> Iterable[tuple[str, tuple[str | int, ...], str]]:
        """Mocks that no tool of that name would send, and mocks of nothing."""
        for name, mock in self._mocks.items():
            typed = self._typed(name)
            if typed is None:
                yield name, (), f"neither a tool nor a step of the flow is called '{name}'"
                continue
            for place, result in enumerate(_results(mock)):
                where: tuple[str | int, ...] = (place,) if _in_turn(mock) else ()
                if isinstance(result, dict) and set(result) == {"error"}:
                    continue
                for path, reason in mistakes(result, typed):
                    yield name, (*where, *path), reason

    def _typed(self, name: str) -> Typed | None:
        if name in self._by_id:
            return self._by_id[name].typed
        specs = [tools[name] for tools in self._catalogue.values() if name in tools]
        return Typed.of(specs[0].output_schema) if specs else None

    async def call(
        self,
        server: str,
        tool: str,
        arguments: Mapping[str, Any],
        *,
        timeout: float | None = None,  # noqa: ASYNC109, ARG002
        attempts: int | None = None,  # noqa: ARG002
    ) -> dict[str, Any]:
        spec: ToolSpec = self._catalogue[server][tool]
        self.calls.append((tool, dict(arguments)))
        for path, reason in mistakes(dict(arguments), Typed.of(spec.input_schema)):
            where = ".".join(map(str, path))
            raise ToolError("bad_arguments", server, tool, f"{where}: {reason}" if where else reason)
        if tool not in self._mocks:
            raise ToolError("bad_arguments", server, tool, f"the test has no mock for '{tool}'")
        result = self._next(tool)
        if isinstance(result, dict) and set(result) == {"error"}:
            code = result["error"]
            raise ToolError(code if code in _ERRORS else "failed", server, tool, f"mocked: {code}")
        return dict(result)

    async def ask(self, prompt: str, variables: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG002
        step = next(each for each in self._by_id.values() if getattr(each.fields, "prompt", None) == prompt)
        if step.id not in self._mocks:
            raise StepError(f"the test has no mock for '{step.id}'")
        result = self._next(step.id)
        if set(result) == {"error"}:
            raise StepError(f"mocked: {result['error']}")
        return dict(result)

    def mocked_graphs(self, services: Services) -> dict[str, Any]:
        """The graphs that a test answers for."""
        names = {step.fields.graph for step in self._by_id.values() if step.kind == "graph" and step.id in self._mocks}  # type: ignore[attr-defined]
        flows = {name: flow for name, flow in services.flows.items() if name not in names}
        return {"graphs": {**services.graphs, **{name: lambda: _MockedGraph(self) for name in names}}, "flows": flows}

    def _next(self, name: str) -> Any:
        results = _results(self._mocks[name])
        place = min(self._asked[name], len(results) - 1)
        self._asked[name] += 1
        return results[place]


class _MockedGraph:
    def __init__(self, tools: MockedTools) -> None:
        self._tools = tools

    def copy(self, _: object) -> "_MockedGraph":
        return self

    async def ainvoke(self, _: object, config: Mapping[str, Any]) -> Any:
        """The thread of a graph step ends with the step's id."""
        step = str(config["configurable"]["thread_id"]).rpartition("/")[2].rpartition(".")[2]
        return dict(self._tools._next(step))


def _results(mock: Any) -> list[Any]:
    return mock if _in_turn(mock) else [mock]


def _in_turn(mock: Any) -> bool:
    return isinstance(mock, list) and bool(mock)


def _all_steps(steps: Iterable[FlowStep]) -> Iterable[FlowStep]:
    for step in steps:
        yield step
        yield from _all_steps(step.steps)


def _plain_id(key: str) -> str:
    """`loop[3].inner` → `inner`."""
    return key.rpartition(".")[2].partition("[")[0]


def _compare(expect: Expected, outcome: Outcome | Exception, events: list[Event], tools: MockedTools) -> Iterable[str]:
    if isinstance(outcome, Exception):
        message = str(outcome) or f"took longer than {_LONGEST:g} s"
        if expect.status != "failed" or (expect.error or "") not in message:
            yield f"expected {expect.status}, but it could not run: {message}"
        return
    told = f" at {outcome.error['step']}: {outcome.error['message']}" if outcome.error else ""
    if outcome.status != expect.status:
        yield f"expected {expect.status}, but it is {outcome.status}{told}"
    if expect.error is not None and expect.error not in told:
        yield f"expected an error with '{expect.error}', but got '{told.strip() or 'none'}'"
    for name, value in expect.outputs.items():
        yield from _differences(f"outputs.{name}", value, (outcome.result or {}).get(name))
    yield from _compare_calls(expect, outcome, events, tools)


def _compare_calls(expect: Expected, outcome: Outcome, events: list[Event], tools: MockedTools) -> Iterable[str]:
    called = {tool for tool, _ in tools.calls}
    ran = {_plain_id(event["step"]) for event in events if event["type"] == "step_started"}
    skipped = {_plain_id(event["step"]) for event in events if event["type"] == "step_skipped"}
    for name in expect.called:
        if name not in called | ran:
            yield f"expected '{name}' to be called; called: {', '.join(sorted(called)) or 'nothing'}"
    for name in expect.not_called:
        if name in called | ran:
            yield f"expected '{name}' not to be called"
    for name in expect.skipped:
        if name not in skipped and f"{name}_skipped" not in outcome.completed_steps:
            yield f"expected '{name}' to be skipped; skipped: {', '.join(sorted(skipped)) or 'nothing'}"
    for tool, arguments in expect.calls.items():
        given = [each for name, each in tools.calls if name == tool]
        if not any(not list(_differences("", arguments, each)) for each in given):
            yield f"expected '{tool}' to be called with {arguments}; calls: {given or 'none'}"


def _differences(where: str, expected: Any, found: Any) -> Iterable[str]:
    """Of an object, the expected fields count; of everything else, all of it."""
    if isinstance(expected, dict) and isinstance(found, dict):
        for name, value in expected.items():
            yield from _differences(f"{where}.{name}" if where else name, value, found.get(name))
    elif expected != found:
        yield f"{where}: expected {expected!r}, got {found!r}"
