"""`maththera flow runs`, `show`, `comparison`, `schedules`, `pause`, `resume`, `retry`, `mark-done` and `skip`: runs
and schedules in the database. The service or a worker carries out what follows from a change."""

import asyncio
import json
from collections.abc import Awaitable, Callable, Sequence
from dataclasses import asdict
from datetime import datetime, timedelta
from typing import Any, Final, TypeVar

import typer
from rich.text import Text
from rich.tree import Tree

from maththera.app.execution_resources import open_executions, open_stores
from maththera.cli.command_errors import EXIT_CODE, exit_on_user_error
from maththera.cli.flows.workspace import json_or_text
from maththera.cli.store_setup import stores
from maththera.cli.text_tables import list_console, print_table, unbroken_column
from maththera.executions import schedules
from maththera.executions.runner import Runner
from maththera.executions.schedules import NoSuchSchedule, ScheduledFlow
from maththera.executions.service import Executions, Launch, NoSuchExecution, StatusConflict
from maththera.executions.step_history import ExecutionStep
from maththera.flows.flow_catalog import UnknownFlow
from maththera.flows.runs.run_repairs import CannotRepair, Repair, RepairKind
from maththera.settings import Settings
from maththera.store.access.authorization import Principal
from maththera.store.executions import ExecutionFilter, ExecutionRow
from maththera.store.flow_versions import VariantRuns

_MARKS: Final = {
    "done": ("✓", "green"),
    "completed": ("✓", "green"),
    "failed": ("✗", "red"),
    "skipped": ("–", "dim"),
    "waiting": ("?", "yellow"),
    "running": ("▶", "cyan"),
    "broken_off": ("✗", "yellow"),
    "cancelled": ("–", "yellow"),
}


def runs(wanted: ExecutionFilter) -> None:
    rows = with_executions(lambda executions: executions.page(OPERATOR, wanted))
    titles = (unbroken_column("id"), "flow", "version", "variant", "status", "student", "begun", "seconds")
    print_table(titles, map(_cells, rows))


def show(execution_id: str) -> None:
    """Prints the steps with their inputs and outputs, in the order in which they began."""

    async def read(executions: Executions) -> tuple[ExecutionRow, Sequence[ExecutionStep]]:
        row = await executions.find(OPERATOR, execution_id)
        story = executions.runner.story
        return story.masked(row), await story.steps(row)

    row, steps = with_executions(read)
    tree = Tree(_head(row))
    for step in steps:
        _grow(tree, step, datetime.fromisoformat(step["started_at"]) - row.created_at)
    for name, value in (("result", row.result), ("error", row.error), ("waiting", row.waiting)):
        if value:
            tree.add(Text(f"{name}: {_json(value)}"))
    list_console().print(tree)


def compare(flow_name: str) -> None:
    async def read(executions: Executions) -> list[tuple[float, VariantRuns]]:
        return await executions.variants((await executions.runner.files.catalog()).best(flow_name))

    names = ("version", "share", "runs", "completed", "failed", "cancelled", "median_ms")
    rows = ({"share": share, **asdict(runs)} for share, runs in with_executions(read))
    cells = ([str(row[name]) if row[name] is not None else "" for name in names] for row in rows)
    print_table(names, cells)


def list_schedules() -> None:
    _print_schedules(with_executions(schedules.scheduled_flows))


def pause(flow_name: str) -> None:
    _print_schedules([with_executions(lambda all_: schedules.pause(all_, flow_name, OPERATOR.token_id))])


def resume(flow_name: str) -> None:
    _print_schedules([with_executions(lambda all_: schedules.resume(all_, flow_name))])


def repair(execution_id: str, kind: RepairKind, step: str, value: str = "null") -> None:
    """Decides how a failed run continues. `value`: JSON, or plain text."""
    change = Repair(kind, step, json_or_text(value))
    with_executions(lambda executions: executions.repair(OPERATOR, execution_id, change))
    typer.echo(f"{execution_id}: 서비스가 돌고 있으면 곧 이어서 실행해요.")


def _cells(row: ExecutionRow) -> Sequence[str]:
    seconds = f"{(row.ended_at - row.created_at).total_seconds():.1f}" if row.ended_at else ""
    own = (row.execution_id, row.flow_name, row.flow_version, row.variant or "", row.status, row.student_id or "")
    return (*own, f"{row.created_at.astimezone():%Y-%m-%d %H:%M:%S}", seconds)


def _head(row: ExecutionRow) -> Text:
    mark, colour = _MARKS[row.status]
    variant = f"  variant {row.variant}" if row.variant else ""
    return Text.assemble((f"{mark} {row.status}", colour), (f"  {row.flow_name} {row.flow_version}", "bold"), variant)


def _grow(tree: Tree, step: ExecutionStep, after: timedelta) -> None:
    mark, colour = _MARKS[step["status"]]
    took = f"  {step['ms']:,} ms" if step["ms"] is not None else ""
    tried = f"  {step['attempts']} attempts" if step["attempts"] > 1 else ""
    way = f" → {step['to']}" if step["to"] else ""
    head = (f"{mark} {step['step']}", colour)
    branch = tree.add(Text.assemble(head, f"  +{after.total_seconds():.2f} s{took}{tried}{way}"))
    for name, value in step.items():
        if value and name in ("reason", "inputs", "output", "prints", "error"):
            branch.add(Text(f"{name}: {_json(value)}", "red" if name == "error" else "dim"))


def _json(value: Any) -> str:
    return value if isinstance(value, str) else json.dumps(value, ensure_ascii=False)


def _print_schedules(found: Sequence[ScheduledFlow]) -> None:
    print_table(("flow", "schedule", "overlap", "next", "last", "skipped"), map(_schedule_cells, found))


def _schedule_cells(each: ScheduledFlow) -> Sequence[str]:
    following = f"{each.next_at:%Y-%m-%d %H:%M}" if each.next_at else "paused"
    last = f"{each.last.created_at.astimezone():%Y-%m-%d %H:%M} {each.last.status}" if each.last else ""
    overlap = "allow" if each.flow.overlaps else "skip"
    return each.flow.name, each.flow.schedule or "", overlap, following, last, str(len(each.skipped))


T = TypeVar("T")

OPERATOR: Final = Principal("command line", "admin")


def with_executions(work: Callable[[Executions], Awaitable[T]]) -> T:
    """The result of `work`. Ends the command for an unknown run, schedule or flow, and for a change that is not
    possible."""
    with exit_on_user_error(), stores(Settings.from_environment(), join=True) as settings:
        try:
            return asyncio.run(_opened(settings, work))
        except NoSuchExecution as error:
            reason = f"there is no run '{error}'"
        except NoSuchSchedule as error:
            reason = f"no flow '{error}' has a schedule"
        except (UnknownFlow, CannotRepair, StatusConflict) as error:
            reason = str(error)
    typer.echo(reason, err=True)
    raise typer.Exit(EXIT_CODE)


async def _opened(settings: Settings, work: Callable[[Executions], Awaitable[T]]) -> T:
    async with (
        open_stores(settings) as (database, redis),
        open_executions(settings, database, redis, _elsewhere) as executions,
    ):
        return await work(executions)


def _elsewhere(_: Runner) -> Launch:
    async def launch(execution_id: str) -> None:  # noqa: ARG001 - the service or a worker takes it up
        return

    return launch
