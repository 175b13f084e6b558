"""What a schema cannot see in a task: whether each gap has one right option and every other one says what it shows."""

from collections.abc import Iterator, Sequence
from functools import singledispatch

from maththera.config_files import Loc
from maththera.lessons.courses.tasks import Cloze, Match, Number, Option, Order, Reason, Task, gaps_of, solution
from maththera.words.output_gate.false_statements import wrong_equations

Fault = tuple[Loc, str]


def task_faults(task: Task, *, arithmetic: bool) -> list[Fault]:
    """Places within the task with their reasons. `arithmetic`: equations in what is right are worked out again."""
    found = list(_faults(task))
    if arithmetic and not found:
        found += [((), f"{equation} is wrong where it is filled in") for equation in wrong_equations(solution(task))]
    return found


@singledispatch
def _faults(task: Task) -> Iterator[Fault]:
    raise TypeError(task)


@_faults.register
def _(task: Number) -> Iterator[Fault]:
    if task.key in task.wrong:
        yield ("wrong",), f"{task.key} is the key"


@_faults.register
def _(task: Reason) -> Iterator[Fault]:
    yield from _options(task.choices, ("choices",))


@_faults.register
def _(task: Cloze) -> Iterator[Fault]:
    if gaps_of(task.text) != list(range(1, len(task.gaps) + 1)):
        yield ("text",), f"has the gaps {gaps_of(task.text)}, {len(task.gaps)} are filled"
    for index, gap in enumerate(task.gaps):
        yield from _options(gap, ("gaps", index))


@_faults.register
def _(task: Order) -> Iterator[Fault]:
    if sorted(task.order) != list(range(1, len(task.steps) + 1)):
        yield ("order",), f"has to name each of the {len(task.steps)} steps once"
    elif list(task.order) == sorted(task.order):
        yield ("order",), "is the order in which the steps are shown"
    yield from _alike(task.steps, ("steps",))


@_faults.register
def _(task: Match) -> Iterator[Fault]:
    for index, pair in enumerate(task.pairs):
        if pair.fits > len(task.right_side):
            yield ("pairs", index, "fits"), f"the right side has {len(task.right_side)}"
    yield from _alike([pair.left for pair in task.pairs], ("pairs",))
    yield from _alike(task.right_side, ("right_side",))


def _options(options: Sequence[Option], loc: tuple[str | int, ...]) -> Iterator[Fault]:
    keys = sum(option.key for option in options)
    if keys != 1:
        yield loc, f"{keys} keys, exactly one has `key: true`"
    for index, option in enumerate(options):
        if not option.key and not option.why:
            yield (*loc, index), "a wrong option needs a `why`"
    yield from _alike([option.text for option in options], loc)


def _alike(texts: Sequence[str], loc: Loc) -> Iterator[Fault]:
    if len(set(texts)) != len(texts):
        yield loc, "two are the same"
