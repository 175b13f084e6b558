"""An answer made of passages: by a language model that may use nothing else, otherwise the passages themselves."""

import logging
import re
from collections.abc import Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel, Field

from maththera.llm.model_client import LlmError, Models
from maththera.llm.structured_output import Line
from maththera.llm.time_budget import Budget
from maththera.servers.toolkit.passage_search import Hit
from maththera.settings import home
from maththera.words.output_gate.sentence_checks import TextHeldBack, TextRequirements
from maththera.words.output_gate.text_gate import load_gate

logger = logging.getLogger(__name__)

_PROMPT: Final = "school_answer"
_SECONDS: Final = 20.0  # for a model; after that the passages are the answer
_LONGEST: Final = 1500  # characters of a passage that a model is shown
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_HANGUL: Final = re.compile("[가-힣]")


class ModelAnswer(BaseModel):
    """What a model answers; nothing where the passages do not say it."""

    answer: Line = Field(max_length=400)
    used: list[int] = Field(max_length=10)


@dataclass(frozen=True, slots=True)
class Answer:
    """`hits`: the passages that it rests on."""

    text: str
    hits: Sequence[Hit]
    source: Literal["model", "passages"]


async def answer_from_passages(question: str, school: str, hits: Sequence[Hit], models: Models) -> Answer:
    """From these passages, the best first."""
    if hits and models.available:
        try:
            told = await _by_model(question, school, hits, models)
        except LlmError as error:
            logger.warning("the passages are the answer: %s", error)
        else:
            if told is not None:
                return told
    return Answer("\n\n".join(map(_quoted, hits)), hits, "passages")


async def _by_model(question: str, school: str, hits: Sequence[Hit], models: Models) -> Answer | None:
    """None where the model finds nothing, names numbers that its passages do not have, or does not pass the gate."""
    shown = "\n".join(
        f"{number}. ({_place(hit)}) {hit.passage.text[:_LONGEST]}" for number, hit in enumerate(hits, start=1)
    )
    variables = {"question": question, "school": school, "passages": shown}
    told = (await models.ask(_PROMPT, variables, ModelAnswer, Budget(_SECONDS))).value
    used = [hits[number - 1] for number in sorted(set(told.used)) if 0 < number <= len(hits)]
    known = _numbers(" ".join([question, *(f"{_place(hit)} {hit.passage.text}" for hit in used)]))
    if not used or not _HANGUL.search(told.answer) or _numbers(told.answer) - known:
        return None
    gate = load_gate(home())
    try:
        text = gate.shown(told.answer, "adult", TextRequirements(gate.longest("assistant")))
    except TextHeldBack as held_back:
        logger.warning("the passages are the answer: a model's was held back: %s", held_back)
        return None
    return Answer(f"{text} ({', '.join(dict.fromkeys(map(_place, used)))})", used, "model")


def _numbers(text: str) -> set[str]:
    return set(_NUMBER.findall(text))


def _quoted(hit: Hit) -> str:
    return f"“{hit.passage.text}” ({_place(hit)})"


def _place(hit: Hit) -> str:
    return ", ".join(part for part in (hit.passage.title, hit.passage.heading) if part)
