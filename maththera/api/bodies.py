"""Reads a request's body: bounded, and in one pass from bytes to a validated model."""

import asyncio
import json
import re
from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeVar

from fastapi import Request
from pydantic import TypeAdapter, ValidationError

from maththera.api.problems import NUL, Problem, invalid

T = TypeVar("T")

BODY_SECONDS: Final = 10.0
LARGEST_BODY: Final = 64 * 1024  # bytes; an event with every field at its limit has about 6 kB

_SUSPECT: Final = re.compile(rb"\\u0000|[0-9]{19}")  # seen at a glance; what it really is takes a second look
_LARGEST_INTEGER: Final = 2**63 - 1

_JSON_ERROR: Final = "json_invalid"
_NO_TAG: Final = ("union_tag_invalid", "union_tag_not_found")


async def read(
    request: Request, adapter: TypeAdapter[T], tags: Sequence[str] = (), *, largest: int = LARGEST_BODY
) -> T:
    """The body as `adapter` reads it. `tags` are the values of a union's `type`; `largest` is in bytes.

    Problems: 415 for another content type, 413 above `largest`, 408 after BODY_SECONDS, 400 for what is not JSON,
    422 with each field, also for what no store can keep: the character U+0000, an integer of more than 64 bits.
    """
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise Problem("unsupported_media_type", f"The content type is {media_type or 'missing'}.")
    try:
        async with asyncio.timeout(BODY_SECONDS):
            body = await _bounded(request, largest)
    except TimeoutError:
        reason = f"It was not there after {BODY_SECONDS:.0f} s."
        raise Problem("body_too_slow", reason, headers={"Connection": "close"}) from None
    try:
        value = adapter.validate_json(body)
    except ValidationError as error:
        found = error.errors(include_input=False, include_url=False, include_context=False)
    else:
        if _SUSPECT.search(body) and (faults := list(_unkeepable(json.loads(body)))):
            raise invalid(faults)
        return value
    if found[0]["type"] == _JSON_ERROR:
        raise Problem("malformed_json", found[0]["msg"], errors=[{"loc": "body", "msg": found[0]["msg"]}])
    if found[0]["type"] in _NO_TAG:
        found[0] |= {"loc": ("type",), "msg": f"must be one of {', '.join(tags)}"}
    raise invalid(found, tags)


def _unkeepable(value: Any, loc: tuple[str | int, ...] = ()) -> Iterator[dict[str, Any]]:
    """What no store can keep or give back, however deep it lies in what a model lets through."""
    if isinstance(value, str) and "\0" in value:
        yield {"loc": loc, "msg": NUL}
    elif isinstance(value, int) and abs(value) > _LARGEST_INTEGER:
        yield {"loc": loc, "msg": "must be an integer of 64 bits at most"}
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from _unkeepable(name, loc)
            yield from _unkeepable(each, (*loc, name))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _unkeepable(each, (*loc, number))


async def _bounded(request: Request, largest: int) -> bytes:
    body = bytearray()
    declared = request.headers.get("content-length", "0")
    if int(declared) <= largest:  # the server has checked that it is a number
        async for chunk in request.stream():
            body += chunk
            if len(body) > largest:
                break
        else:
            return bytes(body)
    # What the client still sends is not read, so the connection cannot be used again.
    raise Problem("body_too_large", f"At most {largest} bytes.", headers={"Connection": "close"})
