"""The files of flows: list, check, save without overwriting another author's changes, delete. Every saved text
of a flow stays in its history, a file of JSON lines beside the flows in the data directory.
"""

import asyncio
import fcntl
import hashlib
import json
import os
import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import asdict, dataclass
from datetime import UTC, datetime
from pathlib import Path
from typing import Any, Final

from maththera.builtin_graphs import callees
from maththera.executions.tool_access import LazyTools
from maththera.flows.checker import flow_checker
from maththera.flows.flow import Flow, FlowStep
from maththera.flows.flow_catalog import FlowCatalog, file_name_faults
from maththera.flows.flow_tests.suites import run_tests
from maththera.flows.language import messages, yaml_source
from maththera.flows.language.faults import Fault, FlowError
from maththera.flows.language.flow_schema import GraphStep
from maththera.flows.language.yaml_source import normalized_name
from maththera.flows.runs.python_sandbox import Sandbox
from maththera.json_types import JsonObject
from maththera.runtime.tool_interface import Catalogue
from maththera.servers.client.connection_status import ConnectionStatus
from maththera.store.access.authorization import Principal

HISTORY_FOLDER: Final = ".history"


@dataclass(frozen=True, slots=True)
class SavedVersion:
    """One saved text. `saved_at`: in ISO 8601; `saved_by`: the token, None for a shipped flow. A deletion has no
    `text`, `hash` and `version`."""

    hash: str | None
    version: str | None
    text: str | None
    saved_at: str | None = None
    saved_by: str | None = None


class FlowHistory:
    """The history of the flow files in `folder`. Writers hold the folder's lock."""

    def __init__(self, folder: Path) -> None:
        self._folder = folder / HISTORY_FOLDER

    def add(self, name: str, saved_by: str, digest: str | None, version: str | None, text: str | None) -> None:
        """Adds a text, or with None a deletion."""
        self._folder.mkdir(parents=True, exist_ok=True)
        entry = SavedVersion(digest, version, text, datetime.now(UTC).isoformat(), saved_by)
        with self._path(name).open("a", encoding="utf-8") as file:
            file.write(json.dumps(asdict(entry), ensure_ascii=False) + "\n")

    def versions(self, name: str) -> list[SavedVersion]:
        """All versions, the oldest first."""
        return list(self._read(name))

    def authors(self, name: str) -> set[str | None]:
        """The tokens that have saved the file since it was created."""
        found: set[str | None] = set()
        for entry in self._read(name):
            found = found | {entry.saved_by} if entry.text is not None else set()
        return found

    def _read(self, name: str) -> Iterator[SavedVersion]:
        """Skips a last line that a crash cut off: its text was not saved either."""
        try:
            lines = self._path(name).read_text(encoding="utf-8", errors="replace").splitlines()
        except OSError:
            return
        for line in lines:
            try:
                yield SavedVersion(**json.loads(line))
            except (ValueError, TypeError):
                continue

    def _path(self, name: str) -> Path:
        return self._folder / f"{name}.jsonl"


FOLDER: Final = "flows"
_NAME: Final = re.compile(r"\w[\w. -]{0,118}")
_LONGEST_NAME: Final = 200  # bytes; file systems take 255, with the ending

_SCHEDULE: Final = re.compile(r"^\s+schedule:", re.MULTILINE)

Graphs = Mapping[str, Callable[[], Any]]


class NoSuchFile(LookupError):
    """There is no flow file of this name."""


class NotFlowOwner(Exception):
    """The author may not delete this flow: it is shipped, or another author has saved it too."""


class FileChanged(Exception):
    """Another author has changed the file; `current` is their version, None if they deleted it."""

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
    """The shipped flows, in the home, and the saved ones, in the data directory. A saved file replaces a shipped one of
    the same name."""

    def __init__(self, home: Path, data_dir: Path, tools: LazyTools, graphs: Graphs) -> None:
        self.folder, self._saved = home / FOLDER, data_dir / FOLDER
        self._history = FlowHistory(self._saved)
        self.graphs = graphs
        self._prompts = {path.stem for path in (home / "prompts").glob("*.md")}
        self._tools = tools
        self._catalog: FlowCatalog | None = None
        self._seen: object = None
        self._loading = asyncio.Lock()

    async def catalog(self) -> FlowCatalog:
        """All flows that can run, checked against the present tools; read again after a change."""
        async with self._loading:
            await self._tools.refresh()
            seen = await asyncio.to_thread(self._state)
            if self._catalog is None or seen != self._seen:
                self._catalog = await asyncio.to_thread(self._load)
                self._seen = seen
            return self._catalog

    async def check(self, text: str, name: str = "<text>") -> Flow:
        """The flow of a text; FlowError with all its faults."""
        known = await self.catalog()
        return await asyncio.to_thread(
            flow_checker.load,
            text,
            catalogue=self._tools.catalogue(),
            graphs=known.callees(callees()),
            prompts=self._prompts,
            path=f"{FOLDER}/{name}.yaml",
        )

    def tools(self) -> Catalogue:
        """The tools when the flows were last read."""
        return self._tools.catalogue()

    def health(self) -> dict[str, ConnectionStatus]:
        return self._tools.health()

    async def run_flow_tests(self, flow: Flow) -> JsonObject:
        """Runs the tests of a flow."""
        return await self._tested(self._test_files(flow.name), await self.catalog())

    async def run_draft_tests(self, flow: Flow, tests: str | None) -> JsonObject:
        """Runs tests of a flow that is not saved, in the place of all saved versions. `tests`: their text; None for
        those that are saved."""
        catalog = await self.catalog()
        drafted = FlowCatalog({**catalog.flows, flow.name: {flow.version: flow}})
        files = self._test_files(flow.name)
        return await self._tested(files if tests is None else [yaml_source.read(tests, "<tests>")], drafted)

    def _test_files(self, name: str) -> list[Path]:
        folders = [folder / "tests" for folder in (self._saved, self.folder)]
        return [path for path in yaml_source.files_of(folders) if _tests(path, name)]

    async def _tested(self, sources: Sequence[Path | yaml_source.Source], catalog: FlowCatalog) -> JsonObject:
        async with Sandbox() as sandbox:
            report = await run_tests(sources, catalog, self._tools.catalogue(), sandbox, self.graphs)
        verdicts = [
            {"file": each.file, "line": each.line, "name": each.name, "failures": each.failures}
            for each in report.verdicts
        ]
        return {
            "passed": report.passed and bool(verdicts),
            "tests": verdicts,
            "faults": [{**asdict(fault), "text": str(fault)} for fault in report.faults],
            "uncovered": {version: report.uncovered(version) for version in report.steps},
        }

    async def runs_by_itself(self, flow: Flow) -> bool:
        """Whether the flow has a schedule, or a flow with a schedule calls it, directly or not."""
        latest = (await self.catalog()).latest()
        found, looking = {flow.name} if flow.schedule else set(), [each for each in latest.values() if each.schedule]
        while looking:
            called = {name for name in _called(looking.pop().steps) if name not in found}
            found |= called
            looking += [latest[name] for name in called if name in latest]
        return flow.name in found

    def scheduled(self) -> bool:
        """Whether any flow may have a schedule. Starts no server."""
        return any(_SCHEDULE.search(path.read_text(errors="replace")) for path in self._paths())

    def read(self, name: str) -> FlowFile:
        path = self._path(name)
        try:
            return FlowFile(normalized_name(path.stem), path.read_text(encoding="utf-8"))
        except (OSError, UnicodeDecodeError):
            raise NoSuchFile(name) from None

    async def save(self, who: Principal, name: str, text: str, before: str | None) -> Flow:
        """Saves a flow without faults. `before`: the hash of the text that was edited, None for a new file. FlowError
        for faults and for a name unlike its file's; FileChanged if the file is no longer the text that was edited;
        NoSuchFile for an impossible name."""
        name = self._valid_name(name)
        flow = await self.check(text, name)
        self._check_version_free(flow, name, await self.catalog())
        if faults := file_name_faults(flow):
            raise FlowError(faults)
        await asyncio.to_thread(self._write, who, name, flow, before)
        return flow

    async def delete(self, who: Principal, name: str) -> None:
        """Deletes a saved file; a shipped flow of this name runs again. Raises NoSuchFile, NotFlowOwner, and FlowError
        if other flows need it."""
        name = normalized_name(name)
        path = self._path(name)
        if path.parent != self._saved:
            raise NotFlowOwner("the flow came along with Maththera")
        if who.role != "admin" and await asyncio.to_thread(self._history.authors, name) != {who.token_id}:
            raise NotFlowOwner("others have saved this flow, too")
        if faults := await asyncio.to_thread(self._faults_without, path, await self.catalog()):
            raise FlowError(faults)
        await asyncio.to_thread(self._remove, who, name, path)

    async def versions(self, name: str) -> list[SavedVersion]:
        """All saved versions, the newest first, also of a deleted file; the shipped text is the oldest. Raises
        NoSuchFile."""
        name = self._valid_name(name)
        found = await asyncio.to_thread(self._history.versions, name)
        if (packaged := self._find_file(self.folder, name)) is not None:
            file = FlowFile(name, packaged.read_text(encoding="utf-8", errors="replace"))
            found = [SavedVersion(file.hash, _version(file.text), file.text), *found]
        if not found:
            raise NoSuchFile(name)
        return found[::-1]

    def _state(self) -> object:
        files = [(str(path), path.stat().st_mtime_ns) for path in self._paths()]
        tools = {server: hash(repr(sorted(specs.items()))) for server, specs in self._tools.catalogue().items()}
        return files, tools

    def _paths(self) -> list[Path]:
        return yaml_source.files_of([self._saved, self.folder])

    def _load(self, paths: Sequence[Path] | None = None) -> FlowCatalog:
        paths, known = self._paths() if paths is None else paths, self._tools.catalogue()
        return FlowCatalog.of(paths, catalogue=known, graphs=callees(), prompts=self._prompts)

    def _check_version_free(self, flow: Flow, name: str, known: FlowCatalog) -> None:
        for other in known:
            taken = (other.name, other.version) == (flow.name, flow.version)
            if taken and normalized_name(Path(other.path).stem) != name:
                where = Path(other.path).name
                message = messages.VERSION_TAKEN(version=flow.version, name=flow.name, path=where)
                raise FlowError([Fault(flow.path, 1, 1, "flow.version", message)])

    def _faults_without(self, path: Path, known: FlowCatalog) -> list[Fault]:
        """The faults that the other flows would have without this file."""
        others = [other for other in self._paths() if other != path]
        packaged = self._find_file(self.folder, normalized_name(path.stem))
        rest = self._load([*others, packaged] if packaged else others)
        return [fault for fault in rest.faults if fault not in known.faults]

    @contextmanager
    def _locked(self) -> Iterator[None]:
        self._saved.mkdir(parents=True, exist_ok=True)
        with (self._saved / ".lock").open("w") as lock:
            fcntl.flock(lock, fcntl.LOCK_EX)
            yield

    def _write(self, who: Principal, name: str, flow: Flow, before: str | None) -> None:
        with self._locked():
            current = (
                self.read(name) if self._find_file(self._saved, name) or self._find_file(self.folder, name) else None
            )
            if (current.hash if current else None) != before:
                raise FileChanged(current)
            path = self._find_file(self._saved, name) or self._saved / f"{name}.yaml"
            fresh = path.with_name(f".{path.name}.{os.getpid()}")
            fresh.write_text(flow.text, encoding="utf-8")
            self._history.add(name, who.token_id, FlowFile(name, flow.text).hash, flow.version, flow.text)
            fresh.replace(path)

    def _remove(self, who: Principal, name: str, path: Path) -> None:
        with self._locked():
            path.unlink(missing_ok=True)
            self._history.add(name, who.token_id, None, None, None)

    def _valid_name(self, name: str) -> str:
        """The normalised name from a client, if a file directly in the folder can have it. Raises NoSuchFile."""
        if not _NAME.fullmatch(name) or ".." in name or len(name.encode()) > _LONGEST_NAME:
            raise NoSuchFile(name)
        return normalized_name(name)

    def _path(self, name: str) -> Path:
        found = self._find_file(self._saved, self._valid_name(name)) or self._find_file(
            self.folder, normalized_name(name)
        )
        if found is None:
            raise NoSuchFile(name)
        return found

    @staticmethod
    def _find_file(folder: Path, name: str) -> Path | None:
        return next((path for path in yaml_source.files_in(folder) if normalized_name(path.stem) == name), None)


def _version(text: str) -> str | None:
    """The version in a text that may have faults."""
    flow = yaml_source.read(text, "").data
    found = flow.get("flow") if isinstance(flow, dict) else None
    return str(found.get("version", "1.0")) if isinstance(found, dict) else None


def _called(steps: Iterable[FlowStep]) -> Iterator[str]:
    """The graphs and flows that these steps run."""
    for step in steps:
        if isinstance(step.fields, GraphStep):
            yield step.fields.graph
        yield from _called(step.steps)


def _tests(path: Path, flow: str) -> bool:
    """Whether this file tests this flow."""
    data = yaml_source.read(path.read_text(encoding="utf-8", errors="replace"), str(path)).data
    named = data.get("flow") if isinstance(data, dict) else None
    return (named.get("name") if isinstance(named, dict) else named) == flow
