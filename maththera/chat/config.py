"""`configs/chat.yaml`, checked."""

from pathlib import Path
from typing import Annotated, Literal, TypeAlias, get_args

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from maththera.chat.topics import FollowUps
from maththera.documents import ConfigError, Document
from maththera.learners.access import Role
from maththera.learners.conversations import Profile

ErrorCode = Literal[
    "llm_timeout", "llm_failed", "llm_rejected", "unknown_tool", "tool_failed", "tone", "client_gone",
    "store_unavailable", "cancelled", "interrupted", "erased", "lost", "stopping", "internal",
]  # fmt: skip
Seconds: TypeAlias = Annotated[float, Field(gt=0)]
Text: TypeAlias = Annotated[str, Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Patience(_Strict):
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


class Thinking(_Strict):
    first: Text
    more: Text
    last: Text


class Private(_Strict):
    """What the coach says where a child tells what it should keep to itself."""

    because: Text
    coach: Text


class ChatConfig(_Strict):
    """See the comments in the file."""

    profiles: dict[Profile, frozenset[Role]]
    seconds: Patience
    most_rounds: int = Field(gt=0)
    too_many_rounds: Text
    out_of_scope: Text
    danger: Text
    open_task: Text
    private: Private
    courtesy: Text
    follow_ups: FollowUps
    declined: Text
    left_out: Text
    held_characters: int = Field(gt=0)
    history: HistoryLimits
    thinking: Thinking
    errors: dict[ErrorCode, dict[Profile, Text]]

    def error(self, code: ErrorCode, profile: Profile) -> dict[str, str]:
        """The event that tells of it."""
        return {"type": "error", "code": code, "message": self.errors[code][profile]}


def load_config(home: Path) -> ChatConfig:
    """ConfigError names file, line, field and reason of every fault."""
    document = Document.read(home / "configs" / "chat.yaml")
    config = document.parse(TypeAdapter(ChatConfig))
    profiles = get_args(Profile)
    faults = [document.fault(("profiles",), f"{name} is missing") for name in profiles if name not in config.profiles]
    for code in get_args(ErrorCode):
        said = config.errors.get(code, {})
        faults += [document.fault(("errors", code), f"{name} is missing") for name in profiles if name not in said]
    if faults:
        raise ConfigError("\n".join(faults))
    return config
