"""`maththera bank`: make a problem bank, or check one."""

from pathlib import Path
from typing import Annotated

import typer

from maththera.cli.command_errors import exit_on_user_error

app = typer.Typer(help="The problem bank.", no_args_is_help=True)


@app.command()
def generate(
    output: Annotated[Path, typer.Argument(help="The CSV to write.")],
    seed: Annotated[int | None, typer.Option(help="Default: the seed of the shipped bank.")] = None,
) -> None:
    """Write the bank of a seed; the same seed writes the same file."""
    from maththera.arithmetic.problem_bank_generator import SHIPPED_SEED, write_csv
    from maththera.arithmetic.problem_bank_generator import generate as draw

    try:
        output.open("a").close()  # before the work of seconds
        problems = draw(SHIPPED_SEED if seed is None else seed)
        write_csv(problems, output)
    except OSError as error:
        raise typer.BadParameter(f"{output}: {error.strerror}") from None
    typer.echo(f"{len(problems):,} problems written to {output}")


@app.command()
def check(
    path: Annotated[Path | None, typer.Argument(help="Default: the bank the service uses.")] = None,
) -> None:
    """Check a bank as the service does, and show what it holds."""
    from rich.console import Console
    from rich.table import Table

    from maththera.arithmetic.problem_bank_generator import check as levels_of
    from maththera.settings import home

    path = path or home() / "configs" / "arithmetic" / "problem_bank.csv"
    with exit_on_user_error():
        levels = levels_of(path)
    table = Table("C", "unit", "problems", "expressions", "W", title=str(path))
    for level in levels:
        low, high = level.band
        table.add_row(str(level.c), level.title, f"{level.problems:,}", f"{level.expressions:,}", f"{low:g}–{high:g}")
    table.caption = f"{sum(level.problems for level in levels):,} problems"
    Console().print(table)
