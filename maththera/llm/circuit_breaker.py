"""Stops asking a model that does not answer, so that nobody waits for it again and again, in whatever room."""

import asyncio
import time
from collections.abc import Callable, Coroutine
from typing import Any, Final

WAITED_MS: Final = 1_000
"""What calls without a usable end may cost in a row before the next ones are not made."""
LATELY_SECONDS: Final = 10.0
"""A model that has answered somebody so lately is only slow for one."""
SHORTEST_REST: Final = 5.0
LONGEST_REST: Final = 60.0


class CircuitBreaker:
    """Counts the time that was waited for nothing since the model's last reply. When it is too much, the model rests:
    no call is made. The first one after that is made as a trial that nobody waits for. A reply ends the rest; without
    one the next rest is twice as long, up to `LONGEST_REST`. What fails at once costs no time, and a reply that is
    merely unusable shows that the model answers."""

    def __init__(self, now: Callable[[], float] = time.monotonic) -> None:
        """`now` gives seconds."""
        self._now = now
        self._waited_ms = 0
        self._answered_at: float | None = None
        self._rests_until: float | None = None
        self._rest = SHORTEST_REST
        self._trial: asyncio.Task[Any] | None = None

    @property
    def resting(self) -> bool:
        """Whether calls are not made for now."""
        return self._rests_until is not None

    @property
    def wants_trial(self) -> bool:
        """Whether the rest is over, and no trial is under way."""
        over = self._rests_until is not None and self._now() >= self._rests_until
        return over and (self._trial is None or self._trial.done())

    def spawn_trial(self, call: Coroutine[Any, Any, None]) -> asyncio.Task[None]:
        """Makes a call that nobody waits for; its end is told as that of any other."""
        self._trial = trial = asyncio.create_task(call, name="trial of a model")
        return trial

    def answered(self) -> None:
        """A reply came, of whatever use."""
        self._answered_at, self._rests_until = self._now(), None
        self._waited_ms, self._rest = 0, SHORTEST_REST

    def waited_in_vain(self, ms: int) -> None:
        """A call ended without a reply, after so many milliseconds."""
        self._waited_ms += ms
        now = self._now()
        if self._rests_until is not None:
            if now >= self._rests_until:  # else a call that began before the rest
                self._rest = min(2 * self._rest, LONGEST_REST)
                self._rests_until = now + self._rest
        elif self._waited_ms >= WAITED_MS and not self._answered_lately(now):
            self._rests_until = now + self._rest

    def _answered_lately(self, now: float) -> bool:
        return self._answered_at is not None and now - self._answered_at < LATELY_SECONDS

    def close(self) -> None:
        """Ends a trial that is under way."""
        if self._trial is not None:
            self._trial.cancel()
