"""The skills that a teacher would tick, and which one a problem asks for: `configs/knowledge/skills.yaml`."""

from collections.abc import Iterable, Iterator, Mapping
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Literal

from pydantic import Field, TypeAdapter, field_validator, model_validator

from maththera.arithmetic.curriculum import UNITS, curriculum_level
from maththera.arithmetic.problem import Problem
from maththera.arithmetic.problem_features import FEATURES
from maththera.arithmetic.strategies import STRATEGIES
from maththera.config_files import ConfigError, ConfigFile, ConfigModel, Loc, Text, refuse

Strand = Literal["N", "+", "-", "x", "/"]
"""Number sense, or the operation that a skill belongs to."""

STRANDS: Final[tuple[Strand, ...]] = ("+", "-", "x", "/")
"""The strands of the ladder; N lies below it."""

NUMBER_SENSE: Final = 0
"""The level of the N skills, below C1."""


class Skill(ConfigModel):
    """One skill. `name` is for adults, `child` for the child; `test` the place in which it is tried among those of its
    C; `when` the features that its problems have; `requires` the skills that it stands on directly."""

    skill_id: Annotated[str, Field(pattern=r"^(N[1-9]|C([1-9]|1[0-5]))\.[a-z0-9_]+$")]
    name: Text
    child: Text
    strand: Strand
    test: Annotated[int, Field(ge=1)]
    when: tuple[str, ...] = ()
    needed: bool = True
    requires: tuple[str, ...]

    @field_validator("when")
    @classmethod
    def _known(cls, names: tuple[str, ...]) -> tuple[str, ...]:
        if unknown := [name for name in names if name not in FEATURES]:
            raise ValueError(f"{', '.join(unknown)}: no feature; there are {', '.join(FEATURES)}")
        return names

    @cached_property
    def c_level(self) -> int:
        """The C whose problems exercise it; 0 for number sense."""
        return NUMBER_SENSE if self.strand == "N" else int(self.skill_id.partition(".")[0][1:])

    def fits(self, problem: Problem) -> bool:
        """Whether all its features hold; C and operation are not looked at."""
        for name in self.when:  # noqa: SIM110 - asked of every problem of the bank, and after every answer
            if not FEATURES[name](problem):
                return False
        return True


class Skills(ConfigModel):
    """All skills by id, in teaching order."""

    skills: dict[str, Skill]

    @model_validator(mode="before")
    @classmethod
    def _with_ids(cls, data: object) -> object:
        if not isinstance(data, dict) or not isinstance(data.get("skills"), dict):
            return data
        named = {
            key: {"skill_id": key, **value} if isinstance(value, dict) else value
            for key, value in data["skills"].items()
        }
        return {**data, "skills": named}

    def __getitem__(self, skill_id: str) -> Skill:
        return self.skills[skill_id]

    def __iter__(self) -> Iterator[Skill]:  # type: ignore[override]  # pydantic's own yields fields
        return iter(self.skills.values())

    @cached_property
    def order(self) -> Mapping[str, int]:
        """Skill id → its place in teaching order."""
        return {skill_id: place for place, skill_id in enumerate(self.skills)}

    def of_level(self, c: int) -> list[Skill]:
        """The skills of a C, in teaching order."""
        return [skill for skill in self if skill.c_level == c]

    def of_strand(self, strand: Strand) -> list[Skill]:
        """The skills of a strand, in teaching order."""
        return [skill for skill in self if skill.strand == strand]

    @cached_property
    def _dependents(self) -> Mapping[str, frozenset[str]]:
        found: dict[str, set[str]] = {skill_id: set() for skill_id in self.skills}
        for skill in self:
            for required in self.ancestors(skill.skill_id):
                found[required].add(skill.skill_id)
        return {skill_id: frozenset(above) for skill_id, above in found.items()}

    def ancestors(self, skill_id: str) -> set[str]:
        """All skills that one stands on, directly or not, without itself."""
        return _reached(self.skills[skill_id].requires, self.skills)

    def dependents(self, skill_id: str) -> frozenset[str]:
        """All skills that stand on one, directly or not, without itself."""
        return self._dependents[skill_id]

    def depth(self, skill_id: str) -> int:
        """The skills on the longest way down from one, itself included."""
        return self._depths[skill_id]

    @cached_property
    def _depths(self) -> Mapping[str, int]:
        found: dict[str, int] = {}

        def measure(skill_id: str) -> int:
            if skill_id not in found:
                found[skill_id] = 1 + max(map(measure, self.skills[skill_id].requires), default=0)
            return found[skill_id]

        return {skill_id: measure(skill_id) for skill_id in self.skills}

    @cached_property
    def _tried(self) -> Mapping[tuple[int, str], tuple[Skill, ...]]:
        """(C, strand) → its skills in the order in which they are tried."""
        groups: dict[tuple[int, str], list[Skill]] = {}
        for skill in sorted(self, key=lambda one: one.test):
            groups.setdefault((skill.c_level, skill.strand), []).append(skill)
        return {key: tuple(group) for key, group in groups.items()}

    def of_problem(self, problem: Problem) -> Skill | None:
        """The skill that a problem asks for. None outside the ladder (1000+124), and for a part that is asked of a
        problem whose skill is another's: a gap or a number of tens is no evidence of its own."""
        asked_in_bank = problem.form == "result" or (problem.form == "addend" and problem.c_level == 2)
        if not asked_in_bank or curriculum_level(problem.a, problem.op, problem.b) is None:
            return None
        return self._first_fitting(problem, problem.op)

    def nearest(self, problem: Problem) -> Skill:
        """The skill whose features a problem has, in the ladder or not, whatever part of it is asked."""
        strand = (
            problem.op if (problem.c_level, problem.op) in self._tried else self.of_level(problem.c_level)[0].strand
        )
        return self._first_fitting(problem, strand) or self._tried[problem.c_level, strand][-1]

    def _first_fitting(self, problem: Problem, strand: str) -> Skill | None:
        return next((skill for skill in self._tried[problem.c_level, strand] if skill.fits(problem)), None)


def load_skills(path: Path, problems: Iterable[Problem]) -> Skills:
    """The skills of a file, which cover each of the `problems` and are each asked by one. ConfigError names line and
    reason of every fault."""
    file = ConfigFile.read(path)
    skills = file.parse(TypeAdapter(Skills))
    refuse(file.fault(loc, reason) for loc, reason in _faults(skills.skills))
    of_bank = [(problem, skills.of_problem(problem)) for problem in problems]
    if uncovered := [problem for problem, skill in of_bank if skill is None]:
        first = uncovered[0]
        raise ConfigError(
            f"{path}:1: skills: {first.problem_id} ({first.expression}, C{first.c_level}) and {len(uncovered) - 1} "
            "other problems of the bank have no skill"
        )
    asked = {skill.skill_id for _, skill in of_bank if skill is not None}
    if unasked := [skill.skill_id for skill in skills if skill.strand != "N" and skill.skill_id not in asked]:
        reason = "no problem of the bank asks for this skill"
        raise ConfigError("\n".join(file.fault(("skills", skill_id), reason) for skill_id in unasked))
    return skills


def _reached(start: Iterable[str], skills: Mapping[str, Skill]) -> set[str]:
    found: set[str] = set()
    waiting = [*start]
    while waiting:
        if (required := waiting.pop()) not in found and required in skills:
            found.add(required)
            waiting += skills[required].requires
    return found


def _faults(skills: Mapping[str, Skill]) -> Iterator[tuple[Loc, str]]:
    """Where in the file the skills do not hang together, and why."""
    for skill_id, skill in skills.items():
        loc = ("skills", skill_id, "requires")
        for required in skill.requires:
            if required not in skills:
                yield loc, f"{skill_id} requires {required}, which is not there"
            elif skills[required].c_level > skill.c_level:
                yield loc, f"{skill_id} requires {required} of a higher C"
            elif skill.needed and not skills[required].needed:
                yield loc, f"{skill_id} is needed and requires {required}, which is not"
        if skill_id in _reached(skill.requires, skills):
            yield loc, f"{skill_id} requires itself in the end"
        if skill.strand != "N" and skill_id not in STRATEGIES:
            yield ("skills", skill_id), f"{skill_id} has no strategy in maththera/arithmetic/strategies"
    for unit in UNITS:
        if not any(skill.c_level == unit.c and skill.needed for skill in skills.values()):
            yield ("skills",), f"C{unit.c} has no needed skill"
