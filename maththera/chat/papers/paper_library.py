"""The library: documents that people added and the few that are shipped, searched by meaning-carrying words (BM25)."""

import asyncio
import re
from collections.abc import Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict

from maththera.chat.messages.answer_levels import LevelName
from maththera.chat.messages.chat_tools import Asker, ChatTool
from maththera.chat.papers.glossary import Glossary, LookupArguments
from maththera.chat.papers.paper_parsing import ReadPaper, read_papers, searchable_passages
from maththera.json_types import JsonObject
from maththera.korean.search import WordIndex, meaning_words
from maththera.store.papers import Paper, PaperRow, Papers, Passage, StoredPassage

_FOUND_SCORE: Final = 0.5
"""A passage answers when it has this share of what the question asks about, rare words counting more."""
_NEAR_SCORE: Final = 0.25
"""The same for a paper that is offered in place of an answer."""
_PAPERS: Final = 3
_EXCERPT: Final = 280


class PaperTexts(BaseModel):
    """`papers` of `configs/chat/assistant.yaml`. `empty`: words of a request that say nothing of its topic."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    empty: frozenset[str]
    intro: dict[LevelName, str]
    line: dict[LevelName, str]
    starter: str
    unknown: str


@dataclass(frozen=True, slots=True)
class PaperHit:
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
    stored: Sequence[StoredPassage]
    words: WordIndex

    def search(self, asked: Sequence[str], limit: int, enough: float) -> list[PaperHit]:
        """The best passage of each paper that has enough of what is asked, the best paper first."""
        best: dict[str, PaperHit] = {}
        for found in self.words.search(asked):
            stored = self.stored[found.place]
            paper = self.papers.get(stored.paper_id)
            if found.share < enough or paper is None:
                continue
            if paper.paper_id not in best or best[paper.paper_id].score < found.score:
                best[paper.paper_id] = PaperHit(paper, stored.passage, found.score, found.share)
        return sorted(best.values(), key=lambda hit: (-hit.score, hit.title))[:limit]


class Library:
    """Every method raises StoreUnavailable when the database cannot be used."""

    def __init__(self, papers: Papers, texts: PaperTexts, shipped: Path, glossary: Glossary) -> None:
        """`shipped`: the folder of the documents that come with the program."""
        self.papers, self._texts, self._shipped_in, self._glossary = papers, texts, shipped, glossary
        self._index: _Index | None = None
        self._stocking: asyncio.Task[None] | None = None
        self._building = asyncio.Lock()

    async def add(self, read: ReadPaper) -> bool:
        """Adds a document; False if it was there already."""
        passages = await asyncio.to_thread(searchable_passages, read)
        return await self.papers.add(read.paper, passages)

    async def add_shipped(self) -> None:
        """Add the shipped documents and remove those of older versions, before the first search. The work goes on when
        the caller is cancelled."""
        if self._stocking is None or (self._stocking.done() and self._stocking.exception() is not None):
            self._stocking = asyncio.create_task(self._add_shipped())
        await asyncio.shield(self._stocking)

    async def _add_shipped(self) -> None:
        read = await asyncio.to_thread(_shipped, self._shipped_in)
        there = {row.paper_id for row in await self.papers.all()}
        await self.papers.remove_old_starters([each.paper.paper_id for each in read])
        for each in read:
            if each.paper.paper_id not in there:
                await self.add(each)

    async def search(self, question: str, limit: int = _PAPERS, enough: float = _FOUND_SCORE) -> list[PaperHit]:
        """The papers whose passages answer best, each once, the best first. What is not found under the question's
        words is looked for under the names that the glossary has for its terms, in Korean and in English."""
        terms = await asyncio.to_thread(self._glossary.find, question)
        other = (" ".join(term.term for term in terms), " ".join(term.english for term in terms))
        index = await self._current()
        for text in (question, *other):
            if found := await asyncio.to_thread(self._locate, index, text, limit, enough):
                return found
        return []

    def _locate(self, index: _Index, text: str, limit: int, enough: float) -> list[PaperHit]:
        return index.search(meaning_words(text, self._texts.empty), limit, enough)

    async def nearest(self, question: str, limit: int) -> list[PaperHit]:
        """Papers that have anything to do with a question."""
        return await self.search(question, limit, _NEAR_SCORE)

    def tool(self) -> ChatTool:
        return ChatTool("search_paper", "등록된 논문과 글에서 찾는다.", LookupArguments, self._call)

    async def _call(self, _: Asker, asked: LookupArguments) -> JsonObject:
        found = await self.search(asked.question)
        if not found:
            return {"answers": {}, "reason": "등록된 논문에서 찾지 못했습니다."}
        return {
            "papers": [self._shown(each) for each in found],
            "answers": {level: self._answer(level, found) for level in self._texts.intro},
            "material": "\n\n".join(f"[{each.title}] {each.passage.text}" for each in found),
            "sources": [{"title": each.title, "paper_id": each.paper.paper_id} for each in found],
        }

    def _answer(self, level: LevelName, found: Sequence[PaperHit]) -> str:
        lines = [self._texts.line[level].format(**self._shown(each)) for each in found]
        return "\n\n".join([self._texts.intro[level].format(count=len(found)), *lines])

    def _shown(self, found: PaperHit) -> JsonObject:
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
        await self.add_shipped()
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


def _build(version: object, rows: Sequence[PaperRow], stored: Sequence[StoredPassage]) -> _Index:
    words = WordIndex([each.passage.words.split() for each in stored])
    return _Index(version, {row.paper_id: row for row in rows}, stored, words)


def _first_sentence(text: str) -> str:
    """The first Korean sentence, or the beginning of a text without one."""
    found = re.match(r".+?[다요][.!?](?=\s|$)", text)
    return _cut(found[0] if found else text)


def _cut(text: str) -> str:
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT].rstrip()}…"
