"""What is tried when a tool of the assistant fails. A failure is an error, a timeout or an empty result, never the
wording of an answer."""

import asyncio
import logging
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Final, get_args

from langgraph.errors import GraphBubbleUp
from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, ValidationError

from maththera.chat.messages.chat_tools import Asker, ChatTool, ToolFailed, ToolRefused
from maththera.chat.state import FailureReason, ToolName
from maththera.config_files import ConfigError, ConfigFile
from maththera.json_types import JsonObject

logger = logging.getLogger(__name__)

TOOLS: Final[tuple[ToolName, ...]] = get_args(ToolName)


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class ToolRule(_Strict):
    """How long a tool may take, and what is tried after it in this order."""

    seconds: float = Field(gt=0)
    then: tuple[ToolName, ...]


class Messages(_Strict):
    """Messages for a tool that gave no reason of its own: too late, raised something, refused the
    input, found nothing. `unsaved`: there was no answer to save."""

    late: str
    broken: str
    unfit: str
    empty: str
    unsaved: str


class _File(_Strict):
    tools: dict[ToolName, ToolRule]
    messages: Messages


@dataclass(frozen=True, slots=True)
class Outcome:
    """What came of a call: a `result`, or `why` there is none. `message` is for people."""

    tool: ToolName
    result: JsonObject | None = None
    why: FailureReason | None = None
    message: str = ""


@dataclass(frozen=True, slots=True)
class Fallbacks:
    """`configs/chat/assistant/fallbacks.yaml`, checked."""

    rules: Mapping[ToolName, ToolRule]
    messages: Messages

    @classmethod
    def load(cls, home: Path) -> "Fallbacks":
        """ConfigError names every fault."""
        document = ConfigFile.read(home / "configs" / "chat" / "assistant" / "fallbacks.yaml")
        file = document.parse(TypeAdapter(_File))
        rules = file.tools
        faults = [document.fault(("tools",), f"{tool} is missing") for tool in TOOLS if tool not in rules]
        for tool, rule in rules.items():
            if tool in rule.then or len(set(rule.then)) != len(rule.then):
                faults.append(document.fault(("tools", tool, "then"), "a tool would be tried twice"))
        if faults:
            raise ConfigError("\n".join(faults))
        return cls(rules, file.messages)

    def alternatives(self, tool: ToolName) -> tuple[ToolName, ...]:
        """The whole chain behind a tool."""
        return self.rules[tool].then

    async def attempt(
        self, tools: Mapping[str, ChatTool], tool: ToolName, asker: Asker, arguments: Mapping[str, Any]
    ) -> Outcome:
        """Calls a tool with those of `arguments` that it takes. Never raises, but for cancellation and LangGraph's own
        signals."""
        called = tools[tool]
        try:
            taken = {name: arguments[name] for name in called.arguments.model_fields if name in arguments}
            asked = called.arguments.model_validate(taken)
            async with asyncio.timeout(self.rules[tool].seconds):
                result = await called.call(asker, asked)
        except GraphBubbleUp:
            raise
        except TimeoutError:
            return Outcome(tool, why="timeout", message=self.messages.late)
        except ToolFailed as failed:
            why: FailureReason = "refused" if isinstance(failed, ToolRefused) else "error"
            return Outcome(tool, why=why, message=str(failed))
        except ValidationError:
            return Outcome(tool, why="error", message=self.messages.unfit)
        except Exception:  # whatever a store, a library or a network can raise must not end the turn
            logger.exception("%s failed", tool)
            return Outcome(tool, why="error", message=self.messages.broken)
        if not result.get("answers"):
            return Outcome(tool, why="empty", message=str(result.get("reason", self.messages.empty)))
        return Outcome(tool, result)
