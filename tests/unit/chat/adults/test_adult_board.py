"""What a conversation with an adult goes on with: open conversations keep it as JSON."""

from typing import Final

import pytest

from maththera.chat.adults.adult_board import AdultBoard, board_json, gone_on_with, older, read_board
from maththera.chat.adults.expression_answers import SpokenExpression
from maththera.chat.letters.letters import Letter
from maththera.chat.plans.plans import Plan
from maththera.chat.worksheets.new_sheets import new_sheet
from maththera.chat.worksheets.sheet_problems import Focus
from maththera.json_types import JsonObject

SHEET: Final = new_sheet("덧셈 문장제 3개", Focus())[0]
LETTER: Final = Letter("goal", ("short",), weeks=4)
OPEN: Final[JsonObject] = {
    "what": "note", "about": "a", "idle": 1, "minutes": 0, "lost_before": False,
    "made": {
        "kind": "goal", "styles": ["short"], "added": [], "emoji": False, "count": 0, "titled": 0, "without": [],
        "closing": 0, "practice": False, "good_first": False, "at_home": False, "told": [], "voice": "", "to_whom": "",
        "weeks": 4, "only_good": False,
    },
    "expression": {"a": 52, "op": "-", "b": 38, "split": None, "rest": 0}, "group": [], "games": ["cups", ""],
}  # fmt: skip
"""As a conversation has it that was begun before."""


@pytest.mark.parametrize(
    "board",
    [
        AdultBoard(SHEET, "a"),
        AdultBoard(LETTER, None, idle=2, lost_before=True),
        AdultBoard(Plan(20, ("a", "b"), {"a": 10}, days=("월", "수"))),
        AdultBoard(spoken_of="a", expression=SpokenExpression(7, "x", 8, (5, 2)), table=("정답률",), tables=True),
        AdultBoard(
            group=(), games=("cups", ""), declined="fraction", offered="구구단도 있나요?", beside="…", lost=True
        ),
    ],
)
def test_a_board_comes_back_from_its_json(board: AdultBoard) -> None:
    assert read_board(board_json(board)) == board


def test_an_open_conversation_goes_on() -> None:
    board = read_board(OPEN)
    assert board == AdultBoard(
        LETTER, "a", idle=1, expression=SpokenExpression(52, "-", 38), group=(), games=("cups", "")
    )
    told = board_json(board)
    assert told is not None
    assert told == {part: each for part, each in OPEN.items() if part != "lost_before"}


def test_a_plan_tells_its_minutes() -> None:
    assert AdultBoard(Plan(25)).minutes == 25
    assert (board_json(AdultBoard(Plan(25))) or {})["minutes"] == 25
    assert AdultBoard(SHEET).minutes == 0


@pytest.mark.parametrize("none", [None, {}])
def test_no_board_is_none(none: JsonObject | None) -> None:
    assert read_board(none) is None
    assert board_json(None) is None


def test_a_board_is_forgotten_after_some_turns_without_it() -> None:
    board: AdultBoard | None = AdultBoard(SHEET)
    for _ in range(4):
        board = older(board)
        assert board is not None
        assert board.made == SHEET
    assert gone_on_with(board) == AdultBoard()
    assert older(board) is None


def test_what_was_lost_is_known_for_one_turn_more() -> None:
    board = older(AdultBoard(SHEET, lost=True))
    assert board is not None
    assert (board.lost, board.lost_before) == (False, True)
    assert gone_on_with(board) == AdultBoard(SHEET)
