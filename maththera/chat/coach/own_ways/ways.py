"""A child's own way with the problem in hand, by whatever method: whether what it tells is right, and what is left.

Says no result that the child has not found itself, so that it may be about an open task. Each reader below hears one
kind of message; the first that does answers it.
"""

from collections.abc import Callable
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.chat.coach.drafts import Board
from maththera.chat.coach.own_ways.any_operation import (
    counted_row,
    digits_turned,
    fingers_told,
    first_number,
    loses_count,
    needs_ten,
    other_numbers,
    split_up,
    where_written,
)
from maththera.chat.coach.own_ways.differences import (
    difference_bridged,
    difference_columns,
    difference_digits,
    given_back,
    lender_told,
    moved_why,
    order_matters,
    reversed_digits,
)
from maththera.chat.coach.own_ways.products import (
    times_carried,
    times_digit,
    times_last,
    times_meaning,
    times_near,
    times_near_end,
    times_parts_told,
    times_row_left,
    times_stride,
    times_together,
)
from maththera.chat.coach.own_ways.proposals import proposed_step
from maththera.chat.coach.own_ways.quotients import (
    fits_again,
    halves_told,
    multiples_told,
    not_even,
    share_meaning,
    shared_out,
)
from maththera.chat.coach.own_ways.sums import (
    sum_bridged,
    sum_estimated,
    sum_joined,
    sum_moved,
    sum_of_tens,
    sum_places,
    sum_plan,
    sum_with_carry,
)
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
    readers = (*_READERS, *_OF_OPERATION[problem.op])
    return next((word for read in readers if (word := read(told)) is not None), None)


_LONGEST: Final = 60
_READERS: Final[tuple[Callable[[Told], FoundStep | None], ...]] = (
    digits_turned, fingers_told, loses_count, counted_row, first_number, other_numbers, needs_ten, where_written,
    split_up,
)  # fmt: skip
_OF_OPERATION: Final[dict[str, tuple[Callable[[Told], FoundStep | None], ...]]] = {
    "+": (sum_joined, sum_of_tens, sum_places, sum_with_carry, sum_plan, sum_estimated, sum_moved, sum_bridged),
    "-": (order_matters, lender_told, given_back, moved_why, difference_columns, difference_digits, reversed_digits,
          difference_bridged),
    "x": (times_meaning, times_digit, times_carried, times_near_end, times_near, times_parts_told, times_stride,
          times_last, times_together, times_row_left),
    "/": (share_meaning, halves_told, multiples_told, fits_again, shared_out, not_even),
}  # fmt: skip
