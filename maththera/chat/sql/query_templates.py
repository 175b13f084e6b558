"""Common questions about the records, told by their words. A template is taken only when it accounts for every word of
the question that carries meaning: a question that says more is not answered as if it said less."""

import re
from collections.abc import Iterator, Sequence
from datetime import date, timedelta
from pathlib import Path
from typing import Final, Literal

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter

from maththera.arithmetic.curriculum import UNITS
from maththera.chat.messages.answer_levels import LevelName
from maththera.config_files import ConfigError, ConfigFile
from maththera.korean.search import meaning_words
from maththera.korean.word_lists import usual_spelling

PeriodName = Literal[
    "today", "yesterday", "this_week", "last_week", "this_month", "last_month", "this_year", "last_year",
    "last_days", "seven_days", "thirty_days",
]  # fmt: skip

_UNIT: Final = re.compile(r"(?:Cur-)?C\s?-?(\d{1,2})(?!\d)|(\d{1,2})\s*단원", re.IGNORECASE)
_YEAR: Final = re.compile(r"((?:19|20)\d\d)\s*년(?!생)")
_ASKING: Final = re.compile(r"그럼|그러면|그렇다면|그리고|[은는](?:요)?(?=\W*$)")
"""What asks the same of something else, beside its name."""
_MOST_DAYS: Final = 3_660
_MONTH: Final = re.compile(r"(?<!\d)(1[0-2]|[1-9])\s*월(?!요일)")
_MONTH_OF_A_YEAR: Final = re.compile(rf"{_YEAR.pattern}\s*{_MONTH.pattern}")


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class QueryTexts(_Strict):
    """`answers` of `configs/chat/text2sql.yaml`."""

    alias: str
    rows: int = Field(gt=0, le=500)
    seconds: float = Field(gt=0)
    columns: dict[str, str]
    counted: dict[LevelName, str]
    untold: str
    more: str
    sql: str
    values: dict[str, str]
    refused: str
    unknown: str
    none: dict[LevelName, str]


class Template(_Strict):
    """`needs`: groups of words, one of each must be asked for; `may`: words that change nothing. In `sql` the view that
    a question restricts is called `a`, and {where} stands for its restrictions. `sentence` tells the first row."""

    name: str
    needs: tuple[tuple[str, ...], ...] = Field(min_length=1)
    may: tuple[str, ...] = ()
    sql: str
    sentence: str = ""


class _File(_Strict):
    answers: QueryTexts
    empty: tuple[str, ...]
    denied: str
    periods: dict[PeriodName, str]
    templates: tuple[Template, ...]


class Templates:
    """`configs/chat/text2sql.yaml`. What comes of a template is checked when it is asked, as a model's SQL is."""

    def __init__(self, file: _File) -> None:
        self._file = file
        self.texts = file.answers
        self._empty = frozenset(file.empty)
        self._denied = re.compile(file.denied)
        self._periods = [(re.compile(pattern), name) for name, pattern in file.periods.items()]

    @classmethod
    def load(cls, home: Path) -> "Templates":
        """ConfigError names every fault."""
        document = ConfigFile.read(home / "configs" / "chat" / "text2sql.yaml")
        file = document.parse(TypeAdapter(_File))
        faults = []
        for place, template in enumerate(file.templates):
            try:
                template.sql.format(where="1 = 1")
            except (KeyError, IndexError, ValueError) as error:
                faults.append(document.fault(("templates", place, "sql"), str(error)))
        if faults:
            raise ConfigError("\n".join(faults))
        return cls(file)

    def query_for(self, question: str, today: date, before: str = "") -> tuple[str, str] | None:
        """SQL and sentence of the template that fits best; None when none fits. `before`: an earlier question, which
        this one asks again of another time or unit."""
        question, before = usual_spelling(question), usual_spelling(before)
        if self._denied.search(f"{question} {before}"):
            return None
        rest, period = self._period(question, today)
        rest, units = _units(rest)
        earlier, then = self._period(before, today)
        earlier, there = _units(earlier)
        if before:
            rest, period, units = f"{_ASKING.sub(' ', rest)} {earlier}", period or then, units or there
        asked = frozenset(meaning_words(rest, counters=True)) - self._empty
        fitting = [
            template
            for template in self._file.templates
            if _explains_all_words(template, asked) and (not units or "FROM answers" in template.sql)
        ]
        if not fitting:
            return None
        best = max(fitting, key=lambda template: len(template.needs))
        documents = "FROM documents" in best.sql
        conditions = [*_restrict(period, documents=documents), *([_in(units)] if units else [])]
        return best.sql.format(where=" AND ".join(conditions) or "1 = 1"), best.sentence

    def time_of(self, question: str, before: str = "") -> str:
        """The words for the time that a question is about, else those of the one before; "" for all times."""
        for text in (usual_spelling(question), usual_spelling(before)):
            patterns = [pattern for pattern, _ in self._periods] + [_MONTH_OF_A_YEAR, _YEAR, _MONTH]
            if found := next((match for pattern in patterns if (match := pattern.search(text))), None):
                return found[0].strip()
        return ""

    def _period(self, question: str, today: date) -> tuple[str, tuple[date, date] | None]:
        """The question without its time, and the first and the last day of that."""
        for pattern, name in self._periods:
            if match := pattern.search(question):
                rest = question[: match.start()] + " " + question[match.end() :]
                return rest, _days(name, today, int(match[1]) if name == "last_days" else 0)
        year, month = _YEAR.search(question), _MONTH.search(question)
        if year is None and month is None:
            return question, None
        number = int(year[1]) if year else today.year - (month is not None and int(month[1]) > today.month)
        first = date(number, int(month[1]) if month else 1, 1)
        last = _month_end(first) if month else date(number, 12, 31)
        return _MONTH.sub(" ", _YEAR.sub(" ", question)), (first, last)


def _explains_all_words(template: Template, asked: frozenset[str]) -> bool:
    known = {*template.may, *(word for group in template.needs for word in group)}
    return all(asked & {*group} for group in template.needs) and asked <= known


def _units(question: str) -> tuple[str, list[int]]:
    """The question without the units that it names by number, and these."""
    found = [int(match[1] or match[2]) for match in _UNIT.finditer(question)]
    if not all(1 <= unit <= len(UNITS) for unit in found):
        return question, []
    return _UNIT.sub(" ", question), found


def _restrict(period: tuple[date, date] | None, *, documents: bool) -> Iterator[str]:
    if period is None:
        return
    first, last = period
    yield f"a.year BETWEEN {first.year} AND {last.year}" if documents else f"a.day BETWEEN '{first}' AND '{last}'"


def _in(units: Sequence[int]) -> str:
    return f"a.unit IN ({', '.join(map(str, units))})"


def _days(name: PeriodName, today: date, count: int) -> tuple[date, date]:
    """The first and the last day; `count` of last_days."""
    monday, month = today - timedelta(days=today.weekday()), today.replace(day=1)
    before = month - timedelta(days=1)
    periods: dict[PeriodName, tuple[date, date]] = {
        "today": (today, today),
        "yesterday": (today - timedelta(days=1), today - timedelta(days=1)),
        "this_week": (monday, today),
        "last_week": (monday - timedelta(days=7), monday - timedelta(days=1)),
        "this_month": (month, today),
        "last_month": (before.replace(day=1), before),
        "this_year": (date(today.year, 1, 1), today),
        "last_year": (date(today.year - 1, 1, 1), date(today.year - 1, 12, 31)),
        "last_days": (today - timedelta(days=max(1, min(count, _MOST_DAYS)) - 1), today),
        "seven_days": (today - timedelta(days=6), today),
        "thirty_days": (today - timedelta(days=29), today),
    }
    return periods[name]


def _month_end(first: date) -> date:
    return (first + timedelta(days=31)).replace(day=1) - timedelta(days=1)
