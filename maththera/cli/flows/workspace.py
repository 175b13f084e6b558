"""The workspace of the commands on flows: the folder, its flows, and the tools of the servers."""

import json
import os
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import typer

from maththera.builtin_graphs import callees
from maththera.executions.flow_files import FOLDER
from maththera.flows.checker.flow_checker import load
from maththera.flows.flow import Flow
from maththera.flows.flow_catalog import FlowCatalog, UnknownFlow, file_name_faults
from maththera.flows.language import yaml_source
from maththera.flows.language.faults import FlowError
from maththera.json_types import JsonObject
from maththera.runtime.tool_interface import Catalogue
from maththera.servers.client.tool_catalogue import described
from maththera.servers.config import load_servers
from maththera.settings import PREFIX, Settings, home


def folder() -> Path:
    """The folder of flows: `flows/` in the working directory, or else in the home; relative where possible."""
    return _relative_path(_working_folder() or home() / FOLDER)


def folders() -> list[Path]:
    """That folder, the flows saved in the service, and those of the home. A file replaces one of its name in a later
    folder. The working directory does not count when MATHTHERA_HOME is set."""
    saved = Settings.from_environment().data_dir / FOLDER
    found = [_working_folder(), saved if saved.is_dir() else None, home() / FOLDER]
    return [_relative_path(path) for path in dict.fromkeys(found) if path is not None]


def _working_folder() -> Path | None:
    here = Path.cwd() / FOLDER
    return here if here.is_dir() and f"{PREFIX}HOME" not in os.environ else None


def own_files() -> set[Path]:
    return set(yaml_source.files_of(folders()))


def _relative_path(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def prompts() -> set[str]:
    return {path.stem for path in (home() / "prompts").glob("*.md")}


def files(wanted: Collection[Path] | None, default: Path) -> list[Path]:
    """The YAML files of the given files and folders. Ends the command for a path that does not exist."""
    found: list[Path] = []
    for path in wanted or [default]:
        if not path.exists():
            raise typer.BadParameter(f"{path}: no such file or folder")
        inside = _relative_path(path)
        if path.is_dir() and not yaml_source.files_in(path):
            raise typer.BadParameter(f"{path}: holds no .yaml file")
        found += yaml_source.files_in(inside) if path.is_dir() else [inside]
    return found


def write(path: Path | None, content: str | bytes) -> None:
    """Writes to a file, or to standard output without a path. Ends the command when the file cannot be written."""
    if path is None:
        typer.echo(content, nl=False)
        return
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror}") from None


def reachable(name: str) -> set[Path]:
    """The files that may hold a flow, given by name or file, or a flow that it calls."""
    return own_files() | ({Path(name)} if Path(name).is_file() else set())


async def catalogue(paths: Iterable[Path] | None = None) -> Catalogue:
    """The tools of the servers that these files name, or of all servers; servers that fail are named on standard error.

    A server that has not changed since its tools were last read is not started.
    """
    settings = Settings.from_environment()
    servers = load_servers(settings.home / "configs" / "servers" / "servers.yaml", settings.for_servers())
    names = servers.servers.keys() if paths is None else named_servers(paths) & servers.servers.keys()
    found, failures = await described(servers, names, settings.data_dir / "tools.json")
    for name, reason in failures.items():
        typer.echo(f"{name}: {reason}", err=True)
    return found


def named_servers(paths: Iterable[Path]) -> set[str]:
    """Every `server:` in the files, whatever else is wrong with them."""
    return {name for path in paths for name in _servers(yaml_source.read(_text(path), str(path)).data)}


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _servers(data: Any) -> set[str]:
    if isinstance(data, dict):
        own = {data["server"]} if isinstance(data.get("server"), str) else set()
        return own.union(*map(_servers, data.values()))
    return set().union(*map(_servers, data)) if isinstance(data, list) else set()


def catalog(tools: Catalogue) -> FlowCatalog:
    """All flows of the folder, checked."""
    return FlowCatalog.load(*folders(), catalogue=tools, graphs=callees(), prompts=prompts())


def read(path: Path, tools: Catalogue, known: FlowCatalog) -> Flow:
    """One file by itself, which may call the flows of the folder; raises FlowError."""
    flow = load(path, catalogue=tools, graphs=known.callees(callees()), prompts=prompts())
    flow.warnings += file_name_faults(flow)
    return flow


def find(name: str, version: str | None, tools: Catalogue) -> tuple[Flow, FlowCatalog]:
    """A flow by name or by file. Prints the faults and ends the command with 1 when it cannot run."""
    flows = catalog(tools)
    try:
        if name.endswith((".yaml", ".yml")) or Path(name).is_file():
            return read(Path(name), tools, flows), flows
        return flows.best(name, version), flows
    except FlowError as error:
        typer.echo(str(error))
    except UnknownFlow as error:
        typer.echo("\n".join([str(error), *map(str, flows.faults)]), err=True)
    except OSError as error:
        raise typer.BadParameter(f"{name}: {error.strerror}") from None
    raise typer.Exit(1)


def input_values(pairs: Iterable[str]) -> JsonObject:
    """Inputs from `name=value`; a value that is not JSON is a text."""
    found: JsonObject = {}
    for pair in pairs:
        name, mark, text = pair.partition("=")
        if not mark:
            raise typer.BadParameter(f"{pair}: inputs are written name=value")
        found[name] = json_or_text(text)
    return found


def json_or_text(text: str) -> Any:
    """What a text says as JSON; the text itself where it is none."""
    try:
        return json.loads(text)
    except ValueError:
        return text


def typed_inputs(flow: Flow, found: JsonObject) -> JsonObject:
    """The inputs with texts where the flow declares texts: a student called 12 is a text."""
    texts = {each.name for each in flow.inputs if each.type == "string"}
    return {
        name: json.dumps(value) if name in texts and not isinstance(value, str) else value
        for name, value in found.items()
    }
