"""Danger in a message: which kind, and how certain. Pure: the same words have the same answer.

A linear model (`line_model`) scores the message, and plain words for a danger raise the score. What speaks against
danger drops a message by one tier.
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, cast

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from maththera.documents import ConfigError, Document
from maththera.words.line_model import LineModel, load_model, plain

Category: TypeAlias = Literal[
    "self_harm", "sexual", "violence_home", "neglect", "grooming", "bullying", "medical", "threat", "sadness",
    "adult_tells",
]  # fmt: skip
Tier: TypeAlias = Literal[1, 2, 3]
"""1: numbers and the answer, adults are told at once. 2: numbers, the adults' digest of the day. 3: only asked whether
it is all right."""
Writer: TypeAlias = Literal["child", "adult", "unknown"]

CATEGORIES: Final[tuple[Category, ...]] = Category.__args__  # type: ignore[attr-defined]
_LOWEST: Final[Tier] = 3
Share = Annotated[float, Field(gt=0, lt=1)]


@dataclass(frozen=True, slots=True)
class Danger:
    """`sure`: whether the category is; where it is not, the general numbers are named. `score`: log odds."""

    category: Category
    tier: Tier
    sure: bool
    score: float


class _Part(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Limits(_Part):
    first: float
    second: float
    third: float

    def tier(self, score: float) -> Tier | None:
        if score >= self.first:
            return 1
        if score >= self.second:
            return 2
        return 3 if score >= self.third else None


class DangerRules(_Part):
    """`configs/words/danger.yaml`."""

    limits: Limits
    watchful: Annotated[float, Field(ge=0)]
    lift: Annotated[float, Field(ge=0)]
    sure: Share
    sadness: Share
    certain: dict[Category, tuple[re.Pattern[str], ...]]
    against: tuple[re.Pattern[str], ...]
    whatever: frozenset[Category]


@dataclass(frozen=True, slots=True)
class DangerReader:
    rules: DangerRules
    model: LineModel

    @classmethod
    def load(cls, home: Path) -> "DangerReader":
        """ConfigError names file, line and reason of whatever is missing or broken."""
        folder = home / "configs" / "words"
        rules = Document.read(folder / "danger.yaml").parse(TypeAdapter(DangerRules))
        model = load_model(folder / "danger_model.tsv", "danger")
        if sorted(model.categories) != sorted(CATEGORIES):
            raise ConfigError(f"{folder / 'danger_model.tsv'}:4: the categories must be {', '.join(CATEGORIES)}")
        return cls(rules, model)

    def read(self, message: str, *, writer: Writer = "unknown", watchful: bool = False) -> tuple[Danger | None, bool]:
        """-> the danger, and whether a signal before could make danger of the message. `watchful`: there was one.
        `writer`: a child never tells as an adult does."""
        text = plain(message)
        squeezed = text.replace(" ", "")
        certain = next((name for name, found in self.rules.certain.items() if _any(found, squeezed)), None)
        score = self.model.score(text) + (self.rules.lift if certain else 0.0)
        near = score >= self.rules.limits.third - self.rules.watchful
        tier = self.rules.limits.tier(score + (self.rules.watchful if watchful else 0.0))
        if tier is None and not certain:
            return None, near
        tier = tier or _LOWEST
        category, sure = self._category(text, certain, writer)
        if not watchful and category not in self.rules.whatever and _any(self.rules.against, squeezed):
            tier = _dropped(tier)
        return Danger(category, tier, sure, score), near

    def _category(self, text: str, certain: Category | None, writer: Writer) -> tuple[Category, bool]:
        """Certain words decide, unless an adult tells of a child. Sadness has no number, so it must be sure."""
        likely = cast("list[tuple[Category, float]]", self.model.categories_of(text))
        if writer == "child":
            likely = [each for each in likely if each[0] != "adult_tells"]
        name, share = likely[0]
        if certain and name != "adult_tells":
            return certain, True
        if name == "sadness" and share < self.rules.sadness:
            return likely[1][0], False
        return name, share >= self.rules.sure


def _any(patterns: tuple[re.Pattern[str], ...], text: str) -> bool:
    return any(pattern.search(text) for pattern in patterns)


def _dropped(tier: Tier) -> Tier:
    return 2 if tier == 1 else _LOWEST
