"""LangGraph's own conformance suite against RedisSaver, with every capability there is and the whole history kept."""

from collections.abc import AsyncGenerator

import pytest
from langgraph.checkpoint.base import BaseCheckpointSaver
from langgraph.checkpoint.conformance import checkpointer_test, validate
from langgraph.checkpoint.conformance.capabilities import Capability
from redis.asyncio import Redis

from maththera.runtime.checkpointer import RedisSaver
from maththera.runtime.redis_client import open_redis


@pytest.mark.parametrize("capability", list(Capability))
async def test_capability(capability: Capability, redis: Redis, redis_url: str) -> None:
    @checkpointer_test(name="RedisSaver")
    async def saver() -> AsyncGenerator[BaseCheckpointSaver, None]:
        async with open_redis(redis_url) as client:
            yield RedisSaver(client, history=None)

    report = await validate(saver, capabilities={capability})

    result = report.results[capability.value]
    assert (result.detected, result.failures) == (True, [])
    assert result.tests_passed >= 5
