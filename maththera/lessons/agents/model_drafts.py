"""Drafts by a language model, from the texts of a course. What does not pass the checks is not said: the course's own
texts stand in for it.
"""

import asyncio
import logging
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict

from maththera.lessons.config import ModelRules
from maththera.lessons.courses.course import CourseHead, UserType
from maththera.lessons.turn_context import LessonContext
from maththera.llm.model_client import LlmError, Models
from maththera.llm.prompts import Value
from maththera.words.output_gate.sentence_checks import TextRequirements
from maththera.words.output_gate.text_gate import Gate

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
class DraftRequirements:
    """What a draft must keep to beside the rules of all texts: the `key` of an open question is not told, and the
    `verdict` on an answer is."""

    key: Callable[[str], bool] | None = None
    verdict: Literal["right", "wrong"] | None = None


_NOTHING_MORE: Final = DraftRequirements()


@dataclass(frozen=True, slots=True)
class DraftWriter:
    """Asks for drafts, if there is anyone to ask."""

    models: Models | None
    rules: ModelRules
    gate: Gate

    async def draft(  # noqa: PLR0913 - which text, for whom, about what, in which turn
        self,
        kind: Kind,
        head: CourseHead,
        user_type: UserType,
        variables: Mapping[str, Value],
        context: LessonContext,
        must: DraftRequirements = _NOTHING_MORE,
    ) -> str | None:
        """None without a model, while it does not answer, for a reply that is none, and for a text that does not pass
        the gate."""
        if self.models is None:
            return None
        said = {"speech": self.rules.speech[head.speech], "learner": self.rules.learner[user_type], **variables}
        try:
            reply = await self.models.ask(f"lesson_{kind}", said, _Draft, context.budget(self.rules.seconds))
        except LlmError:
            return None
        text = reply.value.draft.strip()
        about = TextRequirements(
            getattr(self.rules.longest, kind), speech=head.speech, key=must.key, verdict=must.verdict
        )
        held = await asyncio.to_thread(self.gate.check, text, "child", about)
        if held is not None:
            logger.warning("lesson_%s: held back: %s", kind, held.code)
            await context.reject(held)
            return None
        return text or None
