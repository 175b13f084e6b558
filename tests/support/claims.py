"""What strangers wrote about sums: claims, questions, and what is beyond the tutor, each with what is true of it."""

from fractions import Fraction
from functools import cache
from pathlib import Path
from typing import Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, TypeAdapter

from maththera.arithmetic.expressions import Beyond
from maththera.arithmetic.result_claims import Expression, read_expressions
from maththera.config_files import ConfigFile

DATA: Final = Path(__file__).parent.parent / "data"
Set: TypeAlias = Literal[
    "expression_claims", "expression_claims_own", "expression_claims_fresh", "expression_claims_unread"
]
"""The rules were mended with the first three in sight, and with half of the last, of a third writer."""
UNREAD: Final = slice(15, None, 2)
"""The lines of the last set that nobody read: every other one, without the first seven, which were shown by mistake."""


class Line(BaseModel):
    """`value`: what the expression comes to; `right`: whether the claim holds; `beyond`: why the tutor declines.
    `none`: numbers stand in it, and nothing is calculated."""

    model_config = ConfigDict(extra="forbid", frozen=True)
    text: str
    kind: Literal["claim", "question", "beyond", "none"]
    value: str | None = None
    right: bool | None = None
    beyond: Beyond | None = None


@cache
def lines(name: Set = "expression_claims") -> tuple[Line, ...]:
    """ConfigError names file, line and reason."""
    return ConfigFile.read(DATA / f"{name}.yaml").parse(TypeAdapter(tuple[Line, ...]))


def misjudged(line: Line) -> str | None:
    """In what the reading of a line is wrong, None where it is right."""
    read = read_expressions(line.text)
    if line.kind == "none":
        return "; ".join(map(_described, read)) or None
    if not read:
        return "no expression is found"
    return None if any(_fits(line, one) for one in read) else "; ".join(map(_described, read))


def _fits(line: Line, one: Expression) -> bool:
    if line.kind == "beyond":
        return one.beyond == line.beyond
    value = None if line.value is None else Fraction(line.value)
    return one.beyond is None and one.value == value and one.right == line.right


def _described(one: Expression) -> str:
    return f"{one.text} is {one.value}, claimed {one.claimed}, right {one.right}, beyond {one.beyond}"
