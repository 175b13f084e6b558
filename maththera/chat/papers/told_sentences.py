"""The sentence of a paper that answers a question: with the number, the unit and the words that are asked for."""

import re
from collections.abc import Iterator, Sequence, Set
from dataclasses import dataclass
from typing import Final

from maththera.korean.search import meaning_words
from maththera.store.papers import Passage

SENTENCE: Final = re.compile(r"(?<=[.!?。])\s+")
HOW_MUCH: Final = re.compile("얼마|몇|퍼센트|%|비율|언제|how (?:much|many)")
_NUMBER: Final = re.compile(r"\d")
_UNITS: Final = re.compile(r"몇\s*(학년|퍼센트|개월|[가-힣])")
_SPELLINGS: Final = {"퍼센트": "(?:퍼센트|%)", "프": "(?:프로|%)", "달": "(?:달|개월)", "사": "명"}
_LONG: Final = re.compile("얼마나 (?:오래|길게|걸)|기간")
_SPANS: Final = r"\d+\s*(?:주|개월|달|일|년|분|시간)"
_ALIKE: Final = (
    {"오르", "늘", "좋", "좋아지", "낫", "나아지", "높", "높아지", "향상", "증가", "상승", "개선", "효과"},
    {"줄", "줄어들", "떨어지", "낮아지", "감소", "하락"},
    {"참여", "참가", "대상", "표본", "피험자"},
)
"""Words that ask for the same figure."""
_LEAST: Final = 0.5
"""Of what is asked beside the title, the share that an answer to a question by itself has."""


@dataclass(frozen=True, slots=True)
class ToldSentence:
    """`page`: of a PDF."""

    text: str
    page: int | None


def told_sentence(
    passages: Sequence[Passage], question: str, title: str, empty: Set[str], *, alone: bool = False
) -> ToldSentence | None:
    """The sentence that tells what is asked; None where none does. `alone`: the question names no paper, so that the
    sentence must have more of its words."""
    of_title = {*meaning_words(title)}
    units = _UNITS.search(question)
    asked = [word for word in dict.fromkeys(meaning_words(question, empty)) if not (units and word == units[1])]
    asked = [word for word in asked if word not in of_title] or asked
    unit = _unit(question)
    best: tuple[int, ToldSentence] | None = None
    for sentence in _sentences(passages):
        if (unit and not unit.search(sentence.text)) or (_asks_number(question) and not _NUMBER.search(sentence.text)):
            continue
        has = {*meaning_words(sentence.text)}
        shared = sum(bool(_forms(word) & has) for word in asked)
        enough = shared >= max(1, _LEAST * len(asked)) if alone else shared > 0 or (unit is not None and not asked)
        if enough and (best is None or shared > best[0]):
            best = (shared, sentence)
    return best[1] if best else None


def _sentences(passages: Sequence[Passage]) -> Iterator[ToldSentence]:
    for passage in passages:
        for text in SENTENCE.split(passage.text):
            if text.strip():
                yield ToldSentence(text.strip(), passage.page)


def _asks_number(question: str) -> bool:
    return HOW_MUCH.search(question) is not None


def _unit(question: str) -> re.Pattern[str] | None:
    """What a sentence with the number that is asked for must have."""
    if _LONG.search(question):
        return re.compile(_SPANS)
    found = _UNITS.search(question)
    return re.compile(rf"\d+\s*{_SPELLINGS.get(found[1], found[1])}") if found else None


def _forms(word: str) -> set[str]:
    return next((alike for alike in _ALIKE if word in alike), {word})
