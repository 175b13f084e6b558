"""What can be told from the words of a message alone: names, a claimed number, a digit that is asked about."""

import re
from collections.abc import Collection, Sequence
from datetime import datetime
from typing import Final

from maththera.arithmetic.expression_problems import problem_of
from maththera.arithmetic.malrules import malrules_giving
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.result_claims import claim_in, read_expressions
from maththera.chat.coach.drafts import Board
from maththera.knowledge.explanations import explained
from maththera.korean.dates import KOREA, read_days
from maththera.korean.jamo import parts
from maththera.korean.morphemes import morphemes
from maththera.korean.number_words import SINO_DIGITS
from maththera.korean.numbers import numbers_in
from maththera.korean.times_tables import tables_in

_BARE_NUMBER: Final = re.compile(
    r"(?:\W|[ㄱ-ㅎㅠㅜ]|근데|이거|이\s*문제|아하?|음+|그럼|그러면|그라믄|더하면|모으면|합치면|빼면|그라마|혹시|정?답은?|(?:다|이거|방금)?\s*(?:했|풀었|끝났|됐|셌|계산했|풀어\s*봤|해\s*봤)(?:다|어|는데|더니|음|지)?|나는|난|내\s*답은?|네)*(\d{1,6})"
    r"\s*(?:이?야|이?지|이?요|맞[아지나]|인가|이?네|이?에요|예요|아니야|이?라고|나왔[어다]|(?:개|명|마리|권|장|송이|자루|대)?\s*(?:씩|요|이?야|이?지|이?에요|예요|남[아았는네]\S?|남음|됐[다어네]|되[네지]|돼|인\s*듯|아닌가|맞을걸|일걸|같[아은]\S?)?)?(?:\W|[ㄱ-ㅎㅠㅜ])*"
)
CLAIMS: Final = re.compile(r"맞[아나지죠는]|인가|아니[야에]|나왔")
"""Words that ask whether a number is right."""
_NAMED: Final = (
    r"이?네?(?:은|는|가|의|도|보다|보단|랑|한테|라는|란|\s*(?:점수|성적|약점|기록|꺼|거)"
    r"|\s+(?:오늘|어제|그제)|\s*[?]|$)"
)
DIGIT_OF: Final = re.compile(
    r"(\d{2,6})\s*(?:에서|의|에)\s*(\d)(?!\d)\s*[은는이가]\s*(?:뭐|뭔|무슨|왜|어떤|어디|얼마[야를인]|얼마예|몇이야|\?|$)"
)
"""A number, and a digit of it that is asked about."""
NUMBER_OF: Final = re.compile(r"^\W*(?:그럼\s*)?(\d{2,4})\s*[은는이가]\s*(?:뭐|뭔|무슨\s*(?:수|뜻|말))")
"""A number that is asked about: 52가 뭐야?"""
ZEROS_OF: Final = re.compile(r"(?<!\d)(\d*0\d*)\s*[은는이가에]*\s*(?:왜\s*)?0이\s*(?:왜\s*)?(?:몇|[가-힣]{1,2}\s*개)")
"""A number whose zeros are asked about."""
EQUATION: Final = re.compile(r"(?<![\d+−×÷*/-])(\d{1,6})\s*=\s*(\d{1,6})(?![\d+−×÷*/x-])")
"""Two numbers that are said to be the same: 5=5."""
_CALLED: Final = re.compile(r"(?<![가-힣])([가-힣]{2})이(?:는|가|도|한테|네(?:는|가|도)?|꺼|보다|보단)(?![가-힣])")
"""A name of two syllables as one calls somebody: 하늘이는, 도윤이가."""
_PLACE_IN_LIST: Final = re.compile(r"(?<![가-힣\d])(?:(첫|두|세|네|다섯)\s*번째?|([1-5])\s*번째?)")
_COUNTED_OF: Final = re.compile(
    r"^\W*(?:(?:그럼|근데|혹시|야)\s*)?([가-힣]{2,4})\s*(?:[은는가도]\s*)?(?:몇\s*(?:개|문제|점)|얼마나)\S*\s*(?:나\s*)?(?:맞|틀|풀|받|했)"
)
_WORKED_ON: Final = re.compile(
    r"(?<![가-힣])([가-힣]{2})이\s*(?:오늘|어제|그제|이번\s*주|지난\s*주|요즘)\s*(?:에|엔|도|은|는)?\s*(?:했|하고|풀었|풀고|연습)"
)
"""Somebody of whom it is asked whether it has worked on a day: 하늘이 오늘 했어?"""
_NOT_COUNTED: Final = frozenset({
    "오늘", "어제", "그제", "내가", "지금", "이제", "여태", "지난주", "이번주", "최근", "나는", "우리",
    "덧셈", "뺄셈", "곱셈", "나눗셈", "더하기", "빼기", "곱하기", "나누기", "아까", "방금", "올해", "주말",
    "그동안", "지금껏", "그날", "문제", "전부", "모두", "총",
})  # fmt: skip
"""Words before a count that are no names."""
_LONGEST_NAME: Final = 3
_NOT_NAMES: Final = frozenset({"한글", "한국", "수학", "크리스마스", "혹시", "매쓰테라"})


def named_people(message: str, own: Collection[str]) -> tuple[str, ...]:
    """The names of people in a message, without the learner's own."""
    read = morphemes(message[:300])
    found = [each.form.removesuffix("이") if len(each.form) > 2 else each.form for each in read if each.tag == "NNP"]
    nouns = {each.form for each in read if each.tag == "NNG"}
    found += [name for name in _CALLED.findall(message[:300]) if name + "이" not in nouns and _has_final(name[-1])]
    names = (name for name in dict.fromkeys(found) if name not in own and name not in _NOT_NAMES)
    return tuple(name for name in names if 1 < len(name) <= _LONGEST_NAME and re.search(name + _NAMED, message))


def counted_others(message: str, own: Collection[str]) -> tuple[str, ...]:
    """The name of somebody else whose answers a child wants to have counted, or whose days: 하늘이 몇 개 맞았는지."""
    if (worked := _WORKED_ON.search(message)) and _has_final(worked[1][-1]) and worked[1] not in {*own, *_NOT_NAMES}:
        return (worked[1],)
    found = _COUNTED_OF.search(message)
    if found is None:
        return ()
    name = found[1].removesuffix("이") if len(found[1]) > 2 else found[1]
    first = morphemes(name)[:1]
    is_time = name in _NOT_COUNTED or any(each.tag in ("NR", "NP", "MAG", "MM", "VA", "VV", "SN") for each in first)
    is_time = is_time or found[1].endswith(("에", "엔"))
    return () if name in own or found[1] in own or is_time else (name,)


def _has_final(syllable: str) -> bool:
    found = parts(syllable)
    return found is not None and found[2] != ""


def exercise_of(text: str | None) -> Problem | None:
    """The problem of a text with one expression."""
    found = read_expressions(text) if text else ()
    return problem_of(found[0]) if len(found) == 1 else None


def problems_in_hand(board: Board, opened: Sequence[Problem]) -> list[Problem]:
    """The exercise that waits, and the newest open task."""
    return [one for one in (exercise_of(board.get("problem")), *opened[:1]) if one is not None]


def sheet_place(message: str, board: Board) -> int | None:
    """Which of several problems that were given is meant: 두번째꺼 힌트."""
    named = _PLACE_IN_LIST.search(message)
    place = None if named is None else int(named[2]) - 1 if named[2] else "첫두세네다".index(named[1][0])
    return place if place is not None and 0 <= place < len(board.get("sheet", ())) else None


def wrong_result(problem: Problem, message: str) -> int | None:
    """The number of a message that a wrong procedure gives for a problem."""
    values = (one.value for one in numbers_in(message) if one.value is not None)
    own = {problem.a, problem.b, problem.answer, *(step.found for step in explained(problem))}
    return next((one for one in values if one not in own and malrules_giving(problem, one)), None)


def table_named(message: str) -> int | None:
    """The times table that a message names first; None for none."""
    return next(iter(tables_in(message)), None)


def product_named(message: str, problem: Problem) -> bool:
    """Whether a message names the product by its two digits as they are said in the tables: 구팔 까먹었다."""
    spoken = {SINO_DIGITS[one]: one for one in "이삼사오육칠팔구"}
    one, other = spoken.get(problem.a, ""), spoken.get(problem.b, "")
    said = re.compile(rf"(?<![가-힣])(?:{one}{other}|{other}{one})")
    return problem.op == "x" and bool(one and other) and said.search(message) is not None


def asks_of_digits(message: str) -> bool:
    """Whether a message asks about a number, a digit of it or its zeros."""
    digit = DIGIT_OF.search(message)
    return (digit is not None and digit[2] in digit[1]) or any(one.search(message) for one in (NUMBER_OF, ZEROS_OF))


def names_days(message: str) -> bool:
    """Whether a message names a day or a length of time."""
    found = read_days(message, datetime.now(KOREA).date())
    return found.period is not None or found.length is not None


def comes_to(message: str, expression: str | None) -> int | None:
    """The value of an expression that a message without one ends with, after its parts: 40이랑 8 해서 48."""
    shown = read_expressions(expression or "")
    values = [one.value for one in numbers_in(message)]
    if not shown or not 1 < len(values) <= 4 or values[-1] != shown[0].value or read_expressions(message):
        return None
    return values[-1]


def guessed_number(message: str) -> int | None:
    """The one number of a message that says little else: 83!!, 73이지?, 아하 그럼 14?"""
    claimed = claim_in(message)
    if claimed is not None:
        return claimed
    bare = _BARE_NUMBER.fullmatch(message)
    return int(bare[1]) if bare else None
