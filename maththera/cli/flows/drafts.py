"""`maththera flow new`."""

import asyncio
from pathlib import Path

import typer

from maththera.cli.command_errors import exit_on_user_error
from maththera.cli.flows import workspace
from maththera.cli.flows.configured_services import models
from maththera.flows.commands.command_matcher import Matcher
from maththera.flows.commands.command_rules import load_command_rules, load_known_names
from maththera.flows.commands.flow_drafts import Draft, NoTemplate, draft_flow
from maththera.settings import home


def new(wish: str, output: Path | None) -> None:
    """Drafts a flow. Exit code 1 for a draft with mistakes, which is written all the same."""
    if not wish.strip():
        raise typer.BadParameter("say in a sentence what the flow should do")
    if output is not None and output.exists():
        raise typer.BadParameter(f"{output} is there already")
    with exit_on_user_error():
        draft = asyncio.run(_drafted(wish))
    workspace.write(output, draft.text)
    made = f"made from '{draft.template}'" if draft.template else "written by the model"
    typer.echo("\n".join([made, *map(str, draft.faults)]), err=True)
    if draft.faults:
        raise typer.Exit(1)


async def _drafted(wish: str) -> Draft:
    catalogue = await workspace.catalogue()
    flows = workspace.catalog(catalogue).latest()
    rules = load_command_rules(home())
    matcher = Matcher(flows.values(), catalogue, rules, load_known_names(home(), rules))
    try:
        return await draft_flow(wish, flows, catalogue, matcher, models())
    except NoTemplate as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
