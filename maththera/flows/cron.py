"""`schedule:` in cron's five fields: whether it is one, whether it is due, and when it is due next."""

import re
from collections.abc import Iterator
from datetime import datetime, timedelta
from functools import lru_cache
from itertools import product
from typing import TYPE_CHECKING, Final

from maththera.flows.language import messages
from maththera.flows.language.messages import Message

if TYPE_CHECKING:
    from celery.schedules import crontab

_FIELDS: Final = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7))
_WEEKDAYS: Final = {name: number for number, name in enumerate(("sun", "mon", "tue", "wed", "thu", "fri", "sat"))}
_FARTHEST_DAYS: Final = 8 * 366 + 1  # a 29th of February, over a century that has none
_PART: Final = re.compile(r"(\*|\w+)(?:-(\w+))?(?:/(\w+))?")


def schedule_mistakes(cron: str) -> Iterator[Message]:
    """The faults of a schedule."""
    fields = cron.split()
    if len(fields) != len(_FIELDS):
        yield messages.FIVE_FIELDS(given=len(fields))
        return
    found = [
        _part_mistake(part, *field) for text, field in zip(fields, _FIELDS, strict=True) for part in text.split(",")
    ]
    yield from filter(None, found)
    if not any(found):
        yield from _celery_objections(cron)


def _celery_objections(cron: str) -> Iterator[Message]:
    """What Celery, which runs the schedule, does not take: a 30th of February, `28/2`."""
    try:
        _crontab(cron)
    except ValueError as error:
        yield messages.CANNOT_BE_KEPT(reason=error)


def _part_mistake(part: str, name: str, low: int, high: int) -> Message | None:
    field = messages.SCHEDULE_FIELDS[name]
    match = _PART.fullmatch(part)
    if match is None:
        return messages.NO_SCHEDULE_PART(field=field, part=part)
    start, end, step = match.groups()
    numbers = [_number(text, name) for text in (start, end) if text and text != "*"]
    if None in numbers or (step is not None and not step.isdecimal()):
        return messages.NO_SCHEDULE_PART(field=field, part=part)
    found = [number for number in numbers if number is not None]
    if any(not low <= number <= high for number in found):
        return messages.OUTSIDE_RANGE(field=field, part=part, low=low, high=high)
    if len(found) == 2 and found[0] > found[1]:
        return messages.ENDS_EARLY(field=field, part=part)
    if step is not None and not 1 <= int(step) <= high:
        return messages.STEP_OUTSIDE(field=field, part=part, high=high)
    return None


def _number(text: str, name: str) -> int | None:
    if name == "weekday" and text.lower() in _WEEKDAYS:
        return _WEEKDAYS[text.lower()]
    return int(text) if text.isdecimal() else None


def is_due(cron: str, minute: datetime) -> bool:
    """Whether the five fields of a checked schedule name this minute."""
    when = _crontab(cron)
    return minute.minute in when.minute and minute.hour in when.hour and _day_fits(cron, minute)


def next_due(cron: str, after: datetime) -> datetime:
    """The first minute after `after` that a schedule names."""
    return next(_minutes(cron, after))


def _minutes(cron: str, after: datetime) -> Iterator[datetime]:
    when, first = _crontab(cron), after.replace(hour=0, minute=0, second=0, microsecond=0)
    for day in (first + timedelta(days=number) for number in range(_FARTHEST_DAYS)):
        if _day_fits(cron, day):
            times = product(sorted(when.hour), sorted(when.minute))
            minutes = (day.replace(hour=hour, minute=minute) for hour, minute in times)
            yield from (minute for minute in minutes if minute > after)


def _day_fits(cron: str, moment: datetime) -> bool:
    """Whether the day fits. As in cron, when both day and weekday are given, one of them is enough."""
    when = _crontab(cron)
    days, weekdays = moment.day in when.day_of_month, moment.isoweekday() % 7 in when.day_of_week
    _, _, day, _, weekday = cron.split()
    fits = (days or weekdays) if day != "*" and weekday != "*" else (days and weekdays)
    return moment.month in when.month_of_year and fits


@lru_cache(maxsize=256)
def _crontab(cron: str) -> "crontab":
    from celery.schedules import crontab  # takes a third of a second

    return crontab.from_string(cron)
