"""Search over the passages of a school's documents."""

import re
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from maththera.korean.morphemes import content_words
from maththera.korean.search import WordIndex

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
