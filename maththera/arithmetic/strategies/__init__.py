"""How every problem is solved, step by step: for each skill one main strategy and one in another representation.

Every explanation of a problem, for a child or an adult, takes its steps from here. One module for the
operations that belong together; `steps` has what a step is.
"""

from collections.abc import Mapping
from types import MappingProxyType
from typing import Final, NamedTuple

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.strategies import addition, multiplication, subtraction
from maththera.arithmetic.strategies.multiplication import division_with_rest
from maththera.arithmetic.strategies.steps import Mode, Picture, Step, Strategy, whole_picture

__all__ = ["STRATEGIES", "Mode", "Picture", "Step", "division_with_rest", "picture", "solution"]


class Strategies(NamedTuple):
    """Two ways for one skill. `other` uses another representation, for when the first one has not helped."""

    main: Strategy
    other: Strategy


_PLACE_BY_PLACE: Final = Strategies(addition.by_places, addition.in_columns)
_MAKE_TEN: Final = Strategies(addition.made_ten, addition.bridged)
_COUNT: Final = Strategies(addition.counted_on, addition.put_together)
_TAKE: Final = Strategies(subtraction.taken_away, subtraction.gone_back)
_THROUGH_TEN: Final = Strategies(subtraction.from_the_ten, subtraction.back_through_ten)
_BLOCKS_OR_LINE: Final = Strategies(subtraction.by_places, subtraction.back_through_ten)
_BLOCKS_OR_COLUMNS: Final = Strategies(subtraction.by_places, subtraction.in_columns)
_ROWS: Final = Strategies(multiplication.rows, multiplication.jumped)
_TENS_LAST: Final = Strategies(multiplication.tens_last, multiplication.in_columns)
_PARTS: Final = Strategies(multiplication.by_parts, multiplication.in_columns)
_SHARE: Final = Strategies(multiplication.rows_of, multiplication.jumps_of)

STRATEGIES: Final[Mapping[str, Strategies]] = MappingProxyType({
    "C1.plus1": _COUNT,
    "C1.minus1": Strategies(subtraction.gone_back, subtraction.taken_away),
    "C2.join": Strategies(addition.put_together, addition.counted_on),
    "C2.part": Strategies(subtraction.filled_up, subtraction.counted_up),
    "C3.zero": Strategies(addition.nothing_added, addition.no_jump),
    "C3.sums": _COUNT,
    "C3.doubles": Strategies(addition.doubled, addition.counted_on),
    "C4.minus_zero": _TAKE,
    "C4.minus_all": _TAKE,
    "C4.take": _TAKE,
    "C5.ten_and": Strategies(addition.ten_and_ones, addition.counted_on),
    "C5.less_ones": Strategies(subtraction.ones_taken_away, subtraction.gone_back),
    "C5.less_ten": Strategies(subtraction.ones_taken_away, subtraction.gone_back),
    "C6.partners": Strategies(addition.put_together, addition.counted_on),
    "C6.from_ten": _TAKE,
    "C7.nine": Strategies(addition.made_ten, addition.ten_more_and_back),
    "C7.doubles": Strategies(addition.doubled, addition.bridged),
    "C7.through_ten": _MAKE_TEN,
    "C8.tens": _PLACE_BY_PLACE,
    "C8.plain_1d": Strategies(addition.by_places, addition.counted_on),
    "C8.plain": _PLACE_BY_PLACE,
    "C8.carry_ones_1d": Strategies(addition.bridged, addition.by_places),
    "C8.carry_ones": _PLACE_BY_PLACE,
    "C8.carry_tens": _PLACE_BY_PLACE,
    "C8.carry_both": _PLACE_BY_PLACE,
    "C8.hundred": _PLACE_BY_PLACE,
    "C8.near_hundred": Strategies(addition.made_hundred, addition.in_columns),
    "C9.minus_8_9": _THROUGH_TEN,
    "C9.minus_2_7": _THROUGH_TEN,
    "C10.tens": _BLOCKS_OR_LINE,
    "C10.plain_1d": Strategies(subtraction.by_places, subtraction.gone_back),
    "C10.plain": _BLOCKS_OR_LINE,
    "C10.borrow_1d": _BLOCKS_OR_LINE,
    "C10.borrow": _BLOCKS_OR_LINE,
    "C10.borrow_x0": _BLOCKS_OR_LINE,
    "C11.hundreds": _PLACE_BY_PLACE,
    "C11.plain": _PLACE_BY_PLACE,
    "C11.uneven": _PLACE_BY_PLACE,
    "C11.carry_one": _PLACE_BY_PLACE,
    "C11.carry_one_zero": _PLACE_BY_PLACE,
    "C11.uneven_carry": _PLACE_BY_PLACE,
    "C11.carry_more": _PLACE_BY_PLACE,
    "C12.plain": _BLOCKS_OR_COLUMNS,
    "C12.uneven": _BLOCKS_OR_COLUMNS,
    "C12.borrow_one": _BLOCKS_OR_COLUMNS,
    "C12.uneven_borrow": _BLOCKS_OR_COLUMNS,
    "C12.borrow_two": _BLOCKS_OR_COLUMNS,
    "C12.across_zero": _BLOCKS_OR_COLUMNS,
    "C13.times_1": _ROWS,
    "C13.times_0": _ROWS,
    "C13.times_2_5": _ROWS,
    "C13.times_3_4": _ROWS,
    "C13.squares": _ROWS,
    "C13.times_6_9": _ROWS,
    "C14.one_itself": _SHARE,
    "C14.by_2_5": _SHARE,
    "C14.by_3_4": _SHARE,
    "C14.by_6_9": _SHARE,
    "C15.tens_1d": _TENS_LAST,
    "C15.plain_1d": _PARTS,
    "C15.carry_1d": _PARTS,
    "C15.by_tens": _TENS_LAST,
    "C15.two_by_two": _PARTS,
    "C15.two_by_two_carry": _PARTS,
})  # fmt: skip
"""Skill id → its strategies. Number sense has no calculation to explain."""

_OF_FORM: Final[Mapping[str, Strategies]] = {
    "addend": Strategies(subtraction.counted_up, subtraction.filled_up),
    "factor": _SHARE,
    "tens": Strategies(multiplication.bundled, multiplication.coins_of_ten),
}
_OF_OPERATION: Final[Mapping[str, Strategies]] = {
    "+": Strategies(addition.in_columns, addition.by_places),
    "-": Strategies(subtraction.in_columns, subtraction.by_places),
    "x": Strategies(multiplication.in_columns, multiplication.in_columns),
    "/": Strategies(multiplication.long_division, multiplication.long_division),
}
"""Outside the ladder (1000+124, 20+0, 96÷4): written, for numbers of any length."""


def solution(problem: Problem, skill_id: str | None, *, other: bool = False) -> list[Step]:
    """The steps of a problem by the strategy of its skill; `skill_id` is None outside the ladder and for a part that is
    asked of another problem. What stands in columns is explained in columns first."""
    ways = _ways(problem, skill_id)
    return ways.other(problem) if other else ways.main(problem)


def picture(problem: Problem, skill_id: str | None, *, other: bool = False) -> Picture | None:
    """The whole problem in the representation of a strategy; the next one where its numbers are too large for it. None
    where no picture holds them."""
    ways = _ways(problem, skill_id)
    modes = (way(problem)[0].mode for way in (reversed(ways) if other else ways))
    drawn = (whole_picture(problem, mode) for mode in modes if mode != "columns")  # how it is written is no picture
    return next((one for one in drawn if one.fits), None)


def _ways(problem: Problem, skill_id: str | None) -> Strategies:
    if skill_id is not None:
        ways = STRATEGIES[skill_id]
    else:
        ways = _OF_OPERATION[problem.op] if problem.form == "result" else _OF_FORM[problem.form]
    if (
        problem.layout == "vertical"
        and problem.form == "result"
        and max(problem.a, problem.b) > 9
        and problem.op != "/"
    ):
        written = _OF_OPERATION[problem.op].main
        return Strategies(written, ways.other if ways.main is written else ways.main)
    return ways
