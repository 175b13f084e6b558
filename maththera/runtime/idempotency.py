"""A request that a client sends again is the same request: the same id, the same body."""

import hashlib
from collections.abc import Mapping
from typing import Any

import orjson


class RequestIdReused(ValueError):
    """The id of an earlier request came with another body."""


def body_digest(body: Mapping[str, Any]) -> str:
    """What tells one body from another, however its members are ordered."""
    return hashlib.sha256(orjson.dumps(body, option=orjson.OPT_SORT_KEYS)).hexdigest()


def require_same_body(earlier: str, body: Mapping[str, Any]) -> None:
    """`earlier`: the digest of what first came with this id. RequestIdReused."""
    if earlier != body_digest(body):
        raise RequestIdReused("the request id was used before, with another body")
