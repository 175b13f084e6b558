"""Templates in Korean: slots whose particles fit what is put into them, and one of several ways to say the same."""

from datetime import datetime
from string import Formatter
from typing import Any, Final, cast

from maththera.korean.particles import Pair, ends_in_consonant, with_particle

_PAIRS: Final = frozenset({"은는", "이가", "을를", "과와"})


class _Korean(Formatter):
    """`{a:은는}` is "14는", `{a:야}` "14야" or "13이야", `{a:예요}` "14예요" or "13이에요", `{a:로}` "14로" or
    "13으로"; `{a:'은는}` has its value in quotes: "'덧셈'은". Else as in Python."""

    def format_field(self, value: Any, format_spec: str) -> str:
        if format_spec.startswith("'"):
            return self.format_field(f"'{value}'", format_spec[1:])
        if format_spec in _PAIRS:
            return with_particle(value, cast("Pair", format_spec))
        if format_spec == "야":
            return f"{value}이야" if ends_in_consonant(str(value)) else f"{value}야"
        if format_spec == "예요":
            return f"{value}이에요" if ends_in_consonant(str(value)) else f"{value}예요"
        if format_spec == "로":
            return f"{value}으로" if ends_in_consonant(str(value)) and not _ends_in_l(str(value)) else f"{value}로"
        return cast("str", super().format_field(value, format_spec))


_KOREAN: Final = _Korean()


def _ends_in_l(text: str) -> bool:
    """After ㄹ (and the digits 일, 칠, 팔) 로 stands as after a vowel."""
    last = text.rstrip(")'\" ")[-1:]
    return last in "178" or (len(last) == 1 and (ord(last) - ord("가")) % 28 == 8)


def fill_template(template: str, **values: object) -> str:
    """The template with its slots filled; KeyError for a slot without a value."""
    return _KOREAN.vformat(template, (), values)


def day_of(moment: str) -> str:
    """The day of an ISO time as people say it: "11월 22일"."""
    day = datetime.fromisoformat(moment)
    return f"{day.month}월 {day.day}일"
