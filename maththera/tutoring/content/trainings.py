"""The trainings: interactive content that a front end only draws; items by level, from patterns checked when loaded."""

import re
from collections.abc import Iterable, Iterator, Sequence
from dataclasses import asdict, dataclass, field
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, TypeAdapter

from maththera.config_files import ConfigFile, Loc, refuse
from maththera.tutoring.content.training_patterns import Item, Lines, Pattern, Strict, parsed_id
from maththera.tutoring.content.training_tasks import TaskError, require
from maththera.tutoring.problems.seeded_draw import mixed
from maththera.tutoring.state import VisualMode

LEAST_ITEMS: Final = 6

_DRAWS: Final = 60
"""So many draws in a row without a new item, and there are no more."""
_TAKES_AWAY: Final = frozenset({"lend", "take_or_borrow"})


@dataclass(frozen=True, slots=True)
class Prompts(Strict):
    """Texts for the beginning, after a right answer, after another answer (each in turn), and for the end."""

    intro: Lines
    right: Annotated[tuple[Lines, ...], Field(min_length=2)]
    again: Annotated[tuple[Lines, ...], Field(min_length=2)]
    done: Lines


@dataclass(frozen=True, slots=True)
class MasteryRule(Strict):
    """`correct` of the last `of` items are right (3 of 3: three in a row); an item is right when its last step is."""

    correct: Annotated[int, Field(ge=1)]
    of: Annotated[int, Field(ge=1)]


@dataclass(frozen=True, slots=True)
class Training(Strict):
    """A training as a front end plays it. `concept` is what the practice counts for: Cog-C C1..C6, strategy S1..S7 or
    load E1..E3. It ends when `done` is met, else after `max_items`; when the items are used up they begin again."""

    id: str
    title: str
    goal: str
    concept: Annotated[str, Field(pattern=r"^(C[1-6]|S[1-7]|E[1-3])$")]
    widget: str
    visual_mode: VisualMode
    prompts: Prompts
    done: MasteryRule
    max_items: Annotated[int, Field(ge=1)]
    items: tuple[Item, ...] = field(repr=False)


@dataclass(frozen=True, slots=True)
class Other(Strict):
    """The same idea in another representation. Its texts, where they are not those of the first."""

    widget: str
    visual_mode: VisualMode
    patterns: Annotated[tuple[Pattern, ...], Field(min_length=1)] = field(repr=False)
    intro: Lines | None = None
    right: Annotated[tuple[Lines, ...], Field(min_length=2)] | None = None
    again: Annotated[tuple[Lines, ...], Field(min_length=2)] | None = None
    done: Lines | None = None


@dataclass(frozen=True, slots=True)
class Representation:
    """One way to show what a training is about."""

    widget: str
    visual_mode: VisualMode
    prompts: Prompts
    patterns: tuple[Pattern, ...]


@dataclass(frozen=True, slots=True)
class TrainingPlan(Strict):
    """A training as it is written down. `other`: another representation of the same idea, shown every second time."""

    id: str
    title: str
    goal: str
    concept: Annotated[str, Field(pattern=r"^(C[1-6]|S[1-7]|E[1-3])$")]
    widget: str
    visual_mode: VisualMode
    prompts: Prompts
    done: MasteryRule
    max_items: Annotated[int, Field(ge=1)]
    patterns: Annotated[tuple[Pattern, ...], Field(min_length=1)] = field(repr=False)
    other: Other | None = None

    @property
    def representations(self) -> tuple[Representation, ...]:
        """The first one, and the other where there is one."""
        first = Representation(self.widget, self.visual_mode, self.prompts, self.patterns)
        if (other := self.other) is None:
            return (first,)
        own = self.prompts
        prompts = Prompts(
            other.intro or own.intro, other.right or own.right, other.again or own.again, other.done or own.done
        )
        return (first, Representation(other.widget, other.visual_mode, prompts, other.patterns))

    def item(self, item_id: str) -> Item:
        """The item of an id. TaskError where the training has none such."""
        training_id, number, places = parsed_id(item_id)
        numbered = [(one, pattern) for one in self.representations for pattern in one.patterns]
        require(training_id == self.id and 1 <= number <= len(numbered), "id", f"{self.id} has no item {item_id}")
        representation, pattern = numbered[number - 1]
        return pattern.item(item_id, places, representation.widget)

    def training(self, item_ids: Sequence[str]) -> Training:
        """The training with these items, which are of one representation."""
        _, number, _ = parsed_id(item_ids[0])
        own = self.representations[number > len(self.patterns)]
        items = tuple(self.item(one) for one in item_ids)
        return Training(self.id, self.title, self.goal, self.concept, own.widget, own.visual_mode, own.prompts,
                        self.done, self.max_items, items)  # fmt: skip

    def draw(self, *, earlier: int, seed: int, level: int, limit: int | None) -> list[str]:
        """The ids of items for a child at `level` of the ladder, in which no number is above `limit`: in the other
        representation or of another level where those are too few, and none at all where the training has no such.
        `earlier`: how often the child has had the training: every second time it is shown in the other representation.
        The same arguments draw the same items."""
        found: list[str] = []
        for items in self._choices(earlier, seed, level, limit):
            drawn = [*items]
            if len(drawn) >= max(self.done.of, LEAST_ITEMS):
                return drawn
            found = max(found, drawn, key=len)
        return found

    def has_items(self, *, earlier: int, seed: int, level: int, limit: int | None) -> bool:
        """Whether there is an item to draw."""
        return any(True for items in self._choices(earlier, seed, level, limit) for _ in items)

    def _choices(self, earlier: int, seed: int, level: int, limit: int | None) -> Iterator[Iterator[str]]:
        """The ids of the items that may be drawn: of each representation those of the level, then of all levels."""
        shown = self.representations
        for number in range(earlier, earlier + len(shown)):
            place = number % len(shown)
            for patterns in self._patterns(place, level):
                sizes = self._drawn(patterns, shown[place].widget, (seed, earlier, *map(ord, self.id)), limit)
                yield (one for one, size in sizes if limit is None or size <= limit)

    def smallest(self, *, earlier: int, seed: int, level: int) -> list[str]:
        """The ids of the items with the smallest numbers, for what is smaller than all of them."""
        place = earlier % len(self.representations)
        patterns, *_ = self._patterns(place, level)
        widget = self.representations[place].widget
        sizes = dict(self._drawn(patterns, widget, (seed, earlier, *map(ord, self.id)), 0))
        return sorted(sizes, key=sizes.__getitem__)[: max(self.done.of, LEAST_ITEMS)]

    def _patterns(self, number: int, level: int) -> Iterator[Sequence[tuple[int, Pattern]]]:
        """Those of a representation with their numbers in an id: for the level, where there are any, then all."""
        patterns = self.representations[number].patterns
        numbered = [*enumerate(patterns, start=number * len(self.patterns) + 1)]
        fitting = [one for one in numbered if one[1].levels[0] <= level <= one[1].levels[1]]
        yield from (one for one in (fitting, numbered) if one)

    def _drawn(
        self, patterns: Sequence[tuple[int, Pattern]], widget: str, seeds: tuple[int, ...], limit: int | None
    ) -> Iterator[tuple[str, int]]:
        """The id of each item and its largest number: `max_items` up to the limit, where there are so many, and what
        was drawn on the way. The patterns take turns, from one that is drawn too. `widget`: of their representation."""
        tried: set[tuple[int, ...]] = set()
        low = [pattern.low_places(limit) for _, pattern in patterns]
        seeded = mixed(0, *seeds)
        start, fits, idle, turn = seeded % len(patterns), 0, 0, 0
        while fits < self.max_items and idle < _DRAWS * len(patterns):
            turn += 1
            idle += 1
            number = (start + turn) % len(patterns)
            (place, pattern), numbers = patterns[number], _Draw(mixed(seeded, turn)).picked(low[number])
            if (place, *numbers) in tried:
                continue
            tried.add((place, *numbers))
            one = ".".join(map(str, (f"{self.id}-{place}", *numbers)))
            try:
                largest = pattern.item(one, numbers, widget).largest
            except TaskError:
                continue
            if limit is None or largest <= limit:
                fits, idle = fits + 1, 0
            yield one, largest


class _Draw:
    """Draws that follow from a number alone."""

    def __init__(self, seeded: int) -> None:
        self._seeded, self._count = seeded, 0

    def picked(self, places: Sequence[Sequence[int]]) -> tuple[int, ...]:
        """One of each."""
        return tuple(one[self._index(len(one))] for one in places)

    def _index(self, size: int) -> int:
        self._count += 1
        return mixed(self._seeded, self._count) % size


@dataclass(frozen=True, slots=True)
class Drawn(Strict):
    """Texts that contain `words` are allowed only beside these widgets, or tasks of one (`widget.ask`)."""

    words: re.Pattern[str]
    by: frozenset[str]


def load_trainings(path: Path, drawings: Path) -> dict[str, TrainingPlan]:
    """Training id → training, in the file's order. `drawings`: which words are allowed beside which drawing.
    ConfigError names file, line, training, pattern, field and reason of every fault."""
    drawn = ConfigFile.read(drawings).parse(TypeAdapter(tuple[Drawn, ...]))
    document = ConfigFile.read(path)
    plans = document.parse(TypeAdapter(dict[Annotated[str, Field(pattern=r"^T\d\d$")], TrainingPlan]))
    faults = [document.fault(loc, reason) for key, plan in plans.items() for loc, reason in _faults(key, plan, drawn)]
    refuse(faults)
    return plans


def _faults(key: str, plan: TrainingPlan, drawn: Sequence[Drawn]) -> Iterator[tuple[Loc, str]]:
    if plan.id != key:
        yield (key, "id"), f"must be {key}"
    if not plan.done.correct <= min(plan.done.of, plan.max_items):
        yield (key, "done", "correct"), "more right answers than items"
    for place, one in enumerate(plan.representations):
        where: Loc = (key, "other") if place else (key,)
        texts: Loc = where if place else (key, "prompts")
        shown = [(pattern.widget or one.widget, pattern.ask) for pattern in one.patterns]
        yield from _undrawn_prompts(one.prompts, shown, drawn, texts)
        for index, (pattern, beside) in enumerate(zip(one.patterns, shown, strict=True)):
            for loc, reason in _pattern_faults(pattern, one.widget, beside, drawn):
                yield (*where, "patterns", index, *loc), reason
            if any(pattern.hint in lines for lines in one.prompts.again):
                yield (*where, "patterns", index, "hint"), "is a line of `again` too, below which it stands"


def _pattern_faults(
    pattern: Pattern, widget: str, beside: tuple[str, str], drawn: Sequence[Drawn]
) -> Iterator[tuple[Loc, str]]:
    """Faults of a pattern, found in the first item that its numbers make."""
    fault: tuple[Loc, str] = ((), "")
    for turn in range(_DRAWS):
        try:
            item = pattern.item("", _Draw(mixed(0, turn)).picked(pattern.low_places(None)), widget)
        except TaskError as error:
            where = error.loc if error.loc == ("steps",) else ("numbers", *error.loc) if error.loc else ("ask",)
            fault = where, f"no numbers make an item: {error}"
        except ValueError as error:
            yield ("steps",), str(error)
            return
        else:
            break
    else:
        yield fault
        return
    texts = [line for step in item.steps for line in step.prompt]
    yield from _undrawn([*texts, item.hint or ""], [beside], drawn, ())
    for index, step in enumerate(item.steps):
        if step.choices is not None and len(set(step.choices)) < len(step.choices):
            yield ("steps", index, "choices"), "each choice once"
    if beside[0] == "vertical" and isinstance(item.steps[-1].answer, int):
        whole = f"{item.params['a']}{'−' if item.ask in _TAKES_AWAY else '+'}{item.params['b']}"
        if whole not in " ".join(item.steps[-1].prompt):
            yield ("steps", len(item.steps) - 1, "prompt"), f"asks for the whole answer, so must name {whole}"


def _undrawn_prompts(
    prompts: Prompts, shown: Sequence[tuple[str, str]], drawn: Sequence[Drawn], where: Loc
) -> Iterator[tuple[Loc, str]]:
    """A training's own texts stand beside each of its items."""
    for name, said in asdict(prompts).items():
        for index, lines in enumerate(said if name in ("right", "again") else [said]):
            place = (index,) if name in ("right", "again") else ()
            yield from _undrawn(lines, shown, drawn, (*where, name, *place))


def _undrawn(
    lines: Iterable[str], shown: Sequence[tuple[str, str]], drawn: Sequence[Drawn], loc: Loc
) -> Iterator[tuple[Loc, str]]:
    """Texts that name what is not on the screen."""
    for line in lines:
        for one in drawn:
            if (word := one.words.search(line)) and any(
                one.by.isdisjoint((widget, f"{widget}.{ask}")) for widget, ask in shown
            ):
                yield loc, f"{line!r} names {word[0]!r}, which is not drawn there"
