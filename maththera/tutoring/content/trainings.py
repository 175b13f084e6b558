"""The trainings: interactive content that a front end only draws, checked to the last answer when loaded."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Any, ClassVar, Final

from pydantic import ConfigDict, Field, TypeAdapter

from maththera.config_files import ConfigError, ConfigFile, Loc
from maththera.tutoring.content.training_tasks import Answer, TaskError, answers
from maththera.tutoring.state import VisualMode

Lines = Annotated[tuple[str, ...], Field(min_length=1, max_length=3)]
"""Lines shown together: at most three sentences, within the tone guide."""

LEAST_ITEMS: Final = 6

_TAKES_AWAY: Final = frozenset({"lend", "take_or_borrow"})


class _Strict:
    __pydantic_config__: ClassVar[ConfigDict] = ConfigDict(extra="forbid")


@dataclass(frozen=True, slots=True)
class Step(_Strict):
    """One question. Without `choices` the child types, writes or places the answer."""

    prompt: Lines
    answer: Answer
    choices: tuple[Answer, ...] | None = None


@dataclass(frozen=True, slots=True)
class Item(_Strict):
    """One drawing and the questions about it, step by step. `ask` and `params` name a task of `training_tasks`."""

    id: str
    ask: str
    params: dict[str, Any]
    steps: Annotated[tuple[Step, ...], Field(min_length=1)]
    widget: str | None = None
    """None: the training's."""
    hint: str | None = None


@dataclass(frozen=True, slots=True)
class Prompts(_Strict):
    """Texts for the beginning, after a right answer, after another answer (each in turn), and for the end."""

    intro: Lines
    right: Annotated[tuple[Lines, ...], Field(min_length=2)]
    again: Annotated[tuple[Lines, ...], Field(min_length=2)]
    done: Lines


@dataclass(frozen=True, slots=True)
class Done(_Strict):
    """`correct` of the last `of` items are right (3 of 3: three in a row); an item is right when its last step is."""

    correct: Annotated[int, Field(ge=1)]
    of: Annotated[int, Field(ge=1)]


@dataclass(frozen=True, slots=True)
class Training(_Strict):
    """`concept` is what the practice counts for: Cog-C C1..C6, strategy S1..S7 or load E1..E3. It ends when `done` is
    met, else after `max_items`; when the items are used up they begin again."""

    id: str
    title: str
    goal: str
    concept: Annotated[str, Field(pattern=r"^(C[1-6]|S[1-7]|E[1-3])$")]
    widget: str
    visual_mode: VisualMode
    prompts: Prompts
    done: Done
    max_items: Annotated[int, Field(ge=1)]
    items: Annotated[tuple[Item, ...], Field(min_length=LEAST_ITEMS)] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Drawn(_Strict):
    """Texts that contain `words` are allowed only beside these widgets, or tasks of one (`widget.ask`)."""

    words: re.Pattern[str]
    by: frozenset[str]


def load_trainings(path: Path, drawings: Path) -> dict[str, Training]:
    """Training id → training, in the file's order. `drawings`: which words are allowed beside which drawing.
    ConfigError names file, line, training, item, field and reason of every fault, wrong answers included."""
    drawn = ConfigFile.read(drawings).parse(TypeAdapter(tuple[Drawn, ...]))
    document = ConfigFile.read(path)
    trainings = document.parse(TypeAdapter(dict[Annotated[str, Field(pattern=r"^T\d\d$")], Training]))
    faults = [
        document.fault(loc, reason)
        for key, training in trainings.items()
        for loc, reason in (*_faults(key, training), *_undrawn(key, training, drawn))
    ]
    if faults:
        raise ConfigError("\n".join(faults))
    return trainings


def _faults(key: str, training: Training) -> Iterator[tuple[Loc, str]]:
    if training.id != key:
        yield (key, "id"), f"must be {key}"
    if not training.done.correct <= min(training.done.of, training.max_items):
        yield (key, "done", "correct"), "more right answers than items"
    seen: set[str] = set()
    for index, item in enumerate(training.items):
        where = (key, "items", index)
        if not item.id.startswith(f"{key}-") or item.id in seen:
            yield (*where, "id"), f"must begin with {key}- and be its only one"
        seen.add(item.id)
        yield from (((*where, *loc), reason) for loc, reason in _item_faults(item, training.widget))


def _undrawn(key: str, training: Training, drawn: Sequence[Drawn]) -> Iterator[tuple[Loc, str]]:
    """Faults of texts that name what is not on the screen. A training's own texts stand beside each of its items."""
    shown = [(item.widget or training.widget, item.ask) for item in training.items]
    prompts = training.prompts
    for name, lines in (("intro", prompts.intro), ("done", prompts.done)):
        yield from _unshown(lines, shown, drawn, (key, "prompts", name))
    for name, said in (("right", prompts.right), ("again", prompts.again)):
        for index, lines in enumerate(said):
            yield from _unshown(lines, shown, drawn, (key, "prompts", name, index))
    for index, (item, beside) in enumerate(zip(training.items, shown, strict=True)):
        texts = [line for step in item.steps for line in step.prompt]
        yield from _unshown([*texts, item.hint or ""], [beside], drawn, (key, "items", index))


def _unshown(
    lines: Iterable[str], shown: Sequence[tuple[str, str]], drawn: Sequence[Drawn], loc: Loc
) -> Iterator[tuple[Loc, str]]:
    for line in lines:
        for one in drawn:
            if (word := one.words.search(line)) and any(
                one.by.isdisjoint((widget, f"{widget}.{ask}")) for widget, ask in shown
            ):
                yield loc, f"{line!r} names {word[0]!r}, which is not drawn there"


def _item_faults(item: Item, widget: str) -> Iterator[tuple[Loc, str]]:
    try:
        right = answers(item.widget or widget, item.ask, item.params)
    except TaskError as error:
        yield (("params", *error.loc) if error.loc else ("ask",)), str(error)
        return
    if len(right) != len(item.steps):
        yield ("steps",), f"{item.ask} has {len(right)} steps"
    if widget == "vertical" and isinstance(right[-1], int):
        whole = f"{item.params['a']}{'−' if item.ask in _TAKES_AWAY else '+'}{item.params['b']}"
        if whole not in " ".join(item.steps[-1].prompt):
            yield ("steps", len(item.steps) - 1, "prompt"), f"asks for the whole answer, so must name {whole}"
    for index, (step, answer) in enumerate(zip(item.steps, right, strict=False)):
        if step.answer != answer:
            yield ("steps", index, "answer"), f"must be {answer} by its parameters"
        if step.choices is not None and (step.answer not in step.choices or len(set(step.choices)) < len(step.choices)):
            yield ("steps", index, "choices"), "must hold the answer, and each choice once"
