"""Nouns and numbers in a question about records that no reader understood, so that the answer can mention them."""

import re
from collections.abc import Iterable, Iterator
from itertools import pairwise
from typing import Final

from maththera.chat.records.record_restrictions import STRUCTURES
from maththera.chat.records.record_words import RecordWords
from maththera.korean.morphemes import morphemes

_NAMING: Final = frozenset({"NNG", "NNP", "SL", "SN"})


def unread_words(words: RecordWords, text: str) -> tuple[str, ...]:
    """The words in a text without names and days that nothing has read, in order. `light` words of records.yaml do not
    count."""
    taken = [False] * len(text)
    for pattern in _patterns(words):
        for match in pattern.finditer(text):
            taken[match.start() : match.end()] = [True] * (match.end() - match.start())
    names = (each for each in morphemes(text) if each.tag in _NAMING and (each.tag == "SN" or len(each.form) > 1))
    found = (each.form for each in names if not any(taken[each.start : each.end]))
    return tuple(dict.fromkeys(form for form in found if not words.words.light.fullmatch(form)))


def restricting(text: str, unread: Iterable[str]) -> list[str]:
    """The unread words that may limit which records are meant: they stand before another noun or a place or time.
    Others are ordinary talk: "도움이 필요한"."""
    told = morphemes(text)
    before = {one.form for one, after in pairwise(told) if after.tag in _NAMING or after.tag in ("JKG", "JKB", "XSN")}
    return [form for form in unread if form in before or form.isdecimal()]


def _patterns(words: RecordWords) -> Iterator[re.Pattern[str]]:
    own = words.words
    for named in (own.measures, own.weak_measures, own.wishes, own.groups, own.half_days, own.operations):
        yield from named.values()
    yield from (own.most, own.least, own.extreme, own.table, own.file, own.dated, own.short, own.verdict, own.same)
    yield from (
        own.him,
        own.everybody,
        own.two,
        own.together,
        own.whole,
        own.row,
        own.chart,
        own.bare,
        own.soft,
        own.plain,
    )
    yield from (each.pattern for each in own.unheld)
    yield from (each.pattern for each in words.causes.causes)
    yield from STRUCTURES
