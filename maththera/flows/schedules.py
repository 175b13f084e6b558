"""`schedule:` in cron's five fields, checked before a beat ever reads it."""

import re
from collections.abc import Iterator
from typing import Final

_FIELDS: Final = (("minute", 0, 59), ("hour", 0, 23), ("day", 1, 31), ("month", 1, 12), ("weekday", 0, 7))
_WEEKDAYS: Final = {name: number for number, name in enumerate(("sun", "mon", "tue", "wed", "thu", "fri", "sat"))}
_PART: Final = re.compile(r"(\*|\w+)(?:-(\w+))?(?:/(\w+))?")


def schedule_mistakes(cron: str) -> Iterator[str]:
    """What is wrong with a schedule."""
    fields = cron.split()
    if len(fields) != len(_FIELDS):
        yield f"needs five fields (minute hour day month weekday), not {len(fields)}; every Monday at 7 is '0 7 * * 1'"
        return
    for text, (name, low, high) in zip(fields, _FIELDS, strict=True):
        for part in text.split(","):
            if reason := _wrong(part, name, low, high):
                yield reason


def _wrong(part: str, name: str, low: int, high: int) -> str | None:
    match = _PART.fullmatch(part)
    if match is None:
        return f"{name} '{part}' is no number, range (1-5), step (*/10) or *"
    start, end, step = match.groups()
    numbers = [_number(text, name) for text in (start, end) if text and text != "*"]
    if None in numbers or (step is not None and not step.isdecimal()):
        return f"{name} '{part}' is no number, range (1-5), step (*/10) or *"
    found = [number for number in numbers if number is not None]
    if any(not low <= number <= high for number in found):
        return f"{name} '{part}' is outside of {low} to {high}"
    if len(found) == 2 and found[0] > found[1]:
        return f"{name} '{part}' ends before it begins"
    if step is not None and not 1 <= int(step) <= high:
        return f"{name} '{part}' has a step outside of 1 to {high}"
    return None


def _number(text: str, name: str) -> int | None:
    if name == "weekday" and text.lower() in _WEEKDAYS:
        return _WEEKDAYS[text.lower()]
    return int(text) if text.isdecimal() else None
