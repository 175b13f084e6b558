"""Whether a model's figures about a child stand in what its tools gave it."""

import json
import re
from collections.abc import Iterable, Mapping
from typing import Any, Final

from maththera.korean.numbers import numbers_in

_FIGURE: Final = re.compile(r"(\d+)\s*(?:문제|문항|번(?!째)|일(?!의)|초|점|퍼센트|%)")
"""A number of what was done; other numbers belong to calculations."""
_SHARE: Final = re.compile(r"\d\s*(?:퍼센트|%)")
_SENTENCES: Final = re.compile(r"(?<=[.!?\n])\s*")
_OF_RECORDS: Final = re.compile(r"(?<![가-힣])(?:푼|맞힌|맞은|틀린|공부한|연습한|정답률|평균)|지금까지|이번 (?:주|달)")
_DONE: Final = re.compile(
    f"[{''.join(chr(code) for code in range(ord('가') + 20, ord('힣') + 1, 28) if chr(code) not in '있겠')}]"
)
"""A verb in the past tense, by its ㅆ."""
_NUMBER: Final = re.compile(r"\d+")
_LONGEST: Final = 12


def known_figures(results: Iterable[Mapping[str, Any]], said: Iterable[str]) -> frozenset[int]:
    """The numbers of what tools have found and of what was said before."""
    given = [json.dumps(one, ensure_ascii=False) for one in results]
    found = {int(each) for text in given for each in _NUMBER.findall(text) if len(each) < _LONGEST}
    return frozenset(found | {value for text in said for number in numbers_in(text) for value in number.values})


def has_unknown_figure(text: str, known: frozenset[int]) -> bool:
    """Whether a text counts something with a number that is not known."""
    return any(int(found[1]) not in known for found in _FIGURE.finditer(text))


def claims_unknown_figure(text: str, known: frozenset[int]) -> bool:
    """Whether a text says how much was done, or in how many of a hundred, with a number that is not known. Advice
    ("하루에 10문제씩 해 보세요") claims nothing."""
    claims = (
        one for one in _SENTENCES.split(text) if _DONE.search(one) or _OF_RECORDS.search(one) or _SHARE.search(one)
    )
    return any(has_unknown_figure(one, known) for one in claims)
