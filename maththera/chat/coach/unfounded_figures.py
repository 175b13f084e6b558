"""Whether a model's figures about a child stand in what its tools gave it."""

import json
import re
from collections.abc import Iterable, Sequence
from typing import Final

from maththera.chat.state import ToolResult
from maththera.korean.numbers import numbers_in

_FIGURE: Final = re.compile(r"(\d+)\s*(?:문제|문항|번(?!째)|일(?!의)|초|점|퍼센트|%)")
"""A number of what was done; other numbers belong to calculations."""
_NUMBER: Final = re.compile(r"\d+")
_LONGEST: Final = 12


def known_figures(results: Sequence[ToolResult], said: Iterable[str]) -> frozenset[int]:
    """The numbers of the tools' results and of what was said before."""
    given = [json.dumps(one["result"], ensure_ascii=False) for one in results if not one["error"]]
    found = {int(each) for text in given for each in _NUMBER.findall(text) if len(each) < _LONGEST}
    return frozenset(found | {value for text in said for number in numbers_in(text) for value in number.values})


def has_unknown_figure(text: str, known: frozenset[int]) -> bool:
    """Whether a text counts something with a number that is not known."""
    return any(int(found[1]) not in known for found in _FIGURE.finditer(text))
