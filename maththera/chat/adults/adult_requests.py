"""What adults want made, changed or looked at: every kind of request, in the order in which it is looked for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, replace
from typing import Final

from maththera.chat.adults.adult_board import gone_on_with, older
from maththera.chat.adults.adult_request import UNANSWERED, AdultAnswer, AdultRequest, Maker, SpokenOf
from maththera.chat.adults.checked_answers import (
    asks_for_mean,
    asks_of_child,
    asks_of_reversed,
    mean_of_rates,
    of_child,
    of_numbers,
    times_tables,
)
from maththera.chat.adults.games import Games
from maththera.chat.adults.letter_requests import LetterRequests
from maththera.chat.adults.plan_requests import PlanRequests
from maththera.chat.adults.sheet_requests import changed_worksheet, missed_problems, new_worksheet
from maththera.chat.adults.untaught_subjects import UntaughtSubjects
from maththera.chat.letters.letter_book import LetterBook
from maththera.chat.letters.letter_texts import LetterWriter
from maththera.chat.letters.letters import Letter, letter_wanted
from maththera.chat.messages.chat_tools import Asker
from maththera.chat.plans.plan_texts import PlanWriter
from maththera.chat.plans.plans import Plan
from maththera.chat.records.record_tool import RecordQuestions
from maththera.chat.worksheets.new_sheets import is_of_sheet, theme_of
from maththera.chat.worksheets.sheet_problems import Sheet

_LONGEST: Final = 300
"""Letters of a message that are read."""
_ELSEWHERE: Final = re.compile(
    r"몇\s*(?:문제|번이나|점|%|퍼센트|등|명)|정답률|틀린\s*(?:거|것|문제|건)|틀렸|기록(?!부)|왜\s|왜요|논문|연구|근거|무슨\s*뜻|뭐예요|뭔가요|"
    r"어떻게\s*(?:가르|도와|알|하면|해야|고쳐)|어떡|될까요|되나요|있을까요|괜찮을까"
)
"""Of what no change of something made is wished with."""
_WISH: Final = re.compile(
    r"(?:줄여|줄이|바꿔|바꾸|고쳐|고치|빼|넣|써|쓰|만들|다시|짧게|길게|쉽게|섞)\S*\s*(?:\S{1,3}\s*)?(?:줄\s*수|주실\s*수|수\s*있|주시|주세|줄래|도\s*(?:되|될|돼))"
)
"""Of what a change of something made is wished with, though it is asked for."""


@dataclass(frozen=True, slots=True)
class AdultRequests:
    """Answers what adults want made, changed or looked at."""

    letters: LetterWriter
    plans: PlanWriter
    untaught: UntaughtSubjects
    games: Games
    records: RecordQuestions

    async def answer(self, asker: Asker, message: str, before: SpokenOf) -> AdultAnswer | None:
        """The answer to a message that wants something made, changed or looked at; None for another. Raises
        StoreUnavailable."""
        text, children = message[:_LONGEST], await self.records.names(asker)
        request = AdultRequest(asker, text, children.names, children.mentioned(text), before, self.records)
        for maker in self._makers():
            if (answer := await maker(request)) is not None:
                return None if answer is UNANSWERED else answer
        return None

    def _makers(self) -> Sequence[Maker]:
        """In the order in which they are tried."""
        letters, plans = LetterRequests(self.letters), PlanRequests(self.plans)
        return (
            DeclinedSubjects(self.untaught, self.letters.book).answer,
            multiplication_tables,
            checked_numbers,
            checked_records,
            Changes(letters, plans).answer,
            GameRequests(self.games).answer,
            letters.new,
            plans.new,
            missed_problems,
            new_worksheet,
        )


@dataclass(frozen=True, slots=True)
class DeclinedSubjects:
    """What is said to a wish for something that the problems of the service do not have, and to more of it."""

    untaught: UntaughtSubjects
    letters: LetterBook

    async def answer(self, request: AdultRequest) -> AdultAnswer | None:
        text, board = request.text, gone_on_with(request.before.board)
        of_sheet = isinstance(board.made, Sheet)
        written = letter_wanted(self.letters, text, request.role) is not None or (of_sheet and theme_of(text))
        if not written and (found := self.untaught.declined(text, makes=of_sheet or is_of_sheet(text))):
            return AdultAnswer(found[1], replace(board, declined=found[0]))
        if board.made is None and (offered := self.untaught.offered_here(text)):
            return AdultAnswer(offered, replace(board, offered=text))
        spoken_of = request.board.declined or request.board.offered
        if not written and spoken_of and (other := self.untaught.another(text)):
            return AdultAnswer(other[1], replace(board, declined=other[0]))
        more = self.untaught.further(text, request.board.declined)
        return AdultAnswer(more, board) if more else None


async def multiplication_tables(request: AdultRequest) -> AdultAnswer | None:
    """The multiplication tables."""
    told = times_tables(request.text, told=request.board.tables)
    return AdultAnswer(told, replace(gone_on_with(request.before.board), tables=True), "times") if told else None


async def checked_numbers(request: AdultRequest) -> AdultAnswer | None:
    """What is said of the numbers of a message."""
    return _looked_at(request, of_numbers(request.text, request.before.expression))


async def checked_records(request: AdultRequest) -> AdultAnswer | None:
    """What is said to what is told or asked of the records."""
    if asks_for_mean(request.text) and len(request.names) > 1 and not request.named:
        return _looked_at(request, mean_of_rates([await request.child(one) for one in request.names]))
    if request.about is None or not asks_of_child(request.text):
        return None
    return _looked_at(request, of_child(request.text, await request.child(request.about)))


def _looked_at(request: AdultRequest, told: str) -> AdultAnswer | None:
    subject = "reversals" if asks_of_reversed(request.text) else ""
    return AdultAnswer(told, older(request.before.board), subject) if told else None


@dataclass(frozen=True, slots=True)
class Changes:
    """What was made last as a message wants it otherwise."""

    letters: LetterRequests
    plans: PlanRequests

    async def answer(self, request: AdultRequest) -> AdultAnswer | None:
        of_made = request.before.kind == "make" or _WISH.search(request.text) is not None
        if not of_made and _ELSEWHERE.search(request.text):
            return None
        match request.board.made:
            case Sheet() as sheet:
                return await changed_worksheet(request, sheet)
            case Letter() as letter:
                return await self.letters.changed(request, letter)
            case Plan() as plan:
                return await self.plans.changed(request, plan)
        return None


@dataclass(frozen=True, slots=True)
class GameRequests:
    """A game, or another than was told; not right after something was made, which is changed."""

    games: Games

    async def answer(self, request: AdultRequest) -> AdultAnswer | None:
        board, asked_before = request.board, request.before.question
        if asked_before is None or (board.made is not None and not board.idle):
            return None
        if not self.games.wanted(request.text, asked_before, board.games):
            return None
        child = await request.child(request.about or request.before.child)
        name, told = self.games.another(request.text, board.games, child)
        return AdultAnswer(told, replace(gone_on_with(request.before.board), games=(*board.games, name)))
