"""`coach.yaml` and `units.yaml` of `configs/chat/coach`: what the coach knows besides the records, checked."""

from collections.abc import Mapping, Set
from dataclasses import dataclass
from pathlib import Path
from re import Pattern
from typing import Annotated, Final, TypeAlias

from pydantic import AfterValidator, BaseModel, ConfigDict, Field, TypeAdapter, field_validator

from maththera.arithmetic.curriculum import UNITS
from maththera.config_files import ConfigError, ConfigFile
from maththera.learner_model.concept_graph import unit_id
from maththera.learner_model.unit_scores import METRICS

Text = Annotated[str, Field(min_length=1)]
Words = Annotated[tuple[Text, ...], Field(min_length=1)]


class StrictModel(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class MessageWords(StrictModel):
    """How arguments stand in a message. `upright`: words that ask for the vertical layout; `times_table`: one of the
    tables, such as 7단."""

    upright: Words
    times_table: Pattern[str]


LINES: Final = (
    "left_over", "by_zero", "below_zero", "whole_order", "whole_brackets", "whole_times", "whole_next", "whole_last",
    "gap_is",
)  # fmt: skip
"""The lines of explanations of long expressions and of what has no whole answer."""
_DRAWN: Final = frozenset(
    {
        *(("bar", "unit"), ("bar", "problem"), ("radar", "metric"), ("line", "time"), ("progress", "unit")),
        *(("table", "unit"), ("table", "metric"), ("line", "seconds")),
    }
)
_COLUMNS: Final = frozenset(
    {"unit", "mean", "best", "answered", "completion", "metric", "score", "all", "none", "seconds"}
)


def _can_be_drawn(kind: tuple[str, str]) -> tuple[str, str]:
    if kind not in _DRAWN:
        raise ValueError(f"a {kind[0]} by {kind[1]} cannot be drawn")
    return kind


ChartKind: TypeAlias = Annotated[tuple[str, str], AfterValidator(_can_be_drawn)]
"""The type of a chart, and by what its values stand."""


class ChartTopic(StrictModel):
    """The chart for messages in which the pattern is found."""

    pattern: Pattern[str]
    drawn: ChartKind


def _complete(given: dict[str, str], needed: Set[str]) -> dict[str, str]:
    if missing := needed - given.keys():
        raise ValueError(f"without {', '.join(sorted(missing))}")
    return given


class ChartTexts(StrictModel):
    """`wanted`, `unwanted`: patterns of a message that asks for a chart, or for none; else the intent decides.
    `topics`: the first whose pattern is found counts, else bars by unit. `instead`: what is drawn where the results
    lack what is asked. `titles` by type and by what the values stand for; `columns`: their headings."""

    wanted: Pattern[str]
    unwanted: Pattern[str]
    topics: tuple[ChartTopic, ...]
    instead: tuple[ChartKind, ...]
    titles: dict[str, Text]
    columns: dict[str, Text]

    @field_validator("titles")
    @classmethod
    def _all_charts_titled(cls, titles: dict[str, str]) -> dict[str, str]:
        return _complete(titles, {" ".join(kind) for kind in _DRAWN})

    @field_validator("columns")
    @classmethod
    def _all_columns_named(cls, columns: dict[str, str]) -> dict[str, str]:
        return _complete(columns, _COLUMNS)


class CoachConfig(StrictModel):
    """`recent`: sessions that are looked at; `detailed`: weak units that are looked into; `metrics`: their names;
    `lines` of explanations: templates, by key."""

    recent: Annotated[int, Field(ge=1, le=30)]
    detailed: Annotated[int, Field(ge=1, le=5)]
    cache_seconds: Annotated[int, Field(ge=1)]
    metrics: dict[str, Text]
    reading: MessageWords
    charts: ChartTexts
    lines: dict[str, Text]


class CoachConcept(StrictModel):
    """A word of a unit and what it means, for a child."""

    name: Text
    also: tuple[Text, ...] = ()
    says: Text


class CoachUnit(StrictModel):
    """One unit, for a child."""

    goals: Words
    concepts: Annotated[tuple[CoachConcept, ...], Field(min_length=1)]
    tips: Words


@dataclass(frozen=True, slots=True)
class CoachFiles:
    """Both files."""

    config: CoachConfig
    units: Mapping[str, CoachUnit]


def load_coach(configs: Path) -> CoachFiles:
    """ConfigError names file, line, field and reason of every fault."""
    document = ConfigFile.read(configs / "chat" / "coach" / "coach.yaml")
    config = document.parse(TypeAdapter(CoachConfig))
    faults = [document.fault(("metrics", name), "is missing") for name in METRICS if name not in config.metrics]
    faults += [document.fault(("lines", name), "is missing") for name in LINES if name not in config.lines]
    document = ConfigFile.read(configs / "chat" / "coach" / "units.yaml")
    units = document.parse(TypeAdapter(dict[str, CoachUnit]))
    known = {unit_id(one.c) for one in UNITS}
    faults += [document.fault((), f"{name} is missing") for name in sorted(known - units.keys())]
    faults += [document.fault((name,), "no such unit") for name in sorted(units.keys() - known)]
    if faults:
        raise ConfigError("\n".join(faults))
    return CoachFiles(config, units)
