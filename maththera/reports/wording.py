"""Words that several reports share."""

from collections.abc import Iterable, Mapping
from typing import Final

from maththera.arithmetic.strategies import Mode
from maththera.learner_model.cause_texts import CauseTexts
from maththera.learner_model.error_patterns import Pattern

THINGS_AT_HOME: Final[Mapping[Mode, str]] = {
    "ten_frame": "달걀판과 바둑돌",
    "base_ten": "열 개씩 묶은 이쑤시개와 낱개",
    "coin": "100원과 10원 동전, 바둑돌",
    "number_line": "종이에 그린 수직선",
    "array": "줄을 맞춘 단추",
    "columns": "모눈종이와 연필",
}
"""What a picture of the steps can be laid with."""


def percent(share: float) -> str:
    """A share as a whole percentage."""
    return f"{round(share * 100)}%"


def quoted(names: Iterable[str]) -> str:
    """Names with commas of their own stay apart: ‘뺄셈, 받아내림 있음’, ‘나눗셈’."""
    return ", ".join(f"‘{name}’" for name in names)


def cause_name(pattern: Pattern, texts: CauseTexts) -> str:
    """The name of a stated cause; of those that nothing tells apart, all."""
    return " 또는 ".join(texts.causes[tag].name for tag in pattern.together)


def how_long(days: int) -> str:
    return "하루 동안" if days == 1 else f"{days}일 동안"
