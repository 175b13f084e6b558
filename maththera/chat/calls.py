"""Calls of tools and what came of them, as plain JSON types: they stand in the state of a turn."""

from typing import Any, NotRequired

from typing_extensions import TypedDict


class Call(TypedDict):
    """A tool to be called, by its name in the intent's tools."""

    tool: str
    arguments: dict[str, Any]


class Result(TypedDict):
    """A call that was made. `error`: why there is no result, for people; `result` is empty then.

    `cached`: nothing was computed, the result of the same call was at hand. `left_out`: so many of its texts
    lack what gave orders to a model.
    """

    tool: str
    arguments: dict[str, Any]
    result: dict[str, Any]
    error: str | None
    cached: bool
    left_out: NotRequired[int]
