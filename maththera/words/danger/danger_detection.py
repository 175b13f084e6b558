"""Danger in a message: which kind, and how certain. Pure: the same words have the same answer.

A linear model (`ngram_model`) scores the message. Explicit words for a danger raise the score, and everyday words of a
child at its sums lower it, as a story with numbers does that asks how many there are. Words against danger lower a
message by one tier; what may be no more than sadness is only asked about. Words that only hint at danger are asked
about, too, and some messages mean danger as they go on from one (`follows`).
"""

import re
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, cast

from pydantic import Field

from maththera.config_files import ConfigError, ConfigModel
from maththera.words.ngram_model import NgramModel, load_model, plain

Category: TypeAlias = Literal[
    "self_harm", "sexual", "violence_home", "neglect", "grooming", "bullying", "medical", "threat", "sadness",
    "adult_tells",
]  # fmt: skip
Tier: TypeAlias = Literal[1, 2, 3]
"""1: helplines and an answer; adults are alerted at once. 2: helplines; adults read it in the day's digest. 3: the
child is only asked whether it is all right."""
Writer: TypeAlias = Literal["child", "adult", "unknown"]

CATEGORIES: Final[tuple[Category, ...]] = Category.__args__  # type: ignore[attr-defined]
_LOWEST: Final[Tier] = 3
Share = Annotated[float, Field(gt=0, lt=1)]


@dataclass(frozen=True, slots=True)
class Danger:
    """A danger in a message. `sure`: whether the category is certain; if not, the general helplines are named. `score`:
    log odds."""

    category: Category
    tier: Tier
    sure: bool
    score: float


class Limits(ConfigModel):
    first: float
    second: float
    third: float

    def tier(self, score: float) -> Tier | None:
        if score >= self.first:
            return 1
        if score >= self.second:
            return 2
        return 3 if score >= self.third else None


class EverydayWords(ConfigModel):
    """Words of a child at its sums that sound like danger, as borrowing and paying back, and its stories with numbers.
    They lower the score by `lowers` in messages of at most `longest` characters without spaces, but not beside
    `unless`."""

    lowers: Annotated[float, Field(ge=0)]
    longest: Annotated[int, Field(gt=0)]
    unless: tuple[re.Pattern[str], ...]
    words: tuple[re.Pattern[str], ...]

    def found_in(self, squeezed: str) -> bool:
        """`squeezed`: a message that is `plain`, without spaces."""
        return len(squeezed) <= self.longest and _any(self.words, squeezed) and not _any(self.unless, squeezed)


class DangerRules(ConfigModel):
    """`configs/words/danger.yaml`."""

    limits: Limits
    watchful: Annotated[float, Field(ge=0)]
    lift: Annotated[float, Field(ge=0)]
    sure: Share
    sadness: Share
    certain: dict[Category, tuple[re.Pattern[str], ...]]
    hints: dict[Category, tuple[re.Pattern[str], ...]]
    follows: tuple[re.Pattern[str], ...]
    against: tuple[re.Pattern[str], ...]
    whatever: frozenset[Category]
    everyday: EverydayWords
    stories: EverydayWords

    def lowered(self, squeezed: str) -> float:
        """By how much words that sound like danger, and are a child's sums, lower the score."""
        return max((one.lowers for one in (self.everyday, self.stories) if one.found_in(squeezed)), default=0.0)


@dataclass(frozen=True, slots=True)
class DangerDetector:
    rules: DangerRules
    model: NgramModel

    @classmethod
    def load(cls, home: Path) -> "DangerDetector":
        """ConfigError names file, line and reason of whatever is missing or broken."""
        folder = home / "configs" / "words"
        rules = DangerRules.from_file(folder / "danger.yaml")
        model = load_model(folder / "danger_model.tsv", "danger")
        if sorted(model.categories) != sorted(CATEGORIES):
            raise ConfigError(f"{folder / 'danger_model.tsv'}:4: the categories must be {', '.join(CATEGORIES)}")
        return cls(rules, model)

    def read(self, message: str, *, writer: Writer = "unknown", watchful: bool = False) -> tuple[Danger | None, bool]:
        """The danger, and whether a certain danger before would make the message one. `watchful`: there was a
        certain one before. `writer`: a child never reports like an adult."""
        text = plain(message)
        squeezed = text.replace(" ", "")
        certain, hint = _named(self.rules.certain, squeezed), _named(self.rules.hints, squeezed)
        score = self.model.score(text)
        if certain:
            score += self.rules.lift
        else:
            score -= self.rules.lowered(squeezed)
        near = score >= self.rules.limits.third - self.rules.watchful
        tier = self.rules.limits.tier(score + (self.rules.watchful if watchful else 0.0))
        if tier is None and not (certain or hint):
            return None, near
        likely = self._likely(text, writer)
        category, sure = self._category(likely, certain or (hint if tier is None else None))
        tier = tier or _LOWEST
        if watchful and category == "sadness":  # what goes on from a danger is no mere sadness: helplines are named
            category, sure = next(name for name, _ in likely if name != "sadness"), False
        if not watchful:
            if likely[0][0] == "sadness" and not sure:
                tier = _LOWEST
            elif category not in self.rules.whatever and _any(self.rules.against, squeezed):
                tier = _one_tier_lower(tier)
        return Danger(category, tier, sure, score), near

    def follows(self, message: str) -> bool:
        """Whether a message would go on from a danger that was told, or asked about, before it."""
        squeezed = plain(message).replace(" ", "")
        goes_on = _any(self.rules.follows, squeezed) and not _any(self.rules.everyday.words, squeezed)
        return goes_on or _named(self.rules.hints, squeezed) is not None

    def _likely(self, text: str, writer: Writer) -> list[tuple[Category, float]]:
        """The categories with their probabilities, the likeliest first."""
        likely = cast("list[tuple[Category, float]]", self.model.categories_of(text))
        return [each for each in likely if writer != "child" or each[0] != "adult_tells"]

    def _category(self, likely: list[tuple[Category, float]], certain: Category | None) -> tuple[Category, bool]:
        """The category. Explicit words decide, unless an adult tells of a child. Sadness has no helpline, so it must be
        certain."""
        name, share = likely[0]
        if certain and name != "adult_tells":
            return certain, True
        if name == "sadness" and share < self.rules.sadness:
            return likely[1][0], False
        return name, share >= self.rules.sure


def _named(patterns: dict[Category, tuple[re.Pattern[str], ...]], text: str) -> Category | None:
    """The first category that has a pattern found in a text."""
    return next((name for name, found in patterns.items() if _any(found, text)), None)


def _any(patterns: tuple[re.Pattern[str], ...], text: str) -> bool:
    return any(pattern.search(text) for pattern in patterns)


def _one_tier_lower(tier: Tier) -> Tier:
    return 2 if tier == 1 else _LOWEST
