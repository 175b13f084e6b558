"""A summary without a model: the sentences of a text that say most of what it is about, in their order."""

import asyncio
import re
from collections import Counter
from collections.abc import Sequence
from typing import Final

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
_SENTENCE: Final = re.compile(r"(?<=[.!?。…])\s+|\n+")


class SummaryTexts(BaseModel):
    """`summaries` of `configs/chat/assistant.yaml`; `sentences` and what they are set in, by level."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    sentences: dict[LevelName, int]
    frame: dict[LevelName, str]
    line: dict[LevelName, str]
    nothing: str


class SummaryArguments(BaseModel):
    """`text`: what came before in the pipeline or in the conversation; a text in the question goes before it."""

    question: str
    text: str | None = None


class SummaryTool:
    """See the module."""

    def __init__(self, texts: SummaryTexts) -> None:
        self._texts = texts

    def tool(self) -> ChatTool:
        return ChatTool("summarize", "글이나 앞의 결과를 요약한다.", SummaryArguments, self._call)

    async def _call(self, _: Asker, asked: SummaryArguments) -> JsonObject:
        quoted = _QUOTED.search(asked.question) or _AFTER_COLON.search(asked.question)
        text = quoted[1] if quoted else asked.text
        if not text or not text.strip():
            raise ToolFailed(self._texts.nothing)
        answers = {
            level: self._answer(level, await asyncio.to_thread(summary, text, count))
            for level, count in self._texts.sentences.items()
        }
        return {"answers": answers, "material": text[:_MOST], "sources": []}

    def _answer(self, level: LevelName, sentences: Sequence[str]) -> str:
        lines = [self._texts.line[level].format(sentence=each) for each in sentences]
        return self._texts.frame[level].format(lines="\n".join(lines))


def summary(text: str, count: int) -> list[str]:
    """At most `count` sentences. The beginning counts a little more, as most texts say there what they are about."""
    sentences = [each.strip(" -*#•\t") for each in _SENTENCE.split(text[:_MOST])]
    sentences = [each for each in dict.fromkeys(sentences) if len(each) >= _SHORTEST] or [text.strip()[:_MOST]]
    owned = [meaning_words(each) for each in sentences]
    frequency = Counter(word for each in owned for word in set(each))
    scores = [_score(own, frequency) * (1 + 0.2 / (1 + place)) for place, own in enumerate(owned)]
    chosen: list[int] = []
    for place in sorted(range(len(sentences)), key=lambda place: -scores[place]):
        if len(chosen) < count and not any(_same(owned[place], owned[other]) for other in chosen):
            chosen.append(place)
    return [sentences[place] for place in sorted(chosen)]


def _score(own: Sequence[str], frequency: Counter[str]) -> float:
    """How much of the text's repeated words a sentence has, for its length."""
    return sum(frequency[word] for word in set(own)) / (len(own) + 4)


def _same(own: Sequence[str], other: Sequence[str]) -> bool:
    return bool(own) and len({*own} & {*other}) >= _REPEATED * min(len({*own}), len({*other}))
