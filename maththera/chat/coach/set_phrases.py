"""What a message asks in words that are nearly always meant alike: a wish, an introduction, an open task that an adult
tells of."""

import re
from collections.abc import Collection, Sequence
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.coach.drafts import Board

_OF_CHILDREN: Final = (
    (
        "tomorrow",
        re.compile(r"(?<![가-힣])(?:낼|내일|다음에|나중에)\s*(?:할래|할게|하자|풀래|풀게|할께)|오늘은\s*(?:졸려|피곤|그만|여기까지)"),
    ),
    ("can_do", re.compile(r"여기\S{0,2}\s*(?:뭐|머|모|뭘)\s*(?:하는|해)")),
    (
        "only_kind",
        re.compile(
            r"(?:더하기|빼기|곱하기|나누기|덧셈|뺄셈|곱셈|나눗셈)만\s*(?:하면\s*안|할\s*[래거]|하고|하자|해도|풀래|하면\s*[돼되])"
        ),
    ),
    ("other", re.compile(r"(?:^|\s)(?:딴|다른)\s*(?:거|걸|것)\s*(?:좀\s*)?(?:하자|할래|하고\s*싶\S*|해요?)\W*$")),
    ("annoyed", re.compile(r"(?:짜증|아깝|아까[워비]|아쉽).{0,8}(?:다\s*맞|전부|백점|100점)|다\s*맞\S*\s*수\s*있었")),
)  # fmt: skip
_WANTS_PROBLEM: Final = re.compile(r"(?<!말고\s)문제\s*(?:나\s*)?(?:할래|풀래|하자|풀자|할게|풀게)\W*$")
_INTRODUCED: Final = re.compile(r"\W*(?:나|난|나는|내\s*이름은|저는|전)\s.{0,8}?(?:이야|야|라고\s*해|이에요|예요)\W*")
_OF_ADULTS: Final = (
    ("how_am_i", re.compile(r"기록\S{0,2}\s*(?:좀\s*)?(?:볼\s*수|보여|보고\s*싶|알려)(?!.*(?:누가|지우|삭제))")),
    ("own_scolding", re.compile(r"(?:혼[냈내낸]|야단|화를?\s*[냈낸]|소리를?\s*질[렀러]).*(?:잘못|괜찮|미안|후회)")),
)  # fmt: skip
_TOO_FEW: Final = re.compile(r"너무\s*(?:적|조금|안\s*한|덜)|부족한\s*(?:거|건|편)")
_WROTE: Final = re.compile(r"(?<!\d)(\d{1,6})\s*(?:이?라고|으로|로|을|를)?\s*(?:썼|적었|적어|답했|했대|했어요|대답)")
_ANSWER: Final = re.compile(r"(?:정답|답)(?:만|을|이|은|도)?\s*(?:좀|그냥)?\s*(?:알려|말해|가르쳐|뭐|뭔|얼마)")


def set_phrase(message: str, board: Board, opened: Sequence[Problem], own: Collection[str], *, adult: bool) -> str:
    """The ask of a set phrase; "" for other words. `own`: the learner's names."""
    if read_expressions(message):
        return ""
    if adult:
        of_days = board.get("ask") in ("days", "day_summary", "count") and _TOO_FEW.search(message)
        return "minutes" if of_days else _first(_OF_ADULTS, message)
    if _INTRODUCED.fullmatch(message) and any(name in message for name in own):
        return "introduces"
    if _WANTS_PROBLEM.search(message) and not board.get("problem"):
        return "my_task" if opened else "give_problem"
    return _first(_OF_CHILDREN, message)


def _first(phrases: Sequence[tuple[str, re.Pattern[str]]], message: str) -> str:
    return next((ask for ask, phrase in phrases if phrase.search(message)), "")


def asks_answer(message: str) -> bool:
    """Whether an adult asks for the answer of a problem that it does not name."""
    return _ANSWER.search(message) is not None and not read_expressions(message)


def written_answer(message: str) -> int | None:
    """The answer that a child is said to have written to a problem that is not named."""
    wrote = _WROTE.search(message)
    return int(wrote[1]) if wrote is not None and not read_expressions(message) else None
