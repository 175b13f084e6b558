"""The command line. Each command imports what it needs when it runs, so that `--help` is there at once."""

import gc
from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

from maththera.cli import alerts, bank, course, papers, schools, simulation, students, tokens
from maththera.cli.flows import flow_commands
from maththera.cli.id_options import known_student, student_id, thread_id

app = typer.Typer(name="maththera", help="An arithmetic tutor.", no_args_is_help=True, pretty_exceptions_enable=False)
app.add_typer(alerts.app, name="alerts")
app.add_typer(bank.app, name="bank")
app.add_typer(course.app, name="course")
app.add_typer(flow_commands.app, name="flow")
app.add_typer(papers.app, name="papers")
app.add_typer(schools.app, name="schools")
app.add_typer(simulation.app, name="simulate")
app.add_typer(students.app, name="students")
app.add_typer(tokens.app, name="tokens")


def main() -> None:
    app()


def _print_version(wanted: bool) -> None:
    if wanted:
        from importlib.metadata import version

        typer.echo(f"maththera {version('maththera')}")
        raise typer.Exit


@app.callback()
def _global_options(
    *,
    version: Annotated[
        bool, typer.Option("--version", callback=_print_version, is_eager=True, help="Print the version and exit.")
    ] = False,
) -> None:
    """Options that stand before the command."""


@app.command()
def serve(
    host: Annotated[str, typer.Option(help="The address to listen on.")] = "127.0.0.1",
    port: Annotated[int, typer.Option(min=1, max=65535)] = 8000,
    workers: Annotated[int, typer.Option(min=1, max=64, help="Processes that share the work.")] = 1,
    certificate: Annotated[
        Path | None, typer.Option(exists=True, dir_okay=False, help="PEM: speak HTTPS. Needs --key.")
    ] = None,
    key: Annotated[Path | None, typer.Option(exists=True, dir_okay=False, help="Of the certificate, PEM.")] = None,
) -> None:
    """Run the service; prints its address and, at the first start, the admin token."""
    gc.disable()  # until a worker is complete: what is loaded meanwhile stays, and looking for garbage takes 0.3 s
    try:
        from maththera.cli import service

        service.run(host, port, workers, certificate, key)
    finally:
        gc.enable()


@app.command()
def play(  # noqa: PLR0913 - these are its options
    student: Annotated[str, typer.Option(parser=student_id, help="Who is playing; their records go on.")] = "player",
    level: Annotated[int | None, typer.Option(min=1, max=15, help="Cur-C to start at.")] = None,
    grade: Annotated[
        int | None,
        typer.Option(min=1, max=12, help="The child's; kept in its records. A placement begins near it."),
    ] = None,
    problems: Annotated[int, typer.Option(min=1, max=100)] = 15,
    seed: Annotated[int | None, typer.Option(min=0, help="The same seed asks the same.")] = None,
    mode: Annotated[
        Literal["practice", "placement", "number_sense"] | None,
        typer.Option(
            help="placement finds out what a child knows, the default for a new one without --level; number_sense "
            "looks at its number sense for about four minutes."
        ),
    ] = None,
    *,
    show_diagnosis: Annotated[bool, typer.Option("--show-diagnosis", help="For adults.")] = False,
) -> None:
    """Play a whole session here in the terminal; without --level, --mode and --seed an open one goes on."""
    from maththera.cli.terminal import play_session
    from maththera.tutoring.session.session_start import Capabilities, NewSession

    capabilities = Capabilities(widgets=True, presentation=True)
    wanted = NewSession(
        student,
        c_position=level,
        problem_count=problems,
        seed=seed,
        mode=mode,
        capabilities=capabilities,
        grade=grade,
    )
    play_session.run(wanted, resume=level is None and mode is None and seed is None, show_diagnosis=show_diagnosis)


@app.command()
def chat(
    student: Annotated[str, typer.Option(parser=student_id, help="Whose records the coach reads.")] = "player",
    profile: Annotated[Literal["coach", "assistant"], typer.Option(help="The assistant is for adults.")] = "coach",
    difficulty: Annotated[
        Literal["easy", "medium", "hard"] | None, typer.Option(help="Of the assistant. Default: easy.")
    ] = None,
    thread: Annotated[str | None, typer.Option(parser=thread_id, help="Go on with a conversation.")] = None,
    both_levels: Annotated[
        bool, typer.Option("--both-levels", help="Of the assistant's answer, not one level.")
    ] = False,
) -> None:
    """Ask the coach about one's own learning, or the assistant about anything, here in the terminal."""
    from maththera.cli.terminal import chat_session

    chat_session.run(student, profile, difficulty, thread, both_levels=both_levels)


@app.command()
def lesson(
    student: Annotated[str, typer.Option(parser=student_id, help="Who is learning; their records go on.")] = "player",
    user_type: Annotated[Literal["beginner", "advanced"], typer.Option("--type")] = "beginner",
    course: Annotated[str | None, typer.Option(help="Default: that of configs/lessons/lessons.yaml.")] = None,
    chapter: Annotated[
        int | None, typer.Option(min=1, max=99, help="Begin there. Default: go on with the last lesson.")
    ] = None,
) -> None:
    """Have a lesson here in the terminal; it goes on where it stood the last time."""
    from maththera.cli.terminal import lesson_session

    lesson_session.run(student, user_type, course, chapter)


@app.command()
def report(  # noqa: PLR0913 - these are its options
    students: Annotated[
        list[str], typer.Argument(parser=known_student, help="One child, by id or nickname; several for a class.")
    ],
    kind: Annotated[
        Literal["teacher", "guardian", "class"], typer.Option(help="For a support plan, a letter home, or a class.")
    ] = "teacher",
    since: Annotated[
        datetime | None, typer.Option("--from", formats=["%Y-%m-%d"], help="Default: thirty days with the last.")
    ] = None,
    until: Annotated[
        datetime | None, typer.Option("--to", formats=["%Y-%m-%d"], help="The last day. Default: today.")
    ] = None,
    name: Annotated[str | None, typer.Option(help="Printed on it; without it there is a line to write on.")] = None,
    grade: Annotated[str | None, typer.Option(help="Likewise.")] = None,
    teacher: Annotated[str | None, typer.Option(help="Likewise.")] = None,
    output: Annotated[Path | None, typer.Option("--output", "-o", help="A file that is not there yet.")] = None,
) -> None:
    """Make a report as PDF: what a child can do, why it errs, what comes next."""
    from maththera.cli import pdf_reports
    from maththera.reports.teacher_report import Person

    pdf_reports.run(kind, students, (since, until), Person(name, grade, teacher), output)


@app.command()
def graph(
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Default: standard output; png needs one.")
    ] = None,
    kind: Annotated[Literal["mermaid", "png"], typer.Option("--format")] = "mermaid",
) -> None:
    """Draw the graph of a tutoring session, without any network."""
    from maththera.cli import graph_picture

    graph_picture.run(kind, output)


@app.command()
def cost() -> None:
    """What a month costs: everything through one model, against calls for the shares measured in the records."""
    from maththera.cli import cost_report

    cost_report.run()
