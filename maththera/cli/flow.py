"""`maththera flow`: check, run, test, plan, draw, draft and list flows.

Exit codes: 0 all well, 1 mistakes or failures in flows, 2 a command that cannot be carried out."""

from pathlib import Path
from typing import Annotated, Literal

import typer

app = typer.Typer(help="Flows: YAML that calls tools.", no_args_is_help=True)

_Files = Annotated[list[Path] | None, typer.Argument(help="Default: all in flows/.")]
_Name = Annotated[str, typer.Argument(help="Name of a flow, or its file.")]
_Inputs = Annotated[
    list[str] | None, typer.Option("--input", "-i", help="name=value, again for each; values are JSON or plain text.")
]
_Version = Annotated[str | None, typer.Option(help="Default: the highest.")]


@app.command()
def lint(
    files: _Files = None,
    *,
    strict: Annotated[bool, typer.Option("--strict", help="Warnings count as mistakes.")] = False,
) -> None:
    """Check flows against the tools as they are now; each mistake is one line: file:line:column field: reason."""
    from maththera.cli import flow_checks

    flow_checks.lint(files, strict=strict)


@app.command()
def run(
    flow: _Name,
    inputs: _Inputs = None,
    version: _Version = None,
    *,
    as_json: Annotated[bool, typer.Option("--json", help="The result alone, as JSON.")] = False,
) -> None:
    """Run a flow here, and show each step as it happens."""
    from maththera.cli import flow_runs

    flow_runs.run(flow, inputs or [], version, as_json=as_json)


@app.command("test")
def run_tests(
    files: Annotated[list[Path] | None, typer.Argument(help="Default: all in flows/tests/.")] = None,
    *,
    cover: Annotated[float, typer.Option(min=0, max=100, help="Percent of each flow's steps that must run.")] = 0,
) -> None:
    """Run tests of flows with mocked tools; no server is called."""
    from maththera.cli import flow_checks

    flow_checks.test(files, cover)


@app.command()
def plan(flow: _Name, inputs: _Inputs = None, version: _Version = None) -> None:
    """Say what a run would call, without calling."""
    from maththera.cli import flow_runs

    flow_runs.plan(flow, inputs or [], version)


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
    from maththera.cli import flow_pictures

    flow_pictures.run(flow, version, kind, output)


@app.command()
def new(
    wish: Annotated[str, typer.Argument(help="What the flow should do, in a sentence.")],
    output: Annotated[Path | None, typer.Option("--output", "-o", help="Default: standard output.")] = None,
) -> None:
    """Draft a flow: by the configured model until it passes the checks, otherwise from the nearest flow."""
    from maththera.cli import flow_drafts

    flow_drafts.new(wish, output)


@app.command("list")
def list_flows() -> None:
    """All flows with their versions, inputs and what is wrong with them."""
    from maththera.cli import flow_checks

    flow_checks.list_all()


@app.command("export-schema")
def export_schema(
    output: Annotated[Path | None, typer.Argument(help="Default: flows/flow.schema.json.")] = None,
) -> None:
    """Write the JSON Schema that editors check and complete flows with."""
    from maththera.cli import flow_checks

    flow_checks.export_schema(output)
