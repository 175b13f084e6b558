"""The truth about a child: which skills it has, what its procedure is called here, where a teacher would send it."""

from collections.abc import Iterable, Mapping, Sequence
from functools import cache
from itertools import chain, islice
from typing import Final

from maththera.arithmetic.curriculum import HIGHEST_C, LOWEST_C
from maththera.arithmetic.malrules import CATALOGUE
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.problem_bank import Bank
from maththera.knowledge.skills import STRANDS, Skill, Skills, Strand
from maththera.simulation.independent.child import Child
from maththera.simulation.independent.procedures import PROCEDURES
from maththera.simulation.independent.sums import Sum, read
from maththera.tutoring.diagnosis.hypotheses import malrule_results

HAS: Final = 0.8
HAS_NOT: Final = 0.5

_LOOKED_AT: Final = 12
"""Problems of a skill that stand for all of it."""
_SAME: Final = 0.5
"""The share of spoilt problems on which a malrule gives the procedure's answer, from which it is that procedure."""

Truth = Mapping[str, float]
"""Skill id → the child's mean chance of a right unaided answer."""


class Examiner:
    """Looks into children's heads; only measures use it."""

    def __init__(self, bank: Bank, skills: Skills) -> None:
        self.bank, self.skills = bank, skills
        self.problems = self._of_skill()
        self._samples = {name: [sum_of(one) for one in _spread(own)] for name, own in self.problems.items()}
        self.causes = cache(self._causes)

    def truth(self, child: Child) -> Truth:
        """What the child can do on its present day."""
        chances = iter(child.successes(chain.from_iterable(self._samples.values())))
        return {skill_id: sum(islice(chances, len(sums))) / len(sums) for skill_id, sums in self._samples.items()}

    def within_reach(self, truth: Truth) -> set[str]:
        """The needed skills that the child has not, though it has all they stand on."""
        return {
            skill.skill_id
            for skill in self.needed()
            if truth[skill.skill_id] < HAS and all(truth.get(below, 1.0) >= HAS for below in skill.requires)
        }

    def needed(self) -> Iterable[Skill]:
        """The needed skills of the ladder, in teaching order."""
        return (skill for skill in self.skills if skill.needed and skill.skill_id in self._samples)

    def border(self, known: Iterable[str], strand: Strand) -> int:
        """The place, in the strand's ladder, of the lowest level with a needed skill that is not among the known; the
        ladder's length where there is none."""
        known = set(known)
        ladder = self.ladder(strand)
        missing = {skill.c_level for skill in self.needed() if skill.strand == strand and skill.skill_id not in known}
        return next((place for place, c in enumerate(ladder) if c in missing), len(ladder))

    def ladder(self, strand: str) -> list[int]:
        """The levels of a strand; all levels where the tutor has none."""
        if strand not in STRANDS:
            return list(range(LOWEST_C, HIGHEST_C + 1))
        return sorted({skill.c_level for skill in self.skills if skill.strand == strand})

    def teachers_level(self, truth: Truth) -> int:
        """The lowest level at which a needed skill is not there, as a teacher sees it; the top where all are."""
        for limit in (HAS_NOT, HAS):
            if missing := [skill.c_level for skill in self.needed() if truth[skill.skill_id] < limit]:
                return min(missing)
        return HIGHEST_C

    def _causes(self, name: str) -> frozenset[str]:
        """The tutor's causes that name a procedure rightly; none for one outside its catalogue."""
        agree: dict[str, int] = {}
        spoilt = 0
        for problem in self.bank:
            wrong = PROCEDURES[name].answer(sum_of(problem))
            if wrong is None or problem.layout == "vertical":
                continue
            spoilt += 1
            for malrule, answer in malrule_results(problem).items():
                agree[malrule] = agree.get(malrule, 0) + (answer == wrong)
        same = [malrule for malrule, times in agree.items() if times >= _SAME * spoilt]
        return frozenset(cause.tag for malrule in same for cause in CATALOGUE[malrule].causes)

    def _of_skill(self) -> dict[str, list[Problem]]:
        found: dict[str, list[Problem]] = {skill.skill_id: [] for skill in self.skills}
        for problem in self.bank:
            if problem.layout == "horizontal" and (skill := self.skills.of_problem(problem)) is not None:
                found[skill.skill_id].append(problem)
        return {skill_id: problems for skill_id, problems in found.items() if problems}


def sum_of(problem: Problem) -> Sum:
    """A problem as a child reads it."""
    one = read(problem.prompt)
    if one is None:
        raise ValueError(f"no child can read {problem.prompt}")
    return one


def _spread(problems: Sequence[Problem]) -> Sequence[Problem]:
    return problems[:: max(1, len(problems) // _LOOKED_AT)][:_LOOKED_AT]
