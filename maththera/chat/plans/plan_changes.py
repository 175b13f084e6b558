"""Changes to a plan that adults ask for."""

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass, replace
from typing import Final

from maththera.chat.coach.text_templates import fill_template
from maththera.chat.plans.plan_book import PlanBook
from maththera.chat.plans.plans import (
    WEEK,
    Plan,
    checks_wanted,
    days_from_monday,
    minutes_named,
    minutes_of_lesson,
    minutes_of_plan,
)

_BRIEF: Final = 20
"""A shorter message that names minutes says little else."""
_FEWEST: Final = 3
"""The fewest minutes of a day."""
_NAMED_DAYS: Final = re.compile(
    r"(?<![가-힣])[월화수목금토일](?:요일)?(?:[,·\s]*[월화수목금토일](?:요일)?)+(?=만|으?로|에|은|이|\s|$)"
)
_SO_MANY_DAYS: Final = re.compile(
    r"(?<!\d)(\d)\s*일\s*(?:만|로|은|이|동안|치|짜리|정도|밖에|씩|\W*$)|(이틀|사흘|나흘|닷새)\s*(?:만|로|은|동안|치|짜리|정도|밖에|\W*$)"
)
_DAYS: Final = (
    (re.compile(r"주말\S{0,2}\s*(?:만|에만)"), WEEK[5:]),
    (re.compile(r"평일\S{0,2}\s*(?:만|에만)"), WEEK[:5]),
    (re.compile(r"매일|7\s*일|일곱\s*날"), WEEK),
)
"""Words → the days that they mean."""
_CLOSING_MINUTES: Final = 5
_OPENING_MINUTES: Final = 5
_EASY: Final = "23+14"
"""A problem that most children solve."""


@dataclass(frozen=True, slots=True)
class _Wish:
    """A plan, the message that asks for a change, and the children that it names."""

    book: PlanBook
    plan: Plan
    message: str
    named: Sequence[str]


def changed_plan(book: PlanBook, plan: Plan, message: str, named: Sequence[str]) -> tuple[Plan, str] | None:
    """The plan after the change that a message asks for, and a reply to give instead of the plan ("": the plan itself);
    None if it asks for no change. `named`: the children that the message names."""
    wish = _Wish(book, plan, message, named)
    before = next((found for change in _FIRST if (found := change(wish)) is not None), None)
    if before is not None:
        return before, ""
    if book.opens.search(message):
        return plan, fill_template(book.opened, rest=_OPENING_MINUTES, easy=_EASY)
    if book.closing.search(message):
        return plan, fill_template(book.closed, rest=_CLOSING_MINUTES)
    last = next((found for change in _LAST if (found := change(wish)) is not None), None)
    return None if last is None else (last, "")


def _with_others(wish: _Wish) -> Plan | None:
    """The plan for more children."""
    plan = wish.plan
    more = tuple(one for one in wish.named if one not in plan.children)
    if not more or not wish.book.with_other.search(wish.message):
        return None
    return replace(plan, children=(*plan.children, *more), joined=True)


def _on_days(wish: _Wish) -> Plan | None:
    """The plan on other days."""
    plan, days = wish.plan, _days_said(wish.message)
    if not days or days == plan.days or plan.lesson:
        return None
    minutes = minutes_named(wish.message)
    return replace(plan, days=days, minutes=plan.minutes if minutes is None else minutes)


def _days_said(message: str) -> tuple[str, ...]:
    """The days that a message names for a plan; none if it names none."""
    if found := _NAMED_DAYS.search(message):
        return tuple(day for day in WEEK if day in found[0])
    if days := next((days for words, days in _DAYS if words.search(message)), ""):
        return tuple(days)
    found = _SO_MANY_DAYS.search(message)
    return days_from_monday(found[1] or found[2]) if found else ()


def _with_own_day(wish: _Wish) -> Plan | None:
    """The plan with another activity on one day: a game, something easy, or what the message names."""
    found = wish.book.own_day.search(wish.message)
    if found is None or found[1] not in wish.plan.days or wish.book.left_out.search(wish.message):
        return None
    book, what = wish.book, found["what"].strip(" ,")
    plain = what.replace("{", "").replace("}", "")
    own = book.own_game if book.playful.search(what) else book.own_easy if book.easy_day.search(what) else plain
    return replace(wish.plan, own={**wish.plan.own, found[1]: own})


def _with_game(wish: _Wish) -> Plan | None:
    return replace(wish.plan, game=True) if wish.book.with_game.search(wish.message) else None


def _as_table(wish: _Wish) -> Plan | None:
    return replace(wish.plan, table=True) if wish.book.table.search(wish.message) else None


def _of_days(wish: _Wish) -> Plan | None:
    """A change to a plan over several days: in few words, without a day, with check problems, with an extra activity,
    or the plan once more."""
    if not wish.plan.days:
        return None
    return next((found for change in _CHANGES_OF_DAYS if (found := change(wish)) is not None), None)


def _brief(wish: _Wish) -> Plan | None:
    return replace(wish.plan, brief=True) if wish.book.brief.search(wish.message) else None


def _without_days(wish: _Wish) -> Plan | None:
    left_out = [found[1] for found in wish.book.left_out.finditer(wish.message)]
    kept = tuple(day for day in wish.plan.days if day not in left_out)
    return replace(wish.plan, days=kept) if kept and kept != wish.plan.days else None


def _with_checks(wish: _Wish) -> Plan | None:
    if not wish.book.check.search(wish.message):
        return None
    return replace(wish.plan, check=checks_wanted(wish.book, wish.message))


def _with_turned(wish: _Wish) -> Plan | None:
    return replace(wish.plan, turned=True) if wish.book.turned.search(wish.message) else None


def _of_minutes_a_day(wish: _Wish) -> Plan | None:
    minutes = minutes_named(wish.message)
    if minutes is None or len(wish.message) >= _BRIEF:
        return None
    return replace(wish.plan, minutes=max(_FEWEST, minutes))


def _with_more(wish: _Wish) -> Plan | None:
    if (also := wish.book.also.search(wish.message)) is None:
        return None
    return replace(wish.plan, also=wish.message[: also.start()].strip(" ,"))


def _once_more(wish: _Wish) -> Plan | None:
    return wish.plan if wish.book.tidy.search(wish.message) else None


def _lesson_of_minutes(wish: _Wish) -> Plan | None:
    minutes = minutes_named(wish.message) if wish.plan.lesson else None
    return None if minutes is None else replace(wish.plan, minutes=minutes_of_lesson(minutes))


def _in_pieces(wish: _Wish) -> Plan | None:
    """The plan for children, named ones or all, who can attend only so many minutes."""
    if (found := wish.book.limit.search(wish.message)) is None:
        return None
    minutes = int(found[1] or found[2])
    limits = {**wish.plan.limits, **dict.fromkeys(wish.named or wish.plan.children, minutes)}
    return replace(wish.plan, limits=limits)


def _with_material(wish: _Wish) -> Plan | None:
    found = wish.book.material.search(wish.message)
    return replace(wish.plan, material=found[1]) if found else None


def _of_one_day(wish: _Wish) -> Plan | None:
    found = wish.book.only_day.search(wish.message)
    return replace(wish.plan, day=found[1]) if found else None


def _of_minutes(wish: _Wish) -> Plan | None:
    minutes = minutes_named(wish.message)
    if wish.plan.days or minutes is None or len(wish.message) >= _BRIEF:
        return None
    return replace(wish.plan, minutes=minutes_of_plan(minutes))


_Changes = tuple[Callable[[_Wish], Plan | None], ...]
_CHANGES_OF_DAYS: Final[_Changes] = (
    _brief, _without_days, _with_checks, _with_turned, _of_minutes_a_day, _with_more, _once_more,
)  # fmt: skip
_FIRST: Final[_Changes] = (
    _with_others, _on_days, _with_own_day, _with_game, _as_table, _of_days, _lesson_of_minutes, _in_pieces,
    _with_material,
)  # fmt: skip
"""The changes, tried in this order."""
_LAST: Final[_Changes] = (_of_one_day, _of_minutes)
"""Changes that are tried after the question of how to close a lesson."""
