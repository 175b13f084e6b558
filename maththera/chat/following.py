"""What the assistant is asked by a message that goes on with an earlier one."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Final

from maththera.chat.pipelines import SILENT
from maththera.chat.routing import Pipeline, Router
from maththera.chat.topics import FollowUps

_OTHER_TOOL: Final = "papers"
"""The kind of message that wants something else about the same."""
_DIFFICULTY: Final[Mapping[str | None, str]] = {"easier": "easy", "more": "hard"}


@dataclass(frozen=True, slots=True)
class Meant:
    """`pipeline`: None where no pattern says which. `difficulty`: where the message asks for another. `before`: what is
    asked again of something else."""

    question: str
    pipeline: Pipeline | None
    difficulty: str | None = None
    before: str = ""


def goes_on(message: str, earlier: Sequence[str], router: Router, follow_ups: FollowUps) -> Meant:
    """`earlier`: the questions before, the newest first. What had a tool of its own before has its first one again."""
    kind, found = follow_ups.kind(message), router.route(message)
    another = kind is None and found is None and follow_ups.asks_of_another(message)
    if (kind is None and not another) or not earlier:
        return Meant(message, found)
    before = goes_on(earlier[0], earlier[1:], router, follow_ups)
    if kind == _OTHER_TOOL:
        return Meant(before.question, found, before=before.before)
    pipeline = before.pipeline
    if pipeline is not None and pipeline.tools[0] in SILENT:
        return goes_on(message, earlier[1:], router, follow_ups)
    pipeline = Pipeline(pipeline.tools[:1], pipeline.name, pipeline.priority) if pipeline else None
    if another:
        return Meant(message, pipeline, before=before.before or before.question)
    return Meant(before.question, pipeline, _DIFFICULTY.get(kind), before.before)
