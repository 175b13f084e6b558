"""A model that was waited for in vain is left alone for a while."""

import asyncio

import pytest

from maththera.llm.circuit_breaker import SLOW_MS, CircuitBreaker
from maththera.llm.model_client import Call, LlmError, LlmFailed, LlmRejected, LlmTimeout, Usage


class Model:
    """Does what it is told, and counts."""

    def __init__(self) -> None:
        self.error: LlmError | None = None
        self.calls = 0

    async def __call__(self) -> str:
        self.calls += 1
        if self.error is not None:
            raise self.error
        return "답"


def spent(ms: int) -> Call:
    return Call("lesson_qna", "m", "timeout", Usage(), ms, None)


class Clock:
    seconds = 0.0

    def __call__(self) -> float:
        return self.seconds


@pytest.mark.parametrize(
    ("error", "left_alone"),
    [
        (LlmTimeout("late", spent(10_000)), True),
        (LlmFailed("broke off", spent(SLOW_MS)), True),
        (LlmFailed("refused at once", spent(3)), False),
        (LlmRejected("rubbish", spent(10_000)), False),
    ],
)
async def test_only_what_was_waited_for_in_vain_is_left_alone(error: LlmError, left_alone: bool) -> None:
    model, breaker = Model(), CircuitBreaker(60, Clock())
    model.error = error
    with pytest.raises(type(error)):
        await breaker.call(model)
    model.error = None
    assert await breaker.call(model) == (None if left_alone else "답")
    assert model.calls == (1 if left_alone else 2)


async def test_nobody_waits_for_the_trial_and_a_good_one_lets_the_others_through() -> None:
    model, clock = Model(), Clock()
    breaker = CircuitBreaker(60, clock)
    model.error = LlmTimeout("late", spent(10_000))
    with pytest.raises(LlmTimeout):
        await breaker.call(model)
    for seconds, calls in ((59.0, 1), (60.0, 2), (119.0, 2), (120.0, 3)):
        clock.seconds = seconds
        if seconds == 120.0:
            model.error = None
        assert await breaker.call(model) is None
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        assert model.calls == calls
    assert await breaker.call(model) == "답"
