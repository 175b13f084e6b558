"""From a model's text to a checked value.

The JSON stands in the message itself, because few OpenAI-compatible servers enforce a schema; what surrounds it
(a code fence, a sentence before it) is ignored.
"""

import json
from typing import Annotated, TypeVar

from pydantic import AfterValidator, BaseModel, ValidationError

from maththera.config_files import fault_reason
from maththera.json_types import JsonObject

Schema = TypeVar("Schema", bound=BaseModel)

_LONGEST_TEXT = 20_000  # characters; a valid reply has a few hundred, and rubbish must not cost time
_MOST_STARTS = 8  # braces tried before giving up, for the same reason


class MalformedError(ValueError):
    """A reply that is not what was asked for; the message says where, without quoting the reply."""


def one_line(text: str) -> str:
    """`text` with its white space joined; refuses what no screen, log or database can take (control characters,
    lone surrogates: pydantic lets both pass, PostgreSQL does not)."""
    joined = " ".join(text.split())
    if not joined.isprintable():
        raise ValueError("holds unprintable characters")
    return joined


Line = Annotated[str, AfterValidator(one_line)]


def parse(text: str, schema: type[Schema], context: JsonObject | None = None) -> Schema:
    """The first JSON object of `text` as `schema`, validated with pydantic's `context`; raises MalformedError."""
    try:
        return schema.model_validate(_first_object(text[:_LONGEST_TEXT]), context=context)
    except ValidationError as error:
        problems = (f"{'.'.join(map(str, e['loc'])) or schema.__name__}: {fault_reason(e)}" for e in error.errors())
        raise MalformedError("; ".join(problems)) from error


def _first_object(text: str) -> JsonObject:
    decoder = json.JSONDecoder()
    start = -1
    for _ in range(_MOST_STARTS):
        start = text.find("{", start + 1)
        if start < 0:
            break
        try:
            value: JsonObject = decoder.raw_decode(text, start)[0]
        except (ValueError, RecursionError):
            continue
        return value
    raise MalformedError("no JSON object in the reply")
