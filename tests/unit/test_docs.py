"""The guides name what is there: every setting, make target, metric and row. Their dialogues play as printed."""

import re
from collections.abc import Iterator
from pathlib import Path
from typing import Any, Final

import pytest
from prometheus_client import Metric
from typer.main import get_command

from maththera.api.http_layer.metrics import Metrics
from maththera.arithmetic.curriculum import UNITS
from maththera.arithmetic.problem import make_problem, parse_expression
from maththera.cli import app
from maththera.flows.runs.run_context import CLOSING_SECONDS, DRAIN_SECONDS
from maththera.settings import PREFIX, Settings
from maththera.tutoring.nodes import Nodes
from maththera.tutoring.session.in_memory_engine import InMemoryEngine
from maththera.tutoring.state import Event, TutoringState
from maththera.tutoring.transitions import ROWS
from maththera.tutoring.turns.turn import TurnContext
from tests.support.tutoring import rules

ROOT: Final = Path(__file__).parents[2]
GUIDES: Final = [
    *(ROOT / "docs" / name for name in ("tutoring.md", "tutoring.ko.md", "operating.md", "operating.ko.md")),
    *(ROOT / "docs" / name for name in ("architecture.md", "architecture.ko.md")),
    *(ROOT / name for name in ("README.md", "README.ko.md", "CONTRIBUTING.md")),
]
PAGES: Final = sorted([*ROOT.glob("*.md"), *(ROOT / "docs").glob("*.md")])
TUTORING, OPERATING, ARCHITECTURE = GUIDES[:2], GUIDES[2:4], GUIDES[4:6]
SETTINGS: Final = {f"{PREFIX}{name.upper()}" for name in Settings.model_fields}


def names(paths: list[Path]) -> list[str]:
    return [path.name for path in paths]


def table_keys(path: Path, heading: str) -> list[str]:
    """The code in the first column of the tables under a heading."""
    section = re.split(rf"^#+ .*{re.escape(heading)}.*$", path.read_text(encoding="utf-8"), maxsplit=1, flags=re.M)[1]
    section = re.split(r"^## ", section, maxsplit=1, flags=re.M)[0]
    cells = re.findall(r"^\| ([^|]+) \|", section, flags=re.M)
    return [code for cell in cells for code in re.findall(r"`([^`]+)`", cell)]


def make_targets() -> set[str]:
    return set(re.findall(r"^([a-z-]+):.*## ", (ROOT / "Makefile").read_text(encoding="utf-8"), flags=re.M))


# --- what is named exists, and what exists is named -------------------------------------------------------------------


@pytest.mark.parametrize("path", PAGES, ids=names(PAGES))
def test_links_lead_somewhere(path: Path) -> None:
    for target in re.findall(r"\]\(([^)#:]+)(?:#[^)]*)?\)", path.read_text(encoding="utf-8")):
        if "benchmarks" not in target:
            assert (path.parent / target).exists(), target


@pytest.mark.parametrize("path", PAGES, ids=names(PAGES))
def test_a_source_file_that_is_named_exists(path: Path) -> None:
    for file in re.findall(r"`([\w.-]+/[\w/.-]+\.(?:py|ts|svelte))`", path.read_text(encoding="utf-8")):
        assert (ROOT / file).is_file(), file


@pytest.mark.parametrize("path", GUIDES, ids=names(GUIDES))
def test_files_variables_and_targets_that_are_named_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for file in re.findall(r"`((?:maththera|configs|prompts|scripts|tests)/[\w/.{},]+)`", text):
        assert (ROOT / file).exists(), file
    assert set(re.findall(rf"\b{PREFIX}\w*[A-Z]\b", text)) <= SETTINGS
    assert set(re.findall(r"\bmake ([a-z-]+)\b(?=[`\s])", "\n".join(_code(text)))) <= make_targets()


def _code(text: str) -> list[str]:
    return [
        *re.findall(r"```sh\n(.*?)```", text, flags=re.S),
        *(f"{code}`" for code in re.findall(r"`([^`\n]+)`", text)),
    ]


@pytest.mark.parametrize("path", PAGES, ids=names(PAGES))
def test_commands_and_options_that_are_shown_exist(path: Path) -> None:
    text = path.read_text(encoding="utf-8")
    for shown in re.findall(r"(?:\$ |`|\.venv/bin/|^)maththera +([a-z][^`\n#|]*)", text, flags=re.M):
        command: Any = get_command(app)
        words = shown.split()
        while words and hasattr(command, "commands") and not words[0].startswith("-"):
            assert words[0] in command.commands, f"maththera {shown}"
            command = command.commands[words.pop(0)]
        known = {option for parameter in command.params for option in parameter.opts}
        assert {word for word in words if re.match(r"--?[a-z]", word)} <= known, f"maththera {shown}"


@pytest.mark.parametrize("path", ARCHITECTURE, ids=names(ARCHITECTURE))
def test_every_room_stands_in_the_table(path: Path) -> None:
    entries = (ROOT / "maththera").iterdir()
    rooms = {entry.stem for entry in entries if entry.suffix == ".py" or (entry / "__init__.py").is_file()}
    table = re.findall(r"^\| (`[^|]+) \|", path.read_text(encoding="utf-8"), flags=re.M)
    listed = [room for cell in table for room in re.findall(r"`(\w+)`", cell)]
    assert sorted(listed) == sorted(rooms - {"__init__", "__main__", "__pycache__", "settings"})


@pytest.mark.parametrize("path", OPERATING, ids=names(OPERATING))
def test_every_setting_stands_in_the_table(path: Path) -> None:
    assert sorted(table_keys(path, "MATHTHERA_")) == sorted(SETTINGS)


@pytest.mark.parametrize("path", OPERATING, ids=names(OPERATING))
def test_every_make_target_stands_in_the_table(path: Path) -> None:
    assert sorted(table_keys(path, "make")) == sorted(f"make {target}" for target in make_targets())


@pytest.mark.parametrize("path", OPERATING, ids=names(OPERATING))
def test_every_metric_stands_in_the_table(path: Path) -> None:
    assert sorted(table_keys(path, "/metrics")) == sorted(map(_name, Metrics().registry.collect()))


def _name(metric: Metric) -> str:
    return f"{metric.name}_total" if metric.type == "counter" else metric.name


@pytest.mark.parametrize("path", TUTORING, ids=names(TUTORING))
def test_every_row_of_the_transition_table_is_explained(path: Path) -> None:
    assert sorted(table_keys(path, "transitions.py")) == sorted(ROWS)


@pytest.mark.parametrize("path", TUTORING, ids=names(TUTORING))
def test_the_ladder_is_the_programs(path: Path) -> None:
    rows = re.findall(
        r"^\| (\d+) \| ([^|]+) \| ([^|]+) \| (\d+) \| ([\d.]+)–([\d.]+) \|", path.read_text("utf-8"), re.M
    )
    assert [(int(c), int(down), float(low), float(high)) for c, _, _, down, low, high in rows] == [
        (unit.c, unit.down, *rules().bank.band(unit.c)) for unit in UNITS
    ]
    for c, _, examples, *_ in rows:
        for example in examples.split(", "):
            a, op, b = parse_expression(example) if "□" not in example else (6, "-", 2)
            assert make_problem(a, op, b).c_level == int(c), example


def test_whoever_stops_a_worker_waits_until_its_steps_have_ended() -> None:
    found = re.search(r"stop_grace_period: (\d+)s", (ROOT / "compose.yaml").read_text(encoding="utf-8"))
    assert found
    seconds = int(found[1])
    assert DRAIN_SECONDS < CLOSING_SECONDS < seconds
    for path in OPERATING:
        text = path.read_text(encoding="utf-8")
        for named in (f"`TimeoutStopSec={seconds}`", f"`terminationGracePeriodSeconds: {seconds}`"):
            assert named in text
        for figure in (DRAIN_SECONDS, CLOSING_SECONDS, seconds):
            assert re.search(rf"\b{figure:.0f}(?: s\b|초)", text)


# --- the dialogues play as they are printed ---------------------------------------------------------------------------

Line = tuple[str, ...]


def dialogues() -> Iterator[Any]:
    for path in TUTORING:
        for number, block in enumerate(re.findall(r"```text\n(.*?)```", path.read_text(encoding="utf-8"), flags=re.S)):
            lines = [tuple(re.split(r"\s{2,}", line.strip())) for line in block.splitlines()]
            yield pytest.param(lines[1:], id=f"{path.name}-{number + 1}")


@pytest.mark.parametrize("lines", [*dialogues()])
def test_dialogue(lines: list[Line]) -> None:
    engine = InMemoryEngine(Nodes(rules()))
    first = rules().bank.find(*parse_expression(lines[0][0].removesuffix("=□")), "horizontal")
    problem = first or make_problem(*parse_expression(lines[0][0].removesuffix("=□")))
    state = engine.begin({"first_problem": problem.problem_id, "seed": 7})
    for prompt, said, row, phase, position, *cause in lines:
        assert state["task"] is not None
        assert prompt in ("…", state["task"]["prompt"])
        context = TurnContext()
        state = engine.turn(state, _event(state, said), context)
        assert context.turn is not None
        diagnosis = context.turn.response["diagnosis"]
        place = f"C{state['c_position']} W{state['w_position']:g}"
        assert (prompt, row, phase, position) == (prompt, _row(context), state["current_step"], place)
        if cause:
            named = diagnosis["cause_tag"] or " / ".join(diagnosis["candidates"])
            assert cause[0] in (named, f"{named} {diagnosis['confidence'] or '?'}")


def _row(context: TurnContext) -> str:
    assert context.turn is not None
    found: str = next(one["payload"]["row"] for one in context.turn.trace if one["type"] == "adaptation_result")
    return found


def _event(state: TutoringState, said: str) -> Event:
    """A number, ✓ (right) or ✗ (one too many), time and behaviour in brackets; – no answer; ◎ the training done."""
    task = state["task"]
    assert task is not None
    event: Event = {"request_id": f"r{state['turn']}", "task_id": task["task_id"]}
    if said == "–":
        return {**event, "type": "timeout"}
    if said == "◎":
        assert task["training_id"] is not None
        return {**event, "type": "training_done", "training_id": task["training_id"], "results": {}}
    answer, _, brackets = said.partition(" ")
    seconds, *tags = brackets.strip("()").split(", ") if brackets else ["3 s"]
    right = rules().bank.problem(task["problem_id"] or "").answer
    number = {"✓": right, "✗": right + 1}.get(answer)
    rt_ms = round(float(seconds.split()[0]) * 1000)
    return {**event, "type": "answer_submitted", "answer": int(answer) if number is None else number, "rt_ms": rt_ms,
            "behavior_tags": tags}  # fmt: skip
