"""Which problem to try next, from where the tutor has put the child and from what is still hard."""

from collections import Counter
from collections.abc import Collection, Iterator, Sequence
from dataclasses import dataclass
from typing import Final, Literal

from maththera.arithmetic.curriculum import LOWEST_C
from maththera.arithmetic.malrules import CATALOGUE, wrong_answers
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.problem_bank import Bank
from maththera.chat.coach.coach_knowledge import Knowledge
from maththera.chat.coach.learner_facts import KindId, kind_of
from maththera.store.answer_history import Answer
from maththera.store.learner_state import LearnerRow

Reason = Literal["cause", "position", "asked", "start"]

_WINDOW: Final = 0.5
_STRIDE: Final = 7919
_RECENT: Final = 20
"""As the tutor does: problems within ± 0.5 of W, none of the last twenty."""
_FEWEST: Final = 4
_MOSTLY: Final = 0.8
"""Of so many answers to a skill such a share is right once the next skill may come."""


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


_LADDERS: Final[dict[KindId, tuple[str, ...]]] = {
    "add": ("C3.sums", "C8.plain_1d", "C8.plain", "C11.plain"),
    "carry": (
        "C7.through_ten", "C8.carry_ones_1d", "C8.carry_ones", "C8.carry_both", "C11.carry_one", "C11.carry_more",
    ),
    "take": ("C4.take", "C10.plain_1d", "C10.plain", "C12.plain"),
    "borrow": ("C9.minus_2_7", "C10.borrow_1d", "C10.borrow", "C12.borrow_one", "C12.borrow_two"),
    "times": ("C13.times_2_5", "C13.times_3_4", "C13.times_6_9", "C15.plain_1d", "C15.carry_1d"),
    "share": ("C14.by_2_5", "C14.by_3_4", "C14.by_6_9"),
}  # fmt: skip
"""Kind of problem → skills with larger and larger numbers."""
_EASIER: Final[dict[KindId, KindId]] = {"carry": "add", "borrow": "take", "share": "times", "times": "add"}
"""Kind of problem → the kind that is easier than its easiest."""


def exercise(  # noqa: PLR0913 - what is known of the child, and what is wished for
    known: Knowledge,
    answers: Sequence[Answer],
    kind: KindId | None,
    than: Problem | None,
    step: int,
    avoid: Collection[str],
) -> Problem:
    """A problem of a kind: as hard as `than` or as what the child answered, or `step` rungs harder. `avoid`: keys of
    problems that must not come. Each answer, and each problem of `than`, leads to another one."""
    done = [problem for one in answers if (problem := known.problem(one.problem_id)) is not None]
    missed = Counter(
        kind_of(problem) for one in answers if one.correct is False and (problem := known.problem(one.problem_id))
    )
    if kind is None and than is None and done and not missed:
        kind, step = kind_of(max(done, key=lambda one: one.w_total)), step or 1
    usual = missed.most_common(1)[0][0] if missed else "add"
    kind = kind or (kind_of(than) if than is not None else usual)
    ladder, skills = _LADDERS[kind], known.model.skills
    own = [than] if than is not None and kind_of(than) == kind else [one for one in done if kind_of(one) == kind]
    level = max((one.c_level for one in own), default=0)
    names = [
        skill.skill_id for one in own if (skill := skills.of_problem(one)) is not None and skill.skill_id in ladder
    ]
    rung = max((ladder.index(name) for name in names), default=None)
    if rung is None:
        rung = max((at for at, name in enumerate(ladder) if skills[name].c_level <= level), default=0)
    above = None
    if step > 0 and than is not None and than in own and not _has_learnt(known, answers, ladder[rung]):
        above = than.w_total  # first a harder one of the same skill
    if rung + step < 0 and kind in _EASIER:
        ladder, rung = _LADDERS[_EASIER[kind]], 0
    elif above is None or not _of_skill(known, ladder[rung], above):
        rung, above = min(max(rung + step, 0), len(ladder) - 1), None
    recent = {*avoid, *_recent(known, answers), *([than.key] if than is not None else [])}
    fitting = _of_skill(known, ladder[rung], above)
    fresh = [
        one for one in fitting if one.key not in recent and one.answer not in {one.answer for one in own[-1:]}
    ] or fitting
    turn = (len(answers) + (than.a * 7 + than.b if than is not None else 0) + 1) * _STRIDE
    return fresh[turn % len(fresh)]


def _of_skill(known: Knowledge, skill_id: str, above: float | None = None) -> list[Problem]:
    """The problems of a skill; only those harder than W `above`."""
    skills = known.model.skills
    found = [
        one for one in known.bank.level(skills[skill_id].c_level)
        if one.layout == "horizontal" and (skill := skills.of_problem(one)) is not None and skill.skill_id == skill_id
    ]  # fmt: skip
    return found if above is None else [one for one in found if one.w_total > above]


def _has_learnt(known: Knowledge, answers: Sequence[Answer], skill_id: str) -> bool:
    """Whether the newest answers to problems of a skill are mostly right."""
    skills = known.model.skills
    own = [
        one.correct for one in answers
        if one.correct is not None and (problem := known.problem(one.problem_id)) is not None
        and (skill := skills.of_problem(problem)) is not None and skill.skill_id == skill_id
    ][-_RECENT:]  # fmt: skip
    return len(own) >= _FEWEST and sum(own) >= _MOSTLY * len(own)


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
