"""The conversation so far within a token budget: the newest messages as they were, a summary of the older ones."""

from collections.abc import Sequence
from typing import Final

from pydantic import BaseModel, Field

from maththera.chat.config import HistoryLimits
from maththera.chat.state import Said
from maththera.llm.tokens import estimate_tokens

PROMPT: Final = "sum_up"
PROMPT_VARIABLES: Final = frozenset({"summary", "messages"})
_WHO: Final = {"user": "물음", "assistant": "답"}


class Summary(BaseModel):
    """What a model answers."""

    summary: str = Field(min_length=1, max_length=2_000)


def split(history: Sequence[Said], limits: HistoryLimits) -> tuple[list[Said], list[Said]]:
    """What no longer fits into the budget, and what stays; a question and its answer stay or go together."""
    kept, left = len(history), limits.tokens
    while kept >= 2:
        left -= sum(estimate_tokens(said["text"]) for said in history[kept - 2 : kept])
        if left < 0:
            break
        kept -= 2
    return list(history[:kept]), list(history[kept:])


def lines(said: Sequence[Said]) -> str:
    """Messages as a text for a model."""
    return "\n".join(f"{_WHO[one['role']]}: {one['text']}" for one in said)


def sum_up(summary: str, dropped: Sequence[Said], limits: HistoryLimits) -> str:
    """The summary with the beginnings of `dropped`; what is oldest goes first when it becomes too long."""
    new = [f"{_WHO[one['role']]}: {_beginning(one['text'], limits.message_characters)}" for one in dropped]
    found = [line for line in summary.split("\n") if line] + new
    while found and len("\n".join(found)) > limits.summary_characters:
        found.pop(0)
    return "\n".join(found)


def _beginning(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[:most] + "…"
