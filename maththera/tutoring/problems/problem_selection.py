"""F-14: the next problem, and F-15's share of it: the problem near the child's position."""

from collections.abc import Sequence
from math import inf
from typing import Final

from maththera.arithmetic.problem import Problem
from maththera.tutoring.content.session_rules import Rules
from maththera.tutoring.problems.informative_problems import (
    nearest_separating_problem,
    separating_problem,
    suspected_hypotheses,
    unseen_error_problem,
)
from maththera.tutoring.state import TutoringState, given

_EXTENDED: Final = 2
"""From this upscaling level on the harder half of the window is taken."""
_MASK: Final = (1 << 64) - 1


def select_problem(draft: TutoringState, rules: Rules) -> tuple[Problem, bool]:
    """A problem near (C, W) that was not shown lately, and whether the window had to be widened. In ordinary practice
    an informative one is preferred."""
    c, w = draft["c_position"], draft["w_position"]
    recent, start = recent_keys(draft, rules), seeded_index(1 << 30, draft["start"]["seed"], draft["counters"]["tasks"])
    pools = [_window(rules, c, low, high) for low, high in _bounds(draft, rules)]
    ordinary = draft["current_step"] == "normal"
    if ordinary and (hypotheses := suspected_hypotheses(draft, rules)):
        for widened, problems in enumerate(pools):
            if found := separating_problem(problems, hypotheses, rules, start=start, without=recent):
                return found, bool(widened)
        if found := nearest_separating_problem(draft, hypotheses, rules, start=start, without=recent):
            return found, True
    for widened, problems in enumerate(pools):
        shows = unseen_error_problem(problems, draft, rules, start=start, without=recent) if ordinary else None
        if found := shows or _first_not_recent(problems, recent, start):
            return found, bool(widened)
    nearest = sorted(rules.bank.level(c), key=lambda problem: abs(problem.w_total - w))
    found = _first_not_recent(nearest, recent, 0)
    return given(found), True  # at most half of a level's expressions are recent


def _bounds(draft: TutoringState, rules: Rules) -> tuple[tuple[float, float], tuple[float, float]]:
    """The range of W for the search, and the wider one for when it holds nothing."""
    numbers, w = rules.numbers.selection, draft["w_position"]
    low = w if draft["downscaling"]["level"] >= _EXTENDED else w - numbers.window
    return (low, w + numbers.window), (w - numbers.widened, w + numbers.widened)


def _window(rules: Rules, c: int, low: float, high: float) -> Sequence[Problem]:
    """The problems of a C between two W. If the difficulty model orders the level, those at the same places of its
    order: the hardest fifth by W becomes the hardest fifth by the model."""
    problems = rules.bank.window(c, low, high)
    if not rules.by_difficulty:
        return problems
    below = len(rules.bank.window(c, -inf, high)) - len(problems)
    return rules.by_difficulty[c][below : below + len(problems)]


def recent_keys(draft: TutoringState, rules: Rules) -> list[str]:
    """The expressions shown too recently to come again: the last 20, but at most half of this C's."""
    limit = min(rules.numbers.selection.recent, rules.bank.expressions(draft["c_position"]) // 2)
    return draft["history"][-limit:] if limit else []


def _first_not_recent(problems: Sequence[Problem], recent: Sequence[str], start: int) -> Problem | None:
    """The first problem from `start` on, going round, whose expression is not recent."""
    size = len(problems)
    for step in range(size):
        problem = problems[(start + step) % size]
        if problem.key not in recent:
            return problem
    return None


def sibling_problem(draft: TutoringState, rules: Rules, model: Problem) -> Problem | None:
    """Same C, shape and carries as the model, other numbers."""
    recent, level = recent_keys(draft, rules), rules.bank.level(model.c_level)
    start = seeded_index(len(level), draft["start"]["seed"], draft["counters"]["tasks"])
    shape = _shape(model)
    for step in range(len(level)):
        problem = level[(start + step) % len(level)]
        if _shape(problem) == shape and problem.key not in recent and problem.key != model.key:
            return problem
    return None


def _shape(problem: Problem) -> tuple[str, int, int, tuple[int, ...], str]:
    return problem.op, len(str(problem.a)), len(str(problem.b)), problem.carries, problem.layout


def seeded_index(size: int, *numbers: int) -> int:
    """An index below `size`, spread evenly over the `numbers`: the finaliser of splitmix64 (Steele et al. 2014)."""
    value = 0
    for number in numbers:
        value = (value + number + 0x9E3779B97F4A7C15) & _MASK
        value = ((value ^ (value >> 30)) * 0xBF58476D1CE4E5B9) & _MASK
        value = ((value ^ (value >> 27)) * 0x94D049BB133111EB) & _MASK
        value ^= value >> 31
    return value % size
