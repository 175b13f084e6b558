"""The tool that always answers. Without a model it says what was not found, and offers the nearest things there are."""

import asyncio
from collections.abc import Awaitable, Callable, Iterator, Sequence
from typing import Final, Protocol, TypeAlias

from pydantic import BaseModel, ConfigDict

from maththera.chat.assistant.advice_answers import AnswerBook
from maththera.chat.messages.answer_levels import LEVEL_NAMES, LevelName
from maththera.chat.messages.chat_tools import Asker, ChatTool
from maththera.chat.papers.glossary import Glossary, Term
from maththera.chat.state import FailureReason, ToolName
from maththera.json_types import JsonObject

_NEAREST: Final = 2
_PATIENCE_S: Final = 1.0
"""For papers that are only offered."""
_SHOWN: Final = 40
"""Characters of the question that are repeated."""

Texts = dict[LevelName, str]
"""One for each level."""


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class GeneralTexts(_Strict):
    """See the file."""

    direct: Texts
    related: Texts
    missed: Texts
    late: Texts
    broken: Texts
    places: dict[str, str]
    nearest: Texts
    term: Texts
    paper: Texts
    offer: Texts
    offers: dict[ToolName, str]


class Titled(Protocol):
    """A document with a title, and what it says that comes near."""

    @property
    def title(self) -> str: ...

    @property
    def excerpt(self) -> str: ...


NearestPapers = Callable[[str, int], Awaitable[Sequence[Titled]]]
"""Documents that have something to do with a question."""


Found: TypeAlias = tuple[Sequence[Term], Sequence[Titled]]
"""Terms and papers that come near."""
HasRecords = Callable[[Asker], Awaitable[bool]]
"""Whether there are records of any learner that somebody may read of: else a question about them is not offered."""


class GeneralArguments(BaseModel):
    """`failed`: the tools that were tried before; `reasons`: why they did not answer, also of those that refused.
    `advice`: the advice that the question asks for; `written`: what was made for it; `ahead`: what
    is said before the advice, `beside`: what the child's records tell behind it; `instead`: what is said where nothing
    is known."""

    question: str
    advice: str = ""
    written: str = ""
    ahead: str = ""
    beside: str = ""
    instead: str = ""
    of_records: bool = False
    failed: list[ToolName] = []
    reasons: dict[ToolName, FailureReason] = {}

    @property
    def about_records(self) -> bool:
        """Whether it is about learners: no model may answer that from what it knows by itself."""
        return self.of_records or "refused" in self.reasons.values()

    @property
    def of_papers(self) -> bool:
        """Whether papers may have to do with it: they were searched."""
        return not self.about_records and self.failed != ["web_search"]


class GeneralTool:
    """`general` of `configs/chat/assistant/assistant.yaml`."""

    def __init__(
        self,
        texts: GeneralTexts,
        glossary: Glossary,
        papers: NearestPapers,
        advice: AnswerBook,
        has_records: HasRecords,
    ) -> None:
        self._texts, self._glossary, self._papers, self._advice = texts, glossary, papers, advice
        self._has_records = has_records

    def tool(self) -> ChatTool:
        return ChatTool("general", "다른 도구가 필요 없는 질문에 답한다.", GeneralArguments, self._call)

    async def _call(self, asker: Asker, asked: GeneralArguments) -> JsonObject:
        if asked.written:
            answers = dict.fromkeys(LEVEL_NAMES, asked.written)
            return {"answers": answers, "material": asked.written, "sources": [], "as_it_is": True}
        if asked.advice:
            told = " ".join(filter(None, [asked.ahead, self._advice.text(asked.advice)]))
            told = "\n\n".join(filter(None, [told, asked.beside]))
            sources = [{"title": each} for each in self._advice.sources(asked.advice)]
            answers = dict.fromkeys(LEVEL_NAMES, told)
            return {"answers": answers, "material": told, "sources": sources, "as_it_is": True}
        # In a thread: the first to need the Korean analyser loads it.
        terms = await asyncio.to_thread(self._terms, asked.question)
        if asked.instead and not asked.failed and not await asyncio.to_thread(self._glossary.find, asked.question):
            said = dict.fromkeys(LEVEL_NAMES, asked.instead) | {"elementary": self._texts.direct["elementary"]}
            about = asked.about_records
            return {"nearest": [], "answers": said, "material": "", "sources": [], "as_it_is": about}
        near = [] if asked.failed else self._advice.offers(asked.question)
        papers = await self._nearest_papers(asked.question) if asked.failed and asked.of_papers else []
        has_records = await self._has_records(asker)
        offers = [offer for tool, offer in self._texts.offers.items()
                  if tool not in asked.reasons and (has_records or tool != "text2sql")]  # fmt: skip
        return {
            "nearest": [*(term.term for term in terms), *(paper.title for paper in papers)],
            "answers": {level: self._answer(level, asked, (terms, papers), near, offers) for level in LEVEL_NAMES},
            "material": "",
            "sources": [],
            "as_it_is": asked.about_records,
        }

    def _terms(self, question: str) -> Sequence[Term]:
        return self._glossary.find(question) or self._glossary.nearest(question, _NEAREST)

    async def _nearest_papers(self, question: str) -> Sequence[Titled]:
        try:
            async with asyncio.timeout(_PATIENCE_S):
                return await self._papers(question, _NEAREST)
        except Exception:
            return ()

    def _answer(
        self, level: LevelName, asked: GeneralArguments, found: Found, near: Sequence[str], offers: Sequence[str]
    ) -> str:
        terms, papers = found
        texts = self._texts
        places = [tool for tool in dict.fromkeys(asked.failed) if tool in texts.places]
        question = asked.question if len(asked.question) <= _SHOWN else f"{asked.question[:_SHOWN]}…"
        nearest = [texts.term[level].format(term=term.term, text=_short(term, level)) for term in terms]
        nearest += [texts.paper[level].format(title=paper.title, excerpt=paper.excerpt) for paper in papers]
        if near and not places:
            return "\n".join(near)
        if not places:
            first = texts.related[level] if nearest else texts.direct[level]
        else:
            first = "\n".join(self._failure_lines(level, places, asked, question))
        if not nearest:
            offered = [f"- {offer}" for offer in offers]
            return "\n".join([first, *(["", texts.offer[level], *offered] if offered else [])])
        return "\n".join([first, "", *([texts.nearest[level]] if places else []), *nearest])

    def _failure_lines(
        self, level: LevelName, places: Sequence[ToolName], asked: GeneralArguments, question: str
    ) -> Iterator[str]:
        """A line each for the places without a result, too late, and out of order."""
        texts = self._texts
        for told, reason in ((texts.missed, "empty"), (texts.late, "timeout"), (texts.broken, "error")):
            here = [texts.places[tool] for tool in places if asked.reasons.get(tool, "empty") == reason]
            if here:
                yield told[level].format(places=", ".join(here), question=question)


def _short(term: Term, level: LevelName) -> str:
    return {
        "elementary": term.elementary,
        "beginner": term.beginner,
        "intermediate": term.intermediate,
        "advanced": term.intermediate,
    }[level]
