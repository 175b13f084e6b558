"""Errors as RFC 9457 problem documents: a catalogue of codes, the exception `ApiProblem`, and its handlers."""

from collections.abc import Awaitable, Callable, Iterable, Mapping, Sequence
from http import HTTPStatus
from typing import Any, Final, TypeAlias

import orjson
from fastapi import FastAPI, Request, Response
from fastapi.exceptions import RequestValidationError
from fastapi.routing import iter_route_contexts
from starlette.exceptions import HTTPException
from starlette.routing import Match, Route

from maththera.api.http_layer.field_errors import field_error
from maththera.config_files import fault_reason
from maththera.flows.language.messages import Message
from maththera.json_types import JsonObject
from maththera.store.database import RETRY_AFTER_S

CONTENT_TYPE: Final = "application/problem+json"

# code → (status, title). Codes are stable: clients branch on them.
CATALOGUE: Final[dict[str, tuple[int, str]]] = {
    "malformed_json": (400, "The body is not JSON"),
    "unauthorized": (401, "A valid bearer token or a sign-in is needed"),
    "forbidden": (403, "This role may not do that"),
    "cross_site": (403, "A page of another site may not do that"),
    "wrong_pictures": (403, "These are not the two pictures"),
    "consent_needed": (403, "A guardian has not agreed to this"),
    "not_found": (404, "There is nothing at this address"),
    "method_not_allowed": (405, "This address does not take this method"),
    "body_too_slow": (408, "The body did not arrive in time"),
    "stale_task": (409, "The task is no longer the current one"),
    "flow_changed": (409, "Another author has saved this flow"),
    "thread_busy": (409, "The conversation has a turn under way"),
    "lesson_state": (409, "The lesson is not at the point for that"),
    "execution_state": (409, "The run is not in a state for that"),
    "goal_taken": (409, "There is such a goal already"),
    "nickname_taken": (409, "Another child of the class is called so"),
    "own_token": (409, "The token is the one in use"),
    "review_decided": (409, "The review has been decided already"),
    "alert_unopened": (409, "The words of the alert have to be read first"),
    "procedure_taken": (409, "This very procedure was proposed already"),
    "own_procedure": (409, "Another adult has to approve it"),
    "unnamed_adult": (409, "A token does not say whose it is"),
    "false_causes": (409, "It would name a cause for too many children who are well"),
    "procedure_state": (409, "The procedure is not in a state for that"),
    "body_too_large": (413, "The body is too large"),
    "unsupported_media_type": (415, "The body must be application/json"),
    "invalid_input": (422, "The input is not valid"),
    "request_id_reused": (422, "The request id or Idempotency-Key was used before, with another body"),
    "flow_invalid": (422, "The flow cannot run"),
    "too_many_requests": (429, "Too many requests"),
    "call_teacher": (429, "Too many tries to sign in as this child"),
    "headers_too_large": (431, "The headers are too large"),
    "internal": (500, "Something went wrong here"),
    "store_unavailable": (503, "The store is unavailable"),
    "overloaded": (503, "The service has too much to do"),
}
NUL: Final = "must not contain the character U+0000"
# Of several codes with one status the first.
_CODE_BY_STATUS: Final = {status: code for code, (status, _) in reversed(CATALOGUE.items())}


class ApiProblem(Exception):
    """An error answer; raised anywhere while a request is handled. `members`: further members of the document."""

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

    def document(self) -> JsonObject:
        status, title = CATALOGUE[self.code]
        document: JsonObject = {
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

    def http_bytes(self) -> bytes:
        """The whole answer as HTTP/1.1, for a connection that has no application yet; it ends the connection."""
        response = self.response()
        headers = [*response.raw_headers, (b"connection", b"close")]
        lines = [b"HTTP/1.1 %d %s" % (response.status_code, HTTPStatus(response.status_code).phrase.encode())]
        lines += [name + b": " + value for name, value in headers]
        return b"\r\n".join([*lines, b"", bytes(response.body)])


Problems: TypeAlias = Mapping[type[Exception], Callable[[Any], ApiProblem]]
"""Errors of a domain → the problem that answers each."""


def invalid_field(loc: str, reason: str, detail: str | None = None) -> ApiProblem:
    """A 422 for the field at `loc`, such as "body.name"; `detail` is both together unless given."""
    return ApiProblem("invalid_input", detail or f"{loc}: {reason}", errors=[{"loc": loc, "msg": reason}])


def invalid_member(name: str, reason: str) -> ApiProblem:
    """A 422 for a member of the body, which `detail` calls by its name alone."""
    return invalid_field(f"body.{name}", reason, f"{name}: {reason}")


def try_again(detail: str) -> ApiProblem:
    """A 503 while a store cannot be reached, or is held by others, for a moment."""
    return ApiProblem("store_unavailable", detail, headers={"Retry-After": str(RETRY_AFTER_S)})


def said(message: Message) -> dict[str, str]:
    """The members of an error of a field that say what is wrong."""
    return {"msg": message.english, "korean": message.korean}


def invalid_input(errors: Iterable[Mapping[str, Any]]) -> ApiProblem:
    """A 422 from pydantic's errors, each named by its place, such as "body.behavior_tags.0" or "query.limit"."""
    found = [
        {
            "loc": ".".join(map(str, error["loc"])),
            **said(field_error(error.get("type", ""), fault_reason(error), error.get("ctx", {}))),
        }
        for error in errors
    ]
    return ApiProblem("invalid_input", "; ".join(f"{e['loc']}: {e['msg']}" for e in found[:3]), errors=found)


def _methods(request: Request) -> list[str]:
    """All methods of this address; Starlette names those of its first matching route alone. Empty for a mounted
    application."""
    routes = [context.original_route for context in iter_route_contexts(request.app.routes)]
    found = [one for one in routes if isinstance(one, Route) and one.matches(request.scope)[0] is not Match.NONE]
    methods = {method for route in found for method in route.methods or ()}
    return sorted(methods | {"OPTIONS"} | ({"HEAD"} if "GET" in methods else set())) if methods else []


def answer_errors(app: FastAPI, problems: Problems) -> None:
    """Answers errors of a domain, wherever a route raises one."""

    def handler(problem_of: Callable[[Any], ApiProblem]) -> Callable[[Request, Exception], Awaitable[Response]]:
        async def answer(_: Request, error: Exception) -> Response:
            return problem_of(error).response()

        return answer

    for kind, problem_of in problems.items():
        app.add_exception_handler(kind, handler(problem_of))


def install(app: FastAPI) -> None:
    """Handles `ApiProblem` and FastAPI's own errors: all are answered as problem documents."""

    @app.exception_handler(ApiProblem)
    async def _problem(_: Request, problem: ApiProblem) -> Response:
        return problem.response()

    @app.exception_handler(HTTPException)
    async def _http(request: Request, error: HTTPException) -> Response:
        code = _CODE_BY_STATUS.get(error.status_code, "internal")
        headers = dict(error.headers or {})
        if code == "method_not_allowed" and (methods := _methods(request)):
            headers["Allow"] = ", ".join(methods)
            if request.method == "OPTIONS":
                return Response(status_code=HTTPStatus.NO_CONTENT, headers=headers)
        return ApiProblem(code, CATALOGUE[code][1], headers=headers).response()

    @app.exception_handler(RequestValidationError)
    async def _validation(_: Request, error: RequestValidationError) -> Response:
        return invalid_input(error.errors()).response()
