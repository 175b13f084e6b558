"""Few words that take up what the coach said last: that the child does not know, wants a hint alone or one step, the
bare number of a list, what of it comes first."""

import re
from collections.abc import Sequence
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.chat.coach.drafts import Board
from maththera.chat.coach.message_shapes import problems_in_hand

_BEFORE: Final = (
    r"(?:아|어|음+|흠+|그냥|걍|나는?|난|저는?|전|진짜|정말|잘|하나도|전혀|도저히|이거|이건|그거|그건|답|너무|[\s,.…])*"
)
_KNOWS_NOT: Final = re.compile(
    rf"{_BEFORE}(?:몰라|몰라용|모르겠[어다음네는]|모르겠는데|모르겠슴|모르겠음|몰겠[어다음]|모름|모른다|모르[는]데|ㅁㄹ)(?:요)?"
    r"(?:\s*(?:그냥|진짜|정말|나|이거))*[\s.,!?~…ㅋㅎㅠㅜ]*"
)
_HINT_ALONE: Final = re.compile(
    r"\W*(?:나|난|그럼|아니|그냥|답\s*말고|답은\s*말고|풀이\s*말고|방법\s*말고|\s)*(?:힌트|도움말)\s*(?:만|하나만|조금만|하나|좀|부터)?\s*"
    r"(?:줘|주라|주세요|줄래|줄\s*수\s*있어|말해\s*줘|알려\s*줘|보여\s*줘|부탁해?|필요해|원해)?(?:요)?\W*"
)
_ONE_STEP: Final = re.compile(
    r"\W*(?:나|난|그럼|그래|응|좋아|알았어|음|일단|딱|\s)*(?:한\s*(?:걸음|발짝|단계|개|문제)|하나|조금)\s*만\s*"
    r"(?:더\s*)?(?:할래|할게|해\s*볼래|해\s*볼게|하자|해\s*보자|하고\s*(?:쉴래|쉴게|쉬자|싶어|그만할래)|할까|갈래|가\s*볼래|가자)(?:요)?\W*"
)
_STEP_ALONE: Final = re.compile(r"걸음|발짝|단계")
_NUMBER_ALONE: Final = re.compile(r"\W*([1-5]|하나|둘|셋)\s*(?:번|요|이요|이야|할래|볼래|로)?\W*")
_NUMBERS: Final = {"하나": 1, "둘": 2, "셋": 3}
_MOST_URGENT: Final = re.compile(
    r"(?:제일|가장|젤|더|그중에?서?)\s*(?:먼저|급한?|시급|중요|큰\s*문제|심한|심각|부족|못하는|못\s*하는|약한|틀리는|많이\s*틀)"
    r"|(?:뭐|뭘|어느\s*거|어떤\s*거|무엇)\S{0,2}\s*(?:부터|먼저)"
)
_OF_LIST: Final = frozenset(
    {"weak", "strong", "ordinal", "recommend", "teach_first", "last_answer", "how_am_i", "evidence"}
)
"""Asks after which a bare number is one of the list that was told."""
_LISTED: Final = frozenset({"kind", "strength", "try"})
_STEP_OFFERED: Final = frozenset(
    {"do_not_want", "hate_math", "many_wrong", "head_full", "angry", "tired", "rest", "grown_up_says", "less", "cannot"}
)
"""Asks to which the coach offers to do one step, or one problem."""
_SHORTEST_QUESTION: Final = 24


def short_follow_up(message: str, board: Board, opened: Sequence[Problem], *, feelings: bool) -> str:
    """What a child wants by a few words; "" for other words. `feelings`: the turn before was about how it feels."""
    said = message.strip()
    if len(said) > _SHORTEST_QUESTION:
        return ""
    in_hand = bool(problems_in_hand(board, opened))
    help_wanted = "exercise_help" if board.get("problem") else "open_help"
    before = board.get("ask", "")
    if in_hand and _KNOWS_NOT.fullmatch(said) and (not feelings or before in _STEP_OFFERED):
        return help_wanted
    if _ONE_STEP.fullmatch(said) and (before in _STEP_OFFERED or _STEP_ALONE.search(said)):
        return help_wanted if in_hand else "one_more_only"
    if not in_hand and board.get("expression") and _HINT_ALONE.fullmatch(said):
        return "shown_hint"
    return "ordinal" if listed_place(said, board) is not None else ""


def listed_place(said: str, board: Board) -> int | None:
    """Which item of the list that was told a few words mean: its bare number, or what comes first of it."""
    items = board.get("items", [])
    if not items or items[0]["what"] not in _LISTED or board.get("ask") not in _OF_LIST:
        return None
    if (number := _NUMBER_ALONE.fullmatch(said)) is not None:
        place = _NUMBERS.get(number[1]) or int(number[1])
        return place - 1 if place <= len(items) else None
    first = items[0]["what"] == "kind" and len(items) > 1 and _MOST_URGENT.search(said)
    return 0 if first else None
