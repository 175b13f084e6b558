"""Equations in running text, calculated again."""

from collections.abc import Iterator

from maththera.arithmetic.claims import read_expressions
from maththera.korean.numbers import plain


def wrong_equations(text: str) -> Iterator[str]:
    """The untrue equations of a text as they stand there: chains such as "8+5=8+2+3=14", and sums whose result is told
    in words ("3+4는 8이야"). What is asked is no equation, nor is one with a gap."""
    whole = plain(text)
    for one in read_expressions(text):
        if one.right is False and (one.chained or (one.stated and one.beyond is None)):
            yield whole[one.start : one.end]
