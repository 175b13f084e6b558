"""Drafts by a language model, from the texts of a course. What does not pass the checks is not said: the course's own
texts stand in for it.
"""

import logging
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from maththera.lessons.config import ModelRules
from maththera.lessons.courses import CourseHead, UserType
from maththera.words.equations import wrong_equations
from maththera.words.speech import strange_endings
from maththera.llm.budget import Budget
from maththera.llm.models import LlmError, Models
from maththera.llm.prompts import Value

logger = logging.getLogger(__name__)

Kind = Literal["theory", "feedback", "qna"]

_COMMON: Final = frozenset({"speech", "learner"})
VARIABLES: Final[Mapping[str, frozenset[str]]] = {
    "lesson_theory": _COMMON | {"chapter", "explanation", "before"},
    "lesson_feedback": _COMMON | {"question", "answer", "result", "notes"},
    "lesson_qna": _COMMON | {"chapter", "explanation", "question"},
}
"""Prompt → what it is given."""


class _Draft(BaseModel):
    model_config = ConfigDict(extra="ignore")

    draft: str


@dataclass(frozen=True, slots=True)
class Writer:
    """Asks for drafts, if there is anyone to ask."""

    models: Models | None
    rules: ModelRules

    async def draft(
        self, kind: Kind, head: CourseHead, user_type: UserType, variables: Mapping[str, Value], budget: Budget
    ) -> str | None:
        """None without a model, for a reply that is none, and for a text that no learner should read."""
        if self.models is None:
            return None
        said = {"speech": self.rules.speech[head.speech], "learner": self.rules.learner[user_type], **variables}
        try:
            reply = await self.models.ask(f"lesson_{kind}", said, _Draft, budget)
        except LlmError:
            return None
        text = reply.value.draft.strip()
        if fault := self._fault(kind, text, head):
            logger.warning("lesson_%s: not said: %s", kind, fault)
            return None
        return text or None

    def _fault(self, kind: Kind, text: str, head: CourseHead) -> str | None:
        longest: int = getattr(self.rules.longest, kind)
        if len(text) > longest:
            return f"{len(text)} characters"
        if not all(sign.isprintable() or sign == "\n" for sign in text):
            return "unprintable characters"
        if any(strange_endings(text, head.speech)):
            return "another level of speech"
        return "a wrong equation" if any(wrong_equations(text)) else None
