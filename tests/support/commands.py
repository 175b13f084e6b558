"""tests/data/commands.yaml, and how well commands are understood by rules alone."""

from collections.abc import Mapping
from dataclasses import dataclass, field
from datetime import date
from functools import cache
from pathlib import Path
from typing import Any, Final

import yaml

from maththera.flows.commands.command_entities import read_entities
from maththera.flows.commands.command_matcher import Choice, Matcher, sentence_of
from maththera.flows.commands.command_rules import load_command_rules, load_known_names
from maththera.settings import home
from tests.support.flow_world import catalogue, shipped

FILE: Final = Path(__file__).parents[1] / "data" / "commands.yaml"
HALVES: Final = ("development", "test")


@dataclass(frozen=True, slots=True)
class Command:
    """`target`: the flow or tool that is meant. `asks`: it must be asked back, about what is `missing`."""

    say: str
    target: str | None
    asks: bool
    missing: frozenset[str]
    parameters: Mapping[str, Any]


@dataclass(slots=True)
class Score:
    """Counts. `wrong_acts`: carried out, and not what was meant or not to be carried out at all. `failures` tell each
    command that was not understood."""

    commands: int = 0
    targets: int = 0
    with_parameters: int = 0
    parameters: int = 0
    wrong_acts: int = 0
    failures: list[str] = field(default_factory=list)


@cache
def data() -> dict[str, Any]:
    read: dict[str, Any] = yaml.load(FILE.read_text(encoding="utf-8"), yaml.CSafeLoader)
    return read


def today() -> date:
    found: date = data()["today"]
    return found


def commands(half: str) -> list[Command]:
    return [
        Command(
            each["say"],
            each.get("flow") or each.get("tool"),
            each.get("ask", False),
            frozenset(each.get("missing", ())),
            each.get("parameters", {}),
        )
        for each in data()[half]
    ]


@cache
def matcher() -> Matcher:
    rules = load_command_rules(home())
    names = load_known_names(home(), rules, schools=data()["schools"])
    return Matcher(shipped().latest().values(), catalogue(), rules, names)


def learnt_sentences() -> list[tuple[str, str]]:
    """What the model of commands learns from, each as it is read, with what it means."""
    written = yaml.load((FILE.parent / "command_lines.yaml").read_text(encoding="utf-8"), yaml.CSafeLoader)
    lines = [(text, name) for name, texts in written.items() for text in texts]
    lines += [(each.say, each.target or "none") for each in commands("development")]
    lines += [(text, flow.name) for flow in shipped().latest().values() for text in flow.examples]
    rules = load_command_rules(home())
    names = load_known_names(home(), rules, schools=data()["schools"], students={"가람": "s1", "나래": "s2"})
    return [(sentence_of(read_entities(text, rules, names, today())), name) for text, name in lines]


def measured(half: str) -> Score:
    """Every command of one half."""
    score = Score()
    for command in commands(half):
        choice = matcher().choose(command.say, today())
        acted = choice.kind != "ask"
        score.commands += 1
        score.wrong_acts += acted and (command.asks or choice.name != command.target)
        if not _understood(command, choice):
            score.failures.append(f"{command.say} → {choice.kind} {choice.name} {choice.confidence:.2f}")
            continue
        score.targets += 1
        if command.target is not None:
            score.with_parameters += 1
            score.parameters += _right_parameters(command, choice)
    return score


def _understood(command: Command, choice: Choice) -> bool:
    if command.asks:
        return choice.kind == "ask" and command.target in (None, choice.name)
    return choice.kind != "ask" and choice.name == command.target


def _right_parameters(command: Command, choice: Choice) -> bool:
    if command.asks:
        return frozenset(choice.missing) == command.missing
    return choice.parameters == dict(command.parameters)
