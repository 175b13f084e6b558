"""Where a turn of the assistant stands between its tools: plain JSON, so that a checkpoint holds it.

The result of a tool passes to the next as text. Levels are written once, from the last tool that has something to say;
what comes after it (saving) gets the higher level's text.
"""

from collections.abc import Sequence
from typing import Any, Final

from typing_extensions import TypedDict

from maththera.chat.fallback import Fallbacks, Outcome, Why
from maththera.chat.routing import ToolName

SILENT: Final = frozenset({"save_file"})
"""Tools that do something with an answer and have none of their own."""


class Progress(TypedDict):
    """`place`: of the tool in the pipeline that is being worked on; `tool_choice`: what runs for it now, itself or one
    that stands in. `failed`: what has failed for this place; `reasons`: why, also of what refused. `tool_result`: the
    text so far."""

    tool_pipeline: list[ToolName]
    place: int
    tool_choice: ToolName
    failed: list[ToolName]
    reasons: dict[ToolName, Why]
    tool_result: str | None
    question: str
    before: str


def begin(tools: Sequence[ToolName], question: str, previous_answer: str | None = None, before: str = "") -> Progress:
    """Before the first tool. `question`: what the tools are asked; `before`: the question that it asks again of
    something else. `previous_answer`: of the turn before, which "save that" and "sum it up" mean."""
    return Progress(
        tool_pipeline=[*tools],
        place=0,
        tool_choice=tools[0],
        failed=[],
        reasons={},
        tool_result=previous_answer,
        question=question,
        before=before,
    )


def arguments(progress: Progress) -> dict[str, Any]:
    """All that a tool may ask for; each takes what it knows."""
    return {**progress, "text": progress["tool_result"]}


def fall_back(progress: Progress, fallbacks: Fallbacks, outcome: Outcome) -> Progress | None:
    """On to what stands in for the tool that has just failed; None when nothing does."""
    tool, first = progress["tool_choice"], progress["tool_pipeline"][progress["place"]]
    chain = [first, *fallbacks.after(first)]
    rest = chain[chain.index(tool) + 1 :]
    if not rest:
        return None
    failed = progress["failed"] if outcome.why == "refused" else [*progress["failed"], tool]
    reasons: dict[ToolName, Why] = {**progress["reasons"], tool: outcome.why or "error"}
    return Progress(**{**progress, "tool_choice": rest[0], "failed": failed, "reasons": reasons})


def hop(before: Progress, after: Progress, outcome: Outcome) -> dict[str, Any]:
    """The event that tells of a fallback."""
    return {
        "type": "fallback",
        "from": before["tool_choice"],
        "to": after["tool_choice"],
        "reason": outcome.why,
        "message": outcome.message,
    }


def answers_now(progress: Progress) -> bool:
    """Whether the levels are to be written from the result that has just come: nothing later will say more."""
    rest = progress["tool_pipeline"][progress["place"] + 1 :]
    return progress["tool_choice"] not in SILENT and all(tool in SILENT for tool in rest)


def advance(progress: Progress, text: str) -> Progress | None:
    """On to the next tool of the pipeline with `text`, the result so far; None when that was the last."""
    place = progress["place"] + 1
    if place == len(progress["tool_pipeline"]):
        return None
    following = progress["tool_pipeline"][place]
    return Progress(
        **{**progress, "place": place, "tool_choice": following, "failed": [], "reasons": {}, "tool_result": text}
    )
