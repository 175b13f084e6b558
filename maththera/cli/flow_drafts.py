"""`maththera flow new`."""

import asyncio
from pathlib import Path

import typer

from maththera.cli import flow_tools
from maththera.cli.failures import mendable
from maththera.cli.flow_live import models
from maththera.flows.commands import load_names, load_rules
from maththera.flows.drafting import Draft, NoTemplate, draft_flow
from maththera.flows.matching import Matcher
from maththera.settings import home


def new(wish: str, output: Path | None) -> None:
    """Exit code 1 for a draft that still has mistakes; it is written all the same."""
    if not wish.strip():
        raise typer.BadParameter("say in a sentence what the flow should do")
    if output is not None and output.exists():
        raise typer.BadParameter(f"{output} is there already")
    with mendable():
        draft = asyncio.run(_drafted(wish))
    flow_tools.write(output, draft.text)
    made = f"made from '{draft.template}'" if draft.template else "written by the model"
    typer.echo("\n".join([made, *map(str, draft.faults)]), err=True)
    if draft.faults:
        raise typer.Exit(1)


async def _drafted(wish: str) -> Draft:
    catalogue = await flow_tools.catalogue()
    flows = flow_tools.catalog(catalogue).latest()
    rules = load_rules(home())
    matcher = Matcher(flows.values(), catalogue, rules, load_names(home(), rules))
    try:
        return await draft_flow(wish, flows, catalogue, matcher, models())
    except NoTemplate as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(1) from None
