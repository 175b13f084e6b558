"""Keywords of other workflow languages (GitHub Actions, Kestra, n8n, Temporal, Airflow) and their names here."""

from collections.abc import Iterable, Mapping
from typing import Final

from maththera.flows.language.faults import suggestion

_MEANT: Final[Mapping[str, tuple[str, ...]]] = {
    "needs": ("depends_on",),
    "after": ("depends_on",),
    "upstream": ("depends_on",),
    "if": ("condition",),
    "when": ("condition",),
    "runif": ("condition",),
    "run": ("code",),
    "script": ("code",),
    "jscode": ("code",),
    "uses": ("action", "mcp_call"),
    "type": ("action",),
    "with": ("params",),
    "args": ("params",),
    "arguments": ("params",),
    "parameters": ("params",),
    "env": ("variables", "params"),
    "values": ("items",),
    "matrix": ("items",),
    "jobs": ("steps",),
    "nodes": ("steps",),
    "tasks": ("steps",),
    "steps": ("tasks",),
    "on": ("schedule",),
    "cron": ("schedule",),
    "triggers": ("schedule",),
    "retries": ("retry",),
    "retrypolicy": ("retry",),
    "maxattempt": ("attempts",),
    "maximumattempts": ("attempts",),
    "interval": ("backoff",),
    "initialinterval": ("backoff",),
    "maxinterval": ("max_delay",),
    "maximuminterval": ("max_delay",),
    "timeoutminutes": ("timeout",),
    "starttoclosetimeout": ("timeout",),
    "errors": ("on_error",),
    "catch": ("on_error",),
    "allowfailure": ("on_error", "on_item_error"),
    "continueonerror": ("on_error", "on_item_error"),
    "continueonfail": ("on_error", "on_item_error"),
    "maxparallel": ("max_concurrency",),
    "concurrencylimit": ("max_concurrency",),
    "title": ("name",),
    "label": ("name",),
    "namespace": ("name",),
    "flowid": ("graph",),
    "workflow": ("graph",),
    "subflow": ("graph",),
    "message": ("question",),
    "default": ("fallback_value",),
    "switch": ("route",),
    "cases": ("route",),
}
"""Folded keyword (lower-case letters only) → the fields that may be meant, the likeliest first."""


def field_suggestion(name: str, known: Iterable[str]) -> str:
    """Like `suggestion`, for the name of a field; a keyword of another language is answered with the name here."""
    fields = list(known)
    folded = "".join(letter for letter in name.lower() if letter.isalnum())
    meant = next((each for each in _MEANT.get(folded, ()) if each in fields), None)
    return f"; did you mean '{meant}'?" if meant else suggestion(name, fields)
