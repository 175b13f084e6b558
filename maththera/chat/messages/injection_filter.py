"""Cuts instructions to a model out of the results of tools, before a model reads them."""

import re
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, Final

from maththera.words.input_filter.message_filter import MessageFilter
from maththera.words.output_gate.text_gate import map_texts, texts_in

_SENTENCE_END: Final = re.compile(r"(?<=[.!?。])\s+")


@dataclass(slots=True)
class Screened:
    """A result, and the number of its texts that were cut."""

    value: Any
    left_out: int


@dataclass(slots=True)
class _Screener:
    ordering: Callable[[str], bool]
    mark: str
    left_out: int = 0

    def text(self, text: str) -> str:
        if not self.ordering(text):
            return text
        self.left_out += 1
        rest = "\n".join(self._line(line) for line in text.splitlines())
        return self.mark if self.ordering(rest) else rest  # an order may run over lines

    def _line(self, line: str) -> str:
        """The line up to its first instruction; the rest is taken for more of it."""
        if not self.ordering(line):
            return line
        kept: list[str] = []
        for sentence in _SENTENCE_END.split(line):
            if self.ordering(sentence):
                break
            kept.append(sentence)
        else:
            kept.clear()  # it runs over sentences
        return " ".join([*kept, self.mark])


def screen(value: Any, guard: MessageFilter, mark: str) -> Screened:
    """A result of plain JSON types; `mark` stands where something is missing."""
    if not guard.looks_like_instructions("\n".join(texts_in(value))):
        return Screened(value, 0)
    work = _Screener(guard.looks_like_instructions, mark)
    return Screened(map_texts(value, work.text), work.left_out)
