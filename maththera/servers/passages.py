"""Search over the passages of documents: BM25 on the words that carry meaning.

Robertson, S. & Zaragoza, H. (2009). The probabilistic relevance framework: BM25 and beyond. Foundations and Trends in
Information Retrieval 3, 333–389.
"""

import math
import re
from collections import Counter
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from typing import Final

from maththera.korean.content import content_words

_K1: Final = 1.2
_B: Final = 0.75
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
    asked = _words(question)
    words = [_words(f"{passage.heading} {passage.text}") for passage in passages]
    if not asked or not passages:
        return []
    average = sum(sum(one.values()) for one in words) / len(words) or 1.0
    rarity = {word: _rarity(sum(word in one for one in words), len(words)) for word in asked}
    whole = sum(rarity.values())
    hits = []
    for passage, own in zip(passages, words, strict=True):
        share = sum(rarity[word] for word in asked if word in own) / whole
        named = set(_GRADE.findall(f"{passage.heading} {passage.text}"))
        if share >= _ENOUGH and not (grades and named and not grades & named):
            hits.append(Hit(passage, _bm25(asked, own, rarity, average), share))
    hits.sort(key=lambda hit: (-hit.score, hit.passage.title, hit.passage.place))
    return [hit for hit in hits[:limit] if hit.score >= _NEAR_THE_BEST * hits[0].score]


def _words(text: str) -> Counter[str]:
    """Without the grades, which are compared as such: the 5 of 5학년 is not the 5 of 5분."""
    return Counter(content_words(_GRADE.sub(" ", text)))


def _rarity(holders: int, passages: int) -> float:
    return math.log(1 + (passages - holders + 0.5) / (holders + 0.5))


def _bm25(asked: Counter[str], own: Counter[str], rarity: dict[str, float], average: float) -> float:
    length = sum(own.values())
    norm = _K1 * (1 - _B + _B * length / average)
    return sum(rarity[word] * own[word] * (_K1 + 1) / (own[word] + norm) for word in asked)
