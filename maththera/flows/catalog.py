"""All flows of a folder: by name, by version, and which version a student gets."""

import hashlib
from collections.abc import Collection, Iterator, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Final, Self

from maththera.flows import sources
from maththera.flows.calls import Callee
from maththera.flows.checker import load
from maththera.flows.faults import Fault, FlowError, suggestion
from maththera.flows.flow import Flow, inputs_schema
from maththera.flows.model import Input
from maththera.runtime.tools import Catalogue

_SHARES: Final = 1_000_000


class UnknownFlow(LookupError):
    """The message says what there is instead."""


def version_key(version: str) -> tuple[int, ...]:
    """1.10 is higher than 1.9."""
    return tuple(int(part) for part in version.split("."))


@dataclass(slots=True)
class Catalog:
    """Name → version → flow. `faults` are those of the files that cannot run; the others can."""

    flows: dict[str, dict[str, Flow]] = field(default_factory=dict)
    faults: list[Fault] = field(default_factory=list)

    @classmethod
    def load(
        cls,
        *folders: Path,
        catalogue: Catalogue,
        graphs: Collection[str] = (),
        prompts: Collection[str] | None = None,
    ) -> Self:
        """Every `*.yaml` directly in `folders`. Flows may call each other by name, but not in a circle."""
        paths = [path for folder in folders for path in sources.files_in(folder)]
        callable_flows = dict(_signatures(paths))
        known: dict[str, Callee] = {**dict.fromkeys(graphs, Callee()), **callable_flows}
        found = cls()
        for path in paths:
            try:
                found.add(load(path, catalogue=catalogue, graphs=known, prompts=prompts))
            except FlowError as error:
                found.faults += error.faults
        found._check_circles()
        found._check_variants()
        return found

    def add(self, flow: Flow) -> None:
        """FlowError when this version of the name is there already."""
        versions = self.flows.setdefault(flow.name, {})
        if (other := versions.get(flow.version)) is not None and other.path != flow.path:
            message = f"version {flow.version} of '{flow.name}' is already in {other.path}; raise the version"
            raise FlowError([_at(flow, ("flow", "version"), message)])
        versions[flow.version] = flow

    def names(self) -> list[str]:
        return sorted(self.flows)

    def latest(self) -> dict[str, Flow]:
        """The highest version of each."""
        return {name: self.best(name) for name in self.names()}

    def best(self, name: str, version: str | None = None, *, student_id: str | None = None) -> Flow:
        """The version asked for; else the student's share of the variants; else the highest. Raises UnknownFlow."""
        versions = self.flows.get(name)
        if not versions:
            raise UnknownFlow(f"there is no flow '{name}'{suggestion(name, self.flows)}")
        if version is not None:
            if version not in versions:
                raise UnknownFlow(f"'{name}' has no version {version}{suggestion(version, versions)}")
            return versions[version]
        highest = versions[max(versions, key=version_key)]
        chosen = _share(highest, student_id) if student_id is not None and highest.variants else highest.version
        return versions.get(chosen, highest)

    def by_hash(self, digest: str) -> Flow | None:
        """The very version that a run began with, if it is still here."""
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
                    self.faults.append(_at(flow, ("flow", "steps"), f"'{name}' calls itself, directly or over others"))

    def _check_variants(self) -> None:
        for flow in self:
            for place, variant in enumerate(flow.variants):
                if variant.version not in self.flows[flow.name]:
                    there = suggestion(variant.version, self.flows[flow.name])
                    message = f"'{flow.name}' has no version {variant.version}{there}"
                    self.faults.append(_at(flow, ("flow", "variants", place, "version"), message))


def _signatures(paths: list[Path]) -> Iterator[tuple[str, Callee]]:
    """What each flow takes, read before any of them is checked."""
    for path in paths:
        document = sources.read(path.read_text(encoding="utf-8", errors="replace"), str(path))
        flow = document.data.get("flow") if isinstance(document.data, Mapping) else None
        if isinstance(flow, Mapping) and isinstance(flow.get("name"), str):
            yield flow["name"], Callee(_takes(flow.get("inputs")))


def _takes(inputs: Any) -> Mapping[str, Any]:
    try:
        return inputs_schema([Input.model_validate(each) for each in inputs or []])
    except (ValueError, TypeError):
        return {}


def _at(flow: Flow, loc: tuple[str | int, ...], message: str) -> Fault:
    return sources.read(flow.text, flow.path).fault(loc, message)


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


def _share(flow: Flow, student_id: str) -> str:
    """The same student gets the same version, whatever else happens."""
    digest = hashlib.sha256(f"{flow.name}\n{student_id}".encode()).digest()
    place = int.from_bytes(digest[:8]) % _SHARES / _SHARES * sum(variant.weight for variant in flow.variants)
    for variant in flow.variants:
        place -= variant.weight
        if place < 0:
            return variant.version
    return flow.variants[-1].version
