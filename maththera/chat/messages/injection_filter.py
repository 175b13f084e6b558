"""Cuts instructions to a model out of the results of tools, before a model reads them."""

import re
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Final

from maththera.words.input_filter.message_filter import MessageFilter

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

    def value(self, value: Any) -> Any:
        if isinstance(value, str):
            return self.text(value)
        if isinstance(value, dict):
            return {name: self.value(each) for name, each in value.items()}
        return [self.value(each) for each in value] if isinstance(value, list | tuple) else value

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
    if not guard.looks_like_instructions("\n".join(_texts(value))):
        return Screened(value, 0)
    work = _Screener(guard.looks_like_instructions, mark)
    return Screened(work.value(value), work.left_out)


def _texts(value: Any) -> Iterator[str]:
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict):
        for each in value.values():
            yield from _texts(each)
    elif isinstance(value, list | tuple):
        for each in value:
            yield from _texts(each)
