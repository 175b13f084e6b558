"""`maththera flow lint`, `test`, `list` and `export-schema`."""

import asyncio
import json
from collections.abc import Collection
from pathlib import Path
from typing import TYPE_CHECKING

import typer
from rich.console import Console
from rich.text import Text

from maththera.builtin_graphs import GRAPHS
from maththera.cli.command_errors import exit_on_user_error
from maththera.cli.flows import workspace
from maththera.cli.text_tables import list_console, table
from maththera.flows.flow import Flow
from maththera.flows.flow_catalog import FlowCatalog
from maththera.flows.language.faults import Fault, FlowError
from maththera.flows.language.flow_schema import editor_schema
from maththera.flows.runs.python_sandbox import Sandbox

if TYPE_CHECKING:
    from maththera.flows.flow_tests.suites import Report

_SCHEMA = "flow.schema.json"


def lint(wanted: Collection[Path] | None, *, strict: bool) -> None:
    """Checks flows: those of the folder together, other files each alone."""
    paths = workspace.files(wanted, workspace.folder())
    with exit_on_user_error():
        faults, flows = asyncio.run(_checked(paths))
    warnings = [warning for flow in flows for warning in flow.warnings]
    console = Console(highlight=False, soft_wrap=True)
    for fault in sorted(faults):
        console.print(_line(fault, "red"))
    for warning in sorted(warnings):
        console.print(_line(warning, "yellow", "warning: "))
    bad = len({fault.path for fault in faults})
    console.print(f"files: {len(paths)}, with mistakes: {bad}; mistakes: {len(faults)}, warnings: {len(warnings)}")
    if faults or (strict and warnings):
        raise typer.Exit(1)


async def _checked(paths: list[Path]) -> tuple[list[Fault], list[Flow]]:
    names = {str(path) for path in paths}
    own = workspace.own_files()
    tools = await workspace.catalogue({*paths, *own})
    catalog = workspace.catalog(tools)
    faults = [fault for fault in catalog.faults if fault.path in names]
    flows = [flow for flow in catalog if flow.path in names]
    for path in paths:
        if path not in own:
            try:
                flows.append(workspace.read(path, tools, catalog))
            except FlowError as error:
                faults += error.faults
    return faults, flows


def _line(fault: Fault, colour: str, kind: str = "") -> Text:
    place = f"{fault.path}:{fault.line}:{fault.column}"
    return Text.assemble(
        (place, "bold"), f" {fault.where}: " if fault.where else ": ", (f"{kind}{fault.message}", colour)
    )


def test(wanted: Collection[Path] | None, cover: float) -> None:
    paths = workspace.files(wanted, workspace.folder() / "tests")
    with exit_on_user_error():
        report, catalog = asyncio.run(_tested(paths))
    console = Console(highlight=False, soft_wrap=True)
    for fault in [*catalog.faults, *report.faults]:
        console.print(_line(fault, "red"))
    for verdict in report.verdicts:
        sign = Text("✗ ", "red") if verdict.failures else Text("✓ ", "green")
        console.print(sign + Text(f"{verdict.flow}: {verdict.name}"))
        for failure in verdict.failures:
            console.print(Text(f"    {verdict.file}:{verdict.line}: {failure}", "red"))
    thin = _coverage(console, report, cover)
    failed = sum(bool(verdict.failures) for verdict in report.verdicts)
    console.print(f"tests: {len(report.verdicts)}, failed: {failed}")
    if not report.passed or catalog.faults or thin:
        raise typer.Exit(1)


async def _tested(paths: list[Path]) -> "tuple[Report, FlowCatalog]":
    from maththera.flows.flow_tests.suites import run_tests

    tools = await workspace.catalogue(workspace.own_files())
    catalog = workspace.catalog(tools)
    async with Sandbox() as sandbox:
        return await run_tests(paths, catalog, tools, sandbox, GRAPHS), catalog


def _coverage(console: Console, report: "Report", cover: float) -> bool:
    """Whether some flow is covered less than required."""
    if not report.steps:
        return False
    drawn = table(("flow", "steps run", "never run"), ())
    thin = False
    for flow in report.steps:
        share = 100 * report.coverage(flow)
        thin = thin or share < cover
        drawn.add_row(
            Text(flow), f"{share:.0f} %", ", ".join(report.uncovered(flow)), style="red" if share < cover else None
        )
    console.print(drawn)
    return thin


def list_all() -> None:
    with exit_on_user_error():
        catalog = asyncio.run(_all())
    rows = []
    for name in catalog.names():
        for version, flow in sorted(catalog.flows[name].items()):
            inputs = ", ".join(each.name if each.needed else f"[{each.name}]" for each in flow.inputs)
            rows.append((name, version, inputs, str(len(flow.steps)), flow.description))
    console = list_console()
    console.print(table(("flow", "version", "inputs", "steps", "description"), rows))
    for fault in catalog.faults:
        console.print(_line(fault, "red"), soft_wrap=True)
    if catalog.faults:
        raise typer.Exit(1)


async def _all() -> FlowCatalog:
    return workspace.catalog(await workspace.catalogue(workspace.own_files()))


def export_schema(output: Path | None) -> None:
    output = output or workspace.folder() / _SCHEMA
    workspace.write(output, json.dumps(editor_schema(), ensure_ascii=False, indent=2) + "\n")
    typer.echo(f"{output} is written")
