"""A child's own way with the problem in hand, by whatever method: whether what it tells is right, and what is left.

Says no result that the child has not found itself, so that it may be about an open task. Each reader below hears one
kind of message; the first that does answers it.
"""

from collections.abc import Callable
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.chat.coach.drafts import Board
from maththera.chat.coach.own_ways.any_operation import ANY_READERS, digits_turned
from maththera.chat.coach.own_ways.differences import DIFFERENCE_READERS
from maththera.chat.coach.own_ways.products import PRODUCT_READERS
from maththera.chat.coach.own_ways.proposals import proposed_step
from maththera.chat.coach.own_ways.quotients import QUOTIENT_READERS
from maththera.chat.coach.own_ways.sums import SUM_READERS
from maththera.chat.coach.own_ways.told import Told, guesses, told_of
from maththera.chat.coach.step_talk import FoundStep


def way_word(problem: Problem, message: str, board: Board) -> FoundStep | None:
    """What to say to what a child tells of its own way with a problem; None where it tells nothing of that."""
    if problem.form != "result" or len(message) > _LONGEST:
        return None
    told = told_of(problem, message, board)
    if (word := proposed_step(told)) is not None:
        return word
    if guesses(told):
        return digits_turned(told)
    of_nothing = problem.op in "x/" and 0 in (problem.a, problem.b)  # no groups to count in
    readers = ANY_READERS if of_nothing else (*ANY_READERS, *_OF_OPERATION[problem.op])
    return next((word for read in readers if (word := read(told)) is not None), None)


_LONGEST: Final = 60
_OF_OPERATION: Final[dict[str, tuple[Callable[[Told], FoundStep | None], ...]]] = {
    "+": SUM_READERS, "-": DIFFERENCE_READERS, "x": PRODUCT_READERS, "/": QUOTIENT_READERS,
}  # fmt: skip
