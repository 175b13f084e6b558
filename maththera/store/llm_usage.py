"""Calls and tokens of language models, summed over all recorded turns, of sessions and of chats. The cost report
multiplies them by prices."""

from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from typing import Final

from sqlalchemy import func, select
from sqlalchemy.ext.asyncio import AsyncConnection

from maththera.json_types import JsonObject
from maththera.store.conversations import messages
from maththera.store.database import Database
from maththera.store.tutoring_sessions import turns

UNNAMED: Final = "(not recorded)"
_DEADLINE_S: Final = 60.0
"""All turns of all children are read."""


@dataclass(slots=True)
class PromptUsage:
    """What one prompt, or one model, took. `turns`: how many used it at least once."""

    turns: int = 0
    calls: int = 0
    input_tokens: int = 0
    output_tokens: int = 0


@dataclass(slots=True)
class LlmUsage:
    """`turns`: all recorded turns, of sessions and of chats; `prompts`: by the name of the prompt; `models`: by the
    name of the model, `UNNAMED` for calls that were recorded without one."""

    turns: int
    prompts: dict[str, PromptUsage] = field(default_factory=dict)
    models: dict[str, PromptUsage] = field(default_factory=dict)


async def llm_usage(database: Database) -> LlmUsage:
    """The usage of all recorded turns. Raises StoreUnavailable."""

    async def read(connection: AsyncConnection) -> LlmUsage:
        count = await connection.scalar(select(func.count()).select_from(turns)) or 0
        answers = messages.c.role == "assistant"
        said = await connection.scalar(select(func.count()).select_from(messages).where(answers)) or 0
        asked = await connection.scalars(select(turns.c.llm).where(turns.c.llm.is_not(None)))
        in_chats = await connection.scalars(select(messages.c.detail["llm"]).where(answers))
        return _sum_usage(count + said, [*asked, *filter(None, in_chats)])

    return await database.run(read, deadline=_DEADLINE_S)


def _sum_usage(turns: int, llm_of_turns: Iterable[list[JsonObject]]) -> LlmUsage:
    """Sums the `llm` lists of the turns that have one. An item holds `kind` (the prompt), `model`, `input_tokens` and
    `output_tokens`."""
    total = LlmUsage(turns)
    for calls in llm_of_turns:
        _add(total.prompts, [(call["kind"], call) for call in calls])
        _add(total.models, [(call.get("model") or UNNAMED, call) for call in calls])
    return total


def _add(sums: dict[str, PromptUsage], calls: Sequence[tuple[str, JsonObject]]) -> None:
    """The calls of one turn, each under its name."""
    for name, call in calls:
        used = sums.setdefault(name, PromptUsage())
        used.calls += 1
        used.input_tokens += call["input_tokens"]
        used.output_tokens += call["output_tokens"]
    for name in {name for name, _ in calls}:
        sums[name].turns += 1
