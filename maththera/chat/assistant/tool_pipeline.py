"""The steps of the assistant's pipeline of tools.

The result of a tool passes to the next as text. The levels are written once, from the last tool that has an answer; a
tool after it (saving) gets the text of the higher level.
"""

from collections.abc import Sequence

from maththera.chat.assistant.tool_fallbacks import Fallbacks, Outcome
from maththera.chat.state import SILENT_TOOLS, FailureReason, PipelineProgress, ToolName
from maththera.json_types import JsonObject


def first_progress(
    tools: Sequence[ToolName], question: str, previous_answer: str | None = None, before: str = ""
) -> PipelineProgress:
    """Before the first tool. `question`: what the tools are asked; `before`: the question that is asked again of
    something else. `previous_answer`: the answer of the turn before, which "save that" and "sum it up" mean."""
    return PipelineProgress(
        tool_pipeline=[*tools],
        place=0,
        tool_choice=tools[0],
        failed=[],
        reasons={},
        tool_result=previous_answer,
        question=question,
        before=before,
        records=None,
        advice="",
        first="",
        behind="",
        written="",
        ahead="",
        beside="",
        instead="",
        again=False,
        earlier=[],
        of_records=False,
    )


def tool_arguments(progress: PipelineProgress) -> JsonObject:
    """Every argument that a tool may declare; each takes its own."""
    return {**progress, "text": progress["tool_result"]}


def fallback_progress(progress: PipelineProgress, fallbacks: Fallbacks, outcome: Outcome) -> PipelineProgress | None:
    """With the next fallback of the tool that has just failed; None when there is no other."""
    tool, first = progress["tool_choice"], progress["tool_pipeline"][progress["place"]]
    chain = [first, *fallbacks.alternatives(first)]
    rest = chain[chain.index(tool) + 1 :]
    if progress["of_records"]:
        rest = [each for each in rest if each == "general"]  # records are found nowhere else
    if not rest:
        return None
    failed = progress["failed"] if outcome.why == "refused" else [*progress["failed"], tool]
    reasons: dict[ToolName, FailureReason] = {**progress["reasons"], tool: outcome.why or "error"}
    return PipelineProgress(**{**progress, "tool_choice": rest[0], "failed": failed, "reasons": reasons})


def fallback_event(before: PipelineProgress, after: PipelineProgress, outcome: Outcome) -> JsonObject:
    """The event of a fallback."""
    return {
        "type": "fallback",
        "from": before["tool_choice"],
        "to": after["tool_choice"],
        "reason": outcome.why,
        "message": outcome.message,
    }


def is_last_answer(progress: PipelineProgress) -> bool:
    """Whether the levels are written from this result: only silent tools come after it."""
    rest = progress["tool_pipeline"][progress["place"] + 1 :]
    return progress["tool_choice"] not in SILENT_TOOLS and all(tool in SILENT_TOOLS for tool in rest)


def found_nothing(progress: PipelineProgress) -> bool:
    """Whether the last tool of a chain stands in for one that had no answer."""
    return progress["tool_choice"] == "general" and progress["tool_pipeline"][progress["place"]] != "general"


def next_progress(progress: PipelineProgress, text: str) -> PipelineProgress | None:
    """With the next tool of the pipeline, and `text`, the result so far; None when that was the last."""
    place = progress["place"] + 1
    if place == len(progress["tool_pipeline"]):
        return None
    following = progress["tool_pipeline"][place]
    return PipelineProgress(
        **{**progress, "place": place, "tool_choice": following, "failed": [], "reasons": {}, "tool_result": text}
    )
