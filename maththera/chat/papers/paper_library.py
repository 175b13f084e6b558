"""The library: documents that people added and the few that are shipped, searched by meaning-carrying words (BM25)."""

import asyncio
import re
from collections.abc import Sequence, Set
from dataclasses import dataclass
from pathlib import Path
from typing import Final

from pydantic import BaseModel, ConfigDict

from maththera.chat.messages.answer_levels import LEVEL_NAMES, LevelName
from maththera.chat.messages.chat_tools import Asker, ChatTool
from maththera.chat.papers.glossary import Glossary, LookupArguments
from maththera.chat.papers.paper_follow_ups import FollowUpTexts
from maththera.chat.papers.paper_parsing import ReadPaper, read_papers, searchable_passages
from maththera.chat.papers.told_sentences import HOW_MUCH, SENTENCE, told_sentence
from maththera.json_types import JsonObject
from maththera.korean.morphemes import morphemes
from maththera.korean.search import WordIndex, meaning_words
from maththera.store.papers import Paper, PaperRow, Papers, Passage, StoredPassage

_FOUND_SCORE: Final = 0.5
"""A passage answers when it has this share of what the question asks about, rare words counting more."""
_NEAR_SCORE: Final = 0.25
"""The same for a paper that is offered in place of an answer."""
_OWN_SCORE: Final = 0.6
"""The same for a passage that answers a question which names no papers."""
_PAPERS: Final = 3
_EXCERPT: Final = 280
_NOUN: Final = 2
"""Letters of a noun that says what a question is about."""
_WORDS: Final = 3
"""Words of a question that has no such noun, and is about something all the same."""
_NUMBER: Final = re.compile(r"\d")
_PAPER: Final = re.compile("논문|문헌|연구")
_REFERENCE: Final = re.compile(
    r"[A-Z][A-Za-zÀ-ž'-]+, [A-Z]\.[^\n()]*\(\d{4}\)\. [^\n]*?\.(?=\s[A-Z][A-Za-zÀ-ž'-]+, [A-Z]\.|\s*\n|\s*$)"
)


class PaperTexts(BaseModel):
    """`papers` of `configs/chat/assistant/assistant.yaml`. `empty`: words of a request that say nothing of its topic;
    `cited`: before the papers that shipped texts rest on."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    empty: frozenset[str]
    intro: dict[LevelName, str]
    line: dict[LevelName, str]
    starter: str
    cited: str
    unknown: str
    told: str
    untold: str
    follow_ups: FollowUpTexts


class PaperArguments(LookupArguments):
    """`again`: the question is about the papers that `text`, the answer before, names. `own`: only a sentence is wanted
    with the figure that is asked for, of a paper that somebody added."""

    again: bool = False
    own: bool = False
    text: str | None = None


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
        words is looked for under the names that the glossary has for its terms, in Korean and in English, and then
        under each of its nouns: another word in a question never hides what was found without it."""
        terms = await asyncio.to_thread(self._glossary.find, question)
        other = (" ".join(term.term for term in terms), " ".join(term.english for term in terms))
        index = await self._current()
        nouns = await asyncio.to_thread(self._nouns, question)
        known = [noun for noun in nouns if index.words.knows(noun)]
        alone = known if enough >= _FOUND_SCORE and 2 * len(known) >= len(nouns) else []
        for text in (question, *other, *alone):
            if found := await asyncio.to_thread(self._locate, index, text, limit, enough):
                return found
        return []

    def _locate(self, index: _Index, text: str, limit: int, enough: float) -> list[PaperHit]:
        return index.search(meaning_words(text, self._texts.empty), limit, enough)

    def _nouns(self, question: str) -> list[str]:
        return topics_of(question, self._texts.empty)

    async def nearest(self, question: str, limit: int) -> list[PaperHit]:
        """Papers that have anything to do with what a question is about; of one without a noun, those that have most of
        its words."""
        if await asyncio.to_thread(self._nouns, question):
            return await self.search(question, limit, _NEAR_SCORE)
        words = await asyncio.to_thread(meaning_words, question, self._texts.empty)
        index = await self._current()
        return index.search(words, limit, _FOUND_SCORE) if len(words) >= _WORDS else []

    async def texts_of(self, titles: Sequence[str]) -> list[str]:
        """The whole texts of papers with these titles."""
        index = await self._current()
        wanted = {paper_id: row.title for paper_id, row in index.papers.items() if row.title in titles}
        return [
            " ".join(each.passage.text for each in index.stored if each.paper_id == paper_id)
            for title in titles
            for paper_id in wanted
            if wanted[paper_id] == title
        ]

    async def texts_on(self, question: str) -> list[str]:
        """The whole text of the paper or guide that is best on what a question names; none where there is none."""
        found = await self.search(question, 1)
        return await self.texts_of([hit.title for hit in found])

    def topics(self, question: str) -> list[str]:
        """The nouns that say what a question is about, the longest first."""
        return self._nouns(question)

    async def titles_in(self, text: str) -> list[str]:
        """The titles that a text names, in its order."""
        index = await self._current()
        found = {row.title for row in index.papers.values() if row.title in text}
        return sorted(found, key=text.index)

    def tool(self) -> ChatTool:
        return ChatTool("search_paper", "등록된 논문과 글에서 찾는다.", PaperArguments, self._call)

    async def _call(self, _: Asker, asked: PaperArguments) -> JsonObject:
        if asked.again and (told := await self._of_named(asked.question, asked.text or "")):
            return {"answers": dict.fromkeys(LEVEL_NAMES, told), "material": told, "sources": [], "as_it_is": True}
        if by_own := await self._told_by_own(asked.question):
            return by_own
        found = [] if asked.own else await self.search(asked.question)
        if not found:
            return {"answers": {}, "reason": "등록된 논문에서 찾지 못했습니다."}
        only_shipped = all(each.paper.starter for each in found) and _PAPER.search(asked.question) is not None
        cited = await self._cited([each.title for each in found]) if only_shipped else ""
        return {
            "papers": [self._shown(each, asked.question) for each in found],
            "answers": {
                level: self._answer(level, found, asked.question) + ("" if level == "elementary" else cited)
                for level in self._texts.intro
            },
            "material": "\n\n".join(f"[{each.title}] {each.passage.text}" for each in found),
            "sources": [{"title": each.title, "paper_id": each.paper.paper_id} for each in found],
        }

    async def _cited(self, titles: Sequence[str]) -> str:
        """The papers that shipped texts name at their end, after a sentence that says so; "" for none."""
        named = _references(await self.texts_of(titles))[:_PAPERS]
        return "\n".join(["", "", self._texts.cited, *(f"- {one}" for one in named)]) if named else ""

    async def _told_by_own(self, question: str) -> JsonObject | None:
        """The sentence of an added paper that tells the figure that a question asks for; None for another question."""
        if not HOW_MUCH.search(question) or _PAPER.search(question):
            return None
        for hit in await self.search(question, enough=_OWN_SCORE):
            passages = [] if hit.paper.starter else await self._passages(hit.paper.paper_id)
            found = await asyncio.to_thread(told_sentence, passages, question, hit.title, self._texts.empty, alone=True)
            if found is not None:
                told = self._told_line(hit.paper, found.text, found.page)
                source = {"title": hit.title, "paper_id": hit.paper.paper_id}
                return {"answers": dict.fromkeys(LEVEL_NAMES, told), "material": told, "sources": [source],
                        "as_it_is": True}  # fmt: skip
        return None

    async def _passages(self, paper_id: str) -> list[Passage]:
        index = await self._current()
        return [each.passage for each in index.stored if each.paper_id == paper_id]

    def _told_line(self, paper: Paper, sentence: str, page: int | None) -> str:
        year = f"{paper.year}년" if paper.year and not paper.starter else ""
        where = ", ".join(filter(None, [year, f"{page}쪽" if page else ""]))
        return self._texts.told.format(title=paper.title, where=f" ({where})" if where else "", sentence=sentence)

    async def _told_by(self, question: str, rows: Sequence[PaperRow]) -> str:
        """A line for each of the papers that tells what is asked; "" where none does."""
        lines = []
        for row in rows:
            passages = await self._passages(row.paper_id)
            found = await asyncio.to_thread(told_sentence, passages, question, row.title, self._texts.empty)
            if found is not None:
                lines.append(self._told_line(row, found.text, found.page))
        return "\n".join(lines)

    async def _of_named(self, question: str, text: str) -> str:
        """What is asked of the papers that a text names; "" where it names none."""
        index, titles = await self._current(), await self.titles_in(text)
        rows = [row for title in titles for row in index.papers.values() if row.title == title]
        texts = await self.texts_of(titles)
        papers, cited = [*zip(rows, texts, strict=False)], [one for one in _references(texts) if one in text]
        if not rows:
            return ""
        follow_ups = self._texts.follow_ups
        chosen = follow_ups.chosen(question, rows)
        if chosen and not follow_ups.is_of_the_paper(question):
            return (
                await self._told_by(question, chosen)
                or follow_ups.answer(question, papers, cited)
                or (self._texts.untold.format(titles=", ".join(f"'{row.title}'" for row in chosen)))
            )
        return follow_ups.answer(question, papers, cited)

    def _answer(self, level: LevelName, found: Sequence[PaperHit], question: str) -> str:
        lines = [self._texts.line[level].format(**self._shown(each, question)) for each in found]
        return "\n\n".join([self._texts.intro[level].format(count=len(found)), *lines])

    def _shown(self, found: PaperHit, question: str) -> JsonObject:
        paper, passage = found.paper, found.passage
        page = f"{passage.page}쪽" if passage.page else ""
        place = page or passage.heading
        year = f"{paper.year}년" if paper.year and not paper.starter else ""
        where = ", ".join(filter(None, [year, page]))
        return {
            "paper_id": paper.paper_id,
            "title": f"{paper.title} ({self._texts.starter})" if paper.starter else paper.title,
            "authors": ", ".join(paper.authors) or self._texts.unknown,
            "year": paper.year or self._texts.unknown,
            "place": place or paper.file_name,
            "excerpt": found.excerpt,
            "where": f" ({where})" if where else "",
            "sentence": _cut(answering_sentence(passage.text, question)),
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


def topics_of(question: str, empty: Set[str]) -> list[str]:
    """The nouns that say what a question is about, the longest first. `empty`: those that say nothing of it."""
    nouns = {each.form for each in morphemes(question) if each.tag == "NNG" and len(each.form) >= _NOUN}
    return sorted(nouns - empty, key=lambda noun: (-len(noun), noun))


def _references(texts: Sequence[str]) -> list[str]:
    """What texts cite at their ends, each once."""
    return [*dict.fromkeys(one for text in texts for one in _REFERENCE.findall(text))]


def _shipped(folder: Path) -> list[ReadPaper]:
    files = sorted(folder.glob("*.md"))
    return [each for file in files for each in read_papers(file.name, file.read_bytes(), starter=True)]


def _build(version: object, rows: Sequence[PaperRow], stored: Sequence[StoredPassage]) -> _Index:
    words = WordIndex([each.passage.words.split() for each in stored])
    return _Index(version, {row.paper_id: row for row in rows}, stored, words)


def answering_sentence(text: str, question: str) -> str:
    """The sentence with most of what is asked; where a number is asked for, one with a number."""
    sentences = [each.strip() for each in SENTENCE.split(text) if each.strip()]
    asked = frozenset(meaning_words(question))
    numeric = HOW_MUCH.search(question) is not None

    def worth(sentence: str) -> tuple[bool, int]:
        return numeric and _NUMBER.search(sentence) is not None, len(asked.intersection(meaning_words(sentence)))

    return max(sentences, key=worth, default=text)


def _cut(text: str) -> str:
    return text if len(text) <= _EXCERPT else f"{text[:_EXCERPT].rstrip()}…"
