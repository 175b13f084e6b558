"""What a message asks in words that are nearly always meant alike: a wish, an introduction, an open task that an adult
tells of."""

import re
from collections.abc import Collection, Sequence
from functools import lru_cache
from pathlib import Path
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.result_claims import read_expressions
from maththera.chat.coach.drafts import Board
from maththera.chat.coach.learner_facts import kind_of, kinds_in, operations_in
from maththera.chat.coach.message_shapes import problems_in_hand
from maththera.chat.coach.several_ways import OTHER_WAY, SEVERAL_WAYS
from maththera.chat.coach.small_talk import act_of
from maththera.config_files import ConfigModel
from maththera.korean.numbers import NUMBER
from maththera.settings import home

CHANGES_TASK: Final = re.compile(
    r"(?:다른|딴|새)\s*문제\S*\s*(?:좀\s*)?(?:바꿔|바꾸|바꿀|줘|주|내|하고|할|풀)|문제\S*\s*(?:좀\s*)?바[꿔꾸꿀]"
    r"|^\W*(?:좀\s*)?바[꿔꾸꿀]\S*\s*(?:줘|주라|주세요|볼래|싶어)?\W*$|(?:이거|이\s*문제|문제)\S*\s*(?:말고\s*(?:다른|딴)|건너\s*[뛰뛸]|넘어[가갈]|넘길|패스|스킵)|^\W*(?:패스|스킵)\S{0,3}\W*$"
)
"""The child wants another problem in place of the one that it has."""
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
    ("days", re.compile(r"언제부터\s*(?:했|시작|풀|연습)|(?:처음|첨)\s*(?:한|시작한)\s*(?:날|게\s*언제)")),
    ("study_how", re.compile(r"(?:수학|셈|계산|실력)\S{0,2}\s*(?:실력\S{0,2}\s*)?(?:기르|늘리|키우|잘하)고\s*싶")),
    ("speed", re.compile(r"(?:제일|가장|젤)\s*빨리\s*(?:푼|한|끝낸|풀)")),
    ("how_am_i", re.compile(r"^\W*(?:내|나|나는|난)\s*기록\S{0,2}\s*(?:있|보여|볼래|어때)")),
    ("count", re.compile(r"틀린\s*(?:거|것|게|문제)\S{0,2}\s*(?:있[어니나었]|없[어니나었])\S{0,2}\W*$")),
    ("why_wrong", re.compile(r"왜\s*(?:나는|난)?\s*\S{0,4}(?:셈|빼기|더하기|곱하기|나누기)\S?\s*(?:못|틀[려리렸])")),
    ("columns_how", re.compile(r"세로\s*셈\S{0,2}\s*(?:어떻게|어케|하는\s*(?:법|방법)|방법)")),
    ("riddle", re.compile(r"(?:재[밌미]|웃[긴기]|신기)\S{0,2}\s*(?:문제|퀴즈)")),
    ("time_spent", re.compile(r"몇\s*(?:분|시간)\S{0,2}\s*(?:동안\s*)?(?:했|공부했|풀었|한\s*거|연습했)")),
    (
        "redo_missed",
        re.compile(r"(?:틀린|틀렸던|놓친)\s*(?:거|것|걸|문제)\S{0,2}\s*(?:만\s*)?(?:다시|또)\s*(?:풀|할|해|내)(?!명)"),
    ),
    (
        "recent_tries",
        re.compile(
            r"(?:최근|요즘|마지막|방금)\S*\s*(?:기록|푼\s*(?:거|것|문제)|한\s*(?:거|것)|문제)\S*\s*.{0,4}"
            rf"{NUMBER}\s*(?:개|문제)"
        ),
    ),
    (
        "untried",
        re.compile(r"(?:안|못)\s*(?:끝낸|해\s*본|해본|풀어\s*본|풀어본|푼|배운)\s*(?:단원|거|것|게|건|문제|종류|셈)"),
    ),
    ("other", re.compile(r"(?:^|\s)(?:딴|다른)\s*(?:거|걸|것)\s*(?:좀\s*)?(?:하자|할래|하고\s*싶\S*|해요?)\W*$")),
    (
        "easier_problem",
        re.compile(r"(?:어려운|어렵지|힘든)\s*(?:거|것|건|문제)?\S?\s*(?:말고|싫|빼고|않은|안\s*할)"),
    ),
    ("harder", re.compile(r"쉬운\s*(?:거|것|건|문제)?\S?\s*(?:말고|싫|빼고)")),
    ("give_problem", CHANGES_TASK),
    ("how_am_i", re.compile(r"(?:나|난|내가)\s*(?:지금\s*)?(?:\d+|백|빵)\s*점\s*(?:이야|인가|이지|맞아)\W*$")),
    (
        "weak",
        re.compile(
            r"(?:어느|어떤|무슨)\s*(?:단원|부분|종류|데|곳|셈)\S*\s*.{0,8}(?:낮|약[한하해]|못\s*[하했]|부족|많이\s*틀)"
        ),
    ),
    ("weak", re.compile(r"(?:못\s*하는|약한|부족한|어려워\s*하는)\s*(?:거|건|것|게)\S?\W*$")),
    ("minutes", re.compile(r"몇\s*(?:개|문제)\S{0,2}\s*(?:하면|풀면|해야|풀어야)\s*(?:돼|되|해)\S*\W*$")),
    ("annoyed", re.compile(r"(?:짜증|아깝|아까[워비]|아쉽).{0,8}(?:다\s*맞|전부|백점|100점)|다\s*맞\S*\s*수\s*있었")),
)  # fmt: skip


class Phrase(ConfigModel):
    """The `ask` of words that are `said`."""

    ask: str
    said: re.Pattern[str]


class Phrases(ConfigModel):
    """`configs/chat/coach/phrases.yaml`."""

    children: tuple[Phrase, ...]
    adults: tuple[Phrase, ...]


@lru_cache(maxsize=4)
def _phrases(folder: Path) -> Phrases:
    return Phrases.from_file(folder / "configs" / "chat" / "coach" / "phrases.yaml")


_ONE_MORE: Final = re.compile(
    r"\W*(?:문제\s*)?(?:하나|한\s*개|한\s*문제)\s*(?:만\s*)?더\s*(?:줘|내\s*줘|할래|하자)?(?:요)?\W*"
)
_RETRIES: Final = re.compile(
    r"다시\s*(?:한\s*번\s*)?(?:풀|해)\s*(?:어\s*)?(?:볼래|볼게|볼까|보자|보고\s*싶|봐야지|래|게)"
)
"""The child wants to try again what was spoken of."""
_COUNTS_KIND: Final = re.compile(r"(?:얼마나|몇\s*(?:문제|개|번))\s*나?\s*(?:했|풀었|풀어\s*봤|해\s*봤)")
"""How much of a kind was done?"""
_NUMBERED: Final = re.compile(
    r"(?<!\d)\d{1,2}\s*번(?!\s*째)(?:\s*문제)?\S{0,2}\s*.{0,6}(?:답|모르|어려|어떻게|못\s*풀|풀어|알려|도와)|숙제\S{0,2}\s*(?:좀\s*)?(?:도와|모르|어려|알려|해\s*줘|같이)"
)
"""A problem of a book, by its number."""
_COUNTS_FROM: Final = re.compile(r"(?<!\d)(\d{1,2})\s*부터\s*(?:세|센|시작)\S*(?:\s*(?:안\s*)?[돼되]\S*)?\s*[?]*\s*$")
_STEPS_FROM: Final = re.compile(r"(?<!\d)(\d{1,2})\s*에서\s*(\d{1,2})\s*칸")
"""From which number one counts on, and how far."""
_FEW_ONES: Final = re.compile(r"(?:낱개|일의\s*자리|1의\s*자리)\S{0,2}\s*(?:\S{1,3}\s*)?(?:부족|모자|없|적[어은다]|작)")
_FINGERS: Final = 10
_EXPLAIN_IT: Final = re.compile(
    r"\W*(?:이거|그거|문제|좀|다시|천천히|자세히|차근차근|하나씩|한\s*(?:글자|개|걸음|단계)씩|\s)*(?:설명|알려|가르쳐|갈쳐)\s*(?:해\s*)?(?:줘|주라|주세요|봐|줄래)?(?:요)?\W*"
)
"""The problem in hand is to be explained."""
_MAKES_TEN: Final = re.compile(r"(?:10|십)\s*(?:을|으로|이\s*되게)?\s*만들")
_PART_OF_ANSWER: Final = re.compile(r"(?:첫|앞|뒤|맨\s*앞|끝|한)\S{0,3}\s*(?:숫자|자리|글자)\S{0,2}만")
"""Only a part of the answer is asked for."""
_THIS_ONE: Final = re.compile(
    r"\W*(?:근데\s*|그럼\s*)?(?:이거|이건|이게|요거|이\s*문제|저거|요\s*문제)\S{0,2}\s*(?:좀\s*)?(?:(?:어떻게|어케)\s*(?:해|하|푸|풀)|모르|못\s*풀|풀어\s*줘|도와)\S*"
    r"(?:\s*(?:거|건|줘|돼|되|지|요|야)\S*)?\W*"
)
"""A problem that is pointed at."""
_HARD: Final = re.compile(
    r"어려[워운웠]|어렵|힘들|못\s*하겠|모르겠|헷갈|이해(?:가|도)?\s*안|자신\s*없|맨날\s*틀|자꾸\s*틀|못\s*해|할\s*줄\s*(?:몰|모르)|쉬우면|쉬웠으면|잘했으면|잘하면\s*좋|잘하고\s*싶"
)
_ASKS_MORE: Final = re.compile(r"뭐|뭔|뜻|무슨|어떻게|언제|왜|어디|방법|줘|할래|구구단|몇|제일|더\s")
"""Words of a question, beside which a kind that is hard is not all that is said."""
_OTHER_OPERATION: Final = re.compile(
    r"(?:더하기|덧셈|빼기|뺄셈|곱하기|곱셈|나누기|나눗셈|구구단|[2-9]단)\s*(?:으로|로)(?:도|는)?\s*(?:풀|돼|되|가능|할래|하|해도|하면|할\s*수|바꿔|바꾸|생각|구할|계산)"
)
_WHICH_OF_TWO: Final = re.compile(
    r"(?:셈|기)(?:이야|야|인가|이에요|예요|일까)?[ ,]\s*\S+(?:셈|기)(?:이야|야|인가|예요|일까|지)?\W*$"
)
_COLUMNS: Final = re.compile(r"세로\s*셈|세로\s*식|세로로")
_TAKES_MORE: Final = re.compile(
    r"(?<!\d)(\d)에서\s*(\d)[을를]?\s*(?:은|는)?\s*(?:못|어떻게|어케|바로)?\s*(?:빼|뺄|뺀|못)"
)
_TAKES_LARGER: Final = re.compile(
    r"작은\s*(?:수|숫자|거|데)에서\s*큰\s*(?:수|숫자|거)\S{0,2}\s*(?:어떻게|어케|못)?\s*(?:빼|뺄)"
)
_ONES_OF_EXAMPLE: Final = (2, 8)
_EASIER: Final = re.compile(r"쉬운|쉽게|쉬워|어려운|어렵게")
_WANTS_PROBLEM: Final = re.compile(
    r"^\W*(?:시작|출발|ㄱㄱ|고고)(?:하자|할래|해|할게)?(?:요)?\W*$|(?<!말고\s)문제\s*(?:나\s*)?(?:할래|풀래|하자|풀자|할게|풀게)\W*$"
)
_INTRODUCED: Final = re.compile(r"\W*(?:나|난|나는|내\s*이름은|저는|전)\s.{0,8}?(?:이야|야|라고\s*해|이에요|예요)\W*")
WHY_NOT_TOLD: Final = re.compile(r"왜\s*(?:답\S{0,2}\s*)?(?:안|못)\s*(?:알려|가르쳐|말해)")
"""Why does it not tell the answer?"""
_TOGETHER: Final = re.compile(r"\W*(?:우리|나랑)?\s*같이\s*(?:하자|해\s*보자|할래|풀자|풀래|해\s*줘)\W*")
BACK: Final = re.compile(r"(?:거꾸로|뒤로|왼쪽으로?)\s*(?:가|세|뛰|움직|걸어)")
_ONWARD: Final = re.compile(r"(?:앞으로|오른쪽으로?)\s*(?:가|세|뛰|움직|걸어)")
"""Does one go back, or on?"""
_SHORT: Final = 24
_TOO_FEW: Final = re.compile(r"너무\s*(?:적|조금|안\s*한|덜)|부족한\s*(?:거|건|편)")
_WROTE: Final = re.compile(r"(?<!\d)(\d{1,6})\s*(?:이?라고|으로|로|을|를)?\s*(?:썼|적었|적어|답했|했대|했어요|대답)")
_ANSWER: Final = re.compile(r"(?:정답|답)(?:만|을|이|은|도)?\s*(?:좀|그냥)?\s*(?:알려|말해|가르쳐|뭐|뭔|얼마)")


def set_phrase(message: str, board: Board, opened: Sequence[Problem], own: Collection[str], *, adult: bool) -> str:
    """The ask of a set phrase; "" for other words. `own`: the learner's names."""
    if read_expressions(message):
        return ""
    if adult:
        of_days = board.get("ask") in ("days", "day_summary", "count") and _TOO_FEW.search(message)
        return "minutes" if of_days else _first(_phrases(home()).adults, message)
    if _INTRODUCED.fullmatch(message) and any(name in message for name in own):
        return "introduces"
    if takes_more(message) is not None and not opened and not board.get("problem"):
        return "column" if board.get("expression") else "take_more"
    listed = board.get("sheet") or board.get("items")
    if not listed and _NUMBERED.search(message):
        return "not_seen"
    points = not (opened or listed or board.get("problem") or board.get("expression") or board.get("concept"))
    if points and _THIS_ONE.fullmatch(message):
        return "not_seen"
    if kinds_in(message) and _COUNTS_KIND.search(message):
        return "count"
    if (help_wanted := _help_with(message, board, opened)) != "":
        return help_wanted
    if _WANTS_PROBLEM.search(message) and not board.get("problem"):
        return "my_task" if opened else "give_problem"
    found = _first(_phrases(home()).children, message)
    return "" if found == "give_problem" and _EASIER.search(message) else found


def _help_with(message: str, board: Board, opened: Sequence[Problem]) -> str:
    """Help with the problem in hand, asked for by its kind, by a question why it is not told or by a wish to do it
    together; "" for other words."""
    if (opened or board.get("problem")) and _EXPLAIN_IT.fullmatch(message):
        return "explain"
    if opened and opened[0].op == "-" and _FEW_ONES.search(message):
        return "too_few"
    if opened and _MAKES_TEN.search(message):
        return "open_help"
    if opened and _PART_OF_ANSWER.search(message):
        return "open_help"
    in_hand, kinds = next(iter(problems_in_hand(board, opened)), None), kinds_in(message)
    if _TOGETHER.fullmatch(message) and in_hand is None:
        return "give_problem"
    hard = kinds and len(message) < _SHORT and _HARD.search(message) and not _ASKS_MORE.search(message)
    if hard and (in_hand is None or kind_of(in_hand) not in kinds):
        return "hard_kind"
    if in_hand is None or not (hard or WHY_NOT_TOLD.search(message) or _TOGETHER.fullmatch(message)):
        return ""
    return "open_help" if in_hand in opened else "exercise_help"


def another_try(message: str, board: Board, opened: Sequence[Problem]) -> str:
    """What a child without an open task wants: one more exercise, or to try what was explained; "" for other words."""
    if opened:
        return ""
    if _ONE_MORE.fullmatch(message) and board.get("problem"):
        return "other"
    if _ONE_MORE.fullmatch(message) and board.get("offer") == "give_problem":
        return "give_problem"
    return "retry" if _RETRIES.search(message) and board.get("expression") and not board.get("problem") else ""


def on_shown(message: str, board: Board, opened: Sequence[Problem]) -> str:
    """What is asked of a problem that waits or was explained, or that the message names: to see it in columns, whether
    another operation does; "" for other words."""
    read = read_expressions(message)
    if len({*operations_in(message)}) > 1 and (opened or board.get("problem")) and _WHICH_OF_TWO.search(message):
        return "which_operation"
    shown = bool(opened or board.get("problem") or board.get("expression"))
    other_way = opened and not board.get("expression") and OTHER_WAY.search(message)
    if (SEVERAL_WAYS.search(message) or other_way) and not read:
        return "several_ways"
    if shown and not read and act_of(message) == "whether" and (BACK.search(message) or _ONWARD.search(message)):
        return "direction"
    if _COLUMNS.search(message) and (shown or read) and act_of(message) in ("wish", "how", "part", "whether"):
        return "in_columns"
    return "other_operation" if shown and not read and _OTHER_OPERATION.search(message) else ""


def counts_from(message: str, opened: Sequence[Problem]) -> bool:
    """Whether it is asked from which number of a small sum one counts on: 4부터 세?"""
    found = _COUNTS_FROM.search(message)
    task = opened[0] if opened and opened[0].op == "+" and min(opened[0].a, opened[0].b) <= _FINGERS else None
    far = _STEPS_FROM.search(message)
    if task is None or (found is None and far is None):
        return False
    told = {int(found[1])} if found is not None else {int(far[1]), int(far[2])} if far is not None else set()
    return told <= {task.a, task.b}


def takes_more(message: str) -> tuple[int, int] | None:
    """A digit and the larger one that it is asked about how to take from it: 2에서 8을 어떻게 빼?"""
    said = _TAKES_MORE.search(message)
    if _TAKES_LARGER.search(message):
        return _ONES_OF_EXAMPLE
    digits = None if said is None else (int(said[1]), int(said[2]))
    return digits if digits is not None and digits[0] < digits[1] else None


def _first(phrases: Sequence[Phrase], message: str) -> str:
    return next((one.ask for one in phrases if one.said.search(message)), "")


def asks_answer(message: str) -> bool:
    """Whether an adult asks for the answer of a problem that it does not name."""
    return _ANSWER.search(message) is not None and not read_expressions(message)


def written_answer(message: str) -> int | None:
    """The answer that a child is said to have written to a problem that is not named."""
    wrote = _WROTE.search(message)
    return int(wrote[1]) if wrote is not None and not read_expressions(message) else None
