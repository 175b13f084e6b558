"""A problem in two ways side by side, and one of the two again. Of a problem that the child is to find, the last steps
of a way are left to it."""

import re
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.arithmetic.strategies import Step
from maththera.chat.coach.drafts import CoachTurn, Draft
from maththera.chat.coach.message_shapes import exercise_of, problems_in_hand
from maththera.chat.coach.problem_replies import numbered
from maththera.knowledge.explanations import explained_in_every_way

SEVERAL_WAYS: Final = re.compile(
    r"(?:두|2|세|3|여러)\s*(?:가지|개)\S{0,2}\s*(?:방법|방식|풀이)|(?:방법|방식|풀이)\S{0,2}\s*(?:을|를)?\s*(?:두|2|여러)\s*(?:가지|개)"
)
"""Two ways are asked for."""
OTHER_WAY: Final = re.compile(r"(?:다른|딴)\s*(?:방법|방식|풀이)")
_LEFT_TO_CHILD: Final = 2


def several_ways(turn: CoachTurn, draft: Draft) -> None:
    """The problem in hand, else the one that was explained last, in two ways."""
    problem, hide = _meant(turn, draft)
    if problem is None:
        draft.say("ways_of_what")
        return
    ways = _ways(problem)
    draft.say("two_ways" if len(ways) > 1 else "one_way_only", expression=problem.expression)
    draft.add(*(f"{number}. {_short(steps, hide=hide)}" for number, steps in enumerate(ways, start=1)))
    draft.board["items"] = [{"what": "way", "id": str(place)} for place in range(len(ways))]


def way_again(turn: CoachTurn, draft: Draft, place: int) -> None:
    """One of the ways that were shown, step by step."""
    problem, hide = _meant(turn, draft)
    ways = _ways(problem) if problem is not None else []
    if problem is None or place >= len(ways):
        draft.say("ways_of_what")
        return
    steps = ways[place]
    draft.say("way_again", number=place + 1, expression=problem.expression)
    worked_out = min(max(len(steps) - _LEFT_TO_CHILD, 1), len(steps) - 1) if hide else len(steps)
    told = [step.line if place < worked_out else step.say for place, step in enumerate(steps)]
    draft.add(*numbered(told))


def _meant(turn: CoachTurn, draft: Draft) -> tuple[Problem | None, bool]:
    """The problem that is spoken of, and whether its result is the child's to find."""
    waits = next(iter(problems_in_hand(draft.board, turn.opened)), None)
    return (waits, not turn.adult) if waits is not None else (exercise_of(draft.board.get("expression")), False)


def _ways(problem: Problem) -> list[list[Step]]:
    """A way with a problem, and the next that works with other numbers, rather one of several steps."""
    first, *others = explained_in_every_way(problem)
    own = {one.expression for one in first}
    different = [way for way in others if {one.expression for one in way} != own]
    return [first, *sorted(different, key=lambda way: len(way) == 1)[:1]]


def _short(steps: list[Step], *, hide: bool) -> str:
    """A way in one line: its first step worked out; of what the child is to find, no more."""
    first = steps[0].line if len(steps) > 1 or not hide else steps[0].say
    return " → ".join([first, *(one.say if hide else one.line for one in steps[1:])])
