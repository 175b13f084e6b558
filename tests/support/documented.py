"""What the OpenAPI document says of an operation: its examples, and whether an answer is as it says."""

import json
from collections.abc import Iterator
from typing import Any, Final

import httpx
from jsonschema import Draft202012Validator

Json = dict[str, Any]
Example = tuple[str, object]
"""(media type, body)"""

STREAM: Final = "text/event-stream"
_DONE: Final = "[DONE]"
_LAST: Final = frozenset({"final", "RUN_FINISHED"})
"""Types of the event with which a stream has told everything, where none says that it is done."""


def operations(document: Json) -> Iterator[tuple[str, str, Json]]:
    """(method, path, operation)"""
    for path, found in document["paths"].items():
        yield from ((method, path, operation) for method, operation in found.items())


def good_media(operation: Json) -> list[str]:
    """What it may answer with when it does what it was asked."""
    good = (answer for status, answer in operation["responses"].items() if status.startswith("2"))
    return list(dict.fromkeys(media for answer in good for media in answer.get("content", {})))


def parameters(operation: Json, place: str) -> Iterator[tuple[str, Json, bool]]:
    """(name, schema, whether it must be given) of those `in` that place."""
    for one in operation.get("parameters", ()):
        if one["in"] == place:
            yield one["name"], one["schema"], one["required"]


def examples(document: Json, operation: Json) -> Iterator[Example]:
    """Of its body."""
    for media, content in operation.get("requestBody", {}).get("content", {}).items():
        found = [one["value"] for one in content.get("examples", {}).values()]
        found += _model_examples(document, content["schema"])
        assert found, operation["operationId"]
        yield from ((media, example) for example in found)


def _model_examples(document: Json, schema: Json) -> Iterator[object]:
    if "$ref" in schema:
        yield from _model_examples(document, _named(document, schema))
    yield from schema.get("examples", ())
    for member in schema.get("oneOf", ()):
        yield from _model_examples(document, member)


def _named(document: Json, schema: Json) -> Json:
    found: Json = document["components"]["schemas"][schema["$ref"].rpartition("/")[2]]
    return found


def holds(document: Json, operation: Json, answer: httpx.Response) -> list[Json]:
    """Holds an answer, a refusal too, against what the document says of it. -> its events, if it is a stream: a whole
    one, each of them as the model says."""
    assert str(answer.status_code) in operation["responses"], f"{answer.status_code}: {answer.text}"
    content = operation["responses"][str(answer.status_code)].get("content", {})
    if not content:
        assert not answer.content
        return []
    media = answer.headers["content-type"].partition(";")[0]
    assert media in content, media
    if media == STREAM:
        return _held_stream(document, _named(document, content[media]["itemSchema"]), answer)
    if media.endswith("json"):
        _fits(document, content[media]["schema"], answer.json())
    return []


def _held_stream(document: Json, frame: Json, answer: httpx.Response) -> list[Json]:
    data = frame["properties"]["data"]
    schema = next(one for one in data.get("anyOf", [data]) if "contentSchema" in one)["contentSchema"]
    told = [line.removeprefix("data: ") for line in answer.text.splitlines() if line.startswith("data: ")]
    events = [json.loads(one) for one in told if one != _DONE]
    for event in events:
        _fits(document, schema, event)
    assert told, "an empty stream"
    assert told[-1] == _DONE or events[-1]["type"] in _LAST, f"it broke off after {told[-1]}"
    return events


def _fits(document: Json, schema: Json, found: object) -> None:
    Draft202012Validator({**schema, "components": document["components"]}).validate(found)
