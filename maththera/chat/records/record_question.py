"""A question about learners' records: what it asks, about whom, for which time, about which answers, in which order."""

from dataclasses import dataclass, field
from datetime import date
from typing import Literal, TypeAlias

from maththera.korean.dates import Period

Wish: TypeAlias = Literal[
    "figures",
    "problems",
    "given",
    "days",
    "away",
    "edges",
    "why",
    "certain",
    "overview",
    "letter",
    "trainings",
    "included",
    "left_out",
    "first",
    "often",
]
"""figures: numbers · problems: the answers one by one · given: what was answered · days: days with answers · away: days
without · edges: the first against the last · why: where wrong answers come from · certain: how many of them tell of it
· letter: to a guardian · trainings: what answers the causes · included, left_out: whether the learner named last was
counted, or not · first: whom to look at first · often: how often wrong answers have the same cause."""
Told: TypeAlias = Literal["trainings", "first", "overview", "causes", "days"]
"""The part of a written answer that the records can add: one of four wishes, or the causes of wrong answers."""
Measure: TypeAlias = Literal[
    "answered", "right", "wrong", "percent", "wrong_percent", "seconds", "median", "minutes", "streak"
]
Group: TypeAlias = Literal[
    "child", "period", "day", "weekday", "month", "half_day", "unit", "operation", "carry", "cause", "problem"
]
Order: TypeAlias = Literal["most", "least", "both"]
Form: TypeAlias = Literal["text", "table", "file"]
Fault: TypeAlias = Literal["others", "unknown_child", "absent", "no_such_day", "diagnosis", "erasing", "unheld", "same"]
"""Why a question is not answered. others: it is about other people's children · unknown_child: the child is not the
caller's · absent: it is not recorded · no_such_day: the calendar has no such day · diagnosis: it asks for one ·
erasing: it asks to delete records · unheld: it is recorded but cannot be counted · same: it repeats the question
before."""


@dataclass(frozen=True, slots=True)
class Span:
    """A period. `said`: the words for it."""

    period: Period
    said: str


@dataclass(frozen=True, slots=True)
class Bound:
    """A limit for groups: `measure` has to be above (or below) `value`; with `equal` it may equal it."""

    measure: Measure
    above: bool
    value: float
    equal: bool

    def holds(self, value: float) -> bool:
        return (self.equal and value == self.value) or (value > self.value if self.above else value < self.value)


@dataclass(frozen=True, slots=True)
class Hours:
    """Hours of a day, `first` included and `end` excluded. `said`: the words for them."""

    first: int
    end: int
    said: str


@dataclass(frozen=True, slots=True)
class Restriction:
    """Which answers count; None or empty for all. `carries`: whether a column carries or borrows. `digits`: of the
    longer operand. `wrong_place`: the answer's digit at this place (0 for the ones) is wrong. `seconds`: (least, most)
    time, most None for any. `fastest`: of the others, so many with the shortest time. `tables`: of the multiplication
    tables."""

    operations: tuple[str, ...] = ()
    tables: tuple[int, ...] = ()
    carries: bool | None = None
    digits: int | None = None
    wrong_place: int | None = None
    units: tuple[int, ...] = ()
    causes: frozenset[str] = frozenset()
    cause_said: str = ""
    expression: tuple[int, str, int] | None = None
    given: int | None = None
    correct: bool | None = None
    seconds: tuple[float, float | None] | None = None
    weekdays: frozenset[int] = frozenset()
    hours: tuple[Hours, ...] = ()
    fastest: int | None = None


@dataclass(frozen=True, slots=True)
class RecordQuestion:
    """`children`: ids; empty for all of the caller's. `mentioned`: those whom the conversation named last. `without`:
    those who are left out. `whole`:
    all of the caller's learners together are a row of their own. `spans_before`: of the question before. `also`:
    measures beside the first. `rank`: only the row at this place. `trend`: days in turn, or only the first and the
    last. `edge`: so many answers at either end. `among`: of the answers that were listed to this question. `dated`:
    days are shown beside problems; `example`: only one of them. `summed`: figures go before the letter,
    or it is told of all whom to look at first, `bare`: it has none, `soft`: it thanks, `plain`: in easy words.
    `notes`: what was said and is not heeded, in sentences. `fault`: why it cannot be answered, with the word that it
    is about."""

    wish: Wish = "figures"
    measure: Measure | None = None
    also: tuple[Measure, ...] = ()
    children: tuple[str, ...] = ()
    mentioned: tuple[str, ...] = ()
    without: tuple[str, ...] = ()
    whole: bool = False
    spans: tuple[Span, ...] = ()
    spans_before: tuple[Span, ...] = ()
    by: Group | None = None
    order: Order | None = None
    rank: int | None = None
    limit: int | None = None
    only: Restriction = field(default_factory=Restriction)
    bound: Bound | None = None
    trend: Literal["days", "ends"] | None = None
    edge: int = 10
    among: "RecordQuestion | None" = None
    form: Form = "text"
    dated: bool = False
    example: bool = False
    short: bool = False
    summed: bool = False
    bare: bool = False
    soft: bool = False
    plain: bool = False
    verdict: bool = False
    notes: tuple[str, ...] = ()
    fault: Fault | None = None
    about: str = ""

    def first_and_last_day(self) -> tuple[date, date] | None:
        """The first and last day of all spans; None for all days."""
        if not self.spans:
            return None
        return min(each.period.start for each in self.spans), max(each.period.end for each in self.spans)
