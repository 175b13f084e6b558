"""Templates in Korean: slots whose particles fit what is put into them, and one of several ways to say the same."""

from datetime import datetime
from string import Formatter
from typing import Any, Final, cast

from maththera.korean.particles import PARTICLES, with_particle


class _Korean(Formatter):
    """`{a:은는}` is "14는", `{a:야}` "13이야"; `{a:'은는}` has its value in quotes: "'덧셈'은". Else as in Python."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec.startswith("'"):
            return self.format_field(f"'{value}'", format_spec[1:])
        if format_spec in PARTICLES:
            return with_particle(value, format_spec)
        return cast("str", super().format_field(value, format_spec))


_KOREAN: Final = _Korean()


def fill_template(template: str, **values: object) -> str:
    """The template with its slots filled; KeyError for a slot without a value."""
    return _KOREAN.vformat(template, (), values)


def day_of(moment: str) -> str:
    """The day of an ISO time as people say it: "11월 22일"."""
    day = datetime.fromisoformat(moment)
    return f"{day.month}월 {day.day}일"
