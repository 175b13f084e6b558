"""`flows/tests/*.yaml`: a flow run with mocked tools, and what is expected of it.

    flow: 진단_리포트_생성            # name, or name and version: {name: …, version: …}
    tests:
      - name: 갭이 있는 학생
        inputs: {student_id: s1}
        now: 2026-03-02T09:00:00+09:00
        mocks:
          find_concept_gap: {gaps: [{concept_id: Cur-C7, …}]}      # tool, or id of a step → result, always the same
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
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from datetime import datetime
from pathlib import Path
from typing import Any, Final

from langgraph.checkpoint.memory import InMemorySaver
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError
from pydantic_core import ErrorDetails

from maththera.flows.checker.field_checks import is_reported_misspelling, reason_of
from maththera.flows.flow import Flow, InputError
from maththera.flows.flow_catalog import FlowCatalog, UnknownFlow
from maththera.flows.flow_tests.comparison import Expected, compare
from maththera.flows.flow_tests.mocks import MockedTools, step_id_of
from maththera.flows.language import messages, yaml_source
from maththera.flows.language.faults import Fault, Loc, suggestion
from maththera.flows.language.messages import Message
from maththera.flows.language.yaml_source import Source
from maththera.flows.runs.flow_runner import RunOutcome, run_flow
from maththera.flows.runs.python_sandbox import Sandbox
from maththera.flows.runs.step_services import StepServices
from maththera.json_types import JsonObject
from maththera.runtime.event_log import Event
from maththera.runtime.tool_interface import Catalogue

_LONGEST: Final = 30.0  # seconds of one test
_MOST_QUESTIONS: Final = 20


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid")


class Case(_Strict):
    name: str
    inputs: JsonObject = {}
    now: datetime | None = None
    mocks: JsonObject = {}
    expect: Expected = Field(default_factory=Expected)


class Named(_Strict):
    name: str
    version: str | None = None


class Suite(_Strict):
    flow: str | Named
    tests: list[Case] = Field(min_length=1)


@dataclass(frozen=True, slots=True)
class Verdict:
    """The outcome of one test; it passed when there are no `failures`."""

    file: str
    flow: str
    name: str
    line: int
    failures: list[Message]
    ran: frozenset[str]


@dataclass(slots=True)
class Report:
    """The outcome of all tests. `faults`: mistakes in the test files themselves."""

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


async def run_tests(
    sources: Iterable[Path | Source],
    flows: FlowCatalog,
    catalogue: Catalogue,
    sandbox: Sandbox,
    graphs: Mapping[str, Callable[[], Any]] | None = None,
) -> Report:
    """Runs the tests of these files or texts. `graphs`: the built-in ones, for steps that a test does not mock."""
    report = Report()
    for source in sources:
        document = yaml_source.read_file(source) if isinstance(source, Path) else source
        suite = _suite(document, report)
        if suite is None:
            continue
        named = suite.flow if isinstance(suite.flow, Named) else Named(name=suite.flow)
        try:
            flow = flows.best(named.name, named.version)
        except UnknownFlow as error:
            report.faults.append(document.fault(("flow",), error.message))
            continue
        report.steps.setdefault(_label(flow), [step.id for step in flow.all_steps()])
        for place, case in enumerate(suite.tests):
            tools = MockedTools(catalogue, flow, case.mocks)
            if faults := list(_case_faults(document, place, case, flow, tools)):
                report.faults += faults
                continue
            services = StepServices(tools, sandbox, graphs=graphs or {}, flows=flows.latest(), ask=tools.ask)
            failures, ran = await _run_case(case, flow, tools, tools.instead_of_graphs(services))
            line = document.nodes.position(("tests", place))[0]
            report.verdicts.append(Verdict(document.path, _label(flow), case.name, line, failures, ran))
            report.covered[_label(flow)] |= ran
    return report


def _suite(document: Source, report: Report) -> Suite | None:
    report.faults += document.faults
    if document.faults:
        return None
    try:
        return TypeAdapter(Suite).validate_python(document.data)
    except ValidationError as error:
        details = error.errors(include_url=False)
        unknown = [detail["loc"] for detail in details if detail["type"] == "extra_forbidden"]
        for detail in details:
            other_way = detail["loc"][:2] == (
                "flow",
                "str",
            )  # the short form of a flow's name; the faults of the long one are reported
            if not other_way and not is_reported_misspelling(detail, unknown):
                report.faults.append(_fault(document, detail))
        report.faults.sort()
    return None


def _fault(document: Source, detail: ErrorDetails) -> Fault:
    loc = tuple(key for key in detail["loc"] if key != "Named")
    name = str(loc[-1]) if loc else ""
    if detail["type"] == "missing":
        return document.fault(loc, messages.MISSING(name=name))
    if detail["type"] == "extra_forbidden":
        known: dict[Any, type[BaseModel]] = {"tests": Case, "flow": Named, "expect": Expected}
        holder = next((known[key] for key in reversed(loc[:-1]) if key in known), Suite)
        near = suggestion(name, holder.model_fields)
        return document.fault(loc, messages.UNKNOWN_FIELD(name=name, near=near), key=True)
    return document.fault(loc, reason_of(detail, name))


def _label(flow: Flow) -> str:
    return f"{flow.name} {flow.version}"


def _case_faults(document: Source, place: int, case: Case, flow: Flow, tools: MockedTools) -> Iterable[Fault]:
    """The mistakes for which a test is not run."""
    loc: Loc = ("tests", place)
    for name, path, reason in tools.mistakes():
        yield document.fault((*loc, "mocks", name, *path), reason)
    for path, reason in _unknown_names(case.expect, flow, tools):
        yield document.fault((*loc, "expect", *path), reason)


async def _run_case(
    case: Case, flow: Flow, tools: MockedTools, services: StepServices
) -> tuple[list[Message], frozenset[str]]:
    """Every difference from what is expected, and the steps that ran."""
    events: list[Event] = []
    try:
        async with asyncio.timeout(_LONGEST):
            outcome: RunOutcome | Exception = await _run_with_answers(flow, case, services, events)
    except InputError as error:
        outcome = error
    except TimeoutError:
        outcome = TimeoutError(f"took longer than {_LONGEST:g} s")
    ran = frozenset(step_id_of(event["step"]) for event in events if event["type"] in ("step_started", "progress"))
    return list(compare(case.expect, outcome, events, tools)), ran


def _unknown_names(expect: Expected, flow: Flow, tools: MockedTools) -> Iterable[tuple[Loc, Message]]:
    """Names in expectations that do not exist; such an expectation could always hold and would test nothing."""
    named: list[tuple[Loc, str]] = [(("calls", name), name) for name in expect.calls]
    for field_name in ("called", "not_called", "skipped"):
        named += [((field_name, place), name) for place, name in enumerate(getattr(expect, field_name))]
    for loc, name in named:
        if not tools.knows(name):
            yield loc, messages.NEITHER_TOOL_NOR_STEP(name=name)
    for name in expect.outputs:
        if name not in flow.outputs:
            yield ("outputs", name), messages.NO_OUTPUT(name=name, near=suggestion(name, flow.outputs))


async def _run_with_answers(flow: Flow, case: Case, services: StepServices, events: list[Event]) -> RunOutcome:
    async def hear(event: Event) -> None:
        events.append(event)

    saver, thread = InMemorySaver(), case.name
    answers: Any = None
    for _ in range(_MOST_QUESTIONS):
        outcome = await run_flow(
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
        answers = {
            path: case.mocks[step] for path in outcome.waiting if (step := path.rpartition("/")[2]) in case.mocks
        }
        if outcome.status != "waiting" or not answers:
            break
    return outcome
