"""Which tools a question of the assistant needs: patterns over its words first, then a model, then `general`."""

import re
import unicodedata
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, field_validator

from maththera.chat.config import FollowUps
from maththera.chat.state import SILENT_TOOLS, ToolName
from maththera.config_files import ConfigError, ConfigFile
from maththera.korean.word_lists import usual_spelling
from maththera.llm.model_client import LlmError, Models
from maththera.llm.time_budget import Budget

PROMPT: Final = "route"
PROMPT_VARIABLES: Final = frozenset({"question"})
_OTHER_TOOL: Final = "papers"
"""The kind of message that wants something else about the same."""
_DIFFICULTY: Final[Mapping[str | None, str]] = {"easier": "easy", "more": "hard"}


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Tools to run one after the other. `name`: the pattern that said so, or "model" or "default"."""

    tools: tuple[ToolName, ...]
    name: str
    priority: int = 0


DEFAULT_PIPELINE: Final = Pipeline(("general",), "default")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Pattern(_Strict):
    """See the head of the file."""

    name: str
    keywords: tuple[str, ...] = ()
    any_of_keywords: tuple[str, ...] = ()
    exclude_keywords: tuple[str, ...] = ()
    tools: tuple[ToolName, ...] = Field(min_length=1)
    priority: int

    @field_validator("keywords", "any_of_keywords", "exclude_keywords")
    @classmethod
    def _loosely(cls, words: tuple[str, ...]) -> tuple[str, ...]:
        found = tuple(_normalized(word) for word in words)
        if not all(found):
            raise ValueError("a keyword needs a letter or a digit")
        return found

    def fits(self, question: str) -> bool:
        """Whether this pattern is for a question, given without spaces and capitals."""
        return (
            all(word in question for word in self.keywords)
            and (not self.any_of_keywords or any(word in question for word in self.any_of_keywords))
            and not any(word in question for word in self.exclude_keywords)
        )


class _File(_Strict):
    patterns: tuple[Pattern, ...]


class ModelRoute(_Strict):
    """What a model answers."""

    tools: tuple[ToolName, ...] = Field(min_length=1, max_length=3)
    reasoning: str = Field(max_length=500)


class ToolRouter:
    """The patterns, the first to be tried first."""

    def __init__(self, patterns: tuple[Pattern, ...]) -> None:
        self.patterns = tuple(sorted(patterns, key=lambda pattern: -pattern.priority))

    @classmethod
    def load(cls, home: Path) -> "ToolRouter":
        """`configs/chat/assistant/multi_request_patterns.yaml`; ConfigError names every fault."""
        document = ConfigFile.read(home / "configs" / "chat" / "assistant" / "multi_request_patterns.yaml")
        patterns = document.parse(TypeAdapter(_File)).patterns
        faults = [
            document.fault(("patterns", place), "needs keywords or any_of_keywords")
            for place, pattern in enumerate(patterns)
            if not pattern.keywords and not pattern.any_of_keywords
        ]
        if faults:
            raise ConfigError("\n".join(faults))
        return cls(patterns)

    def route(self, message: str) -> Pipeline | None:
        """What the patterns say; None when none fits."""
        question = _normalized(usual_spelling(message))
        for pattern in self.patterns:
            if pattern.fits(question):
                return Pipeline(pattern.tools, pattern.name, pattern.priority)
        return None

    async def choose(self, message: str, models: Models, budget: Budget) -> Pipeline:
        """What a model says where the patterns say nothing; `general` without a model or a usable reply."""
        if not models.available:
            return DEFAULT_PIPELINE
        try:
            reply = await models.ask(PROMPT, {"question": message}, ModelRoute, budget)
        except LlmError:
            return DEFAULT_PIPELINE
        return Pipeline(reply.value.tools, "model")


@dataclass(frozen=True, slots=True)
class ResolvedQuestion:
    """`pipeline`: None where no pattern says which. `difficulty`: where the message asks for another. `before`: what is
    asked again of something else."""

    question: str
    pipeline: Pipeline | None
    difficulty: str | None = None
    before: str = ""


def resolve_follow_up(
    message: str, earlier: Sequence[str], router: ToolRouter, follow_ups: FollowUps
) -> ResolvedQuestion:
    """A follow-up joined with the question that it follows. `earlier`: the questions before, the newest first; the
    first tool of the one that is followed is used again."""
    kind, found = follow_ups.kind(message), router.route(message)
    another = kind is None and found is None and follow_ups.asks_of_another(message)
    if (kind is None and not another) or not earlier:
        return ResolvedQuestion(message, found)
    before = resolve_follow_up(earlier[0], earlier[1:], router, follow_ups)
    if kind == _OTHER_TOOL:
        return ResolvedQuestion(before.question, found, before=before.before)
    pipeline = before.pipeline
    if pipeline is not None and pipeline.tools[0] in SILENT_TOOLS:
        return resolve_follow_up(message, earlier[1:], router, follow_ups)
    pipeline = Pipeline(pipeline.tools[:1], pipeline.name, pipeline.priority) if pipeline else None
    if another:
        return ResolvedQuestion(message, pipeline, before=before.before or before.question)
    return ResolvedQuestion(before.question, pipeline, _DIFFICULTY.get(kind), before.before)


def _normalized(text: str) -> str:
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text).casefold())
