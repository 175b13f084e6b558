"""The ladder: its four strands, and its skills with the problems of the bank that ask for each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from types import MappingProxyType
from typing import Final, Self

from maththera.arithmetic.problem import Problem
from maththera.knowledge.model import KnowledgeModel
from maththera.knowledge.skills import Skill, Skills, Strand

LADDERS: Final[Mapping[Strand, tuple[int, ...]]] = MappingProxyType({
    "+": (1, 2, 3, 5, 6, 7, 8, 11),
    "-": (1, 2, 4, 5, 6, 9, 10, 12),
    "x": (13, 15),
    "/": (14,),
})  # fmt: skip
"""Strand → its C, the lowest first: each operation climbs its own. C1, C2, C5 and C6 belong to two strands."""


def strand_of_level(c: int) -> Strand:
    """The strand that a C stands for where nothing else is said: adding, where adding has it."""
    return next(strand for strand, ladder in LADDERS.items() if c in ladder)


def level_at_most(strand: Strand, c: int) -> int:
    """The strand's highest C that is not above `c`, else its lowest."""
    ladder = LADDERS[strand]
    return max((level for level in ladder if level <= c), default=ladder[0])


def next_level(strand: Strand, c: int) -> int:
    """The strand's C above `c`; its top stays its top."""
    ladder = LADDERS[strand]
    return min((level for level in ladder if level > c), default=ladder[-1])


@dataclass(frozen=True, slots=True)
class SkillProblems:
    """`needed`: the needed skills of a strand, in C and teaching order. `stands_on`: the needed skills of the ladder
    that one stands on directly; number sense, which the bank does not ask for, is left out. `below`: all that one
    stands on. `problems`: by skill, sorted by (W, id). `needed_at`: needed skill → its C. `of_bank`: problem id →
    skill id."""

    skills: Skills
    needed: Mapping[Strand, Sequence[Skill]]
    stands_on: Mapping[str, Sequence[str]]
    below: Mapping[str, frozenset[str]]
    problems: Mapping[str, Sequence[Problem]]
    needed_at: Mapping[str, int]
    of_bank: Mapping[str, str]

    @classmethod
    def of(cls, model: KnowledgeModel, bank: Iterable[Problem]) -> Self:
        """The skills of `model`, and the problems of the bank that it was made over."""
        skills, of_bank = model.skills, {problem_id: skill_id for problem_id, (skill_id, _) in model.asked.items()}
        problems: dict[str, list[Problem]] = {skill.skill_id: [] for skill in skills if skill.strand in LADDERS}
        for problem in sorted(bank, key=lambda one: (one.w_total, one.problem_id)):
            problems[of_bank[problem.problem_id]].append(problem)
        return cls(
            skills,
            {strand: [skill for skill in skills.of_strand(strand) if skill.needed] for strand in LADDERS},
            {
                skill_id: [one for one in skills[skill_id].requires if one in problems and skills[one].needed]
                for skill_id in problems
            },
            {skill_id: frozenset(skills.ancestors(skill_id)) for skill_id in problems},
            {skill_id: tuple(found) for skill_id, found in problems.items()},
            {skill_id: skills[skill_id].c_level for skill_id in problems if skills[skill_id].needed},
            of_bank,
        )

    def skill_of(self, problem: Problem) -> str | None:
        """The skill that a problem of the bank or a derived one asks for; None outside the ladder."""
        if (found := self.of_bank.get(problem.problem_id)) is not None:
            return found
        skill = self.skills.of_problem(problem)
        return skill.skill_id if skill is not None else None
