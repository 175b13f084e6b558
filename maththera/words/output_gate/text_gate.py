"""The gate decides what may be shown of a text by a model, a tool or a web page.

A finished text is held back whole, a streamed one from the first sentence that does not pass. The room decides what is
said instead.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from maththera.words.output_gate import markup
from maththera.words.output_gate.gate_words import GateKnowledge, Room
from maththera.words.output_gate.sentence_checks import (
    GateFault,
    Reader,
    SentenceChecks,
    TextHeldBack,
    TextRequirements,
)

_SIGNS: Final = r"[.!?…。~]+[\"'”’)*]*"
_END: Final = re.compile(rf"{_SIGNS}(?=\s)|\n")
"""The end of a sentence within a text. The next character is needed, because "3." may continue as "3.5"."""
_ENDED: Final = re.compile(rf"(?:{_SIGNS}|\n)$")
_TAG_BEGUN: Final = re.compile(r"[<\[]\s{0,3}/?\s{0,3}[a-zA-Z_]{0,20}$")
_TAG: Final = 60
"""The longest tag around a thought, in characters."""


class Gate:
    """Checks texts. Safe to share: it keeps nothing of a text."""

    def __init__(self, known: GateKnowledge) -> None:
        self.words = known.words
        self.checks = SentenceChecks(known)

    @classmethod
    def load(cls, home: Path) -> "Gate":
        """ConfigError names file, line and reason of every fault."""
        return cls(GateKnowledge.load(home))

    def longest(self, room: Room) -> int:
        """The longest text of a room, in characters."""
        return self.words.longest[room]

    def check(self, text: str, to: Reader, about: TextRequirements) -> GateFault | None:
        """Why a whole text may not be shown, or None."""
        try:
            self.shown(text, to, about)
        except TextHeldBack as held_back:
            return held_back.held
        return None

    def shown(self, text: str, to: Reader, about: TextRequirements) -> str:
        """A whole text as it may be shown. Raises TextHeldBack."""
        if len(text) > about.longest:
            raise TextHeldBack(GateFault("length", text[: self.words.sentence]))
        if thought := markup.THINK.search(text):
            raise TextHeldBack(GateFault("think", thought[0]))
        stream = GateStream(self, to, about)
        shown = "".join((*stream.feed(text), *stream.close()))
        if about.verdict and not self.words.verdict.says(text, right=about.verdict == "right"):
            raise TextHeldBack(GateFault("feedback_wrong", text[: self.words.sentence]))
        return shown


class GateStream:
    """A streamed text, released sentence by sentence. Keeps at most one sentence and takes time in proportion to the
    text."""

    def __init__(self, gate: Gate, to: Reader, about: TextRequirements) -> None:
        self._gate, self._to, self._about = gate, to, about
        self._thoughts = _ThoughtFilter(gate.words.thought)
        self._waiting = ""
        self._passed = ""
        """The end of what has passed."""
        self._length = 0

    def feed(self, piece: str) -> Iterator[str]:
        """The parts that may be shown now, in order. Raises TextHeldBack after the last of them."""
        size = self._gate.words.sentence
        said = self._thoughts.left_of(piece)
        for start in range(0, len(said), size):
            self._waiting += said[start : start + size]
            yield from self._sentences()

    def close(self) -> Iterator[str]:
        """The rest at the end of the text. Raises TextHeldBack."""
        self._waiting += self._thoughts.rest()
        yield from self._sentences()
        if self._waiting:
            yield self._show(self._waiting, ended=True)
            self._waiting = ""

    def _sentences(self) -> Iterator[str]:
        while end := self._end():
            sentence, self._waiting = self._waiting[:end], self._waiting[end:]
            yield self._show(sentence, ended=_ENDED.search(sentence) is not None)

    def _end(self) -> int:
        """The end of the first sentence; 0 if it may continue."""
        size = self._gate.words.sentence
        for found in _END.finditer(self._waiting, 0, size):
            if "\n" in found[0] or not markup.is_open(self._waiting[: found.end()]):
                return found.end()
        if len(self._waiting) < size:
            return 0
        return self._waiting.rfind(" ", size // 2, size) + 1 or size

    def _show(self, sentence: str, *, ended: bool) -> str:
        self._length += len(sentence)
        if self._length > self._about.longest:
            raise TextHeldBack(GateFault("length", sentence))
        if code := self._gate.checks.fault(sentence, self._passed, self._to, self._about, ended=ended):
            raise TextHeldBack(GateFault(code, sentence))
        self._passed = (self._passed + sentence)[-self._gate.words.remembered :]
        return markup.with_hosts(sentence) if self._to == "adult" else sentence


class _ThoughtFilter:
    """Removes a model's thoughts between <think> and </think>, however the pieces are cut. `most`: the longest thought,
    in characters."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._rest = ""
        self._inside = False

    def left_of(self, piece: str) -> str:
        """The part outside thoughts. Raises TextHeldBack for an end without a beginning: the text shown so far was a
        thought."""
        self._rest += piece
        said: list[str] = []
        while tag := markup.THINK.search(self._rest):
            ends = bool(tag[1])
            if not self._inside:
                if ends:
                    raise TextHeldBack(GateFault("think", tag[0]))
                said.append(self._rest[: tag.start()])
            self._inside = not ends
            self._rest = self._rest[tag.end() :]
        if self._inside:
            self._most -= max(0, len(self._rest) - _TAG)
            self._rest = self._rest[-_TAG:]
            if self._most < 0:
                raise TextHeldBack(GateFault("length", ""))
            return "".join(said)
        begun = _TAG_BEGUN.search(self._rest[-_TAG:])
        kept = len(begun[0]) if begun else 0
        said.append(self._rest[: len(self._rest) - kept])
        self._rest = self._rest[len(self._rest) - kept :]
        return "".join(said)

    def rest(self) -> str:
        """The part kept because a tag might have begun. Raises TextHeldBack within an unfinished thought."""
        if self._inside:
            raise TextHeldBack(GateFault("think", ""))
        rest, self._rest = self._rest, ""
        return rest


def map_texts(value: Any, shown: Callable[[str], str]) -> Any:
    """A value of plain JSON types with `shown` applied to each text."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {name: map_texts(each, shown) for name, each in value.items()}
    return [map_texts(each, shown) for each in value] if isinstance(value, list | tuple) else value


def texts_in(value: Any) -> Iterator[str]:
    """Each text in a value of plain JSON types, without the names of fields."""
    if isinstance(value, str):
        yield value
    elif isinstance(value, dict | list | tuple):
        for each in value.values() if isinstance(value, dict) else value:
            yield from texts_in(each)


@lru_cache(maxsize=4)
def load_gate(home: Path) -> Gate:
    """The gate of a home, loaded once per process. ConfigError as `Gate.load`."""
    return Gate.load(home)
