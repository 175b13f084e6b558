"""A model that was waited for in vain is left alone for a while."""

import asyncio

import pytest

from maththera.llm.circuit_breaker import LATELY_SECONDS, LONGEST_REST, SHORTEST_REST, WAITED_MS, CircuitBreaker


class Clock:
    seconds = 100.0

    def __call__(self) -> float:
        return self.seconds


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def breaker(clock: Clock) -> CircuitBreaker:
    return CircuitBreaker(clock)


@pytest.mark.parametrize(
    ("waits", "rests"),
    [([10_000], True), ([WAITED_MS], True), ([3, 5, 2], False), ([WAITED_MS // 2] * 2, True), ([300, 300], False)],
)
def test_what_counts_is_the_time_that_is_lost_in_a_row(waits: list[int], rests: bool, breaker: CircuitBreaker) -> None:
    for ms in waits:
        breaker.waited_in_vain(ms)
    assert breaker.resting is rests


def test_a_reply_between_begins_the_row_anew(breaker: CircuitBreaker, clock: Clock) -> None:
    breaker.waited_in_vain(WAITED_MS - 1)
    breaker.answered()
    clock.seconds += LATELY_SECONDS
    breaker.waited_in_vain(WAITED_MS - 1)
    assert not breaker.resting


def test_one_slow_call_beside_others_that_are_answered_changes_nothing(breaker: CircuitBreaker, clock: Clock) -> None:
    breaker.answered()
    breaker.waited_in_vain(2_000)
    assert not breaker.resting
    clock.seconds += LATELY_SECONDS
    breaker.waited_in_vain(2_000)
    assert breaker.resting


async def test_rests_grow_while_trials_fail_and_end_with_one_that_does_not(
    breaker: CircuitBreaker, clock: Clock
) -> None:
    async def fails() -> None:
        breaker.waited_in_vain(10)

    breaker.waited_in_vain(2_000)
    rest = SHORTEST_REST
    for _ in range(6):
        clock.seconds += rest - 0.1
        assert not breaker.wants_trial
        clock.seconds += 0.1
        assert breaker.wants_trial
        await breaker.spawn_trial(fails())
        assert breaker.resting
        rest = min(2 * rest, LONGEST_REST)
    assert rest == LONGEST_REST
    breaker.answered()
    assert not breaker.resting
    clock.seconds += LATELY_SECONDS
    breaker.waited_in_vain(2_000)
    clock.seconds += SHORTEST_REST
    assert breaker.wants_trial, "the next rest is a short one again"


async def test_one_trial_at_a_time(breaker: CircuitBreaker, clock: Clock) -> None:
    breaker.waited_in_vain(2_000)
    clock.seconds += SHORTEST_REST
    trial = breaker.spawn_trial(asyncio.sleep(60))
    assert not breaker.wants_trial
    breaker.close()
    await asyncio.wait([trial])
    assert breaker.wants_trial


def test_calls_that_began_before_a_rest_do_not_make_it_longer(breaker: CircuitBreaker, clock: Clock) -> None:
    breaker.waited_in_vain(2_000)
    breaker.waited_in_vain(8_000)
    clock.seconds += SHORTEST_REST
    assert breaker.wants_trial
