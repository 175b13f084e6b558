"""A child's answers as scores from 0 to 100: for each unit, how much was right, how fluently, and what cost points.

All scores of a unit count the same answers: those to a problem of the unit that were right or wrong, whatever the task.
Time-outs and trainings are no answers.

- *accuracy*: the share of right answers.
- *fluency*: of the timed answers that were right, and those wrong by a cause of fluency (a neighbouring fact of the
  times table), the share that were right without long thought. None without such an answer.
- one for each domain of causes: 100 less the share of answers that this domain cost: wrong ones that a stated cause of
  the domain explains. So no domain is ever below the accuracy. Only causes stated with confidence high count. None
  where the domain has cost nothing but some wrong answer is unexplained: nobody knows what that one cost.
"""

from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import lru_cache
from typing import Final

from maththera.arithmetic.malrules import malrules_giving
from maththera.arithmetic.problem import Problem
from maththera.knowledge.knowledge import Knowledge
from maththera.learner_model.concept_graph import unit_id
from maththera.learner_model.concept_knowledge import ENOUGH, share_understood
from maththera.learner_model.error_patterns import stated_causes
from maththera.store.answer_history import Answer

ACCURACY: Final = "accuracy"
FLUENCY: Final = "fluency"
DOMAINS: Final = ("CONCEPT", "STRATEGY", "SPATIAL", "EXECUTION", "ATTENTION", "TRANSCRIPTION")
"""The domains of causes that are metrics of their own; FLUENCY is part of *fluency*, UNKNOWN is no cause."""
METRICS: Final = (ACCURACY, FLUENCY, *DOMAINS)
WEAK_BELOW: Final = 70

Domains = Mapping[str, str]
"""Cause tag → domain."""
Resolve = Callable[[str], Problem | None]
"""The problem of an id; None for one that is no longer in the bank."""


@dataclass(frozen=True, slots=True)
class UnitScore:
    """One unit. `mean`: points of 100 over all answers. `best`: of the best sitting (the answers of one session) with
    enough answers to count, None before there is one. `completion`: the share of the unit's needed skills that the
    child has shown, in points of 100.
    """

    unit_id: str
    answered: int
    right: int
    mean: int
    best: int | None
    completion: int
    enough: bool
    metrics: Mapping[str, int]
    """Metric → 0..100; without those that nothing has measured."""

    @property
    def weak(self) -> list[tuple[str, int]]:
        """The metrics below 70, the weakest first; none before there are enough answers to say so."""
        found = [(name, score) for name, score in self.metrics.items() if score < WEAK_BELOW and self.enough]
        return sorted(found, key=lambda one: one[1])


def unit_scores(
    answers: Sequence[Answer], knowledge: Knowledge, domains: Domains, resolve: Resolve
) -> dict[str, UnitScore]:
    """Unit id → its scores, in the order of the curriculum, for the units with an answer.

    `answers` of any source, tutoring or lesson, in the order of time; `knowledge` is what they add up to.
    """
    stated = stated_causes(answers)
    judged: dict[int, list[Answer]] = {}
    for answer in answers:
        if answer.c_level is not None and answer.correct is not None:
            judged.setdefault(answer.c_level, []).append(answer)
    return {
        name: _score(
            name,
            own,
            points(round(100 * share_understood(knowledge, name)), 100),
            _wrong_answers_by_domain(own, stated, domains, resolve),
        )
        for name, own in ((unit_id(c), judged[c]) for c in sorted(judged))
    }


def points(part: int, whole: int) -> int:
    """A share in points of 100. 100 is all and 0 is nothing, whatever the rounding would say."""
    if part in (0, whole):
        return 100 if part else 0
    return min(99, max(1, round(100 * part / whole)))


def explaining_cause(answer: Answer, stated: frozenset[str], resolve: Resolve) -> str | None:
    """The stated cause that explains a wrong answer: one whose malrule gives it, whichever turn stated it, else the one
    stated at this very turn, where it is none of a malrule's (too hasty to be thought out)."""
    problem = resolve(answer.problem_id) if answer.problem_id is not None else None
    if problem is not None and answer.given is not None:
        for tag in _tags(problem, answer.given):
            if tag in stated:
                return tag
    return answer.stated_cause


@lru_cache(maxsize=16_384)
def _tags(problem: Problem, given: int) -> tuple[str, ...]:
    """The causes that can stand behind an answer. Kept, as the same answers are looked at in every conversation."""
    return tuple(cause.tag for rule in malrules_giving(problem, given) for cause in rule.causes)


def _score(name: str, own: Sequence[Answer], completion: int, costs: Mapping[str, int]) -> UnitScore:
    answered, right = len(own), sum(bool(one.correct) for one in own)
    metrics = {ACCURACY: points(right, answered)}
    patterns = Counter(one.pattern for one in own)
    known = patterns["correct_fast"] + patterns["correct_slow"] + costs.get("FLUENCY", 0)
    if known:
        metrics[FLUENCY] = points(patterns["correct_fast"], known)
    explained = sum(costs.values()) == answered - right
    measured = [domain for domain in DOMAINS if explained or costs.get(domain)]
    metrics.update({domain: points(answered - costs.get(domain, 0), answered) for domain in measured})
    return UnitScore(
        unit_id=name,
        answered=answered,
        right=right,
        mean=metrics[ACCURACY],
        best=_best(own),
        completion=completion,
        enough=answered >= ENOUGH,
        metrics=metrics,
    )


def _best(own: Iterable[Answer]) -> int | None:
    sittings: dict[str, list[bool]] = {}
    for answer in own:
        sittings.setdefault(answer.session_id, []).append(bool(answer.correct))
    return max((points(sum(one), len(one)) for one in sittings.values() if len(one) >= ENOUGH), default=None)


def _wrong_answers_by_domain(
    own: Iterable[Answer], stated: Iterable[str], domains: Domains, resolve: Resolve
) -> Counter[str]:
    """Domain → how many wrong answers its stated causes explain; an answer counts once, tags that are no more never."""
    tags = frozenset(stated)
    causes = [explaining_cause(answer, tags, resolve) for answer in own if not answer.correct]
    return Counter(domains[tag] for tag in causes if tag is not None and tag in domains)
