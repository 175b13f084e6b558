"""The texts of letters and the words that ask for them: the models of `configs/chat/letters/letters.yaml`."""

import re
from collections.abc import Mapping
from pathlib import Path
from typing import Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.config_files import ConfigFile

FIGURES: Final = frozenset(
    {"answered", "right", "times", "days", "wrong", "percent", "perfect_answered", "kind_answered", "kind_right"}
)
"""Values that are numbers: a line with one is left out where none are wanted."""
Style: TypeAlias = Literal[
    "light", "plain", "spoken", "casual", "bare", "short", "stepped", "table", "playful", "polite", "longer", "positive"
]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Cause(_Strict):
    hard: str
    record: str


class LetterTexts(_Strict):
    """One kind of letter. See the head of the file."""

    words: re.Pattern[str]
    of: Literal["teacher", "guardian"] | None = None
    closes: bool = False
    needs: re.Pattern[str] | None = None
    head: str = ""
    titles: tuple[str, ...] = ()
    lines: tuple[str, ...] = ()
    spoken: tuple[str, ...] = ()
    plain: tuple[str, ...] = ()
    light: tuple[str, ...] = ()
    stepped: tuple[str, ...] = ()
    table: tuple[str, ...] = ()
    playful: tuple[str, ...] = ()
    polite: tuple[str, ...] = ()
    longer: tuple[str, ...] = ()
    short: tuple[str, ...] = ()
    positive: tuple[str, ...] = ()
    notice: tuple[str, ...] = ()
    notices: dict[str, tuple[str, ...]] = {}
    each: tuple[str, ...] = ()
    casual: tuple[str, ...] = ()
    all_right: tuple[str, ...] = ()
    none: tuple[str, ...] = ()
    one_sentence: str = ""
    sentences: tuple[str, ...] = ()
    casual_none: tuple[str, ...] = ()

    def has(self, style: Style) -> bool:
        """Whether it can be written in a style."""
        if style == "bare":
            return any("{" + figure in line for line in (*self.lines, *self.spoken) for figure in FIGURES)
        if style == "short":
            return bool(self.short) or len(self.lines) > 1 or len(self.each) > 1
        return bool(self.in_style(style))

    def in_style(self, style: Style) -> tuple[str, ...]:
        """The lines of a style, none for one that leaves lines out."""
        lines: tuple[str, ...] = getattr(self, style, ())
        return lines


class LetterWishes(_Strict):
    """Patterns of the changes that an adult can ask for in a letter. `reported`: a clause that the letter is to report,
    from which `addressed` is removed; `voice`: who writes it; `to_whom`: who receives it."""

    high: re.Pattern[str]
    baseline: re.Pattern[str]
    title: re.Pattern[str]
    emoji: re.Pattern[str]
    good_first: re.Pattern[str]
    at_home: re.Pattern[str]
    without: re.Pattern[str]
    practice: re.Pattern[str]
    closing: re.Pattern[str]
    length: re.Pattern[str]
    adds: re.Pattern[str]
    effort: re.Pattern[str]
    reported: re.Pattern[str]
    addressed: re.Pattern[str]
    only_good: re.Pattern[str]
    voice: re.Pattern[str]
    to_whom: re.Pattern[str]
    weeks: re.Pattern[str]
    measurable: re.Pattern[str]
    boasts: re.Pattern[str]


class LetterBook(_Strict):
    """The file, checked. See its head."""

    causes: Mapping[str, Cause]
    other_cause: Cause
    letters: Mapping[str, LetterTexts]
    styles: Mapping[Style, re.Pattern[str]]
    wanted: re.Pattern[str]
    permits: re.Pattern[str]
    suspects: re.Pattern[str]
    reports: re.Pattern[str]
    of_good: re.Pattern[str]
    subject: re.Pattern[str]
    of_work: re.Pattern[str]
    wishes: LetterWishes
    texts: Mapping[str, str]
    closings: tuple[str, ...]

    @classmethod
    def load(cls, home: Path) -> "LetterBook":
        """ConfigError names every fault."""
        return ConfigFile.read(home / "configs" / "chat" / "letters" / "letters.yaml").parse(TypeAdapter(cls))
