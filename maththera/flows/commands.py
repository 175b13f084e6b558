"""What the natural-language layer knows beside flows and tools: `configs/commands.yaml`, and the names it may meet."""

import re
from collections.abc import Mapping
from dataclasses import dataclass, field
from functools import cached_property
from pathlib import Path
from typing import Annotated, Final, Literal, TypeAlias

from pydantic import BaseModel, ConfigDict, Field, TypeAdapter, field_validator

from maththera.documents import Document
from maththera.flows.moods import Mood
from maththera.learners.concepts import load_concepts

Role: TypeAlias = Literal[
    "students", "student", "start", "end", "period_days", "days", "per_day", "count", "grade", "school", "year",
    "concept", "second_concept", "concepts", "difficulty", "adjustment", "ratio", "depth", "problem_id", "report_id",
    "expression", "answer", "question", "word_problems", "school_name", "region",
]  # fmt: skip
_BRACKETS: Final = re.compile(r"\s*\([^)]*\)")  # 새싹초등학교 (예시)
Share = Annotated[float, Field(ge=0, le=1)]
Text = Annotated[str, Field(min_length=1)]


class _Strict(BaseModel):
    model_config = ConfigDict(extra="forbid", frozen=True)


class Limits(_Strict):
    """Confidences are from 0 to 1."""

    act: Share
    ask: Share
    foreign: Share
    ahead: Share
    said: Share
    flow_bonus: Share
    typo: Share
    model: Share


class Seconds(_Strict):
    """How long a language model may take; after that the rules' answer stands."""

    plan: Annotated[float, Field(gt=0, le=600)]
    draft: Annotated[float, Field(gt=0, le=600)]


class WordLists(_Strict):
    """`empty`: words that tell nothing. `same`: the first stands for all."""

    empty: list[Text]
    same: list[list[Text]]


class Refusal(_Strict):
    """What is not started by a command, and what is asked instead."""

    pattern: Text
    question: Text

    @field_validator("pattern")
    @classmethod
    def _compiles(cls, pattern: str) -> str:
        try:
            re.compile(pattern)
        except re.error as error:
            raise ValueError(f"is no pattern: {error}") from error
        return pattern


class RoleOf(_Strict):
    """A parameter whose whole name fits the pattern."""

    name: Text
    role: Role


class CommandRules(_Strict):
    """`flows` and `tools`: sample sentences by name."""

    limits: Limits
    seconds: Seconds
    words: WordLists
    refuse: list[Refusal]
    moods: dict[Mood, Text]
    roles: list[RoleOf]
    asks: dict[Role, Text]
    values: dict[Text, list[Text]]
    topics: list[Text]
    regions: list[Text]
    flows: dict[Text, list[Text]]
    tools: dict[Text, list[Text]]

    def role(self, parameter: str) -> Role | None:
        """What is looked for in a command to fill a parameter of this name."""
        return next((each.role for each in self.roles if re.fullmatch(each.name, parameter)), None)


@dataclass(frozen=True)
class Names:
    """Names a command may hold: of concepts; of schools and of students with their code or id."""

    concepts: tuple[str, ...] = ()
    schools: Mapping[str, str] = field(default_factory=dict)
    students: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def concept_pattern(self) -> re.Pattern[str]:
        """The longest name first; spaces and brackets of a name may be left out or put in."""
        squeezed = {re.sub(r"[\s()]", "", name) for name in self.concepts}
        names = ("\\s*".join(map(re.escape, name)) for name in sorted(squeezed, key=len, reverse=True) if len(name) > 1)
        return re.compile(rf"(?<![가-힣])({'|'.join(names) or '(?!)'})")


def load_rules(home: Path) -> CommandRules:
    """ConfigError names every field that does not fit."""
    return Document.read(home / "configs" / "commands.yaml").parse(TypeAdapter(CommandRules))


def load_names(
    home: Path,
    rules: CommandRules,
    *,
    schools: Mapping[str, str] | None = None,
    students: Mapping[str, str] | None = None,
) -> Names:
    """The concepts of `configs/concepts.yaml` and the topics beyond them; schools and students are the caller's."""
    concepts = load_concepts(home / "configs" / "concepts.yaml").concepts.values()
    told = [name for concept in concepts for name in (concept.name, *concept.aliases, *concept.broad)]
    plain = {_BRACKETS.sub("", name).strip(): code for name, code in (schools or {}).items()}
    return Names(tuple(dict.fromkeys([*told, *rules.topics])), plain, students or {})
