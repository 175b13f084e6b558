"""The intents of the coach: what a learner may want of it. `configs/chat/intents.yaml` is the one place of each."""

from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationInfo, field_validator

from maththera.chat.state import IntentReport
from maththera.config_files import ConfigError, ConfigFile

IntentType: TypeAlias = Annotated[str, Field(pattern=r"^[A-Z]$")]
"""The letter of an intent, as events and models have it."""
Handling = Literal[
    "records", "study_plan", "encouragement", "declined", "worked_solution", "explanation", "recommendation"
]  # fmt: skip
"""How an intent is answered without a model: which tools are called, and which lines their results become."""
CoachToolName = Literal[
    "get_user_scores", "get_weak_points", "get_recent_activity",
    "recommend_next_problem", "get_unit_curriculum", "get_problem_explanation",
]  # fmt: skip
DECLINED: Final[Handling] = "declined"
DATA_LOOKUP: Final = "A"
MOTIVATION: Final = "C"
OUT_OF_SCOPE: Final = "D"
PROBLEM_SOLVING: Final = "E"
CONCEPT: Final = "F"
DECISION: Final = "G"
_IN_RULES: Final = {
    "data_lookup": DATA_LOOKUP, "motivation": MOTIVATION, "out_of_scope": OUT_OF_SCOPE,
    "problem_solving": PROBLEM_SOLVING, "concept": CONCEPT, "decision": DECISION,
}  # fmt: skip
"""The intents that rules name, and their letters."""
Text: TypeAlias = Annotated[str, Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class IntentEntry(_Strict):
    """One intent; see the comments in the file."""

    letter: IntentType
    name: Text
    meaning: Text
    examples: Annotated[tuple[Text, ...], Field(min_length=1)]
    handling: Handling
    prompt: Text | None = None
    tools: tuple[CoachToolName, ...] = ()
    chart: bool = False
    reasoning: Text

    @property
    def line(self) -> str:
        """The line of this intent in a model's prompt."""
        examples = ", ".join(f'"{each}"' for each in self.examples)
        return f"{self.letter} {self.name}: {self.meaning} {examples}"


class IntentReply(BaseModel):
    """What a model answers. The context of its validation has the `letters` that there are."""

    intent_type: IntentType
    confidence: float = Field(ge=0, le=1)
    reasoning: str = Field(max_length=500)
    key_indicators: list[str] = Field(default=[], max_length=10)

    @field_validator("intent_type")
    @classmethod
    def _known(cls, letter: str, info: ValidationInfo) -> str:
        if letter not in (info.context or {})["letters"]:
            raise ValueError("no such intent")
        return letter


@dataclass(frozen=True, slots=True)
class Intent:
    """`confidence` is from 0 to 1; `key_indicators` are the words of the message that decided."""

    entry: IntentEntry
    confidence: float
    reasoning: str
    key_indicators: tuple[str, ...]

    def payload(self) -> IntentReport:
        """As the event `intent_detected` carries it."""
        return {
            "intent_type": self.entry.letter,
            "intent_name": self.entry.name,
            "confidence": self.confidence,
            "reasoning": self.reasoning,
            "key_indicators": list(self.key_indicators),
        }


class IntentRegistry(_Strict):
    """All intents by name."""

    borderlines: tuple[Text, ...]
    intents: dict[Text, IntentEntry]

    def by_letter(self, letter: str) -> IntentEntry:
        return self._letters[letter]

    def handled_as(self, handling: Handling) -> IntentEntry:
        """The first intent that is answered in this way."""
        return next(each for each in self.intents.values() if each.handling == handling)

    @property
    def letters(self) -> list[str]:
        return [*self._letters]

    @cached_property
    def _letters(self) -> Mapping[str, IntentEntry]:
        return {each.letter: each for each in self.intents.values()}


def registry_file(home: Path) -> ConfigFile:
    return ConfigFile.read(home / "configs" / "chat" / "intents.yaml")


def read_registry(document: ConfigFile) -> IntentRegistry:
    """ConfigError names file, line, field and reason of every fault."""
    registry = document.parse(TypeAdapter(IntentRegistry))
    owners: dict[str, str] = {}
    faults = []
    for name, entry in registry.intents.items():
        owner = owners.setdefault(entry.letter, name)
        if owner != name:
            faults.append(document.fault(("intents", name, "letter"), f"{entry.letter} is the letter of {owner}"))
        if (entry.prompt is None) != (entry.handling == DECLINED):
            reason = "needs a prompt and tools" if entry.prompt is None else "is declined: no model answers it"
            faults.append(document.fault(("intents", name), reason))
    for name, letter in _IN_RULES.items():
        if name not in registry.intents or registry.intents[name].letter != letter:
            faults.append(document.fault(("intents", name), f"the rules know {name} by the letter {letter}"))
    handled = {entry.handling for entry in registry.intents.values()}
    unhandled = [one for one in get_args(Handling) if one not in handled]
    faults += [document.fault(("intents",), f"none is handled as {one}") for one in unhandled]
    if faults:
        raise ConfigError("\n".join(faults))
    return registry
