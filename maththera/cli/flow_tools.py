"""What the commands on flows work with: the folder, the flows in it, what the servers say of their tools."""

import json
import os
from collections.abc import Collection, Iterable
from pathlib import Path
from typing import Any

import typer

from maththera.executions.flow_files import FOLDER
from maththera.flows import sources
from maththera.flows.catalog import Catalog, UnknownFlow
from maththera.flows.checker import load
from maththera.flows.faults import FlowError
from maththera.flows.flow import Flow
from maththera.graphs import GRAPHS
from maththera.runtime.tools import Catalogue
from maththera.servers.config import load_servers
from maththera.servers.described import described
from maththera.settings import PREFIX, Settings, home


def folder() -> Path:
    """Of the flows that are worked on: `flows/` where people stand, or the home's, named from there."""
    return folders()[0]


def folders() -> list[Path]:
    """That one and the home's, whose flows are there as well; with MATHTHERA_HOME, only the latter."""
    here, homely = Path.cwd() / FOLDER, home() / FOLDER
    own = [here] if here.is_dir() and f"{PREFIX}HOME" not in os.environ else []
    return [_from_here(path) for path in dict.fromkeys([*own, homely])]


def own_files() -> set[Path]:
    return {path for each in folders() for path in sources.files_in(each)}


def _from_here(path: Path) -> Path:
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def prompts() -> set[str]:
    return {path.stem for path in (home() / "prompts").glob("*.md")}


def files(wanted: Collection[Path] | None, default: Path) -> list[Path]:
    """The YAML files asked for; folders stand for all of theirs. Ends the command for one that is not there."""
    found: list[Path] = []
    for path in wanted or [default]:
        if not path.exists():
            raise typer.BadParameter(f"{path}: no such file or folder")
        inside = _from_here(path)
        if path.is_dir() and not sources.files_in(path):
            raise typer.BadParameter(f"{path}: holds no .yaml file")
        found += sources.files_in(inside) if path.is_dir() else [inside]
    return found


def write(path: Path | None, content: str | bytes) -> None:
    """To standard output without a path. Ends the command when the file cannot be written."""
    if path is None:
        typer.echo(content, nl=False)
        return
    try:
        path.write_bytes(content.encode() if isinstance(content, str) else content)
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror}") from None


def reachable(name: str) -> set[Path]:
    """The files that a flow, given by name or file, may be in or call."""
    return own_files() | ({Path(name)} if Path(name).is_file() else set())


async def catalogue(paths: Iterable[Path] | None = None) -> Catalogue:
    """The tools of the servers that these files name, or of all; those that are not there are told on standard error.

    None is started for it that has not changed since it was last asked."""
    settings = Settings.from_environment()
    servers = load_servers(settings.home / "configs" / "servers.yaml", settings.for_servers())
    names = servers.servers.keys() if paths is None else named_servers(paths) & servers.servers.keys()
    found, failures = await described(servers, names, settings.data_dir / "tools.json")
    for name, reason in failures.items():
        typer.echo(f"{name}: {reason}", err=True)
    return found


def named_servers(paths: Iterable[Path]) -> set[str]:
    """Every `server:` of the files, whatever else is wrong with them."""
    return {name for path in paths for name in _servers(sources.read(_text(path), str(path)).data)}


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _servers(data: Any) -> set[str]:
    if isinstance(data, dict):
        own = {data["server"]} if isinstance(data.get("server"), str) else set()
        return own.union(*map(_servers, data.values()))
    return set().union(*map(_servers, data)) if isinstance(data, list) else set()


def catalog(tools: Catalogue) -> Catalog:
    """All flows of the folder, checked."""
    return Catalog.load(*folders(), catalogue=tools, graphs=GRAPHS, prompts=prompts())


def read(path: Path, tools: Catalogue, callable_names: Collection[str]) -> Flow:
    """One file by itself; raises FlowError."""
    return load(path, catalogue=tools, graphs=callable_names, prompts=prompts())


def find(name: str, version: str | None, tools: Catalogue) -> tuple[Flow, Catalog]:
    """By name or by file. Prints what is wrong and ends the command with 1 when it cannot run."""
    flows = catalog(tools)
    try:
        if name.endswith((".yaml", ".yml")) or Path(name).is_file():
            return read(Path(name), tools, {*GRAPHS, *flows.names()}), flows
        return flows.best(name, version), flows
    except FlowError as error:
        typer.echo(str(error))
    except UnknownFlow as error:
        typer.echo("\n".join([str(error), *map(str, flows.faults)]), err=True)
    except OSError as error:
        raise typer.BadParameter(f"{name}: {error.strerror}") from None
    raise typer.Exit(1)


def values(pairs: Iterable[str]) -> dict[str, Any]:
    """`name=value`; a value that is no JSON is a text."""
    found: dict[str, Any] = {}
    for pair in pairs:
        name, mark, text = pair.partition("=")
        if not mark:
            raise typer.BadParameter(f"{pair}: inputs are written name=value")
        try:
            found[name] = json.loads(text)
        except ValueError:
            found[name] = text
    return found


def typed(flow: Flow, found: dict[str, Any]) -> dict[str, Any]:
    """A student called 12 is a text: what the flow wants as a text is taken as it was written."""
    texts = {each.name for each in flow.inputs if each.type == "string"}
    return {
        name: json.dumps(value) if name in texts and not isinstance(value, str) else value
        for name, value in found.items()
    }
