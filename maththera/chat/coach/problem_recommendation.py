"""Which problem to try next, from where the tutor has put the child and from what is still hard."""

from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from maththera.arithmetic.curriculum import LOWEST_C
from maththera.arithmetic.malrules import CATALOGUE, wrong_answers
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.problem_bank import Bank
from maththera.chat.coach.coach_knowledge import Knowledge
from maththera.store.answer_history import Answer
from maththera.store.learner_state import LearnerRow

Reason = Literal["cause", "position", "asked", "start"]

_WINDOW: Final = 0.5
_STRIDE: Final = 7919
_RECENT: Final = 20
"""As the tutor does: problems within ± 0.5 of W, none of the last twenty."""


@dataclass(frozen=True, slots=True)
class Recommendation:
    """`cause`: the stated cause that the problem lets show, for `reason` cause."""

    problem: Problem
    reason: Reason
    cause: str | None = None


def recommend(known: Knowledge, learner: LearnerRow | None, answers: Sequence[Answer], c: int | None) -> Recommendation:
    """The first that fits: of the asked unit `c`; one near the child's position that lets its most frequent cause
    show; any near it. The same records always give the same problem."""
    bank, recent = known.bank, _recent(known, answers)
    if c is not None:
        w = learner.w if learner and learner.c == c else _easy(bank, c)
        return Recommendation(_near(bank, c, w, recent, len(answers)), "asked")
    if learner is None:
        return Recommendation(_near(bank, LOWEST_C, _easy(bank, LOWEST_C), recent, 0), "start")
    for cause in learner.causes:
        for problem in _window(bank, learner.c, learner.w, recent, len(answers)):
            if cause in _shown(problem):
                return Recommendation(problem, "cause", cause)
    return Recommendation(_near(bank, learner.c, learner.w, recent, len(answers)), "position")


def _easy(bank: Bank, c: int) -> float:
    """The W below which a quarter of the unit's problems lie: not the first that come, such as 0×0."""
    problems = bank.level(c)
    return problems[len(problems) // 4].w_total


def _near(bank: Bank, c: int, w: float, recent: Collection[str], start: int) -> Problem:
    found = next(_window(bank, c, w, recent, start), None)
    return found or min(bank.level(c), key=lambda problem: (problem.key in recent, abs(problem.w_total - w)))


def _window(bank: Bank, c: int, w: float, recent: Collection[str], start: int) -> Iterator[Problem]:
    """Those near a W, going round from a place that moves far with every answer: neighbours are look-alikes."""
    problems = [one for one in bank.window(c, w - _WINDOW, w + _WINDOW) if one.key not in recent]
    turn = (start + 1) * _STRIDE % len(problems) if problems else 0
    yield from problems[turn:]
    yield from problems[:turn]


def _shown(problem: Problem) -> set[str]:
    """The causes that a wrong answer to this problem can show."""
    return {cause.tag for name in wrong_answers(problem) for cause in CATALOGUE[name].causes}


def _recent(known: Knowledge, answers: Sequence[Answer]) -> set[str]:
    ids = [answer.problem_id for answer in answers if answer.problem_id is not None]
    return {problem.key for one in ids[-_RECENT:] if (problem := known.problem(one)) is not None}
