"""Letters that adults ask for, and their changes: whom they are about, and what is on the board then."""

import re
from dataclasses import dataclass
from typing import Final

from maththera.chat.adults.adult_board import AdultBoard
from maththera.chat.adults.adult_request import UNANSWERED, AdultAnswer, AdultRequest
from maththera.chat.letters.letter_changes import changed_letter
from maththera.chat.letters.letter_texts import LetterWriter
from maththera.chat.letters.letters import CLASS_LETTERS, LETTER, Letter, letter_wanted

_LOWEST: Final = re.compile(r"(?:제일|가장)\s*(?:낮|못|많이\s*틀|힘들|어려|도움)\S*\s*(?:\S{1,4}\s*)?(?:애|아이|학생)")
_SAID_TO_CHILD: Final = "child_line"
"""The kind of a line that is said to a child: it may stand in another letter too."""


@dataclass(frozen=True, slots=True)
class LetterRequests:
    """Answers that are letters. Its methods raise StoreUnavailable."""

    writer: LetterWriter

    async def new(self, request: AdultRequest) -> AdultAnswer | None:
        """A letter, or the question whom one to guardians is about."""
        letter = letter_wanted(self.writer.book, request.text, request.role, named=bool(request.named))
        if letter is None:
            return None
        about = None if letter.kind in CLASS_LETTERS else await _whom(request)
        if about is None and letter.kind == LETTER:
            return AdultAnswer(self.writer.book.texts["for_whom"], AdultBoard(letter))
        if about is None and letter.kind not in CLASS_LETTERS:
            return UNANSWERED
        text = self.writer.text(letter, await request.child(about), request.text)
        return AdultAnswer(text, AdultBoard(letter, about))

    async def changed(self, request: AdultRequest, letter: Letter) -> AdultAnswer | None:
        """The letter that was written last as a message wants it otherwise, or about the child that it names."""
        text, before = request.text, request.board.about
        about = request.named[0] if request.named else before
        child = await request.child(about)
        if before is None and letter.kind == LETTER:
            if not request.named:
                return None
            return AdultAnswer(self.writer.text(letter, child, text), AdultBoard(letter, about))
        other = letter_wanted(self.writer.book, text, request.role)
        if other is not None and other.kind not in (letter.kind, _SAID_TO_CHILD):
            return None
        if (found := changed_letter(self.writer, letter, text, child)) is None:
            of_another = bool(request.named) and about != before and request.before.kind == "make"
            return AdultAnswer(self.writer.text(letter, child), AdultBoard(letter, about)) if of_another else None
        return AdultAnswer(found[1], AdultBoard(found[0], about))


async def _whom(request: AdultRequest) -> str | None:
    """The child that a letter is to be about."""
    board = request.board
    return (
        request.about or await _lowest(request) or board.spoken_of or (board.about if board.made else None)
        or request.before.child or _named_before(request)
    )  # fmt: skip


def _named_before(request: AdultRequest) -> str | None:
    """The one child that the message before named; None for none and for several."""
    named = [one for one, called in request.names.items() if called in (request.before.question or "")]
    return named[0] if len(named) == 1 else None


async def _lowest(request: AdultRequest) -> str | None:
    """The child with the smallest share of right answers, where a message means that one."""
    if not _LOWEST.search(request.text):
        return None
    children = [(one, await request.child(one)) for one in request.names]
    shares = {
        one: child.facts["right"] / child.facts["answered"] for one, child in children if child.facts and child.known
    }
    return min(shares, key=shares.__getitem__, default=None)
