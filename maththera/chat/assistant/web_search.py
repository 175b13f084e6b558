"""Search on the web by a kept library. What leaves the house is the question, without any learner that it names; a
question about learners' records does not leave it at all."""

import asyncio
import re
import socket
from collections.abc import Callable, Sequence
from typing import Final

from pydantic import BaseModel, ConfigDict, Field, HttpUrl, TypeAdapter, ValidationError

from maththera.chat.messages.answer_levels import LevelName
from maththera.chat.messages.chat_tools import Asker, ChatTool, ToolFailed, ToolRefused
from maththera.chat.papers.glossary import LookupArguments
from maththera.chat.state import ToolName
from maththera.json_types import JsonObject
from maththera.store.personal_data.student_names import StudentNames, replace_names

_RESULTS: Final = 4
_LONGEST: Final = 200
"""Characters of a query."""
_REACHABLE: Final = "duckduckgo.com"
_SECONDS: Final = 5

Page = dict[str, str]
"""`title`, `href`, `body`, as the library answers."""
Search = Callable[[str], Sequence[Page]]


class RecordWords(BaseModel):
    """By which a question about learners' records is known; see the file."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    told: re.Pattern[str]
    learners: re.Pattern[str]
    of_learners: re.Pattern[str]
    elsewhere: re.Pattern[str]


class WebTexts(BaseModel):
    """`web` of `configs/chat/assistant/assistant.yaml`. `requests`: what a question says to us, not to the engine."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    requests: tuple[str, ...]
    records: RecordWords
    private: str
    intro: dict[LevelName, str]
    line: dict[LevelName, str]
    unreachable: str


class WebSearchArguments(LookupArguments):
    """`failed`: the tools that were tried before."""

    failed: list[ToolName] = Field(default_factory=list)


def search_web(query: str) -> Sequence[Page]:
    """Blocks. OSError at once on a machine without a network; whatever the library raises otherwise."""
    socket.getaddrinfo(_REACHABLE, 443)
    from ddgs import DDGS
    from ddgs.exceptions import DDGSException

    try:
        return list(DDGS(timeout=_SECONDS).text(query, region="kr-kr", safesearch="on", max_results=_RESULTS))
    except DDGSException as error:
        if "No results" in str(error):
            return []
        raise


class WebSearchTool:
    """`search` is replaced in tests."""

    def __init__(self, texts: WebTexts, learners: StudentNames, search: Search = search_web) -> None:
        self._texts, self._learners, self._search = texts, learners, search

    def tool(self) -> ChatTool:
        return ChatTool("web_search", "웹에서 찾는다.", WebSearchArguments, self._call)

    def _about_records(self, asked: WebSearchArguments, named: Sequence[str]) -> bool:
        words, question = self._texts.records, asked.question
        told = words.told.search(question)
        if named or words.learners.search(question):
            return bool(told or words.of_learners.search(question) or "text2sql" in asked.failed)
        return bool(told or "text2sql" in asked.failed) and not words.elsewhere.search(question)

    def _query(self, question: str, named: Sequence[str]) -> str:
        """The question without what asks us to search, and without learners."""
        question = replace_names(question, named, " ")
        for words in self._texts.requests:
            question = question.replace(words, " ")
        return " ".join(question.split())[:_LONGEST].strip(" ?!.,")

    async def _call(self, _: Asker, asked: WebSearchArguments) -> JsonObject:
        named = await self._learners.named_in(asked.question)
        if self._about_records(asked, named):
            raise ToolRefused(self._texts.private)
        query = self._query(asked.question, named)
        if not query:
            return {"answers": {}, "reason": self._texts.unreachable}
        try:
            found = [*filter(None, map(_page, await asyncio.to_thread(self._search, query)))]
        except Exception as error:  # the library, the network and every engine fail in their own ways
            raise ToolFailed(self._texts.unreachable) from error
        if not found:
            return {"answers": {}, "reason": f"웹에서 '{query}'에 대한 결과를 찾지 못했습니다."}
        return {
            "query": query,
            "pages": found,
            "answers": {level: self._answer(level, found) for level in self._texts.intro},
            "material": "\n\n".join(f"[{page['title']}] {page['text']}" for page in found),
            "sources": [{"title": page["title"], "url": page["url"]} for page in found],
        }

    def _answer(self, level: LevelName, found: Sequence[Page]) -> str:
        lines = [self._texts.line[level].format(**page) for page in found]
        return "\n\n".join([self._texts.intro[level], *lines])


def _page(result: Page) -> Page | None:
    """A result as it may be shown: an address of the web, texts of one line."""
    try:
        url = str(TypeAdapter(HttpUrl).validate_python(result.get("href")))
    except ValidationError:
        return None
    texts = {key: " ".join(str(result.get(name) or "").split()) for key, name in (("title", "title"), ("text", "body"))}
    return {"title": texts["title"][:200] or url, "text": texts["text"][:500], "url": url}
