"""What turns have in common: the same request, what is told, and what goes wrong."""

import asyncio
from collections.abc import AsyncIterator, Mapping
from contextlib import aclosing, asynccontextmanager
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st
from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.runtime.event_log import BEGINNING, EventLog, event_order
from maththera.runtime.redis_client import open_redis
from maththera.runtime.turns import (
    EventWriter,
    RequestIdReused,
    RunningTurn,
    Turns,
    body_digest,
    failures_told,
    require_same_body,
)
from tests.support.servers import RedisServer

BODIES = st.dictionaries(st.text(max_size=3), st.integers(0, 3) | st.text(max_size=3), max_size=4)
CODES: Mapping[type[Exception], str] = {KeyError: "not_found", RedisError: "away", Exception: "internal"}


@pytest.fixture
async def log(redis: Redis, redis_url: str) -> AsyncIterator[EventLog]:
    async with open_redis(redis_url) as client, EventLog(client) as found:
        yield found


async def followed(told: RunningTurn, last_id: str = BEGINNING) -> list[tuple[str, dict[str, Any]]]:
    async with aclosing(told.events(last_id)) as events:
        return [each async for each in events]


@given(BODIES, BODIES)
def test_a_body_is_the_same_whatever_the_order_of_its_members(one: dict[str, Any], other: dict[str, Any]) -> None:
    require_same_body(body_digest(one), body_digest(dict(reversed(one.items()))))
    if one != other:
        with pytest.raises(RequestIdReused):
            require_same_body(body_digest(one), body_digest(other))


def test_a_request_that_had_no_id_is_no_other() -> None:
    with pytest.raises(RequestIdReused):
        require_same_body(None, body_digest({}))


@pytest.mark.parametrize(
    ("error", "code"), [(KeyError("t"), "not_found"), (RedisError("gone"), "away"), (OSError("disk"), "internal")]
)
def test_what_goes_wrong_is_told_as_its_code(error: Exception, code: str) -> None:
    told: list[str] = []
    with failures_told("turn 1", CODES, told.append):
        raise error
    assert told == [code]


def test_what_goes_right_or_is_cancelled_has_no_code() -> None:
    told: list[str] = []
    with failures_told("turn 1", CODES, told.append):
        pass
    with pytest.raises(asyncio.CancelledError), failures_told("turn 1", CODES, told.append):
        raise asyncio.CancelledError
    assert told == []


async def test_every_reader_gets_each_event_once_wherever_it_comes_back(log: EventLog) -> None:
    writer = EventWriter(log)
    told = RunningTurn("turn", writer)
    reader = asyncio.create_task(followed(told))
    for number in range(9):
        told.emit({"type": "token", "number": number})
        await asyncio.sleep(0)
    told.emit({"type": "final"})
    told.emit({"type": "token", "number": "after the end"})
    everything = await reader
    assert [event["type"] for _, event in everything] == ["token"] * 9 + ["final"]
    for place in range(len(everything) + 1):
        last_id = everything[place - 1][0] if place else BEGINNING
        assert await followed(told, last_id) == everything[place:]
    assert await followed(told, "1-3") == everything  # an id of another turn
    assert await writer.settled()
    assert await log.all("turn") == everything


async def test_a_turns_events_come_after_those_of_a_clock_that_is_ahead(log: EventLog) -> None:
    writer, ahead = EventWriter(log), "99999999999999-7"
    await log.write([("lesson", ahead, {"type": "final"})])
    told = RunningTurn("lesson", writer, ahead)
    told.emit({"type": "final"})
    assert await writer.settled()
    ((number, _),) = await followed(told)
    assert event_order(number) > event_order(ahead)
    assert await log.newest("lesson") == (number, {"type": "final"})


async def test_readers_of_this_process_do_not_need_redis(log: EventLog, redis_server: RedisServer) -> None:
    writer = EventWriter(log)
    first, second = RunningTurn("first", writer), RunningTurn("second", writer)
    redis_server.stop()
    for told in (first, second):
        told.emit({"type": "final"})
    assert [event for _, event in await followed(first)] == [{"type": "final"}]
    assert not await writer.settled()
    writer.drop("first")
    redis_server.start()
    async with asyncio.timeout(30):
        while not await writer.settled():
            await asyncio.sleep(0.05)
    assert await log.all("first") == []
    assert await log.all("second") == await followed(second)


async def test_it_notices_when_the_last_reader_leaves(log: EventLog) -> None:
    left: list[bool] = []

    class Watched(RunningTurn):
        def unwatched(self) -> None:
            left.append(True)

    writer = EventWriter(log)
    told = Watched("turn", writer)
    told.emit({"type": "token"})
    readers = [told.events(BEGINNING) for _ in range(2)]
    for reader in readers:
        await anext(reader)
    await readers[0].aclose()
    assert not left
    await readers[1].aclose()
    assert left
    assert await writer.settled()


class Room:
    """Claims one turn after the other, as long as there is no `refusal`; the work of a turn waits until it `may_end`.
    `steps`: what was done."""

    def __init__(self, log: EventLog) -> None:
        self.turns, self.steps = Turns(log), list[str]()
        self.may_claim, self.may_end = asyncio.Event(), asyncio.Event()
        self.refusal: Exception | None = None

    @asynccontextmanager
    async def claimed(self) -> AsyncIterator[RunningTurn]:
        await self.may_claim.wait()
        if self.refusal is not None:
            raise self.refusal
        self.steps.append("claimed")
        yield RunningTurn("turn", self.turns.writer)
        self.steps.append("given back")

    async def run(self, turn: RunningTurn) -> None:
        await self.may_end.wait()
        turn.emit({"type": "final"})
        self.steps.append("run")

    async def begin(self) -> RunningTurn:
        return await self.turns.begin("turn", self.claimed(), self.run)


async def test_a_turn_goes_on_when_its_sender_has_gone_and_is_in_the_log_when_it_is_given_back(log: EventLog) -> None:
    room = Room(log)
    room.may_claim.set()
    told = await asyncio.create_task(room.begin())
    assert room.steps == ["claimed"]
    room.may_end.set()
    await room.turns.aclose()
    assert room.steps == ["claimed", "run", "given back"]
    assert await log.all("turn") == await followed(told)


async def test_what_a_claim_raises_is_its_senders(log: EventLog) -> None:
    room = Room(log)
    room.may_claim.set()
    room.refusal = KeyError("no such thread")
    with pytest.raises(KeyError):
        await room.begin()
    assert room.steps == []


async def test_a_turn_whose_sender_has_gone_before_it_is_claimed_is_not_run(log: EventLog) -> None:
    room = Room(log)
    sender = asyncio.create_task(room.begin())
    await asyncio.sleep(0)
    sender.cancel()
    await asyncio.wait([sender])
    room.may_claim.set()
    await room.turns.aclose()
    assert room.steps == ["claimed", "given back"]
