"""The conditions on answers, and the bounds of groups, that a Korean message names."""

import re
from typing import Final

from maththera.arithmetic.curriculum import UNITS
from maththera.arithmetic.problem import ProblemError, parse_expression
from maththera.chat.records.record_question import Bound, Hours, Measure, RecordQuestion, Restriction
from maththera.chat.records.record_words import RecordWords
from maththera.korean.numbers import NUMBER, parse_number
from maththera.korean.times_tables import TIMES_TABLE, tables_in

_EXPRESSION: Final = re.compile(r"(?<![\d.])(\d{1,4})\s*([+\-−–×xX*÷/])\s*(\d{1,4})(?!\d|\s*[월일년])")
_UNIT: Final = re.compile(r"(?:Cur-)?C\s?-?(\d{1,2})(?!\d)|(\d{1,2})\s*단원", re.IGNORECASE)
_SECONDS: Final = re.compile(
    rf"({NUMBER})\s*초\s*(안|이내|미만|이하|내|도 안|보다 (?:빨|짧)|넘|이상|보다 (?:오래|느|길)|초과)?"
)
_LONGER: Final = re.compile("넘|이상|초과|오래|느|길")
_BOUND: Final = re.compile(
    rf"({NUMBER})\s*(퍼센트|퍼|%|프로|점|문제|번|개)\s*(?:가|이|를|을)?\s*"
    "(?:(넘|이상|초과|보다 (?:높|많|크))|(이하|미만|안 ?되|못 ?되|아래|보다 (?:낮|적|작)))"
)
_VALUE: Final = re.compile(
    rf"(?:그럼|그러면|그리고)?\s*({NUMBER})\s*(?:초|퍼센트|퍼|%|프로|점|문제|번|개)?\s*"
    r"(?:(?:으로|로)(?:\s*(?:하면|보면|바꾸면|해|줘|보여))?|은|는|이면|면|이라면|만)?\s*(?:요|줘|보여\s*줘)?\s*[?？]?\s*"
)
"""Matches a message that consists of another value: "90은?", "80%로 하면"."""
_PERFECT: Final = re.compile(
    "(?:한 ?번도|하나도|한 ?개도|한 ?문제도) ?(?:안 ?틀|못 ?틀|틀리지)|(?:다|전부|모두|모든 문제) ?맞|만점"
)
_NEVER: Final = re.compile(
    r"(?:한 ?번도|하나도|전혀|아직) ?(?:\S+ )?(?:안|못) ?(?:[한푼들온]|해 ?본|했|풀|접속)|기록이? ?(?:없는|하나도)"
    "|(?:안|못) ?(?:한|푼|들어온|온) ?(?:애|아이|학생|친구|사람)"
)
_LIMIT: Final = re.compile(rf"({NUMBER})\s*(?:개|문제|명|가지|위)(?!\s*(?:넘|이상|이하|미만|초과|안|못|도 |별))")
_GIVEN: Final = re.compile(
    r"(?<![\d+\-−×x÷/=])(\d{1,5})\s*(?:이라고|라고|이라|으로|로|을|를)\s*(?:(?:자꾸|계속|많이|자주) )?"
    "(?:쓰|썼|쓴|적|답|했|하|(?<=라고 )해|(?<=라고)해)"
)
_CLAIMED: Final = re.compile(r"\d\s*=\s*(\d{1,5})(?!\d)")
"""Matches an expression with an answer: 47-19=32."""
_ONLY_WRONG: Final = re.compile(
    "틀[렸린렷].*(?:답|문제|거|것|만|뭐|때|게|걸|건)|(?:뭐|뭘|문제).*틀[렸린렷]|오답 ?(?:노트|만)|비슷하게 틀린"
)
_ONLY_RIGHT: Final = re.compile("맞[힌은춘] ?(?:문제|거|것|걸)")
_WEEKDAY: Final = re.compile(r"([월화수목금토일])(?:요일|욜)")
_WEEKEND: Final = re.compile("(주말)|(평일)")
_CARRYING: Final = re.compile(r"(?:받아)?([올내])림\s*(?:이|은|을|를)?\s*(있|없|하|되|들어)?")
_WITHOUT: Final = re.compile(r"^\s*(?:그럼|그러면)?\s*(있|없)는 ?(?:것|거|건|게|문제)")
"""Matches "without" said of the carries just mentioned: "없는 건?"."""
_DIGITS: Final = re.compile(r"(한|두|세|네|[1-4])\s*자리(?:\s*수)?(?!\s*값)")
_PLACE: Final = re.compile(r"(일|십|백)의?\s*자리.{0,4}틀")
_CLOCK: Final = re.compile(
    r"(오전|오후|아침|저녁|밤|낮)?\s*(?<!\d)(1\d|2[0-4]|\d)\s*시\s*(?:(이후|부터|넘|지나)|(이전|전|까지))"
)
_NOON: Final = 12
_AMONG: Final = re.compile(r"(?:빨리|오래)\s*(?:푼|걸린)\s*(?:것|거|문제)?\s*(?:들)?\s*중")
_AMONG_SO_MANY: Final = 10
_COUNTED: Final = ("한", "두", "세", "네")

STRUCTURES: Final = (
    _EXPRESSION, _UNIT, _SECONDS, _BOUND, _PERFECT, _NEVER, _LIMIT, _GIVEN, _CLAIMED, TIMES_TABLE, _ONLY_WRONG,
    _ONLY_RIGHT, _WEEKDAY, _WEEKEND, _CARRYING, _DIGITS, _PLACE, _CLOCK, _AMONG,
)  # fmt: skip
"""The patterns of this module. Words of a message that no pattern of any module finds are named as not understood."""


def limit_of(text: str) -> int | None:
    """How many items a message asks for: 다섯 개만"""
    match = _LIMIT.search(text)
    return parse_number(match[1]) if match else None


def restriction_of(words: RecordWords, text: str, before: RecordQuestion | None) -> Restriction:
    """The conditions on answers that a message names."""
    patterns = words.words
    cause = words.causes.find(text)
    carrying = None if cause else _CARRYING.search(text)
    operations = tuple(op for op, pattern in patterns.operations.items() if pattern.search(text))
    if carrying and not operations:
        operations = ("+",) if carrying[1] == "올" else ("-",)
    expression = _expression(text)
    given = _GIVEN.search(text) or (_CLAIMED.search(text) if expression else None)
    tables = tables_in(text)
    units = [int(match[1] or match[2]) for match in _UNIT.finditer(text)]
    digits, place = _DIGITS.search(text), _PLACE.search(text)
    return Restriction(
        operations=operations or (("x",) if tables else ()),
        tables=tables,
        carries=_carries(text, carrying, before) if not patterns.groups["carry"].search(text) else None,
        digits=None if digits is None else _small_number(digits[1]),
        wrong_place=None if place is None else "일십백".index(place[1]),
        units=tuple(unit for unit in units if 1 <= unit <= len(UNITS)),
        causes=frozenset(cause.tags) if cause else frozenset(),
        cause_said=cause.said if cause else "",
        expression=expression,
        given=int(given[1]) if given else None,
        correct=_correct(text),
        seconds=_seconds(text, before),
        weekdays=_weekdays(text),
        hours=_hours(words, text),
        fastest=(limit_of(text) or _AMONG_SO_MANY) if _AMONG.search(text) else None,
    )


def _small_number(said: str) -> int:
    return int(said) if said.isdigit() else _COUNTED.index(said) + 1


def _carries(text: str, carrying: re.Match[str] | None, before: RecordQuestion | None) -> bool | None:
    if carrying is not None:
        return carrying[2] != "없"
    if before is not None and before.only.carries is not None and (match := _WITHOUT.search(text)):
        return match[1] == "있"
    return None


def _expression(text: str) -> tuple[int, str, int] | None:
    match = _EXPRESSION.search(text)
    try:
        return parse_expression(match[0]) if match else None
    except ProblemError:
        return None


def _correct(text: str) -> bool | None:
    """Whether the message is limited to right answers, to wrong ones, or to neither."""
    if _ONLY_WRONG.search(text) and "맞" not in text:
        return False
    return True if _ONLY_RIGHT.search(text) else None


def _seconds(text: str, before: RecordQuestion | None) -> tuple[float, float | None] | None:
    """The limits of the time, (least, most). "10초는?" keeps the direction of the limit before."""
    match = _SECONDS.search(text)
    value = parse_number(match[1]) if match else None
    if match is None or value is None:
        return None
    if match[2] is not None:
        above = _LONGER.search(match[2]) is not None
    elif before is not None and before.only.seconds is not None:
        above = before.only.seconds[0] > 0
    else:
        return None
    return (value, None) if above else (0.0, value)


def _weekdays(text: str) -> frozenset[int]:
    found = {"월화수목금토일".index(day) for day in _WEEKDAY.findall(text)}
    if match := _WEEKEND.search(text):
        found |= {5, 6} if match[1] else {0, 1, 2, 3, 4}
    return frozenset(found)


def _hours(words: RecordWords, text: str) -> tuple[Hours, ...]:
    """The parts of the day, or the hours by the clock, that a message names."""
    first, end, said = 0, 24, []
    for match in _CLOCK.finditer(text):
        hour = int(match[2])
        late = match[1] in ("오후", "저녁", "밤", "낮") or (match[1] is None and hour < _FIRST_SCHOOL_HOUR)
        hour += _NOON if late and hour < _NOON else 0
        first, end = (hour, end) if match[3] else (first, hour)
        said.append(f"{hour}시 {'이후' if match[3] else '전'}")
    if said:
        return (Hours(first, end, " ".join(said)),) if first < end else ()
    found = ((pattern.search(text), part) for part, pattern in words.words.half_days.items())
    named = sorted((place.start(), part) for place, part in found if place)
    return tuple(Hours(*words.hours[part], part) for _, part in named)


_FIRST_SCHOOL_HOUR: Final = 7
"""An earlier hour without a part of the day is in the afternoon: 3시 이후."""


# --- which groups -----------------------------------------------------------------------------------------------------


def bound_of(text: str, measure: Measure | None) -> Bound | None:
    """The bound that a message names for groups."""
    match = _BOUND.search(text)
    value = parse_number(match[1]) if match else None
    if match is None or value is None:
        return None
    share = match[2][0] in "퍼%프점"
    fits = measure is not None and measure.endswith("percent") == share and measure not in _TIMES
    of: Measure = measure if measure is not None and fits else "percent" if share else "answered"
    return Bound(of, above=match[3] is not None, value=value, equal=(match[3] or match[4]) in ("이상", "이하"))


_TIMES: Final = ("seconds", "median", "minutes", "streak")


def bound_of_all(text: str, by_child: bool) -> Bound | None:
    """The bound for children who had everything right, or who answered nothing."""
    if _PERFECT.search(text):
        return Bound("wrong", above=False, value=0, equal=True)
    if by_child and _NEVER.search(text):
        return Bound("answered", above=False, value=0, equal=True)
    return None


def other_value(text: str) -> int | None:
    """The number in a message that consists of another value."""
    match = _VALUE.fullmatch(text.strip())
    return parse_number(match[1]) if match else None
