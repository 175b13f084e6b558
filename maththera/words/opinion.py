"""A model's second opinion on danger in a message. It is never shown, and can only raise what the rules say."""

from collections.abc import Set
from typing import Final, Literal, Protocol

from pydantic import BaseModel

from maththera.llm.budget import Budget
from maththera.llm.models import LlmError, Models
from maththera.words.danger import Category, Danger, Tier

PROMPT: Final = "danger"
VARIABLES: Final[Set[str]] = frozenset({"message"})
_LONGEST: Final = 2_000
"""Characters of a message that are sent."""
_SCORE: Final = 0.5


class _Reply(BaseModel):
    category: Category | Literal["none"]
    tier: Tier = 3


class Asker(Protocol):
    async def __call__(self, message: str) -> Danger | None: ...


def asking(models: Models, seconds: float) -> Asker:
    """Asks a model within `seconds`; None also where it gives no usable answer in time."""

    async def ask(message: str) -> Danger | None:
        variables = {"message": message[:_LONGEST]}
        try:
            reply = (await models.ask(PROMPT, variables, _Reply, Budget(seconds))).value
        except LlmError:
            return None  # the log has it, and the rules have read the message
        return None if reply.category == "none" else Danger(reply.category, reply.tier, sure=True, score=_SCORE)

    return ask


def higher(rules: Danger | None, model: Danger | None) -> Danger | None:
    """The more urgent of both; the rules' where they are alike."""
    if rules is None or model is None:
        return rules or model
    return model if model.tier < rules.tier else rules
