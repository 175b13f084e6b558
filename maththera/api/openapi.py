"""What the documentation says: bodies, answers and errors with an example for every operation."""

from types import UnionType
from typing import Any, Final, get_args

from fastapi import FastAPI
from fastapi.responses import PlainTextResponse
from fastapi.routing import APIRoute, iter_route_contexts
from pydantic import BaseModel
from pydantic.json_schema import models_json_schema

from maththera.api import (
    ag_ui_bodies,
    chat_bodies,
    examples,
    flow_bodies,
    openai_bodies,
    paper_bodies,
    student_bodies,
)
from maththera.api.answers import Health, ProblemDocument, Readiness, ReplayReport, SessionView, Trace, Turn, Waiting
from maththera.api.problems import CATALOGUE, CONTENT_TYPE, Problem
from maththera.api.schemas import NewSessionBody
from maththera.lessons.events import NewLesson, Said
from maththera.tutoring.events import AnswerSubmitted, Stop, TimedOut, TrainingDone

_REFERENCE: Final = "#/components/schemas/{model}"
_EVENTS: Final = (AnswerSubmitted, TimedOut, TrainingDone, Stop)
_BODIES: Final[tuple[type[BaseModel], ...]] = (
    NewSessionBody,
    *_EVENTS,
    *flow_bodies.ALL,
    *chat_bodies.ALL,
    *ag_ui_bodies.ALL,
    *openai_bodies.ALL,
    *student_bodies.ALL,
    *paper_bodies.ALL,
    NewLesson,
    Said,
)
_ALWAYS: Final = ("unauthorized", "internal", "store_unavailable")
BAD_BODY: Final = ("malformed_json", "body_too_slow", "body_too_large", "unsupported_media_type", "invalid_input")
_PUBLIC: Final = ("/healthz", "/readyz", "/metrics", "/api/v1/reports/{report_id}.pdf")


def errors(*codes: str) -> dict[int | str, Any]:
    found: dict[int | str, Any] = {}
    for code in (*codes, *_ALWAYS):
        status, title = CATALOGUE[code]
        example = Problem(code, **({"detail": title} | examples.ERRORS.get(code, {}))).document()
        found[status] = {
            "description": title,
            "content": {
                CONTENT_TYPE: {"schema": {"$ref": _REFERENCE.format(model="ProblemDocument")}, "example": example}
            },
        }
    return found


def answered(
    status: int, model: type[BaseModel] | UnionType, example: object, description: str
) -> dict[int | str, Any]:
    return {
        status: {
            "model": model,
            "description": description,
            "content": {"application/json": {"example": example}},
        }
    }


def body(schema: dict[str, Any], named: dict[str, object]) -> dict[str, Any]:
    content = {"schema": schema, "examples": {name: {"value": value} for name, value in named.items()}}
    return {"requestBody": {"required": True, "content": {"application/json": content}}}


def reference(model: type[BaseModel]) -> dict[str, str]:
    return {"$ref": _REFERENCE.format(model=model.__name__)}


_STREAM: Final = {
    "text/event-stream": {"schema": {"type": "string"}, "example": examples.STREAM},
}
_EVENT_SCHEMA: Final = {
    "oneOf": [reference(model) for model in _EVENTS],
    "discriminator": {
        "propertyName": "type",
        "mapping": {
            get_args(model.model_fields["type"].annotation)[0]: _REFERENCE.format(model=model.__name__)
            for model in _EVENTS
        },
    },
}

CREATE: Final[dict[str, Any]] = {
    "responses": answered(201, SessionView, examples.VIEW, "The session with its first task")
    | errors(*BAD_BODY, "forbidden", "not_found"),
    "openapi_extra": body(reference(NewSessionBody), examples.NEW_SESSIONS),
}
EVENT: Final[dict[str, Any]] = {
    "responses": answered(
        200, Turn | Waiting, examples.TURN, "The turn and the next task; or, in `safety`, what is said to danger"
    )
    | errors(*BAD_BODY, "forbidden", "not_found", "stale_task"),
    "openapi_extra": body(_EVENT_SCHEMA, examples.EVENTS),
}
EVENT["responses"][200]["content"] |= _STREAM
VIEW: Final[dict[str, Any]] = {
    "responses": answered(200, SessionView, examples.VIEW, "The session") | errors("not_found")
}
TRACE: Final[dict[str, Any]] = {
    "responses": answered(200, Trace, examples.TRACE, "Each turn's envelopes") | errors("forbidden", "not_found")
}
REPLAY: Final[dict[str, Any]] = {
    "responses": answered(200, ReplayReport, examples.REPLAY, "Whether each step is identical")
    | errors("forbidden", "not_found")
}
HEALTH: Final[dict[str, Any]] = {"responses": answered(200, Health, examples.HEALTH, "It does")}
READINESS: Final[dict[str, Any]] = {
    "responses": answered(200, Readiness, examples.READINESS, "Ready, perhaps degraded")
    | answered(503, Readiness, examples.READINESS | {"status": "down"}, "Not ready")
}
METRICS: Final[dict[str, Any]] = {
    "response_class": PlainTextResponse,
    "responses": {200: {"content": {"text/plain": {"example": examples.METRICS}}}},
}


def complete(app: FastAPI) -> None:
    """Adds what FastAPI cannot know, as bodies and tokens are read by our own code."""
    build = app.openapi

    def openapi() -> dict[str, Any]:
        if app.openapi_schema:
            return app.openapi_schema
        document = build()
        wanted = [(model, "validation") for model in (*_BODIES, ProblemDocument)]
        _, definitions = models_json_schema(wanted, ref_template=_REFERENCE)  # type: ignore[arg-type]
        components = document.setdefault("components", {})
        components.setdefault("schemas", {}).update(definitions["$defs"])
        for unused in ("HTTPValidationError", "ValidationError"):
            components["schemas"].pop(unused, None)
        components["securitySchemes"] = {"token": {"type": "http", "scheme": "bearer"}}
        document["security"] = [{"token": []}]
        for path in _PUBLIC:
            for operation in document["paths"][path].values():
                operation["security"] = []
        for context in iter_route_contexts(app.routes):
            route = context.original_route
            if isinstance(route, APIRoute) and route.include_in_schema:
                for method in route.methods or ():
                    _as_described(route, document["paths"][route.path_format][method.lower()])
        return document

    app.openapi = openapi  # type: ignore[method-assign]


def _as_described(route: APIRoute, operation: dict[str, Any]) -> None:
    """Without the answers and media types that FastAPI guesses, such as a 422 for a bad path parameter, which is 404
    here; with the nulls of the examples, which it leaves out."""
    answers = operation["responses"]
    operation["responses"] = {str(status): answers[str(status)] for status in route.responses}
    for status, described in route.responses.items():
        if "content" in described:
            media = answers[str(status)]["content"]
            shown = {kind: media[kind] | {"example": one["example"]} for kind, one in described["content"].items()}
            answers[str(status)]["content"] = shown
    if "requestBody" in operation:
        operation["requestBody"]["content"] = (route.openapi_extra or {})["requestBody"]["content"]
