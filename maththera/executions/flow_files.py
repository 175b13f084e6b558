"""The authors' flows in their folder: which there are, whether they can run, and saving without overwriting others'."""

import asyncio
import fcntl
import hashlib
import os
import re
import unicodedata
from collections.abc import Callable, Iterable, Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final

from maththera.executions.known_tools import KnownTools
from maththera.flows import checker, sources
from maththera.flows.calls import Callee
from maththera.flows.catalog import Catalog
from maththera.flows.faults import Fault, FlowError
from maththera.flows.flow import Flow, FlowStep
from maththera.flows.model import GraphStep
from maththera.flows.sandbox import Sandbox
from maththera.flows.testing import run_tests
from maththera.runtime.tools import Catalogue

FOLDER: Final = "flows"
_NAME: Final = re.compile(r"\w[\w. -]{0,118}")

_SCHEDULE: Final = re.compile(r"^\s+schedule:", re.MULTILINE)

Graphs = Mapping[str, Callable[[], Any]]


class NoSuchFile(LookupError):
    """There is no flow file of this name."""


class FileChanged(Exception):
    """Another author saved meanwhile; `current` is what they saved, None if they removed it."""

    def __init__(self, current: "FlowFile | None") -> None:
        super().__init__("the file has changed")
        self.current = current


@dataclass(frozen=True, slots=True)
class FlowFile:
    """`name` is the file's, without `.yaml`. `hash` is of the text."""

    name: str
    text: str

    @property
    def hash(self) -> str:
        return hashlib.sha256(self.text.encode()).hexdigest()


class FlowFiles:
    def __init__(self, home: Path, tools: KnownTools, graphs: Graphs) -> None:
        self.folder = home / FOLDER
        self.graphs = graphs
        self._prompts = {path.stem for path in (home / "prompts").glob("*.md")}
        self._tools = tools
        self._catalog: Catalog | None = None
        self._seen: object = None
        self._loading = asyncio.Lock()

    async def catalog(self) -> Catalog:
        """All flows that can run, checked against the servers as they are now; read again when something changed."""
        async with self._loading:
            await self._tools.know()
            seen = await asyncio.to_thread(self._state)
            if self._catalog is None or seen != self._seen:
                self._catalog = await asyncio.to_thread(self._load)
                self._seen = seen
            return self._catalog

    async def check(self, text: str, name: str = "<text>") -> Flow:
        """The flow of a text; FlowError with everything that is wrong with it."""
        known = await self.catalog()
        callees: dict[str, Callee] = dict.fromkeys(self.graphs, Callee())
        callees |= {flow.name: Callee(flow.input_schema(), flow.output_schema()) for flow in known}
        return await asyncio.to_thread(
            checker.load,
            text,
            catalogue=self._tools.catalogue(),
            graphs=callees,
            prompts=self._prompts,
            path=f"{FOLDER}/{name}.yaml",
        )

    def tools(self) -> Catalogue:
        """As of the last time that the flows were read."""
        return self._tools.catalogue()

    def health(self) -> dict[str, dict[str, Any]]:
        """Server → its state and counts."""
        return self._tools.health()

    async def tested(self, flow: Flow) -> dict[str, Any]:
        """The outcome of the tests that are written for a flow."""
        paths = [path for path in sources.files_in(self.folder / "tests") if _tests(path, flow.name)]
        async with Sandbox() as sandbox:
            report = await run_tests(paths, await self.catalog(), self._tools.catalogue(), sandbox, self.graphs)
        verdicts = [
            {"file": each.file, "line": each.line, "name": each.name, "failures": each.failures}
            for each in report.verdicts
        ]
        return {
            "passed": report.passed and bool(verdicts),
            "tests": verdicts,
            "faults": list(map(str, report.faults)),
            "uncovered": {version: report.uncovered(version) for version in report.steps},
        }

    async def runs_by_itself(self, flow: Flow) -> bool:
        """Whether it has a schedule, or is called, directly or not, by a flow that has one."""
        latest = (await self.catalog()).latest()
        found, looking = {flow.name} if flow.schedule else set(), [each for each in latest.values() if each.schedule]
        while looking:
            called = {name for name in _called(looking.pop().steps) if name not in found}
            found |= called
            looking += [latest[name] for name in called if name in latest]
        return flow.name in found

    def scheduled(self) -> bool:
        """Whether any flow may have a schedule; told without starting a server."""
        return any(_SCHEDULE.search(path.read_text(errors="replace")) for path in sources.files_in(self.folder))

    def names(self) -> list[str]:
        return sorted(_plain(path.stem) for path in sources.files_in(self.folder))

    def read(self, name: str) -> FlowFile:
        path = self._path(name)
        try:
            return FlowFile(_plain(path.stem), path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError):
            raise NoSuchFile(name) from None

    async def save(self, name: str, text: str, before: str | None) -> Flow:
        """Saves what can run. `before`: the hash of the text that was edited, None for a new file. FlowError for what
        cannot run; FileChanged when the file is not what the author had edited; NoSuchFile for an impossible name."""
        path = self._path(name, new=True)
        flow = await self.check(text, name)
        self._only_one(flow, path, await self.catalog())
        await asyncio.to_thread(self._write, path, name, text, before)
        return flow

    def _state(self) -> object:
        files = [(path.name, path.stat().st_mtime_ns) for path in sources.files_in(self.folder)]
        tools = {server: hash(repr(sorted(specs.items()))) for server, specs in self._tools.catalogue().items()}
        return files, tools

    def _load(self) -> Catalog:
        return Catalog.load(self.folder, catalogue=self._tools.catalogue(), graphs=self.graphs, prompts=self._prompts)

    def _only_one(self, flow: Flow, path: Path, known: Catalog) -> None:
        for other in known:
            taken = (other.name, other.version) == (flow.name, flow.version)
            if taken and _plain(Path(other.path).name) != _plain(path.name):
                message = f"version {flow.version} of '{flow.name}' is already in {Path(other.path).name}"
                raise FlowError([Fault(flow.path, 1, 1, "flow.version", f"{message}; raise the version")])

    def _write(self, path: Path, name: str, text: str, before: str | None) -> None:
        self.folder.mkdir(parents=True, exist_ok=True)
        with (self.folder / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            current = self.read(name) if path.is_file() else None
            if (current.hash if current else None) != before:
                raise FileChanged(current)
            fresh = path.with_name(f".{path.name}.{os.getpid()}")
            fresh.write_text(text, encoding="utf-8")
            fresh.replace(path)

    def _path(self, name: str, *, new: bool = False) -> Path:
        """A name comes from a client: it is a file directly in the folder, or nothing."""
        if not _NAME.fullmatch(name) or ".." in name:
            raise NoSuchFile(name)
        # A file system may have kept a Korean name in parts.
        found = next((path for path in sources.files_in(self.folder) if _plain(path.stem) == _plain(name)), None)
        if found is None and not new:
            raise NoSuchFile(name)
        return found or self.folder / f"{_plain(name)}.yaml"


def _plain(name: str) -> str:
    return unicodedata.normalize("NFC", name)


def _called(steps: Iterable[FlowStep]) -> Iterator[str]:
    """The graphs and flows that these steps run."""
    for step in steps:
        if isinstance(step.fields, GraphStep):
            yield step.fields.graph
        yield from _called(step.steps)


def _tests(path: Path, flow: str) -> bool:
    """Whether a test file is for this flow."""
    data = sources.read(path.read_text(encoding="utf-8", errors="replace"), str(path)).data
    named = data.get("flow") if isinstance(data, dict) else None
    return (named.get("name") if isinstance(named, dict) else named) == flow
