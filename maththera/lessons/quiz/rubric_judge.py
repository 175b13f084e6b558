"""Explanations in sentences, judged by a language model with the rubric of a course.

The model only says which points an explanation meets, and quotes it for each; the score is counted here. A point is not
met where its quote does not bear it out. A reply that judges other points than those of the rubric is not believed:
then the explanation is not graded, and what the task before it was worth stands.
"""

import logging
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from pydantic import BaseModel, ConfigDict, StrictBool

from maththera.lessons.courses.course import RubricPoint, Subjective
from maththera.lessons.quiz.message_intents import MessageReader
from maththera.lessons.quiz.own_text import content_words, is_word_list, own_text
from maththera.lessons.state import Evaluation
from maththera.llm.model_client import LlmError, Models
from maththera.llm.time_budget import Budget

logger = logging.getLogger(__name__)

VARIABLES: Final[Mapping[str, frozenset[str]]] = {
    "lesson_grade": frozenset({"question", "model_answer", "points", "answer"})
}
"""Prompt → what it is given."""

_SPACES: Final = re.compile(r"\s+")


class _Verdict(BaseModel):
    model_config = ConfigDict(extra="ignore")

    id: str
    met: StrictBool
    quote: str


class _Verdicts(BaseModel):
    model_config = ConfigDict(extra="ignore")

    points: list[_Verdict]


@dataclass(frozen=True, slots=True)
class RubricJudge:
    """Asks for judgements, if there is anyone to ask. `everyday`: words that show no matter, as the analyser gives
    them."""

    models: Models | None
    reader: MessageReader
    everyday: frozenset[str]

    async def grade(self, question: Subjective, answer: str, by_rules: Evaluation, budget: Budget) -> Evaluation:
        """`by_rules` without a model, for what is no try, for an answer with a sum that is not so, and for a reply that
        cannot be believed. Points add to what the task before was worth, and take nothing away."""
        own = own_text(question.explain, answer, self.reader.reading.orders).text
        if self.models is None or by_rules["remark"] or is_word_list(own) or self.reader.false_claim(own):
            return by_rules
        variables = {
            "question": question.explain,
            "model_answer": question.model_answer,
            "points": "\n".join(f"{point.id}: {point.says}" for point in question.points),
            "answer": own,
        }
        try:
            reply = await self.models.ask("lesson_grade", variables, _Verdicts, budget)
        except LlmError:
            return by_rules
        verdicts = {verdict.id: verdict for verdict in reply.value.points}
        if sorted(verdict.id for verdict in reply.value.points) != sorted(point.id for point in question.points):
            logger.warning("lesson_grade: not believed: other points than those of the rubric")
            return by_rules
        met = [
            point for point in question.points if self._quote_supports_point(question, point, own, verdicts[point.id])
        ]
        return {
            **by_rules,
            "score": max(by_rules["score"], sum(point.weight for point in met)),
            "met": [point.id for point in met],
            "missed": [point.id for point in question.points if point not in met],
            "graded_by": "model",
        }

    def _quote_supports_point(self, question: Subjective, point: RubricPoint, own: str, verdict: _Verdict) -> bool:
        """Whether the words that are quoted for a point stand in the answer, and share one with the point that neither
        the question nor another point gives."""
        if not verdict.met:
            return False
        told = content_words(point.says, self.everyday)
        others = " ".join(each.says for each in question.points if each is not point)
        given = content_words(f"{question.explain} {others}", self.everyday)
        quoted = _plain(verdict.quote) != "" and _plain(verdict.quote) in _plain(own)
        if quoted and not content_words(verdict.quote, self.everyday).isdisjoint(told - given or told):
            return True
        logger.warning("lesson_grade: %s: the words that are quoted do not say it", point.id)
        return False


def _plain(text: str) -> str:
    return _SPACES.sub("", normalize("NFKC", text)).lower()
