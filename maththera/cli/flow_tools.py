"""What the commands on flows work with: the folder, the servers, the sandbox."""

import json
import os
from collections.abc import AsyncIterator, Collection, Iterable
from contextlib import asynccontextmanager
from pathlib import Path
from typing import Any

import typer

from maththera.cli.failures import EXIT_CODE
from maththera.documents import ConfigError
from maththera.flows import documents
from maththera.flows.asking import through
from maththera.flows.catalog import Catalog, UnknownFlow
from maththera.flows.checker import load
from maththera.flows.faults import FlowError
from maththera.flows.flow import Flow
from maththera.flows.python_steps import Sandbox
from maththera.flows.services import Services
from maththera.graphs import GRAPHS
from maththera.llm.models import Models
from maththera.servers.config import load_servers
from maththera.servers.manager import Manager
from maththera.settings import PREFIX, Settings, home


def folder() -> Path:
    """As people name it: from where they stand."""
    path = home() / "flows"
    return path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path


def prompts() -> set[str]:
    return {path.stem for path in (home() / "prompts").glob("*.md")}


def files(wanted: Collection[Path] | None, default: Path) -> list[Path]:
    """The YAML files asked for; folders stand for all of theirs. Ends the command for one that is not there."""
    found: list[Path] = []
    for path in wanted or [default]:
        if not path.exists():
            raise typer.BadParameter(f"{path}: no such file or folder")
        inside = path.relative_to(Path.cwd()) if path.is_relative_to(Path.cwd()) else path
        found += sorted(inside.glob("*.yaml")) if path.is_dir() else [inside]
    return found


def reachable(name: str) -> set[Path]:
    """The files that a flow, given by name or file, may be in or call."""
    return {*folder().glob("*.yaml"), *([Path(name)] if Path(name).is_file() else [])}


def models() -> Models:
    """The configured ones; none are asked where none is."""
    settings = Settings.from_environment()
    key = settings.llm_api_key.get_secret_value() if settings.llm_api_key else None
    return Models.from_settings(settings.llm_base_url, key, settings.llm_model, settings.llm_small_model, home=home())


@asynccontextmanager
async def services(paths: Iterable[Path] | None = None) -> AsyncIterator[Services]:
    """With the servers that these files name running, or all; those that do not start are told on standard error."""
    settings = Settings.from_environment()
    environment = {
        **_own(),
        f"{PREFIX}DATA_DIR": str(settings.data_dir),
        f"{PREFIX}DATABASE_URL": settings.database_url,
    }
    try:
        servers = load_servers(home() / "configs" / "servers.yaml", environment)
    except ConfigError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(EXIT_CODE) from None
    names = None if paths is None else _servers_in(paths) & set(servers.servers)
    async with Manager(servers) as manager, Sandbox() as sandbox:
        for name, reason in (await manager.connect(names)).items():
            typer.echo(f"{name}: {reason}", err=True)
        yield Services(manager, sandbox, graphs=GRAPHS, ask=through(models()))


def _own() -> dict[str, str]:
    return {name: value for name, value in os.environ.items() if name.startswith(PREFIX)}


def _servers_in(paths: Iterable[Path]) -> set[str]:
    """Every `server:` of the files, whatever else is wrong with them."""
    return {name for path in paths for name in _servers(documents.read(_text(path), str(path)).data)}


def _text(path: Path) -> str:
    return path.read_text(encoding="utf-8", errors="replace")


def _servers(data: Any) -> set[str]:
    if isinstance(data, dict):
        own = {data["server"]} if isinstance(data.get("server"), str) else set()
        return own.union(*map(_servers, data.values()))
    return set().union(*map(_servers, data)) if isinstance(data, list) else set()


def catalog(tools: Services) -> Catalog:
    """All flows of the folder, checked."""
    return Catalog.load(folder(), catalogue=tools.tools.catalogue(), graphs=GRAPHS, prompts=prompts())


def read(path: Path, tools: Services, callable_names: Collection[str]) -> Flow:
    """One file by itself; raises FlowError."""
    return load(path, catalogue=tools.tools.catalogue(), graphs=callable_names, prompts=prompts())


def find(name: str, version: str | None, tools: Services) -> tuple[Flow, Catalog]:
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
