"""The answers to messages of danger, with their helplines: texts written by people, checked at load."""

import re
import string
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from datetime import date
from pathlib import Path
from typing import Annotated, Final

from pydantic import Field, TypeAdapter

from maththera.config_files import ConfigFile, ConfigModel, Text, refuse
from maththera.words.danger.danger_detection import CATEGORIES, Category
from maththera.words.input_filter.filter_words import Pattern

_CHILD_LINES: Final = 4
_LINE: Final = 45
"""The longest line to a child, in characters, with its numbers filled in."""
_NAMED_BY_NO_NUMBER: Final = "sadness"
_BY_THEMSELVES: Final = "adult_tells"
"""Categories that concern adults themselves, with an answer of their own."""
_ABOUT_ONESELF: Final = frozenset[Category]({"medical", "threat", "sadness"})
"""Categories whose answer is the same for oneself and for another child."""


class Helpline(ConfigModel):
    """A telephone number; `source` and `checked`: where and when it was read."""

    name: Text
    number: Annotated[str, Field(pattern=r"^[0-9-]{3,15}$")]
    hours: Text
    source: Annotated[str, Field(pattern=r"^https://")]
    checked: date


class Helplines(ConfigModel):
    """`configs/words/helplines_<country>.yaml`. `general`: those for a danger that is not clear."""

    general: Annotated[tuple[Text, ...], Field(min_length=1)]
    lines: dict[str, Helpline]


class Wordings(ConfigModel):
    """Several wordings of one answer, and the helplines that they name."""

    numbers: tuple[Text, ...]
    says: Annotated[tuple[Text, ...], Field(min_length=1)]


class AboutAnotherChild(Wordings):
    """The answers for a child who tells of another child. `tells`: patterns of such a message; `but_not`: patterns of
    one about itself."""

    tells: Pattern
    but_not: Pattern


class AnswerTexts(ConfigModel):
    """The texts of `configs/words/danger_answers.yaml`; the file explains each."""

    child: dict[Category, Wordings]
    unsure: Wordings
    another: AboutAnotherChild
    asks: Annotated[tuple[Text, ...], Field(min_length=1)]
    after_no: Annotated[tuple[Text, ...], Field(min_length=1)]
    in_general: Pattern
    adult: Wordings
    second_opinion_seconds: Annotated[float, Field(gt=0, le=10)]


def helpline_numbers(home: Path) -> frozenset[str]:
    """The numbers of every country's helplines. ConfigError as `DangerAnswers.load`."""
    files = sorted((home / "configs" / "words").glob("helplines_*.yaml"))
    countries = [Helplines.from_file(path) for path in files]
    return frozenset(one.number for country in countries for one in country.lines.values())


@dataclass(frozen=True, slots=True)
class DangerAnswer:
    """A text with its numbers filled in, and the helplines that it names."""

    text: str
    numbers: tuple[Helpline, ...] = ()


class DangerAnswers:
    """The texts of one country's helplines."""

    def __init__(self, texts: AnswerTexts, helplines: Mapping[str, Helpline]) -> None:
        self._texts, self._helplines = texts, helplines
        self._in_general = re.compile(texts.in_general)
        self._another, self._oneself = re.compile(texts.another.tells), re.compile(texts.another.but_not)
        self.second_opinion_seconds = texts.second_opinion_seconds

    @classmethod
    def load(cls, home: Path, country: str) -> "DangerAnswers":
        """ConfigError names file, line and reason of every fault."""
        folder = home / "configs" / "words"
        numbers = ConfigFile.read(folder / f"helplines_{country}.yaml")
        helplines = numbers.parse(TypeAdapter(Helplines))
        document = ConfigFile.read(folder / "danger_answers.yaml")
        texts = document.parse(TypeAdapter(AnswerTexts))
        faults = [
            numbers.fault(("general", place), f"there is no {name}")
            for place, name in enumerate(helplines.general)
            if name not in helplines.lines
        ]
        faults += _faults(document, texts, helplines)
        refuse(faults)
        return cls(texts, helplines.lines)

    def to_child(self, category: Category, *, sure: bool, turn: int, message: str = "") -> DangerAnswer:
        """The answer to a child. `turn`: how many answers the place has had, so that the wording changes. `message`
        decides whether the child tells of another one."""
        if category not in _ABOUT_ONESELF and self._another.search(message) and not self._oneself.search(message):
            return self._worded_answer(self._texts.another, turn)
        wordings = self._texts.child[category] if sure and category in self._texts.child else self._texts.unsure
        return self._worded_answer(wordings, turn)

    def to_adult(self, turn: int) -> DangerAnswer:
        return self._worded_answer(self._texts.adult, turn)

    def asks(self, turn: int) -> DangerAnswer:
        """The question of tier 3: whether it is all right, and whether an adult should know."""
        return DangerAnswer(self._texts.asks[turn % len(self._texts.asks)])

    def after_no(self, turn: int) -> DangerAnswer:
        return DangerAnswer(self._texts.after_no[turn % len(self._texts.after_no)])

    def in_general(self, message: str) -> bool:
        """Whether an adult asks about the subject in general and not about a child."""
        return self._in_general.search(message) is not None

    def _worded_answer(self, wordings: Wordings, turn: int) -> DangerAnswer:
        named = {name: self._helplines[name] for name in wordings.numbers}
        text = wordings.says[turn % len(wordings.says)]
        return DangerAnswer(text.format(**{name: one.number for name, one in named.items()}), tuple(named.values()))


def _faults(document: ConfigFile, texts: AnswerTexts, helplines: Helplines) -> Iterator[str]:
    for category in CATEGORIES:
        if category != _BY_THEMSELVES and category not in texts.child:
            yield document.fault(("child",), f"{category} is missing")
    for category, wordings in texts.child.items():
        yield from _helpline_faults(document, ("child", category), wordings, helplines, lines=_CHILD_LINES)
        if bool(wordings.numbers) == (category == _NAMED_BY_NO_NUMBER):
            yield document.fault(("child", category, "numbers"), "all but sadness name a number")
    yield from _helpline_faults(document, ("unsure",), texts.unsure, helplines, lines=_CHILD_LINES)
    yield from _helpline_faults(document, ("another",), texts.another, helplines, lines=_CHILD_LINES)
    if texts.unsure.numbers != helplines.general:
        yield document.fault(("unsure", "numbers"), f"not the general ones: {', '.join(helplines.general)}")
    yield from _helpline_faults(document, ("adult",), texts.adult, helplines)


def _helpline_faults(
    document: ConfigFile, loc: tuple[str, ...], wordings: Wordings, helplines: Helplines, *, lines: int | None = None
) -> Iterator[str]:
    """Faults in the helplines of some wordings, and in the length of those to a child (`lines`)."""
    for place, name in enumerate(wordings.numbers):
        if name not in helplines.lines:
            yield document.fault((*loc, "numbers", place), f"there is no helpline {name}")
    for place, text in enumerate(wordings.says):
        named = {slot for _, slot, _, _ in string.Formatter().parse(text) if slot is not None}
        if named != set(wordings.numbers):
            yield document.fault((*loc, "says", place), f"names {sorted(named)} and not {sorted(wordings.numbers)}")
        told = text.split("\n")
        if lines is not None and (len(told) > lines or any(len(line) > _LINE for line in told)):
            yield document.fault((*loc, "says", place), f"more than {lines} lines of {_LINE} characters")
