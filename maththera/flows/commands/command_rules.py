"""The rules for commands: `commands.yaml`, and the names of concepts, schools and students that a command may hold."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import Field, field_validator

from maththera.config_files import ConfigModel, Text
from maththera.flows.commands.speech_acts import SpeechAct
from maththera.learner_model.cause_words import CauseWords
from maththera.learner_model.concept_graph import load_concepts

Role: TypeAlias = Literal[
    "students", "student", "start", "end", "period_days", "days", "per_day", "count", "grade", "school", "year",
    "concept", "second_concept", "concepts", "difficulty", "adjustment", "ratio", "depth", "problem_id", "report_id",
    "expression", "answer", "question", "word_problems", "school_name", "region", "other_start", "other_end", "cause",
    "carries", "tables", "operation", "like",
]  # fmt: skip
_BRACKETS: Final = re.compile(r"\s*\([^)]*\)")  # 새싹초등학교 (예시)
Share = Annotated[float, Field(ge=0, le=1)]


class Limits(ConfigModel):
    """Thresholds of confidence, from 0 to 1."""

    act: Share
    ask: Share
    ahead: float = Field(ge=1)
    alone: Share
    alike: Share
    model: Share


class Seconds(ConfigModel):
    """The time that a language model may take; after it the rules' answer is used."""

    plan: Annotated[float, Field(gt=0, le=600)]
    draft: Annotated[float, Field(gt=0, le=600)]


class Refusal(ConfigModel):
    """Commands that start nothing, and the question that is asked instead. `asks`: they ask, so what only looks
    something up may be done."""

    pattern: Text
    question: Text
    asks: bool = False

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, pattern: str) -> str:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"is no pattern: {error}") from error
        return pattern


class GradeUnits(ConfigModel):
    """The units in which a concept is taught in a grade; `term` of the year."""

    grade: int
    term: int
    concepts: dict[Text, list[Text]]


class RoleOf(ConfigModel):
    """A pattern for the whole name of a parameter."""

    name: Text
    role: Role


class _File(ConfigModel):
    limits: Limits
    seconds: Seconds
    refuse: list[Refusal]
    answers_to_acts: dict[SpeechAct, Text]
    roles: list[RoleOf]
    asks: dict[Role, Text]
    values: dict[Text, list[Text]]
    topics: list[Text]
    beyond: re.Pattern[str]
    grade_units: list[GradeUnits]
    regions: list[Text]


class CommandRules(_File):
    """`causes`: how people say why a child errs."""

    causes: CauseWords

    def units_in(self, grade: int, term: int | None, concept: str) -> list[str]:
        """The units of a concept in a grade, and in a term of it where one is told; empty where it has none."""
        terms = [each for each in self.grade_units if each.grade == grade and term in (None, each.term)]
        return next((each.concepts[concept] for each in terms if concept in each.concepts), [])

    def role(self, parameter: str) -> Role | None:
        """The kind of entity that fills a parameter of this name."""
        return next((each.role for each in self.roles if re.fullmatch(each.name, parameter)), None)


@dataclass(frozen=True)
class KnownNames:
    """Names that a command may hold: concepts; schools and students with their code or id."""

    concepts: tuple[str, ...] = ()
    schools: Mapping[str, str] = field(default_factory=dict)
    students: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def concept_pattern(self) -> re.Pattern[str]:
        """A pattern of all names, the longest first; spaces and brackets of a name are optional."""
        squeezed = {re.sub(r"[\s()]", "", name) for name in self.concepts}
        names = ("\\s*".join(map(re.escape, name)) for name in sorted(squeezed, key=len, reverse=True) if len(name) > 1)
        return re.compile(rf"(?<![가-힣])({'|'.join(names) or '(?!)'})")


def load_command_rules(home: Path) -> CommandRules:
    """The rules of `commands.yaml`; ConfigError names every field that does not fit."""
    file = _File.from_file(home / "configs" / "flows" / "commands.yaml")
    return CommandRules(**dict(file), causes=CauseWords.load(home / "configs"))


def load_known_names(
    home: Path,
    rules: CommandRules,
    *,
    schools: Mapping[str, str] | None = None,
    students: Mapping[str, str] | None = None,
) -> KnownNames:
    """The concepts of `concepts.yaml` and the topics beyond them; the caller adds schools and students."""
    concepts = load_concepts(home / "configs" / "learner_model" / "concepts.yaml").concepts.values()
    told = [name for concept in concepts for name in (concept.name, *concept.aliases, *concept.broad)]
    plain = {_BRACKETS.sub("", name).strip(): code for name, code in (schools or {}).items()}
    return KnownNames(tuple(dict.fromkeys([*told, *rules.topics])), plain, students or {})
