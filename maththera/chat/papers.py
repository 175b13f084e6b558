"""The library: documents that people added and the few that are shipped, searched by meaning-carrying words (BM25)."""

import asyncio
import math
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any, Final

from pydantic import BaseModel, ConfigDict

from maththera.chat.glossary import Glossary, Question
from maththera.chat.levels import LevelName
from maththera.chat.papers_reading import ReadPaper, read_papers
from maththera.chat.papers_words import words
from maththera.chat.tools import Asker, ChatTool
from maththera.learners.papers import Paper, PaperRow, Papers, Passage, Stored

if TYPE_CHECKING:
    from bm25s import BM25

_ENOUGH: Final = 0.5
"""A passage answers when it has this share of what the question asks about, rare words counting more."""
_NEAR: Final = 0.25
"""The same for a paper that is offered in place of an answer."""
_PAPERS: Final = 3
_EXCERPT: Final = 280


class PaperTexts(BaseModel):
    """`papers` of `configs/assistant.yaml`. `empty`: words of a request that say nothing of its topic."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    empty: frozenset[str]
    intro: dict[LevelName, str]
    line: dict[LevelName, str]
    starter: str
    unknown: str


@dataclass(frozen=True, slots=True)
class Found:
    """The best passage of a paper. `share`, 0 to 1: how much of the question's meaning it has."""

    paper: Paper
    passage: Passage
    score: float
    share: float

    @property
    def title(self) -> str:
        return self.paper.title

    @property
    def excerpt(self) -> str:
        """The beginning of the passage."""
        return _cut(self.passage.text)


@dataclass(frozen=True, slots=True)
class _Index:
    """All that is searched, at one version of the library."""

    version: object
    papers: dict[str, PaperRow]
    stored: Sequence[Stored]
    words: Sequence[frozenset[str]]
    bm25: "BM25"
    holders: dict[str, int]

    def rarity(self, word: str) -> float:
        count = self.holders.get(word, 0)
        return math.log(1 + (len(self.stored) - count + 0.5) / (count + 0.5))


class Library:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, papers: Papers, texts: PaperTexts, shipped: Path, glossary: Glossary) -> None:
        """`shipped`: the folder of the documents that come with the program."""
        self.papers, self._texts, self._shipped_in, self._glossary = papers, texts, shipped, glossary
        self._index: _Index | None = None
        self._stocking: asyncio.Task[None] | None = None
        self._building = asyncio.Lock()

    async def add(self, read: ReadPaper) -> bool:
        """Whether it was new."""
        passages = await asyncio.to_thread(_passages, read)
        return await self.papers.add(read.paper, passages)

    async def stock(self) -> None:
        """Brings the shipped documents into the library, and those that are shipped no longer out of it: before the
        first search. It goes on when whoever waits for it gives up."""
        if self._stocking is None or (self._stocking.done() and self._stocking.exception() is not None):
            self._stocking = asyncio.create_task(self._stock())
        await asyncio.shield(self._stocking)

    async def _stock(self) -> None:
        read = await asyncio.to_thread(_shipped, self._shipped_in)
        there = {row.paper_id for row in await self.papers.all()}
        await self.papers.forget_starters([each.paper.paper_id for each in read])
        for each in read:
            if each.paper.paper_id not in there:
                await self.add(each)

    async def search(self, question: str, limit: int = _PAPERS, enough: float = _ENOUGH) -> list[Found]:
        """The papers whose passages answer best, each once, the best first. What is not found under the question's
        words is looked for under the names that the glossary has for its terms, in Korean and in English."""
        terms = await asyncio.to_thread(self._glossary.find, question)
        other = (" ".join(term.term for term in terms), " ".join(term.english for term in terms))
        index = await self._current()
        for text in (question, *other):
            if found := await asyncio.to_thread(self._look, index, text, limit, enough):
                return found
        return []

    def _look(self, index: _Index, text: str, limit: int, enough: float) -> list[Found]:
        return _search(index, list(dict.fromkeys(words(text, self._texts.empty))), limit, enough)

    async def nearest(self, question: str, limit: int) -> list[Found]:
        """Papers that have anything to do with a question."""
        return await self.search(question, limit, _NEAR)

    def tool(self) -> ChatTool:
        return ChatTool("search_paper", "등록된 논문과 글에서 찾는다.", Question, self._call)

    async def _call(self, _: Asker, asked: Question) -> dict[str, Any]:
        found = await self.search(asked.question)
        if not found:
            return {"answers": {}, "reason": "등록된 논문에서 찾지 못했습니다."}
        return {
            "papers": [self._shown(each) for each in found],
            "answers": {level: self._answer(level, found) for level in self._texts.intro},
            "material": "\n\n".join(f"[{each.title}] {each.passage.text}" for each in found),
            "sources": [{"title": each.title, "paper_id": each.paper.paper_id} for each in found],
        }

    def _answer(self, level: LevelName, found: Sequence[Found]) -> str:
        lines = [self._texts.line[level].format(**self._shown(each)) for each in found]
        return "\n\n".join([self._texts.intro[level].format(count=len(found)), *lines])

    def _shown(self, found: Found) -> dict[str, Any]:
        paper, passage = found.paper, found.passage
        place = passage.heading or (f"{passage.page}쪽" if passage.page else "")
        return {
            "paper_id": paper.paper_id,
            "title": f"{paper.title} ({self._texts.starter})" if paper.starter else paper.title,
            "authors": ", ".join(paper.authors) or self._texts.unknown,
            "year": paper.year or self._texts.unknown,
            "place": place or paper.file_name,
            "excerpt": found.excerpt,
            "sentence": _first_sentence(passage.text),
        }

    async def _current(self) -> _Index:
        await self.stock()
        version = await self.papers.version()
        if self._index is None or self._index.version != version:
            async with self._building:
                if self._index is None or self._index.version != version:
                    rows, stored = await self.papers.all(), await self.papers.passages()
                    self._index = await asyncio.to_thread(_build, version, rows, stored)
        return self._index


def _shipped(folder: Path) -> list[ReadPaper]:
    files = sorted(folder.glob("*.md"))
    return [each for file in files for each in read_papers(file.name, file.read_bytes(), starter=True)]


def _build(version: object, rows: Sequence[PaperRow], stored: Sequence[Stored]) -> _Index:
    from bm25s import BM25

    bm25 = BM25()
    tokens = [each.passage.words.split() for each in stored]
    if tokens:
        bm25.index(tokens, show_progress=False)
    own = [frozenset(each) for each in tokens]
    holders: dict[str, int] = {}
    for each in own:
        for word in each:
            holders[word] = holders.get(word, 0) + 1
    return _Index(version, {row.paper_id: row for row in rows}, stored, own, bm25, holders)


def _search(index: _Index, asked: Sequence[str], limit: int, enough: float) -> list[Found]:
    known = [word for word in asked if word in index.holders]
    if not known:
        return []
    scores = index.bm25.get_scores(known)
    rarity = {word: index.rarity(word) for word in asked}
    whole = sum(rarity.values())
    best: dict[str, Found] = {}
    for place, (stored, own, score) in enumerate(zip(index.stored, index.words, scores, strict=True)):
        share = sum(rarity[word] for word in known if word in own) / whole
        paper = index.papers.get(index.stored[place].paper_id)
        if share < enough or share == 0 or paper is None:
            continue
        if paper.paper_id not in best or best[paper.paper_id].score < score:
            best[paper.paper_id] = Found(paper, stored.passage, float(score), share)
    return sorted(best.values(), key=lambda found: (-found.score, found.title))[:limit]


def _passages(read: ReadPaper) -> list[Passage]:
    """The title belongs to each passage's words: a passage on page 9 need not say again what the paper is about."""
    title = words(read.paper.title)
    return [
        Passage(place, each.heading, each.page, each.text, " ".join([*title, *words(f"{each.heading} {each.text}")]))
        for place, each in enumerate(read.pieces, 1)
    ]


def _first_sentence(text: str) -> str:
    """The first Korean sentence; what has none is cut."""
    found = re.match(r".+?[다요][.!?](?=\s|$)", text)
    return _cut(found[0] if found else text)


def _cut(text: str) -> str:
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT].rstrip()}…"
