"""The problems of worksheets: what a sheet holds, and how its problems are drawn."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, replace
from itertools import cycle, groupby
from random import Random
from typing import Final, Literal, TypeAlias

from maththera.arithmetic.problem import SIGNS, Problem, make_problem
from maththera.chat.coach.learner_facts import KindId, kind_of

Form: TypeAlias = Literal["sum", "gap", "story", "picture", "bond"]
TELLERS: Final = 6
"""Number of animals or things that the stories take in turn."""
_HIGHEST: Final = 10_000
_EASY_TABLES: Final = (2, 3, 4, 5)


@dataclass(frozen=True, slots=True)
class Task:
    """`teller`: whom or what a story is about, a place in a list. What leaves a remainder has no `problem`."""

    a: int
    op: str
    b: int
    form: Form = "sum"
    teller: int = 0

    @property
    def problem(self) -> Problem:
        return make_problem(self.a, self.op, self.b)

    @property
    def kind(self) -> KindId:
        return "share" if self.op == "/" else kind_of(self.problem)

    @property
    def rest(self) -> int:
        """The remainder of a division."""
        return self.a % self.b if self.op == "/" else 0

    @property
    def expression(self) -> str:
        return f"{self.a}{SIGNS[self.op]}{self.b}"

    @property
    def answer(self) -> int:
        """The result, without the remainder."""
        return self.a // self.b if self.op == "/" else self.problem.answer


@dataclass(frozen=True, slots=True)
class Part:
    """So many problems of a kind. `digits`: of the numbers; `ones`: the second number has one digit; `zero`: of a
    borrow, whether the number above ends in 0, None for either; `small`: with the smallest numbers that still have the
    carry, products of the easy tables; `rest`: divisions that leave a remainder; `table`: of which table
    multiplications and divisions are, 0 for any; `least`, `most`: of the answers, 0 for any."""

    kind: KindId
    count: int
    digits: int = 2
    zero: bool | None = None
    small: bool = False
    ones: bool = False
    rest: bool = False
    table: int = 0
    least: int = 0
    most: int = 0


@dataclass(frozen=True, slots=True)
class Sheet:
    """`sets`: one, or two alike. `mark`: with what a child marks the problems with a carry; `short`: stories of one
    sentence; `mixed`: the kinds stand in no order; `turn`: how often other problems were drawn; `answers`: they stand
    below; `theme`: where stories take place or what they are about, "" for the animals; `head`: a line above it, as for
    a name."""

    sets: tuple[tuple[Task, ...], ...]
    parts: tuple[Part, ...]
    form: Form = "sum"
    mark: str = ""
    short: bool = False
    mixed: bool = False
    turn: int = 0
    answers: bool = False
    theme: str = ""
    head: str = ""


@dataclass(frozen=True, slots=True)
class Focus:
    """What a sheet trains if the message does not say. `cause`: the child's commonest wrong procedure; `right`: the
    child makes hardly any mistakes; `known`: there are records."""

    kind: KindId = "carry"
    cause: str = ""
    right: bool = False
    known: bool = False


def drawn(sheet: Sheet, sets: int = 1) -> Sheet:
    """The sheet with its problems; the same parts and turn always give the same ones."""
    chance = Random(f"{sheet.turn}/{sheet.form}")  # noqa: S311 - which problems stand on a sheet is no secret
    made: list[tuple[Task, ...]] = []
    taken: set[int] = set()
    for _ in range(sets):
        found = [one for part in sheet.parts for one in _draw(part, taken, chance)]
        if sheet.mixed:
            chance.shuffle(found)
        made.append(tuple(Task(*one, sheet.form, place % TELLERS) for place, one in enumerate(found)))
    return replace(sheet, sets=tuple(made))


def redrawn_at(sheet: Sheet, places: Sequence[int], part: Part) -> Sheet:
    """The sheet with new problems at some places of the first set."""
    tasks = [*sheet.sets[0]]
    taken = {task.answer for place, task in enumerate(tasks) if place not in places}
    chance = Random(f"{sheet.turn}/{part.kind}/{places}")  # noqa: S311 - as above
    found = _draw(replace(part, count=len(places)), taken, chance)
    for place, (a, op, b) in zip(places, found, strict=False):
        tasks[place] = replace(tasks[place], a=a, op=op, b=b)
    return replace(sheet, sets=(tuple(tasks), *sheet.sets[1:]), parts=parts_that_make(tasks))


def parts_that_make(tasks: Sequence[Task]) -> tuple[Part, ...]:
    """The parts from which such problems would be drawn."""
    kinds = [
        (task.kind, min(3, len(str(task.a))), task.b < 10 <= task.a and task.op != "/", task.rest > 0) for task in tasks
    ]
    return tuple(
        Part(kind, len([*found]), digits, ones=ones, rest=rest) for (kind, digits, ones, rest), found in groupby(kinds)
    )


def _products(part: Part) -> Iterator[tuple[int, str, int]]:
    """All multiplications or divisions of a part."""
    tables = (part.table,) if part.table else _EASY_TABLES if part.small else range(2, 10)
    if part.kind == "times" and part.ones:
        yield from ((a, "x", b) for a in range(12, 50) if a % 10 for b in range(2, 10))
    elif part.kind == "times":
        yield from ((a, "x", b) for a in tables for b in range(1 if part.table else 2, 10))
    else:
        left = range(1, 9) if part.rest else (0,)
        yield from ((a * b + rest, "/", a) for a in tables for b in range(2, 10) for rest in left if rest < a)


def _pool(part: Part) -> Iterator[tuple[int, str, int]]:
    """All problems of a part, in any order. Two-digit sums stay below a hundred."""
    if part.kind in ("times", "share"):
        yield from _products(part)
        return
    if part.ones:
        op = "+" if part.kind in ("add", "carry") else "-"
        yield from ((a, op, b) for a in range(12, 40 if part.small else 90) if a % 10 for b in range(2, 10))
        return
    first, end = {1: (2, 10), 2: (12, 90), 3: (124, 880)}[part.digits]
    step = 7 if part.digits == 3 else 1
    if part.small and part.digits > 1:
        first, end = 2, 36
    for a in range(first, end + 8 if part.kind in ("take", "borrow") and part.digits == 2 else end, step):
        for b in range(first if not part.small else 4, min(end, 18) if part.small else end, step):
            if part.kind in ("add", "carry") and (a + b < 10**part.digits or part.digits == 1) and a % 10 and b % 10:
                yield a, "+", b
            if part.kind in ("take", "borrow") and a - b >= (2 if part.small or part.digits == 1 else 11) and b % 10:
                yield a, "-", b
    if part.kind == "borrow" and part.digits == 1:
        yield from ((a, "-", b) for a in range(11, 19) for b in range(2, 10))


def _fits(part: Part, found: tuple[int, str, int]) -> bool:
    a, op, b = found
    if (part.least or part.most) and not part.least <= Task(*found).answer <= (part.most or _HIGHEST):
        return False
    if part.kind in ("times", "share"):
        return True
    carries = a % 10 + b % 10 > 9 if op == "+" else a % 10 < b % 10
    if carries != (part.kind in ("carry", "borrow")) or (op == "-" and not carries and a % 10 == 0):
        return False
    if part.small and part.digits > 1 and (a < 12 or (op == "-" and a < 20)):
        return False
    return part.kind != "borrow" or part.zero is None or (a % 10 == 0) is part.zero


def _draw(part: Part, taken: set[int], chance: Random) -> list[tuple[int, str, int]]:
    """Problems of a part; answers repeat only if there are too few."""
    pool = [one for one in _pool(part) if _fits(part, one)]
    chance.shuffle(pool)
    found: list[tuple[int, str, int]] = []
    for free in (True, False):
        for one in pool:
            if len(found) == part.count:
                return found
            answer = Task(*one).answer
            if one not in found and (not free or answer not in taken):
                found.append(one)
                taken.add(answer)
    return [one for one, _ in zip(cycle(found), range(part.count), strict=False)]  # of few, some come again
