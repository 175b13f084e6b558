"""The times tables that a Korean text names: 7단, 칠 단, 7·8단, 2단부터 5단까지."""

import re
from typing import Final

from maththera.korean.number_words import SINO_DIGITS

_FIRST, _LAST = 2, 9
_ENDS: Final = (
    "(?=은|는|만|이|을|의|도|요|에|부터|까지|과|와|하고|랑|보다|정도|쯤|처럼|외|문제|표|좀|알|줘|해|[^가-힣]|$)"
)
"""What follows a table in words; 이단아, 삼단논법 and 사단장 are others."""
TIMES_TABLE: Final = re.compile(
    rf"(?<!\d)(?:([2-9])\s?([~∼〜,·와과-])\s?)?([2-9])\s?단(?![계원어체락])(?:\s?(부터|까지|에서))?"
    rf"|(?<![가-힣])([이삼사오육칠팔구])\s?단{_ENDS}(?:\s?(부터|까지|에서))?"
)
_TO: Final = frozenset("~∼〜-")


def tables_in(text: str) -> tuple[int, ...]:
    """The tables that a text names, each once, from 2 to 9. "3단까지" are 2 and 3, "7단부터" 7 to 9."""
    found: list[int] = []
    since: int | None = None
    for match in TIMES_TABLE.finditer(text):
        before, sign, digit, after, word, after_word = match.groups()
        table, limit = int(digit) if digit else SINO_DIGITS[word], after or after_word
        start = int(before) if before else table
        if limit == "까지":
            start = since or (int(before) if before and sign in _TO else _FIRST)
        found += range(start, table + 1) if limit == "까지" or sign in _TO else [start, table]
        since = table if limit in ("부터", "에서") else None
        if limit == "부터" and "까지" not in text[match.end() :]:
            found += range(table, _LAST + 1)
    return tuple(dict.fromkeys(found))
