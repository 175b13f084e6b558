"""The intents of the coach: what a learner may want of it. `configs/chat/coach/intents.yaml` has each of them."""

from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationInfo, field_validator

from maththera.chat.state import IntentReport
from maththera.config_files import ConfigFile, refuse

IntentLetter: TypeAlias = Annotated[str, Field(pattern=r"^[A-Z]$")]
"""What the event of an intent calls it."""
Handling = Literal[
    "records", "study_plan", "encouragement", "declined", "worked_solution", "explanation", "recommendation"
]  # fmt: skip
"""How an intent is answered without a model: which tools are called, and which lines their results become."""
CoachToolName = Literal[
    "get_user_scores", "get_weak_points", "get_recent_activity",
    "recommend_next_problem", "get_unit_curriculum", "get_problem_explanation",
]  # fmt: skip
DECLINED: Final[Handling] = "declined"
DATA_LOOKUP: Final = "data_lookup"
MOTIVATION: Final = "motivation"
OUT_OF_SCOPE: Final = "out_of_scope"
PROBLEM_SOLVING: Final = "problem_solving"
CONCEPT: Final = "concept"
DECISION: Final = "decision"
_IN_RULES: Final = (DATA_LOOKUP, MOTIVATION, OUT_OF_SCOPE, PROBLEM_SOLVING, CONCEPT, DECISION)
Text: TypeAlias = Annotated[str, Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class IntentEntry(_Strict):
    """One intent; see the comments in the file."""

    letter: IntentLetter
    name: Text
    meaning: Text
    examples: Annotated[tuple[Text, ...], Field(min_length=1)]
    handling: Handling
    prompt: Text | None = None
    tools: tuple[CoachToolName, ...] = ()
    chart: bool = False
    reasoning: Text


class IntentReply(BaseModel):
    """What a model answers. The context of its validation has the `intents` that there are."""

    intent: str
    confidence: float = Field(ge=0, le=1)
    reasoning: str = Field(max_length=500)
    key_indicators: list[str] = Field(default=[], max_length=10)

    @field_validator("intent")
    @classmethod
    def _known(cls, name: str, info: ValidationInfo) -> str:
        if name not in (info.context or {})["intents"]:
            raise ValueError("no such intent")
        return name


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

    def __getitem__(self, name: str) -> IntentEntry:
        return self.intents[name]

    def named(self, letter: str) -> str:
        """The name of the intent that events call by this letter."""
        return next(name for name, entry in self.intents.items() if entry.letter == letter)

    def handled_as(self, handling: Handling) -> IntentEntry:
        """The first intent that is answered in this way."""
        return next(each for each in self.intents.values() if each.handling == handling)

    @property
    def lines(self) -> list[str]:
        """The line of each intent in a model's prompt."""
        return [
            f"{name} {one.name}: {one.meaning} " + ", ".join(f'"{each}"' for each in one.examples)
            for name, one in self.intents.items()
        ]


def registry_file(home: Path) -> ConfigFile:
    return ConfigFile.read(home / "configs" / "chat" / "coach" / "intents.yaml")


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
    faults += [
        document.fault(("intents", name), "the rules name it") for name in _IN_RULES if name not in registry.intents
    ]
    handled = {entry.handling for entry in registry.intents.values()}
    unhandled = [one for one in get_args(Handling) if one not in handled]
    faults += [document.fault(("intents",), f"none is handled as {one}") for one in unhandled]
    refuse(faults)
    return registry


def refuse_unknown_intents(home: Path, document: ConfigFile, part: str, named: Mapping[str, str]) -> None:
    """ConfigError for each entry of a part of the document that names an intent which is not there. `named`: entry →
    its intent."""
    known = read_registry(registry_file(home)).intents
    refuse(
        document.fault((part, entry, "intent"), "no such intent") for entry, name in named.items() if name not in known
    )
