"""Problems that are easier than one that failed: without its difficulty, or with smaller numbers."""

from collections import Counter
from collections.abc import Callable, Sequence

from maththera.arithmetic.problem import Problem
from maththera.knowledge.knowledge import Knowledge
from maththera.tutoring.practice.skill_problems import SkillProblems
from maththera.tutoring.problems import scaffolds


def anchor_without_the_difficulty(
    original: Problem, ladder: SkillProblems, is_spoilt: Callable[[Problem], bool]
) -> Problem:
    """The anchor of tables D; where the child's own wrong procedure spoils it, D's part of the original, if that does
    better. An anchor that carries or borrows is replaced by a problem of a skill that the original's stands on
    directly: of the same operation where there is one, the one that shares most digits, then the lightest, then the
    first by id; if possible one that is not spoilt. Where the bank has no such skill, D's stays."""
    found, gap, _, part = scaffolds.scaffolds(original)
    if found.carries:
        others = _nearest_of_prerequisites(original, ladder)
        return next((one for one in others if not is_spoilt(one)), others[0] if others else found)
    better = part != gap and not (part.carries and part.op == original.op) and not is_spoilt(part)
    return part if better and is_spoilt(found) else found


def simplified(problem: Problem, ladder: SkillProblems, known: Knowledge) -> Problem | None:
    """The same skill with smaller numbers and a lower W: the nearest such problem; where the bank has none, the easiest
    of a skill that it stands on, directly if possible. It is no heavier than the problem and no less likely to be
    right. None where nothing is."""
    skill_id, expected = ladder.skill_of(problem), known.expectation(problem)
    if skill_id is None:
        return None
    largest = max(problem.a, problem.b)
    smaller = [
        one
        for one in ladder.problems[skill_id]
        if one.layout == problem.layout
        and one.w_total < problem.w_total
        and max(one.a, one.b) < largest
        and known.expectation(one) >= expected
    ]
    if smaller:
        digits = _digits(problem)
        return max(smaller, key=lambda one: (_both_smaller(one, problem), _shared(digits, one), one.problem_id))
    for below in (ladder.skills[skill_id].requires, ladder.below[skill_id]):
        problems = (ladder.problems[one] for one in below if one in ladder.problems)
        easiest = (next(one for one in own if one.layout == problem.layout) for own in problems)
        easier = [one for one in easiest if one.w_total <= problem.w_total and known.expectation(one) >= expected]
        if easier:
            return min(easier, key=lambda one: (one.w_total, one.problem_id))
    return None


def _nearest_of_prerequisites(original: Problem, ladder: SkillProblems) -> Sequence[Problem]:
    """The problems of the skills that the original's stands on directly, the nearest first."""
    skill_id = ladder.skill_of(original)
    if skill_id is None:
        return ()
    candidates = (
        one
        for required in ladder.skills[skill_id].requires
        for one in ladder.problems.get(required, ())
        if one.layout == original.layout
    )
    digits = _digits(original)
    return sorted(
        candidates, key=lambda one: (one.op != original.op, -_shared(digits, one), one.w_total, one.problem_id)
    )


def _both_smaller(one: Problem, other: Problem) -> bool:
    return one.a <= other.a and one.b <= other.b


def _digits(problem: Problem) -> Sequence[tuple[str, int]]:
    """The digits of its two numbers, and how often each is there."""
    return [*Counter(f"{problem.a}{problem.b}").items()]


def _shared(digits: Sequence[tuple[str, int]], one: Problem) -> int:
    """How many of these digits the problem has."""
    text = f"{one.a}{one.b}"
    return sum([min(times, text.count(digit)) for digit, times in digits])
