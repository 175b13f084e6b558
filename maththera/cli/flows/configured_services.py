"""The servers, the sandbox and the models that flows run with in this process."""

from collections.abc import AsyncIterator, Iterable
from contextlib import asynccontextmanager
from pathlib import Path

import typer

from maththera.app.execution_resources import open_manager
from maththera.builtin_graphs import GRAPHS
from maththera.cli.flows.workspace import named_servers
from maththera.flows.runs.python_sandbox import Sandbox
from maththera.flows.runs.step_services import StepServices, ask_with_models
from maththera.llm.model_client import Models
from maththera.settings import Settings


def models() -> Models:
    """The configured models; without an address or a key none is available."""
    return Models.from_settings(Settings.from_environment())


@asynccontextmanager
async def services(paths: Iterable[Path]) -> AsyncIterator[StepServices]:
    """Runs the servers that these files name; a server that does not start is reported on standard error."""
    async with open_manager(Settings.from_environment()) as manager, Sandbox() as sandbox:
        for name, reason in (await manager.connect(named_servers(paths) & manager.catalogue().keys())).items():
            typer.echo(f"{name}: {reason}", err=True)
        yield StepServices(manager, sandbox, graphs=GRAPHS, ask=ask_with_models(models()))
