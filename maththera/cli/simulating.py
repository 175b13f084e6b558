"""`maththera simulate`: children whose defect is known, and what the tutor makes of them."""

from pathlib import Path
from typing import Annotated, Literal

import typer

from maththera.cli.failures import mendable

app = typer.Typer(help="Run simulated children through the tutor.", invoke_without_command=True)


@app.callback()
def simulate(  # noqa: PLR0913 - one option per condition
    context: typer.Context,
    learners: Annotated[int, typer.Option(min=1, max=1_000_000, help="How many children.")] = 1000,
    seed: Annotated[int, typer.Option(min=0, help="The same seed makes the same children.")] = 1,
    slip: Annotated[float | None, typer.Option(min=0, max=1, help="Default: configs/simulation.yaml.")] = None,
    guess: Annotated[float | None, typer.Option(min=0, max=1, help="Default: configs/simulation.yaml.")] = None,
    problems: Annotated[int, typer.Option(min=1, max=100, help="Problems per session.")] = 15,
    answers: Annotated[Literal["typed", "taps"], typer.Option(help="How the children answer.")] = "typed",
    via: Annotated[Literal["core", "graph"], typer.Option(help="The plain loop, or the LangGraph graph.")] = "core",
    workers: Annotated[int | None, typer.Option(min=1, max=256, help="Default: the processors there are.")] = None,
    json: Annotated[Path | None, typer.Option(help="Write the figures here.")] = None,
) -> None:
    """Run simulated children through the tutor and show how well it finds what is wrong with them."""
    if context.invoked_subcommand is not None:
        return
    from maththera.settings import home
    from maththera.simulation import experiment
    from maththera.simulation.run import Setup

    with mendable():
        setup = Setup(learners, seed, slip=slip, guess=guess, problems=problems, input=answers, via=via)
        experiment.run_experiment(home(), setup, workers=workers, json=json)
