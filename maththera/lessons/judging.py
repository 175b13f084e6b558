"""Answers in sentences, judged by a language model with the rubric of the rules.

The model only says which points an answer meets, and quotes it for each; the score is counted here. A point is not met
where its quote does not bear it out. A reply that judges other points than those of the rubric is not believed: then
the rules' own judgement stands.
"""

import logging
import re
from collections.abc import Collection, Mapping
from dataclasses import dataclass
from typing import Final
from unicodedata import normalize

from pydantic import BaseModel, ConfigDict, StrictBool

from maththera.lessons.clauses import is_listed
from maththera.lessons.courses import Question, Subjective
from maththera.lessons.grading import bears_out, counted, score_of
from maththera.lessons.state import Evaluation
from maththera.llm.budget import Budget
from maththera.llm.models import LlmError, Models

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
class Judge:
    """Asks for judgements, if there is anyone to ask. `everyday`: words that show no matter, as the analyser gives
    them."""

    models: Models | None
    everyday: Collection[str]

    async def judged(self, question: Question, answer: str, by_rules: Evaluation, budget: Budget) -> Evaluation:
        """`by_rules` without a model, for a choice, for what is no answer, and for a reply that cannot be believed."""
        if self.models is None or not isinstance(question, Subjective) or by_rules["remark"]:
            return by_rules
        own = counted(question, answer)
        if is_listed(own) or not re.search(r"\w", own):
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
        verdicts = reply.value.points
        if sorted(verdict.id for verdict in verdicts) != sorted(point.id for point in question.points):
            logger.warning("lesson_grade: not believed: other points than those of the rubric")
            return by_rules
        said = {verdict.id for verdict in verdicts if verdict.met and self._borne_out(question, own, verdict)}
        met = [point.id for point in question.points if point.id in said]
        missed = [point.id for point in question.points if point.id not in said]
        return {**by_rules, "score": score_of(question, met), "met": met, "missed": missed, "graded_by": "model"}

    def _borne_out(self, question: Subjective, own: str, verdict: _Verdict) -> bool:
        """Whether the words that are quoted for a point stand in the answer and may be taken for saying it."""
        point = next(each for each in question.points if each.id == verdict.id)
        quoted = _plain(verdict.quote) != "" and _plain(verdict.quote) in _plain(own)
        if quoted and bears_out(question, point, verdict.quote, own, self.everyday):
            return True
        logger.warning("lesson_grade: %s: the words that are quoted do not say it", verdict.id)
        return False


def _plain(text: str) -> str:
    return _SPACES.sub("", normalize("NFKC", text)).lower()
