"""Wrong answers that nothing explained, put together where they look alike: the same operation, form and C, and the
same pattern of the difference from the right answer. Several children in a cluster show a procedure that is not known
yet."""

from collections import Counter, defaultdict
from collections.abc import Iterable
from dataclasses import dataclass
from typing import Final, Literal, NamedTuple

from maththera.arithmetic.columns import digits
from maththera.arithmetic.problem import Problem

Pattern = Literal[
    "off_by_one", "off_by_a_place", "digits_rearranged", "wrong_beside_carry", "wrong_where_carried", "wrong_elsewhere",
    "digits_too_many", "digits_too_few",
]  # fmt: skip

_SHOWN: Final = 8


@dataclass(frozen=True, slots=True)
class UnknownAnswer:
    """An answer of the review queue that nothing explained."""

    review_id: int
    student_id: str
    problem: Problem
    given: int


class ClusterKey(NamedTuple):
    operation: str
    form: str
    c_level: int
    pattern: Pattern


@dataclass(frozen=True, slots=True)
class Cluster:
    """`children`: how many gave such answers. `differences`: given − right → how often, the most frequent first.
    `answers`: all of them; `examples`: some, of as many children as possible."""

    key: ClusterKey
    children: int
    differences: dict[int, int]
    answers: list[UnknownAnswer]
    examples: list[UnknownAnswer]


def clusters(answers: Iterable[UnknownAnswer]) -> list[Cluster]:
    """Those of the most children first, then those of the most answers."""
    found: defaultdict[ClusterKey, list[UnknownAnswer]] = defaultdict(list)
    for one in answers:
        if one.given != one.problem.answer:
            problem = one.problem
            key = ClusterKey(problem.op, problem.form, problem.c_level, pattern(problem, one.given))
            found[key].append(one)
    return sorted((_cluster(key, own) for key, own in found.items()), key=_order)


def _order(cluster: Cluster) -> tuple[int, int, ClusterKey]:
    return -cluster.children, -len(cluster.answers), cluster.key


def _cluster(key: ClusterKey, answers: list[UnknownAnswer]) -> Cluster:
    differences = Counter(one.given - one.problem.answer for one in answers)
    by_child: defaultdict[str, list[UnknownAnswer]] = defaultdict(list)
    for one in answers:
        by_child[one.student_id].append(one)
    rounds = max(len(own) for own in by_child.values())
    examples = [own[turn] for turn in range(rounds) for own in by_child.values() if turn < len(own)]
    return Cluster(key, len(by_child), dict(differences.most_common()), answers, examples[:_SHOWN])


def pattern(problem: Problem, given: int) -> Pattern:
    """How a wrong answer differs from the right one; of several patterns the first that holds."""
    difference = abs(given - problem.answer)
    if difference == 1:
        return "off_by_one"
    right, wrong = digits(problem.answer), digits(given)
    if len(wrong) > len(right):
        return "digits_too_many"
    if sorted(right) == sorted(wrong):
        return "digits_rearranged"
    if str(difference).strip("0") == "1":
        return "off_by_a_place"
    # An answer may lose its leading digits by a borrow that was not there; whole columns that are missing are more.
    if len(right) - len(wrong) > 1:
        return "digits_too_few"
    return _columns_pattern(problem, right, wrong + (0,) * (len(right) - len(wrong)))


def _columns_pattern(problem: Problem, right: tuple[int, ...], wrong: tuple[int, ...]) -> Pattern:
    """By the columns that are wrong: those that carry or borrow, those left of them, or others."""
    columns = {column for column, (one, other) in enumerate(zip(right, wrong, strict=True)) if one != other}
    carried = set(problem.carries)
    beside = {column + 1 for column in carried}
    if columns <= carried:
        return "wrong_where_carried"
    return "wrong_beside_carry" if columns <= carried | beside else "wrong_elsewhere"
