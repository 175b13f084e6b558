"""The gate's data: the words of `configs/words/gate.yaml`, helplines, private data, and a model of unkind words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import Field

from maththera.config_files import ConfigModel, Text
from maththera.words.danger.danger_answers import helpline_numbers
from maththera.words.input_filter.filter_words import Pattern, any_of
from maththera.words.input_filter.message_filter import MessageFilter
from maththera.words.input_filter.personal_data import PersonalData
from maththera.words.ngram_model import NgramModel, load_model

Room: TypeAlias = Literal["coach", "assistant", "closing", "reasoning"]
Listed: TypeAlias = Literal["profanity", "outside", "belittling", "comparison", "private", "harm"]
Positive = Annotated[int, Field(gt=0)]


class ForbiddenWords(ConfigModel):
    """Forbidden words by reason. `harmless` words are removed from a text before the search."""

    profanity: list[Pattern] = Field([])
    outside: list[Pattern] = Field([])
    belittling: list[Pattern] = Field([])
    comparison: list[Pattern] = Field([])
    private: list[Pattern] = Field([])
    harm: list[Pattern] = Field([])
    harmless: list[Pattern] = Field([])

    @cached_property
    def by_reason(self) -> Mapping[Listed, re.Pattern[str]]:
        """Reason → a pattern for any of its words; reasons without words are left out."""
        return {reason: any_of(patterns) for reason in get_args(Listed) if (patterns := getattr(self, reason))}

    @cached_property
    def harmless_pattern(self) -> re.Pattern[str]:
        return any_of(self.harmless)


class UnkindLimit(ConfigModel):
    """The model's log odds from which a sentence is held back; a forbidden word adds `lift`."""

    limit: float
    lift: Annotated[float, Field(ge=0)]


class VerdictWords(ConfigModel):
    """Words of feedback for right and wrong answers. `right_may` and `wrong_may`: words of the other kind that are
    allowed too."""

    right: Pattern
    wrong: Pattern
    right_may: Pattern
    wrong_may: Pattern

    def says(self, text: str, *, right: bool) -> bool:
        """Whether a feedback states the verdict and does not contradict it."""
        return bool(re.search(self.right if right else self.wrong, text)) and not self.contradicts(text, right=right)

    def contradicts(self, text: str, *, right: bool) -> bool:
        """Whether a text contradicts the verdict."""
        contrary, may = (self.wrong, self.right_may) if right else (self.right, self.wrong_may)
        return re.search(contrary, re.sub(may, "", text)) is not None


class GateWords(ConfigModel):
    """The words and limits of the gate; the file explains each."""

    longest: dict[Room, Positive]
    sentence: Positive
    overlap: Positive
    remembered: Positive
    thought: Positive
    withheld: Text
    unshown: Text
    terms: list[Text]
    calling: Pattern
    domains: Pattern
    spoken_domains: Pattern
    unkind: UnkindLimit
    child: ForbiddenWords
    adult: ForbiddenWords
    thoughts: list[Pattern]
    orders: list[Pattern]
    english: list[Text]
    verdict: VerdictWords


@dataclass(frozen=True, slots=True)
class GateKnowledge:
    """All data of the gate. `helplines`: numbers that a child may be told to call; `unkind`: the model of unkind
    sentences."""

    words: GateWords
    guard: MessageFilter
    private: PersonalData
    helplines: frozenset[str]
    unkind: NgramModel

    @classmethod
    def load(cls, home: Path) -> "GateKnowledge":
        """ConfigError names file, line and reason of every fault."""
        folder = home / "configs" / "words"
        words = GateWords.from_file(folder / "gate.yaml")
        unkind = load_model(folder / "unkind_model.tsv", "unkind")
        return cls(words, MessageFilter.load(home), PersonalData.load(home), helpline_numbers(home), unkind)
