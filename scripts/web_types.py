"""Prints the part of the OpenAPI document that the page uses, for `scripts/web types`: what others change elsewhere
leaves the page's types as they are."""

import json
import sys
import tempfile
from pathlib import Path
from typing import Any, Final

from maththera.api.application import create_app
from maththera.settings import Settings

_USED: Final = (
    "/api/v1/sessions",
    "/api/v1/students",
    "/api/v1/auth",
    "/api/v1/me",
    "/api/v1/classes",
    "/api/v1/reviews",
    "/api/v1/procedures",
    "/api/v1/attention",
    "/api/v1/access-log",
    "/api/v1/chat",
    "/api/v1/lessons",
    "/api/v1/observations",
    "/api/v1/operations",
    "/api/v1/requests",
    "/api/v1/tokens",
    "/api/v1/flows",
    "/api/v1/flow-schema",
    "/api/v1/executions",
    "/api/v1/tools",
)


def _names(part: Any) -> set[str]:
    """Of the schemas that a part of the document refers to."""
    if isinstance(part, list):
        return set().union(*map(_names, part))
    if not isinstance(part, dict):
        return set()
    own = {part["$ref"].rpartition("/")[2]} if isinstance(part.get("$ref"), str) else set()
    return own.union(*map(_names, part.values()))


def main() -> None:
    with tempfile.TemporaryDirectory() as folder:
        document = create_app(Settings(data_dir=Path(folder))).openapi()
    paths = {path: one for path, one in document["paths"].items() if path.startswith(_USED)}
    schemas, found, new = document["components"]["schemas"], set[str](), _names(paths)
    while new:
        found |= new
        new = set().union(*(_names(schemas[name]) for name in new)) - found
    document["paths"] = paths
    document["components"] = {"schemas": {name: schemas[name] for name in sorted(found)}}
    document.pop("webhooks", None)
    json.dump(document, sys.stdout, ensure_ascii=False)


if __name__ == "__main__":
    main()
