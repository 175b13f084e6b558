"""The OpenAPI document: FastAPI's, with the errors of every route, and with the examples as they are sent."""

from collections.abc import Iterator, Sequence
from typing import Any, Final, TypeAlias

from fastapi import FastAPI
from pydantic import BaseModel

from maththera.api.http_layer.auth import SESSION_COOKIE
from maththera.api.http_layer.problem_details import CATALOGUE, CONTENT_TYPE, ApiProblem
from maththera.api.http_layer.response_models import Answer, ProblemDocument
from maththera.json_types import JsonObject

Responses: TypeAlias = dict[int | str, Any]
"""Status → what a route may answer, as FastAPI takes it."""

PUBLIC: Final[JsonObject] = {"security": []}
"""`openapi_extra` of a route that needs no token."""

PDF: Final[Responses] = {
    200: {"content": {"application/pdf": {"schema": {"type": "string", "format": "binary"}, "example": "%PDF-1.7 …"}}}
}
"""`responses` of a route that answers with a PDF."""

_REFERENCE: Final = "#/components/schemas/{model}"
_ALWAYS: Final = ("headers_too_large", "internal", "store_unavailable")
_WITH_TOKEN: Final = ("unauthorized", "forbidden", "too_many_requests")
_WITH_BODY: Final = ("malformed_json", "body_too_slow", "body_too_large", "unsupported_media_type", "invalid_input")
_BAD_FIELD: Final = "Input should be greater than or equal to 0"
_EXAMPLES: Final[dict[str, JsonObject]] = {
    "invalid_input": {
        "detail": f"body.rt_ms: {_BAD_FIELD}",
        "errors": [{"loc": "body.rt_ms", "msg": _BAD_FIELD}],
    },
    "malformed_json": {"detail": "Invalid JSON: EOF while parsing a value at line 1 column 0"},
}


def errors(*codes: str) -> Responses:
    """`responses` of a route: the errors of the catalogue that are its own. Those that follow from its token, path,
    parameters and body are added for all routes."""
    found: Responses = {}
    for code in codes:
        status, title = CATALOGUE[code]
        told: JsonObject = {"detail": title, **_EXAMPLES.get(code, {})}
        shown = ApiProblem(code, **told).document()
        schema = {"$ref": _REFERENCE.format(model=ProblemDocument.__name__)}
        found[status] = {"description": title, "content": {CONTENT_TYPE: {"schema": schema, "example": shown}}}
    return found


def complete(app: FastAPI, *models: type[BaseModel]) -> None:
    """Makes `app.openapi()` build the document once, completed. `models`: those that routes only name."""
    build = app.openapi

    def openapi() -> JsonObject:
        if app.openapi_schema is None:
            _complete(build(), (ProblemDocument, *models))
        return build()  # FastAPI keeps the document

    app.openapi = openapi  # type: ignore[method-assign]


def _complete(document: JsonObject, models: Sequence[type[BaseModel]]) -> None:
    document["security"] = [{"token": []}, {"cookie": []}]
    components = document["components"]
    components["securitySchemes"] = {
        "token": {"type": "http", "scheme": "bearer"},
        "cookie": {"type": "apiKey", "in": "cookie", "name": SESSION_COOKIE},
    }
    schemas = components["schemas"]
    for model in models:
        schema = model.model_json_schema(ref_template=_REFERENCE, mode="serialization")
        schemas |= schema.pop("$defs", {}) | {model.__name__: schema}
    for unused in ("HTTPValidationError", "ValidationError"):
        schemas.pop(unused, None)
    for model in _subclasses(Answer):
        shown = model.model_config.get("json_schema_extra")
        if isinstance(shown, dict) and "examples" in schemas.get(model.__name__, {}):
            schemas[model.__name__]["examples"] = shown["examples"]  # FastAPI leaves out their nulls
    for operations in document["paths"].values():
        for operation in operations.values():
            _describe_events(operation)
            _add_errors(operation)


def _describe_events(operation: JsonObject) -> None:
    """The model of a stream is that of each event, as OpenAPI 3.2 writes it; FastAPI mixes it with a plain text's."""
    for answer in operation["responses"].values():
        stream = answer.get("content", {}).get("text/event-stream", {})
        if "$ref" in stream.get("schema", {}):
            stream["itemSchema"] = {"$ref": stream.pop("schema")["$ref"]}


def _add_errors(operation: JsonObject) -> None:
    responses = operation["responses"]
    if "HTTPValidationError" in str(responses.get("422")):  # FastAPI's own, also where a bad path is 404 here
        del responses["422"]
    codes = list(_ALWAYS)
    if operation.get("security") != []:
        codes += _WITH_TOKEN
    parameters = operation.get("parameters", ())
    if any(one["in"] == "path" and one["schema"].get("type") == "string" for one in parameters):
        codes.append("not_found")
    if "requestBody" in operation:
        codes += _WITH_BODY
    elif any(one["in"] != "path" for one in parameters):
        codes.append("invalid_input")
    for status, described in errors(*codes).items():
        responses.setdefault(str(status), described)


def _subclasses(of: type[BaseModel]) -> Iterator[type[BaseModel]]:
    for each in of.__subclasses__():
        yield each
        yield from _subclasses(each)
