"""The conversation so far within a token budget: the newest messages as they were, a summary of the older ones."""

from collections.abc import Iterator, Sequence
from typing import Final

from pydantic import BaseModel, Field

from maththera.chat.config import HistoryLimits
from maththera.chat.state import Utterance
from maththera.llm.token_estimate import estimate_tokens

PROMPT: Final = "sum_up"
PROMPT_VARIABLES: Final = frozenset({"summary", "messages"})
_WHO: Final = {"user": "물음", "assistant": "답"}


class Summary(BaseModel):
    """What a model answers."""

    summary: str = Field(min_length=1, max_length=2_000)


def split_by_budget(history: Sequence[Utterance], limits: HistoryLimits) -> tuple[list[Utterance], list[Utterance]]:
    """The messages beyond the budget, and those within it; a question and its answer are not parted."""
    kept, left = len(history), limits.tokens
    while kept >= 2:
        left -= sum(estimate_tokens(said["text"]) for said in history[kept - 2 : kept])
        if left < 0:
            break
        kept -= 2
    return list(history[:kept]), list(history[kept:])


def as_lines(said: Sequence[Utterance]) -> str:
    """Messages as a text for a model."""
    return "\n".join(f"{_WHO[one['role']]}: {one['text']}" for one in said)


def summary_by_rules(summary: str, dropped: Sequence[Utterance], limits: HistoryLimits) -> str:
    """The summary with the beginnings of `dropped`; what is oldest goes first when it becomes too long."""
    new = [f"{_WHO[one['role']]}: {_shortened(one['text'], limits.message_characters)}" for one in dropped]
    found = [line for line in summary.split("\n") if line] + new
    while found and len("\n".join(found)) > limits.summary_characters:
        found.pop(0)
    return "\n".join(found)


def _shortened(text: str, most: int) -> str:
    line = " ".join(text.split())
    return line if len(line) <= most else line[:most] + "…"


def question_answer_pairs(history: Sequence[Utterance]) -> Iterator[tuple[str, str]]:
    """Questions with their answers, the newest first."""
    pairs = [(asked["text"], told["text"]) for asked, told in zip(history[::2], history[1::2], strict=False)]
    return reversed(pairs)
