"""Finds expressions in Korean text: their possible beginnings, look-alikes, lines of the times tables, and stories of
one step."""

import re
from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from typing import Final

from maththera.arithmetic.expression_parser import ExpressionParser, NotAnExpression, Sides
from maththera.arithmetic.expressions import Operation
from maththera.arithmetic.story_parser import story_in
from maththera.korean.number_words import FIRST_SYLLABLES, SINO_DIGITS
from maththera.korean.numbers import number_at
from maththera.korean.times_tables import tables_in

_CHANT: Final = re.compile(
    r"(?<![0-9A-Za-z가-힣])(?P<a>[일이삼사오육칠팔구]) ?(?P<b>[일이삼사오육칠팔구])"
    r"(?P<link>은|는|이|에는?)?(?![가-힣])\s*"
)
"""A line of the times tables: "칠팔에 오십육"."""
_ASKED_OF_A_CHANT: Final = re.compile(r"[?\s]*$|몇|얼마|뭐|답이?|모르|[?]")
_WORDS_LIKE_A_CHANT: Final = frozenset(
    {"사이", "이사", "오이", "구이", "일이", "이일", "이이", "오일"}
    | {"사오", "이오", "사사", "사일", "일사", "이구", "구사", "팔이"}
)
_STARTS: Final = re.compile(
    r"(?<![0-9])(?<![0-9]\.)(?<![A-Za-z])(?<![A-Za-z][-_:])[0-9½⅓⅔¼¾⅕]|"
    rf"(?<![0-9A-Za-z가-힣])(?:[{''.join(sorted(FIRST_SYLLABLES))}]|네모|빈칸|얼마|어떤 수|마이너스)|[(\[{{□▢☐⬜]|"
    r"(?<![0-9A-Za-z가-힣])[ㅁ?xXyYaA](?=\s*[-+×÷*/=])|(?<![0-9A-Za-z가-힣)])-(?=[0-9])"
)
_DATE: Final = re.compile(r"(?:19|20)[0-9]{2}([-./])[0-9]{1,2}\1[0-9]{1,2}(?![0-9])|0[0-9]{1,2}-[0-9]{3,4}-[0-9]{4}")


@lru_cache(maxsize=512)
def sides_in(text: str) -> tuple[Sides, ...]:
    """The expressions of a plain text from left to right; if there are none, its story."""
    found = tuple(_found(text))
    story = None if found else story_in(text)
    return (story,) if story else found


def _found(text: str) -> Iterator[Sides]:
    place = 0
    while start := _STARTS.search(text, place):
        place = start.start() + 1
        date = _DATE.match(text, start.start())
        if date:
            place = date.end()
            continue
        if chant := _chanted(text, start.start()):
            yield chant
            place = chant.end
            continue
        try:
            found = ExpressionParser(text, start.start()).sides()
        except NotAnExpression:
            continue
        if found.beyond == "power" or any(isinstance(node, Operation) for node in found.nodes):
            yield found
        place = max(place, found.end)


def _chanted(text: str, start: int) -> Sides | None:
    """A line of the times tables, followed by its product or a question. Pairs that are also everyday words ("사이")
    count only with the right product, or as a question that names the tables."""
    match = _CHANT.match(text, start)
    if match is None:
        return None
    a, b = SINO_DIGITS[match["a"]], SINO_DIGITS[match["b"]]
    product = number_at(text, match.end())
    said = product is not None and product.counter == "" and bool(product.values)
    asked = _ASKED_OF_A_CHANT.match(text, match.end()) is not None
    if match["a"] + match["b"] in _WORDS_LIKE_A_CHANT:
        right = product is not None and said and a * b in product.values
        known = right or (asked and ("구구단" in text[:start] or bool(tables_in(text[:start]))))
    else:
        known = said or asked
    end = match.end("link") if match["link"] else match.end("b")
    node = Operation("x", Fraction(a), Fraction(b))
    return Sides((node,), start, end, False, None, None) if known else None
