"""`configs/chat/chat.yaml`, checked."""

import re
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from maththera.arithmetic.result_claims import claim_in
from maththera.config_files import ConfigError, ConfigFile
from maththera.korean.word_lists import usual_spelling
from maththera.store.access.authorization import Role
from maththera.store.conversations import Profile
from maththera.words.input_filter.courtesies import Phrases
from maththera.words.input_filter.filter_words import Pattern

ErrorCode = Literal[
    "llm_timeout", "llm_failed", "llm_rejected", "unknown_tool", "tool_failed", "tone", "client_gone",
    "store_unavailable", "cancelled", "interrupted", "erased", "lost", "stopping", "internal",
]  # fmt: skip
Seconds: TypeAlias = Annotated[float, Field(gt=0)]
Text: TypeAlias = Annotated[str, Field(min_length=1)]
FollowUpKind = Literal[
    "answer", "missed", "why", "easier", "more", "example", "again", "solve", "practise", "problem", "papers"
]  # fmt: skip
_ONE_NUMBER: Final = re.compile(r"[^\d.,/+−×÷*=-]*\d+[^\d/+−×÷*=-]*")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class FollowUps(_Strict):
    """`follow_ups` of `configs/chat/chat.yaml`; see `Phrases`."""

    beside: Pattern
    kinds: dict[FollowUpKind, Pattern]
    another: Pattern

    def asks_of_another(self, message: str) -> bool:
        """Whether a message asks the same of something else ("그럼 곱셈은?")."""
        return re.fullmatch(self.another, re.sub(r"\W+", "", message)) is not None

    def kind(self, message: str) -> str | None:
        """How a message refers to what was said before ("왜?"); None for one that is clear by itself."""
        calculates = any(map(str.isdigit, message)) and not _ONE_NUMBER.fullmatch(message)
        if calculates:
            return None
        return self._phrases.kind(usual_spelling(message)) or ("answer" if claim_in(message) is not None else None)

    @cached_property
    def _phrases(self) -> Phrases:
        return Phrases(self.beside, {str(name): words for name, words in self.kinds.items()})


class Timeouts(_Strict):
    turn: Seconds
    intent: Seconds
    silence: Seconds
    tool: Seconds
    summary: Seconds
    interrupt: Seconds


class HistoryLimits(_Strict):
    tokens: int = Field(gt=0)
    messages: int = Field(gt=0)
    summary_characters: int = Field(gt=0)
    message_characters: int = Field(gt=0)


class ThinkingTexts(_Strict):
    first: Text
    more: Text
    last: Text


class PrivateTexts(_Strict):
    """What the coach says where a child writes something private."""

    because: Text
    coach: Text


class ChatConfig(_Strict):
    """See the comments in the file."""

    profiles: dict[Profile, frozenset[Role]]
    seconds: Timeouts
    most_rounds: int = Field(gt=0)
    too_many_rounds: Text
    out_of_scope: Text
    danger: Text
    open_task: Text
    private: PrivateTexts
    courtesy: Text
    follow_ups: FollowUps
    declined: Text
    left_out: Text
    held_characters: int = Field(gt=0)
    history: HistoryLimits
    thinking: ThinkingTexts
    errors: dict[ErrorCode, dict[Profile, Text]]

    def error(self, code: ErrorCode, profile: Profile) -> dict[str, str]:
        """The event of this error."""
        return {"type": "error", "code": code, "message": self.errors[code][profile]}


def load_config(home: Path) -> ChatConfig:
    """ConfigError names file, line, field and reason of every fault."""
    document = ConfigFile.read(home / "configs" / "chat" / "chat.yaml")
    config = document.parse(TypeAdapter(ChatConfig))
    profiles = get_args(Profile)
    faults = [document.fault(("profiles",), f"{name} is missing") for name in profiles if name not in config.profiles]
    for code in get_args(ErrorCode):
        said = config.errors.get(code, {})
        faults += [document.fault(("errors", code), f"{name} is missing") for name in profiles if name not in said]
    if faults:
        raise ConfigError("\n".join(faults))
    return config
