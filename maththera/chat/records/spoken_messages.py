"""What one Korean message says about records by itself: measure, wish, period, and conditions on answers."""

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import date, timedelta
from typing import Final, Literal, TypeVar

from maththera.chat.records.record_question import (
    Bound,
    Group,
    Measure,
    Order,
    RecordQuestion,
    Restriction,
    Span,
    Wish,
)
from maththera.chat.records.record_restrictions import bound_of, bound_of_all, limit_of, other_value, restriction_of
from maththera.chat.records.record_words import RecordWords
from maththera.korean.dates import Period, read_days, spoken_day
from maththera.korean.numbers import NUMBER, parse_number

Name = TypeVar("Name")

_LIMITED: Final = re.compile("제일|가장|젤|상위|하위|만|오래|빨리|순|최근")
_EDGE: Final = re.compile(rf"(?:처음|첫|초반|앞)\S*\s*({NUMBER})")
_LATELY: Final = re.compile(r"최근|지난\s*\d|과거|직전|요\s*\d")
_DAY_OF_MONTH: Final = re.compile(r"(?<![\d월])(?<!월 )(\d{1,2})일(?!\s*(?:전|동안|간|치|만|별))")
_THAN: Final = re.compile("보다|보단|에 ?비해|하고 비교|와 비교|랑 비교")
_READ_HERE: Final = re.compile("[월화수목금토일]요일|이것|며칠|시 ?(?:이후|부터|전|까지|넘)")
"""Parts of a period that count as conditions of their own."""
_WHICH: Final = re.compile("어떤|무슨|어느|뭔|뭐|뭘")
_HOW_MANY: Final = re.compile("몇 ?(?:문제|개|번).{0,8}(?:틀|맞|풀|푼|했)(?!.*(?:보여|나열|목록))")
_HOW_MANY_DAYS: Final = re.compile("(?:며칠|몇 ?일)(?:이나|을|간|씩)? ?(?:했|하|한|풀|푼|공부|연습|들어)")
_SHIFT: Final = re.compile(
    r"(?:그|바로)\s*(다음|뒤|전|앞|이전)\s*(날|주|달)|^\s*(다음|전)\s*(날)|(?<=\s)(이튿)(날)|(하루)\s*(전|뒤)[은는]"
)
_RANK: Final = re.compile(
    rf"({NUMBER})\s*(?:번째|순위|등|째)(?!\s*(?:거|것|문제|논문|글|줄|주))|(차순위|그 ?다음(?:으로|은))"
)
_TWICE: Final = re.compile("제일|가장|젤")
_RECORDS: Final = re.compile("기록|현황|학습 ?결과")
_GROWN: Final = re.compile("늘었|나아|비교|달라|차이")
_TREND: Final = re.compile(
    "언제부터|느려[진졌]|빨라[진졌]|늘고|늘었|느는|줄고|줄었|나아지|나아졌|좋아지|좋아졌|떨어지|떨어졌|점점|추세|추이|변화|발전|성장|향상"
)
_ENDS: Final = re.compile(r"(?:처음|첫)\s*(?:\S+\s*)?날.{0,12}(?:마지막|최근|끝)\s*(?:\S+\s*)?날")
_CHANGES: Final = re.compile(
    "좋아진|나빠진|그래프로|길어|표|저장|엑셀|짧|간단|날짜|나아|늘었|차이|똑같|요약|반대|얼마나|몇|걔|생일|나이|주소|전화"
    "|그래프|차트|둘|셋|세 ?명|합치|합쳐|합하|비교|평균|언제|급|그중|그거|그것|그게|그날|그 |이게|이거"
    "|심한|예를|예시|왜|확실|걱정|전부|다 |더 |빼고|부드럽"
)
_OF_ANOTHER: Final = re.compile(r"(?:[은는](?:요|\?)?|도)\s*[?？]?\s*$")
_WEEK: Final = 7


@dataclass(frozen=True, slots=True)
class SpokenMessage:
    """The content of a message. `weak`: a measure that counts only if the message is about a learner; `unread`: a day
    that the calendar does not have; `unknown`: words of a time that cannot be read; `value`: a number, if the message
    consists of it."""

    text: str
    measure: Measure | None
    also: tuple[Measure, ...]
    weak: Measure | None
    wish: Wish | None
    by: Group | None
    only: Restriction
    bound: Bound | None
    spans: tuple[Span, ...]
    unread: str
    unknown: str
    order: Order | None
    rank: int | None
    limit: int | None
    trend: Literal["days", "ends"] | None
    edge: int | None
    value: int | None

    @property
    def strong(self) -> bool:
        """Whether the message asks about records in its own words."""
        told = self.wish in ("days", "away", "edges", "letter", "given", "problems")
        grown = self.spans and _GROWN.search(self.text)
        whose = self.by == "child" and bool(self.only.causes or self.only.seconds or (self.spans and self.weak))
        return bool(
            self.measure or self.bound or self.only.given is not None or told or grown or whose or self.trend == "ends"
            or _RECORDS.search(self.text)
        )  # fmt: skip

    @property
    def anything(self) -> bool:
        """Whether the message says anything about a learner's records."""
        only = self.only != Restriction()
        return bool(
            self.strong or self.weak or self.wish or self.by or only or self.spans or self.unread or self.order
            or self.trend
        )  # fmt: skip

    @property
    def changes(self) -> bool:
        """Whether the message could change the question before."""
        named = self.anything or self.rank is not None or self.value is not None or self.limit is not None
        return bool(named or _CHANGES.search(self.text) or _OF_ANOTHER.search(self.text))


def read_message(words: RecordWords, text: str, before: RecordQuestion | None, today: date) -> SpokenMessage:
    """The content of a message without learners' names. `before` decides what "10초는?" and "22일은?" mean."""
    patterns = words.words
    spans, unread, unknown, left = _spans(text, before, today)
    measures = [name for name, pattern in patterns.measures.items() if pattern.search(left)]
    measure = measures[0] if measures else None
    by = _first(patterns.groups, left)
    bound = bound_of(left, measure)
    if (of_all := bound_of_all(left, by == "child")) is not None:
        bound, measure = of_all, of_all.measure
    wish, order = _first(patterns.wishes, left), _order(words, _without_cause(words, left))
    if wish == "days" and words.found("verdict", left):
        wish = None
    counted = _HOW_MANY.search(left) and not (wish == "days" and _HOW_MANY_DAYS.search(left))
    if wish in ("problems", "days") and counted and not _WHICH.search(left):
        wish = None
    if wish == "problems" and order and by is None and measure == "wrong":
        by = "problem"  # those that were wrong most often
    if order is None and measure in ("seconds", "median") and wish == "problems":
        order = "least" if words.found("least", left) else "most"
    return SpokenMessage(
        text=left,
        measure=measure,
        also=_also(words, left, measures),
        weak=_first(patterns.weak_measures, left),
        wish=wish,
        by=by,
        only=restriction_of(words, left, before),
        bound=bound,
        spans=spans,
        unread=unread,
        unknown=unknown,
        order=order,
        rank=_rank(left),
        limit=limit_of(left) if _LIMITED.search(left) or before is not None else None,
        trend="ends" if _ENDS.search(left) else "days" if _TREND.search(left) and len(spans) < 2 else None,
        edge=_number(_EDGE, left),
        value=other_value(text),
    )


def _first(patterns: Mapping[Name, re.Pattern[str]], text: str) -> Name | None:
    return next((name for name, pattern in patterns.items() if pattern.search(text)), None)


def _also(words: RecordWords, text: str, measures: list[Measure]) -> tuple[Measure, ...]:
    """Further measures, named by words of their own."""
    taken: list[tuple[int, int]] = []
    found: list[Measure] = []
    for name in measures:
        spans = [match.span() for match in words.words.measures[name].finditer(text)]
        if apart := [each for each in spans if all(each[1] <= one[0] or each[0] >= one[1] for one in taken)]:
            found.append(name)
            taken += apart
    told = {"answered", "right", "wrong", "percent", "wrong_percent"}
    return tuple(each for each in found[1:] if each not in told or found[0] not in told)


def _number(pattern: re.Pattern[str], text: str) -> int | None:
    match = pattern.search(text)
    return parse_number(match[1]) if match else None


def _rank(text: str) -> int | None:
    """The rank that a message asks for: 두 번째로 많은 것, 2순위."""
    match = _RANK.search(text)
    if match is None:
        return None
    return 2 if match[2] else parse_number(match[1])


# --- when -------------------------------------------------------------------------------------------------------------


def _spans(text: str, before: RecordQuestion | None, today: date) -> tuple[tuple[Span, ...], str, str, str]:
    """Up to two periods, a day that the calendar does not have, words of a time that cannot be read, and the text
    without them."""
    spans: list[Span] = []
    left, unread, unknown = text, "", ""
    if before is not None and before.spans and (shifted := _shifted(text, before.spans[0])):
        return (shifted,), "", "", _SHIFT.sub(" ", text)
    for _ in range(2):
        days = read_days(left, today)
        if days.period is not None:
            spans.append(Span(_counted_days(days.period, days.said, today), days.said))
        elif days.length is not None and not spans:
            spans.append(Span(Period(today - timedelta(days=days.length - 1), today), days.long))
        elif days.unread and not spans and "월" in days.unread:
            unread = days.unread
        left, unknown = days.left, days.unread or ""
        if days.period is None:
            break
    if not spans and before is not None and before.spans and (match := _DAY_OF_MONTH.search(text)):
        spans, unread, unknown = _same_month(before.spans[0], int(match[1])), "", ""
    if len(spans) == 1 and _THAN.search(text) and spans[0].period.end < today:
        spans.append(_now_like(spans[0], today))
    if unread or _READ_HERE.search(unknown):
        unknown = ""
    return tuple(spans), unread, unknown, left.replace("이것", " ")


def _counted_days(period: Period, said: str, today: date) -> Period:
    """ "최근 3일" has three days."""
    if _LATELY.match(said) and period.end == today:
        return Period(min(period.start + timedelta(days=1), today), today)
    return period


def _shifted(text: str, span: Span) -> Span | None:
    """The day, week or month next to the one just mentioned: 그 다음 날"""
    match = _SHIFT.search(text)
    if match is None:
        return None
    said, unit = [group for group in match.groups() if group]
    step = 1 if said in ("다음", "뒤", "이튿") or unit == "뒤" else -1
    start, end = span.period.start, span.period.end
    if unit == "주":
        start, end = start + timedelta(weeks=step), end + timedelta(weeks=step)
    elif unit == "달":
        start = (start.replace(day=1) + timedelta(days=31 * step + (0 if step > 0 else 30))).replace(day=1)
        end = (start + timedelta(days=31)).replace(day=1) - timedelta(days=1)
    else:
        start = end = (end if step > 0 else start) + timedelta(days=step)
    return Span(Period(start, end), spoken_day(start).partition("년 ")[2] if start == end else f"{said} {unit}")


def _same_month(span: Span, day: int) -> list[Span]:
    """Another day in the month just mentioned."""
    try:
        found = span.period.end.replace(day=day)
    except ValueError:
        return []
    return [Span(Period(found, found), f"{found.month}월 {day}일")]


def _now_like(span: Span, today: date) -> Span:
    """The current month, week or day, to compare an earlier one with."""
    length = (span.period.end - span.period.start).days + 1
    if length == 1:
        return Span(Period(today, today), "오늘")
    if length <= _WEEK:
        return Span(Period(today - timedelta(days=today.weekday()), today), "이번 주")
    return Span(Period(today.replace(day=1), today), "이번 달")


def _without_cause(words: RecordWords, text: str) -> str:
    """The text without names of causes, whose words ask for no order: 큰 수에서 작은 수를 빼는 오류"""
    cause = words.causes.find(text)
    return cause.pattern.sub(" ", text) if cause else text


# --- in which order ---------------------------------------------------------------------------------------------------


def _order(words: RecordWords, text: str) -> Order | None:
    if not words.found("extreme", text) and _rank(text) is None:
        return None
    least = words.found("least", text)
    if least and words.found("most", text) and len(_TWICE.findall(text)) > 1:
        return "both"
    return "least" if least else "most"
