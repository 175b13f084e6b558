"""Results of tools in Redis: `maththera:mcp:{server}:{tool}:{hash of the arguments}`, each with an end."""

import hashlib
import logging
from collections.abc import Mapping
from typing import Any, Final

import orjson
from redis.asyncio import Redis
from redis.exceptions import RedisError

logger = logging.getLogger(__name__)

PREFIX: Final = "maththera:mcp:"


def cache_key(server: str, tool: str, arguments: Mapping[str, Any]) -> str:
    """Two calls that mean the same have the same key, whatever the order of their arguments."""
    text = orjson.dumps(dict(arguments), option=orjson.OPT_SORT_KEYS)
    return f"{PREFIX}{server}:{tool}:{hashlib.sha256(text).hexdigest()}"


class ResultCache:
    """Without a Redis that answers, nothing is known and nothing is kept."""

    def __init__(self, redis: Redis) -> None:
        self._redis = redis

    async def get(self, name: str) -> object:
        """What was kept under a key, or None."""
        try:
            text = await self._redis.get(name)
        except RedisError as error:
            logger.warning("no cached result: %r", error)
            return None
        return None if text is None else orjson.loads(text)

    async def put(self, name: str, value: Mapping[str, Any], seconds: int) -> None:
        try:
            await self._redis.set(name, orjson.dumps(dict(value)), ex=seconds)
        except RedisError as error:
            logger.warning("result not cached: %r", error)
