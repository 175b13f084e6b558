"""A model's second opinion on danger in a message. It is never shown, and can only make the rules' result more
urgent."""

from collections.abc import Set
from typing import Final, Literal, Protocol

from pydantic import BaseModel

from maththera.llm.model_client import LlmError, Models
from maththera.llm.time_budget import Budget
from maththera.words.danger.danger_detection import Category, Danger, Tier

PROMPT: Final = "danger"
VARIABLES: Final[Set[str]] = frozenset({"message"})
_LONGEST: Final = 2_000
"""How many characters of a message are sent."""
_SCORE: Final = 0.5


class _Reply(BaseModel):
    category: Category | Literal["none"]
    tier: Tier = 3


class OpinionAsker(Protocol):
    async def __call__(self, message: str) -> Danger | None: ...


def opinion_asker(models: Models, seconds: float) -> OpinionAsker:
    """Asks a model within `seconds`. The opinion is None if no usable answer comes in time."""

    async def ask(message: str) -> Danger | None:
        variables = {"message": message[:_LONGEST]}
        try:
            reply = (await models.ask(PROMPT, variables, _Reply, Budget(seconds))).value
        except LlmError:
            return None  # the log has it, and the rules have read the message
        return None if reply.category == "none" else Danger(reply.category, reply.tier, sure=True, score=_SCORE)

    return ask


def more_urgent(rules: Danger | None, model: Danger | None) -> Danger | None:
    """The more urgent of the two; the rules' if they are equal."""
    if rules is None or model is None:
        return rules or model
    return model if model.tier < rules.tier else rules
