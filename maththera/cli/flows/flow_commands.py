"""`maththera flow`: check, run, test, plan, draw, draft and list flows.

Exit codes: 0 all well, 1 mistakes or failures in flows, 2 a command that cannot be carried out."""

from datetime import datetime
from pathlib import Path
from typing import Annotated, Literal

import typer

app = typer.Typer(help="Flows: YAML that calls tools.", no_args_is_help=True)

_Files = Annotated[list[Path] | None, typer.Argument(help="Default: all in flows/.")]
_Name = Annotated[str, typer.Argument(help="Name of a flow, or its file.")]
_Inputs = Annotated[
    list[str] | None, typer.Option("--input", "-i", help="name=value, again for each; values are JSON or plain text.")
]
_RunId = Annotated[str, typer.Argument(help="Id of a run, as the API gave it.")]
_Step = Annotated[str, typer.Argument(help="A step, as outer/pay or loop[3].pay inside of others.")]
_Version = Annotated[str | None, typer.Option(help="Default: the highest.")]


@app.command()
def lint(
    files: _Files = None,
    *,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings count as mistakes.")] = False,
) -> None:
    """Check flows against the tools as they are now; each mistake is one line: file:line:column field: reason."""
    from maththera.cli.flows import checks

    checks.lint(files, strict=strict)


@app.command()
def run(
    flow: _Name,
    inputs: _Inputs = None,
    version: _Version = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="The result alone, as JSON.")] = False,
) -> None:
    """Run a flow here, and show each step as it happens."""
    from maththera.cli.flows import local_runs

    local_runs.run(flow, inputs or [], version, as_json=as_json)


@app.command("test")
def run_tests(
    files: Annotated[list[Path] | None, typer.Argument(help="Default: all in flows/tests/.")] = None,
    *,
    cover: Annotated[float, typer.Option(min=0, max=100, help="Percent of each flow's steps that must run.")] = 0,
) -> None:
    """Run tests of flows with mocked tools; no server is called."""
    from maththera.cli.flows import checks

    checks.test(files, cover)


@app.command()
def plan(flow: _Name, inputs: _Inputs = None, version: _Version = None) -> None:
    """Say what a run would call, without calling."""
    from maththera.cli.flows import local_runs

    local_runs.plan(flow, inputs or [], version)


@app.command()
def retry(
    run_id: _RunId,
    from_step: Annotated[str, typer.Option("--from", help="A step, as outer/pay or loop[3].pay inside of others.")],
) -> None:
    """Run a failed or cancelled run again from a step; what ended before it stays."""
    from maththera.cli.flows import recorded_runs

    recorded_runs.repair(run_id, "retry", from_step)


@app.command("mark-done")
def mark_done(
    run_id: _RunId,
    step: _Step,
    value: Annotated[str, typer.Option(help="What it gave: JSON or plain text.")] = "null",
) -> None:
    """Take a step of a failed or cancelled run for done, and go on after it."""
    from maththera.cli.flows import recorded_runs

    recorded_runs.repair(run_id, "mark_done", step, value)


@app.command()
def skip(run_id: _RunId, step: _Step) -> None:
    """Leave a step of a failed or cancelled run out, and go on."""
    from maththera.cli.flows import recorded_runs

    recorded_runs.repair(run_id, "skip", step)


@app.command()
def graph(
    flow: _Name,
    output: Annotated[
        Path | None, typer.Option("--output", "-o", help="Default: standard output; png needs one.")
    ] = None,
    kind: Annotated[Literal["mermaid", "svg", "png"], typer.Option("--format")] = "mermaid",
    version: _Version = None,
) -> None:
    """Draw a flow, without any network."""
    from maththera.cli.flows import pictures

    pictures.run(flow, version, kind, output)


@app.command()
def new(
    wish: Annotated[str, typer.Argument(help="What the flow should do, in a sentence.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Default: standard output.")] = None,
) -> None:
    """Draft a flow: by the configured model until it passes the checks, otherwise from the nearest flow."""
    from maththera.cli.flows import local_runs

    local_runs.new(wish, output)


@app.command("list")
def list_flows() -> None:
    """All flows with their versions, inputs and what is wrong with them."""
    from maththera.cli.flows import checks

    checks.list_all()


@app.command("export-schema")
def export_schema(
    output: Annotated[Path | None, typer.Argument(help="Default: flows/flow.schema.json.")] = None,
) -> None:
    """Write the JSON Schema that editors check and complete flows with."""
    from maththera.cli.flows import checks

    checks.export_schema(output)


@app.command()
def runs(  # noqa: PLR0913
    flow: Annotated[str | None, typer.Option(help="By the flow's name.")] = None,
    status: Annotated[Literal["running", "waiting", "completed", "failed", "cancelled"] | None, typer.Option()] = None,
    student: Annotated[str | None, typer.Option(help="Those about this student.")] = None,
    since: Annotated[datetime | None, typer.Option(help="Begun then or later.")] = None,
    variant: Annotated[str | None, typer.Option(help="The version that a student's share chose.")] = None,
    limit: Annotated[int, typer.Option(min=1, max=1_000)] = 50,
) -> None:
    """List runs of the service, the newest first."""
    from maththera.cli.flows import recorded_runs
    from maththera.store.executions import ExecutionFilter

    begun = since.astimezone() if since else None
    wanted = ExecutionFilter(flow=flow, status=status, student_id=student, variant=variant, since=begun, limit=limit)
    recorded_runs.runs(wanted)


@app.command()
def show(run_id: Annotated[str, typer.Argument(help="Id of a run.")]) -> None:
    """Show what each step of a run was given and gave, when, and how long it took."""
    from maththera.cli.flows import recorded_runs

    recorded_runs.show(run_id)


@app.command()
def comparison(flow: Annotated[str, typer.Argument(help="Name of a flow with variants.")]) -> None:
    """Compare the variants of a flow by the runs that students' shares chose."""
    from maththera.cli.flows import recorded_runs

    recorded_runs.compare(flow)


@app.command()
def schedules() -> None:
    """List the flows that begin by themselves."""
    from maththera.cli.flows import recorded_runs

    recorded_runs.list_schedules()


@app.command()
def pause(flow: Annotated[str, typer.Argument(help="Name of a flow with a schedule.")]) -> None:
    """Let a flow begin no more by itself; what runs goes on."""
    from maththera.cli.flows import recorded_runs

    recorded_runs.pause(flow)


@app.command()
def resume(flow: Annotated[str, typer.Argument(help="Name of a flow with a schedule.")]) -> None:
    """Let a paused flow begin by itself again; what was due meanwhile is not made up for."""
    from maththera.cli.flows import recorded_runs

    recorded_runs.resume(flow)
