"""A summary without a model: the sentences of a text that say most of what it is about, in their order."""

import asyncio
import re
from collections.abc import Sequence
from math import log
from typing import Final, Protocol

from pydantic import BaseModel, ConfigDict

from maththera.chat.messages.answer_levels import LevelName
from maththera.chat.messages.chat_tools import Asker, ChatTool, ToolFailed
from maththera.json_types import JsonObject
from maththera.korean.search import meaning_words

_MOST: Final = 20_000
"""Characters that are read."""
_SHORTEST: Final = 12
"""Characters below which a sentence is a heading or a greeting."""
_REPEATED: Final = 0.6
"""Two sentences that share so much of their words say the same."""
_QUOTED: Final = re.compile(r"[\"“'‘](.{80,})[\"”'’]", re.DOTALL)
_AFTER_COLON: Final = re.compile(r"[:\n]\s*(.{80,})", re.DOTALL)
_BEGINNING: Final = 0.3
"""What the first sentence counts more."""
_SUBJECT: Final = 100.0
"""What a word of the subject counts in a sentence: more than all that it shares with others."""
_CITED: Final = re.compile(
    r"[A-Z][A-Za-zÀ-ž'-]+, [A-Z]\.[^\n()]*\((?:19|20)\d\d\)\. [^\n]*?\."
    r"(?=\s[A-Z][A-Za-zÀ-ž'-]+, [A-Z]\.|\s*\n|\s*$)"
)
_HANGUL: Final = re.compile("[가-힣]")
_LATIN_WORDS: Final = re.compile(r"[A-Za-z]{3,}")
_ORDINALS: Final = ("첫", "두", "세", "네", "다섯")
_WHICH: Final = re.compile(r"(첫|두|세|네|다섯|[1-9])\s*(?:번째|째)")
_ANY: Final = re.compile(r"(?:하나|한\s*(?:편|개|가지))\s*(?:만|를|을)|아무거나")
_ONE_LINE: Final = re.compile("한 ?(?:줄|문장)|결론")
_EACH: Final = re.compile("(?:줄|문장|마디|개|편|하나)씩|각각|따로따로")
_ROW: Final = re.compile(r"\s*\|.*\|\s*")
_RULE: Final = re.compile(r"[\s|:-]+")
_SENTENCE: Final = re.compile(r"(?<=[.!?。…])\s+|\n+")


class SummaryTexts(BaseModel):
    """`summaries` of `configs/chat/assistant/assistant.yaml`; `sentences` and what they are set in, by level."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    sentences: dict[LevelName, int]
    frame: dict[LevelName, str]
    line: dict[LevelName, str]
    nothing: str
    not_there: str


class NamedTexts(Protocol):
    """Texts that an answer may name."""

    async def titles_in(self, text: str) -> list[str]: ...

    async def texts_of(self, titles: Sequence[str]) -> list[str]: ...

    async def texts_on(self, question: str) -> list[str]: ...

    def topics(self, question: str) -> list[str]: ...


class SummaryArguments(BaseModel):
    """`text`: what came before in the pipeline or in the conversation; a text in the question goes before it.
    `earlier`: the questions before, the newest first."""

    question: str
    text: str | None = None
    earlier: list[str] = []


class SummaryTool:
    """`papers`: what an answer before has named is summed up from its own text."""

    def __init__(self, texts: SummaryTexts, papers: NamedTexts) -> None:
        self._texts, self._papers = texts, papers

    def tool(self) -> ChatTool:
        return ChatTool("summarize", "글이나 앞의 결과를 요약한다.", SummaryArguments, self._call)

    async def _call(self, _: Asker, asked: SummaryArguments) -> JsonObject:
        if asked.text and _EACH.search(asked.question) and len(titles := await self._papers.titles_in(asked.text)) > 1:
            texts = await self._papers.texts_of(titles)
            each = [
                f"{title}: {(await asyncio.to_thread(summary, text, 1))[0]}"
                for title, text in zip(titles, texts, strict=True)
            ]
            told = {level: self._answer(level, each) for level in self._texts.sentences}
            return {"answers": told, "material": "\n".join(each), "sources": []}
        quoted = _QUOTED.search(asked.question) or _AFTER_COLON.search(asked.question)
        text = quoted[1] if quoted else await self._meant(asked)
        if not text or not text.strip():
            raise ToolFailed(self._texts.nothing)
        most = 1 if _ONE_LINE.search(asked.question) else None
        about = [] if quoted else await asyncio.to_thread(self._about, asked)
        answers = {
            level: self._answer(level, await asyncio.to_thread(summary, text, most or count, about))
            for level, count in self._texts.sentences.items()
        }
        return {"answers": answers, "material": text[:_MOST], "sources": []}

    def _about(self, asked: SummaryArguments) -> list[str]:
        """What the summary is to be of: what is named, or what was asked for before."""
        said = (self._papers.topics(question) for question in (asked.question, *asked.earlier))
        return next((topics for topics in said if topics), [])

    async def _meant(self, asked: SummaryArguments) -> str | None:
        """What came before; of papers that it lists, their texts: of all, or of the one that is asked for. Where a
        subject is named of which that does not speak, the texts on it."""
        topics = await asyncio.to_thread(self._papers.topics, asked.question)
        if topics and not any(topic in (asked.text or "") for topic in topics):
            return " ".join(await self._papers.texts_on(asked.question)) or None
        if not asked.text:
            return asked.text
        if "링크" in asked.question and "http" not in asked.text:
            raise ToolFailed(self._texts.not_there)
        titles, which = await self._papers.titles_in(asked.text), _WHICH.search(asked.question)
        if which is None and titles and _ANY.search(asked.question):
            return (await self._papers.texts_of(titles[:1]))[0]
        if which is None:
            return " ".join(await self._papers.texts_of(titles)) or asked.text
        place = _ORDINALS.index(which[1]) if which[1] in _ORDINALS else int(which[1]) - 1
        if not 0 <= place < len(titles):
            raise ToolFailed(self._texts.not_there)
        return " ".join(await self._papers.texts_of(titles[place : place + 1]))

    def _answer(self, level: LevelName, sentences: Sequence[str]) -> str:
        lines = [self._texts.line[level].format(sentence=each) for each in sentences]
        return self._texts.frame[level].format(lines="\n".join(lines))


def summary(text: str, count: int, about: Sequence[str] = ()) -> list[str]:
    """At most `count` sentences. The beginning counts a little more, as most texts say there what they are about, and
    sentences with a word of `about` far more. What is cited at an end is none of the text."""
    sentences = [each.strip(" -*#•\t") for each in _SENTENCE.split(_rows_told(_without_citations(text[:_MOST])))]
    sentences = [each for each in dict.fromkeys(sentences) if len(each) >= _SHORTEST] or [text.strip()[:_MOST]]
    owned = [meaning_words(each) for each in sentences]
    scores = [_centrality(place, owned) * (1 + _BEGINNING / (1 + place)) for place in range(len(owned))]
    share = [sum(word in each for word in about) for each in sentences]
    scores = [score + _SUBJECT * has for score, has in zip(scores, share, strict=True)]
    chosen: list[int] = []
    for place in sorted(range(len(sentences)), key=lambda place: -scores[place]):
        if len(chosen) < count and not any(_same(owned[place], owned[other]) for other in chosen):
            chosen.append(place)
    return [sentences[place] for place in sorted(chosen)]


def _without_citations(text: str) -> str:
    """A text without the papers that it cites, with or without a heading above them."""
    text = _CITED.sub(" ", text)
    if len(_HANGUL.findall(text)) * 4 < len(text):
        return text
    lines = re.split(r"(?<=[.!?。…])\s+|\n+", text)
    return "\n".join(line for line in lines if _HANGUL.search(line) or not _LATIN_WORDS.search(line))


def _rows_told(text: str) -> str:
    """A text whose tables are told row by row: "하늘: 푼 문제 60, 맞음 36"."""
    told: list[str] = []
    head: list[str] = []
    for line in text.splitlines():
        if not _ROW.fullmatch(line):
            told, head = [*told, line], []
            continue
        cells = [cell.strip() for cell in line.strip().strip("|").split("|")]
        if not head:
            head = cells
            told = [one for one in told if " · " not in one]  # the table's title
        elif not _RULE.fullmatch(line):
            told.append(
                f"{cells[0]}: {', '.join(f'{name} {cell}' for name, cell in zip(head[1:], cells[1:], strict=False))}"
            )
    return "\n".join(told)


def _centrality(place: int, owned: Sequence[Sequence[str]]) -> float:
    """How much a sentence has in common with the others. R. Mihalcea & P. Tarau (2004). Bringing order into texts."""
    own = {*owned[place]}
    others = ({*each} for number, each in enumerate(owned) if number != place)
    return sum(len(own & other) / (log(len(own) + 2) + log(len(other) + 2)) for other in others)


def _same(own: Sequence[str], other: Sequence[str]) -> bool:
    return bool(own) and len({*own} & {*other}) >= _REPEATED * min(len({*own}), len({*other}))
