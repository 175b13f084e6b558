"""Whatever is asked after whatever was said: the coach has an answer."""

from typing import Final

import pytest

from maththera.arithmetic.problem import Problem, make_problem
from maththera.chat.coach.asks import AskReader
from maththera.chat.coach.basics import Basics
from maththera.chat.coach.drafts import Board, CoachTurn
from maththera.chat.coach.replies import Replies
from maththera.chat.coach.turn_reading import TurnReader
from maththera.settings import home
from tests.graph.test_coach_threads import invitations
from tests.support.coach import texts

BOARDS: Final[dict[str, Board]] = {
    "nothing was said": {},
    "a list after a word": {
        "ask": "weak", "concept": "받아올림", "aspects": ["what"], "kind": "carry",
        "items": [{"what": "kind", "id": "carry"}, {"what": "kind", "id": "borrow"}],
    },
    "strengths": {"ask": "strong", "kind": "take", "items": [{"what": "strength", "id": "take"}]},
    "a solution": {
        "ask": "solve", "expression": "63−27", "ways": 0, "items": [{"what": "step", "id": "13−7=6"}],
    },
    "an exercise": {"ask": "give_problem", "problem": "44+26", "kind": "carry"},
    "a word": {
        "ask": "concept", "concept": "받아올림", "aspects": ["what"], "items": [{"what": "word", "id": "받아올림"}],
    },
    "a word that is not known": {"ask": "concept", "concept": "뿌리수"},
}  # fmt: skip
ORDINALS: Final = ("1번", "1", "첫 번째", "두 번째", "세 번째", "마지막", "왜?", "그거", "다시")


READER: Final = TurnReader(AskReader.load(home()), Basics.load(home()))


@pytest.mark.parametrize("name", BOARDS)
@pytest.mark.parametrize("opened", [(), (make_problem(47, "+", 36),)])
def test_an_answer_is_never_empty(name: str, opened: tuple[Problem, ...]) -> None:
    replies = Replies(texts())
    silent = []
    for message in (*invitations(), *ORDINALS):
        ask = READER.read(message, BOARDS[name], opened, wants_open=False).ask
        if not replies.reply(CoachTurn(message, ask, False, BOARDS[name], opened), "F")[0].strip():
            silent.append((ask, message))
    assert silent == []
