"""Stops asking a model that does not answer, so that nobody waits for it again and again."""

import asyncio
import time
from collections.abc import Awaitable, Callable
from typing import Final, TypeVar

from maththera.llm.model_client import LlmError, LlmRejected

T = TypeVar("T")
REST_SECONDS: Final = 60.0
SLOW_MS: Final = 1000
"""What a call without a usable end may cost before the next ones are not made."""


class CircuitBreaker:
    """Lets calls through until one is waited for in vain. From then on none is made for `rest_seconds`; the next one
    after that is a trial that nobody waits for, and that lets the others through again if it ends soon. What fails at
    once costs no time, and a reply that is merely unusable shows that the model answers."""

    def __init__(self, rest_seconds: float = REST_SECONDS, now: Callable[[], float] = time.monotonic) -> None:
        """`now` gives seconds."""
        self._rest_seconds, self._now = rest_seconds, now
        self._rests_until: float | None = None
        self._trial: asyncio.Task[None] | None = None

    async def call(self, ask: Callable[[], Awaitable[T]]) -> T | None:
        """The reply; None while none is asked for. Raises LlmError as `ask` does."""
        if self._rests_until is not None:
            if self._now() >= self._rests_until and (self._trial is None or self._trial.done()):
                self._trial = asyncio.create_task(self._try(ask))
            return None
        return await self._watched(ask)

    async def _try(self, ask: Callable[[], Awaitable[T]]) -> None:
        try:
            await self._watched(ask)
        except LlmError:
            return

    async def _watched(self, ask: Callable[[], Awaitable[T]]) -> T:
        try:
            reply = await ask()
        except LlmError as error:
            waited = error.call.ms >= SLOW_MS and not isinstance(error, LlmRejected)
            self._rests_until = self._now() + self._rest_seconds if waited else None
            raise
        self._rests_until = None
        return reply
