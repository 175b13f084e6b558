"""What the service answers about flows and tools, for the documentation and for tests."""

from typing import Any

from maththera.api.answers import Answer
from maththera.servers.health import State


class FlowFault(Answer):
    """`line` and `column` count from 1; `where` is the field; `text` is all of it in one line."""

    path: str
    line: int
    column: int
    where: str
    message: str
    text: str


class FlowStep(Answer):
    id: str
    name: str
    kind: str


class Flow(Answer):
    """`hash`: of the text. `schedule`: as cron writes it."""

    name: str
    version: str
    description: str
    examples: list[str]
    hash: str
    schedule: str | None
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    steps: list[FlowStep]


class ListedFlow(Flow):
    """`file`: by which it is read, saved and run."""

    file: str


class Flows(Answer):
    flows: list[ListedFlow]
    faults: list[FlowFault]


class FlowFile(Answer):
    """`flow`: null while there are faults. `hash`: what to send when saving."""

    file: str
    text: str
    hash: str
    flow: Flow | None
    faults: list[FlowFault]
    warnings: list[FlowFault]


class Lint(Answer):
    ok: bool
    faults: list[FlowFault]
    warnings: list[FlowFault]


class Graph(Answer):
    mermaid: str


class PlannedStep(Answer):
    """`what`: `server.tool`, or what else it does. `values`: its parameters as far as the inputs tell them. `after`:
    steps that it waits for. `when`: why it may not run. `steps`: its inner ones."""

    id: str
    name: str
    kind: str
    what: str
    values: Any
    after: list[str]
    when: str | None
    steps: list["PlannedStep"]


class Plan(Answer):
    steps: list[PlannedStep]


class FlowTest(Answer):
    """No `failures`: it passed."""

    file: str
    line: int
    name: str
    failures: list[str]


class FlowTests(Answer):
    """`passed`: there are tests, and all pass. `faults`: of the test files. `uncovered`: name and version → steps that
    ran in no test."""

    passed: bool
    tests: list[FlowTest]
    faults: list[str]
    uncovered: dict[str, list[str]]


class Tool(Answer):
    """`writes`: it changes something. `idempotent`: called twice it does so once."""

    server: str
    name: str
    description: str
    input_schema: dict[str, Any]
    output_schema: dict[str, Any]
    writes: bool
    idempotent: bool


class ServerState(Answer):
    """`up_since`: seconds since 1970. `error`: why it ended the last time."""

    state: State
    restarts: int
    calls: int
    failed: int
    in_flight: int
    waiting: int
    tools: int
    up_since: float | None
    error: str | None


class Tools(Answer):
    """`servers`: by name."""

    tools: list[Tool]
    servers: dict[str, ServerState]
