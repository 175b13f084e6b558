"""Written answers told otherwise: in short, one thing of them, as a table; and what they rest on in few words."""

import re
from typing import Final

from maththera.chat.assistant.subjects import AS_TABLE, ONE, SHORTER

RESHAPED: Final = (SHORTER, ONE, AS_TABLE)
"""Kinds that tell the answer before once more."""
_CITED: Final = re.compile(r"(?P<first>[^,]+),(?P<others>.*?)\((?P<year>\d{4})\)")
_SENTENCE: Final = re.compile(r"(?<=[.?!]) ")
_TO_DO: Final = re.compile(r"(?:세요|[해돼]요|면 돼요|좋아요)\W*$")
"""Of a sentence that says what to do."""
_ONE_THING: Final = "그중에서는 이것 하나만 하셔도 돼요. {sentence}"


def reshaped(text: str, kind: str) -> str:
    """The first of the sentences of an answer, the first that says what to do, or all as the rows of a table."""
    sentences = _SENTENCE.split(text)
    if kind == ONE:
        return _ONE_THING.format(sentence=next((each for each in sentences if _TO_DO.search(each)), sentences[0]))
    if kind == AS_TABLE:
        rows = (f"| {place} | {each} |" for place, each in enumerate(sentences, 1))
        return "\n".join(["| 차례 | 내용 |", "|---|---|", *rows])
    return " ".join(sentences[: max(1, len(sentences) // 2)])


def short_citation(source: str) -> str:
    """Butterworth 외 (2011)"""
    found = _CITED.match(source)
    if found is None:
        return source
    return f"{found['first']}{' 외' if '&' in found['others'] else ''} ({found['year']})"
