"""Reads a request's body: bounded, and in one pass from bytes to a validated model."""

import asyncio
from collections.abc import Sequence
from typing import Final, TypeVar

from fastapi import Request
from pydantic import TypeAdapter, ValidationError

from maththera.api.problems import Problem, invalid

T = TypeVar("T")

BODY_SECONDS: Final = 10.0
LARGEST_BODY: Final = 64 * 1024  # bytes; an event with every field at its limit has about 6 kB

_JSON_ERROR: Final = "json_invalid"
_NO_TAG: Final = ("union_tag_invalid", "union_tag_not_found")


async def read(
    request: Request, adapter: TypeAdapter[T], tags: Sequence[str] = (), *, largest: int = LARGEST_BODY
) -> T:
    """The body as `adapter` reads it. `tags` are the values of a union's `type`; `largest` is in bytes.

    Problems: 415 for another content type, 413 above `largest`, 408 after BODY_SECONDS, 400 for what is not JSON,
    422 with each field.
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
        return adapter.validate_json(body)
    except ValidationError as error:
        found = error.errors(include_input=False, include_url=False, include_context=False)
    if found[0]["type"] == _JSON_ERROR:
        raise Problem("malformed_json", found[0]["msg"], errors=[{"loc": "body", "msg": found[0]["msg"]}])
    if found[0]["type"] in _NO_TAG:
        found[0] |= {"loc": ("type",), "msg": f"must be one of {', '.join(tags)}"}
    raise invalid(found, tags)


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
