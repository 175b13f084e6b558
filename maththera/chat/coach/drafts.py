"""A reply of the coach while it is written: its lines, and what the conversation remembers afterwards."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from pathlib import Path
from typing import Annotated, Literal, NotRequired

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter
from typing_extensions import TypedDict

from maththera.arithmetic.problem import Problem
from maththera.chat.coach.basics import Basics
from maththera.chat.coach.learner_facts import Facts
from maththera.chat.coach.polite_lines import polite
from maththera.chat.coach.small_talk import TalkBook
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.state import ToolResult
from maththera.config_files import ConfigFile
from maththera.json_types import JsonObject

Text = Annotated[str, Field(min_length=1)]


class ListItem(TypedDict):
    """One item of a list that was shown: a kind of problem, or one step of a solution."""

    what: str
    id: str


class Story(TypedDict):
    """A story with numbers: its first amount, the one before the last step, and where it stands now. Of a sharing also
    among how many, and how many are left over; of equal parts the counter of the `rest` that makes none; of groups how
    many are in each, and the word for one; of a comparison that it is one."""

    first: int
    before: int
    value: int
    counter: str
    sharers: NotRequired[int]
    left: NotRequired[int]
    rest: NotRequired[str]
    each: NotRequired[int]
    group: NotRequired[str]
    compared: NotRequired[bool]


class NumberTopic(TypedDict):
    """What talk of numbers is about (the number that is divided by; one whose digits are written; a unit that is taken
    apart; a times table; one that was written the other way round; a rounder one that is taken in its place; how far
    both numbers of a difference were moved; one whose divisors are asked for; fingers that are
    yet to be put up; the larger of two; one counted up from; one taken apart by its
    places; one of which others are so many; even and odd ones), for a short question after it."""

    about: Literal[
        "remainder", "digits", "apart", "table", "turned", "near", "moved", "divisors", "fingers", "compared", "up",
        "composed", "units", "parity",
    ]  # fmt: skip
    number: int


@dataclass(frozen=True, slots=True)
class NumberWord:
    """A text of the coach by its key, with its values. `topic`: what a short question after it is about."""

    key: str
    slots: dict[str, object] = field(default_factory=dict)
    topic: NumberTopic | None = None


class Board(TypedDict, total=False):
    """What was said in this conversation, as structure. `intent`, `ask`: of the turn before. `times`: how often each
    text was said. `expression`: what was explained last, in `ways` ways; `shown`: what was before it; `problem`: an
    exercise that waits for the child's answer. `hints`: given so far, by expression. `items`: the last list, `item` its
    current one. `kind`: the kind of problem that is spoken of; `refused`: those that were turned down. `offer`: the ask
    that a yes stands for. `figure`: what was counted last, from the day `since` to `until`. `concept`: the word that
    was explained last, of which the `aspects` were told. `sheet`: several problems that were given at once. `found`:
    the equations that the child has found of a problem, `explained`: in which ways it was explained, both by
    expression. `words`: the last two words that were explained. `records`: a question about several learners that was
    answered last; `topic`: of the talk of numbers before. `made`: what an adult had made last; `advice`: what
    an adult was advised in the turn before."""

    intent: str
    ask: str
    times: dict[str, int]
    expression: str
    shown: list[str]
    given: int | None
    ways: int
    problem: str
    hints: dict[str, int]
    items: list[ListItem]
    item: int
    kind: str
    refused: list[str]
    offer: str
    figure: str
    since: str
    until: str
    story: Story
    sheet: list[str]
    concept: str
    aspects: list[str]
    found: dict[str, list[str]]
    explained: dict[str, list[str]]
    words: list[str]
    records: JsonObject | None
    topic: NumberTopic
    made: JsonObject | None
    advice: str


class Saying(BaseModel):
    """The ways to say something, to a child and to an adult."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    child: tuple[str, ...] = ()
    adult: tuple[str, ...] = ()


class ReplyTexts(BaseModel):
    """`configs/chat/coach/replies.yaml`, see its comments, the basics, and what is said to talk."""

    model_config = ConfigDict(extra="forbid", frozen=True)

    kinds: Mapping[str, Mapping[str, Text]]
    says: Mapping[str, Saying]
    basics: Basics = Basics({})
    book: TalkBook = TalkBook()

    @classmethod
    def load(cls, home: Path) -> "ReplyTexts":
        """ConfigError names every field that does not fit."""
        texts = ConfigFile.read(home / "configs" / "chat" / "coach" / "replies.yaml").parse(TypeAdapter(cls))
        book = TalkBook.load(home)
        talk = {
            name: Saying(child=one.child, adult=one.adult) for name, one in book.talk.items() if one.child or one.adult
        }
        return texts.model_copy(update={"basics": Basics.load(home), "book": book, "says": {**texts.says, **talk}})


@dataclass(frozen=True, slots=True)
class CoachTurn:
    """What is asked. `ask`: as the reader found; `opened`: the child's open tasks, the newest first; `also`: a second
    ask of the message; `charted`: it wanted a chart, and one is shown. `facts`: None without records of anybody;
    `told`: the answer before."""

    message: str
    ask: str
    adult: bool
    board: Board
    opened: Sequence[Problem] = ()
    names: Sequence[str] = ()
    also: str = ""
    facts: Facts | None = None
    results: Sequence[ToolResult] = ()
    told: str = ""
    charted: bool = False

    def found(self, tool: str) -> list[JsonObject]:
        """The results of a tool, without failed calls."""
        return [one["result"] for one in self.results if one["tool"] == tool and not one["error"]]


@dataclass
class Draft:
    """Collects lines. Each text is said in its next wording when it is said again."""

    texts: ReplyTexts
    adult: bool
    board: Board
    lines: list[str] = field(default_factory=list)

    def say(self, key: str, **slots: object) -> None:
        """Add a text by its key."""
        self.add(self.worded(key, **slots))

    def add(self, *lines: str) -> None:
        self.lines += [line for line in lines if line]

    def worded(self, key: str, **slots: object) -> str:
        """A text in the wording whose turn it is; to a child that had none right, the text of that, if there is one."""
        if slots.get("right") == 0 and not self.adult and f"{key}_none_right" in self.texts.says:
            key = f"{key}_none_right"
        saying = self.texts.says[key]
        ways = saying.adult if self.adult and saying.adult else saying.child or saying.adult
        times = self.board.setdefault("times", {})
        said = times.get(key, 0)
        times[key] = said + 1
        return fill_template(ways[said % len(ways)], **slots).rstrip().replace("  ", " ")

    def kind(self, kind: str, field_: str) -> str:
        """A text on a kind of problem, for an adult where there is one of its own."""
        own = self.texts.kinds[kind]
        return own.get(f"{field_}_adult", own[field_]) if self.adult else own[field_]

    @property
    def text(self) -> str:
        """The whole reply; an adult is always spoken to in 해요체."""
        said = "\n".join(self.lines)
        return polite(said) if self.adult else said
