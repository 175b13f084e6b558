"""The skills of the ladder with the problems of the bank that ask for each."""

from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from typing import Self

from maththera.arithmetic.problem import Problem
from maththera.knowledge.model import KnowledgeModel
from maththera.knowledge.skills import Skill, Skills, Strand
from maththera.tutoring.practice.strands import LADDERS


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
