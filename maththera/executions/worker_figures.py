"""What Celery workers count of runs, steps and tools. A worker has no `/metrics`: it adds its counts to one hash in
Redis, and the service shows them with its own. They outlive the worker that counted them."""

import asyncio
import logging
from collections.abc import Mapping
from typing import Any, Final, TypeAlias

import orjson
from prometheus_client import CollectorRegistry
from redis.asyncio import Redis
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

KEY: Final = "maththera:worker-figures"
_KEPT_SECONDS: Final = 7 * 24 * 3600
_EVERY_SECONDS: Final = 5.0
_CREATED: Final = "_created"
"""The end of the name of a sample that is a time, which cannot be added up."""

Figures: TypeAlias = Mapping[tuple[str, frozenset[tuple[str, str]]], float]
"""(name of a sample, its labels) → its value. Of a histogram each bucket holds those below it, as Prometheus has it."""


class WorkerFigures:
    """Those of one worker, which its `registry` counts."""

    def __init__(self, redis: Redis, registry: CollectorRegistry) -> None:
        self._redis: Any = redis
        self._registry = registry
        self._handed: dict[bytes, float] = {}

    async def upkeep(self) -> None:
        """Hands over what is new, every few seconds, until it is cancelled."""
        while True:
            await asyncio.sleep(_EVERY_SECONDS)
            await self.hand_over()

    async def hand_over(self) -> None:
        """Adds what was counted since the last time. While Redis is away it waits for the next."""
        now = {
            orjson.dumps([sample.name, sample.labels]): sample.value
            for metric in self._registry.collect()
            for sample in metric.samples
            if not sample.name.endswith(_CREATED)
        }
        fresh = {name: value for name, value in now.items() if value != self._handed.get(name, 0.0)}
        if not fresh:
            return
        pipeline = self._redis.pipeline()
        for name, value in fresh.items():
            pipeline.hincrbyfloat(KEY, name, value - self._handed.get(name, 0.0))
        pipeline.expire(KEY, _KEPT_SECONDS)
        try:
            await pipeline.execute()
        except RedisError as error:
            logger.warning("the worker's figures wait: %r", error)
        else:
            self._handed |= fresh


async def figures(redis: Redis) -> Figures:
    """What all workers have handed over; nothing while Redis is away."""
    client: Any = redis
    try:
        found = await client.hgetall(KEY)
    except RedisError as error:
        logger.warning("without the workers' figures: %r", error)
        return {}
    samples = {}
    for name, value in found.items():
        sample, labels = orjson.loads(name)
        samples[sample, frozenset(labels.items())] = float(value)
    return samples
