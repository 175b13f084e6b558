"""How all routes read a request: JSON bodies by an annotation (`JsonBody`), the rest by a route class (`ApiRoute`).

FastAPI reads a body before it asks for the token, and parses it apart from the model. Here the token is checked before
a byte is read, size and time are limited, and pydantic takes the bytes to the model in one strict pass.
"""

import asyncio
import json
import re
from collections.abc import Awaitable, Callable, Coroutine, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Annotated, Any, Final, TypeAlias, TypeVar

from fastapi import Request, Response
from fastapi.dependencies.models import Dependant
from fastapi.dependencies.utils import get_flat_params
from fastapi.exceptions import RequestValidationError
from fastapi.routing import APIRoute
from pydantic import GetCoreSchemaHandler, TypeAdapter, ValidationError
from pydantic_core import CoreSchema, core_schema

from maththera.api.http_layer.auth import check_token, require_own_page
from maththera.api.http_layer.openapi_document import PUBLIC
from maththera.api.http_layer.problem_details import NUL, ApiProblem, invalid_input
from maththera.json_types import JsonObject

T = TypeVar("T")

BODY_SECONDS: Final = 10.0
LARGEST_BODY: Final = 64 * 1024  # bytes; an event with every field at its limit has about 6 kB

_SUSPECT: Final = re.compile(rb"\\u0000|[0-9]{19}")  # cheap first look; a hit is parsed and checked value by value
_LARGEST_INTEGER: Final = 2**63 - 1
_NO_TAG: Final = ("union_tag_invalid", "union_tag_not_found")
_NO_JSON: Final = "Invalid JSON: EOF while parsing a value at line 1 column 0"
_UNKNOWN: Final = {"type": "extra_forbidden", "msg": "Extra inputs are not permitted"}  # as pydantic says it of a body
_EMPTY: Final = partial(ApiProblem, "malformed_json", _NO_JSON, errors=[{"loc": "body", "msg": _NO_JSON}])


@dataclass(frozen=True, slots=True)
class FromJson:
    """Annotation of a body parameter: pydantic reads the model from the body's bytes.

    `largest`: bytes. `tags`: the values of a union's `type`, which pydantic puts in front of a field's name in errors.
    `forms`: those of an inner union.
    """

    largest: int = LARGEST_BODY
    tags: Sequence[str] = ()
    forms: Sequence[str] = ()

    def __get_pydantic_core_schema__(self, source: Any, handler: GetCoreSchemaHandler) -> CoreSchema:
        read = partial(self.read, TypeAdapter(source))
        return core_schema.no_info_plain_validator_function(read, json_schema_input_schema=handler(source))

    def read(self, adapter: TypeAdapter[T], body: bytes) -> T:
        """Problems: 400 for what is not JSON, 422 with each field, also for values that no store can keep (the
        character U+0000, integers of more than 64 bits) where the model allows any value."""
        try:
            value = adapter.validate_json(body)
        except ValidationError as error:
            raise self._problem(error) from None
        if _SUSPECT.search(body) and (faults := list(_unstorable_values(json.loads(body), ("body",)))):
            raise invalid_input(faults)
        return value

    def _problem(self, error: ValidationError) -> ApiProblem:
        found = error.errors(include_input=False, include_url=False)
        kind, reason = found[0]["type"], found[0]["msg"]
        if kind == "json_invalid":
            return ApiProblem("malformed_json", reason, errors=[{"loc": "body", "msg": reason}])
        if kind in _NO_TAG:
            return invalid_input([{"loc": ("body", "type"), "msg": f"must be one of {', '.join(self.tags)}"}])
        return invalid_input([{**one, "loc": ("body", *self._without_tag(one["loc"]))} for one in found])

    def _without_tag(self, loc: tuple[str | int, ...]) -> tuple[str | int, ...]:
        bare = loc[1:] if loc and loc[0] in self.tags else loc
        return tuple(part for part in bare if part not in self.forms)


JsonBody: TypeAlias = Annotated[T, FromJson()]


def _unstorable_values(value: Any, loc: tuple[str | int, ...]) -> Iterator[JsonObject]:
    """Where a value holds the character U+0000 or an integer of more than 64 bits, at any depth."""
    if isinstance(value, str) and "\0" in value:
        yield {"loc": loc, "msg": NUL}
    elif isinstance(value, int) and abs(value) > _LARGEST_INTEGER:
        yield {"loc": loc, "msg": "must be an integer of 64 bits at most"}
    elif isinstance(value, dict):
        for name, each in value.items():
            yield from _unstorable_values(name, loc)
            yield from _unstorable_values(each, (*loc, name))
    elif isinstance(value, list):
        for number, each in enumerate(value):
            yield from _unstorable_values(each, (*loc, number))


class _ReadRequest(Request):
    """A request whose body was read already; it stays bytes, which `FromJson` parses."""

    def __init__(self, request: Request, content: bytes) -> None:
        super().__init__(request.scope, request.receive)
        self._content = content

    async def body(self) -> bytes:
        return self._content

    async def json(self) -> bytes:
        return self._content


async def bounded_json(request: Request, largest: int) -> bytes:
    """The body as it is. Problems: 415 for another content type, else those of `bounded_body`."""
    media_type = request.headers.get("content-type", "").partition(";")[0].strip().lower()
    if media_type != "application/json":
        raise ApiProblem("unsupported_media_type", f"The content type is {media_type or 'missing'}.")
    return await bounded_body(request, largest, BODY_SECONDS)


def declared_size(request: Request, largest: int) -> int:
    """Bytes that the body will have, 0 where the client does not say. Problem 413 above `largest`."""
    size = int(request.headers.get("content-length", "0"))  # the server has checked that it is a number
    if size > largest:
        raise _too_large(largest)
    return size


async def bounded_body(request: Request, largest: int, seconds: float) -> bytes:
    """The body, at most `largest` bytes. Problems: 413 above that, 408 when it is not complete after `seconds`."""
    declared_size(request, largest)
    body = bytearray()
    try:
        async with asyncio.timeout(seconds):
            async for chunk in request.stream():
                body += chunk
                if len(body) > largest:
                    raise _too_large(largest)
    except TimeoutError:
        reason = f"It was not there after {seconds:.0f} s."
        raise ApiProblem("body_too_slow", reason, headers={"Connection": "close"}) from None
    return bytes(body)


def _too_large(largest: int) -> ApiProblem:
    """Problem 413. It closes the connection, as the rest of the body is not read."""
    return ApiProblem("body_too_large", f"At most {largest} bytes.", headers={"Connection": "close"})


async def _of_own_page(request: Request) -> None:
    require_own_page(request)


def _query_names(dependant: Dependant) -> Iterator[str]:
    """The query parameters that a route or what it depends on takes."""
    yield from (field.alias for field in get_flat_params(Dependant(query_params=dependant.query_params)))
    for inner in dependant.dependencies:
        yield from _query_names(inner)


class ApiRoute(APIRoute):
    """The route class of every router: limits of the body, no query parameters but its own, errors as problem
    documents, no caching of answers."""

    admit: Callable[[Request], Awaitable[None]] = staticmethod(check_token)
    """Called before a body is read, and before a query parameter that the route does not have is refused."""

    def get_route_handler(self) -> Callable[[Request], Coroutine[Any, Any, Response]]:
        handle = super().get_route_handler()
        field = self.body_field
        reader = next((one for one in field.field_info.metadata if isinstance(one, FromJson)), None) if field else None

        async def handle_json(request: Request, reader: FromJson) -> Response:
            await self.admit(request)
            content, refusal = b"", _EMPTY()
            try:
                content = await bounded_json(request, reader.largest)
            except ApiProblem as problem:
                refusal = problem  # a missing right (403, 404, 429) is reported before it
            try:
                return await handle(_ReadRequest(request, content))
            except RequestValidationError:
                if content:
                    raise
                raise refusal from None

        known = frozenset(_query_names(self.dependant))

        async def uncached(request: Request) -> Response:
            if unknown := request.query_params.keys() - known:
                if self.openapi_extra != PUBLIC:
                    await self.admit(request)
                raise invalid_input({**_UNKNOWN, "loc": ("query", name)} for name in sorted(unknown))
            response = await (handle_json(request, reader) if reader else handle(request))
            response.headers.setdefault("Cache-Control", "no-store")
            return response

        return uncached


class SignInRoute(ApiRoute):
    """The route class of routes that need no token and set cookies: only a page of this service may call them."""

    admit = staticmethod(_of_own_page)
