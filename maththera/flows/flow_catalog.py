"""All flows of a folder: by name, by version, and which version a student gets."""

import hashlib
import unicodedata
from collections.abc import Collection, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from maththera.flows.checker.call_checks import Callee
from maththera.flows.checker.flow_checker import load
from maththera.flows.flow import Flow, inputs_schema
from maththera.flows.language import messages, yaml_source
from maththera.flows.language.faults import Fault, FlowError, suggestion
from maththera.flows.language.flow_schema import Input
from maththera.flows.language.messages import Message
from maththera.runtime.tool_interface import Catalogue

_SHARES: Final = 1_000_000


class UnknownFlow(LookupError):
    """The name is unknown; the message lists the known ones."""

    def __init__(self, message: Message) -> None:
        super().__init__(message.english)
        self.message = message


def version_key(version: str) -> tuple[int, ...]:
    """A sort key of versions: 1.10 is higher than 1.9."""
    return tuple(int(part) for part in version.split("."))


@dataclass(slots=True)
class FlowCatalog:
    """Name → version → flow. `faults`: those of the files that cannot run."""

    flows: dict[str, dict[str, Flow]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    @classmethod
    def load(
        cls,
        *folders: Path,
        catalogue: Catalogue,
        graphs: Mapping[str, Callee] | None = None,
        prompts: Collection[str] | None = None,
    ) -> Self:
        """Every `*.yaml` directly in `folders`; a file takes the place of one of its name in a later folder. Flows may
        call each other by name, but not in a circle."""
        return cls.of(yaml_source.files_of(folders), catalogue=catalogue, graphs=graphs, prompts=prompts)

    @classmethod
    def of(
        cls,
        paths: Sequence[Path],
        *,
        catalogue: Catalogue,
        graphs: Mapping[str, Callee] | None = None,
        prompts: Collection[str] | None = None,
    ) -> Self:
        """The flows of these files."""
        known = {**(graphs or {}), **dict(_signatures(paths))}
        found = cls()
        for path in paths:
            try:
                flow = load(path, catalogue=catalogue, graphs=known, prompts=prompts)
                found.add(flow)
                flow.warnings += file_name_faults(flow)
            except FlowError as error:
                found.faults += error.faults
        found._check_circles()
        found._check_variants()
        return found

    def add(self, flow: Flow) -> None:
        """Adds a flow; FlowError when this version of the name exists already."""
        versions = self.flows.setdefault(flow.name, {})
        if (other := versions.get(flow.version)) is not None and other.path != flow.path:
            message = messages.VERSION_TAKEN(version=flow.version, name=flow.name, path=other.path)
            raise FlowError([_fault_at(flow, ("flow", "version"), message)])
        versions[flow.version] = flow

    def callees(self, graphs: Mapping[str, Callee]) -> dict[str, Callee]:
        """The graphs and flows that the steps of another flow may call."""
        flows = {flow.name: Callee(flow.input_schema(), flow.output_schema()) for flow in self.latest().values()}
        return {**graphs, **flows}

    def names(self) -> list[str]:
        return sorted(self.flows)

    def latest(self) -> dict[str, Flow]:
        """The highest version of each flow."""
        return {name: self.best(name) for name in self.names()}

    def best(self, name: str, version: str | None = None, *, student_id: str | None = None) -> Flow:
        """The version asked for; else the student's share of the variants; else the highest. Raises UnknownFlow."""
        versions = self.flows.get(name)
        if not versions:
            raise UnknownFlow(messages.NO_SUCH_FLOW(name=name, near=suggestion(name, self.flows)))
        if version is not None:
            if version not in versions:
                near = suggestion(version, versions)
                raise UnknownFlow(messages.NO_SUCH_VERSION(name=name, version=version, near=near))
            return versions[version]
        highest = versions[max(versions, key=version_key)]
        chosen = (
            _assigned_version(highest, student_id) if student_id is not None and highest.variants else highest.version
        )
        return versions.get(chosen, highest)

    def variant(self, flow: Flow, student_id: str | None) -> str | None:
        """The version of a flow where a student's share of the variants chose it; None where nothing is compared."""
        if student_id is None or flow.name not in self.flows or not self.best(flow.name).variants:
            return None
        return flow.version if self.best(flow.name, student_id=student_id).version == flow.version else None

    def by_hash(self, digest: str) -> Flow | None:
        """The exact version that a run began with, if it still exists."""
        return next((flow for flow in self if flow.hash == digest), None)

    def __iter__(self) -> Iterator[Flow]:
        return (flow for versions in self.flows.values() for flow in versions.values())

    def __len__(self) -> int:
        return sum(map(len, self.flows.values()))

    def _check_circles(self) -> None:
        calls = {
            name: {called for flow in versions.values() for called in flow.graphs}
            for name, versions in self.flows.items()
        }
        for name in list(self.flows):
            if _reaches(name, name, calls):
                for flow in self.flows.pop(name).values():
                    self.faults.append(_fault_at(flow, ("flow", "steps"), messages.CALLS_ITSELF(name=name)))

    def _check_variants(self) -> None:
        for flow in self:
            for place, variant in enumerate(flow.variants):
                if variant.version not in self.flows[flow.name]:
                    there = suggestion(variant.version, self.flows[flow.name])
                    message = messages.NO_SUCH_VERSION(name=flow.name, version=variant.version, near=there)
                    self.faults.append(_fault_at(flow, ("flow", "variants", place, "version"), message))


def file_name_faults(flow: Flow) -> list[Fault]:
    """A fault where the file has neither the name of the flow nor the name and version; a space may be _."""
    stem, name = (unicodedata.normalize("NFC", each) for each in (Path(flow.path).stem, flow.name))
    if stem.replace(" ", "_") in (plain := name.replace(" ", "_"), f"{plain}_{flow.version}"):
        return []
    return [_fault_at(flow, ("flow", "name"), messages.FILE_NAME(stem=stem, name=name, version=flow.version))]


def _signatures(paths: Sequence[Path]) -> Iterator[tuple[str, Callee]]:
    """The inputs schema of each flow, read before any of them is checked."""
    for path in paths:
        document = yaml_source.read(path.read_text(encoding="utf-8", errors="replace"), str(path))
        flow = document.data.get("flow") if isinstance(document.data, Mapping) else None
        if isinstance(flow, Mapping) and isinstance(flow.get("name"), str):
            yield flow["name"], Callee(_inputs_schema_of(flow.get("inputs")))


def _inputs_schema_of(inputs: Any) -> Mapping[str, Any]:
    try:
        return inputs_schema([Input.model_validate(each) for each in inputs or []])
    except (ValueError, TypeError):
        return {}


def _fault_at(flow: Flow, loc: tuple[str | int, ...], message: Message) -> Fault:
    return yaml_source.read(flow.text, flow.path).fault(loc, message)


def _reaches(start: str, goal: str, calls: Mapping[str, Collection[str]]) -> bool:
    seen: set[str] = set()
    ahead = list(calls.get(start, ()))
    while ahead:
        name = ahead.pop()
        if name == goal:
            return True
        if name not in seen:
            seen.add(name)
            ahead += calls.get(name, ())
    return False


def _assigned_version(flow: Flow, student_id: str) -> str:
    """The version by a student's share: the same student always gets the same one."""
    digest = hashlib.sha256(f"{flow.name}\n{student_id}".encode()).digest()
    place = int.from_bytes(digest[:8]) % _SHARES / _SHARES * sum(variant.weight for variant in flow.variants)
    for variant in flow.variants:
        place -= variant.weight
        if place < 0:
            return variant.version
    return flow.variants[-1].version
