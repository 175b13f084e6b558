"""JSON that passes through without being read: its fields are named elsewhere, if anywhere."""

from typing import Any, TypeAlias

JsonObject: TypeAlias = dict[str, Any]
"""A JSON object as a client, a flow, a model or a tool wrote it, or as a record keeps it."""
JsonSchema: TypeAlias = dict[str, Any]
"""A JSON Schema document, of draft 2020-12."""
