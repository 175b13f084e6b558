"""`maththera flow run`, `plan` and `new`: flows run, planned and drafted in this process, without a service."""

import asyncio
import json
from collections.abc import AsyncIterator, Iterable, Iterator
from contextlib import asynccontextmanager, contextmanager
from pathlib import Path
from typing import Any, Final

import typer
from langgraph.checkpoint.memory import InMemorySaver
from rich.console import Console
from rich.json import JSON
from rich.prompt import Prompt
from rich.text import Text
from rich.tree import Tree

from maththera.app.execution_resources import open_manager
from maththera.builtin_graphs import GRAPHS
from maththera.cli.command_errors import EXIT_CODE, exit_on_user_error
from maththera.cli.flows import workspace
from maththera.cli.flows.workspace import json_or_text, named_servers
from maththera.cli.text_tables import list_console
from maththera.flows.commands.command_matcher import Matcher
from maththera.flows.commands.command_rules import load_command_rules, load_known_names
from maththera.flows.commands.flow_drafts import Draft, NoTemplate, draft_flow
from maththera.flows.flow import Flow, InputError
from maththera.flows.runs.flow_runner import RunOutcome, run_flow
from maththera.flows.runs.python_sandbox import Sandbox
from maththera.flows.runs.run_plan import PlannedStep
from maththera.flows.runs.run_plan import plan as plan_of
from maththera.flows.runs.step_actions import Question, answer_mistakes
from maththera.flows.runs.step_services import StepServices, ask_with_models
from maththera.json_types import JsonObject
from maththera.llm.model_client import Models
from maththera.runtime.event_log import Event
from maththera.settings import Settings, home

_THREAD: Final = "here"
_YES_NO: Final = {
    word: {"approved": approved}
    for approved, words in ((True, ("y", "yes", "예", "네")), (False, ("n", "no", "아니요", "아니오")))
    for word in words
}


def run(name: str, pairs: list[str], version: str | None, *, as_json: bool) -> None:
    """Runs a flow. With `as_json` the steps are shown on standard error."""
    console = Console(highlight=False, stderr=as_json)
    with exit_on_user_error():
        outcome = asyncio.run(_run(name, pairs, version, console))
    if as_json:
        typer.echo(json.dumps(outcome.result, ensure_ascii=False, indent=2))
    elif outcome.status == "completed":
        console.print(
            JSON.from_data(outcome.result, ensure_ascii=False), soft_wrap=True
        )  # a link broken over two rows cannot be followed
    if outcome.error is not None:
        where = f" ({outcome.error['tool']})" if outcome.error["tool"] else ""
        console.print(Text(f"실패: {outcome.error['step']}{where}: {outcome.error['message']}", "red"))
    if outcome.status != "completed":
        raise typer.Exit(1)


async def _run(name: str, pairs: list[str], version: str | None, console: Console) -> RunOutcome:
    async with services(workspace.reachable(name)) as tools:
        flow, catalog = workspace.find(name, version, tools.tools.catalogue())
        tools.flows = catalog.latest()
        inputs = _inputs(flow, pairs)
        return await _to_the_end(flow, inputs, tools, console)


async def _to_the_end(flow: Flow, inputs: JsonObject, tools: StepServices, console: Console) -> RunOutcome:
    """Runs the flow to its end and asks its questions in the terminal."""
    saver, answers = InMemorySaver(), None

    async def show(event: Event) -> None:
        if (line := _line(event)) is not None:
            console.print(line)

    while True:
        outcome = await run_flow(
            flow, inputs, tools, checkpointer=saver, execution_id=_THREAD, on_event=show, answer=answers
        )
        if outcome.status != "waiting":
            return outcome
        answers = {step: await asyncio.to_thread(_ask, asked, console) for step, asked in outcome.waiting.items()}


def _inputs(flow: Flow, pairs: list[str]) -> JsonObject:
    inputs = workspace.typed_inputs(flow, workspace.input_values(pairs))
    with _inputs_that_fit():
        flow.complete_inputs(inputs)
    return inputs


@contextmanager
def _inputs_that_fit() -> Iterator[None]:
    """Ends the command with a line for each input that does not fit."""
    try:
        yield
    except InputError as error:
        for name, reason in error.errors.items():
            typer.echo(f"{name}: {reason}", err=True)
        raise typer.Exit(EXIT_CODE) from None


def _ask(asked: Question, console: Console) -> Any:
    """Reads an answer that fits the form: yes or no where that is enough, else JSON."""
    form = asked["form"]
    fields: JsonObject = form.get("properties", {})
    simple = "approved" in fields and set(form.get("required", fields)) <= {"approved"}
    prompt = Text(f"{asked['question']} {'[y/n]' if simple else '(JSON)'}")  # a Text, as the question may hold brackets
    while True:
        text = Prompt.ask(prompt, console=console).strip()
        answer = _YES_NO[text.lower()] if simple and text.lower() in _YES_NO else json_or_text(text)
        wrong = answer_mistakes(form, answer)
        if not wrong:
            return answer
        console.print(Text("\n".join(map(str, wrong)), "red"))


def _line(event: Event) -> Text | None:
    name = event.get("name", event.get("step", ""))
    match event["type"]:
        case "step_started":
            return Text(f"▶ {name}", "cyan")
        case "step_finished":
            way = f" → {event['to']}" if event["to"] else ""
            return Text(f"✓ {name}  {event['ms']:,} ms{way}", "green")
        case "step_skipped":
            return Text(f"– {name}: {event['reason']}", "dim")
        case "step_failed":
            return Text(f"✗ {name}: {event['message']}", "red")
        case "retry":
            return Text(f"↻ {name}: {event['attempt']}/{event['of']}, {event['in']:g} s: {event['message']}", "yellow")
        case "warning":
            return Text(f"! {event['step']}: {event['message']}", "yellow")
        case "progress":
            return Text(f"  {event['step']}: {event['done']}/{event['of']}", "dim")
    return None


def plan(name: str, pairs: list[str], version: str | None) -> None:
    with exit_on_user_error():
        flow, planned = asyncio.run(_planned(name, pairs, version))
    tree = Tree(Text(f"{flow.name} {flow.version}", "bold"))
    for step in planned:
        _grow(tree, step)
    list_console().print(tree)


async def _planned(name: str, pairs: list[str], version: str | None) -> tuple[Flow, list[PlannedStep]]:
    flow, _ = workspace.find(name, version, await workspace.catalogue(workspace.reachable(name)))
    with _inputs_that_fit():
        return flow, plan_of(flow, workspace.typed_inputs(flow, workspace.input_values(pairs)))


def _grow(tree: Tree, step: PlannedStep) -> None:
    head = Text.assemble((step.name, "bold"), f"  {step.what}")
    if step.after:
        head.append(f"  ← {', '.join(step.after)}", "dim")
    if step.when is not None:
        head.append(f"  if {step.when}", "yellow")
    branch = tree.add(head)
    if isinstance(step.values, dict):
        for name, value in step.values.items():
            branch.add(Text(f"{name}: {json.dumps(value, ensure_ascii=False)}", "dim"))
    elif step.values is not None:
        branch.add(Text(json.dumps(step.values, ensure_ascii=False), "dim"))
    for inner in step.steps:
        _grow(branch, inner)


def models() -> Models:
    """The configured models; without an address or a key none is available."""
    return Models.from_settings(Settings.from_environment())


@asynccontextmanager
async def services(paths: Iterable[Path]) -> AsyncIterator[StepServices]:
    """Runs the servers that these files name; a server that does not start is reported on standard error."""
    async with open_manager(Settings.from_environment()) as manager, Sandbox() as sandbox:
        for name, reason in (await manager.connect(named_servers(paths) & manager.catalogue().keys())).items():
            typer.echo(f"{name}: {reason}", err=True)
        yield StepServices(manager, sandbox, graphs=GRAPHS, ask=ask_with_models(models()))


def new(wish: str, output: Path | None) -> None:
    """Writes a draft. Exit code 1 for a draft with mistakes."""
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
