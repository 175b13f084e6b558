"""The type of a malrule, the worksheet that it works on, and the decorator that declares one."""

from collections.abc import Callable
from dataclasses import dataclass
from typing import Final

from maththera.arithmetic.columns import digits
from maththera.arithmetic.problem import Form, Problem

VARIABLES: Final = frozenset({"carry", "borrow", "zero", "length", "digits", "size", "layout", "operation"})
"""The variables that a probe can take out of a problem, one at a time."""


class Sheet:
    """A problem with its digits laid out once, for all the malrules that look at it.

    Digits stand ones first. `top` and `bottom` are padded with zeros to `width` columns; `lengths` are the real ones.
    Malrules never write to a sheet: they work on a copy, `list(sheet.top)`.
    """

    __slots__ = ("a", "answer", "b", "bottom", "carries", "lengths", "op", "top", "width")

    def __init__(self, problem: Problem) -> None:
        self.a = problem.a
        self.b = problem.b
        self.op = problem.op
        self.answer = problem.answer
        self.carries = problem.carries
        top, bottom = digits(problem.a), digits(problem.b)
        self.lengths = (len(top), len(bottom))
        self.width = max(self.lengths)
        self.top = top + (0,) * (self.width - len(top))
        self.bottom = bottom + (0,) * (self.width - len(bottom))


Work = Callable[[Sheet], int | None]
Working = Callable[[Sheet], str]
Spares = Callable[[Sheet], bool]


@dataclass(frozen=True, slots=True)
class MalruleCause:
    """A possible cause of a malrule, and the `VARIABLES` without which it cannot show."""

    tag: str
    needs: frozenset[str]


@dataclass(frozen=True, slots=True)
class Malrule:
    """A wrong procedure that children really follow.

    `work` returns None where the procedure has nothing to work on, the right answer where it happens to do no harm, and
    a negative number where it breaks down; only any other number is evidence. `form` is the form of the problems it
    makes sense for. `breaks_quantity` marks results that contradict any sense of quantity. `example` is (a, op, b,
    wrong answer), `title` what a teacher reads, `source` where the procedure is published. `working`: what was written
    down or thought, with the numbers of a problem on which it is evidence; a learned malrule has none.
    """

    name: str
    title: str
    ops: tuple[str, ...]
    form: Form
    causes: tuple[MalruleCause, ...]
    breaks_quantity: bool
    source: str
    example: tuple[int, str, int, int]
    work: Work
    working: Working | None = None
    spares: Spares | None = None

    def suits(self, problem: Problem) -> bool:
        """Whether the operation and the form are this malrule's."""
        return problem.op in self.ops and problem.form == self.form

    def evidence(self, sheet: Sheet) -> int | None:
        """The wrong answer that it gives and that speaks for it; None where its result is right or breaks down."""
        result = self.work(sheet)
        return None if result is None or result == sheet.answer or result < 0 else result

    def mostly_spares(self, problem: Problem) -> bool:
        """Whether a child that follows it is mostly right about this problem all the same."""
        return self.spares is not None and self.suits(problem) and self.spares(Sheet(problem))

    def worked(self, problem: Problem) -> str:
        """How a child that follows it came to its wrong answer: "8+5만 썼다"; the title where nothing more is known."""
        return self.title if self.working is None else self.working(Sheet(problem))

    def apply(self, problem: Problem) -> int | None:
        """The answer of a child who follows this malrule; None where it has nothing to work on."""
        return self.work(Sheet(problem)) if self.suits(problem) else None


LEARNED: Final[dict[str, Malrule]] = {}
"""Malrules that adults described and approved, by name. A name holds a digest of its procedure, so what it means never
changes; which of them a session knows stands in its start."""


class _Catalogue(dict[str, Malrule]):
    """Going through it gives the declared malrules alone; a name also finds a learned one."""

    def __missing__(self, name: str) -> Malrule:
        return LEARNED[name]


CATALOGUE: Final[dict[str, Malrule]] = _Catalogue()
"""Every malrule by name, in the order of declaration: of two that give the same answer the commoner comes first."""


def malrule(  # noqa: PLR0913 - the decorator is the catalogue entry: one keyword per column
    *,
    title: str,
    causes: dict[str, str],
    source: str,
    example: tuple[int, str, int, int],
    working: Working,
    ops: str | None = None,
    form: Form = "result",
    breaks_quantity: bool = False,
    spares: Spares | None = None,
) -> Callable[[Work], Work]:
    """Declares the decorated function as a malrule of the same name.

    `causes` maps a cause tag to its needs, separated by spaces; `ops` (such as "+-") is the example's op unless given.
    `working` says to an adult what the child did, with the numbers of the problem.
    """

    def declare(work: Work) -> Work:
        name = work.__name__
        if name in CATALOGUE:
            raise ValueError(f"there already is a malrule {name}")
        found = tuple(MalruleCause(tag, frozenset(needs.split())) for tag, needs in causes.items())
        for cause in found:
            if strange := cause.needs - VARIABLES:
                raise ValueError(f"malrule {name}, cause {cause.tag}: no such variable as {', '.join(sorted(strange))}")
        CATALOGUE[name] = Malrule(
            name=name,
            title=title,
            ops=tuple(ops or example[1]),
            form=form,
            causes=found,
            breaks_quantity=breaks_quantity,
            source=source,
            example=example,
            work=work,
            working=working,
            spares=spares,
        )
        return work

    return declare


def concatenated(parts: list[int]) -> int:
    """The number that `parts`, ones first, make when written side by side: [13, 3] is 313."""
    return int("".join(str(part) for part in reversed(parts)))


def shifted(value: int, columns: int) -> int:
    """`value` moved `columns` places to the left: 5 by one is 50."""
    return int(value * 10**columns)


def number(places: list[int]) -> int:
    """The number whose places, ones first, hold these digits: [3, 1] is 13."""
    value = 0
    for digit in reversed(places):
        value = value * 10 + digit
    return value
