"""What a run here works with: servers that run, a sandbox, the configured model."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import typer

from maththera.cli.flow_tools import named_servers
from maththera.executions.opening import open_manager
from maththera.flows.asking import through
from maththera.flows.sandbox import Sandbox
from maththera.flows.services import Services
from maththera.graphs import GRAPHS
from maththera.llm.models import Models
from maththera.settings import Settings, home


def models() -> Models:
    """The configured ones; none are asked where none is."""
    settings = Settings.from_environment()
    key = settings.llm_api_key.get_secret_value() if settings.llm_api_key else None
    return Models.from_settings(settings.llm_base_url, key, settings.llm_model, settings.llm_small_model, home=home())


@asynccontextmanager
async def services(paths: Iterable[Path]) -> AsyncIterator[Services]:
    """With the servers that these files name running; those that do not start are told on standard error."""
    async with open_manager(Settings.from_environment()) as manager, Sandbox() as sandbox:
        for name, reason in (await manager.connect(named_servers(paths) & manager.catalogue().keys())).items():
            typer.echo(f"{name}: {reason}", err=True)
        yield Services(manager, sandbox, graphs=GRAPHS, ask=through(models()))
