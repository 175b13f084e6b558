"""What the gate knows: the words of `configs/words/gate.yaml`, numbers, private things, and a model of unkind words."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from maththera.documents import Document
from maththera.words.answers import helpline_numbers
from maththera.words.guard import Guard
from maththera.words.lexicon import Pattern, any_of
from maththera.words.line_model import LineModel, load_model
from maththera.words.private import Private

Room: TypeAlias = Literal["coach", "assistant", "closing", "reasoning"]
Listed: TypeAlias = Literal["profanity", "belittling", "comparison", "private", "harm"]
Text = Annotated[str, Field(min_length=1)]
Positive = Annotated[int, Field(gt=0)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Lexicon(_Strict):
    """What may not be said, by the reason; `harmless` words are taken out of a text before it is looked for."""

    profanity: list[Pattern] = []
    belittling: list[Pattern] = []
    comparison: list[Pattern] = []
    private: list[Pattern] = []
    harm: list[Pattern] = []
    harmless: list[Pattern] = []

    @cached_property
    def wanted(self) -> Mapping[Listed, re.Pattern[str]]:
        lists: dict[Listed, list[str]] = {
            "profanity": self.profanity,
            "belittling": self.belittling,
            "comparison": self.comparison,
            "private": self.private,
            "harm": self.harm,
        }
        return {code: any_of(patterns) for code, patterns in lists.items() if patterns}

    @cached_property
    def let_be(self) -> re.Pattern[str]:
        return any_of(self.harmless)


class UnkindLimit(_Strict):
    """Log odds of the model from which a sentence is held; a listed word adds `lift`."""

    limit: float
    lift: Annotated[float, Field(ge=0)]


class VerdictWords(_Strict):
    """How a feedback says right or wrong; `right_may` and `wrong_may` are words of the other that it may hold too."""

    right: Pattern
    wrong: Pattern
    right_may: Pattern
    wrong_may: Pattern

    def says(self, text: str, *, right: bool) -> bool:
        """Whether a feedback says what was judged, and not the contrary."""
        return bool(re.search(self.right if right else self.wrong, text)) and not self.contradicts(text, right=right)

    def contradicts(self, text: str, *, right: bool) -> bool:
        """Whether a text says the contrary of what was judged."""
        contrary, may = (self.wrong, self.right_may) if right else (self.right, self.wrong_may)
        return re.search(contrary, re.sub(may, "", text)) is not None


class GateWords(_Strict):
    """See the file."""

    longest: dict[Room, Positive]
    sentence: Positive
    overlap: Positive
    thought: Positive
    withheld: Text
    unshown: Text
    terms: list[Text]
    calling: Pattern
    domains: Pattern
    spoken_domains: Pattern
    unkind: UnkindLimit
    child: Lexicon
    adult: Lexicon
    thoughts: list[Pattern]
    orders: list[Pattern]
    english: list[Text]
    verdict: VerdictWords


@dataclass(frozen=True, slots=True)
class Knowledge:
    """Everything that the gate looks things up in. `helplines`: numbers that a child may be told to call; `unkind`: how
    much a sentence sounds like one that no child should be told."""

    words: GateWords
    guard: Guard
    private: Private
    helplines: frozenset[str]
    unkind: LineModel

    @classmethod
    def load(cls, home: Path) -> "Knowledge":
        """ConfigError names file, line and reason of every fault."""
        folder = home / "configs" / "words"
        words = Document.read(folder / "gate.yaml").parse(TypeAdapter(GateWords))
        unkind = load_model(folder / "unkind_model.tsv", "unkind")
        return cls(words, Guard.load(home), Private.load(home), helpline_numbers(home), unkind)
