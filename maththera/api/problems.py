"""Errors as RFC 9457 problem documents: one class, one catalogue of codes, one way out."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import iter_route_contexts
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route

CONTENT_TYPE: Final = "application/problem+json"

# code → (status, title). Codes are stable: clients branch on them.
CATALOGUE: Final[dict[str, tuple[int, str]]] = {
    "malformed_json": (400, "The body is not JSON"),
    "unauthorized": (401, "A valid bearer token is needed"),
    "forbidden": (403, "This role may not do that"),
    "not_found": (404, "There is nothing at this address"),
    "method_not_allowed": (405, "This address does not take this method"),
    "body_too_slow": (408, "The body did not arrive in time"),
    "stale_task": (409, "The task is no longer the current one"),
    "flow_changed": (409, "Another author has saved this flow"),
    "thread_busy": (409, "The conversation has a turn under way"),
    "lesson_state": (409, "The lesson is not at the point for that"),
    "execution_state": (409, "The run is not in a state for that"),
    "review_decided": (409, "The review has been decided already"),
    "body_too_large": (413, "The body is too large"),
    "unsupported_media_type": (415, "The body must be application/json"),
    "invalid_input": (422, "The input is not valid"),
    "flow_invalid": (422, "The flow cannot run"),
    "internal": (500, "Something went wrong here"),
    "store_unavailable": (503, "The store is unavailable"),
}
NUL: Final = "must not contain the character U+0000"
_NO_BODY: Final = ("query", "path")
_CODE_BY_STATUS: Final = {status: code for code, (status, _) in reversed(CATALOGUE.items())}  # the general ones


class Problem(Exception):
    """Raised anywhere under a request; `members` become further members of the document."""

    def __init__(
        self,
        code: str,
        detail: str,
        *,
        errors: Sequence[Mapping[str, str]] = (),
        headers: Mapping[str, str] | None = None,
        **members: Any,
    ) -> None:
        super().__init__(detail)
        self.code, self.detail, self.errors, self.members = code, detail, errors, members
        self.headers = dict(headers or {})

    def document(self) -> dict[str, Any]:
        status, title = CATALOGUE[self.code]
        document: dict[str, Any] = {
            "type": f"urn:maththera:problem:{self.code}",
            "title": title,
            "status": status,
            "detail": self.detail,
            "code": self.code,
        }
        if self.errors:
            document["errors"] = [dict(error) for error in self.errors]
        return document | self.members

    def response(self) -> Response:
        return Response(
            orjson.dumps(self.document()),
            CATALOGUE[self.code][0],
            {"Cache-Control": "no-store", **self.headers},
            media_type=CONTENT_TYPE,
        )


def invalid(errors: Iterable[Mapping[str, Any]], drop: Sequence[str] = ()) -> Problem:
    """A 422 from pydantic's errors, each named like "body.behavior_tags.0".

    `drop` are a union's tags, which pydantic puts in front of the field.
    """
    found = []
    for error in errors:
        loc = error["loc"]
        if loc and loc[0] in drop:
            loc = loc[1:]
        where = loc if loc and loc[0] in _NO_BODY else ("body", *loc)
        found.append({"loc": ".".join(map(str, where)), "msg": error["msg"].removeprefix("Value error, ")})
    return Problem("invalid_input", "; ".join(f"{e['loc']}: {e['msg']}" for e in found[:3]), errors=found)


def _methods(request: Request) -> list[str]:
    """All that this address takes: the framework names those of its first route alone. None for what is mounted."""
    routes = [context.original_route for context in iter_route_contexts(request.app.routes)]
    found = [one for one in routes if isinstance(one, Route) and one.matches(request.scope)[0] is not Match.NONE]
    return sorted({method for route in found for method in route.methods or ()})


def install(app: FastAPI) -> None:
    """Answers every error of the framework, and ours, as a problem document."""

    @app.exception_handler(Problem)
    async def _problem(_: Request, problem: Problem) -> Response:
        return problem.response()

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        code = _CODE_BY_STATUS.get(error.status_code, "internal")
        headers = dict(error.headers or {})
        if code == "method_not_allowed" and (methods := _methods(request)):
            headers["Allow"] = ", ".join(methods)
        return Problem(code, CATALOGUE[code][1], headers=headers).response()

    @app.exception_handler(RequestValidationError)
    async def _validation(_: Request, error: RequestValidationError) -> Response:
        return invalid(error.errors()).response()
