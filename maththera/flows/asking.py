"""`action: llm` through the configured models: any JSON object, which the step then holds to its own schema."""

from collections.abc import Mapping
from typing import Any

from pydantic import BaseModel, ConfigDict

from maththera.flows.services import Ask
from maththera.llm.models import Models


class _Object(BaseModel):
    model_config = ConfigDict(extra="allow")


def through(models: Models) -> Ask | None:
    """None when no model is configured. Budgets are those of `configs/llm.yaml`, a step's own `timeout` beside them."""
    if not models.available:
        return None

    async def ask(prompt: str, variables: Mapping[str, Any], schema: Mapping[str, Any]) -> dict[str, Any]:  # noqa: ARG001
        reply = await models.ask(prompt, variables, _Object, models.budget())
        return reply.value.model_dump()

    return ask
