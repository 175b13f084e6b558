"""Results of tools in Redis, each for some seconds."""

import hashlib
import logging
from collections.abc import Mapping
from typing import Any

import orjson
from redis.asyncio import Redis
from redis.exceptions import RedisError

from maththera.json_types import JsonObject

logger = logging.getLogger(__name__)


def digest(said: object) -> str:
    """Of JSON: what differs in the order of its keys alone has the same, and it cannot be read back."""
    return hashlib.sha256(orjson.dumps(said, option=orjson.OPT_SORT_KEYS)).hexdigest()


class ResultCache:
    """Without a Redis that answers, nothing is known and nothing is kept."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def get(self, name: str) -> JsonObject | None:
        """What was kept under a key, or None."""
        try:
            text = await self._redis.get(name)
        except RedisError as error:
            logger.debug("no cached result: %r", error)
            return None
        return None if text is None else orjson.loads(text)

    async def put(self, name: str, value: Mapping[str, Any], seconds: int) -> None:
        try:
            await self._redis.set(name, orjson.dumps(dict(value)), ex=seconds)
        except RedisError as error:
            logger.debug("result not cached: %r", error)
