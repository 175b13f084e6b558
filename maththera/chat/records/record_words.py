"""The words that mark a question about records, and the texts of its answers: `configs/chat/records/records.yaml`."""

import re
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.chat.coach.learner_facts import KindId
from maththera.chat.coach.text_templates import fill_template
from maththera.chat.records.record_question import Fault, Group, Measure, Wish
from maththera.config_files import ConfigFile
from maththera.learner_model.cause_words import CauseWords

Mark: TypeAlias = Literal[
    "most", "least", "extreme", "table", "file", "dated", "short", "verdict", "same", "him", "everybody",
    "elsewhere", "absent", "others", "others_of_guardian", "two", "together", "whole", "row", "chart", "bare",
    "soft", "plain", "diagnosis", "erasing", "definition", "included", "out_of_all",
]  # fmt: skip
PartOfDay: TypeAlias = Literal["새벽", "아침", "오전", "점심", "오후", "저녁", "밤"]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class RecordTexts(_Strict):
    learner: str
    all: str
    none: str
    hint: str
    start: str
    no_answers: str
    no_such_answers: str
    few: str
    once: str
    others: str
    unknown_child: str
    absent: str
    no_such_day: str
    diagnosis: str
    erasing: str
    untold_cause: str
    no_cause: str
    unheld: str
    unknown_time: str
    one_group: str
    as_table: str
    whole: str
    same_again: str

    def of_fault(self, fault: Fault, about: str, names: str) -> str:
        told: dict[Fault, str] = {
            "others": self.others,
            "unknown_child": self.unknown_child,
            "absent": self.absent,
            "no_such_day": self.no_such_day,
            "diagnosis": self.diagnosis,
            "erasing": self.erasing,
            "unheld": "{about}",
            "same": self.same_again,
        }
        return fill_template(told[fault], about=about, names=names)


class Unheld(_Strict):
    """Something that records cannot take into account; `said`: the sentence that says so, and offers what there is."""

    pattern: re.Pattern[str]
    said: str


class _Patterns(_Strict):
    measures: dict[Measure, re.Pattern[str]]
    weak_measures: dict[Measure, re.Pattern[str]]
    wishes: dict[Wish, re.Pattern[str]]
    groups: dict[Group, re.Pattern[str]]
    half_days: dict[PartOfDay, re.Pattern[str]]
    operations: dict[Literal["+", "-", "x", "/"], re.Pattern[str]]
    most: re.Pattern[str]
    least: re.Pattern[str]
    extreme: re.Pattern[str]
    table: re.Pattern[str]
    file: re.Pattern[str]
    dated: re.Pattern[str]
    short: re.Pattern[str]
    verdict: re.Pattern[str]
    same: re.Pattern[str]
    him: re.Pattern[str]
    everybody: re.Pattern[str]
    elsewhere: re.Pattern[str]
    absent: re.Pattern[str]
    others: re.Pattern[str]
    others_of_guardian: re.Pattern[str]
    two: re.Pattern[str]
    together: re.Pattern[str]
    whole: re.Pattern[str]
    row: re.Pattern[str]
    chart: re.Pattern[str]
    bare: re.Pattern[str]
    soft: re.Pattern[str]
    plain: re.Pattern[str]
    diagnosis: re.Pattern[str]
    erasing: re.Pattern[str]
    definition: re.Pattern[str]
    included: re.Pattern[str]
    out_of_all: re.Pattern[str]
    light: re.Pattern[str]
    unheld: tuple[Unheld, ...]


class _File(_Strict):
    words: _Patterns
    hours: dict[PartOfDay, tuple[int, int]]
    practice: dict[KindId, str]
    texts: RecordTexts


@dataclass(frozen=True, slots=True)
class RecordWords:
    """`hours`: the first hour of a part of the day, and the one that it ends before. `practice`: what is done with a
    problem of each kind."""

    words: _Patterns
    hours: Mapping[PartOfDay, tuple[int, int]]
    practice: Mapping[KindId, str]
    texts: RecordTexts
    causes: CauseWords

    @classmethod
    def load(cls, home: Path) -> "RecordWords":
        """ConfigError names every fault."""
        file = ConfigFile.read(home / "configs" / "chat" / "records" / "records.yaml").parse(TypeAdapter(_File))
        return cls(file.words, file.hours, file.practice, file.texts, CauseWords.load(home / "configs"))

    def unheld(self, text: str) -> list[str]:
        """Sentences about everything in a text that records cannot take into account."""
        return [each.said for each in self.words.unheld if each.pattern.search(text)]

    def patterns(self) -> Iterator[re.Pattern[str]]:
        """What the words of a question are read by."""
        own = self.words
        for named in (own.measures, own.weak_measures, own.wishes, own.groups, own.half_days, own.operations):
            yield from named.values()
        yield from (
            own.most, own.least, own.extreme, own.table, own.file, own.dated, own.short, own.verdict, own.same, own.him,
            own.everybody, own.two, own.together, own.whole, own.row, own.chart, own.bare, own.soft, own.plain,
        )  # fmt: skip
        yield from (each.pattern for each in own.unheld)
        yield from (each.pattern for each in self.causes.causes)

    def found(self, mark: Mark, text: str) -> str:
        """The words in a text that match a mark; "" if none do."""
        pattern: re.Pattern[str] = getattr(self.words, mark)
        match = pattern.search(text)
        return match[0] if match else ""
