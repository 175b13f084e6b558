"""Which tools a question of the assistant needs: patterns over its words first, then a model, then `general`."""

import re
import unicodedata
from dataclasses import dataclass
from pathlib import Path
from typing import Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, field_validator

from maththera.documents import ConfigError, Document
from maththera.korean.spelling import usual
from maththera.llm.budget import Budget
from maththera.llm.models import LlmError, Models

ToolName: TypeAlias = Literal["glossary", "search_paper", "web_search", "text2sql", "summarize", "save_file", "general"]

PROMPT: Final = "route"
PROMPT_VARIABLES: Final = frozenset({"question"})


@dataclass(frozen=True, slots=True)
class Pipeline:
    """Tools to run one after the other. `name`: the pattern that said so, or "model" or "default"."""

    tools: tuple[ToolName, ...]
    name: str
    priority: int = 0


DEFAULT: Final = Pipeline(("general",), "default")


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
        found = tuple(_loose(word) for word in words)
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


class Chosen(_Strict):
    """What a model answers."""

    tools: tuple[ToolName, ...] = Field(min_length=1, max_length=3)
    reasoning: str = Field(max_length=500)


class Router:
    """The patterns, the first to be tried first."""

    def __init__(self, patterns: tuple[Pattern, ...]) -> None:
        self.patterns = tuple(sorted(patterns, key=lambda pattern: -pattern.priority))

    @classmethod
    def load(cls, home: Path) -> "Router":
        """`configs/multi_request_patterns.yaml`; ConfigError names every fault."""
        document = Document.read(home / "configs" / "multi_request_patterns.yaml")
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
        question = _loose(usual(message))
        for pattern in self.patterns:
            if pattern.fits(question):
                return Pipeline(pattern.tools, pattern.name, pattern.priority)
        return None

    async def choose(self, message: str, models: Models, budget: Budget) -> Pipeline:
        """What a model says where the patterns say nothing; `general` without a model or a usable reply."""
        if not models.available:
            return DEFAULT
        try:
            reply = await models.ask(PROMPT, {"question": message}, Chosen, budget)
        except LlmError:
            return DEFAULT
        return Pipeline(reply.value.tools, "model")


def _loose(text: str) -> str:
    return re.sub(r"\s+", "", unicodedata.normalize("NFKC", text).casefold())
