"""Plans for a number of minutes or days: what a plan contains, and which one a message asks for."""

import re
from collections.abc import Sequence
from dataclasses import dataclass, field
from typing import Final

from maththera.chat.coach.learner_facts import OPERATION_OF, KindId, kinds_in
from maththera.chat.plans.plan_book import PlanBook
from maththera.korean.numbers import parse_number

USUAL: Final = 10
"""Minutes of a plan if none are named."""
CLASS: Final = 20
"""Minutes from which a plan for several children has individual parts, if no child was added later; also the fewest
minutes of a lesson."""
WEEK: Final = "월화수목금토일"
_FEWEST, _MOST = 3, 90
"""Minutes of a plan."""
_OF_A_DAY: Final = 5
"""Minutes of a plan for one day if none are named."""
_MINUTES: Final = re.compile(r"(\d{1,3})\s*분")
_MADE: Final = re.compile("짜|만들|써|작성|세워|부탁|줘|주세요|주실|추천|필요|간단")
_PLANNED: Final = re.compile("짜|계획|만들")
_DAYS: Final = re.compile(r"(?<!\d)(\d)\s*일")
_WEEKS: Final = re.compile(r"((?<!\d)[2-4]|두|세|네)\s*주|한\s*달|방학")
_DAYS_COUNTED: Final = {"이틀": 2, "사흘": 3, "나흘": 4, "닷새": 5}
_MONTH: Final = 4
"""Weeks in a month."""
_CHECKS: Final = 3
"""Number of check problems if none is named."""


@dataclass(frozen=True, slots=True)
class Plan:
    """`children`: of whom it is, by their ids; `limits`: minutes that one can attend; `day`: the day that it is for.
    `days`: of a plan over several days; `check`: problems to check with on the last of them; `turned`: with digits that
    are easily turned; `also`: what else was wanted; `own`: a day → the template of what is done on it; `lesson`: the
    kind of problems that a lesson is about; `joined`: a child was added; `game`, `brief`, `table`: with a game, in few
    words, as a table."""

    minutes: int = USUAL
    children: tuple[str, ...] = ()
    limits: dict[str, int] = field(default_factory=dict)
    material: str = ""
    day: str = ""
    days: tuple[str, ...] = ()
    check: int = 0
    turned: bool = False
    also: str = ""
    own: dict[str, str] = field(default_factory=dict)
    lesson: KindId | None = None
    joined: bool = False
    weeks: int = 1
    game: bool = False
    brief: bool = False
    table: bool = False


def plan_wanted(
    book: PlanBook, message: str, children: Sequence[str], spoken: int = 0, weak: KindId = "carry"
) -> Plan | None:
    """The plan that a message asks for; None if it asks for none. `spoken`: minutes that an earlier message named;
    `weak`: the topic of a lesson if the message names no kind of problem."""
    several_days = book.several.search(message)
    if book.lesson.search(message) and _MADE.search(message) and not several_days:
        return _lesson(book, message, children, weak)
    if several_days:
        return _of_days(book, message, children, several_days[1], spoken)
    day = book.only_day.search(message)
    asks = book.words.search(message) or (day and _PLANNED.search(message))
    if book.unlike.search(message) or not asks:
        return None
    named, usual = minutes_named(message), spoken or (_OF_A_DAY if day else USUAL)
    return Plan(minutes_of_plan(usual if named is None else named), tuple(children), day=day[1] if day else "")


def _lesson(book: PlanBook, message: str, children: Sequence[str], weak: KindId) -> Plan:
    """A lesson on the weak kind of problem, or on the last kind that the message names if the weak one is not among
    them."""
    kinds = [kind for kind in OPERATION_OF if kind in kinds_in(message)]
    named = minutes_named(message)
    minutes = book.lesson_minutes if named is None else minutes_of_lesson(named)
    return Plan(minutes, tuple(children), lesson=weak if not kinds or weak in kinds else kinds[-1])


def _of_days(book: PlanBook, message: str, children: Sequence[str], said: str, spoken: int) -> Plan:
    """A plan over days or weeks. `said`: the words for how many days."""
    counted = _DAYS.search(message)
    named, usual = minutes_named(message), spoken or USUAL
    return Plan(
        usual if named is None else named, tuple(children), days=days_from_monday(counted[1] if counted else said),
        check=checks_wanted(book, message), weeks=_weeks(message), brief=bool(book.brief.search(message)),
    )  # fmt: skip


def minutes_named(message: str) -> int | None:
    """The minutes that a message names."""
    found = _MINUTES.search(message)
    return int(found[1]) if found else None


def minutes_of_plan(minutes: int) -> int:
    """These minutes, within the limits of a plan."""
    return max(_FEWEST, min(minutes, _MOST))


def minutes_of_lesson(minutes: int) -> int:
    """These minutes, within the limits of a lesson."""
    return max(CLASS, min(minutes, _MOST))


def checks_wanted(book: PlanBook, message: str) -> int:
    """How many check problems a message asks for."""
    if (found := book.check.search(message)) is None:
        return 0
    return parse_number(found[1] or "") or _CHECKS


def days_from_monday(said: str) -> tuple[str, ...]:
    """The weekdays of a plan over `said` days, from Monday: "사흘" is 월, 화, 수."""
    count = int(said) if said.isdecimal() else next((many for word, many in _DAYS_COUNTED.items() if word in said), 5)
    return tuple(WEEK[: max(2, min(count, 7))])


def _weeks(message: str) -> int:
    if (found := _WEEKS.search(message)) is None:
        return 1
    return parse_number(found[1] or "") or _MONTH
