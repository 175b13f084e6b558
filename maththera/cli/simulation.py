"""`maththera simulate`: children whose defect is known, and what the tutor makes of them."""

from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path
from typing import TYPE_CHECKING, Annotated, Literal

import typer

from maththera.cli.command_errors import exit_on_user_error

if TYPE_CHECKING:
    from collections.abc import Callable

    from maththera.simulation.experiment import Progress
    from maththera.simulation.measures import Measured
    from maththera.simulation.session_runs import Setup

app = typer.Typer(help="Run simulated children through the tutor.", invoke_without_command=True)


def _writable(path: Path | None) -> Path | None:
    """Ends the command for a file that cannot be written, before a run that takes minutes."""
    if path is not None and (path.is_dir() or not path.parent.is_dir()):
        raise typer.BadParameter(f"{path} is a folder" if path.is_dir() else f"there is no folder {path.parent}")
    return path


Learners = Annotated[int, typer.Option(min=1, max=1_000_000, help="How many children; for comparisons, of each.")]
Seed = Annotated[int, typer.Option(min=0, help="The same seed makes the same children.")]
Workers = Annotated[int | None, typer.Option(min=1, max=256, help="Default: the processors there are.")]


@app.callback()
def simulate(  # noqa: PLR0913 - one option per condition
    context: typer.Context,
    learners: Learners = 1000,
    seed: Seed = 1,
    slip: Annotated[
        float | None, typer.Option(min=0, max=1, help="Wrong although known. Default: simulation.yaml.")
    ] = None,
    guess: Annotated[
        float | None, typer.Option(min=0, max=1, help="Right in spite of the defect. Default: simulation.yaml.")
    ] = None,
    problems: Annotated[int, typer.Option(min=1, max=100, help="Problems per session.")] = 15,
    answers: Annotated[Literal["typed", "taps"], typer.Option(help="How the children answer.")] = "typed",
    via: Annotated[Literal["core", "graph"], typer.Option(help="The plain loop, or the LangGraph graph.")] = "core",
    workers: Workers = None,
    json: Annotated[Path | None, typer.Option(help="Write the figures here.", callback=_writable)] = None,
    html: Annotated[Path | None, typer.Option(help="Write a report with plots here.", callback=_writable)] = None,
) -> None:
    """Run simulated children through the tutor and show how well it finds what is wrong with them."""
    if context.invoked_subcommand is not None:
        _none_given(context)
        return
    import orjson
    from rich.console import Console

    from maththera.settings import home
    from maththera.simulation import experiment, html_report, terminal_tables
    from maththera.simulation.session_runs import Setup, cores
    from maththera.tutoring.content.cause_catalogue import load_catalogue

    with exit_on_user_error(), _progress() as progress:
        setup = Setup(learners, seed, slip=slip, guess=guess, problems=problems, input=answers, via=via)
        found = experiment.headline(home(), setup, workers or cores(), progress)
        causes = load_catalogue(home()).causes
    title = f"{learners:,} simulated children, seed {seed}, {answers}"
    Console().print(terminal_tables.figures(found.figures, title), terminal_tables.kinds(found.records))
    if json is not None:
        _write(json, orjson.dumps(experiment.as_json(found.figures), option=orjson.OPT_INDENT_2))
    if html is not None:
        _write(html, html_report.html(found, causes, title).encode())


@app.command()
def conditions(learners: Learners = 500, seed: Seed = 1, workers: Workers = None) -> None:
    """Compare slip rates, typed answers and taps: every figure at slip 0, 0.05, 0.1 and 0.2."""
    from maththera.simulation import experiment

    _compare(experiment.conditions, learners, seed, workers)


@app.command()
def policies(learners: Learners = 500, seed: Seed = 1, workers: Workers = None) -> None:
    """Compare the ways up the ladder: by skills, by the seed's rule, by streaks of 2 and 3; and fixed norms of time."""
    from maththera.simulation import experiment

    _compare(experiment.policies, learners, seed, workers)


def _compare(
    run: "Callable[[Path, Setup, int, Progress], dict[str, Measured]]", learners: int, seed: int, workers: int | None
) -> None:
    from rich.console import Console

    from maththera.settings import home
    from maththera.simulation import terminal_tables
    from maththera.simulation.session_runs import Setup, cores

    with exit_on_user_error(), _progress() as progress:
        found = run(home(), Setup(learners, seed), workers or cores(), progress)
    Console().print(*terminal_tables.compared(found, f"{learners:,} children each, seed {seed}"))


@app.command()
def knowing(
    children: Annotated[int, typer.Option(min=10, max=100_000, help="How many children.")] = 600,
    seed: Seed = 1,
    problems: Annotated[int, typer.Option(min=1, max=100, help="Problems per session.")] = 15,
    workers: Workers = None,
    json: Annotated[Path | None, typer.Option(help="Write the figures here.", callback=_writable)] = None,
) -> None:
    """Follow children who share nothing with the tutor for eight sessions: what it knows and they learn."""
    import orjson
    from rich.console import Console

    from maththera.settings import home
    from maththera.simulation import terminal_tables
    from maththera.simulation.knowing import experiment
    from maththera.simulation.session_runs import cores

    course = experiment.Course(children, seed, problems)
    with exit_on_user_error(), _progress() as progress:
        recorded = experiment.before(home() / "configs" / "simulation" / "knowing_before.json", course)
        found = experiment.knowing(home(), course, workers or cores(), progress)
    Console().print(terminal_tables.knowing(found, recorded, f"{children:,} children, seed {seed}"))
    if json is not None:
        _write(json, orjson.dumps(experiment.as_json(found, course), option=orjson.OPT_INDENT_2))


@app.command("validate-w")
def validate_w(
    file: Annotated[
        Path,
        typer.Argument(help="A CSV: expression (or a, op, b), success_rate, response_time."),
    ],
) -> None:
    """Show how well W, the C ladder, plain size and the models of difficulty and knowledge predict what real people
    did."""
    from rich.console import Console

    from maththera.arithmetic.problem_bank import Bank
    from maththera.knowledge.model import load_knowledge_model
    from maththera.settings import home
    from maththera.simulation import human_data, terminal_tables

    with exit_on_user_error(), _readable():
        found = human_data.read(file)
        configs = home() / "configs"
        model = load_knowledge_model(configs, Bank.load(configs / "arithmetic" / "problem_bank.csv"))
        rivals = {"difficulty model": model.items.difficulty, "knowledge model": model.item_difficulty}
        predicted = human_data.predictions(found, {**human_data.SIMPLE, **rivals})
    Console().print(terminal_tables.validity(found, predicted, file.name))


@app.command("compare-knowledge")
def compare_knowledge(
    file: Annotated[
        Path | None,
        typer.Argument(help="A CSV of single trials as for validate-w, with participant and, if known, age in years."),
    ] = None,
    learners: Learners = 200,
    seed: Seed = 1,
) -> None:
    """Compare models of knowledge by how well they predict the next answer, of simulated children or of a file; needs
    scikit-learn, which is installed for development."""
    from rich.console import Console

    from maththera.arithmetic.problem_bank import Bank
    from maththera.knowledge.model import load_knowledge_model
    from maththera.settings import home
    from maththera.simulation import human_data, knowledge_models, memory_population, terminal_tables

    _require_sklearn()
    with exit_on_user_error(), _readable():
        configs = home() / "configs"
        bank = Bank.load(configs / "arithmetic" / "problem_bank.csv")
        model = load_knowledge_model(configs, bank)
        fitted, tested = knowledge_models.halves(memory_population.tries(model.skills, bank, learners, seed))
        title = f"{learners:,} simulated children, seed {seed}"
        if file is not None:
            own, tested = knowledge_models.halves(human_data.read_tries(file))
            Console().print(terminal_tables.qualities(knowledge_models.compare(own, tested, model), file.name))
            title = f"{file.name}, fitted to simulated children"
        found = knowledge_models.compare(fitted, tested, model)
    Console().print(terminal_tables.qualities(found, title))


@app.command("fit-difficulty")
def fit_difficulty(
    files: Annotated[list[Path], typer.Argument(help="CSVs as for validate-w, with response times.")],
    output: Annotated[Path, typer.Option("--output", "-o", help="The model to write.", callback=_writable)],
) -> None:
    """Fit the difficulty model to real response times; needs scikit-learn, which is installed for development."""
    _require_sklearn()
    from maththera.simulation import difficulty_fit, human_data

    with exit_on_user_error(), _readable():
        model = difficulty_fit.fit({file.stem: human_data.read(file).items for file in files})
    _write(output, difficulty_fit.as_json(model))
    for name, value in model.fit.items():
        typer.echo(f"{name}: {value}")


def _require_sklearn() -> None:
    from importlib.util import find_spec

    if find_spec("sklearn") is None:
        raise typer.BadParameter("scikit-learn is not installed")


def _none_given(context: typer.Context) -> None:
    """Refuses options before a subcommand, which would be ignored."""
    for name in context.params:
        source = context.get_parameter_source(name)
        if source is not None and source.name == "COMMANDLINE":
            raise typer.BadParameter(f"--{name} stands after {context.invoked_subcommand}, if it has such an option")


@contextmanager
def _readable() -> Iterator[None]:
    from maththera.cli.command_errors import EXIT_CODE
    from maththera.simulation.human_data import HumanDataError

    try:
        yield
    except HumanDataError as error:
        typer.echo(str(error), err=True)
        raise typer.Exit(EXIT_CODE) from None


@contextmanager
def _progress() -> "Iterator[Progress]":
    """Progress bars, one for each task."""
    from rich.console import Console
    from rich.progress import BarColumn, MofNCompleteColumn, TextColumn, TimeRemainingColumn
    from rich.progress import Progress as Bars

    columns = TextColumn("{task.description}"), BarColumn(), MofNCompleteColumn(), TimeRemainingColumn()
    with Bars(*columns, console=Console(stderr=True), transient=True) as bars:
        tasks: dict[str, object] = {}

        def progress(what: str, done: int, of: int) -> None:
            if what not in tasks:
                tasks[what] = bars.add_task(what, total=of)
            bars.advance(tasks[what], done)  # type: ignore[arg-type]

        yield progress


def _write(path: Path, content: bytes) -> None:
    try:
        path.write_bytes(content)
    except OSError as error:
        raise typer.BadParameter(f"{path}: {error.strerror}") from None
    typer.echo(f"{path} written")
