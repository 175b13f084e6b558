"""Korean time, and days in Korean sentences: 지난주, 최근 2주, 3월 1일부터, 2026-03-02, 이번 학기."""

import calendar
import re
from collections.abc import Callable
from dataclasses import dataclass
from datetime import date, datetime, timedelta
from typing import Final
from zoneinfo import ZoneInfo

from maththera.korean.numbers import NUMBER, parse_number

KOREA: Final = ZoneInfo("Asia/Seoul")
"""Where the schools are: a day is one of theirs."""

_SPANS: Final = {
    "하루": 1, "이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5, "엿새": 6, "이레": 7, "여드레": 8, "아흐레": 9, "열흘": 10,
    "보름": 15, "일주일": 7, "한주일": 7, "이주일": 14, "반년": 182,
}  # fmt: skip
_DAY_SPANS: Final = frozenset(_SPANS) - {"일주일", "한주일", "이주일", "반년"}
_UNITS: Final = {"일": 1, "주": 7, "주일": 7, "주간": 7, "달": 30, "개월": 30, "년": 365}
_LONGEST: Final = 36_500
_SPAN: Final = rf"(?:(?P<span>{'|'.join(_SPANS)})|(?P<much>{NUMBER})\s*(?P<unit>주일|주간|개월|일|주|달|년))"
_SEPARATOR: Final = (
    r"(?:월|(?(year{0})[-./]|[./](?=\s*\d+(?!\d|\s*(?:[=+−×÷*/x-]\s*\d|문제|식|[이가을를은는]?\s*[맞검올])))))"
)
_DAY: Final = (
    r"(?:(?P<year{0}>20\d\d)\s*[-./년]\s*)?(?P<month{0}>1[0-2]|0?[1-9])\s*"
    + _SEPARATOR
    + r"\s*(?P<day{0}>3[01]|[12]\d|0?[1-9])(?:\s*일)?(?!\d)"
)
"""A day: 3월 2일, 3/2, 2026-03-02; not an exercise such as 12-5 or 12/3=4."""
_ONE_DAY: Final = re.compile(r"(?<![\d./-])" + _DAY.replace("{0}", "1"))
_FROM: Final = re.compile(
    _ONE_DAY.pattern
    + r"\s*(?:부터|에서|이후(?:로)?|~|〜|-)\s*(?:"
    + _DAY.replace("{0}", "2")
    + r"|(?P<same>3[01]|[12]\d|0?[1-9])\s*일)?\s*(?:까지)?"
)
_LATELY: Final = re.compile(r"(?:최근|지난|요|과거|직전|이전)\s*" + _SPAN + r"(?:\s*(?:동안|간|치))?")
_LONG: Final = re.compile(r"(?<![\w-])" + _SPAN + r"\s*(?:동안|치|간|짜리|분량|할|용)")
_BARE: Final = re.compile(
    rf"(?<![\w-])(?:(?P<span>보름|열흘|일주일|한주일|이주일|반년)|(?!\d{{3}})(?P<much>{NUMBER})\s*(?P<unit>주일|주간|개월|주|달|년))"
    r"(?=\s|$)(?!\s*(?:전|후|뒤|차|마다|째|만에))"
)
"""A length without "동안": 두 달 진단 리포트. Not 10일, which may be a date."""
_AGO: Final = re.compile(rf"(?<![\w-]){_SPAN}\s*전(?P<since>\s*부터)?")
_MONTH: Final = re.compile(
    r"(?<!\d)(?<!\d[,·~-])(?:(20\d\d)년\s*|((?<!재)작년|지난해)\s*|(?:지난|저번)\s*)?(1[0-2]|[1-9])\s*월(?:달|\s*한\s*달)?"
    r"(?!\s*(?:\d+\s*일|초|중순|말|[상하]순|첫|둘|셋|넷|다섯|마지막|\d+\s*주))"
)
_SINCE: Final = re.compile(r"\s*(?:부터|이후로?|~)(?:\s*(?P<until>\S+(?:\s\S+)?까지))?")
_TERM: Final = re.compile(r"(?:(이번|지난|저번)\s*)?([12])?\s*학기")


def in_korea(moment: datetime) -> str:
    """ISO 8601 with the Korean offset, to the second."""
    return moment.astimezone(KOREA).isoformat(timespec="seconds")


def spoken_day(day: date) -> str:
    """2026년 3월 2일"""
    return f"{day.year}년 {day.month}월 {day.day}일"


@dataclass(frozen=True, slots=True)
class Period:
    """A period of days, both ends included."""

    start: date
    end: date


@dataclass(frozen=True, slots=True)
class Days:
    """The days in a sentence. `period` lies in the past; `length` is a number of days, planned or past. `left`: the
    sentence without both. `said` and `long`: their words. `unread`: words of a time that could not be read."""

    period: Period | None
    length: int | None
    left: str
    said: str = ""
    long: str = ""
    unread: str | None = None


def read_days(sentence: str, today: date) -> Days:
    """The first period and the first length of a sentence."""
    period, said, sentence = _first(sentence, today)
    found = _LONG.search(sentence)
    if found is not None:
        sentence = replace_by_pronoun(sentence, *found.span())
    else:
        found = _BARE.search(sentence)  # stays in the text: 일주일 may also mean a weekly plan
    length, long = (_length(found), found[0].strip()) if found else (None, "")
    unread = _UNREAD.search(sentence) or (_WITHIN.search(sentence) if period else None)
    unread = unread or (found if length is None else None)
    told = " ".join(unread[0].replace("이것", said).split()) if unread else None
    return Days(period, length, sentence, said, long, told)


def _first(sentence: str, today: date) -> tuple[Period | None, str, str]:
    """-> (period, its words, the sentence without it). 어제부터 lasts until today, 지난달부터 어제까지 until then."""
    for pattern, read in _READERS:
        found = pattern.search(sentence)
        if found is None or (period := read(found, today)) is None:
            continue
        start, end = found.span()
        if since := _SINCE.match(sentence, end):
            period, end = Period(period.start, today), since.end()
            until, _, _ = _first(since["until"] or "", today)
            if until is not None:
                period, end = Period(period.start, until.end), since.end("until")
        if period.end < period.start:
            break
        return period, sentence[start:end].strip(), replace_by_pronoun(sentence, start, end)
    return None, "", sentence


def replace_by_pronoun(sentence: str, start: int, end: int, instead: str = "이것") -> str:
    """A pronoun replaces the words read, so that a particle after them keeps a noun."""
    return f"{sentence[:start]} {instead}{sentence[end:]}"


def _length(found: re.Match[str]) -> int | None:
    if found["span"]:
        return _SPANS[found["span"]]
    days = (parse_number(found["much"]) or 0) * _UNITS[found["unit"]]
    return days if 0 < days <= _LONGEST else None


def _from(found: re.Match[str], today: date) -> Period | None:
    start = _day(found, "1", today)
    if start is None:
        return None
    if found["same"]:  # 5월 10일~20일
        last = int(found["same"])
        return Period(start, start.replace(day=last)) if start.day <= last <= _month_length(start) else None
    if not found["month2"]:
        return Period(start, today)
    end = _day(found, "2", today, after=start)
    return Period(start, end) if end is not None and end >= start else None


def _month_length(day: date) -> int:
    return calendar.monthrange(day.year, day.month)[1]


def _week_of_month(found: re.Match[str], today: date) -> Period | None:
    """3월 첫째 주: from Monday on, the week that has the first Thursday of the month."""
    month = int(found["month"])
    year = today.year - (month > today.month)
    first = date(year, month, 1)
    thursday = first + timedelta(days=(3 - first.weekday()) % 7)
    monday = thursday + timedelta(days=7 * _NTH.index(found["nth"]) - 3)
    return Period(monday, min(today, monday + timedelta(days=6))) if monday <= today else None


def _weeks_ago(found: re.Match[str], today: date) -> Period:
    return _week(parse_number(found[1]) or 1)(found, today)


def _last_weekday(found: re.Match[str], today: date) -> Period:
    """지난 월요일: the last one before today."""
    back = (today.weekday() - "월화수목금토일".index(found[1]) - 1) % 7 + 1
    return Period(today - timedelta(days=back), today - timedelta(days=back))


_NTH: Final = ("첫", "둘", "셋", "넷", "다섯")


def _on(found: re.Match[str], today: date) -> Period | None:
    day = _day(found, "1", today)
    return Period(day, day) if day else None


def _day(found: re.Match[str], which: str, today: date, after: date | None = None) -> date | None:
    """The day. Without a year: the latest one in the past, or the first one `after`. None if it may lie in the
    future."""
    month, day, year = int(found[f"month{which}"]), int(found[f"day{which}"]), found[f"year{which}"]
    try:
        if year:
            return date(int(year), month, day)
        if after is not None:
            same, next_year = date(after.year, month, day), date(after.year + 1, month, day)
            return same if same >= after or next_year > today else next_year
        same = date(today.year, month, day)
        if today < same <= today + _SOON:
            return None
        return same if same <= today else date(today.year - 1, month, day)
    except ValueError:
        return None


def _lately(found: re.Match[str], today: date) -> Period | None:
    length = _length(found)
    return Period(today - timedelta(days=length), today) if length else None


def _ago(found: re.Match[str], today: date) -> Period | None:
    """A day, or the period since then. A week or a month ago is not precise enough."""
    length = _length(found)
    if length is None or not (found["since"] or found["unit"] == "일" or found["span"] in _DAY_SPANS):
        return None
    day = today - timedelta(days=length)
    return Period(day, today if found["since"] else day)


_SOON: Final = timedelta(days=183)
"""A day or month without a year that comes within this time counts as the coming one, not as last year's."""


def _month(found: re.Match[str], today: date) -> Period | None:
    month = int(found[3])
    if not (found[1] or found[2]) and today < date(today.year, month, 1) <= today + _SOON:
        return None
    year = int(found[1]) if found[1] else today.year - (1 if found[2] else month > today.month)
    return _whole_month(year, month, today)


def _whole_month(year: int, month: int, today: date) -> Period:
    return Period(date(year, month, 1), min(today, date(year, month, calendar.monthrange(year, month)[1])))


def _term(found: re.Match[str], today: date) -> Period | None:
    """Korean school terms: March to August, September to February."""
    if not (found[1] or found[2]):
        return None
    second = today.month >= 9 or today.month < 3
    year = today.year - (today.month < 3)
    wanted = (found[2] == "2") if found[2] else second
    if found[1] in ("지난", "저번") and not found[2]:
        wanted, year = not second, year - (not second)
    elif wanted and not second:
        year -= 1
    start = date(year, 9, 1) if wanted else date(year, 3, 1)
    end = date(year + 1, 3, 1) if wanted else date(year, 9, 1)
    return Period(start, min(today, end - timedelta(days=1)))


def _week(back: int) -> Callable[[re.Match[str], date], Period]:
    def read(_: re.Match[str], today: date) -> Period:
        monday = today - timedelta(days=today.weekday() + 7 * back)
        return Period(monday, min(today, monday + timedelta(days=6)))

    return read


def _months_back(back: int) -> Callable[[re.Match[str], date], Period]:
    def read(_: re.Match[str], today: date) -> Period:
        months = today.year * 12 + today.month - 1 - back
        return _whole_month(months // 12, months % 12 + 1, today)

    return read


def _days_back(back: int) -> Callable[[re.Match[str], date], Period]:
    return lambda _, today: Period(today - timedelta(days=back), today - timedelta(days=back))


def _years_back(back: int) -> Callable[[re.Match[str], date], Period]:
    return lambda _, today: Period(date(today.year - back, 1, 1), min(today, date(today.year - back, 12, 31)))


_READERS: Final[tuple[tuple[re.Pattern[str], Callable[[re.Match[str], date], Period | None]], ...]] = (
    (_FROM, _from),
    (_LATELY, _lately),
    (_AGO, _ago),
    (re.compile(r"(?P<month>1[0-2]|[1-9])\s*월\s*(?P<nth>첫|둘|셋|넷|다섯)\s*(?:째|번째)?\s*주"), _week_of_month),
    (re.compile("(?<![가-힣])(?:지난|저번)\\s*([월화수목금토일])요일"), _last_weekday),
    (re.compile(rf"(?<![\w-])({NUMBER})\s*주\s*전(?!\s*부터)"), _weeks_ago),
    (re.compile("(?:지지난|저저번)\\s*주(?!말)"), _week(2)),
    (re.compile("(?<!지)(?:지난|저번|전)\\s*주(?!간|일|말)"), _week(1)),
    (re.compile("[이요]번\\s*주|금주|(?<![가-힣])이\\s주(?=\\s)|지금(?=이랑|과|하고)"), _week(0)),
    (re.compile("(?:지지난|저저번)\\s*달"), _months_back(2)),
    (re.compile("(?:지난|저번|전)\\s*달|전월"), _months_back(1)),
    (re.compile("[이요]번\\s*달|(?<![가-힣])이\\s?달|금월"), _months_back(0)),
    (re.compile("그저께|그제"), _days_back(2)),
    (re.compile("어제"), _days_back(1)),
    (re.compile("오늘"), _days_back(0)),
    (_ONE_DAY, _on),
    (_MONTH, _month),
    (_TERM, _term),
    (re.compile("(?<!재)작년|(?<!지)지난해"), _years_back(1)),
    (re.compile("올해|금년"), _years_back(0)),
)

_UNREAD: Final = re.compile(
    rf"(?:20\d\d\s*년\s*)?\d{{1,2}}\s*월(?:\s*(?:\d{{1,2}}\s*일|초|중순|말|[상하]순|[^\s\d]{{1,3}}\s*(?:주|토요일|일요일)))?"
    rf"|20\d\d[-./]\d{{1,2}}(?:[-./]\d{{1,2}})?|(?<![\w-])\d{{1,2}}-\d{{1,2}}\s*(?:부터|까지|~)|(?<![\w-]){_SPAN}\s*전|재?작년|지난해|엊그제|그끄저께|며칠|[상하]반기|[1-4]\s*분기"
    r"|(?:여름|겨울|봄)?\s*방학|이것\s*까지"
    r"|\d\s*주차|내년|내후년|다음\s*(?:달|학기|해)|(?:지난|저번|전)\s*주말|[가-힣]+\s*(?:이후|때\s*부터)"
    r"|(?<!\w)\d{1,2}\s*일(?=\s|$)|(?:최근|지난|과거)\s*\d{3,}\s*(?:년|개월|달|주|일)"
)
"""Words of time that must not be left after reading."""
_WITHIN: Final = re.compile(
    r"[월화수목금토일]요일|\d{1,2}\s*일\s*(?:부터|까지)|이것\s*(?:초|중순|말|[상하]순|중반|후반)(?=[\s에의부까쯤]|$)"
    r"|이것\s*(?:첫|둘|셋|넷|다섯|마지막)\s*째?\s*[주날]|이것\s*\d{1,2}\s*[일주](?![치간]|\s*동안)"
    r"|(?:어제|그제)\s*(?:랑|와|과|하고|,)?\s*이것|이것\s*(?:이?랑|와|과|하고|,)?\s*(?:오늘|어제|그제)"
)
"""Words that must not be left beside a period: a part of it, a second day, or another time."""
