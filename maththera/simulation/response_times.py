"""Response times: log-normal around a median per strategy and school year (van der Linden 2006)."""

import math
from random import Random

from maththera.simulation.parameters import ResponseTimes

SHORTEST_MS = 250
"""Reading two numbers and moving a hand takes this long, whatever the draw says (Card, Moran & Newell 1983: two eye
fixations and a movement)."""


def median_ms(times: ResponseTimes, strategy: str, grade: int) -> float:
    """The median of a child of school year `grade` who uses `strategy` (`STR_…`)."""
    return times.median_ms[strategy] * times.grade_factor ** (grade - times.grade)


def draw_ms(chance: Random, median: float, sigma: float) -> int:
    """One response time; `sigma` is the standard deviation of its logarithm."""
    return max(SHORTEST_MS, round(chance.lognormvariate(math.log(median), sigma)))
