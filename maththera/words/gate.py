"""The gate: what may be shown of a text that nobody here wrote, be it a model's, a tool's or a web page's.

A text is held back whole, or while it is being written from the sentence on that does not pass. What is said instead is
the room's to know.
"""

import re
from collections.abc import Callable, Iterator
from functools import lru_cache
from pathlib import Path
from typing import Any, Final

from maththera.words import markup
from maththera.words.gate_words import Knowledge, Room
from maththera.words.sentence_checks import About, Held, HeldBack, Reader, SentenceChecks

_SIGNS: Final = r"[.!?…。~]+[\"'”’)*]*"
_END: Final = re.compile(rf"{_SIGNS}(?=\s)|\n")
"""Only what follows shows that a sentence has ended: "3." may go on as "3.5"."""
_ENDED: Final = re.compile(rf"(?:{_SIGNS}|\n)$")
_TAG_BEGUN: Final = re.compile(r"[<\[]\s{0,3}/?\s{0,3}[a-zA-Z_]{0,20}$")
_TAG: Final = 60
"""Characters of the longest tag around a thought."""


class Gate:
    """Safe to share: it keeps nothing of a text."""

    def __init__(self, known: Knowledge) -> None:
        self.words = known.words
        self.checks = SentenceChecks(known)

    @classmethod
    def load(cls, home: Path) -> "Gate":
        """ConfigError names file, line and reason of every fault."""
        return cls(Knowledge.load(home))

    def longest(self, room: Room) -> int:
        """Characters of a room's text."""
        return self.words.longest[room]

    def check(self, text: str, to: Reader, about: About) -> Held | None:
        """Why a whole text may not be shown; None where it may."""
        try:
            self.shown(text, to, about)
        except HeldBack as held_back:
            return held_back.held
        return None

    def shown(self, text: str, to: Reader, about: About) -> str:
        """A whole text as it may be shown. Raises HeldBack."""
        if len(text) > about.longest:
            raise HeldBack(Held("length", text[: self.words.sentence]))
        if thought := markup.THINK.search(text):
            raise HeldBack(Held("think", thought[0]))
        stream = GateStream(self, to, about)
        shown = "".join((*stream.feed(text), *stream.close()))
        if about.verdict and not self.words.verdict.says(text, right=about.verdict == "right"):
            raise HeldBack(Held("feedback_wrong", text[: self.words.sentence]))
        return shown


class GateStream:
    """What a model says, as it may be shown: sentence by sentence. Keeps one sentence at most, and takes time in
    proportion to the text."""

    def __init__(self, gate: Gate, to: Reader, about: About) -> None:
        self._gate, self._to, self._about = gate, to, about
        self._thoughts = _Thoughts(gate.words.thought)
        self._waiting = ""
        self._passed = ""
        """The end of what has passed."""
        self._length = 0

    def feed(self, piece: str) -> Iterator[str]:
        """The texts that may be shown now, in their order. Raises HeldBack behind the last of them."""
        size = self._gate.words.sentence
        said = self._thoughts.left_of(piece)
        for start in range(0, len(said), size):
            self._waiting += said[start : start + size]
            yield from self._sentences()

    def close(self) -> Iterator[str]:
        """What is left when nothing follows. Raises HeldBack."""
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
        """Where the first sentence ends; 0 where it goes on."""
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
            raise HeldBack(Held("length", sentence))
        if code := self._gate.checks.fault(sentence, self._passed, self._to, self._about, ended=ended):
            raise HeldBack(Held(code, sentence))
        overlap = self._gate.words.overlap
        tail = (self._passed + sentence)[-overlap:]
        self._passed = tail[tail.find(" ") + 1 :] if len(tail) == overlap else tail
        return markup.with_hosts(sentence) if self._to == "adult" else sentence


class _Thoughts:
    """Throws away what a model thinks aloud, between <think> and </think>, however the pieces are cut. `most`:
    characters of it that are listened to."""

    def __init__(self, most: int) -> None:
        self._most = most
        self._rest = ""
        self._inside = False

    def left_of(self, piece: str) -> str:
        """What of it is no thought. Raises HeldBack for an end without a beginning: what was shown was a thought."""
        self._rest += piece
        said: list[str] = []
        while tag := markup.THINK.search(self._rest):
            ends = bool(tag[1])
            if not self._inside:
                if ends:
                    raise HeldBack(Held("think", tag[0]))
                said.append(self._rest[: tag.start()])
            self._inside = not ends
            self._rest = self._rest[tag.end() :]
        if self._inside:
            self._most -= max(0, len(self._rest) - _TAG)
            self._rest = self._rest[-_TAG:]
            if self._most < 0:
                raise HeldBack(Held("length", ""))
            return "".join(said)
        begun = _TAG_BEGUN.search(self._rest[-_TAG:])
        kept = len(begun[0]) if begun else 0
        said.append(self._rest[: len(self._rest) - kept])
        self._rest = self._rest[len(self._rest) - kept :]
        return "".join(said)

    def rest(self) -> str:
        """What was kept because a tag might have begun. Raises HeldBack within a thought: it was all that was said."""
        if self._inside:
            raise HeldBack(Held("think", ""))
        rest, self._rest = self._rest, ""
        return rest


def with_texts(value: Any, shown: Callable[[str], str]) -> Any:
    """A value of plain JSON types with each of its texts as it is `shown`."""
    if isinstance(value, str):
        return shown(value)
    if isinstance(value, dict):
        return {name: with_texts(each, shown) for name, each in value.items()}
    return [with_texts(each, shown) for each in value] if isinstance(value, list) else value


@lru_cache(maxsize=4)
def load_gate(home: Path) -> Gate:
    """The gate of a home, loaded once for all rooms of the process. ConfigError as `Gate.load`."""
    return Gate.load(home)
