"""Search over the passages of a school's documents, and the answer that they give to a question."""

import logging
import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from pydantic import BaseModel, Field

from maththera.korean.morphemes import content_words
from maththera.korean.search import WordIndex
from maththera.llm.model_client import LlmError, Models
from maththera.llm.structured_output import Line
from maththera.llm.time_budget import Budget
from maththera.settings import home
from maththera.words.output_gate.sentence_checks import TextHeldBack, TextRequirements
from maththera.words.output_gate.text_gate import load_gate

logger = logging.getLogger(__name__)
_ENOUGH: Final = 0.35
"""A passage answers when it has this share of what the question asks about, rare words counting more."""

_NEAR_THE_BEST: Final = 0.6
"""Passages with a smaller share of the best one's score would only dilute the answer."""

_HEADING: Final = re.compile(r"#{1,6}\s+(.*)")
_GRADE: Final = re.compile(r"(\d)\s*학년(?!도)")


@dataclass(frozen=True, slots=True)
class Passage:
    """A paragraph under its heading. `place`: number of the passage in its document, from 1."""

    document_id: str
    title: str
    year: int
    heading: str
    place: int
    text: str

    @property
    def search_text(self) -> str:
        return f"{self.heading} {self.text}"


@dataclass(frozen=True, slots=True)
class Hit:
    """`score` is BM25's; `share`, 0 to 1, how much of the question's meaning the passage has."""

    passage: Passage
    score: float
    share: float


def split(document_id: str, title: str, year: int, text: str) -> Iterator[Passage]:
    """The paragraphs of a Markdown or plain text, each with the heading it stands under."""
    heading, place = "", 0
    for block in re.split(r"\n\s*\n", text):
        lines = block.strip().splitlines()
        while lines and (match := _HEADING.fullmatch(lines[0].strip())):
            heading, lines = match[1], lines[1:]
        if body := " ".join(line.strip() for line in lines if line.strip()):
            place += 1
            yield Passage(document_id, title, year, heading, place, body)


def search(question: str, passages: Sequence[Passage], limit: int) -> list[Hit]:
    """The passages that answer the question best; none where none has enough of it.

    A question about one grade is not answered by the passage of another.
    """
    grades = set(_GRADE.findall(question))
    index = WordIndex([_words(passage.search_text) for passage in passages])
    hits = []
    for found in index.search(_words(question), compounds=True):
        passage = passages[found.place]
        named = set(_GRADE.findall(passage.search_text))
        if found.share >= _ENOUGH and not (grades and named and not grades & named):
            hits.append(Hit(passage, found.score, found.share))
    hits.sort(key=lambda hit: (-hit.score, hit.passage.title, hit.passage.place))
    return [hit for hit in hits[:limit] if hit.score >= _NEAR_THE_BEST * hits[0].score]


def _words(text: str) -> tuple[str, ...]:
    """Without the grades, which are compared as such: the 5 of 5학년 is not the 5 of 5분."""
    return content_words(_GRADE.sub(" ", text))


_PROMPT: Final = "school_answer"
_SECONDS: Final = 20.0  # for a model; after that the passages are the answer
_LONGEST: Final = 1500  # characters of a passage that a model is shown
_NUMBER: Final = re.compile(r"\d+(?:\.\d+)?")
_HANGUL: Final = re.compile("[가-힣]")


class ModelAnswer(BaseModel):
    """A model's answer; empty if the passages do not hold it."""

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
